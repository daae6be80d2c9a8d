//! Hits in the order they were found, to rows sorted by id.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::clock::Clock;
use crate::cpu::CpuHits;
use crate::parallel::Pool;
use crate::relation::MARK_TOUCHING;
use crate::{Error, Overlaps, Relation, Result};

/// Bodies whose rows are sorted in one go.
const ROWS: usize = 1024;

/// Writes the hits to `out`, with counts of candidates and undecided pairs.
pub(super) fn write_rows(
    pool: &Pool,
    rows: Range<usize>,
    parts: Vec<CpuHits>,
    out: &mut Overlaps,
    clock: &mut Clock,
) -> Result<()> {
    out.stats.candidates = parts.iter().map(|part| part.candidates).sum();
    out.stats.undecided = parts.iter().map(|part| part.undecided).sum();
    canonical(pool, rows, parts, out)?;
    clock.lap("canonical");
    Ok(())
}

/// Writes the hits to `out`, sorted by a and then by b: count the rows, add up, scatter, sort each row. Rows before those of `rows` are
/// empty.
///
/// Threads scatter through atomics, in any order; sorting the rows makes the result the same for all of them.
fn canonical(pool: &Pool, rows: Range<usize>, parts: Vec<CpuHits>, out: &mut Overlaps) -> Result<()> {
    let total: u64 = parts.iter().map(|part| part.len() as u64).sum();
    if total > u64::from(u32::MAX) {
        return Err(Error::TooManyPairs { pairs: total, limit: u64::from(u32::MAX) });
    }
    let (first_row, counts) = (rows.start, pool.collect(rows.len(), |_| AtomicU32::new(0)));
    pool.map_chunks(parts.len(), 1, |range| {
        for ([a, _], _) in parts[range].iter().flat_map(CpuHits::hits) {
            counts[a as usize - first_row].fetch_add(1, Ordering::Relaxed);
        }
    });
    out.make_room(total as usize, rows.end + 1)?;
    let mut sum = 0;
    out.offsets[..=first_row].fill(0);
    for (offset, count) in out.offsets[first_row + 1..].iter_mut().zip(&counts) {
        sum += count.load(Ordering::Relaxed);
        *offset = sum;
    }
    // From here on a count is how many of the row's places are still free.
    let mut scattered = pool.collect(total as usize, |_| AtomicU32::new(0));
    let offsets = &out.offsets;
    pool.map_chunks(parts.len(), 1, |range| {
        for ([a, b], relation) in parts[range].iter().flat_map(CpuHits::hits) {
            let a = a as usize;
            let place = offsets[a] + counts[a - first_row].fetch_sub(1, Ordering::Relaxed) - 1;
            let mark = if relation == Relation::Touching { MARK_TOUCHING } else { 0 };
            scattered[place as usize].store(b | mark, Ordering::Relaxed);
        }
    });
    drop((parts, counts));
    // Cut both arrays at the same rows.
    let mut pieces = Vec::with_capacity(rows.len().div_ceil(ROWS));
    let (mut scattered, mut partners) = (&mut scattered[..], &mut out.partners[..]);
    for first in rows.clone().step_by(ROWS) {
        let end = (first + ROWS).min(rows.end);
        let len = (offsets[end] - offsets[first]) as usize;
        let (here, rest) = scattered.split_at_mut(len);
        scattered = rest;
        let (partners_here, rest) = partners.split_at_mut(len);
        partners = rest;
        pieces.push((first..end, here, partners_here));
    }
    pool.for_each(pieces, |(rows, scattered, partners)| {
        for (partner, found) in partners.iter_mut().zip(scattered) {
            *partner = *found.get_mut();
        }
        let start = offsets[rows.start];
        for a in rows {
            let row = (offsets[a] - start) as usize..(offsets[a + 1] - start) as usize;
            partners[row].sort_unstable_by_key(|partner| partner & !MARK_TOUCHING);
        }
    });
    Ok(())
}
