//! The result of a pair search on the device, read back to the host.

use super::abi::PARTNER_ID;
use super::row_lengths::RowLengths;
use super::runner::Words;
use crate::{Error, Result};

/// The rows of a pair search in compressed sparse row form, and its statistics.
pub(crate) struct DeviceRows {
    pub(super) rows: RowData,
    /// Words of what was computed of each pair besides its relation; 0 if nothing was.
    pub(super) detail_words: usize,
    pub candidates: u64,
    pub undecided: u64,
}

/// The CSR offsets, and the partners with their marks.
pub(super) enum RowData {
    /// In the mapped staging buffer: the offsets are reading `at`, the partners the next one, and the details, if there are any,
    /// the one after that.
    Read { words: Words, at: usize, hits: usize },
    /// The same, with the lengths of so many rows and the hits of their blocks, one reading after the other, instead of offsets.
    ReadLengths { words: Words, at: usize, rows: usize, hits: usize },
    /// In memory of the host, after the parts of a query were merged.
    Merged { offsets: Vec<u32>, partners: Vec<u32>, details: Vec<u32> },
}

/// Where rows end.
#[derive(Clone, Copy)]
pub(crate) enum RowEnds<'a> {
    Offsets(&'a [u32]),
    Lengths(RowLengths<'a>),
}

impl RowEnds<'_> {
    /// How many offsets there are: one more than rows.
    pub(crate) fn offsets(&self) -> usize {
        match self {
            Self::Offsets(offsets) => offsets.len(),
            Self::Lengths(of) => of.lengths.len() + 1,
        }
    }
}

/// Partners of which the last may not have come yet.
#[derive(Clone, Copy)]
pub(crate) struct Partners<'a> {
    /// Those that are there.
    pub first: &'a [u32],
    /// How many there are in all.
    pub len: usize,
    /// What the others come with.
    from: Option<&'a Words>,
}

impl<'a> Partners<'a> {
    pub(crate) fn at_once(all: &'a [u32]) -> Self {
        Self { first: all, len: all.len(), from: None }
    }

    /// All but the first ones, once they have come.
    ///
    /// # Errors
    /// If the device fails.
    pub(crate) fn others(&self) -> Result<&'a [u32]> {
        let left = self.len - self.first.len();
        match self.from {
            Some(words) if left > 0 => Ok(&words.late()?[..left]),
            _ => Ok(&[]),
        }
    }
}

impl DeviceRows {
    /// Where rows end, as the device has handed it over.
    pub(crate) fn ends(&self) -> RowEnds<'_> {
        match &self.rows {
            RowData::ReadLengths { words, at, rows, .. } => {
                let lengths = &bytemuck::cast_slice(&words[*at])[..*rows];
                RowEnds::Lengths(RowLengths { lengths, blocks: &words[at + 1] })
            }
            _ => RowEnds::Offsets(self.offsets()),
        }
    }

    /// The CSR offsets: where each row begins in `partners`, and where the last one ends. The query must have asked for them.
    pub(crate) fn offsets(&self) -> &[u32] {
        match &self.rows {
            RowData::Read { words, at, .. } => &words[*at],
            RowData::ReadLengths { .. } => unreachable!("lengths were asked for"),
            RowData::Merged { offsets, .. } => offsets,
        }
    }

    /// The partners of all rows, with their marks. The query must have asked for offsets.
    pub(crate) fn partners(&self) -> &[u32] {
        match &self.rows {
            RowData::Read { words, at, hits } => &words[at + 1][..*hits],
            RowData::ReadLengths { .. } => unreachable!("lengths were asked for"),
            RowData::Merged { partners, .. } => partners,
        }
    }

    /// The same in two pieces, of which the second may not have come yet, whatever the query has asked for.
    pub(crate) fn pieces(&self) -> Partners<'_> {
        match &self.rows {
            RowData::ReadLengths { words, at, hits, .. } => {
                let read = &words[at + 2];
                Partners { first: &read[..read.len().min(*hits)], len: *hits, from: Some(words) }
            }
            _ => Partners::at_once(self.partners()),
        }
    }

    /// What was computed of each pair; empty if nothing was.
    fn detail_words(&self) -> &[u32] {
        match &self.rows {
            RowData::Read { words, at, hits } if self.detail_words > 0 => &words[at + 2][..hits * self.detail_words],
            RowData::Read { .. } | RowData::ReadLengths { .. } => &[],
            RowData::Merged { details, .. } => details,
        }
    }

    /// What was computed of each pair: its contact, or its clearance.
    pub(crate) fn details<D: bytemuck::Pod>(&self) -> &[D] {
        debug_assert!([0, size_of::<D>()].contains(&(4 * self.detail_words)), "that was asked for");
        bytemuck::cast_slice(self.detail_words())
    }

    /// Copies the rows out of the staging buffer, so that the device can continue with the next part.
    pub(super) fn detached(self) -> Self {
        let (offsets, partners) = (self.offsets().to_vec(), self.partners().to_vec());
        let rows = RowData::Merged { offsets, partners, details: self.detail_words().to_vec() };
        Self { rows, ..self }
    }

    /// Only the pairs of which `keeps` says so, given their row and the id of the partner.
    pub(crate) fn retained(&self, keeps: impl Fn(usize, u32) -> bool) -> Self {
        let (found, known, words) = (self.partners(), self.detail_words(), self.detail_words);
        let (mut partners, mut details) = (Vec::with_capacity(found.len()), Vec::with_capacity(known.len()));
        let mut offsets = Vec::with_capacity(self.offsets().len());
        offsets.push(0);
        for (row, ends) in self.offsets().windows(2).enumerate() {
            let (first, end) = (ends[0] as usize, ends[1] as usize);
            for (k, partner) in (first..).zip(&found[first..end]) {
                if keeps(row, partner & PARTNER_ID) {
                    partners.push(*partner);
                    details.extend_from_slice(&known[k * words..(k + 1) * words]);
                }
            }
            offsets.push(partners.len() as u32);
        }
        Self { rows: RowData::Merged { offsets, partners, details }, ..*self }
    }

    /// Merges the parts of a query row by row.
    pub(super) fn merged(rows: usize, parts: &[Self]) -> Result<Self> {
        let total: u64 = parts.iter().map(|part| part.partners().len() as u64).sum();
        if total > u64::from(u32::MAX) {
            return Err(Error::DeviceMemory { what: "pairs", needed: 4 * total, limit: 4 * u64::from(u32::MAX) });
        }
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut partners = Vec::with_capacity(total as usize);
        let words = parts.iter().map(|part| part.detail_words).max().unwrap_or_default();
        let mut details = Vec::with_capacity(words * total as usize);
        // What was found in a row, and where.
        let mut row_found: Vec<(u32, usize, usize)> = Vec::new();
        offsets.push(0);
        for row in 0..rows {
            row_found.clear();
            for (number, part) in parts.iter().enumerate() {
                let range = part.offsets()[row] as usize..part.offsets()[row + 1] as usize;
                row_found.extend(range.clone().zip(&part.partners()[range]).map(|(k, partner)| (*partner, number, k)));
            }
            row_found.sort_unstable_by_key(|(partner, ..)| partner & PARTNER_ID);
            for (partner, number, k) in &row_found {
                partners.push(*partner);
                details.extend_from_slice(&parts[*number].detail_words()[k * words..(k + 1) * words]);
            }
            offsets.push(partners.len() as u32);
        }
        Ok(Self {
            rows: RowData::Merged { offsets, partners, details },
            detail_words: words,
            candidates: parts.iter().map(|part| part.candidates).sum(),
            undecided: parts.iter().map(|part| part.undecided).sum(),
        })
    }
}
