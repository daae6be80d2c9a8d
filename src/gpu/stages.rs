//! The stages: one line each. A stage is a kernel (`shaders/`), its serial twin (`twin/`) and a parity test, of one name.

use super::params::{Params, Step};
use super::twin;

macro_rules! parts {
    ($($part:literal),*) => { [$(include_str!(concat!("../../shaders/", $part))),*] };
}

/// How a kernel sees a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// The uniform [`Step`].
    Step,
    Read,
    Write,
}

/// A file of kernels with the bindings that they share; binding 0 is always [`Params`].
#[derive(Debug)]
pub(crate) struct Module {
    pub name: &'static str,
    /// The parts of the source.
    pub parts: &'static [&'static str],
    /// A part for threads that act together: one for every device, and one for those whose subgroups have 32 threads.
    pub lanes: Option<[&'static str; 2]>,
    pub bindings: &'static [Binding],
}

impl Module {
    /// The source for a device whose subgroups have 32 threads, or for any.
    pub(crate) fn source(&self, subgroups: bool) -> String {
        let [params] = parts!["shared/params.wgsl"];
        let mut source = params.to_owned();
        if let Some(lanes) = self.lanes {
            source.push_str(lanes[usize::from(subgroups)]);
        }
        self.parts.iter().for_each(|part| source.push_str(part));
        source
    }

    pub(crate) fn storage_buffers(&self) -> u32 {
        self.bindings.iter().filter(|binding| **binding != Binding::Step).count() as u32
    }
}

/// The serial twin of a kernel, on the same buffers.
pub(crate) type Twin = fn(&Params, Step, &mut [Vec<u32>]);

/// A kernel.
#[derive(Debug)]
pub(crate) struct Stage {
    pub name: &'static str,
    pub module: &'static Module,
    pub twin: Twin,
}

macro_rules! module {
    ($constant:ident, $name:literal, [$($part:literal),*], $($binding:ident)*) => {
        module!($constant, $name, [$($part),*], None, $($binding)*);
    };
    ($constant:ident, $name:literal, [$($part:literal),*], $lanes:expr, $($binding:ident)*) => {
        static $constant: Module = Module {
            name: $name,
            parts: &parts![$($part),*],
            lanes: $lanes,
            bindings: &[$(Binding::$binding),*],
        };
    };
}

module!(KEYS, "keys", ["keys.wgsl"], Read Read Write Write Write);
module!(SORT, "sort", ["shared/scan.wgsl", "sort.wgsl"],
    Some(parts!["shared/match.wgsl", "shared/match_subgroups.wgsl"]), Step Read Read Write Write Write);
module!(REKEY, "rekey", ["rekey.wgsl"], Step Read Read Write);
module!(GATHER, "gather", ["shared/filters.wgsl", "shared/bounds.wgsl", "shared/reduce.wgsl", "gather.wgsl"],
    Read Read Read Read Write Write Write Write);
module!(TRAITS, "traits", ["traits.wgsl"], Read Read Write Write);
module!(TREE, "tree", ["shared/filters.wgsl", "shared/bounds.wgsl", "shared/reduce.wgsl", "tree.wgsl"], Step Write);
module!(PAIRS, "pairs", ["pairs.wgsl"],
    Some(parts!["shared/lanes.wgsl", "shared/lanes_subgroups.wgsl"]), Read Read Read Read Write Write);
module!(NARROW, "narrow", ["shared/filters.wgsl", "narrow.wgsl"], Step Read Read Read Write Write Write);
module!(ROWS, "rows", ["shared/scan.wgsl", "rows.wgsl"], Write Write);
module!(PLACE, "place", ["place.wgsl"], Read Read Write Write Write);
module!(SPREAD, "spread", ["spread.wgsl"], Read Write Write);
module!(BUCKET, "bucket", ["bucket.wgsl"], Read Read Write Write Write Read Write);
module!(CULL, "cull", ["shared/filters.wgsl", "cull.wgsl"], Read Read Read Write);

macro_rules! stages {
    ($($constant:ident $name:literal $module:ident $twin:path;)*) => {
        $(pub(crate) static $constant: Stage = Stage { name: $name, module: &$module, twin: $twin };)*
        /// All stages.
        pub(crate) static ALL: &[&Stage] = &[$(&$constant),*];
    };
}

stages! {
    MAKE_KEYS "keys" KEYS twin::keys::keys;
    SORT_COUNT "sort_count" SORT twin::sort::count;
    SORT_ADD "sort_add" SORT twin::sort::add;
    SORT_SCATTER "sort_scatter" SORT twin::sort::scatter;
    NEW_KEYS "rekey" REKEY twin::rekey::rekey;
    GATHER_BODIES "gather" GATHER twin::gather::gather;
    GATHER_TRAITS "traits_gather" TRAITS twin::traits::traits_gather;
    BUILD_TREE "tree" TREE twin::tree::tree;
    FIND_PAIRS "pairs" PAIRS twin::pairs::pairs;
    ALL_PAIRS "brute" PAIRS twin::pairs::pairs;
    SPHERE_SPHERE "sphere_sphere_pairs" NARROW twin::narrow::sphere_sphere;
    SPHERE_AABB "sphere_aabb_pairs" NARROW twin::narrow::sphere_aabb;
    SPHERE_OBB "sphere_obb_pairs" NARROW twin::narrow::sphere_obb;
    AABB_AABB "aabb_aabb_pairs" NARROW twin::narrow::aabb_aabb;
    AABB_OBB "aabb_obb_pairs" NARROW twin::narrow::aabb_obb;
    OBB_OBB "obb_obb_pairs" NARROW twin::narrow::obb_obb;
    ACCEPT "accept" NARROW twin::narrow::accept;
    ROWS_SUM "rows_sum" ROWS twin::rows::sum;
    ROWS_ADD "rows_add" ROWS twin::rows::add;
    ROWS_OFFSET "rows_offset" ROWS twin::rows::offset;
    PLACE_HITS "place" PLACE twin::place::place;
    RANK_HITS "rank" PLACE twin::place::rank;
    NUMBER_HITS "number_hits" SPREAD twin::spread::number_hits;
    COLLECT_HITS "collect_hits" SPREAD twin::spread::collect_hits;
    FILL_BUCKETS "bucket" BUCKET twin::bucket::bucket;
    EMPTY_BUCKETS "unbucket" BUCKET twin::bucket::unbucket;
    CULL_BODIES "cull" CULL twin::cull::cull;
}

/// The stage that decides the candidates of each bucket.
pub(crate) static NARROW_STAGES: [&Stage; 6] =
    [&SPHERE_SPHERE, &SPHERE_AABB, &SPHERE_OBB, &AABB_AABB, &AABB_OBB, &OBB_OBB];
