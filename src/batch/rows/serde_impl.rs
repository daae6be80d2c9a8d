//! Reading and writing answers: their pairs, each with its relation. How they were found, and which bodies had the ids, is left out.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::Overlaps;
use crate::relation::MARK_TOUCHING;
use crate::{Bodies, Relation};

/// An answer as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Pairs", deny_unknown_fields)]
pub(crate) struct Written<T> {
    /// How many rows there are: one for each id of the first set.
    rows: usize,
    of_two_sets: bool,
    pairs: Vec<T>,
}

impl<T> Written<T> {
    pub(crate) fn of(hits: &Overlaps, pair: impl Fn((u32, u32, Relation)) -> T) -> Self {
        let rows = hits.offsets.len().saturating_sub(1);
        Self { rows, of_two_sets: hits.origin.of_two_sets, pairs: hits.iter().map(pair).collect() }
    }

    /// The answer, if it is one.
    pub(crate) fn read(self, pair: impl Fn(T) -> (u32, u32, Relation)) -> Result<Overlaps, &'static str> {
        let (rows, of_two_sets) = (self.rows, self.of_two_sets);
        let pairs: Vec<_> = self.pairs.into_iter().map(pair).collect();
        let sorted = pairs.windows(2).all(|two| (two[0].0, two[0].1) < (two[1].0, two[1].1));
        let known = |(a, b, relation): &(u32, u32, Relation)| {
            let second = if of_two_sets { (*b as usize) < Bodies::MAX } else { a < b && (*b as usize) < rows };
            (*a as usize) < rows && second && relation.is_hit()
        };
        if rows > Bodies::MAX || !sorted || !pairs.iter().all(known) {
            return Err("pairs must be hits with ids below `rows`, each once, sorted");
        }
        let mut hits = Overlaps::new();
        hits.origin.of_two_sets = of_two_sets;
        hits.offsets = vec![0; rows + 1];
        for (a, b, relation) in pairs {
            hits.offsets[a as usize + 1] += 1;
            hits.partners.push(if relation == Relation::Touching { b | MARK_TOUCHING } else { b });
        }
        for k in 0..rows {
            hits.offsets[k + 1] += hits.offsets[k];
        }
        Ok(hits)
    }
}

impl Serialize for Overlaps {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::of(self, |pair| pair).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Overlaps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Written::deserialize(deserializer)?.read(|pair| pair).map_err(D::Error::custom)
    }
}
