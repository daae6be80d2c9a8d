//! A naive model of [`Bodies`]: a list, with the rules of traits written down again from their documentation.

use std::collections::{BTreeSet, HashMap};

use tangency::{Bodies, Relation, Side, Traits};

use super::form::{Form, Kind};
use super::{judge, oracle};

/// The traits of a body, as numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    pub layer: u32,
    pub mask: u32,
    pub group: u32,
    pub world: u32,
    pub fixed: bool,
}

impl Rules {
    pub const USUAL: Self = Self { layer: 1, mask: !0, group: 0, world: 0, fixed: false };

    pub fn traits(self) -> Traits {
        Traits::new().layer(self.layer).mask(self.mask).group(self.group).world(self.world).fixed(self.fixed)
    }

    fn meets(self, other: Self) -> bool {
        let same_group = self.group != 0 && self.group == other.group;
        let layers = self.layer & other.mask != 0 && other.layer & self.mask != 0;
        self.world == other.world && layers && !same_group && !(self.fixed && other.fixed)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub form: Form,
    pub rules: Rules,
    pub enabled: bool,
}

impl Entry {
    pub fn new(form: Form, rules: Rules) -> Self {
        Self { form, rules, enabled: true }
    }

    fn meets(&self, other: &Self) -> bool {
        self.enabled && other.enabled && self.rules.meets(other.rules)
    }
}

/// The expected content of a set.
#[derive(Clone, Default)]
pub struct Model {
    pub entries: Vec<Entry>,
    /// Excluded pairs, the lower id first.
    pub excluded: BTreeSet<(u32, u32)>,
}

impl Model {
    pub fn exclude(&mut self, a: u32, b: u32) {
        self.excluded.insert((a.min(b), a.max(b)));
    }

    pub fn include(&mut self, a: u32, b: u32) -> bool {
        self.excluded.remove(&(a.min(b), a.max(b)))
    }

    /// Removes body `i`; the last one takes its id.
    pub fn swap_remove(&mut self, i: u32) {
        self.entries.swap_remove(i as usize);
        let last = self.entries.len() as u32;
        let named = |id: u32| if id == last { i } else { id };
        let kept: Vec<_> = self.excluded.iter().filter(|(a, b)| *a != i && *b != i).copied().collect();
        self.excluded.clear();
        for (a, b) in kept {
            self.exclude(named(a), named(b));
        }
    }

    /// Removes the disabled bodies, and closes the gaps.
    pub fn compact(&mut self) {
        let mut next = 0;
        let ids: Vec<Option<u32>> = self
            .entries
            .iter()
            .map(|entry| {
                next += u32::from(entry.enabled);
                entry.enabled.then(|| next - 1)
            })
            .collect();
        self.entries.retain(|entry| entry.enabled);
        let excluded = self.excluded.iter();
        let kept: Vec<_> = excluded.filter_map(|(a, b)| Some((ids[*a as usize]?, ids[*b as usize]?))).collect();
        self.excluded.clear();
        for (a, b) in kept {
            self.exclude(a, b);
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// A new set with the same content, which no engine has prepared.
    pub fn rebuilt(&self) -> tangency::Result<Bodies> {
        let mut bodies = Bodies::with_capacity(self.entries.len());
        for (id, entry) in (0..).zip(&self.entries) {
            bodies.push_with(entry.form.shape()?, entry.rules.traits())?;
            if !entry.enabled {
                bodies.disable(id)?;
            }
        }
        for (a, b) in &self.excluded {
            bodies.exclude(*a, *b)?;
        }
        Ok(bodies)
    }

    /// How a set differs from this model, if it does.
    pub fn difference(&self, bodies: &Bodies) -> tangency::Result<Option<String>> {
        if bodies.len() != self.entries.len() {
            return Ok(Some(format!("the set has {} bodies, not {}", bodies.len(), self.entries.len())));
        }
        for (id, entry) in (0..).zip(&self.entries) {
            let same = bodies.shape(id)? == entry.form.shape()?
                && bodies.traits(id)? == entry.rules.traits()
                && bodies.is_enabled(id)? == entry.enabled;
            if !same {
                return Ok(Some(format!("body {id} of the set is not {entry:?}")));
            }
        }
        let excluded: Vec<_> = self.excluded.iter().copied().collect();
        Ok((bodies.excluded() != excluded).then(|| format!("the excluded pairs are not {excluded:?}")))
    }

    pub fn sides(&self, planes: &[[f32; 4]]) -> Vec<Side> {
        let side = |entry: &Entry| if entry.enabled { judge::side(&entry.form, planes) } else { Side::Outside };
        self.entries.iter().map(side).collect()
    }
}

type Bits = (Kind, [u32; 10]);

/// A cache of the oracle's relations, by pair of shapes.
#[derive(Default)]
pub struct Memory(HashMap<(Bits, Bits), Relation>);

pub type Pairs = Vec<(u32, u32, Relation)>;

impl Memory {
    pub fn relation(&mut self, a: &Form, b: &Form) -> Relation {
        *self.0.entry((a.bits(), b.bits())).or_insert_with(|| oracle::relation(a, b))
    }

    fn wanted(&mut self, a: &Form, b: &Form, only: bool) -> Option<Relation> {
        let relation = self.relation(a, b);
        (relation == Relation::Overlapping || relation == Relation::Touching && !only).then_some(relation)
    }

    /// All pairs within a set.
    pub fn within(&mut self, set: &Model, only: bool) -> Pairs {
        let mut pairs = Vec::new();
        for (i, a) in (0..).zip(&set.entries) {
            for (j, b) in (0..).zip(&set.entries).skip(i as usize + 1) {
                if a.meets(b) && !set.excluded.contains(&(i, j)) {
                    pairs.extend(self.wanted(&a.form, &b.form, only).map(|relation| (i, j, relation)));
                }
            }
        }
        pairs
    }

    /// All pairs between two sets, to which exclusions do not apply.
    pub fn between(&mut self, x: &Model, y: &Model, only: bool) -> Pairs {
        let mut pairs = Vec::new();
        for (i, a) in (0..).zip(&x.entries) {
            for (j, b) in (0..).zip(&y.entries) {
                if a.meets(b) {
                    pairs.extend(self.wanted(&a.form, &b.form, only).map(|relation| (i, j, relation)));
                }
            }
        }
        pairs
    }

    /// Whether traits and exclusions allow a candidate pair within a set.
    pub fn may_be_candidate(set: &Model, a: u32, b: u32) -> bool {
        a < b && Self::may_meet(set, set, a, b) && !set.excluded.contains(&(a, b))
    }

    /// Whether traits allow a candidate pair between two sets.
    pub fn may_meet(x: &Model, y: &Model, a: u32, b: u32) -> bool {
        let (a, b) = (x.entries.get(a as usize), y.entries.get(b as usize));
        a.zip(b).is_some_and(|(a, b)| a.meets(b))
    }
}
