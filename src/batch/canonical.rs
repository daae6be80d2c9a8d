//! Hits in the order they were found, to rows sorted by id.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::clock::Clock;
use crate::cpu::CpuHits;
use crate::parallel::{COLLECT, Pool};
use crate::relation::MARK_TOUCHING;
use crate::{Error, Overlaps, Relation, Result};

/// The least number of rows of a bin, a power of two.
const LEAST_ROWS: usize = 256;
/// The most bins: each thread writes to all of them at a time, and so many lines stay in its cache.
const MOST_BINS: usize = 1024;
/// Rows up to this length are sorted by insertion.
const SHORT: usize = 20;

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

/// Writes the hits to `out`, sorted by a and then by b. All are of these rows; those before them are empty.
///
/// Hits are first put into bins, each with the hits of so few rows that they fit into the cache; there the rows are counted, and filled and
/// sorted. So the result is the same for any number of threads, in whatever order they have found the hits.
fn canonical(pool: &Pool, rows: Range<usize>, parts: Vec<CpuHits>, out: &mut Overlaps) -> Result<()> {
    let total: u64 = parts.iter().map(|part| part.len() as u64).sum();
    if total > u64::from(u32::MAX) {
        return Err(Error::TooManyPairs { pairs: total, limit: u64::from(u32::MAX) });
    }
    let rows_of_bin = rows.len().div_ceil(MOST_BINS).next_power_of_two().max(LEAST_ROWS);
    let (first_row, bits) = (rows.start as u32, rows_of_bin.trailing_zeros());
    let bin_of = |a: u32| ((a - first_row) >> bits) as usize;
    let (binned, starts) = bins(pool, (rows.len().div_ceil(rows_of_bin), bin_of), &parts, total as usize);
    drop(parts);
    out.make_room(total as usize, rows.end + 1)?;
    out.offsets[..=rows.start].fill(0);
    // Cut the result at the same rows.
    let mut pieces = Vec::with_capacity(starts.len());
    let (mut offsets, mut partners) = (&mut out.offsets[rows.start + 1..], &mut out.partners[..]);
    for (bin, range) in starts.windows(2).map(|two| two[0]..two[1]).enumerate() {
        let (own_offsets, rest) = offsets.split_at_mut(rows_of_bin.min(offsets.len()));
        offsets = rest;
        let (own_partners, rest) = partners.split_at_mut(range.len());
        partners = rest;
        pieces.push(Bin {
            first_row: rows.start + bin * rows_of_bin,
            hits: range,
            offsets: own_offsets,
            partners: own_partners,
        });
    }
    pool.for_each(pieces, |bin| bin.fill(&binned));
    pool.keep(binned);
    Ok(())
}

/// The hits, of which each is a and, in the lower half, b and its mark; those of a bin side by side. Also where each bin begins.
fn bins(
    pool: &Pool,
    (bins, bin_of): (usize, impl Fn(u32) -> usize + Sync),
    parts: &[CpuHits],
    total: usize,
) -> (Vec<AtomicU64>, Vec<usize>) {
    // A few groups of parts for each thread.
    let group = parts.len().div_ceil(4 * pool.threads()).max(1);
    let counts = pool.map_chunks(parts.len(), group, |range| {
        let mut counts = vec![0_u32; bins];
        for ([a, _], _) in parts[range].iter().flat_map(CpuHits::hits) {
            counts[bin_of(a)] += 1;
        }
        counts
    });
    // Within a bin, those of one group after those of the other.
    let (mut places, mut starts, mut sum) = (counts, Vec::with_capacity(bins + 1), 0);
    for bin in 0..bins {
        starts.push(sum as usize);
        for counts in &mut places {
            sum += std::mem::replace(&mut counts[bin], sum);
        }
    }
    starts.push(sum as usize);
    let binned = pool.collect_by(total, COLLECT, |_| AtomicU64::new(0));
    let groups: Vec<_> = places.into_iter().zip(parts.chunks(group)).collect();
    pool.for_each(groups, |(mut places, parts)| {
        for ([a, b], relation) in parts.iter().flat_map(CpuHits::hits) {
            let place = &mut places[bin_of(a)];
            let mark = if relation == Relation::Touching { MARK_TOUCHING } else { 0 };
            binned[*place as usize].store(u64::from(a) << 32 | u64::from(b | mark), Ordering::Relaxed);
            *place += 1;
        }
    });
    (binned, starts)
}

/// Consecutive rows, and where they go.
struct Bin<'a> {
    first_row: usize,
    /// Which hits are theirs.
    hits: Range<usize>,
    /// Where each row ends.
    offsets: &'a mut [u32],
    partners: &'a mut [u32],
}

impl Bin<'_> {
    fn fill(self, binned: &[AtomicU64]) {
        let start = self.hits.start as u32;
        let hits = || binned[self.hits.clone()].iter().map(|hit| hit.load(Ordering::Relaxed));
        let row = |hit: u64| (hit >> 32) as usize - self.first_row;
        self.offsets.fill(0);
        for hit in hits() {
            self.offsets[row(hit)] += 1;
        }
        // First where each row begins; then, as it is filled, where its next partner goes, and so where it ends.
        let mut sum = start;
        for offset in &mut *self.offsets {
            sum += std::mem::replace(offset, sum);
        }
        for hit in hits() {
            let offset = &mut self.offsets[row(hit)];
            self.partners[(*offset - start) as usize] = hit as u32;
            *offset += 1;
        }
        let mut first = 0;
        for end in &*self.offsets {
            let end = (end - start) as usize;
            sort_row(&mut self.partners[first..end]);
            first = end;
        }
    }
}

/// Sorts partners, which are all different, without regard to their marks.
fn sort_row(row: &mut [u32]) {
    let key = |partner: &u32| partner & !MARK_TOUCHING;
    if row.len() > SHORT {
        row.sort_unstable_by_key(key);
        return;
    }
    for k in 1..row.len() {
        let partner = row[k];
        let mut place = k;
        while place > 0 && key(&row[place - 1]) > key(&partner) {
            row[place] = row[place - 1];
            place -= 1;
        }
        row[place] = partner;
    }
}
