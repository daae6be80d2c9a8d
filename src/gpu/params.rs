//! What kernels are told: the same layout as in `shaders/shared/params.wgsl`, which a test checks.

use bytemuck::{Pod, Zeroable};

/// The sizes of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Params {
    pub zero: u32,
    pub flags: u32,
    pub bodies: u32,
    pub first_slot: u32,
    pub end_slot: u32,
    pub curve_bits: u32,
    pub tiles: u32,
    pub keys: u32,
    pub origin: [f32; 3],
    pub scale: f32,
    pub giant: f32,
    pub classes: u32,
    pub own_first: u32,
    pub own_end: u32,
    pub level_first: [u32; 4],
    pub level_count: [u32; 4],
    pub bucket_first: [u32; 8],
    pub bucket_size: [u32; 8],
    pub bin_first: [u32; BINS],
    pub bin_size: [u32; BINS],
    pub bin_bits: u32,
    pub rows: u32,
    pub exclusions: u32,
    pub only_bucket: u32,
    pub unfinished: u32,
    pub work: u32,
    pub top: u32,
    pub tag: u32,
}

/// What differs between the dispatches of one stage.
pub(crate) type Step = [u32; 4];

/// Keys hold size classes.
pub(crate) const CLASSES: u32 = 1;
/// There are several worlds.
pub(crate) const WORLDS: u32 = 2;
/// Some bodies have traits of their own.
pub(crate) const CHOOSY: u32 = 4;
/// One set with itself: each pair once.
pub(crate) const ORDERED: u32 = 8;
/// Disabled bodies too.
pub(crate) const EVERYONE: u32 = 16;

/// Times 1, 2 or 3: bodies lie in a plane across x, y or z.
pub(crate) const FLAT: u32 = 32;

/// Words of the status block.
pub(crate) const STATUS_WORDS: usize = 96;
pub(crate) const STATUS_CANDIDATES: usize = 16;
/// Whether a bin of hits had too little room.
pub(crate) const STATUS_CROWDED: usize = 28;
/// By bin.
pub(crate) const STATUS_HITS: usize = 32;
/// Rows that no single thread sorts.
pub(crate) const STATUS_LONG_ROWS: usize = 23;
pub(crate) const STATUS_UNDECIDED: usize = 24;
/// How often a counter went beyond 2³².
pub(crate) const STATUS_CARRY: usize = 25;

/// Clusters whose search was cut short.
pub(crate) const STATUS_UNFINISHED: usize = 26;

/// Hits of the long rows.
pub(crate) const STATUS_LONG_HITS: usize = 27;

/// The ledger: the signatures of the bodies that were given a slot, and of the disabled bodies that need none.
pub(crate) const STATUS_GATHERED: usize = 48;
pub(crate) const STATUS_SKIPPED: usize = 49;
/// Candidates that the narrow phase left open, and those that were taken up again.
pub(crate) const STATUS_LEFT_OPEN: usize = 51;
pub(crate) const STATUS_SETTLED: usize = 52;
/// Verdicts returned to the pairs that were asked for.
pub(crate) const STATUS_ANSWERED: usize = 54;
/// From here on, the signatures of each stage.
pub(crate) const STATUS_LEDGER: usize = 56;

/// Bodies in a cluster, and nodes below a node.
pub(crate) const WIDTH: u32 = 32;
/// No body; no only bucket.
pub(crate) const NONE: u32 = u32::MAX;
/// Levels of the tree above the clusters. The highest may have any number of nodes.
pub(crate) const LEVELS: usize = 3;
/// Buckets of candidates, by pair of kinds.
pub(crate) const BUCKETS: usize = 6;
/// Keys in a tile of the sort.
pub(crate) const TILE: u32 = 2048;
/// Of a pass of the sort: the order is 0, 1, … and need not be read; only the order is wanted.
pub(crate) const SORT_FIRST: u32 = 1;
pub(crate) const SORT_LAST: u32 = 2;
/// Rows in a block of their scan.
pub(crate) const BLOCK: u32 = 2048;
/// Rows up to this length are sorted each by a thread; the hits of longer ones as one list.
pub(crate) const SHORT_ROW: u32 = 32;
/// Bins of hits, at most.
pub(crate) const BINS: usize = 16;
/// Hits that a workgroup puts into rows.
pub(crate) const PLACED: u32 = 1024;
/// Candidates that a workgroup of the narrow phase decides.
pub(crate) const CANDIDATES: u32 = 512;
/// How many such workgroups one workgroup that settles cleans up after.
pub(crate) const PARTS: u32 = 8;
/// The bit of a partner that says that the pair is undecided; also of a slot's id, that the filter must not be used.
pub(crate) const MARK: u32 = 1 << 31;
/// The bit of a partner that says that the pair touches.
pub(crate) const TOUCHING: u32 = 1 << 30;
/// A partner without its marks.
pub(crate) const ID: u32 = !(MARK | TOUCHING);
/// Size classes of a key, and the bits they take.
pub(crate) const CLASS_BITS: u32 = 3;

/// How many iterations a group of threads may make when it searches, before it asks its last node: llvmpipe ends all loops after
/// 65,535, and says nothing. A node has 32 clusters, each of which takes up to 1216.
pub(crate) const WORK: u32 = 24_000;

/// The bucket of a pair of kinds.
pub(crate) fn bucket_of(a: u32, b: u32) -> u32 {
    let low = a.min(b);
    low * (5 - low) / 2 + a.max(b)
}
