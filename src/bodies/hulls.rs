//! The local forms of the hulls of a set, each of them once.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Kind, Record};
use crate::shape::hull_record::{FORM_BITS, FORM_WORD, form_of};
use crate::shape::{ConvexHull, PlacedHull, Pose};
use crate::{Error, Result};

/// Local forms by their numbers, which the records of hulls have. A form stays for some time after the last body with it has gone.
#[derive(Clone, Debug, Default)]
pub(super) struct Hulls {
    forms: Arc<Vec<ConvexHull>>,
    /// The numbers of forms by their fingerprints.
    numbers: HashMap<u64, u32>,
    /// Numbers without a form.
    free: Vec<u32>,
    /// How many forms there are when those that no body has are next dropped.
    sweep_at: usize,
    /// The number of the last change, or 0: no other change of any set has it, so that equal numbers are of equal forms. (Copies of a set may
    /// take different forms, and an index follows one copy after the other.)
    revision: u64,
}

/// The next number of a change.
static NEXT_REVISION: AtomicU64 = AtomicU64::new(1);

fn next_revision() -> u64 {
    NEXT_REVISION.fetch_add(1, Ordering::Relaxed)
}

/// Fewer forms than these are not looked through.
const FEW: usize = 64;

impl Hulls {
    /// The most forms that there can be.
    const MAX: u32 = 1 << FORM_BITS;

    /// The forms, in no pose; numbers without a form have some other.
    pub(super) fn forms(&self) -> &[ConvexHull] {
        &self.forms
    }

    /// The number of a hull's form, which is added if it is new.
    pub(super) fn number_of(&mut self, hull: &PlacedHull<'_>) -> Result<u32> {
        let fingerprint = hull.fingerprint();
        if let Some(number) = self.numbers.get(&fingerprint)
            && self.forms[*number as usize].as_placed().has_form_of(hull)
        {
            return Ok(*number);
        }
        let form = ConvexHull::from(hull.with_pose(Pose::IDENTITY));
        let forms = Arc::make_mut(&mut self.forms);
        let number = self.free.pop().unwrap_or(forms.len() as u32);
        if number >= Self::MAX {
            return Err(Error::TooManyHulls { limit: Self::MAX as usize });
        }
        if number as usize == forms.len() {
            forms.push(form);
        } else {
            forms[number as usize] = form;
        }
        // (Another form with this fingerprint, if there ever is one, is from now on taken for new each time.)
        self.numbers.insert(fingerprint, number);
        self.revision = next_revision();
        Ok(number)
    }

    /// Drops the forms that none of these bodies has, if there are many more than at the last time.
    pub(super) fn sweep(&mut self, kinds: &[Kind], records: &[Record]) {
        if self.forms.len() - self.free.len() < self.sweep_at.max(FEW) {
            return;
        }
        let mut used = vec![false; self.forms.len()];
        for (_, record) in kinds.iter().zip(records).filter(|(kind, _)| **kind == Kind::ConvexHull) {
            used[form_of(record[FORM_WORD]) as usize] = true;
        }
        self.free = (0..used.len() as u32).filter(|number| !used[*number as usize]).collect();
        self.numbers.retain(|_, number| used[*number as usize]);
        let some = (0..used.len()).find(|number| used[*number]);
        let forms = Arc::make_mut(&mut self.forms);
        match some.map(|number| forms[number].clone()) {
            Some(some) => {
                for number in &self.free {
                    forms[*number as usize] = some.clone();
                }
            }
            None => *self = Self::default(),
        }
        self.sweep_at = 2 * (self.forms.len() - self.free.len());
        self.revision = next_revision();
    }

    /// Makes this equal to `other`, of which it was a copy.
    pub(super) fn follow(&mut self, other: &Self) {
        if self.revision != other.revision {
            self.clone_from(other);
        }
    }
}

#[cfg(feature = "gpu")]
impl super::Bodies {
    /// The local forms of hulls, and a number that changes with them.
    pub(crate) fn hulls(&self) -> (&[ConvexHull], u64) {
        let hulls = &self.columns.hulls;
        (hulls.forms(), hulls.revision)
    }

    /// Whether there are any.
    pub(crate) fn has_hulls(&self) -> bool {
        !self.columns.hulls.forms().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::hull_record::FORM_BITS;

    /// Forms that come and go leave nothing behind: neither themselves nor their fingerprints.
    #[test]
    fn forms_that_no_body_has_are_forgotten() {
        let mut hulls = Hulls::default();
        let form = |k: u16| ConvexHull::from_points([[0.0; 3], [f32::from(k), 1.0, 0.0]]).expect("a hull");
        let kept = hulls.number_of(&form(0).as_placed()).expect("room");
        let mut record = Record::default();
        record[FORM_WORD] = f32::from_bits(kept);
        assert!(kept < 1 << FORM_BITS && form_of(record[FORM_WORD]) == kept);
        for k in 1..2000 {
            hulls.number_of(&form(k).as_placed()).expect("room");
            hulls.sweep(&[Kind::ConvexHull], &[record]);
            assert!(hulls.forms().len() <= FEW && hulls.numbers.len() <= FEW, "{k}");
        }
        assert_eq!(hulls.number_of(&form(0).as_placed()).expect("room"), kept);
    }
}
