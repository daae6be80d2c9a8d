//! The broad phase: from slots and tree to candidate pairs.

use crate::gpu::abi::{ABSENT, BUCKETS, KINDS, LEVELS, ORDERED, WIDTH, bucket_of, find_pairs};
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// The most nodes of the highest level of the tree: a search tests all of them, 32 at a time.
const MOST_TOP_NODES: u32 = 4 * WIDTH;

/// The number of nodes on each level of the tree over this many clusters, which are level 0.
pub(crate) fn levels(clusters: u32) -> [u32; LEVELS + 1] {
    let mut counts = [clusters; LEVELS + 1];
    for level in 1..=LEVELS {
        counts[level] = counts[level - 1].div_ceil(WIDTH);
    }
    counts
}

/// The highest level that is built, whose nodes every search tests: the first one with at most `MOST_TOP_NODES`.
pub(super) fn top(counts: &[u32; LEVELS + 1]) -> usize {
    (1..LEVELS).find(|level| counts[*level] <= MOST_TOP_NODES).unwrap_or(LEVELS)
}

impl Memory {
    /// The flags of a search and of the narrow phase after it.
    pub(super) fn search_flags(query: &Search) -> u32 {
        Self::flags(&query.facts) | if query.between { 0 } else { ORDERED }
    }

    /// Records the broad phase for these searching clusters.
    pub(crate) fn find_candidates<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        query: &Search,
        (first_cluster, end_cluster): (u32, u32),
    ) {
        let counts = levels(self.slots_of(0).clusters());
        let mut level_first = [0; LEVELS + 1];
        for level in 1..=LEVELS {
            level_first[level] = level_first[level - 1] + counts[level - 1];
        }
        let [bucket_first, bucket_size] = self.buckets();
        let mut params = find_pairs::Params {
            level_first,
            level_count: counts,
            bucket_first,
            bucket_size,
            flags: Self::search_flags(query),
            first_cluster,
            end_cluster,
            exclusions: if query.between { 0 } else { self.sets[0].excluded },
            only_bucket: ABSENT,
            unfinished_room: self.capacity.unfinished,
            iteration_limit: self.iteration_limit,
            top: top(&counts) as u32,
            first_unfinished: 0,
            end_unfinished: 0,
        };
        // If all candidates fall into one bucket of equal kinds, kernels need neither the bucket nor the order of a pair.
        let mut possible = (0..BUCKETS as u32).filter(|k| query.possible[*k as usize]);
        if let (Some(only), None) = (possible.next(), possible.next())
            && (0..KINDS as u32).any(|kind| bucket_of(kind, kind) == only)
        {
            params.only_bucket = only;
        }
        let has_traits = query.facts.has_filters || query.facts.varying != 0;
        let buffers = find_pairs::Buffers {
            slot_bounds: &self.slot_bounds,
            nodes: &self.nodes,
            slot_traits: if has_traits { &self.slot_traits } else { &self.unused[0] },
            exclusions: if params.exclusions > 0 { &self.sets[0].exclusions } else { &self.unused[0] },
            candidates: &self.candidates,
            unfinished: &self.unfinished,
            status: &self.status,
        };
        let groups = u64::from((end_cluster - first_cluster).div_ceil(query.warps));
        let units = first_cluster.into()..end_cluster.into();
        if self.is_brute() {
            recording.run_units(&stages::ALL_PAIRS, groups, units, &params, &buffers);
            return;
        }
        recording.run_units(&stages::FIND_PAIRS, groups, units, &params, &buffers);
        // One warp for each pair of a node of level 1 and a search that was cut short, in as many dispatches as it takes.
        let nodes = u64::from(counts[1]);
        let at_once = (self.max_workgroups * u64::from(query.warps) / nodes).clamp(1, u64::from(u32::MAX)) as usize;
        for first in (0..self.capacity.unfinished).step_by(at_once) {
            let end = self.capacity.unfinished.min(first.saturating_add(at_once as u32));
            let units = u64::from(end - first) * nodes;
            let groups = units.div_ceil(query.warps.into());
            let params = find_pairs::Params { first_unfinished: first, end_unfinished: end, ..params };
            recording.run_units(&stages::RESUME_SEARCH, groups, 0..units, &params, &buffers);
        }
    }
}
