//! What a query found on the device, as the host sees it.

use super::abi::PARTNER_ID;
use super::runner::Words;
use crate::{Error, Result};

/// What became of a query.
pub(crate) struct DeviceRows {
    pub(super) rows: RowData,
    pub candidates: u64,
    pub undecided: u64,
}

/// The rows of partners, marked where undecided.
pub(super) enum RowData {
    /// As the device wrote them: the offsets are reading `at`, the partners the one after it.
    Read { words: Words, at: usize, hits: usize },
    /// Of several parts.
    Merged { offsets: Vec<u32>, partners: Vec<u32> },
}

impl DeviceRows {
    /// Where each row of partners begins, and where the last ends.
    pub(crate) fn offsets(&self) -> &[u32] {
        match &self.rows {
            RowData::Read { words, at, .. } => &words[*at],
            RowData::Merged { offsets, .. } => offsets,
        }
    }

    /// The partners of all rows, marked where undecided.
    pub(crate) fn partners(&self) -> &[u32] {
        match &self.rows {
            RowData::Read { words, at, hits } => &words[at + 1][..*hits],
            RowData::Merged { partners, .. } => partners,
        }
    }

    /// The same in memory of the host, so that the device can go on with the next part.
    pub(super) fn detached(self) -> Self {
        let rows = RowData::Merged { offsets: self.offsets().to_vec(), partners: self.partners().to_vec() };
        Self { rows, ..self }
    }

    /// What the parts of a query have found, together, in so many rows.
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
