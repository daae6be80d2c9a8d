//! Requests through the public API: every ending, sets and indices, many at once, and futures that are dropped, on every backend.

#![cfg_attr(not(feature = "gpu"), allow(unused_imports, reason = "some tests need a device"))]

use std::fmt::Debug;
use std::future::{Future, IntoFuture, poll_fn};
use std::pin::pin;
use std::task::{Context, Waker};

use tangency::batch::Query;
use tangency::query::Motion;
use tangency::scenes::{Scene, random, random_rays};
use tangency::shape::{Aabb, Plane, Pose, Ray, Sphere};
use tangency::{
    AllHits, AnyHits, BackendKind, Bodies, Builder, Candidates, Clearances, Closest, Contacts, Engine, Error,
    NearestHits, Overlaps, Points, Request, SweepHits, Traits,
};

use crate::engines::{ENGINES, brute, builders, is_long, let_dropped_work_end, planes, poll_once, together};

/// Every ending of a request gives this answer, also in a result that holds another one.
fn ends<Q: Query + Clone>(request: &Request<'_, Q>, expected: &Q::Output, used: &mut Q::Output, what: &str)
where
    Q::Output: PartialEq,
{
    assert!(request.clone().run().unwrap() == *expected, "{what}: run");
    request.clone().run_into(used).unwrap();
    assert!(*used == *expected, "{what}: run_into");
    assert!(pollster::block_on(request.clone().into_future()).unwrap() == *expected, "{what}: await");
}

#[test]
fn every_ending_gives_the_same_answer_for_a_set_and_its_index() {
    let (brute, planes) = (brute(), planes());
    let (mut rows, mut candidates, mut relations, mut sides) =
        (Overlaps::new(), Candidates::new(), Vec::new(), Vec::new());
    for seed in [3, 4] {
        let (a, b) = (random(seed, 700).unwrap(), random(seed + 50, 250).unwrap());
        let within = brute.overlaps(&a).run().unwrap();
        let clashes = brute.overlaps(&a).overlapping_only().run().unwrap();
        let between = brute.overlaps(&a).against(&b).run().unwrap();
        let between_clashes = brute.overlaps(&a).against(&b).overlapping_only().run().unwrap();
        let pairs = brute.candidates(&a).run().unwrap();
        let listed = pairs.to_vec();
        let related = brute.relations(&a, &listed).run().unwrap();
        let culled = brute.cull(&a, &planes).run().unwrap();
        let rays: Vec<Ray> = random_rays(&a, 40, seed).iter().map(|shot| shot.ray).collect();
        let everywhere = Traits::new().layer(!0).in_every_world();
        let request = brute.cast_rays(&a, &rays).with_traits(everywhere);
        let (nearest, any) = (request.clone().run().unwrap(), request.clone().any().run().unwrap());
        let all = request.until(0.5).all().run().unwrap();
        let mut hits = (NearestHits::new(), AnyHits::new(), AllHits::new());
        for (name, engine) in &*ENGINES {
            let (x, y) = (engine.index(&a).unwrap(), engine.index(&b).unwrap());
            for (set, request) in [("a set", engine.overlaps(&a)), ("an index", engine.overlaps(&x))] {
                let what = format!("{name}, overlaps of {set}");
                ends(&request, &within, &mut rows, &what);
                assert_eq!(rows.offsets(), within.offsets(), "{what}");
                ends(&request.clone().overlapping_only(), &clashes, &mut rows, &what);
                for (other, request) in [("a set", request.clone().against(&b)), ("an index", request.against(&y))] {
                    let what = format!("{what} against {other}");
                    ends(&request, &between, &mut rows, &what);
                    assert_eq!(rows.offsets(), between.offsets(), "{what}");
                    ends(&request.overlapping_only(), &between_clashes, &mut rows, &what);
                }
            }
            // How many candidates there are beside the hits is the backend's affair.
            let own = engine.candidates(&a).run().unwrap();
            let own_pairs = own.to_vec();
            assert!(within.pairs().all(|(a, b)| own_pairs.binary_search(&[a, b]).is_ok()), "{name}");
            let own_between = engine.candidates(&a).against(&b).run().unwrap();
            let pairs_between = own_between.to_vec();
            let among = |pair| pairs_between.binary_search(pair).is_ok();
            assert!(between.to_vec().iter().all(among), "{name}");
            assert!(pairs_between.is_sorted_by(|x, y| x < y), "{name}");
            for (set, request) in [("a set", engine.candidates(&a)), ("an index", engine.candidates(&x))] {
                let what = format!("{name}, candidates of {set}");
                ends(&request, &own, &mut candidates, &what);
                assert_eq!(candidates.stats().candidates, own.len() as u64, "{what}");
                ends(&request.clone().against(&b), &own_between, &mut candidates, &what);
                ends(&request.against(&y), &own_between, &mut candidates, &what);
            }
            for (set, request) in
                [("a set", engine.relations(&a, &listed)), ("an index", engine.relations(&x, &listed))]
            {
                ends(&request, &related, &mut relations, &format!("{name}, relations of {set}"));
            }
            for (set, request) in [("a set", engine.cast_rays(&a, &rays)), ("an index", engine.cast_rays(&x, &rays))] {
                let what = format!("{name}, rays at {set}");
                ends(&request.clone().with_traits(everywhere), &nearest, &mut hits.0, &what);
                ends(&request.clone().with_traits(everywhere).any(), &any, &mut hits.1, &what);
                ends(&request.with_traits(everywhere).until(0.5).all(), &all, &mut hits.2, &what);
            }
            for (set, request) in [("a set", engine.cull(&a, &planes)), ("an index", engine.cull(&x, &planes))] {
                ends(&request, &culled, &mut sides, &format!("{name}, sides of {set}"));
            }
        }
    }
}

#[test]
fn every_ending_gives_the_same_contacts_for_a_set_and_its_index() {
    let (brute, mut used) = (brute(), Contacts::new());
    for seed in [3, 4] {
        let (a, b) = (random(seed, 700).unwrap(), random(seed + 50, 250).unwrap());
        let within = brute.contacts(&a).run().unwrap();
        let deepest = brute.contacts(&a).deepest_point_only().run().unwrap();
        let clashes = brute.contacts(&a).overlapping_only().run().unwrap();
        let between = brute.contacts(&a).against(&b).run().unwrap();
        let deepest_clashes = brute.contacts(&a).against(&b).overlapping_only().deepest_point_only().run().unwrap();
        // The pairs are those of `overlaps`, and the deepest point is one of them all.
        assert!(*within.pairs() == brute.overlaps(&a).run().unwrap());
        assert!(*between.pairs() == brute.overlaps(&a).against(&b).run().unwrap());
        // (Two half-spaces have none.)
        let most = |k: usize| within.manifolds()[k].points().len().min(1);
        let one = (0..within.len()).all(|k| deepest.manifolds()[k].points().len() == most(k));
        assert!(deepest.pairs() == within.pairs() && one);
        let among =
            |k: usize| most(k) == 0 || within.manifolds()[k].points().any(|p| deepest.manifolds()[k].points().eq([p]));
        assert!((0..within.len()).all(among));
        for (name, engine) in &*ENGINES {
            let (x, y) = (engine.index(&a).unwrap(), engine.index(&b).unwrap());
            for (set, request) in [("a set", engine.contacts(&a)), ("an index", engine.contacts(&x))] {
                let what = format!("{name}, contacts of {set}");
                ends(&request, &within, &mut used, &what);
                assert_eq!(used.fingerprint(), within.fingerprint(), "{what}");
                ends(&request.clone().deepest_point_only(), &deepest, &mut used, &what);
                ends(&request.clone().overlapping_only(), &clashes, &mut used, &what);
                for (other, request) in [("a set", request.clone().against(&b)), ("an index", request.against(&y))] {
                    let what = format!("{what} against {other}");
                    ends(&request, &between, &mut used, &what);
                    assert_eq!(used.pairs().offsets(), between.pairs().offsets(), "{what}");
                    ends(&request.deepest_point_only().overlapping_only(), &deepest_clashes, &mut used, &what);
                }
            }
        }
    }
}

#[test]
fn every_ending_gives_the_same_distances_times_and_nearest_bodies() {
    let (brute, a, b) = (brute(), random(5, 300).unwrap(), random(55, 120).unwrap());
    let (mut near, mut met, mut nearest) = (Clearances::new(), SweepHits::new(), Closest::new());
    let motions: Vec<Motion> = (0..a.id_bound())
        .map(|id| Motion::translation([id as f32 % 3.0 - 1.0, 0.5, id as f32 % 5.0 * 0.25]).unwrap())
        .collect();
    let points = Points::of((0..40).map(|k| [k as f32 * 0.3 - 6.0, k as f32 % 7.0 - 3.0, 1.0])).unwrap();
    let within = brute.clearances(&a, 0.25).run().unwrap();
    let between = brute.clearances(&a, 0.25).against(&b).run().unwrap();
    let hits = brute.sweep(&a, &motions).run().unwrap();
    let (one, three) = (brute.closest(&a, &points), brute.closest(&a, &points).count(3));
    let (one, three) = (one.run().unwrap(), three.run().unwrap());
    for (name, engine) in &*ENGINES {
        let (x, y) = (engine.index(&a).unwrap(), engine.index(&b).unwrap());
        for (set, request) in [("a set", engine.clearances(&a, 0.25)), ("an index", engine.clearances(&x, 0.25))] {
            let what = format!("{name}, distances in {set}");
            ends(&request, &within, &mut near, &what);
            ends(&request.clone().against(&b), &between, &mut near, &what);
            ends(&request.against(&y), &between, &mut near, &what);
        }
        for (set, request) in [("a set", engine.sweep(&a, &motions)), ("an index", engine.sweep(&x, &motions))] {
            ends(&request, &hits, &mut met, &format!("{name}, times in {set}"));
        }
        for (set, request) in [("a set", engine.closest(&a, &points)), ("an index", engine.closest(&x, &points))] {
            let what = format!("{name}, the nearest of {set}");
            ends(&request, &one, &mut nearest, &what);
            ends(&request.count(3), &three, &mut nearest, &what);
        }
    }
    // What goes through an answer knows how much is left.
    assert!(within.into_iter().len() == within.len() && hits.into_iter().len() == hits.len() && !hits.is_empty());
    assert_eq!((three.iter().len(), three.into_iter().count()), (three.len(), three.len()));
    assert!((0..40).flat_map(|k| three.of_point(k).iter().map(move |near| (k, near))).eq(&three));
}

/// An index that was refreshed answers as one that is made anew, and has the same bodies.
fn as_new(engine: &Engine, index: &tangency::Index, bodies: &Bodies, other: &Bodies, what: &str) {
    let (new, planes) = (engine.index(bodies).unwrap(), planes());
    assert_eq!((index.bodies().len(), index.bodies().id_bound()), (bodies.len(), bodies.id_bound()), "{what}");
    for id in 0..bodies.id_bound() as u32 {
        assert_eq!(index.bodies().shape(id), bodies.shape(id), "{what}");
        assert_eq!(index.bodies().traits(id), bodies.traits(id), "{what}");
        assert_eq!(index.bodies().is_enabled(id), bodies.is_enabled(id), "{what}");
    }
    assert_eq!(index.bodies().excluded(), bodies.excluded(), "{what}");
    let (found, expected) = (engine.overlaps(index).run().unwrap(), engine.overlaps(&new).run().unwrap());
    assert!(found == expected && found.offsets() == expected.offsets(), "{what}: overlaps");
    assert!(expected == engine.overlaps(&bodies.clone()).run().unwrap(), "{what}: overlaps of the set");
    let found = engine.overlaps(other).against(index).run().unwrap();
    assert!(found == engine.overlaps(other).against(&new).run().unwrap(), "{what}: against");
    let found = engine.overlaps(index).against(other).run().unwrap();
    assert!(found == engine.overlaps(&new).against(other).run().unwrap(), "{what}: the other way round");
    assert_eq!(engine.candidates(index).run(), engine.candidates(&new).run(), "{what}: candidates");
    assert_eq!(engine.cull(index, &planes).run(), engine.cull(&new, &planes).run(), "{what}: cull");
    let ids: Vec<u32> = bodies.iter().map(|body| body.id).collect();
    let pairs: Vec<[u32; 2]> = (0..ids.len()).map(|k| [ids[k], ids[k / 2]]).collect();
    assert_eq!(engine.relations(index, &pairs).run(), engine.relations(&new, &pairs).run(), "{what}: relations");
}

/// A kind of change.
type Change = fn(&mut Bodies);

const CHANGES: [(&str, Change); 19] = [
    ("nothing", |_| {}),
    ("push", |bodies| {
        bodies.push(Sphere::new([0.5; 3], 2.0).unwrap()).unwrap();
    }),
    ("extend", |bodies| {
        bodies.extend((0..100_u8).map(|i| Sphere::new([f32::from(i); 3], 1.0).unwrap())).unwrap();
    }),
    ("set_shape", |bodies| bodies.set_shape(7, Aabb::new([-3.0; 3], [3.0; 3]).unwrap()).unwrap()),
    ("set_shape of many", |bodies| {
        for id in (0..bodies.len() as u32 - 1).step_by(3) {
            bodies.set_shape(id, bodies.shape(id + 1).unwrap()).unwrap();
        }
    }),
    ("set_shapes", |bodies| {
        let shapes: Vec<_> = (40..90).map(|id| bodies.shape(id).unwrap()).collect();
        bodies.set_shapes(10, shapes).unwrap();
    }),
    ("set_traits", |bodies| bodies.set_traits(3, Traits::new().world(9).layer(2)).unwrap()),
    ("disable", |bodies| (20..50).for_each(|id| bodies.disable(id).unwrap())),
    ("enable", |bodies| (20..30).for_each(|id| bodies.enable(id).unwrap())),
    ("exclude", |bodies| {
        let pairs = brute().overlaps(&*bodies).run().unwrap();
        pairs.pairs().step_by(2).for_each(|(a, b)| bodies.exclude(a, b).unwrap());
    }),
    ("include", |bodies| {
        let excluded = bodies.excluded();
        excluded.iter().step_by(3).for_each(|(a, b)| assert!(bodies.include(*a, *b)));
    }),
    ("remove", |bodies| {
        for id in [0, 5, bodies.id_bound() as u32 - 3] {
            bodies.remove(id).unwrap();
        }
    }),
    ("push into a hole", |bodies| assert_eq!(bodies.push(Aabb::new([-2.0; 3], [2.0; 3]).unwrap()).unwrap(), 0)),
    ("set_pose", |bodies| {
        let turned = bodies.iter().find(|body| body.shape.kind() == "obb").unwrap().id;
        bodies.set_pose(turned, Pose::IDENTITY).unwrap();
    }),
    ("set_poses", |bodies| {
        for body in &bodies.clone() {
            if let Ok(pose) = bodies.pose(body.id) {
                let aside = pose.position().to_vec3() + glam::Vec3::X;
                bodies.set_pose(body.id, Pose::new(aside, pose.rotation()).unwrap()).unwrap();
            }
        }
    }),
    ("compact", |bodies| {
        bodies.compact();
    }),
    ("clear", Bodies::clear),
    ("filled again", |bodies| {
        bodies.extend((0..120_u8).map(|i| Sphere::new([f32::from(i), 0.0, 0.0], 0.5).unwrap())).unwrap();
    }),
    ("a different set altogether", |bodies| *bodies = Scene::Mixed.build(120, 5).unwrap()),
];

#[test]
fn a_refreshed_index_is_as_new_after_every_change() {
    let other = random(77, 150).unwrap();
    // Brute force, the CPU and one adapter: how a set is followed does not depend on the driver.
    let skipped = usize::from(!is_long());
    for (name, engine) in ENGINES.iter().take(3).skip(skipped) {
        let mut bodies = Scene::Mixed.build(160, 3).unwrap();
        // One that sees every change, and one that sees several at once.
        let mut index = engine.index(&bodies).unwrap();
        let mut lazy = engine.index(&bodies).unwrap();
        for (number, (change, make)) in CHANGES.into_iter().enumerate() {
            let what = format!("{name}, {change}");
            // One that is asked before the change, and one that was not yet.
            let mut asked = engine.index(&bodies).unwrap();
            engine.overlaps(&asked).run().unwrap();
            let mut unasked = engine.index(&bodies).unwrap();
            make(&mut bodies);
            for index in [&mut index, &mut asked, &mut unasked] {
                index.refresh(&bodies).unwrap();
            }
            // (By default a GPU answers all queries after every third change, and pairs and contacts after each.)
            if is_long() || engine.info().backend == BackendKind::Cpu || number % 3 == 0 {
                as_new(engine, &index, &bodies, &other, &what);
            }
            if is_long() {
                as_new(engine, &asked, &bodies, &other, &format!("{what}, asked before"));
            }
            assert!(engine.overlaps(&asked).run().unwrap() == engine.overlaps(&index).run().unwrap(), "{what}");
            assert!(engine.overlaps(&unasked).run().unwrap() == engine.overlaps(&index).run().unwrap(), "{what}");
            assert!(engine.contacts(&index).run().unwrap() == engine.contacts(&bodies).run().unwrap(), "{what}");
            if number % 3 == 2 {
                lazy.refresh(&bodies).unwrap();
                as_new(engine, &lazy, &bodies, &other, &format!("{what}, after three changes"));
            }
        }
        // What the index is of is not changed by changes of the set.
        let before = engine.overlaps(&index).run().unwrap();
        bodies.clear();
        assert!(engine.overlaps(&index).run().unwrap() == before, "{name}");
    }
}

/// A future under way holds the index as it was when it was asked.
#[test]
fn an_index_can_be_refreshed_after_a_future_of_it_was_dropped() {
    for (name, engine) in &*ENGINES {
        let mut bodies = random(5, 800).unwrap();
        let mut index = engine.index(&bodies).unwrap();
        for round in 0..4_u8 {
            let mut future = engine.overlaps(&index).into_future();
            let _ = poll_once(&mut future);
            drop(future);
            bodies.push(Sphere::new([f32::from(round); 3], 3.0).unwrap()).unwrap();
            index.refresh(&bodies).unwrap();
            assert!(
                engine.overlaps(&index).run().unwrap() == brute().overlaps(&bodies).run().unwrap(),
                "{name}, {round}"
            );
            let mut future = engine.contacts(&index).into_future();
            let _ = poll_once(&mut future);
            drop(future);
            let expected = brute().contacts(&bodies).run().unwrap();
            assert!(engine.contacts(&index).run().unwrap() == expected, "{name}, {round}");
        }
    }
    let_dropped_work_end();
}

#[test]
fn an_index_serves_every_engine() {
    let (bodies, asking) = (random(21, 600).unwrap(), random(22, 200).unwrap());
    let within = brute().overlaps(&bodies).run().unwrap();
    let between = brute().overlaps(&asking).against(&bodies).run().unwrap();
    let contacts = brute().contacts(&bodies).run().unwrap();
    for (maker, made) in &*ENGINES {
        let mut index = made.index(&asking).unwrap();
        made.overlaps(&index).run().unwrap();
        index.refresh(&bodies).unwrap();
        for _ in 0..2 {
            for (name, engine) in &*ENGINES {
                let what = format!("made with {maker}, asked by {name}");
                assert!(engine.overlaps(&index).run().unwrap() == within, "{what}");
                assert!(made.overlaps(&asking).against(&index).run().unwrap() == between, "{what}");
                assert!(engine.overlaps(&asking).against(&index).run().unwrap() == between, "{what}");
            }
        }
        let asked = ENGINES.iter().map(|(_, engine)| engine.overlaps(&index).into_future());
        assert!(together(asked.collect()).into_iter().all(|found| found.unwrap() == within), "made with {maker}");
        let asked = ENGINES.iter().map(|(_, engine)| engine.contacts(&index).into_future());
        assert!(together(asked.collect()).into_iter().all(|found| found.unwrap() == contacts), "made with {maker}");
    }
}

#[test]
fn errors_come_from_every_ending() {
    fn fails<Q: Query + Clone>(request: &Request<'_, Q>, expected: &Error, what: &str)
    where
        Q::Output: PartialEq + Debug,
    {
        assert_eq!(request.clone().run().unwrap_err(), *expected, "{what}: run");
        assert_eq!(request.clone().run_into(&mut Q::Output::default()).unwrap_err(), *expected, "{what}: run_into");
        assert_eq!(pollster::block_on(request.clone().into_future()).unwrap_err(), *expected, "{what}: await");
    }
    let bodies = random(1, 10).unwrap();
    let len = bodies.len();
    let none: Plane = bytemuck::cast([0_u32; 4]);
    let reason = Box::new(none.validate().unwrap_err());
    for (name, engine) in &*ENGINES {
        let index = engine.index(&bodies).unwrap();
        let (pairs, planes) = ([[0, 0], [0, 99]], [planes()[0], none]);
        for (set, request) in
            [("a set", engine.relations(&bodies, &pairs)), ("an index", engine.relations(&index, &pairs))]
        {
            fails(&request, &Error::NoSuchBody { index: 99, len }, &format!("{name}, {set}"));
        }
        for (set, request) in [("a set", engine.cull(&bodies, &planes)), ("an index", engine.cull(&index, &planes))] {
            let expected = Error::InvalidPlane { index: 1, reason: reason.clone() };
            fails(&request, &expected, &format!("{name}, {set}"));
        }
    }
}

#[test]
fn an_engine_is_built_without_blocking() {
    let bodies = random(9, 300).unwrap();
    let expected = brute().overlaps(&bodies).run().unwrap();
    for (name, builder) in builders() {
        let mut building = pin!(builder.build_async());
        let mut polls = 0;
        let engine = pollster::block_on(poll_fn(|context| {
            polls += 1;
            building.as_mut().poll(context)
        }));
        let engine = engine.unwrap();
        assert!(polls > 0 && engine.overlaps(&bodies).run().unwrap() == expected, "{name}");
    }
    let many = Engine::builder().backend(BackendKind::Cpu).threads(Builder::MAX_THREADS + 1);
    assert!(matches!(pollster::block_on(many.build_async()), Err(Error::TooManyThreads { .. })));
    #[cfg(feature = "gpu")]
    {
        let absent = Engine::builder().backend(BackendKind::Gpu).adapter(999);
        assert!(matches!(pollster::block_on(absent.build_async()), Err(Error::BackendUnavailable { .. })));
        // One that is dropped under way.
        let mut building = Box::pin(Engine::builder().build_async());
        let _ = building.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        drop(building);
    }
    let_dropped_work_end();
}

/// Requests and their futures may be sent to other threads.
#[test]
fn requests_move_between_threads() {
    fn moves<T: Send>(value: T) -> T {
        value
    }
    let engine = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
    let bodies = random(2, 200).unwrap();
    let planes = planes();
    let expected = engine.overlaps(&bodies).run().unwrap();
    let future = moves(moves(engine.overlaps(&bodies)).into_future());
    drop(moves(engine.candidates(&bodies).into_future()));
    drop(moves(engine.contacts(&bodies).into_future()));
    drop(moves(engine.cull(&bodies, &planes).into_future()));
    std::thread::scope(|scope| {
        scope.spawn(|| assert!(pollster::block_on(future).unwrap() == expected));
    });
    let_dropped_work_end();
}
