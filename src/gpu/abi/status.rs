//! The words of the status block, in which kernels count. It is the last buffer of every kernel.

use super::constants::{BINS, BUCKETS, CLASS_COUNT};
use crate::gpu::stages;

/// Gives each name as many words as it says, one after the other; `align` begins at a multiple of so many words.
macro_rules! words {
    (at $at:expr; table [$($table:ident)*];) => {
        /// From here on, the signatures of each stage.
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
    /// How many bodies each size class has: of the searched set, then of the set that asks.
    STATUS_CLASSES: 2 * CLASS_COUNT as usize;
    /// How many candidates each bucket needs room for.
    STATUS_CANDIDATES: BUCKETS;
    /// Rows that are too long for one thread to sort.
    STATUS_LONG_ROWS: 1;
    /// Pairs that are reported as undecided.
    STATUS_UNDECIDED: 1;
    /// How often a counter went beyond 2³².
    STATUS_CARRY: 1;
    /// Clusters whose search was cut short.
    STATUS_UNFINISHED: 1;
    /// Hits of the long rows.
    STATUS_LONG_HITS: 1;
    /// Whether a bin of hits had too little room: nothing is put into rows then, since the call is repeated.
    STATUS_BINS_OVERFLOWED: 1;
    /// How many hits each bin needs room for. Many threads count here, so the words share as few cache lines as they can.
    STATUS_HITS: BINS, align 16;
    /// From here on, the ledger. First the signatures of the bodies that were given a slot.
    STATUS_GATHERED: 1;
    /// The signatures of the disabled bodies that need no slot.
    STATUS_SKIPPED: 1;
    /// Candidates that the narrow phase left open.
    STATUS_LEFT_OPEN: 1;
    /// Open candidates that were taken up again.
    STATUS_SETTLED: 1;
    /// Verdicts returned to the pairs that were asked for.
    STATUS_ANSWERED: 1;
}

/// Words of the status block.
pub(crate) const STATUS_WORDS: usize = (STATUS_LEDGER + stages::COUNT).next_multiple_of(16);
