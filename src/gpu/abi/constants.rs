//! Constants that host and kernels share. The source of every kernel begins with them.

use super::status::{STATUS_LEDGER, STATUS_TABLE};
use crate::gpu::ledger::{SIGNATURE, word_of};
use crate::gpu::stages;
use crate::near::sweep_states;
use crate::query::ContactKind;
use crate::shape::hull_record;
use crate::shape::kinds::{self, BUCKET_FACTOR, Kind};
use crate::{Relation, Side};

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$doc])* pub(crate) const $name: $type = $value;)*
        const TABLE: &[(&str, u32)] = &[$((stringify!($name), $name as u32)),*];
    };
}

constants! {
    /// Stands for an absent id, slot or bucket.
    ABSENT: u32 = u32::MAX;

    // Bits of `flags`.

    /// Keys contain size classes.
    CLASSES: u32 = 1;
    /// The bodies are in several worlds.
    WORLDS: u32 = 2;
    /// Some bodies have traits, other than their world, that may forbid a pair.
    HAS_FILTERS: u32 = 4;
    /// The search is within one set: each pair is reported once, in the row of the lower id.
    ORDERED: u32 = 8;
    /// Disabled bodies get slots like enabled ones.
    KEEP_DISABLED: u32 = 16;
    /// The grid of the curve was measured by the device.
    MEASURED: u32 = 32;

    // The tag of a body, which is a byte.

    /// The bits of a tag that hold the kind of the shape.
    TAG_KIND: u32 = (KINDS as u32).next_power_of_two() - 1;
    /// The bit of a tag that is set if the body is enabled.
    TAG_ENABLED: u32 = TAG_KIND + 1;
    /// The bit of a tag that is set if the body is fixed.
    TAG_FIXED: u32 = 2 * TAG_ENABLED;
    /// The bit of a tag that is set if the body is enabled unless the caller's shaders have given it invalid numbers.
    TAG_WANTED: u32 = 2 * TAG_FIXED;
    /// Bodies of the sample from which the grid of the curve is measured: a power of two.
    GRID_SAMPLE: u32 = 512;

    // Verdicts on a candidate pair.

    /// The shapes certainly have no point in common.
    MISS: u32 = 0;
    /// The shapes certainly overlap: they do not merely touch.
    HIT: u32 = 1;
    /// The filter cannot decide within its error bound.
    UNDECIDED: u32 = 2;
    /// The shapes certainly touch.
    TOUCH: u32 = 3;

    // Answers on listed pairs for shaders of the caller's.

    ANSWER_SEPARATE: u32 = Relation::Separate as u32;
    ANSWER_TOUCHING: u32 = Relation::Touching as u32;
    ANSWER_OVERLAPPING: u32 = Relation::Overlapping as u32;
    /// The filter cannot decide within its error bound.
    ANSWER_OPEN: u32 = 3;
    /// The caller's shaders have given one of the bodies invalid numbers.
    REFUSED: u32 = 4;

    // Sides of a half-space. The side of several half-spaces is the maximum.

    SIDE_INSIDE: u32 = Side::Inside as u32;
    SIDE_CROSSING: u32 = Side::Crossing as u32;
    SIDE_OUTSIDE: u32 = Side::Outside as u32;
    /// The filter cannot decide within its error bound.
    SIDE_OPEN: u32 = 3;

    // Marks on the ids of partners, slots and candidates.

    /// The bit of a partner that is set if the pair is undecided: the host settles it.
    MARK_UNDECIDED: u32 = crate::relation::MARK_UNDECIDED;
    /// The bit of a partner that is set if the pair touches.
    MARK_TOUCHING: u32 = crate::relation::MARK_TOUCHING;
    /// The bits of a partner that hold its id.
    PARTNER_ID: u32 = !(MARK_UNDECIDED | MARK_TOUCHING);
    /// The bit of the id in a slot that is set if the shape is outside the filters' domain.
    OUTSIDE_DOMAIN: u32 = 1 << 31;
    /// The bit of a candidate's second slot that is set if the second body belongs to the searching set, and the first to the
    /// searched set.
    SECOND_SEARCHES: u32 = 1 << 31;

    // Sizes.

    /// The number of kinds of shapes.
    KINDS: usize = kinds::KINDS;
    /// Words of a body's shape record.
    RECORD_WORDS: usize = kinds::RECORD_WORDS;
    /// A bit for each kind whose records begin with a position.
    POSED_KINDS: u32 = kinds::posed_kinds();
    /// Four bits for each kind: where its records have a quaternion; 0 if they have none.
    ROTATION_WORDS: u32 = kinds::rotation_words();
    /// Bits of the number of a hull's local form, and of a coordinate of its bounds, and the coordinate that stands for 0.
    HULL_FORM_BITS: u32 = hull_record::FORM_BITS;
    HULL_FORM_WORD: u32 = hull_record::FORM_WORD as u32;
    HULL_STEP_BITS: u32 = hull_record::STEP_BITS;
    HULL_RADIUS_SHIFT: u32 = hull_record::RADIUS_SHIFT;
    HULL_STEP_ZERO: u32 = hull_record::STEP_ZERO as u32;
    /// More corners than this, counted once for each plane, are left to the host: some drivers end long loops silently.
    CULL_CORNERS: u32 = 1 << 14;
    /// What is known of how a hull and another body meet, beside the corners where the search has ended: whether anything is, whether four differences are
    /// around 0, and whether there is a shortest way out.
    HULL_SEARCHED: u32 = 1 << 31;
    HULL_HAS_FOUR: u32 = 1 << 30;
    HULL_HAS_WAY_OUT: u32 = 1 << 29;
    /// The world of a body that is in every world.
    EVERY_WORLD: u32 = crate::Traits::EVERY_WORLD;
    /// The number of buckets of candidates: one for each unordered pair of kinds.
    BUCKETS: usize = kinds::BUCKETS;
    /// Threads of a workgroup, unless a kernel needs another number: WebGPU's default limit.
    THREADS: u32 = 256;
    /// Bodies of a cluster, children of a node, and threads of a warp: a vote of a warp fits into one word.
    WIDTH: u32 = 32;
    /// Warps of a workgroup of the search on devices with subgroups of 32 threads. With one warp per workgroup, the number of
    /// resident workgroups would limit how many threads a processor runs.
    SUBGROUP_WARPS: u32 = 4;
    /// The number of size classes: ordinary bodies, five classes of giants by powers of 8, bodies outside the grid, disabled
    /// bodies.
    CLASS_COUNT: u32 = 8;
    /// Bits of a key that hold the size class.
    CLASS_BITS: u32 = CLASS_COUNT.ilog2();
    /// The class of bodies outside the grid of the curve.
    CLASS_OUTLIER: u32 = CLASS_COUNT - 2;
    /// The class of disabled bodies: the last one, whose bodies get no slots.
    CLASS_DISABLED: u32 = CLASS_COUNT - 1;
    /// Keys of a tile, which one workgroup of the radix sort handles: eight for each thread.
    TILE: u32 = 2048;
    /// The number of values of a radix sort digit.
    DIGITS: u32 = 256;
    /// Bits of a radix sort digit.
    DIGIT_BITS: u32 = DIGITS.ilog2();
    /// Mode of a radix sort pass: the values are 0, 1, … and are not read.
    SORT_FIRST: u32 = 1;
    /// Mode of a radix sort pass: only the values are needed, and the keys are not written.
    SORT_LAST: u32 = 2;
    /// Rows of a block, which one workgroup of the prefix sum over rows handles: eight for each thread.
    BLOCK: u32 = 2048;
    /// The length of rows that have so many hits or more, where it has a byte.
    WIDE_ROW: u32 = 255;
    /// The longest row that one thread sorts. Hits of longer rows go through the radix sort as one list.
    SHORT_ROW: u32 = 32;
    /// The most bins of hits.
    BINS: usize = 16;
    /// Hits that a workgroup scatters to their rows, all of them from one bin.
    SCATTERED: u32 = 1024;
    /// Threads of a workgroup of the narrow phase.
    NARROW_THREADS: u32 = 128;
    /// Candidates of a thread of the narrow phase. More of them mean fewer workgroups that increment the same counters.
    NARROW_EACH: u32 = 4;
    /// Candidates that a workgroup of the narrow phase decides.
    NARROW_CANDIDATES: u32 = NARROW_THREADS * NARROW_EACH;
    /// Workgroups of the narrow phase whose open pairs one workgroup settles.
    SETTLE_PARTS: u32 = 8;
    /// Mode of the narrow phase: hits are appended to their bins.
    REPORT_HITS: u32 = 0;
    /// Mode of the narrow phase: every verdict is written, at the position of its candidate.
    REPORT_VERDICTS: u32 = 1;
    /// Threads of a workgroup with one body a thread, each of which may take long.
    BODY_THREADS: u32 = 64;
    /// Pairs of rows that a workgroup lists.
    LISTED_PAIRS: u32 = 4 * THREADS;
    /// Threads of a workgroup with one contact a thread.
    CONTACT_THREADS: u32 = 128;
    /// Pairs that a workgroup looks at for the few that need more.
    APPROACH_PAIRS: u32 = 8 * CONTACT_THREADS;

    // Rays.

    /// The nearest hit of each ray is wanted, or whether it has one, or all of them.
    RAYS_NEAREST: u32 = 0;
    RAYS_ANY: u32 = 1;
    RAYS_ALL: u32 = 2;
    /// The bit of a ray that is not cast, because it is outside the domain.
    RAY_SKIPPED: u32 = 1;
    /// The bit of a ray that is fixed.
    RAY_FIXED: u32 = 2;
    /// The bit of a ray that ends, but later than all times that are computed with.
    RAY_ENDS: u32 = 4;
    /// The first bit of the exponent of the power of two by which a ray's direction was divided, and what is added to the exponent.
    RAY_EXPONENT: u32 = 8;
    RAY_EXPONENT_BIAS: u32 = 149;
    /// The bit of a place in the tree that rays descend which is the number of a node; others are slots, of which there are fewer.
    RAY_NODE: u32 = 1 << 28;
    /// Where the kind of a body is in its place in the tree.
    RAY_KIND_SHIFT: u32 = 29;
    /// Nodes that a ray has left to visit, at most: three of each level, and the one that it is at.
    RAY_STACK: u32 = 3 * RAY_LEVELS as u32 + 1;
    /// The side of the square of pixels whose rays are cast together; other rays as many at a time.
    BUNDLE_SIDE: u32 = 16;
    /// The bit of a listed slot that is set if the ray certainly hits the body.
    RAY_CERTAIN: u32 = 1 << 31;

    /// The bit of a point's margin that is set if its nearest body is known.
    MARGIN_KNOWN: u32 = 1 << 31;

    // How sweeps of pairs have ended, or go on.

    SWEEP_MEETS: u32 = sweep_states::MEETS;
    SWEEP_MAY_MEET: u32 = sweep_states::MAY_MEET;
    SWEEP_MISSES: u32 = sweep_states::MISSES;
    SWEEP_OPEN: u32 = sweep_states::OPEN;
    SWEEP_PENDING: u32 = sweep_states::PENDING;
    SWEEP_HULL_PENDING: u32 = sweep_states::HULL_PENDING;

    // Contacts.

    /// Vectors of four words of a body's frame, and of a contact.
    FRAME_VECTORS: usize = size_of::<crate::manifold::Frame>() / 16;
    MANIFOLD_VECTORS: usize = size_of::<crate::manifold::Manifold>() / 16;
    CLEARANCE_VECTORS: usize = size_of::<crate::near::Clearance>() / 16;
    /// Vectors of how a body moves, and of when two of them meet.
    COURSE_VECTORS: usize = size_of::<crate::near::Course>() / 16;
    SWEEP_VECTORS: usize = size_of::<crate::near::SweepHit>() / 16;
    /// The bits of a frame's tag: its kind, and whether the lower words of its centre are not all 0.
    FRAME_KIND: u32 = crate::manifold::FRAME_KIND;
    FRAME_HAS_LOW: u32 = crate::manifold::HAS_LOW;
    /// The bit of a body that is a point.
    FRAME_IS_POINT: u32 = crate::manifold::IS_POINT;
    /// The bit of a frame's tag that says that the body is a half-space in the domain.
    FRAME_IS_HALF_SPACE: u32 = crate::manifold::IS_HALF_SPACE;
    FRAME_IS_HULL: u32 = crate::manifold::IS_HULL;
    CONTACT_ROUND: u32 = ContactKind::Round as u32;
    CONTACT_FACE_A: u32 = ContactKind::FaceA as u32;
    CONTACT_FACE_B: u32 = ContactKind::FaceB as u32;
    CONTACT_EDGES: u32 = ContactKind::Edges as u32;
    CONTACT_CORNERS: u32 = ContactKind::Corners as u32;
    CONTACT_DEEPEST: u32 = ContactKind::Deepest as u32;
}

/// The number of buckets, rounded up because uniforms hold them in vectors of four.
pub(crate) const BUCKET_WORDS: usize = BUCKETS.next_multiple_of(4);
/// Levels of the tree above the clusters. The highest may have any number of nodes.
pub(crate) const LEVELS: usize = 3;

/// Levels of the tree that rays descend, at most, with four nodes below a node: three more than as many slots as a buffer can hold need.
pub(crate) const RAY_LEVELS: usize = 17;

/// The iterations after which a warp stops its search and records it as unfinished. llvmpipe silently ends loops after 65,535
/// iterations; the last node visited has 32 clusters, each of which costs up to 1216 (see `visit_cost` in `find_pairs.wgsl`), so
/// that a search stays below 24,000 + 38,912.
pub(crate) const ITERATION_LIMIT: u32 = 24_000;

/// The steps after which a ray stops, and the next dispatch goes on: far fewer than the iterations after which llvmpipe ends loops.
pub(crate) const RAY_STEPS: u32 = 16_384;

/// The fewest rays of which some are cast together, each bundle by a workgroup: of fewer most of a large device would have nothing to do.
pub(crate) const LEAST_BUNDLED: u32 = 1 << 16;

const _: () = assert!(TAG_WANTED < 256, "a tag is a byte");
const _: () = assert!(DIGITS == THREADS, "a thread has a digit");
const _: () = assert!(TAG_KIND <= u32::MAX >> RAY_KIND_SHIFT, "a place in the tree has room for a kind");

/// The bucket of a pair of kinds. [`wgsl`] writes the same formula for kernels.
pub(crate) use crate::shape::kinds::bucket_of;

/// All constants in WGSL.
pub(super) fn wgsl() -> String {
    let own = TABLE.iter().chain(STATUS_TABLE).map(|(name, value)| ((*name).to_owned(), *value));
    let kinds = Kind::ALL.iter().map(|kind| (format!("KIND_{}", kind.name().to_uppercase()), *kind as u32));
    // The word of the status block in which each stage signs.
    let signs = stages::ALL.iter().map(|stage| (format!("SIGN_{}", stage.name.to_uppercase()), word_of(stage) as u32));
    let last = [("STATUS_LEDGER".to_owned(), STATUS_LEDGER as u32), ("SIGNATURE".to_owned(), SIGNATURE)];
    let mut text = String::new();
    for (name, value) in own.chain(kinds).chain(signs).chain(last) {
        text.extend(["const ", &name, " = ", &value.to_string(), "u;\n"]);
    }
    text + &format!(
        "
// The number of a pair of kinds, in any order.
fn bucket_of(kind: u32, other: u32) -> u32 {{
    let low = min(kind, other);
    return low * ({BUCKET_FACTOR}u - low) / 2u + max(kind, other);
}}
"
    )
}
