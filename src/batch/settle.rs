//! Rows with pairs left undecided, to rows of exact relations.

use crate::bodies::Reach;
use crate::gpu::{Partners, RowEnds, row_lengths};
use crate::parallel::{CHUNK, Pool};
use crate::relation::{MARK_TOUCHING, MARK_UNDECIDED};
use crate::{Bodies, Overlaps, Relation, Result};

/// The bits of a partner that say more than its id.
const MARKS: u32 = MARK_TOUCHING | MARK_UNDECIDED;

/// Rows as a device writes them: row a has the partners from where the row before ends, in order. Those that are marked as undecided
/// may be anything, also separate; the others touch or overlap, as they are marked.
#[derive(Clone, Copy)]
pub(crate) struct MarkedRows<'a> {
    pub ends: RowEnds<'a>,
    pub partners: Partners<'a>,
    /// Whether some are marked as undecided.
    pub undecided: bool,
}

impl<'a> MarkedRows<'a> {
    pub(crate) fn of(found: &'a crate::gpu::DeviceRows) -> Self {
        Self { ends: found.ends(), partners: found.pieces(), undecided: found.undecided > 0 }
    }
}

/// A part of an answer that is written by one thread.
enum Part<'a, 'o> {
    /// Partners, and where they are copied from.
    Partners(&'a [u32], &'o mut [u32]),
    /// The same of offsets.
    Offsets(&'a [u32], &'o mut [u32]),
    /// Offsets that are made of lengths.
    Lengths(row_lengths::Piece<'a, 'o>),
}

impl Part<'_, '_> {
    fn write(self) -> Result<()> {
        match self {
            Part::Partners(from, to) | Part::Offsets(from, to) => to.copy_from_slice(from),
            Part::Lengths(piece) => piece.fill()?,
        }
        Ok(())
    }
}

/// The parts of offsets.
fn offset_parts<'a, 'o>(ends: RowEnds<'a>, out: &'o mut [u32]) -> Vec<Part<'a, 'o>> {
    match ends {
        RowEnds::Offsets(offsets) => {
            offsets.chunks(COPIED).zip(out.chunks_mut(COPIED)).map(|(from, to)| Part::Offsets(from, to)).collect()
        }
        RowEnds::Lengths(of) => of.pieces(out, BLOCKS).into_iter().map(Part::Lengths).collect(),
    }
}

/// The parts of partners.
fn partner_parts<'a, 'o>(from: &'a [u32], to: &'o mut [u32]) -> impl Iterator<Item = Part<'a, 'o>> {
    from.chunks(COPIED).zip(to.chunks_mut(COPIED)).map(|(from, to)| Part::Partners(from, to))
}

/// Writes the rows of `rows` to `out`, the undecided pairs settled exactly, for bodies that are so near each other. Only relations that are wanted remain. All of it is done on
/// all cores, in memory that `out` keeps.
pub(crate) fn settle(
    pool: &Pool,
    (a, b): (&Bodies, &Bodies),
    rows: MarkedRows<'_>,
    (reach, wants): (Reach, impl Fn(Relation) -> bool + Sync + Send),
    out: &mut Overlaps,
) -> Result<()> {
    let MarkedRows { ends, partners, undecided } = rows;
    out.make_room(partners.len, ends.offsets())?;
    let (to_first, to_others) = out.partners.split_at_mut(partners.first.len());
    let mut parts = offset_parts(ends, &mut out.offsets);
    parts.extend(partner_parts(partners.first, to_first));
    pool.map_at_once(parts, Part::write).into_iter().collect::<Result<()>>()?;
    pool.map_at_once(partner_parts(partners.others()?, to_others).collect(), Part::write)
        .into_iter()
        .collect::<Result<()>>()?;
    if !undecided && wants(Relation::Touching) {
        // They are the answer.
        return Ok(());
    }
    let offsets = &out.offsets[..];
    // By pairs and not by rows: a floor's row can be nearly all of them. Each chunk is settled and closed up.
    let pieces = out.partners.chunks_mut(CHUNK).enumerate().collect();
    let kept: Vec<(usize, Vec<u32>)> = pool.map_at_once(pieces, |(number, piece): (usize, &mut [u32])| {
        let first = number * CHUNK;
        let marks = piece.iter().fold(0, |marks, partner| marks | partner);
        if marks & MARK_UNDECIDED == 0 && (marks & MARK_TOUCHING == 0 || wants(Relation::Touching)) {
            return (piece.len(), Vec::new());
        }
        let (mut gaps, mut at) = (Vec::new(), 0);
        for k in 0..piece.len() {
            let id = piece[k] & !MARKS;
            let relation = match piece[k] & MARKS {
                0 => Relation::Overlapping,
                MARK_TOUCHING => Relation::Touching,
                _ => reach.relation((a, row_of(offsets, first + k)), (b, id as usize)),
            };
            if relation.is_hit() && wants(relation) {
                piece[at] = if relation == Relation::Touching { id | MARK_TOUCHING } else { id };
                at += 1;
            } else {
                gaps.push((first + k) as u32);
            }
        }
        (at, gaps)
    });
    let mut end = 0;
    for (number, (length, _)) in kept.iter().enumerate() {
        let first = number * CHUNK;
        if first != end {
            out.partners.copy_within(first..first + length, end);
        }
        end += length;
    }
    out.partners.truncate(end);
    // Where pairs are missing.
    let gaps: Vec<u32> = kept.into_iter().flat_map(|(_, gaps)| gaps).collect();
    close_gaps(pool, &gaps, &mut out.offsets);
    Ok(())
}

/// A pair of a device's rows, whose first body is counted from the first row.
pub(crate) struct Found {
    pub a: u32,
    pub b: u32,
    pub relation: Relation,
}

type Finish<'a, D> = dyn Fn(&Found, D) -> Option<(D, bool)> + Sync + 'a;

/// What the host does with what a device has found of pairs.
pub(super) struct Settling<'a, D> {
    /// The exact relation of two bodies.
    pub relation: &'a (dyn Fn(u32, u32) -> Relation + Sync),
    /// Which relations are wanted.
    pub wants: &'a (dyn Fn(Relation) -> bool + Sync),
    /// What becomes of a detail, and whether the host computed it; nothing if the pair is left out.
    pub finish: &'a Finish<'a, D>,
    /// Whether `finish` leaves pairs out.
    pub leaves_out: bool,
}

/// Writes rows and what a device has computed of each pair to `pairs` and `details`, undecided pairs settled exactly. Only relations that are
/// wanted remain. Returns how many details the host computed.
pub(super) fn settle_details<D: bytemuck::Pod + Default + Send + Sync>(
    pool: &Pool,
    found: &crate::gpu::DeviceRows,
    settling: &Settling<'_, D>,
    pairs: &mut Overlaps,
    details: &mut Vec<D>,
) -> Result<u64> {
    let rows = DetailRows { offsets: found.offsets(), partners: found.partners(), known: found.details::<D>() };
    let (offsets, count) = (rows.offsets, rows.partners.len());
    let firsts: Vec<usize> = (0..count).step_by(CHUNK).collect();
    // Where the pairs of each chunk go depends on those before that are left out: if there can be any, they are looked for first.
    let whole = found.undecided == 0 && (settling.wants)(Relation::Touching) && !settling.leaves_out;
    let amended: Vec<Amended<D>> = pool.map_each(firsts, |first| {
        let nothing = Amended { first, ..Amended::default() };
        if whole { nothing } else { rows.amended(nothing, settling) }
    });
    let gaps: Vec<u32> = amended.iter().flat_map(|chunk| chunk.gaps.iter().map(|gap| *gap as u32)).collect();
    pairs.make_room(count - gaps.len(), offsets.len())?;
    details.resize(count - gaps.len(), D::default());
    let (mut ids, mut all) = (&mut pairs.partners[..], &mut details[..]);
    let mut pieces = Vec::with_capacity(amended.len());
    for chunk in amended {
        let kept = count.min(chunk.first + CHUNK) - chunk.first - chunk.gaps.len();
        let ((own_ids, other_ids), (own, others)) = (ids.split_at_mut(kept), all.split_at_mut(kept));
        pieces.push((chunk, own_ids, own));
        (ids, all) = (other_ids, others);
    }
    let on_host: Vec<u64> = pool.map_each(pieces, |(chunk, ids, details)| rows.write(&chunk, settling, ids, details));
    pool.map_at_once(offset_parts(RowEnds::Offsets(offsets), &mut pairs.offsets), Part::write)
        .into_iter()
        .collect::<Result<()>>()?;
    close_gaps(pool, &gaps, &mut pairs.offsets);
    Ok(on_host.into_iter().sum())
}

/// Rows as a device writes them, and what it has computed of each pair.
struct DetailRows<'a, D> {
    offsets: &'a [u32],
    partners: &'a [u32],
    known: &'a [D],
}

/// What the host found out about a chunk of pairs, each by its place among all.
struct Amended<D> {
    first: usize,
    /// The pairs that are left out.
    gaps: Vec<usize>,
    /// The relations of pairs that were undecided, and remain.
    settled: Vec<(usize, Relation)>,
    /// Details that the host has computed already.
    by_host: Vec<(usize, D)>,
}

impl<D> Default for Amended<D> {
    fn default() -> Self {
        Self { first: 0, gaps: Vec::new(), settled: Vec::new(), by_host: Vec::new() }
    }
}

impl<D: bytemuck::Pod> DetailRows<'_, D> {
    /// The chunk that begins at this pair: each place with its row.
    fn chunk(&self, first: usize) -> impl Iterator<Item = (usize, u32)> {
        let mut a = row_of(self.offsets, first);
        (first..self.partners.len().min(first + CHUNK)).map(move |place| {
            while self.offsets[a + 1] as usize <= place {
                a += 1;
            }
            (place, a as u32)
        })
    }

    /// What differs in a chunk from what the device has written.
    fn amended(&self, mut amended: Amended<D>, settling: &Settling<'_, D>) -> Amended<D> {
        for (place, a) in self.chunk(amended.first) {
            let b = self.partners[place] & !MARKS;
            let relation = match self.partners[place] & MARKS {
                0 => Relation::Overlapping,
                MARK_TOUCHING => Relation::Touching,
                _ => (settling.relation)(a, b),
            };
            let mut stays = relation.is_hit() && (settling.wants)(relation);
            if stays && settling.leaves_out {
                match (settling.finish)(&Found { a, b, relation }, self.known[place]) {
                    None => stays = false,
                    Some((detail, true)) => amended.by_host.push((place, detail)),
                    Some((_, false)) => {}
                }
            }
            if !stays {
                amended.gaps.push(place);
            } else if self.partners[place] & MARK_UNDECIDED != 0 {
                amended.settled.push((place, relation));
            }
        }
        amended
    }

    /// Writes the pairs of a chunk that remain, and their details. Returns how many of these the host computed.
    fn write(&self, chunk: &Amended<D>, settling: &Settling<'_, D>, ids: &mut [u32], details: &mut [D]) -> u64 {
        let mut gaps = chunk.gaps.iter().peekable();
        let (mut settled, mut by_host) = (chunk.settled.iter().peekable(), chunk.by_host.iter().peekable());
        let (mut to, mut on_host) = (0, 0);
        for (place, a) in self.chunk(chunk.first) {
            if gaps.next_if(|gap| **gap == place).is_some() {
                continue;
            }
            let b = self.partners[place] & !MARKS;
            let marked =
                if self.partners[place] & MARK_TOUCHING == 0 { Relation::Overlapping } else { Relation::Touching };
            let relation = settled.next_if(|(at, _)| *at == place).map_or(marked, |(_, relation)| *relation);
            let computed = by_host.next_if(|(at, _)| *at == place).map(|(_, detail)| (*detail, true));
            let found = computed.or_else(|| (settling.finish)(&Found { a, b, relation }, self.known[place]));
            // (What `finish` leaves out is among the gaps.)
            let (detail, is_of_host) = found.unwrap_or((self.known[place], false));
            ids[to] = if relation == Relation::Touching { b | MARK_TOUCHING } else { b };
            details[to] = detail;
            on_host += u64::from(is_of_host);
            to += 1;
        }
        on_host
    }
}

/// Changes the offsets to what they are when the pairs at these places are left out.
fn close_gaps(pool: &Pool, gaps: &[u32], offsets: &mut [u32]) {
    if gaps.is_empty() {
        return;
    }
    pool.for_chunks_mut(offsets, COPIED, |_, piece| {
        let mut before = gaps.partition_point(|gap| *gap < piece[0]);
        for offset in piece {
            while gaps.get(before).is_some_and(|gap| *gap < *offset) {
                before += 1;
            }
            *offset -= before as u32;
        }
    });
}

/// Words that are copied in one go, and blocks of rows whose offsets are made in one go.
const COPIED: usize = 1 << 15;
const BLOCKS: usize = 16;

/// The last row that begins at this pair or before.
fn row_of(offsets: &[u32], pair: usize) -> usize {
    offsets.partition_point(|offset| *offset as usize <= pair) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::intersect;
    use crate::relation::{MARK_TOUCHING as TOUCHING, MARK_UNDECIDED as UNDECIDED};
    use crate::shape::Sphere;

    fn rows<'a>(offsets: &'a [u32], partners: &'a [u32]) -> MarkedRows<'a> {
        let undecided = partners.iter().any(|partner| partner & UNDECIDED != 0);
        MarkedRows { ends: RowEnds::Offsets(offsets), partners: Partners::at_once(partners), undecided }
    }

    #[test]
    fn marked_pairs_are_settled_and_rows_keep_their_bounds() {
        let pool = Pool::new(Some(2)).expect("a pool");
        let mut bodies = Bodies::new();
        // 0 and 1 overlap, 1 and 2 touch, all others are apart.
        bodies.extend([0.0, 1.5, 3.5, 9.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        let (offsets, partners) = ([0, 2, 3, 4, 4], [1, 2 | UNDECIDED, 2 | UNDECIDED, 3 | UNDECIDED]);
        let mut out = Overlaps::new();
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), (Reach::Touching, |_| true), &mut out)
            .expect("room");
        let found: Vec<_> = out.iter().collect();
        assert_eq!(found, [(0, 1, Relation::Overlapping), (1, 2, Relation::Touching)]);
        assert_eq!(out.offsets(), [0, 1, 2, 2, 2]);
        let clashes = |relation| relation == Relation::Overlapping;
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), (Reach::Touching, clashes), &mut out)
            .expect("room");
        assert_eq!((out.to_vec(), out.offsets()), (vec![[0, 1]], &[0, 1, 1, 1, 1][..]));
        settle(&pool, (&bodies, &bodies), rows(&[0; 5], &[]), (Reach::Touching, clashes), &mut out).expect("room");
        assert_eq!((out.len(), out.offsets()), (0, &[0; 5][..]));
    }

    #[test]
    fn rows_without_doubt_are_the_answer() {
        let pool = Pool::new(Some(2)).expect("a pool");
        let mut bodies = Bodies::new();
        bodies.extend([0.0, 2.0, 3.5].map(|x| Sphere::new([x, 0.0, 0.0], 1.0).expect("a ball"))).expect("room");
        let (offsets, partners, mut out) = ([0, 1, 2, 2], [1 | TOUCHING, 2], Overlaps::new());
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), (Reach::Touching, |_| true), &mut out)
            .expect("room");
        assert_eq!((&out.offsets[..], &out.partners[..]), (&offsets[..], &partners[..]));
        let clashes = |relation| relation == Relation::Overlapping;
        settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), (Reach::Touching, clashes), &mut out)
            .expect("room");
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
            settle(&pool, (&bodies, &bodies), rows(&offsets, &partners), (Reach::Touching, clashes), &mut out)
                .expect("room");
            assert!(out.iter().eq(expected) && out.offsets() == ends);
        }
    }
}
