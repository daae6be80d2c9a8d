//! The result of a pair search on the device, read back to the host.

use super::abi::PARTNER_ID;
use super::runner::Words;
use crate::manifold::Manifold;
use crate::{Error, Result};

/// The rows of a pair search in compressed sparse row form, and its statistics.
pub(crate) struct DeviceRows {
    pub(super) rows: RowData,
    /// Whether contacts were asked for.
    pub(super) has_contacts: bool,
    pub candidates: u64,
    pub undecided: u64,
}

/// The CSR offsets, and the partners with their marks.
pub(super) enum RowData {
    /// In the mapped staging buffer: the offsets are reading `at`, the partners the next one, and the contacts, if there are any,
    /// the one after that.
    Read { words: Words, at: usize, hits: usize },
    /// In memory of the host, after the parts of a query were merged.
    Merged { offsets: Vec<u32>, partners: Vec<u32>, manifolds: Vec<Manifold> },
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

    /// The contact of each pair; empty if contacts were not asked for.
    pub(crate) fn manifolds(&self) -> &[Manifold] {
        match &self.rows {
            RowData::Read { words, at, hits } if self.has_contacts => &bytemuck::cast_slice(&words[at + 2])[..*hits],
            RowData::Read { .. } => &[],
            RowData::Merged { manifolds, .. } => manifolds,
        }
    }

    /// Copies the rows out of the staging buffer, so that the device can continue with the next part.
    pub(super) fn detached(self) -> Self {
        let (offsets, partners) = (self.offsets().to_vec(), self.partners().to_vec());
        let rows = RowData::Merged { offsets, partners, manifolds: self.manifolds().to_vec() };
        Self { rows, ..self }
    }

    /// Only the pairs of which `keeps` says so, given their row and the id of the partner.
    pub(crate) fn retained(&self, keeps: impl Fn(usize, u32) -> bool) -> Self {
        let (found, contacts) = (self.partners(), self.manifolds());
        let (mut partners, mut manifolds) = (Vec::with_capacity(found.len()), Vec::with_capacity(contacts.len()));
        let mut offsets = Vec::with_capacity(self.offsets().len());
        offsets.push(0);
        for (row, ends) in self.offsets().windows(2).enumerate() {
            let (first, end) = (ends[0] as usize, ends[1] as usize);
            for (k, partner) in (first..).zip(&found[first..end]) {
                if keeps(row, partner & PARTNER_ID) {
                    partners.push(*partner);
                    manifolds.extend(contacts.get(k));
                }
            }
            offsets.push(partners.len() as u32);
        }
        Self { rows: RowData::Merged { offsets, partners, manifolds }, ..*self }
    }

    /// Merges the parts of a query row by row.
    pub(super) fn merged(rows: usize, parts: &[Self]) -> Result<Self> {
        let total: u64 = parts.iter().map(|part| part.partners().len() as u64).sum();
        if total > u64::from(u32::MAX) {
            return Err(Error::DeviceMemory { what: "pairs", needed: 4 * total, limit: 4 * u64::from(u32::MAX) });
        }
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut partners = Vec::with_capacity(total as usize);
        let has_contacts = parts.iter().any(|part| part.has_contacts);
        let mut manifolds = Vec::with_capacity(if has_contacts { total as usize } else { 0 });
        let rows_of: Vec<_> = parts.iter().map(|part| (part.offsets(), part.partners(), part.manifolds())).collect();
        offsets.push(0);
        for row in 0..rows {
            let start = partners.len();
            for (offsets, found, contacts) in &rows_of {
                let range = offsets[row] as usize..offsets[row + 1] as usize;
                partners.extend_from_slice(&found[range.clone()]);
                if has_contacts {
                    manifolds.extend_from_slice(&contacts[range]);
                }
            }
            partners[start..].sort_unstable_by_key(|partner| partner & PARTNER_ID);
            if has_contacts {
                manifolds[start..].sort_unstable_by_key(Manifold::b);
            }
            offsets.push(partners.len() as u32);
        }
        Ok(Self {
            rows: RowData::Merged { offsets, partners, manifolds },
            has_contacts,
            candidates: parts.iter().map(|part| part.candidates).sum(),
            undecided: parts.iter().map(|part| part.undecided).sum(),
        })
    }
}
