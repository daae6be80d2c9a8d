//! A naive model of [`Bodies`]: a list, with the rules of traits written down again from their documentation.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use tangency::{Bodies, Relation, Side, Traits};

use super::form::{Form, Kind, NUMBERS};
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
        let together = self.world == other.world || [self.world, other.world].contains(&u32::MAX);
        together && layers && !same_group && !(self.fixed && other.fixed)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub form: Form,
    pub rules: Rules,
    pub enabled: bool,
    /// Whether a body has this id. If not, the rest is that of the last one that had it, disabled.
    pub present: bool,
    /// A number that no other body has.
    pub birth: u64,
}

impl Entry {
    pub fn new(form: Form, rules: Rules) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { form, rules, enabled: true, present: true, birth: NEXT.fetch_add(1, Ordering::Relaxed) }
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

    /// The ids that bodies have.
    pub fn ids(&self) -> Vec<u32> {
        (0..).zip(&self.entries).filter(|(_, entry)| entry.present).map(|(id, _)| id).collect()
    }

    /// Adds a body where the first one is missing, or at the end. Returns its id.
    pub fn push(&mut self, entry: Entry) -> u32 {
        let hole = self.entries.iter().position(|entry| !entry.present);
        match hole {
            Some(id) => self.entries[id] = entry,
            None => self.entries.push(entry),
        }
        hole.unwrap_or(self.entries.len() - 1) as u32
    }

    /// Removes body `i` and its exclusions.
    pub fn remove(&mut self, i: u32) {
        let entry = &mut self.entries[i as usize];
        (entry.present, entry.enabled) = (false, false);
        self.excluded.retain(|(a, b)| *a != i && *b != i);
    }

    /// Closes the gaps.
    pub fn compact(&mut self) {
        let mut next = 0;
        let ids: Vec<Option<u32>> = self
            .entries
            .iter()
            .map(|entry| {
                next += u32::from(entry.present);
                entry.present.then(|| next - 1)
            })
            .collect();
        self.entries.retain(|entry| entry.present);
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
        let shapes = self.entries.iter().map(|entry| Ok((entry.form.shape()?, entry.rules.traits())));
        bodies.extend_with(shapes.collect::<tangency::Result<Vec<_>>>()?)?;
        for (id, entry) in (0..).zip(&self.entries) {
            match (entry.present, entry.enabled) {
                (false, _) => bodies.remove(id)?,
                (true, false) => bodies.disable(id)?,
                (true, true) => {}
            }
        }
        for (a, b) in &self.excluded {
            bodies.exclude(*a, *b)?;
        }
        Ok(bodies)
    }

    /// How a set differs from this model, if it does.
    pub fn difference(&self, bodies: &Bodies) -> tangency::Result<Option<String>> {
        let ids = self.ids();
        if (bodies.len(), bodies.id_bound()) != (ids.len(), self.entries.len()) {
            let found = (bodies.len(), bodies.id_bound());
            return Ok(Some(format!(
                "the set has {found:?} bodies and ids, not {:?}",
                (ids.len(), self.entries.len())
            )));
        }
        if !bodies.iter().map(|body| body.id).eq(ids) {
            return Ok(Some("the ids of the set are not those of the model".to_owned()));
        }
        for (id, entry) in (0..).zip(&self.entries) {
            if !entry.present {
                if bodies.contains(id) || bodies.shape(id).is_ok() {
                    return Ok(Some(format!("body {id} was removed, and is there")));
                }
                continue;
            }
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

type Bits = (Kind, [u32; NUMBERS]);

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
