//! Pairs of bodies as one set, of which every engine is asked.

use tangency::query::Motion;
use tangency::shape::Shape;
use tangency::{Bodies, Contacts, Relation, Traits};

use crate::engines::{ENGINES, brute};

/// Pairs as one set, in which each is a world of its own.
pub struct Worlds {
    pub bodies: Bodies,
    pub listed: Vec<[u32; 2]>,
    /// What each pair is to be.
    pub expected: Vec<Relation>,
}

impl Worlds {
    /// All these pairs, of which every second one is swapped.
    pub fn of(pairs: impl IntoIterator<Item = [Shape; 2]>, expected: impl Fn(&[Shape; 2]) -> Relation) -> Self {
        let mut worlds = Self { bodies: Bodies::new(), listed: Vec::new(), expected: Vec::new() };
        for (number, mut pair) in pairs.into_iter().enumerate() {
            worlds.expected.push(expected(&pair));
            if number % 2 == 1 {
                pair.swap(0, 1);
            }
            let world = Traits::new().world(number as u32);
            worlds.listed.push(pair.map(|shape| worlds.bodies.push_with(shape, world).unwrap()));
        }
        worlds
    }

    /// The pairs that are to be found, with their relations.
    pub fn hits(&self) -> Vec<(u32, u32, Relation)> {
        let all = self.listed.iter().zip(&self.expected);
        all.filter(|(_, relation)| relation.is_hit()).map(|([a, b], relation)| (*a, *b, *relation)).collect()
    }

    /// Asserts that every engine has the relation of every pair, and that enough of them touch.
    pub fn check_relations(&self) {
        let Self { bodies, listed, expected } = self;
        let hits = self.hits();
        for (name, engine) in &*ENGINES {
            assert!(engine.relations(bodies, listed).run().unwrap() == *expected, "{name}: relations");
            let found: Vec<_> = engine.overlaps(bodies).run().unwrap().iter().collect();
            assert_eq!(found.len(), hits.len(), "{name}");
            for (found, expected) in found.iter().zip(&hits) {
                let shapes = || [expected.0, expected.1].map(|id| bodies.shape(id));
                assert_eq!(found, expected, "{name}: {:?}", shapes());
            }
        }
        let touching = expected.iter().filter(|relation| **relation == Relation::Touching).count();
        assert!(touching > expected.len() / 5, "{touching} of {}", expected.len());
    }

    /// Asserts that contacts, those of bodies that are apart, clearances and sweeps have the same bits everywhere. Returns the contacts.
    pub fn check_details(&self) -> Contacts {
        let bodies = &self.bodies;
        let contacts = brute().contacts(bodies).run().unwrap();
        let approaches = brute().contacts(bodies).margin(0.5).run().unwrap();
        let near = brute().clearances(bodies, 0.5).run().unwrap();
        let motions: Vec<Motion> = (0..bodies.id_bound())
            .map(|k| match k % 4 {
                0 => Motion::REST,
                1 => Motion::translation([0.0, -0.5 * (k % 7) as f32, 0.25]).unwrap(),
                2 => Motion::new([0.5, 0.0, 0.0], [0.0, 0.0, 1.0]).unwrap(),
                _ => Motion::translation([0.5, 0.5, -0.5]).unwrap(),
            })
            .collect();
        let swept = brute().sweep(bodies, &motions).run().unwrap();
        for (name, engine) in &*ENGINES {
            let found = engine.contacts(bodies).run().unwrap();
            assert!(found == contacts && found.fingerprint() == contacts.fingerprint(), "{name}: contacts");
            let found = engine.contacts(bodies).margin(0.5).run().unwrap();
            assert!(found == approaches && found.fingerprint() == approaches.fingerprint(), "{name}: approaches");
            let found = engine.clearances(bodies, 0.5).run().unwrap();
            assert!(found == near && found.fingerprint() == near.fingerprint(), "{name}: clearances");
            let found = engine.sweep(bodies, &motions).run().unwrap();
            assert!(found == swept && found.fingerprint() == swept.fingerprint(), "{name}: sweeps");
        }
        contacts
    }
}

/// The pairs of all families and kinds, one after the other.
pub fn all(families: usize, kinds: &[usize], pairs: impl Fn(usize, usize) -> Vec<[Shape; 2]>) -> Vec<[Shape; 2]> {
    let of_kinds = |family: usize| kinds.iter().map(move |kind| (family, *kind));
    (0..families).flat_map(of_kinds).flat_map(|(family, kind)| pairs(family, kind)).collect()
}
