//! Rows with pairs left undecided, to rows of exact relations.

use std::ops::Range;

use crate::parallel::{CHUNK, Pool};
use crate::query::intersect;
use crate::relation::{MARK_TOUCHING, MARK_UNDECIDED};
use crate::{Bodies, Overlaps, Relation, Result};

/// The bits of a partner that say more than its id.
const MARKS: u32 = MARK_TOUCHING | MARK_UNDECIDED;

/// Rows as a device writes them: row a has the partners `offsets[a]..offsets[a + 1]`, in order. Those that are marked as undecided
/// may be anything, also separate; the others touch or overlap, as they are marked.
#[derive(Clone, Copy)]
pub(crate) struct MarkedRows<'a> {
    pub offsets: &'a [u32],
    pub partners: &'a [u32],
}

impl<'a> MarkedRows<'a> {
    pub(super) fn of(found: &'a crate::gpu::DeviceRows) -> Self {
        Self { offsets: found.offsets(), partners: found.partners() }
    }
}

/// Writes the rows of `rows` to `out`, the undecided pairs settled exactly. Only relations that are wanted remain. All of it is done on
/// all cores, in memory that `out` keeps.
pub(crate) fn settle(
    pool: &Pool,
    (a, b): (&Bodies, &Bodies),
    rows: MarkedRows<'_>,
    wants: impl Fn(Relation) -> bool + Sync + Send,
    out: &mut Overlaps,
) -> Result<()> {
    let MarkedRows { offsets, partners } = rows;
    if wants(Relation::Touching) {
        // Most often nothing is left to settle or to leave out: the rows are the answer.
        out.make_room(partners.len(), offsets.len())?;
        pool.for_chunks_mut(&mut out.partners, COPIED, |at, piece| {
            piece.copy_from_slice(&partners[at..][..piece.len()])
        });
        pool.for_chunks_mut(&mut out.offsets, COPIED, |at, piece| piece.copy_from_slice(&offsets[at..][..piece.len()]));
        let open = |range: Range<usize>| out.partners[range].iter().fold(0, |marks, partner| marks | partner);
        if pool.map_chunks(partners.len(), COPIED, open).into_iter().all(|marks| marks & MARK_UNDECIDED == 0) {
            return Ok(());
        }
    }
    let wanted = |relation: Relation| relation.is_hit() && wants(relation);
    // The relations of the pairs that are marked. By pairs and not by rows: a floor's row can be nearly all of them.
    let settled: Vec<Vec<Relation>> = pool.map_chunks(partners.len(), CHUNK, |range| {
        let marked = range.filter(|k| partners[*k] & MARKS != 0);
        let relation = |k: usize| match partners[k] & MARKS {
            MARK_TOUCHING => Relation::Touching,
            _ => intersect(&a.get(row_of(offsets, k)), &b.get((partners[k] & !MARKS) as usize)),
        };
        marked.map(relation).collect()
    });
    let dropped: Vec<usize> =
        settled.iter().map(|relations| relations.iter().filter(|relation| !wanted(**relation)).count()).collect();
    out.make_room(partners.len() - dropped.iter().sum::<usize>(), offsets.len())?;
    let mut kept_partners = &mut out.partners[..];
    let mut pieces = Vec::with_capacity(settled.len());
    for (k, (settled, dropped)) in settled.into_iter().zip(&dropped).enumerate() {
        let range = k * CHUNK..((k + 1) * CHUNK).min(partners.len());
        let here = kept_partners.split_off_mut(..range.len() - dropped);
        pieces.extend(here.map(|here| (range, settled, here)));
    }
    // Where pairs are missing.
    let gaps: Vec<Vec<u32>> = pool.map_each(pieces, |(range, settled, kept)| {
        let (mut settled, mut gaps, mut at) = (settled.into_iter(), Vec::new(), 0);
        for k in range {
            let mut partner = partners[k];
            if partner & MARKS != 0 {
                let relation = settled.next().unwrap_or(Relation::Separate);
                if !wanted(relation) {
                    gaps.push(k as u32);
                    continue;
                }
                partner &= !MARKS;
                if relation == Relation::Touching {
                    partner |= MARK_TOUCHING;
                }
            }
            kept[at] = partner;
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
            *new = *offset - before as u32;
        }
    });
    Ok(())
}

/// Numbers that are copied in one go: few enough that sixteen threads share the work of a million pairs.
const COPIED: usize = 1 << 16;

/// The last row that begins at this pair or before.
fn row_of(offsets: &[u32], pair: usize) -> usize {
    offsets.partition_point(|offset| *offset as usize <= pair) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relation::{MARK_TOUCHING as TOUCHING, MARK_UNDECIDED as UNDECIDED};
    use crate::shape::Sphere;

    fn rows<'a>(offsets: &'a [u32], partners: &'a [u32]) -> MarkedRows<'a> {
        MarkedRows { offsets, partners }
    }

    #[test]
    fn marked_pairs_are_settled_and_rows_keep_their_bounds() {
        let pool = Pool::new(Some(2)).expect("a pool");
        let mut bodies = Bodies::new();
        // 0 and 1 overlap, 1 and 2 touch, all others are apart.
        bodies.extend([0.0, 1.5, 3.5, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        let (offsets, partners) = ([0, 2, 3, 4, 4], [1, 2 | UNDECIDED, 2 | UNDECIDED, 3 | UNDECIDED]);
        let mut out = Overlaps::new();
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), |_| true, &mut out).expect("room");
        let found: Vec<_> = out.iter().collect();
        assert_eq!(found, [(0, 1, Relation::Overlapping), (1, 2, Relation::Touching)]);
        assert_eq!(out.offsets(), [0, 1, 2, 2, 2]);
        let clashes = |relation| relation == Relation::Overlapping;
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), clashes, &mut out).expect("room");
        assert_eq!((out.to_vec(), out.offsets()), (vec![[0, 1]], &[0, 1, 1, 1, 1][..]));
        settle(&pool, (&bodies, &bodies), rows(&[0; 5], &[]), clashes, &mut out).expect("room");
        assert_eq!((out.len(), out.offsets()), (0, &[0; 5][..]));
    }

    #[test]
    fn rows_without_doubt_are_the_answer() {
        let pool = Pool::new(Some(2)).expect("a pool");
        let mut bodies = Bodies::new();
        bodies.extend([0.0, 2.0, 3.5].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        let (offsets, partners, mut out) = ([0, 1, 2, 2], [1 | TOUCHING, 2], Overlaps::new());
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), |_| true, &mut out).expect("room");
        assert_eq!((&out.offsets[..], &out.partners[..]), (&offsets[..], &partners[..]));
        let clashes = |relation| relation == Relation::Overlapping;
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), clashes, &mut out).expect("room");
        assert_eq!((out.to_vec(), out.offsets()), (vec![[1, 2]], &[0, 0, 1, 1][..]));
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
            let (mut expected, mut ends) = (Vec::new(), vec![0]);
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
                ends.push(expected.len() as u32);
            }
            let clashes = |relation| !only || relation == Relation::Overlapping;
            settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), clashes, &mut out).expect("room");
            assert!(out.iter().eq(expected) && out.offsets() == ends);
        }
    }
}
