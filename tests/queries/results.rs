//! What can be asked of an answer: single bodies, changes since an earlier one, worlds, and its text.

use crate::properties::properties;
use std::collections::BTreeMap;

use proptest::prelude::*;
use tangency::scenes::random;
#[cfg_attr(not(feature = "serde"), allow(unused_imports, reason = "some tests need other features"))]
use tangency::shape::{Aabb, Pose, Sphere};
#[cfg_attr(not(feature = "serde"), allow(unused_imports, reason = "some tests need other features"))]
use tangency::{BackendKind, Bodies, Candidates, Contacts, Engine, Overlaps, PairChanges, Relation, Traits};

fn cpu() -> Engine {
    Engine::builder().backend(BackendKind::Cpu).threads(2).build().unwrap()
}

fn brute() -> Engine {
    Engine::builder().backend(BackendKind::BruteForce).build().unwrap()
}

fn ball(x: f32) -> Sphere {
    Sphere::new([x, 0.0, 0.0], 1.0).unwrap()
}

#[test]
fn neighbours_are_on_both_sides() {
    for seed in 0..30 {
        let bodies = random(seed, 300).unwrap();
        let hits = cpu().overlaps(&bodies).run().unwrap();
        let mut neighbours = vec![Vec::new(); bodies.id_bound()];
        for (a, b, relation) in &hits {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
            assert_eq!((hits.relation(a, b), hits.relation(b, a)), (relation, relation));
        }
        for (id, expected) in (0..).zip(&mut neighbours) {
            expected.sort_unstable();
            let found = hits.neighbours(id);
            assert_eq!(found.len(), expected.len());
            assert!(found.eq(expected.iter().copied()), "seed {seed}, body {id}");
            for other in 0..bodies.id_bound() as u32 {
                assert_eq!(hits.contains(id, other), expected.contains(&other), "seed {seed}, {id} and {other}");
            }
        }
        assert_eq!((hits.neighbours(9999).len(), hits.contains(0, 9999), hits.contains(9999, 0)), (0, false, false));
    }
}

#[test]
fn of_two_sets_the_first_body_comes_first() {
    let (mut a, mut b) = (Bodies::new(), Bodies::new());
    a.extend([ball(0.0), ball(9.0)]).unwrap();
    b.extend([ball(20.0), ball(1.0), ball(2.0)]).unwrap();
    let hits = cpu().overlaps(&a).against(&b).run().unwrap();
    assert_eq!(hits.to_vec(), [[0, 1], [0, 2]]);
    assert_eq!((hits.relation(0, 1), hits.relation(1, 0)), (Relation::Overlapping, Relation::Separate));
    assert_eq!((hits.relation(0, 2), hits.contains(2, 0)), (Relation::Touching, false));
    assert_eq!((hits.neighbours(0).collect::<Vec<_>>(), hits.neighbours(1).len()), (vec![1, 2], 0));
}

/// A result that is used again knows nothing of what it held.
#[test]
fn results_that_are_reused_forget() {
    let (engine, mut bodies, mut hits) = (cpu(), Bodies::new(), Overlaps::new());
    bodies.extend([ball(0.0), ball(1.0), ball(2.0)]).unwrap();
    engine.overlaps(&bodies).run_into(&mut hits).unwrap();
    assert_eq!(hits.neighbours(2).collect::<Vec<_>>(), [0, 1]);
    bodies.remove(0).unwrap();
    engine.overlaps(&bodies).run_into(&mut hits).unwrap();
    assert_eq!(hits.neighbours(2).collect::<Vec<_>>(), [1]);
    assert_eq!(hits.offsets(), [0, 0, 1, 1]);
}

/// A pair of ids, and the names of its bodies.
type Named = (u32, u32, u32, u32);

/// The changes by their definition: bodies are told apart by names that the test gives them.
fn expected_changes(now: &Overlaps, names: &[u32], earlier: &Overlaps, names_then: &[u32]) -> PairChanges {
    let named = |hits: &Overlaps, names: &[u32]| -> BTreeMap<Named, Relation> {
        hits.iter().map(|(a, b, relation)| ((a, b, names[a as usize], names[b as usize]), relation)).collect()
    };
    let (now, then) = (named(now, names), named(earlier, names_then));
    let list = |some: &BTreeMap<Named, Relation>, keep: &dyn Fn(&Named) -> bool| {
        some.iter().filter(|(pair, _)| keep(pair)).map(|(pair, relation)| (pair.0, pair.1, *relation)).collect()
    };
    let mut changes = PairChanges::default();
    changes.begun = list(&now, &|pair| !then.contains_key(pair));
    changes.stayed = list(&now, &|pair| then.contains_key(pair));
    changes.ended = list(&then, &|pair| !now.contains_key(pair));
    changes
}

properties! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn changes_are_those_of_the_bodies(
        steps in prop::collection::vec((0..6_u8, 0..12_u32, -8..8_i8), 1..40),
    ) {
        let (engine, mut bodies, mut names, mut next) = (brute(), Bodies::new(), Vec::new(), 0);
        let (mut earlier, mut names_then) = (Overlaps::new(), Vec::new());
        for (step, id, x) in steps {
            let shape = ball(f32::from(x) / 2.0);
            match step {
                0 | 1 => {
                    let id = bodies.push(shape).unwrap() as usize;
                    names.resize(names.len().max(id + 1), 0);
                    names[id] = next;
                    next += 1;
                }
                2 => drop(bodies.remove(id)),
                3 => drop(bodies.set_pose(id, Pose::at([f32::from(x) / 2.0, 0.0, 0.0]).unwrap())),
                4 => drop(bodies.set_shape(id, shape)),
                _ => {
                    let remap = bodies.compact();
                    let mut renamed = vec![0; bodies.id_bound()];
                    for (old, new) in remap.into_iter().enumerate() {
                        if let Some(new) = new {
                            renamed[new as usize] = names[old];
                        }
                    }
                    names = renamed;
                }
            }
            let hits = engine.overlaps(&bodies).run().unwrap();
            prop_assert_eq!(hits.changes_from(&earlier), expected_changes(&hits, &names, &earlier, &names_then));
            prop_assert_eq!(hits.changes_from(&hits).stayed.len(), hits.len());
            (earlier, names_then) = (hits, names.clone());
        }
    }
}

#[test]
fn other_sets_have_other_bodies() {
    let engine = cpu();
    let set = || {
        let mut bodies = Bodies::new();
        bodies.extend([ball(0.0), ball(1.0)]).unwrap();
        bodies
    };
    let (one, other) = (set(), set());
    let hits = [&one, &other, &one.clone()].map(|set| engine.overlaps(set).run().unwrap());
    assert_eq!(hits[1].changes_from(&hits[0]).begun.len(), 1, "the same ids, but not the same bodies");
    assert_eq!(hits[2].changes_from(&hits[0]).stayed.len(), 1, "a copy has the same bodies");
    let index = engine.index(&one).unwrap();
    let of_index = engine.overlaps(&index).run().unwrap();
    assert_eq!(of_index.changes_from(&hits[0]).stayed.len(), 1, "an index too");
    assert_eq!(hits[0].changes_from(&Overlaps::new()).begun.len(), 1);
}

/// Bodies that are in every world, against copies of them in each.
#[test]
fn bodies_in_every_world_are_as_copies_in_each() {
    for seed in 0..20 {
        let scene = random(seed, 200).unwrap();
        let worlds = 1 + seed as u32 % 5;
        let (mut shared, mut copied) = (Bodies::new(), Bodies::new());
        // By id in `copied`: the world and the id in `shared`.
        let mut origin = Vec::new();
        for body in &scene {
            let traits = body.traits.world(0);
            let everywhere = body.id.is_multiple_of(3);
            let own = body.id % worlds;
            let of = if everywhere { traits.in_every_world() } else { traits.world(own) };
            let id = shared.push_with(body.shape.clone(), of).unwrap();
            for world in if everywhere { 0..worlds } else { own..own + 1 } {
                copied.push_with(body.shape.clone(), traits.world(world)).unwrap();
                origin.push((world, id));
            }
        }
        let everywhere = |id: u32| id.is_multiple_of(3);
        // Two that are both everywhere meet once, and not once in each world.
        let mut expected: Vec<(u32, u32, u32, Relation)> = Vec::new();
        for (a, b, relation) in &brute().overlaps(&copied).run().unwrap() {
            let ((world, a), (_, b)) = (origin[a as usize], origin[b as usize]);
            match everywhere(a) && everywhere(b) {
                true if world == 0 => expected.push((Traits::EVERY_WORLD, a.min(b), a.max(b), relation)),
                true => {}
                false => expected.push((world, a.min(b), a.max(b), relation)),
            }
        }
        expected.sort_unstable();
        for engine in [brute(), cpu()] {
            let hits = engine.overlaps(&shared).run().unwrap();
            let by_world = hits.by_world(&shared).unwrap();
            let found: Vec<_> = by_world
                .iter()
                .flat_map(|(world, pairs)| pairs.iter().map(move |(a, b, r)| (world, *a, *b, *r)))
                .collect();
            assert_eq!(found, expected, "seed {seed}");
            assert!(by_world.worlds().is_sorted_by(|a, b| a < b));
            assert_eq!(by_world.worlds().iter().map(|world| by_world.pairs(*world).len()).sum::<usize>(), hits.len());
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn sets_and_answers_are_written_and_read() {
    let engine = cpu();
    let mut bodies = random(11, 200).unwrap();
    let shape = bodies.share(ball(0.0)).unwrap();
    bodies.push_shared(shape, Pose::IDENTITY).unwrap();
    bodies.remove(3).unwrap();
    bodies.disable(5).unwrap();
    bodies.exclude(0, 1).unwrap();
    let text = serde_json::to_string(&bodies).unwrap();
    let read: Bodies = serde_json::from_str(&text).unwrap();
    assert!(bodies.iter().eq(read.iter()) && bodies.excluded() == read.excluded());
    assert_eq!(
        (bodies.len(), bodies.id_bound(), bodies.shared(shape)),
        (read.len(), read.id_bound(), read.shared(shape))
    );
    assert_eq!(serde_json::to_string(&read).unwrap(), text);

    let hits = engine.overlaps(&bodies).run().unwrap();
    let read: Overlaps = serde_json::from_str(&serde_json::to_string(&hits).unwrap()).unwrap();
    assert_eq!((&read, read.offsets(), read.fingerprint()), (&hits, hits.offsets(), hits.fingerprint()));
    assert!((0..200).all(|id| read.neighbours(id).eq(hits.neighbours(id))));
    assert_eq!(read.changes_from(&hits).stayed.len(), hits.len(), "as far as is known, the same bodies");
    let candidates = engine.candidates(&bodies).run().unwrap();
    let read: Candidates = serde_json::from_str(&serde_json::to_string(&candidates).unwrap()).unwrap();
    assert_eq!(read, candidates);
    let contacts = engine.contacts(&tangency::scenes::Scene::Stacks.build(60, 1).unwrap()).run().unwrap();
    let text = serde_json::to_string(&contacts).unwrap();
    let read: Contacts = serde_json::from_str(&text).unwrap();
    assert!(read == contacts && read.fingerprint() == contacts.fingerprint() && !read.is_empty());
    for (from, to) in [
        ("\"on_b\":[", "\"on_b\":[1e39,"),
        ("\"manifolds\":[{\"a\":", "\"manifolds\":[{\"a\":9"),
        ("\"kind\":\"", "\"kind\":\"x"),
    ] {
        assert!(text.contains(from) && serde_json::from_str::<Contacts>(&text.replacen(from, to, 1)).is_err(), "{to}");
    }
    let by_world = hits.by_world(&bodies).unwrap();
    assert_eq!(by_world, serde_json::from_str(&serde_json::to_string(&by_world).unwrap()).unwrap());
    let changes = hits.changes_from(&Overlaps::new());
    assert_eq!(changes, serde_json::from_str(&serde_json::to_string(&changes).unwrap()).unwrap());

    for bad in [
        r#"{"rows":2,"of_two_sets":false,"pairs":[[0,1,"Separate"]]}"#,
        r#"{"rows":2,"of_two_sets":false,"pairs":[[1,0,"Touching"]]}"#,
        r#"{"rows":2,"of_two_sets":false,"pairs":[[0,2,"Touching"]]}"#,
        r#"{"rows":2,"of_two_sets":true,"pairs":[[2,0,"Touching"]]}"#,
        r#"{"rows":2,"of_two_sets":true,"pairs":[[0,1073741824,"Touching"]]}"#,
        r#"{"rows":3,"of_two_sets":false,"pairs":[[1,2,"Touching"],[0,1,"Touching"]]}"#,
        r#"{"rows":3,"of_two_sets":false,"pairs":[[0,1,"Touching"],[0,1,"Touching"]]}"#,
        r#"{"rows":3,"of_two_sets":false,"pairs":[],"more":1}"#,
    ] {
        assert!(serde_json::from_str::<Overlaps>(bad).is_err(), "{bad}");
    }
    for bad in [
        r#"{"bodies":[{"shape":{"sphere":{"center":[0,0,0],"radius":-1}}}]}"#,
        r#"{"bodies":[{"shape":{"plane":{"normal":[0,0,0],"offset":0}}}]}"#,
        r#"{"bodies":[{"shape":{"triangle":{"a":[0,0,0],"b":[1,0,0],"c":[0,1,0]}}}]}"#,
        r#"{"bodies":[null],"excluded":[[0,1]]}"#,
        r#"{"bodies":[],"shared":[{"aabb":{"min":[0,0,0],"max":[1,1,1]}}]}"#,
    ] {
        assert!(serde_json::from_str::<Bodies>(bad).is_err(), "{bad}");
    }
    let site = Bodies::with_origin([1e7, 0.0, -0.5]).unwrap();
    let read: Bodies = serde_json::from_str(&serde_json::to_string(&site).unwrap()).unwrap();
    assert_eq!(read.origin(), site.origin());
    let cube = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    let plain: Bodies =
        serde_json::from_str(r#"{"bodies":[{"shape":{"aabb":{"min":[0,0,0],"max":[1,1,1]}}}]}"#).unwrap();
    assert_eq!((plain.shape(0), plain.traits(0), plain.is_enabled(0)), (Ok(cube.into()), Ok(Traits::new()), Ok(true)));
}
