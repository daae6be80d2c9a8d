//! Rows with pairs left undecided, to pairs with their exact relations.

use std::sync::atomic::{AtomicBool, Ordering};

use super::parallel::Pool;
use crate::engine::Options;
use crate::query::intersect;
use crate::{Bodies, Overlaps, Relation};

/// Pairs or bodies that one task looks at.
pub(crate) const CHUNK: usize = 4096;

/// The bit of a partner that marks a pair as undecided.
pub(crate) const UNDECIDED: u32 = 1 << 31;

/// Writes the pairs of rows to `out`: row a has the partners `offsets[a]..offsets[a + 1]`, in order. Pairs that are marked are
/// settled exactly, on all cores; all others overlap.
pub(crate) fn settle(
    pool: &Pool,
    (a, b): (&Bodies, &Bodies),
    (offsets, partners): (&[u32], &[u32]),
    options: &Options,
    out: &mut Overlaps,
) {
    out.pairs.resize(partners.len(), [0; 2]);
    out.relations.resize(partners.len(), Relation::Separate);
    let wanted = |relation: Relation| match relation {
        Relation::Overlapping => true,
        Relation::Touching => !options.get_overlapping_only(),
        Relation::Separate => false,
    };
    let some_unwanted = AtomicBool::new(false);
    // By pairs and not by rows: a floor's row can be nearly all of them.
    let pieces: Vec<_> = partners
        .chunks(CHUNK)
        .zip(out.pairs.chunks_mut(CHUNK))
        .zip(out.relations.chunks_mut(CHUNK))
        .enumerate()
        .collect();
    pool.for_each(pieces, |(piece, ((partners, pairs), relations))| {
        let first = (piece * CHUNK) as u32;
        // The last row that begins here or before.
        let mut row = offsets.partition_point(|offset| *offset <= first) - 1;
        for (k, partner) in partners.iter().enumerate() {
            while offsets[row + 1] <= first + k as u32 {
                row += 1;
            }
            let other = partner & !UNDECIDED;
            pairs[k] = [row as u32, other];
            relations[k] =
                if *partner == other { Relation::Overlapping } else { intersect(&a.get(row), &b.get(other as usize)) };
            if !wanted(relations[k]) {
                some_unwanted.store(true, Ordering::Relaxed);
            }
        }
    });
    out.offsets.clear();
    if some_unwanted.into_inner() {
        let mut kept = 0;
        let mut next = 0;
        for end in &offsets[1..] {
            out.offsets.push(kept);
            for k in next..*end as usize {
                if wanted(out.relations[k]) {
                    out.pairs[kept] = out.pairs[k];
                    out.relations[kept] = out.relations[k];
                    kept += 1;
                }
            }
            next = *end as usize;
        }
        out.offsets.push(kept);
        out.pairs.truncate(kept);
        out.relations.truncate(kept);
    } else {
        out.offsets.extend(offsets.iter().map(|offset| *offset as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Sphere;

    #[test]
    fn marked_pairs_are_settled_and_rows_keep_their_bounds() {
        let pool = Pool::new(Some(2)).expect("a pool");
        let mut bodies = Bodies::new();
        // 0 and 1 overlap, 1 and 2 touch, all others are apart.
        bodies.extend([0.0, 1.5, 3.5, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        let (offsets, partners) = ([0, 2, 3, 4, 4], [1, 2 | UNDECIDED, 2 | UNDECIDED, 3 | UNDECIDED]);
        let mut out = Overlaps::new();
        settle(&pool, (&bodies, &bodies), (&offsets, &partners), &Options::new(), &mut out);
        let found: Vec<_> = out.iter().collect();
        assert_eq!(found, [(0, 1, Relation::Overlapping), (1, 2, Relation::Touching)]);
        assert_eq!(out.offsets(), [0, 1, 2, 2, 2]);
        let options = Options::new().overlapping_only(true);
        settle(&pool, (&bodies, &bodies), (&offsets, &partners), &options, &mut out);
        assert_eq!((out.as_slice(), out.offsets()), (&[[0, 1]][..], &[0, 1, 1, 1, 1][..]));
        settle(&pool, (&bodies, &bodies), (&[0; 5], &[]), &options, &mut out);
        assert_eq!((out.len(), out.offsets()), (0, &[0; 5][..]));
    }
}
