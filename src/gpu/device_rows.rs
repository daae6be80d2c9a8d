//! The result of a pair search on the device, read back to the host.

use super::abi::PARTNER_ID;
use super::runner::Words;
use crate::{Error, Result};

/// The rows of a pair search in compressed sparse row form, and its statistics.
pub(crate) struct DeviceRows {
    pub(super) rows: RowData,
    pub candidates: u64,
    pub undecided: u64,
}

/// The CSR offsets, and the partners with their marks.
pub(super) enum RowData {
    /// In the mapped staging buffer: the offsets are reading `at`, the partners the next one.
    Read { words: Words, at: usize, hits: usize },
    /// In memory of the host, after the parts of a query were merged.
    Merged { offsets: Vec<u32>, partners: Vec<u32> },
}

impl DeviceRows {
    /// The CSR offsets: where each row begins in `partners`, and where the last one ends.
    pub(crate) fn offsets(&self) -> &[u32] {
        match &self.rows {
            RowData::Read { words, at, .. } => &words[*at],
            RowData::Merged { offsets, .. } => offsets,
        }
    }

    /// The partners of all rows, with their marks.
    pub(crate) fn partners(&self) -> &[u32] {
        match &self.rows {
            RowData::Read { words, at, hits } => &words[at + 1][..*hits],
            RowData::Merged { partners, .. } => partners,
        }
    }

    /// Copies the rows out of the staging buffer, so that the device can continue with the next part.
    pub(super) fn detached(self) -> Self {
        let rows = RowData::Merged { offsets: self.offsets().to_vec(), partners: self.partners().to_vec() };
        Self { rows, ..self }
    }

    /// Merges the parts of a query row by row.
    pub(super) fn merged(rows: usize, parts: &[Self]) -> Result<Self> {
        let total: u64 = parts.iter().map(|part| part.partners().len() as u64).sum();
        if total > u64::from(u32::MAX) {
            return Err(Error::DeviceMemory { what: "pairs", needed: 4 * total, limit: 4 * u64::from(u32::MAX) });
        }
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut partners = Vec::with_capacity(total as usize);
        offsets.push(0);
        for row in 0..rows {
            let start = partners.len();
            for part in parts {
                let range = part.offsets()[row] as usize..part.offsets()[row + 1] as usize;
                partners.extend_from_slice(&part.partners()[range]);
            }
            partners[start..].sort_unstable_by_key(|partner| partner & PARTNER_ID);
            offsets.push(partners.len() as u32);
        }
        Ok(Self {
            rows: RowData::Merged { offsets, partners },
            candidates: parts.iter().map(|part| part.candidates).sum(),
            undecided: parts.iter().map(|part| part.undecided).sum(),
        })
    }
}
