//! From slots and tree to candidates.

use crate::gpu::buffer::GrowBuffer;
use crate::gpu::params::{BUCKETS, LEVELS, ORDERED, Params, WIDTH, bucket_of};
use crate::gpu::runner::Recording;
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};

/// A level of the tree with so few nodes has none above it.
const MOST_TOP_NODES: u32 = 4 * WIDTH;

/// How many nodes each level of the tree over some clusters has; the clusters themselves are the first.
pub(crate) fn levels(clusters: u32) -> [u32; LEVELS + 1] {
    let mut counts = [clusters; LEVELS + 1];
    for level in 1..=LEVELS {
        counts[level] = counts[level - 1].div_ceil(WIDTH);
    }
    counts
}

/// The highest level that is built: the first with few nodes. Searches begin with all of its nodes.
pub(super) fn top(counts: &[u32; LEVELS + 1]) -> usize {
    (1..LEVELS).find(|level| counts[*level] <= MOST_TOP_NODES).unwrap_or(LEVELS)
}

impl Memory {
    /// From slots and tree to candidates.
    pub(crate) fn find_candidates<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        query: &Search,
        (own_first, own_end): (u32, u32),
    ) {
        let counts = levels(self.place(0).clusters());
        let mut level_first = [0; LEVELS + 1];
        for level in 1..=LEVELS {
            level_first[level] = level_first[level - 1] + counts[level - 1];
        }
        let mut params = Params {
            flags: Self::flags(&query.facts) | if query.between { 0 } else { ORDERED },
            own_first,
            own_end,
            level_first,
            level_count: counts,
            rows: query.rows,
            exclusions: if query.between { 0 } else { self.sets[0].excluded },
            unfinished: self.learned.unfinished,
            work: self.work,
            top: top(&counts) as u32,
            ..self.bucket_params()
        };
        // Candidates of one bucket need not be sorted into it; if it is of one kind, neither need their bodies.
        let mut possible = (0..BUCKETS as u32).filter(|k| query.possible[*k as usize]);
        if let (Some(only), None) = (possible.next(), possible.next())
            && (0..3).any(|kind| bucket_of(kind, kind) == only)
        {
            params.only_bucket = only;
        }
        recording.params(&params);
        let traits = if query.facts.choosy || query.facts.varying != 0 { &self.traits } else { &self.nothing[0] };
        let exclusions = if params.exclusions > 0 { &self.sets[0].exclusions } else { &self.nothing[0] };
        let buffers = [&self.boxes, &self.nodes, traits, exclusions, &self.candidates, &self.unfinished, &self.status]
            .map(GrowBuffer::buffer);
        let (groups, units) =
            (u64::from((own_end - own_first).div_ceil(query.teams)), own_first.into()..own_end.into());
        if self.is_brute() {
            recording.run_units(&stages::ALL_PAIRS, [0; 4], groups, units, &buffers);
            return;
        }
        recording.run_units(&stages::FIND_PAIRS, [0; 4], groups, units, &buffers);
        // A group of threads for each node of level 1 and each search that was cut short: in as many dispatches as it takes.
        let nodes = u64::from(counts[1]);
        let at_once = (self.most_groups * u64::from(query.teams) / nodes).clamp(1, u64::from(u32::MAX)) as usize;
        for first in (0..self.learned.unfinished).step_by(at_once) {
            let end = self.learned.unfinished.min(first.saturating_add(at_once as u32));
            let units = u64::from(end - first) * nodes;
            let groups = units.div_ceil(query.teams.into());
            recording.run_units(&stages::REST, [first, end, 0, 0], groups, 0..units, &buffers);
        }
    }
}
