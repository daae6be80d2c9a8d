//! The table of stages. A stage is a kernel (`shaders/`), its serial twin (`twin/`) and a parity test, all of one name. Its
//! uniform and its buffers are declared with its module (`abi/`).

use std::marker::PhantomData;
use std::ops::{Deref, Range};

use super::abi::{self, BUCKETS, KernelModule, Module};
use super::ledger::{signatures, word_of};
use super::twin;

/// A kernel, its module, and its serial twin.
#[derive(Debug)]
pub(crate) struct Stage {
    pub name: &'static str,
    pub module: &'static Module,
    /// Its place in the table.
    index: usize,
    /// The twin, as a function of the bytes of the params and the contents of all buffers.
    twin: fn(&[u8], &mut [Vec<u32>]),
}

impl Stage {
    /// Runs the serial twin on the contents of the kernel's buffers, and signs for these units in the ledger.
    pub(crate) fn run_twin(&self, params: &[u8], units: Range<u64>, buffers: &mut [Vec<u32>]) {
        (self.twin)(params, buffers);
        let word = buffers.last_mut().map(|status| &mut status[word_of(self)]).expect("the status block comes last");
        *word = word.wrapping_add(signatures(units));
    }
}

/// A stage that accepts only the params and the buffers of its own module.
pub(crate) struct Kernel<M> {
    stage: Stage,
    module: PhantomData<fn() -> M>,
}

impl<M> Deref for Kernel<M> {
    type Target = Stage;

    fn deref(&self) -> &Stage {
        &self.stage
    }
}

/// Runs a twin on a typed view of untyped buffers.
fn run_twin<M: KernelModule>(params: &[u8], buffers: &mut [Vec<u32>], twin: fn(&M::Params, M::View<'_>)) {
    twin(&bytemuck::pod_read_unaligned(params), M::view(buffers));
}

/// The index of a stage in the table.
pub(crate) fn index_of(stage: &Stage) -> usize {
    stage.index
}

/// Bytes of the largest uniform of all stages.
pub(crate) fn largest_uniform() -> u64 {
    ALL.iter().map(|stage| stage.module.uniform_size()).max().unwrap_or_default()
}

/// The stage of this name.
pub(crate) fn find(name: &str) -> Option<&'static Stage> {
    ALL.iter().copied().find(|stage| stage.name == name)
}

macro_rules! stages {
    ($($constant:ident $name:literal $module:ident $twin:path;)*) => {
        /// The places of the stages in the table.
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "names of stages")]
        enum Place { $($constant),* }

        $(pub(crate) static $constant: Kernel<abi::$module::Kernels> = Kernel {
            stage: Stage {
                name: $name,
                module: &abi::$module::MODULE,
                index: Place::$constant as usize,
                twin: |params, buffers| run_twin::<abi::$module::Kernels>(params, buffers, $twin),
            },
            module: PhantomData,
        };)*
        /// All stages.
        pub(crate) static ALL: &[&Stage] = &[$(&$constant.stage),*];
        /// The number of stages.
        pub(crate) const COUNT: usize = [$($name),*].len();
    };
}

stages! {
    PATCH_RECORDS "patch_records" patch_records twin::patch_records::patch_records;
    IMPORT_BODIES "import_bodies" import_bodies twin::import_bodies::import_bodies;
    MEASURE_GRID "measure_grid" measure_grid twin::measure_grid::measure_grid;
    CURVE_KEYS "curve_keys" curve_keys twin::curve_keys::curve_keys;
    SORT_COUNT "sort_count" sort twin::sort::sort_count;
    SORT_ADD "sort_add" sort twin::sort::sort_add;
    SORT_SCATTER "sort_scatter" sort twin::sort::sort_scatter;
    SORT_SCATTER_UNSTABLE "sort_scatter_unstable" sort twin::sort::sort_scatter_unstable;
    WORLD_KEYS "world_keys" world_keys twin::world_keys::world_keys;
    GATHER "gather" gather twin::gather::gather;
    GATHER_TRAITS "gather_traits" gather_traits twin::gather_traits::gather_traits;
    GROW_BOUNDS "grow_bounds" grow_bounds twin::grow_bounds::grow_bounds;
    BUILD_TREE "build_tree" build_tree twin::build_tree::build_tree;
    FIND_PAIRS "find_pairs" find_pairs twin::find_pairs::find_pairs;
    RESUME_SEARCH "resume_search" find_pairs twin::find_pairs::resume_search;
    ALL_PAIRS "all_pairs" find_pairs twin::find_pairs::find_pairs;
    SPHERE_SPHERE_PAIRS "sphere_sphere_pairs" narrow twin::narrow::sphere_sphere_pairs;
    SPHERE_AABB_PAIRS "sphere_aabb_pairs" narrow twin::narrow::sphere_aabb_pairs;
    SPHERE_OBB_PAIRS "sphere_obb_pairs" narrow twin::narrow::sphere_obb_pairs;
    AABB_AABB_PAIRS "aabb_aabb_pairs" narrow twin::narrow::aabb_aabb_pairs;
    AABB_OBB_PAIRS "aabb_obb_pairs" narrow twin::narrow::aabb_obb_pairs;
    OBB_OBB_PAIRS "obb_obb_pairs" narrow twin::narrow::obb_obb_pairs;
    ACCEPT_PAIRS "accept_pairs" narrow twin::narrow::accept_pairs;
    NEAR_AABB_OBB_PAIRS "near_aabb_obb_pairs" narrow twin::narrow::near_aabb_obb_pairs;
    NEAR_OBB_OBB_PAIRS "near_obb_obb_pairs" narrow twin::narrow::near_obb_obb_pairs;
    NEAR_PAIRS "near_pairs" near twin::near::near_pairs;
    NEAR_OPEN "near_open" near twin::near::near_open;
    HULL_PAIRS "hull_pairs" hulls twin::hulls::hull_pairs;
    OPEN_HULL_PAIRS "open_hull_pairs" open_hulls twin::open_hulls::open_hull_pairs;
    MOVING_PAIRS "moving_pairs" moving twin::moving::moving_pairs;
    SETTLE_SPHERE_SPHERE "settle_sphere_sphere" settle twin::settle::settle_sphere_sphere;
    SETTLE_SPHERE_AABB "settle_sphere_aabb" settle twin::settle::settle_sphere_aabb;
    SETTLE_SPHERE_OBB "settle_sphere_obb" settle twin::settle::settle_sphere_obb;
    SETTLE_AABB_OBB "settle_aabb_obb" settle twin::settle::settle_aabb_obb;
    SETTLE_OBB_OBB "settle_obb_obb" settle twin::settle::settle_obb_obb;
    ROW_OFFSETS_SUM "row_offsets_sum" row_offsets twin::row_offsets::row_offsets_sum;
    ROW_OFFSETS "row_offsets" row_offsets twin::row_offsets::row_offsets;
    SCATTER_HITS "scatter_hits" scatter_hits twin::scatter_hits::scatter_hits;
    SORT_ROWS "sort_rows" sort_rows twin::sort_rows::sort_rows;
    SORT_FULL_ROWS "sort_full_rows" sort_rows twin::sort_rows::sort_rows;
    LONG_ROWS_LIST "long_rows_list" long_rows twin::long_rows::long_rows_list;
    LONG_ROWS_COLLECT "long_rows_collect" long_rows twin::long_rows::long_rows_collect;
    LONG_ROWS_SPREAD "long_rows_spread" long_rows twin::long_rows::long_rows_spread;
    IDENTITY_ORDER "identity_order" identity_order twin::identity_order::identity_order;
    BUCKET_PAIRS "bucket_pairs" bucket_pairs twin::bucket_pairs::bucket_pairs;
    RETURN_VERDICTS "return_verdicts" bucket_pairs twin::bucket_pairs::return_verdicts;
    CULL "cull" cull twin::cull::cull;
    FRAMES "frames" frames twin::frames::frames;
    LIST_PAIRS "list_pairs" list_pairs twin::list_pairs::list_pairs;
    CONTACTS "contacts" contacts twin::contacts::contacts;
    APPROACHES "approaches" approaches twin::approaches::approaches;
    HULL_WAYS "hull_ways" hull_ways twin::hull_ways::hull_ways;
    HULL_DIRECTIONS "hull_directions" hull_directions twin::hull_directions::hull_directions;
    HULL_CONTACTS "hull_contacts" hull_contacts twin::hull_contacts::hull_contacts;
    HULL_FEET "hull_feet" hull_feet twin::hull_feet::hull_feet;
    CLEARANCES "clearances" clearances twin::clearances::clearances;
    HULL_CLEARANCES "hull_clearances" hull_clearances twin::hull_clearances::hull_clearances;
    SWEEPS "sweeps" sweeps twin::sweeps::sweeps;
    SWEEPS_REST "sweeps_rest" sweeps twin::sweeps::sweeps_rest;
    HULL_SWEEPS "hull_sweeps" hull_sweeps twin::hull_sweeps::hull_sweeps;
    SUMMARIZE "summarize" summarize twin::summarize::summarize;
    LIST_UNDECIDED "list_undecided" list_undecided twin::list_undecided::list_undecided;
    COUNT_UNDECIDED "count_undecided" summarize_list twin::summarize_list::count_undecided;
    SUMMARIZE_LIST "summarize_list" summarize_list twin::summarize_list::summarize_list;
    MARK_OPEN_RAYS "mark_open_rays" publish_hits twin::publish_hits::mark_open_rays;
    PUBLISH_HITS "publish_hits" publish_hits twin::publish_hits::publish_hits;
    RAY_KEYS "ray_keys" ray_keys twin::ray_keys::ray_keys;
    RAY_SPLIT "ray_split" ray_tree twin::ray_tree::ray_split;
    RAY_NODES "ray_nodes" ray_tree twin::ray_tree::ray_nodes;
    REACH_NEAREST "reach_nearest" reach_nearest twin::reach_nearest::reach_nearest;
    LIST_NEAREST "list_nearest" list_nearest twin::list_nearest::list_nearest;
    CAST_BUNDLES "cast_bundles" cast_bundles twin::cast_bundles::cast_bundles;
    CAST_RAYS "cast_rays" cast_rays twin::cast_rays::cast_rays;
    HULL_HITS "hull_hits" hull_hits twin::hull_hits::hull_hits;
    TIME_HITS "time_hits" time_hits twin::time_hits::time_hits;
    PICK_HITS "pick_hits" pick_hits twin::pick_hits::pick_hits;
}

/// The kernels of one pair of kinds. They are expanded from templates in `narrow.wgsl` and `settle.wgsl`, which call the
/// functions `<pair>_verdict` and `settle_<pair>_verdict`.
pub(crate) struct PairKernels {
    /// The names of both kinds, joined by an underscore.
    pub pair: &'static str,
    /// Decides the candidates of the pair's bucket; absent if that is for `near_pairs`, which takes all kinds.
    pub narrow: Option<&'static Kernel<abi::narrow::Kernels>>,
    /// Whether `narrow` leaves what it cannot decide for another kernel. If not, the host settles it.
    pub leaves_open: bool,
    /// Settles the candidates that `narrow` leaves open, unless another stage does.
    pub settle: Option<&'static Kernel<abi::settle::Kernels>>,
}

impl PairKernels {
    const fn new(
        pair: &'static str,
        narrow: &'static Kernel<abi::narrow::Kernels>,
        settle: Option<&'static Kernel<abi::settle::Kernels>>,
    ) -> Self {
        Self { pair, narrow: Some(narrow), leaves_open: settle.is_some(), settle }
    }

    const fn near(pair: &'static str) -> Self {
        Self { pair, narrow: None, leaves_open: false, settle: None }
    }
}

/// The kernels of each pair of kinds, by bucket.
pub(crate) static PAIRS: [PairKernels; BUCKETS] = [
    PairKernels::new("sphere_sphere", &SPHERE_SPHERE_PAIRS, Some(&SETTLE_SPHERE_SPHERE)),
    PairKernels::new("sphere_aabb", &SPHERE_AABB_PAIRS, Some(&SETTLE_SPHERE_AABB)),
    PairKernels::new("sphere_obb", &SPHERE_OBB_PAIRS, Some(&SETTLE_SPHERE_OBB)),
    PairKernels::near("sphere_capsule"),
    PairKernels::near("sphere_plane"),
    PairKernels::near("sphere_convex_hull"),
    PairKernels::new("aabb_aabb", &AABB_AABB_PAIRS, None),
    PairKernels::new("aabb_obb", &AABB_OBB_PAIRS, Some(&SETTLE_AABB_OBB)),
    PairKernels::near("aabb_capsule"),
    PairKernels::near("aabb_plane"),
    PairKernels::near("aabb_convex_hull"),
    PairKernels::new("obb_obb", &OBB_OBB_PAIRS, Some(&SETTLE_OBB_OBB)),
    PairKernels::near("obb_capsule"),
    PairKernels::near("obb_plane"),
    PairKernels::near("obb_convex_hull"),
    PairKernels::near("capsule_capsule"),
    PairKernels::near("capsule_plane"),
    PairKernels::near("capsule_convex_hull"),
    PairKernels::near("plane_plane"),
    PairKernels::near("plane_convex_hull"),
    PairKernels::near("convex_hull_convex_hull"),
];

/// The kernels that report every candidate of any bucket as a hit.
pub(crate) static ACCEPT: PairKernels = PairKernels::new("accept", &ACCEPT_PAIRS, None);

/// The kernels of boxes that may be some way apart. What they leave open is for `near_open`; candidates of other kinds are for `near_pairs`.
pub(crate) static NEAR: [PairKernels; 2] = [
    PairKernels { leaves_open: true, ..PairKernels::new("near_aabb_obb", &NEAR_AABB_OBB_PAIRS, None) },
    PairKernels { leaves_open: true, ..PairKernels::new("near_obb_obb", &NEAR_OBB_OBB_PAIRS, None) },
];

/// The kernels that filter this bucket's candidates that may be some way apart, if there are any.
pub(crate) fn near_filter(bucket: usize) -> Option<&'static PairKernels> {
    NEAR.iter().find(|kernels| kernels.pair.strip_prefix("near_") == Some(PAIRS[bucket].pair))
}

/// Whether one of these buckets has candidates that are decided by the frames of bodies.
pub(crate) fn need_frames(possible: &[bool; BUCKETS]) -> bool {
    let by_frames = |bucket: usize| PAIRS[bucket].narrow.is_none() && !is_of_hulls(bucket);
    possible.iter().enumerate().any(|(bucket, possible)| *possible && by_frames(bucket))
}

/// Whether this bucket has candidates that stages for hulls decide.
pub(crate) fn is_of_hulls(bucket: usize) -> bool {
    PAIRS[bucket].pair.ends_with("_convex_hull")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::kinds::{Kind, bucket_of};

    #[test]
    fn every_pair_of_kinds_has_the_kernels_of_its_name() {
        for (a, b) in Kind::ALL.into_iter().flat_map(|a| Kind::ALL.map(|b| (a, b))).filter(|(a, b)| a <= b) {
            let PairKernels { pair, narrow, settle, .. } = &PAIRS[bucket_of(a as u32, b as u32) as usize];
            assert_eq!(*pair, format!("{}_{}", a.name(), b.name()));
            assert!(narrow.is_none_or(|narrow| narrow.name == format!("{pair}_pairs")), "{pair}");
            assert!(settle.is_none_or(|settle| settle.name == format!("settle_{pair}")), "{pair}");
        }
    }

    #[test]
    fn names_are_found() {
        assert!(ALL.iter().all(|stage| find(stage.name).is_some_and(|found| std::ptr::eq(found, *stage))));
        assert!(find("rank").is_none());
    }
}
