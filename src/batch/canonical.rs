//! Hits in the order they were found, to rows sorted by id.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::clock::Clock;
use crate::cpu::CpuHits;
use crate::parallel::Pool;
use crate::{Overlaps, Relation};

/// Bodies whose rows are sorted in one go.
const ROWS: usize = 1024;

/// Writes the hits to `out`, with counts of candidates and undecided pairs.
pub(super) fn write_rows(pool: &Pool, rows: usize, parts: Vec<CpuHits>, out: &mut Overlaps, clock: &mut Clock) {
    out.stats.candidates = parts.iter().map(|part| part.candidates).sum();
    out.stats.undecided = parts.iter().map(|part| part.undecided).sum();
    canonical(pool, rows, parts, out);
    clock.lap("canonical");
}

/// Writes the hits to `out`, sorted by a and then by b: count the rows, add up, scatter, sort each row.
///
/// Threads scatter through atomics, in any order; sorting the rows makes the result the same for all of them.
fn canonical(pool: &Pool, rows: usize, parts: Vec<CpuHits>, out: &mut Overlaps) {
    let counts = pool.collect(rows, |_| AtomicU32::new(0));
    pool.map_chunks(parts.len(), 1, |range| {
        for ([a, _], _) in parts[range].iter().flat_map(CpuHits::hits) {
            counts[a as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    out.offsets.clear();
    out.offsets.reserve(rows + 1);
    out.offsets.push(0);
    let mut total = 0_usize;
    for count in &counts {
        total += count.load(Ordering::Relaxed) as usize;
        out.offsets.push(total);
    }
    // From here on a count is how many of the row's places are still free.
    let mut partners = pool.collect(total, |_| AtomicU64::new(0));
    let offsets = &out.offsets;
    pool.map_chunks(parts.len(), 1, |range| {
        for ([a, b], relation) in parts[range].iter().flat_map(CpuHits::hits) {
            let a = a as usize;
            let place = offsets[a] + counts[a].fetch_sub(1, Ordering::Relaxed) as usize - 1;
            partners[place].store(u64::from(b) << 8 | relation as u64, Ordering::Relaxed);
        }
    });
    drop((parts, counts));
    out.make_room(total, rows + 1);
    let offsets = &out.offsets;
    // Cut all three arrays at the same rows.
    let mut pieces = Vec::with_capacity(rows.div_ceil(ROWS));
    let (mut packed, mut pairs, mut relations) = (&mut partners[..], &mut out.pairs[..], &mut out.relations[..]);
    for first in (0..rows).step_by(ROWS) {
        let end = (first + ROWS).min(rows);
        let len = offsets[end] - offsets[first];
        let (here, rest) = packed.split_at_mut(len);
        packed = rest;
        let (pairs_here, rest) = pairs.split_at_mut(len);
        pairs = rest;
        let (relations_here, rest) = relations.split_at_mut(len);
        relations = rest;
        pieces.push((first..end, here, pairs_here, relations_here));
    }
    pool.for_each(pieces, |(rows, packed, pairs, relations)| {
        let start = offsets[rows.start];
        for a in rows {
            let row = offsets[a] - start..offsets[a + 1] - start;
            packed[row.clone()].sort_unstable_by_key(|partner| partner.load(Ordering::Relaxed));
            for k in row {
                let partner = *packed[k].get_mut();
                pairs[k] = [a as u32, (partner >> 8) as u32];
                relations[k] = if partner & 0xff == Relation::Overlapping as u64 {
                    Relation::Overlapping
                } else {
                    Relation::Touching
                };
            }
        }
    });
}
