//! The words of the status block, in which kernels count. It is the last buffer of every kernel.

use super::constants::{BINS, BUCKETS, CLASS_COUNT, RAY_LEVELS};
use crate::gpu::stages;

/// Assigns consecutive words to the names, as many as each one declares; `align` rounds the first one up to a multiple.
macro_rules! words {
    (at $at:expr; table [$($table:ident)*];) => {
        /// The first word of the stages' signatures, one for each stage.
        pub(crate) const STATUS_LEDGER: usize = $at;
        /// The first word of each name.
        pub(super) const STATUS_TABLE: &[(&str, u32)] = &[$((stringify!($table), $table as u32)),*];
    };
    (
        at $at:expr; table [$($table:ident)*];
        $(#[$doc:meta])* $name:ident: $count:expr $(, align $align:expr)?;
        $($rest:tt)*
    ) => {
        $(#[$doc])*
        pub(crate) const $name: usize = $at $(.next_multiple_of($align))?;
        words! { at ($name + $count); table [$($table)* $name]; $($rest)* }
    };
}

words! {
    at 0_usize; table [];
    /// The number of bodies of each size class: of the searched set, then of the searching set.
    STATUS_CLASSES: 2 * CLASS_COUNT as usize;
    /// The number of candidates of each bucket, including those that found no room.
    STATUS_CANDIDATES: BUCKETS;
    /// The number of long rows.
    STATUS_LONG_ROWS: 1;
    /// The number of hits reported as undecided.
    STATUS_UNDECIDED: 1;
    /// How often a counter of candidates overflowed 32 bits.
    STATUS_CARRY: 1;
    /// The number of clusters whose search was cut short.
    STATUS_UNFINISHED: 1;
    /// The number of hits of long rows.
    STATUS_LONG_HITS: 1;
    /// The number of rows whose length has no room in a byte.
    STATUS_WIDE_ROWS: 1;
    /// Whether a bin of hits overflowed. Hits are not scattered then, since the attempt is repeated.
    STATUS_BINS_OVERFLOWED: 1;
    /// The number of rays that stopped before their end.
    STATUS_RAYS_UNFINISHED: 1;
    /// The number of bodies that rays have listed apart from one for each ray, including those that found no room.
    STATUS_RAY_EXTRAS: 1;
    /// The number of pairs of a ray and a body that are open, including those that found no room.
    STATUS_RAYS_OPEN: 1;
    /// The complement of the least id of a body that the caller's shaders have given invalid numbers; 0 if there is none.
    STATUS_BAD_BODY: 1;
    /// The number of undecided pairs that were to be listed, including those that found no room.
    STATUS_LISTED: 1;
    /// How many turns there are to be for pairs of moving bodies, as far as is known.
    STATUS_SWEEPS_LEFT: 1;
    /// The number of nodes on each level of the tree that rays descend, the highest first, and of none below the lowest.
    STATUS_RAY_LEVELS: RAY_LEVELS + 1;
    /// The number of hits of each bin, including those that found no room. Many threads increment these words, so they share as
    /// few cache lines as possible.
    STATUS_HITS: BINS, align 16;
    /// The ledger begins here. First the signatures of the bodies that were gathered into slots.
    STATUS_GATHERED: 1;
    /// The signatures of the disabled bodies that get no slot.
    STATUS_SKIPPED: 1;
    /// The number of candidates that the narrow phase left open.
    STATUS_LEFT_OPEN: 1;
    /// The number of open candidates that the settle kernels processed.
    STATUS_SETTLED: 1;
    /// The number of verdicts returned for listed pairs.
    STATUS_ANSWERED: 1;
}

/// The size of the status block, in words.
pub(crate) const STATUS_WORDS: usize = (STATUS_LEDGER + stages::COUNT).next_multiple_of(16);
