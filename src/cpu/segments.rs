//! Segments of the sorted order: runs of bodies of one world and one size class.

use std::ops::Range;

use crate::parallel::Pool;

/// A maximal run of sorted positions of one world and one size class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub bodies: Range<usize>,
    pub world: u32,
    pub class: u32,
}

/// Bodies per task.
const CHUNK: usize = 1 << 14;

/// The segments of `n` sorted bodies, from the (world, class) of each.
pub(super) fn segments(pool: &Pool, n: usize, key: impl Fn(usize) -> (u32, u32) + Send + Sync) -> Vec<Segment> {
    let parts = pool.map_chunks(n, CHUNK, |range| {
        let single = |i: usize| {
            let (world, class) = key(i);
            Segment { bodies: i..i + 1, world, class }
        };
        join(range.map(single))
    });
    join(parts.into_iter().flatten())
}

/// Merges consecutive runs of one world and one class, which tasks have cut.
fn join(runs: impl Iterator<Item = Segment>) -> Vec<Segment> {
    let mut found: Vec<Segment> = Vec::new();
    for run in runs {
        match found.last_mut() {
            Some(last) if (last.world, last.class) == (run.world, run.class) => last.bodies.end = run.bodies.end,
            _ => found.push(run),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_on_from_task_to_task() {
        let pool = Pool::new(Some(3)).expect("a pool");
        for n in [0, 1, CHUNK, CHUNK + 1, 5 * CHUNK + 7] {
            let key = |i: usize| ((i / (2 * CHUNK)) as u32, u32::from(i >= n - n / 3));
            let found = segments(&pool, n, key);
            assert_eq!(found.iter().map(|run| run.bodies.len()).sum::<usize>(), n);
            assert!(found.windows(2).all(|two| two[0].bodies.end == two[1].bodies.start));
            assert!(found.windows(2).all(|two| (two[0].world, two[0].class) != (two[1].world, two[1].class)));
            assert!(found.iter().all(|run| run.bodies.clone().all(|i| key(i) == (run.world, run.class))));
        }
    }
}
