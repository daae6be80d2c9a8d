//! Lengths of rows, as a device hands them over: a byte each, a quarter of what offsets take on their way to the host.

use super::abi::BLOCK;
use super::stages;
use crate::{Error, Result};

/// Rows of a block, whose number of hits is known.
const ROWS: usize = BLOCK as usize;

/// The number of hits of each row, none of which is too large for a byte, and of each block of rows.
#[derive(Clone, Copy)]
pub(crate) struct RowLengths<'a> {
    pub lengths: &'a [u8],
    pub blocks: &'a [u32],
}

impl<'a> RowLengths<'a> {
    /// Cuts the offsets, all but the first of which are where a row ends, at the ends of so many blocks. Each piece comes with what it
    /// follows from.
    pub(crate) fn pieces<'o>(self, offsets: &'o mut [u32], blocks: usize) -> Vec<Piece<'a, 'o>> {
        let Some((first, ends)) = offsets.split_first_mut() else { return Vec::new() };
        *first = 0;
        let mut start = 0_u32;
        ends.chunks_mut(blocks * ROWS)
            .zip(self.lengths.chunks(blocks * ROWS))
            .zip(self.blocks.chunks(blocks))
            .map(|((ends, lengths), blocks)| {
                let piece = Piece { start, ends, of: RowLengths { lengths, blocks } };
                start = blocks.iter().fold(start, |sum, hits| sum.wrapping_add(*hits));
                piece
            })
            .collect()
    }
}

/// Consecutive offsets.
pub(crate) struct Piece<'a, 'o> {
    /// Where the first row begins.
    start: u32,
    /// Where the rows end.
    ends: &'o mut [u32],
    of: RowLengths<'a>,
}

impl Piece<'_, '_> {
    /// # Errors
    /// [`Incomplete`](Error::Incomplete) if the rows of a block do not have as many hits as the block.
    pub(crate) fn fill(self) -> Result<()> {
        let mut sum = self.start;
        let rows = self.ends.chunks_mut(ROWS).zip(self.of.lengths.chunks(ROWS));
        for ((ends, lengths), hits) in rows.zip(self.of.blocks) {
            let due = sum.wrapping_add(*hits);
            for (end, length) in ends.iter_mut().zip(lengths) {
                sum = sum.wrapping_add(u32::from(*length));
                *end = sum;
            }
            if sum != due {
                return Err(Error::Incomplete { stage: stages::ROW_OFFSETS.name, found: sum, due });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_sums_of_lengths() {
        for rows in [0, 1, ROWS - 1, ROWS, ROWS + 1, 5 * ROWS + 7] {
            let lengths: Vec<u8> = (0..rows).map(|row| (row * row % 256) as u8).collect();
            let mut blocks: Vec<u32> =
                lengths.chunks(ROWS).map(|block| block.iter().map(|length| u32::from(*length)).sum()).collect();
            let mut expected = vec![0];
            for length in &lengths {
                expected.push(expected[expected.len() - 1] + u32::from(*length));
            }
            for size in 1..4 {
                let (of, mut offsets) = (RowLengths { lengths: &lengths, blocks: &blocks }, vec![7; rows + 1]);
                of.pieces(&mut offsets, size).into_iter().try_for_each(Piece::fill).expect("sums that agree");
                assert_eq!(offsets, expected);
            }
            if let Some(last) = blocks.last_mut() {
                *last += 1;
                let (of, mut offsets) = (RowLengths { lengths: &lengths, blocks: &blocks }, vec![7; rows + 1]);
                assert!(of.pieces(&mut offsets, 1).into_iter().try_for_each(Piece::fill).is_err());
            }
        }
    }
}
