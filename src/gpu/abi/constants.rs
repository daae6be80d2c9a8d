//! Numbers that host and kernels share. Every kernel's source begins with them.

use super::status::{STATUS_LEDGER, STATUS_TABLE};
use crate::Side;
use crate::gpu::ledger::{SIGNATURE, word_of};
use crate::gpu::stages;
use crate::shape::kinds::{self, BUCKET_FACTOR, Kind};

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $value:expr;)*) => {
        $($(#[$doc])* pub(crate) const $name: $type = $value;)*
        const TABLE: &[(&str, u32)] = &[$((stringify!($name), $name as u32)),*];
    };
}

constants! {
    /// In the place of a number: there is no such body, slot or bucket.
    ABSENT: u32 = u32::MAX;

    // Bits of `flags`.

    /// Keys hold size classes.
    CLASSES: u32 = 1;
    /// There are several worlds.
    WORLDS: u32 = 2;
    /// Some bodies have traits that may keep them from meeting others of their world.
    HAS_FILTERS: u32 = 4;
    /// One set with itself: each pair is reported once.
    ORDERED: u32 = 8;
    /// Disabled bodies get slots like others.
    KEEP_DISABLED: u32 = 16;

    // The tag of a body is a byte.

    /// The bits of a tag with the kind of the shape.
    TAG_KIND: u32 = (KINDS as u32).next_power_of_two() - 1;
    /// The bit of a tag that says that the body is enabled.
    TAG_ENABLED: u32 = TAG_KIND + 1;
    /// The bit of a tag that says that the body is fixed.
    TAG_FIXED: u32 = 2 * TAG_ENABLED;

    // Verdicts on a candidate pair.

    /// The shapes certainly have no point in common.
    MISS: u32 = 0;
    /// The shapes certainly overlap: they do not merely touch.
    HIT: u32 = 1;
    /// A filter cannot tell.
    UNDECIDED: u32 = 2;
    /// The shapes certainly touch.
    TOUCH: u32 = 3;

    // Sides of a half-space. The greater ones prevail when there are several half-spaces.

    SIDE_INSIDE: u32 = Side::Inside as u32;
    SIDE_CROSSING: u32 = Side::Crossing as u32;
    SIDE_OUTSIDE: u32 = Side::Outside as u32;
    /// A filter cannot tell.
    SIDE_OPEN: u32 = 3;

    // Marks on the ids of partners, slots and candidates.

    /// The bit of a partner that says that the pair is undecided.
    MARK_UNDECIDED: u32 = 1 << 31;
    /// The bit of a partner that says that the pair touches.
    MARK_TOUCHING: u32 = 1 << 30;
    /// The bits of a partner without its marks.
    PARTNER_ID: u32 = !(MARK_UNDECIDED | MARK_TOUCHING);
    /// The bit of the id in a slot that says that the shape is outside the filters' domain.
    OUTSIDE_DOMAIN: u32 = 1 << 31;
    /// The bit of a candidate's second slot that says that its body asks, and the first one is searched.
    SECOND_SEARCHES: u32 = 1 << 31;

    // Sizes.

    /// How many kinds of shapes there are.
    KINDS: usize = kinds::KINDS;
    /// Words from one body's record to the next.
    RECORD_WORDS: usize = kinds::RECORD_WORDS;
    /// Buckets of candidates: one for each pair of kinds.
    BUCKETS: usize = kinds::BUCKETS;
    /// Threads of a workgroup, where a kernel has no reason for another number: as many as every device has.
    THREADS: u32 = 256;
    /// Bodies in a cluster, and nodes below a node: threads that vote in one word.
    WIDTH: u32 = 32;
    /// Groups of 32 threads in a workgroup of a search on devices with subgroups: a processor holds only so many workgroups.
    SUBGROUP_WARPS: u32 = 4;
    /// Size classes: ordinary bodies, five of giants by powers of 8, bodies outside the grid, disabled bodies.
    CLASS_COUNT: u32 = 8;
    /// Bits of a key for its class.
    CLASS_BITS: u32 = CLASS_COUNT.ilog2();
    /// The class of bodies outside the grid of the curve.
    CLASS_OUTLIER: u32 = CLASS_COUNT - 2;
    /// The class of disabled bodies. It is the last, and its bodies get no slots.
    CLASS_DISABLED: u32 = CLASS_COUNT - 1;
    /// Keys in a tile of the radix sort: eight for each thread.
    TILE: u32 = 2048;
    /// Values of a digit of the radix sort.
    DIGITS: u32 = 256;
    /// Bits of a digit of the radix sort.
    DIGIT_BITS: u32 = DIGITS.ilog2();
    /// Mode of a pass of the radix sort: values are 0, 1, … and need not be read.
    SORT_FIRST: u32 = 1;
    /// Mode of a pass of the radix sort: only values are wanted, and keys need not be written.
    SORT_LAST: u32 = 2;
    /// Rows in a block of the scan over rows: eight for each thread.
    BLOCK: u32 = 2048;
    /// Rows up to this length are sorted by one thread each; the hits of longer ones as one list.
    SHORT_ROW: u32 = 32;
    /// Bins of hits, at most.
    BINS: usize = 16;
    /// Hits that a workgroup scatters to their rows: all of one bin.
    SCATTERED: u32 = 1024;
    /// Threads of a workgroup of the narrow phase.
    NARROW_THREADS: u32 = 128;
    /// Candidates of a thread of the narrow phase. The more, the fewer workgroups count up the same word.
    NARROW_EACH: u32 = 4;
    /// Candidates that a workgroup of the narrow phase decides.
    NARROW_CANDIDATES: u32 = NARROW_THREADS * NARROW_EACH;
    /// How many workgroups of the narrow phase one workgroup settles open pairs for.
    SETTLE_PARTS: u32 = 8;
    /// Mode of the narrow phase: hits are reported.
    REPORT_HITS: u32 = 0;
    /// Mode of the narrow phase: the verdict on each candidate is written, in the order of the candidates.
    REPORT_VERDICTS: u32 = 1;
    /// Threads of a workgroup that culls bodies.
    CULL_THREADS: u32 = 64;
}

/// Buckets, rounded up so that uniforms can hold them in vectors of four.
pub(crate) const BUCKET_WORDS: usize = BUCKETS.next_multiple_of(4);
/// Levels of the tree above the clusters. The highest may have any number of nodes.
pub(crate) const LEVELS: usize = 3;

/// How many iterations a group of threads may make when it searches, before it asks its last node: llvmpipe ends all loops after
/// 65,535, and says nothing. A node has 32 clusters, each of which takes up to 1216.
pub(crate) const ITERATION_LIMIT: u32 = 24_000;

const _: () = assert!(TAG_FIXED < 256, "a tag is a byte");
const _: () = assert!(DIGITS == THREADS, "a thread has a digit");

/// The number of a pair of kinds. Kernels are given the same formula.
pub(crate) use crate::shape::kinds::bucket_of;

/// All of this in WGSL.
pub(super) fn wgsl() -> String {
    let own = TABLE.iter().chain(STATUS_TABLE).map(|(name, value)| ((*name).to_owned(), *value));
    let kinds = Kind::ALL.iter().map(|kind| (format!("KIND_{}", kind.name().to_uppercase()), *kind as u32));
    // The words of the status block in which stages sign, and what they sign with.
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
