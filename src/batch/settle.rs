//! Rows with pairs left undecided, to pairs with their exact relations.

use std::ops::Range;

use crate::gpu::abi::{MARK_TOUCHING as TOUCHING, PARTNER_ID};
use crate::parallel::{CHUNK, Pool};
use crate::query::intersect;
use crate::{Bodies, Overlaps, Relation};

/// The bits of a partner that say more than its id.
const MARKS: u32 = !PARTNER_ID;

/// Writes the pairs of rows to `out`: row a has the partners `offsets[a]..offsets[a + 1]`, in order. Pairs that are marked as
/// undecided are settled exactly; others touch or overlap, as they are marked. Only relations that are wanted remain. All of it is done on all cores, in memory that
/// `out` keeps.
pub(crate) fn settle(
    pool: &Pool,
    (a, b): (&Bodies, &Bodies),
    (offsets, partners): (&[u32], &[u32]),
    wants: impl Fn(Relation) -> bool + Sync + Send,
    out: &mut Overlaps,
) {
    let wanted = |relation: Relation| relation.is_hit() && wants(relation);
    // The relations of the pairs that are marked. By pairs and not by rows: a floor's row can be nearly all of them.
    let settled: Vec<Vec<Relation>> = pool.map_chunks(partners.len(), CHUNK, |range| {
        let marked = range.filter(|k| partners[*k] & MARKS != 0);
        let relation = |k: usize| match partners[k] & MARKS {
            TOUCHING => Relation::Touching,
            _ => intersect(&a.get(row_of(offsets, k)), &b.get((partners[k] & !MARKS) as usize)),
        };
        marked.map(relation).collect()
    });
    let dropped: Vec<usize> =
        settled.iter().map(|relations| relations.iter().filter(|relation| !wanted(**relation)).count()).collect();
    out.make_room(partners.len() - dropped.iter().sum::<usize>(), offsets.len());
    let (mut pairs, mut relations) = (&mut out.pairs[..], &mut out.relations[..]);
    let mut pieces = Vec::with_capacity(settled.len());
    for (k, (settled, dropped)) in settled.into_iter().zip(&dropped).enumerate() {
        let range = k * CHUNK..((k + 1) * CHUNK).min(partners.len());
        let kept = range.len() - dropped;
        let here = pairs.split_off_mut(..kept).zip(relations.split_off_mut(..kept));
        pieces.extend(here.map(|here| (range, settled, here)));
    }
    // Where pairs are missing.
    let gaps: Vec<Vec<u32>> = pool.map_each(pieces, |(range, settled, (pairs, relations))| {
        relations.fill(Relation::Overlapping);
        let (mut settled, mut gaps, mut at) = (settled.into_iter(), Vec::new(), 0);
        for (row, k) in rows(offsets, &range).into_iter().zip(range) {
            if partners[k] & MARKS != 0 {
                let relation = settled.next().unwrap_or(Relation::Separate);
                if !wanted(relation) {
                    gaps.push(k as u32);
                    continue;
                }
                relations[at] = relation;
            }
            pairs[at] = [row, partners[k] & !MARKS];
            at += 1;
        }
        gaps
    });
    let gaps = gaps.concat();
    pool.for_chunks_mut(&mut out.offsets, CHUNK, |first, piece| {
        let mut before = gaps.partition_point(|gap| *gap < offsets[first]);
        for (new, offset) in piece.iter_mut().zip(&offsets[first..]) {
            while gaps.get(before).is_some_and(|gap| gap < offset) {
                before += 1;
            }
            *new = *offset as usize - before;
        }
    });
}

/// The last row that begins at this pair or before.
fn row_of(offsets: &[u32], pair: usize) -> usize {
    offsets.partition_point(|offset| *offset as usize <= pair) - 1
}

/// The row of each of these pairs, which are at most a chunk: one more than before for every row that begins there. No branch
/// depends on the lengths of the rows, which nobody can foretell.
fn rows(offsets: &[u32], pairs: &Range<usize>) -> [u32; CHUNK] {
    let (first, last) = (row_of(offsets, pairs.start), row_of(offsets, pairs.end - 1));
    let mut rows = [0; CHUNK];
    for offset in &offsets[first + 1..=last] {
        rows[*offset as usize - pairs.start] += 1;
    }
    let mut row = first as u32;
    for begun in &mut rows {
        row += *begun;
        *begun = row;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::abi::MARK_UNDECIDED as UNDECIDED;
    use crate::shape::Sphere;

    #[test]
    fn marked_pairs_are_settled_and_rows_keep_their_bounds() {
        let pool = Pool::new(Some(2)).expect("a pool");
        let mut bodies = Bodies::new();
        // 0 and 1 overlap, 1 and 2 touch, all others are apart.
        bodies.extend([0.0, 1.5, 3.5, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        let (offsets, partners) = ([0, 2, 3, 4, 4], [1, 2 | UNDECIDED, 2 | UNDECIDED, 3 | UNDECIDED]);
        let mut out = Overlaps::new();
        settle(&pool, (&bodies, &bodies), (&offsets, &partners), |_| true, &mut out);
        let found: Vec<_> = out.iter().collect();
        assert_eq!(found, [(0, 1, Relation::Overlapping), (1, 2, Relation::Touching)]);
        assert_eq!(out.offsets(), [0, 1, 2, 2, 2]);
        let clashes = |relation| relation == Relation::Overlapping;
        settle(&pool, (&bodies, &bodies), (&offsets, &partners), clashes, &mut out);
        assert_eq!((out.as_slice(), out.offsets()), (&[[0, 1]][..], &[0, 1, 1, 1, 1][..]));
        settle(&pool, (&bodies, &bodies), (&[0; 5], &[]), clashes, &mut out);
        assert_eq!((out.len(), out.offsets()), (0, &[0; 5][..]));
    }

    #[test]
    fn many_pairs_are_those_of_one_by_one() {
        let pool = Pool::new(Some(3)).expect("a pool");
        let mut bodies = Bodies::new();
        bodies.extend((0..300_u16).map(|i| Sphere::new([f32::from(i), 0.0, 0.0], 4.0).expect("a ball"))).expect("room");
        // Rows of all lengths, some of them empty, and half of the pairs marked.
        let (mut offsets, mut partners) = (vec![0], Vec::new());
        for a in 0..300_u32 {
            let mark = |b: u32| [UNDECIDED, 0, TOUCHING, UNDECIDED, 0, 0][((a + b) % 6) as usize];
            partners.extend((0..if a % 7 == 0 { 0 } else { a }).map(|b| b | mark(b)));
            offsets.push(partners.len() as u32);
        }
        assert!(partners.len() > 4 * CHUNK);
        let mut out = Overlaps::new();
        for only in [false, true, false] {
            let (mut expected, mut rows) = (Vec::new(), vec![0]);
            for a in 0..300 {
                for partner in &partners[offsets[a] as usize..offsets[a + 1] as usize] {
                    let b = partner & !MARKS;
                    let relation = match partner & MARKS {
                        0 => Relation::Overlapping,
                        TOUCHING => Relation::Touching,
                        _ => intersect(&bodies.get(a), &bodies.get(b as usize)),
                    };
                    if relation == Relation::Overlapping || relation == Relation::Touching && !only {
                        expected.push((a as u32, b, relation));
                    }
                }
                rows.push(expected.len());
            }
            let clashes = |relation| !only || relation == Relation::Overlapping;
            settle(&pool, (&bodies, &bodies), (&offsets, &partners), clashes, &mut out);
            assert!(out.iter().eq(expected) && out.offsets() == rows);
        }
    }
}
