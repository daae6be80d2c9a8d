//! What an answer says of single bodies, and of the changes since an earlier one.

use tangency::{Overlaps, Relation};

use super::model::Pairs;
use super::sequences::Session;
use super::steps::{Query, Target};

/// Pairs with the numbers of their bodies.
pub type Known = Vec<((u32, u32, Relation), [u64; 2])>;

impl Session<'_> {
    /// What is wrong with what a new answer about a set says of single bodies, and of the changes since the last one.
    pub fn wrong_changes(&mut self, number: usize, query: &Query, found: &Overlaps) -> Option<String> {
        let Query::Overlaps { set: Target::Set(set), only: false } = *query else { return None };
        let entries = &self.models[set].entries;
        let known: Known =
            found.iter().map(|pair| (pair, [pair.0, pair.1].map(|id| entries[id as usize].birth))).collect();
        let (earlier, before) = std::mem::replace(&mut self.last[number][set], (found.clone(), known.clone()));
        let changes = found.changes_from(&earlier);
        let stays = |pair: &((u32, u32, Relation), [u64; 2]), others: &Known| {
            others.iter().any(|other| (other.0.0, other.0.1, other.1) == (pair.0.0, pair.0.1, pair.1))
        };
        let some = |pairs: &Known, others: &Known, staying: bool| -> Pairs {
            pairs.iter().filter(|pair| stays(pair, others) == staying).map(|pair| pair.0).collect()
        };
        // (Large answers would take long to compare one by one.)
        if known.len() + before.len() < 2000 {
            for (what, found, expected) in [
                ("begun", &changes.begun, some(&known, &before, false)),
                ("stayed", &changes.stayed, some(&known, &before, true)),
                ("ended", &changes.ended, some(&before, &known, false)),
            ] {
                if *found != expected {
                    return Some(format!("{} pairs have {what}, not {}", found.len(), expected.len()));
                }
            }
        }
        for id in (0..=entries.len() as u32).step_by(1 + entries.len() / 8) {
            let of = |(a, b, _): (u32, u32, Relation)| {
                [(a, b), (b, a)].into_iter().find(|pair| pair.0 == id).map(|pair| pair.1)
            };
            let mut expected: Vec<u32> = found.iter().filter_map(of).collect();
            expected.sort_unstable();
            if !found.neighbours(id).eq(expected.iter().copied())
                || !expected.iter().all(|other| found.contains(*other, id))
            {
                return Some(format!("the neighbours of {id} are not {expected:?}"));
            }
        }
        None
    }
}
