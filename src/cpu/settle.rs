//! Rows with pairs left undecided, to pairs with their exact relations.

use super::parallel::Pool;
use crate::engine::Options;
use crate::query::intersect;
use crate::{Bodies, Overlaps, Relation};

/// Rows or bodies that one task looks at.
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
    let rows = offsets.len() - 1;
    let wanted = |relation: Relation| match relation {
        Relation::Overlapping => true,
        Relation::Touching => !options.get_overlapping_only(),
        Relation::Separate => false,
    };
    struct Part {
        pairs: Vec<[u32; 2]>,
        relations: Vec<Relation>,
        ends: Vec<usize>,
    }
    let parts = pool.map_chunks(rows, CHUNK, |chunk| {
        let most = (offsets[chunk.end] - offsets[chunk.start]) as usize;
        let mut part =
            Part { pairs: Vec::with_capacity(most), relations: Vec::with_capacity(most), ends: Vec::new() };
        for row in chunk {
            for &partner in &partners[offsets[row] as usize..offsets[row + 1] as usize] {
                let other = partner & !UNDECIDED;
                let relation = if partner == other {
                    Relation::Overlapping
                } else {
                    intersect(&a.get(row), &b.get(other as usize))
                };
                if wanted(relation) {
                    part.pairs.push([row as u32, other]);
                    part.relations.push(relation);
                }
            }
            part.ends.push(part.pairs.len());
        }
        part
    });
    out.clear();
    let total = parts.iter().map(|part| part.pairs.len()).sum();
    out.pairs.reserve(total);
    out.relations.reserve(total);
    out.offsets.reserve(rows + 1);
    out.offsets.push(0);
    for part in parts {
        let before = out.pairs.len();
        out.pairs.extend_from_slice(&part.pairs);
        out.relations.extend_from_slice(&part.relations);
        out.offsets.extend(part.ends.iter().map(|end| before + end));
    }
}
