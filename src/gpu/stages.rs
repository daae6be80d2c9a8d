//! The stages: one line each. A stage is a kernel (`shaders/`), its serial twin (`twin/`) and a parity test, of one name.

use super::ledger::{SIGNATURE, signatures, word_of};
use super::params::{Params, Step};
use super::twin;

macro_rules! parts {
    ($($part:literal),*) => { [$(include_str!(concat!("../../shaders/", $part))),*] };
}

/// Parts of which each has one form for every device, and one for those whose subgroups have 32 threads.
macro_rules! variants {
    ($($part:literal),*) => {
        Some([
            concat!($(include_str!(concat!("../../shaders/shared/", $part, ".wgsl"))),*),
            concat!($(include_str!(concat!("../../shaders/shared/", $part, "_subgroups.wgsl"))),*),
        ])
    };
}

/// How a kernel sees a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// The uniform [`Step`].
    Step,
    Read,
    Write,
}

/// What kernels may use beyond what every device has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Abilities {
    /// Subgroups, which then have 32 threads.
    pub subgroups: bool,
    /// `f64`.
    pub doubles: bool,
}

/// A file of kernels with the bindings that they share; binding 0 is always [`Params`], and the last buffer the status block.
#[derive(Debug)]
pub(crate) struct Module {
    pub name: &'static str,
    /// The parts of the source.
    pub parts: &'static [&'static str],
    /// A part for threads that act together: one for every device, and one for those whose subgroups have 32 threads.
    pub lanes: Option<[&'static str; 2]>,
    /// A part with the arithmetic of the filters: `f32`, and what devices with `f64` take.
    pub reals: Option<[&'static str; 2]>,
    pub bindings: &'static [Binding],
}

impl Module {
    /// The source for a device with these abilities.
    pub(crate) fn source(&self, abilities: Abilities) -> String {
        let [params] = parts!["shared/params.wgsl"];
        let mut source = params.to_owned();
        // The words of the status block in which stages sign, and what they sign with.
        let signs = ALL.iter().map(|stage| (format!("SIGN_{}", stage.name.to_uppercase()), word_of(stage) as u32));
        for (name, value) in signs.chain([("SIGNATURE".to_owned(), SIGNATURE)]) {
            source.extend(["const ", &name, " = ", &value.to_string(), "u;\n"]);
        }
        for (choice, able) in [(self.lanes, abilities.subgroups), (self.reals, abilities.doubles)] {
            source.push_str(choice.map_or("", |choice| choice[usize::from(able)]));
        }
        self.parts.iter().for_each(|part| source.push_str(part));
        source
    }

    /// Whether there is a form of it in `f64`.
    pub(crate) fn uses_doubles(&self) -> bool {
        self.reals.is_some_and(|[single, double]| single != double)
    }

    pub(crate) fn storage_buffers(&self) -> u32 {
        self.bindings.iter().filter(|binding| **binding != Binding::Step).count() as u32
    }
}

/// The serial twin of a kernel, on the same buffers.
type Twin = fn(&Params, Step, &mut [Vec<u32>]);

/// A kernel.
#[derive(Debug)]
pub(crate) struct Stage {
    pub name: &'static str,
    pub module: &'static Module,
    twin: Twin,
}

impl Stage {
    /// Runs the serial twin on the contents of the kernel's buffers, and keeps the ledger as the kernel does. The status block is the
    /// last buffer.
    pub(crate) fn run_twin(&self, params: &Params, step: Step, units: std::ops::Range<u64>, buffers: &mut [Vec<u32>]) {
        (self.twin)(params, step, buffers);
        if let Some(word) = buffers.last_mut().and_then(|status| status.get_mut(word_of(self))) {
            *word = word.wrapping_add(signatures(units));
        }
    }
}

/// The place of a stage among all.
pub(crate) fn number_of(stage: &Stage) -> usize {
    ALL.iter().position(|other| std::ptr::eq(*other, stage)).unwrap_or_default()
}

/// The arithmetic of filters: always `f32`, or `f64` where there is that.
const SINGLE: Option<[&str; 2]> = Some(parts!["shared/f32.wgsl", "shared/f32.wgsl"]);
const DOUBLE: Option<[&str; 2]> = Some(parts!["shared/f32.wgsl", "shared/f64.wgsl"]);

macro_rules! module {
    ($constant:ident, $name:literal, [$($part:literal),*], ($lanes:expr, $reals:expr), $($binding:ident)*) => {
        static $constant: Module = Module {
            name: $name,
            parts: &parts![$($part),*],
            lanes: $lanes,
            reals: $reals,
            bindings: &[$(Binding::$binding),*],
        };
    };
}

module!(PATCH, "patch", ["patch.wgsl"], (None, None), Step Read Write Write Write);
module!(KEYS, "keys", ["keys.wgsl"], (None, None), Read Read Write Write Write);
module!(SORT, "sort", ["sort.wgsl"], (variants!["scan", "match"], None), Step Read Read Write Write Write Write);
module!(REKEY, "rekey", ["rekey.wgsl"], (None, None), Step Read Read Write Write);
module!(GATHER, "gather", ["shared/filters.wgsl", "shared/bounds.wgsl", "gather.wgsl"], (variants!["reduce"], SINGLE),
    Read Read Read Write Write Write Write Write);
module!(TRAITS, "traits", ["traits.wgsl"], (None, None), Read Read Write Write Write);
module!(TREE, "tree", ["shared/filters.wgsl", "shared/bounds.wgsl", "tree.wgsl"], (variants!["reduce"], SINGLE), Step Write Write);
module!(PAIRS, "pairs", ["pairs.wgsl"], (variants!["lanes"], None), Read Read Read Read Write Write Write Step);
module!(NARROW, "narrow", ["shared/filters.wgsl", "shared/verdicts.wgsl", "narrow.wgsl"], (None, SINGLE),
    Step Read Read Write Write Write Write);
module!(SETTLE, "settle", ["shared/filters.wgsl", "shared/verdicts.wgsl", "shared/exact.wgsl", "settle.wgsl"], (None, DOUBLE),
    Step Read Read Write Write Write Write);
module!(ROWS, "rows", ["rows.wgsl"], (variants!["scan"], None), Write Write Write Write);
module!(PLACE, "place", ["place.wgsl"], (None, None), Write Read Write Write);
module!(ORDER, "order", ["order.wgsl"], (None, None), Read Write Write);
module!(LONG, "long", ["long.wgsl"], (variants!["scan"], None), Step Read Read Write Write Write Write Write);
module!(NUMBER, "number", ["number.wgsl"], (None, None), Write Write);
module!(BUCKET, "bucket", ["bucket.wgsl"], (None, None), Read Read Write Write Read Write Write);
module!(CULL, "cull", ["shared/filters.wgsl", "cull.wgsl"], (None, SINGLE), Read Read Read Write Write);

macro_rules! stages {
    ($($constant:ident $name:literal $module:ident $twin:path;)*) => {
        $(pub(crate) static $constant: Stage = Stage { name: $name, module: &$module, twin: $twin };)*
        /// All stages.
        pub(crate) static ALL: &[&Stage] = &[$(&$constant),*];
    };
}

stages! {
    PATCH_RECORDS "patch_records" PATCH twin::patch::patch_records;
    MAKE_KEYS "keys" KEYS twin::keys::keys;
    SORT_COUNT "sort_count" SORT twin::sort::count;
    SORT_ADD "sort_add" SORT twin::sort::add;
    SORT_SCATTER "sort_scatter" SORT twin::sort::scatter;
    SORT_ROUGHLY "sort_roughly" SORT twin::sort::roughly;
    NEW_KEYS "rekey" REKEY twin::rekey::rekey;
    GATHER_BODIES "gather" GATHER twin::gather::gather;
    GATHER_TRAITS "traits_gather" TRAITS twin::traits::traits_gather;
    BUILD_TREE "tree" TREE twin::tree::tree;
    FIND_PAIRS "pairs" PAIRS twin::pairs::pairs;
    REST "rest" PAIRS twin::pairs::rest;
    ALL_PAIRS "brute" PAIRS twin::pairs::pairs;
    SPHERE_SPHERE "sphere_sphere_pairs" NARROW twin::narrow::sphere_sphere;
    SPHERE_AABB "sphere_aabb_pairs" NARROW twin::narrow::sphere_aabb;
    SPHERE_OBB "sphere_obb_pairs" NARROW twin::narrow::sphere_obb;
    AABB_AABB "aabb_aabb_pairs" NARROW twin::narrow::aabb_aabb;
    AABB_OBB "aabb_obb_pairs" NARROW twin::narrow::aabb_obb;
    OBB_OBB "obb_obb_pairs" NARROW twin::narrow::obb_obb;
    ACCEPT "accept" NARROW twin::narrow::accept;
    SETTLE_AABB_OBB "settle_aabb_obb" SETTLE twin::settle::settle_aabb_obb;
    SETTLE_OBB_OBB "settle_obb_obb" SETTLE twin::settle::settle_obb_obb;
    ROWS_SUM "rows_sum" ROWS twin::rows::sum;
    ROWS_OFFSET "rows_offset" ROWS twin::rows::offset;
    PLACE_HITS "place" PLACE twin::place::place;
    ORDER_ROWS "order_rows" ORDER twin::order::order_rows;
    ORDER_FULL_ROWS "order_full_rows" ORDER twin::order::order_rows;
    LONG_LIST "long_list" LONG twin::long::list;
    LONG_COLLECT "long_collect" LONG twin::long::collect;
    LONG_SPREAD "long_spread" LONG twin::long::spread;
    NUMBER_BODIES "number" NUMBER twin::number::number;
    FILL_BUCKETS "bucket" BUCKET twin::bucket::bucket;
    EMPTY_BUCKETS "unbucket" BUCKET twin::bucket::unbucket;
    CULL_BODIES "cull" CULL twin::cull::cull;
}

/// The stage that decides the candidates of each bucket.
pub(crate) static NARROW_STAGES: [&Stage; 6] =
    [&SPHERE_SPHERE, &SPHERE_AABB, &SPHERE_OBB, &AABB_AABB, &AABB_OBB, &OBB_OBB];

/// The stage that settles what that left open, of kinds that can be settled.
pub(crate) static SETTLE_STAGES: [Option<&Stage>; 6] =
    [None, None, None, None, Some(&SETTLE_AABB_OBB), Some(&SETTLE_OBB_OBB)];
