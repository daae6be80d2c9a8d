//! Comparison of a kernel with its twin: integers are equal, and floats satisfy the guarantees of the kernel.

#![allow(
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    reason = "all comparisons have one signature"
)]

mod narrow;
mod prepare;
mod rays;
mod rows;
mod search;

use std::ops::Range;

use super::super::abi::{KernelModule, STATUS_GATHERED};
use super::super::stages::{self, Kernel, Stage};

/// The buffers of a dispatch before the kernel, after it, and after its twin.
struct Compared<'a, M: KernelModule> {
    before: M::View<'a>,
    after: M::View<'a>,
    twin: M::View<'a>,
}

/// How a kernel and its twin are compared.
enum Parity {
    /// All words are equal.
    Equal,
    /// By a check of the kernel's guarantees, from the bytes of the params and the buffers before, after, and after the twin.
    Promised(fn(&[u8], [&mut [Vec<u32>]; 3])),
}

fn promised<M: KernelModule>(
    _: &Kernel<M>,
    params: &[u8],
    [before, after, twin]: [&mut [Vec<u32>]; 3],
    compare: fn(&M::Params, Compared<'_, M>),
) {
    let compared = Compared { before: M::view(before), after: M::view(after), twin: M::view(twin) };
    compare(&bytemuck::pod_read_unaligned(params), compared);
}

macro_rules! parity {
    ($($stage:ident $(by $compare:path)?;)*) => {
        /// How a stage is compared with its twin.
        fn parity_of(stage: &Stage) -> Option<Parity> {
            $(if std::ptr::eq(stage, &raw const *stages::$stage) {
                return Some(parity!(one $stage $($compare)?));
            })*
            None
        }
    };
    (one $stage:ident) => { Parity::Equal };
    (one $stage:ident $compare:path) => {
        Parity::Promised(|params, buffers| promised(&stages::$stage, params, buffers, $compare))
    };
}

parity! {
    PATCH_RECORDS;
    IMPORT_BODIES;
    MEASURE_GRID by prepare::measure_grid;
    CURVE_KEYS by prepare::curve_keys;
    SORT_COUNT;
    SORT_ADD;
    SORT_SCATTER;
    SORT_SCATTER_UNSTABLE by prepare::sort_scatter_unstable;
    WORLD_KEYS;
    GATHER by prepare::gather;
    GATHER_TRAITS;
    GROW_BOUNDS by prepare::grow_bounds;
    BUILD_TREE by prepare::build_tree;
    FIND_PAIRS by search::find_pairs;
    RESUME_SEARCH by search::find_pairs;
    ALL_PAIRS by search::find_pairs;
    SPHERE_SPHERE_PAIRS by narrow::verdicts;
    SPHERE_AABB_PAIRS by narrow::verdicts;
    SPHERE_OBB_PAIRS by narrow::verdicts;
    AABB_AABB_PAIRS by narrow::verdicts;
    AABB_OBB_PAIRS by narrow::verdicts;
    OBB_OBB_PAIRS by narrow::verdicts;
    ACCEPT_PAIRS by narrow::accepted;
    NEAR_AABB_OBB_PAIRS by narrow::near_filter;
    NEAR_OBB_OBB_PAIRS by narrow::near_filter;
    NEAR_PAIRS by narrow::near;
    NEAR_OPEN by narrow::near;
    HULL_PAIRS by narrow::hulls;
    OPEN_HULL_PAIRS by narrow::open_hulls;
    MOVING_PAIRS by narrow::moving;
    SETTLE_SPHERE_SPHERE by narrow::settled;
    SETTLE_SPHERE_AABB by narrow::settled;
    SETTLE_SPHERE_OBB by narrow::settled;
    SETTLE_AABB_OBB by narrow::settled;
    SETTLE_OBB_OBB by narrow::settled;
    ROW_OFFSETS_SUM;
    ROW_OFFSETS;
    SCATTER_HITS by rows::scatter_hits;
    SORT_ROWS;
    SORT_FULL_ROWS;
    LONG_ROWS_LIST;
    LONG_ROWS_COLLECT;
    LONG_ROWS_SPREAD;
    IDENTITY_ORDER;
    BUCKET_PAIRS by search::bucket_pairs;
    RETURN_VERDICTS;
    CULL by search::cull;
    FRAMES;
    LIST_PAIRS;
    CONTACTS;
    APPROACHES;
    CLEARANCES;
    HULL_WAYS;
    HULL_DIRECTIONS;
    HULL_CONTACTS;
    HULL_FEET;
    HULL_CLEARANCES;
    SWEEPS;
    SWEEPS_REST;
    HULL_SWEEPS;
    SUMMARIZE;
    LIST_UNDECIDED by rows::list_undecided;
    COUNT_UNDECIDED;
    SUMMARIZE_LIST;
    MARK_OPEN_RAYS;
    PUBLISH_HITS;
    RAY_KEYS by rays::ray_keys;
    RAY_SPLIT by rays::ray_split;
    RAY_NODES by rays::ray_nodes;
    REACH_NEAREST by rays::reach_nearest;
    LIST_NEAREST by rays::list_nearest;
    CAST_BUNDLES by rays::cast_bundles;
    CAST_RAYS by rays::cast_rays;
    HULL_HITS;
    TIME_HITS;
    PICK_HITS by rays::pick_hits;
}

#[test]
fn every_stage_is_compared_with_its_twin() {
    for stage in stages::ALL {
        assert!(parity_of(stage).is_some(), "{}", stage.name);
    }
}

/// Modules whose twins may decide pairs that the kernel leaves open, so that their ledgers may differ.
const OPEN_ENDED: [&str; 3] = ["narrow", "settle", "hulls"];

/// Compares the buffers that a kernel leaves with those that its twin leaves.
pub(crate) fn compare(stage: &Stage, params: &[u8], units: Range<u64>, [mut before, mut after]: [Vec<Vec<u32>>; 2]) {
    let mut twin = before.clone();
    stage.run_twin(params, units, &mut twin);
    if !(OPEN_ENDED.contains(&stage.module.name) || stage.name == stages::FIND_PAIRS.name) {
        let status = [&after, &twin].map(|buffers| &buffers[buffers.len() - 1][STATUS_GATHERED..]);
        assert_eq!(status[0], status[1], "{}: the ledger", stage.name);
    }
    // Buffers that the kernel may only read are unchanged.
    for (info, (a, b)) in stage.module.buffers.iter().zip(after.iter().zip(&before)) {
        assert!(info.writes || a == b, "{}: {} is read only", stage.name, info.name);
    }
    match parity_of(stage).expect("every stage is compared") {
        Parity::Equal => {
            for (info, (a, b)) in stage.module.buffers.iter().zip(after.iter().zip(&twin)) {
                let at = a.iter().zip(b).position(|(a, b)| a != b);
                assert!(a == b, "{}: {} differs from word {at:?} on", stage.name, info.name);
            }
        }
        Parity::Promised(compare) => compare(params, [&mut before, &mut after, &mut twin]),
    }
}
