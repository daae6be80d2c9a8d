//! What a query found on the device, as the host sees it.

use super::abi::PARTNER_ID;
use super::runner::Words;
use crate::{Error, Result};

/// What became of a query.
pub(crate) struct Found {
    pub(super) rows: Rows,
    pub candidates: u64,
    pub undecided: u64,
}

/// The rows of partners, marked where undecided.
pub(super) enum Rows {
    /// As the device wrote them: the offsets are reading `at`, the partners the one after it.
    Read { words: Words, at: usize, hits: usize },
    /// Of several parts.
    Merged { offsets: Vec<u32>, partners: Vec<u32> },
}

impl Found {
    pub(super) fn none(rows: usize) -> Self {
        let rows = Rows::Merged { offsets: vec![0; rows + 1], partners: Vec::new() };
        Self { rows, candidates: 0, undecided: 0 }
    }

    /// Where each row of partners begins, and where the last ends.
    pub(crate) fn offsets(&self) -> &[u32] {
        match &self.rows {
            Rows::Read { words, at, .. } => &words[*at],
            Rows::Merged { offsets, .. } => offsets,
        }
    }

    /// The partners of all rows, marked where undecided.
    pub(crate) fn partners(&self) -> &[u32] {
        match &self.rows {
            Rows::Read { words, at, hits } => &words[at + 1][..*hits],
            Rows::Merged { partners, .. } => partners,
        }
    }

    /// What two parts of a query found, together.
    pub(super) fn with(&self, other: &Self) -> Result<Self> {
        let total = (self.partners().len() + other.partners().len()) as u64;
        if total > u64::from(u32::MAX) {
            return Err(Error::DeviceMemory { what: "pairs", needed: 4 * total, limit: 4 * u64::from(u32::MAX) });
        }
        let mut offsets = vec![0];
        let mut partners = Vec::with_capacity(self.partners().len() + other.partners().len());
        for row in 0..self.offsets().len() - 1 {
            let start = partners.len();
            for part in [self, other] {
                let range = part.offsets()[row] as usize..part.offsets()[row + 1] as usize;
                partners.extend_from_slice(&part.partners()[range]);
            }
            partners[start..].sort_unstable_by_key(|partner| partner & PARTNER_ID);
            offsets.push(partners.len() as u32);
        }
        Ok(Self {
            rows: Rows::Merged { offsets, partners },
            candidates: self.candidates + other.candidates,
            undecided: self.undecided + other.undecided,
        })
    }
}
