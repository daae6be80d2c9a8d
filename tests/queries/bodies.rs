//! The set of bodies: what goes in, what comes out, and what it knows of its changes.

use glam::{Quat, Vec3};
use tangency::shape::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere};
use tangency::{Bodies, Changes, Error, Traits};

use crate::engines::ENGINES;

fn ball(x: f32) -> Sphere {
    Sphere::new([x, 0.0, 0.0], 1.0).unwrap()
}

fn bodies(n: u16) -> Bodies {
    let mut bodies = Bodies::new();
    bodies.extend((0..n).map(|x| ball(f32::from(x)))).unwrap();
    bodies
}

#[test]
fn shapes_come_back_as_they_went_in() {
    let shapes: [Shape; 3] = [
        Sphere::new([1.0, 2.0, 3.0], 4.0).unwrap().into(),
        Aabb::new([-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]).unwrap().into(),
        Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], Quat::from_xyzw(0.1, 0.2, 0.3, 9.0)).unwrap().into(),
    ];
    let mut bodies = Bodies::new();
    assert_eq!(bodies.extend(shapes.clone()).unwrap(), 0..3);
    for (i, shape) in (0..).zip(shapes.clone()) {
        assert_eq!(bodies.shape(i), Ok(shape));
        assert_eq!(bodies.traits(i), Ok(Traits::new()));
        assert_eq!(bodies.is_enabled(i), Ok(true));
    }
    bodies.set_shape(0, shapes[2].clone()).unwrap();
    assert_eq!(bodies.shape(0), Ok(shapes[2].clone()));
}

#[test]
fn bad_bodies_are_named_and_nothing_is_changed() {
    let mut bodies = bodies(3);
    let revision = bodies.revision();
    let bad: Sphere = bytemuck::cast([0.0_f32, f32::NAN, 0.0, 1.0]);
    let error = bodies.extend([ball(0.0), bad, ball(1.0)]).unwrap_err();
    assert_eq!(error.to_string(), "body 4: center.y is NaN; it must be a finite number");
    assert_eq!(bodies.push(Aabb::EMPTY), Err(Error::InvalidBody { index: 3, reason: Box::new(Error::EmptyBox) }));
    let error = bodies.set_shapes(1, [ball(9.0), bad]).unwrap_err();
    assert_eq!(error.to_string(), "body 2: center.y is NaN; it must be a finite number");
    assert_eq!(bodies.set_shapes(2, [ball(9.0), ball(9.0)]), Err(Error::NoSuchBody { index: 3, len: 3 }));
    for result in [
        bodies.set_shape(3, ball(0.0)),
        bodies.set_traits(3, Traits::new()),
        bodies.disable(3),
        bodies.enable(3),
        bodies.exclude(0, 3),
        bodies.remove(3),
        bodies.set_pose(3, Pose::IDENTITY),
        bodies.shape(3).map(|_| ()),
    ] {
        assert_eq!(result, Err(Error::NoSuchBody { index: 3, len: 3 }));
    }
    assert_eq!((bodies.len(), bodies.shape(1), bodies.revision()), (3, Ok(ball(1.0).into()), revision));
    let mut reversed: [f32; 6] = [0.0; 6];
    reversed[0] = 1.0;
    let error = bodies.push(bytemuck::cast::<_, Aabb>(reversed)).unwrap_err();
    assert_eq!(error.to_string(), "body 3: min.x is 1, which is above max.x = 0; swap them");
    assert_eq!(
        bodies.push(bytemuck::cast::<_, Obb>([0.0_f32; 10])).unwrap_err().to_string().split(" is").next(),
        Some("body 3: rotation")
    );
}

#[test]
fn ids_never_change() {
    let mut bodies = bodies(6);
    bodies.exclude(4, 1).unwrap();
    bodies.exclude(0, 2).unwrap();
    bodies.exclude(2, 5).unwrap();
    bodies.set_traits(4, Traits::new().group(7)).unwrap();
    bodies.remove(2).unwrap();
    bodies.remove(0).unwrap();
    assert_eq!((bodies.len(), bodies.id_bound(), bodies.is_empty()), (4, 6, false));
    assert_eq!(bodies.excluded(), [(1, 4)]);
    assert_eq!((bodies.shape(4), bodies.traits(4).unwrap().group), (Ok(ball(4.0).into()), 7));
    let gone = || Error::NoSuchBody { index: 2, len: 6 };
    for result in [
        bodies.remove(2),
        bodies.set_shape(2, ball(0.0)),
        bodies.set_pose(2, Pose::IDENTITY),
        bodies.set_traits(2, Traits::new()),
        bodies.enable(2),
        bodies.disable(2),
        bodies.exclude(2, 3),
        bodies.exclude(3, 2),
        bodies.shape(2).map(|_| ()),
        bodies.pose(2).map(|_| ()),
        bodies.traits(2).map(|_| ()),
        bodies.is_enabled(2).map(|_| ()),
        bodies.set_shapes(1, [ball(0.0), ball(0.0)]),
        bodies.set_poses(1, &[Pose::IDENTITY; 2]),
    ] {
        assert_eq!(result, Err(gone()));
    }
    assert_eq!(bodies.shape(1), Ok(ball(1.0).into()), "as before");
    assert_eq!(bodies.iter().map(|body| body.id).collect::<Vec<_>>(), [1, 3, 4, 5]);
    // The lowest hole first; `extend` appends; a body that fills a hole has nothing of the one that was there.
    assert_eq!((bodies.push(ball(10.0)), bodies.extend([ball(11.0)])), (Ok(0), Ok(6..7)));
    assert_eq!((bodies.push(ball(12.0)), bodies.push(ball(13.0))), (Ok(2), Ok(7)));
    assert_eq!(bodies.traits(2), Ok(Traits::new()));
    assert_eq!(bodies.excluded(), [(1, 4)]);
    assert_eq!((bodies.len(), bodies.id_bound()), (8, 8));
    // A refused body fills no hole.
    bodies.remove(3).unwrap();
    let error = bodies.push(Aabb::EMPTY).unwrap_err();
    assert_eq!(error, Error::InvalidBody { index: 3, reason: Box::new(Error::EmptyBox) });
    assert_eq!(bodies.push(ball(3.0)), Ok(3));
}

#[test]
fn compaction_closes_the_holes_and_keeps_the_disabled() {
    let mut bodies = bodies(6);
    bodies.exclude(5, 2).unwrap();
    bodies.exclude(1, 2).unwrap();
    bodies.disable(3).unwrap();
    bodies.remove(1).unwrap();
    bodies.remove(4).unwrap();
    assert_eq!(bodies.compact(), [Some(0), None, Some(1), Some(2), None, Some(3)]);
    assert_eq!(
        (0..4).map(|i| bodies.shape(i).unwrap()).collect::<Vec<_>>(),
        [0.0, 2.0, 3.0, 5.0].map(|x| ball(x).into())
    );
    assert_eq!((bodies.is_enabled(2), bodies.is_enabled(3)), (Ok(false), Ok(true)));
    assert_eq!(bodies.excluded(), [(1, 3)]);
    let revision = bodies.revision();
    assert_eq!(bodies.compact(), [Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!((bodies.revision(), bodies.id_bound()), (revision, 4));
    bodies.clear();
    assert!(bodies.is_empty() && bodies.excluded().is_empty() && bodies.compact().is_empty());
    assert_eq!(bodies.push(ball(0.0)), Ok(0));
}

#[test]
fn poses_move_bodies_and_keep_their_shapes() {
    let mut bodies = Bodies::new();
    let turn = Quat::from_xyzw(0.1, 0.2, 0.3, 9.0);
    let pose = Pose::new([7.0, 8.0, 9.0], turn).unwrap();
    let obb = Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], Quat::IDENTITY).unwrap();
    let cube = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    bodies.extend([Shape::from(ball(1.0)), obb.into(), cube.into(), obb.into()]).unwrap();
    let start = bodies.revision();
    bodies.set_poses(0, &[pose, pose]).unwrap();
    assert_eq!(bodies.shape(0), Ok(Sphere::new([7.0, 8.0, 9.0], 1.0).unwrap().into()));
    assert_eq!(bodies.shape(1), Ok(Obb::new([7.0, 8.0, 9.0], [4.0, 5.0, 6.0], turn).unwrap().into()));
    assert_eq!((bodies.pose(0), bodies.pose(1)), (Ok(Pose::at([7.0, 8.0, 9.0]).unwrap()), Ok(pose)));
    assert_eq!(bodies.changes_since(start), Changes::Ranges(std::iter::once(0..2).collect()));
    let revision = bodies.revision();
    let none = Error::InvalidBody { index: 2, reason: Box::new(Error::NoPose { kind: "aabb" }) };
    assert_eq!(bodies.set_poses(1, &[Pose::IDENTITY; 3]), Err(none.clone()));
    assert_eq!((bodies.set_pose(2, pose), bodies.pose(2)), (Err(none.clone()), Err(none.clone())));
    assert_eq!(none.to_string(), "body 2: a body of the kind aabb has no pose; set_shape moves it");
    assert_eq!(bodies.set_poses(3, &[pose; 2]), Err(Error::NoSuchBody { index: 4, len: 4 }));
    assert_eq!(bodies.set_poses(u32::MAX, &[pose; 2]), Err(Error::NoSuchBody { index: u32::MAX, len: 4 }));
    bodies.set_poses(9, &[]).unwrap();
    assert_eq!((bodies.revision(), bodies.pose(1)), (revision, Ok(pose)), "nothing was moved");
}

#[test]
fn shared_shapes_are_posed() {
    let mut bodies = Bodies::new();
    let obb = Obb::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], Quat::IDENTITY).unwrap();
    let (brick, pea) = (bodies.share(obb).unwrap(), bodies.share(ball(5.0)).unwrap());
    let pose = Pose::new([7.0, 8.0, 9.0], Quat::from_xyzw(0.1, 0.2, 0.3, 9.0)).unwrap();
    assert_eq!(bodies.push_shared(brick, pose), Ok(0));
    assert_eq!(bodies.extend_shared(pea, [Pose::IDENTITY, pose]), Ok(1..3));
    let shapes: Vec<_> = bodies.iter().map(|body| body.shape).collect();
    assert_eq!(shapes, [obb.with_pose(pose).into(), ball(0.0).into(), ball(0.0).with_pose(pose).into()]);
    let cube = Aabb::new([0.0; 3], [1.0; 3]).unwrap();
    assert_eq!(bodies.share(cube), Err(Error::NoPose { kind: "aabb" }));
    assert_eq!(bodies.share(Aabb::EMPTY), Err(Error::EmptyBox));
    let plane = Plane::new([0.0, 1.0, 0.0], 0.0).unwrap();
    assert_eq!(bodies.share(plane), Err(Error::NoPose { kind: "plane" }));
    let sheet = tangency::shape::Triangle::default();
    assert_eq!(bodies.share(sheet), Err(Error::NotABody { kind: "triangle" }));
    let refused = Error::InvalidBody { index: 3, reason: Box::new(Error::NotABody { kind: "triangle" }) };
    assert_eq!(bodies.push(sheet), Err(refused));
    assert_eq!(Bodies::new().push_shared(pea, pose), Err(Error::NoSuchShape { index: 1, len: 0 }));
}

/// Bodies that an iterator gave before it panicked are not in the set.
#[test]
fn a_panic_in_an_iterator_adds_nothing() {
    let mut bodies = bodies(2);
    let revision = bodies.revision();
    let shapes = (0..5_u8).map(|k| if k < 3 { ball(f32::from(k)) } else { panic!("no more") });
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| bodies.extend(shapes))).is_err();
    assert!(panicked && bodies.len() == 2 && bodies.id_bound() == 2 && bodies.revision() == revision);
    assert_eq!(bodies.push(ball(0.0)), Ok(2));
}

#[test]
fn changes_are_known_by_range() {
    let mut bodies = bodies(100);
    let start = bodies.revision();
    assert_eq!(bodies.changes_since(start), Changes::Ranges(vec![]));
    bodies.set_shapes(10, [ball(0.0), ball(1.0)]).unwrap();
    bodies.set_traits(50, Traits::new().layer(2)).unwrap();
    let middle = bodies.revision();
    bodies.disable(11).unwrap();
    bodies.push(ball(7.0)).unwrap();
    bodies.exclude(3, 99).unwrap();
    assert_eq!(bodies.changes_since(start), Changes::Ranges(vec![3..4, 10..12, 50..51, 99..101]));
    assert_eq!(bodies.changes_since(middle), Changes::Ranges(vec![3..4, 11..12, 99..101]));
    assert_eq!(bodies.changes_since(0), Changes::All);
    assert_eq!(bodies.changes_since(bodies.revision() + 1), Changes::All);
    let before = bodies.revision();
    bodies.disable(11).unwrap();
    assert_eq!(bodies.revision(), before, "no change");
    for k in 0..10_000_u32 {
        bodies.disable(k * 7 % 100).unwrap();
        bodies.enable(k * 7 % 100).unwrap();
    }
    assert_eq!(bodies.changes_since(before), Changes::All, "too long ago to know");
    // A copy is the same set until one of the two changes; from then on neither knows what became of the other.
    let mut copy = bodies.clone();
    let common = bodies.revision();
    assert_eq!(copy.revision(), common);
    for (set, ids) in [(&mut copy, [3, 9]), (&mut bodies, [4, 6])] {
        for id in ids {
            set.disable(id).unwrap();
        }
    }
    assert!(copy.is_enabled(4).unwrap() && bodies.is_enabled(3).unwrap());
    assert_eq!(copy.changes_since(common), Changes::Ranges(vec![3..4, 9..10]));
    assert_eq!(bodies.changes_since(common), Changes::Ranges(vec![4..5, 6..7]));
    assert_eq!(copy.changes_since(bodies.revision()), Changes::All);
    assert_eq!(bodies.changes_since(copy.revision()), Changes::All);
}

/// A large set knows more changes: one for 16 bodies.
#[test]
fn large_sets_remember_more() {
    let mut bodies = Bodies::new();
    bodies.extend(vec![ball(0.0); 200_000]).unwrap();
    let scattered: Vec<_> = (0..6000).map(|k| 31 * k..31 * k + 1).collect();
    for _ in 0..3 {
        let seen = bodies.revision();
        for k in 0..6000 {
            bodies.set_shape(k * 7 % 6000 * 31, ball(1.0)).unwrap();
        }
        assert_eq!(bodies.changes_since(seen), Changes::Ranges(scattered.clone()));
    }
    // And forgets them when it is no longer large.
    let seen = bodies.revision();
    for k in 0..4000 {
        bodies.set_shape(k * 31, ball(2.0)).unwrap();
    }
    (100..200_000).for_each(|id| bodies.remove(id).unwrap());
    bodies.compact();
    bodies.disable(3).unwrap();
    assert_eq!(bodies.changes_since(seen), Changes::All);
}

/// Whatever was changed in whatever order, each revision that was told knows what changed since.
#[test]
fn every_revision_knows_what_changed_since() {
    let mut bodies = bodies(50);
    let mut history: Vec<(u64, usize)> = Vec::new();
    let mut changed: Vec<u32> = Vec::new();
    for k in 0..600_u32 {
        let id = k.wrapping_mul(2_654_435_761) >> 20;
        if id % 5 == 0 {
            changed.push(bodies.push(ball(0.0)).unwrap());
        } else {
            changed.push(id % 50);
            bodies.set_shape(id % 50, ball(1.0)).unwrap();
        }
        if id % 3 == 0 {
            history.push((bodies.revision(), changed.len()));
        }
    }
    for (revision, before) in history {
        let Changes::Ranges(ranges) = bodies.changes_since(revision) else { panic!("forgotten") };
        let mut expected = changed[before..].to_vec();
        expected.sort_unstable();
        expected.dedup();
        assert!(ranges.into_iter().flatten().eq(expected));
    }
}

#[test]
fn revisions_of_one_set_mean_nothing_to_another() {
    let (mut a, mut b) = (bodies(10), bodies(10));
    b.set_shape(0, ball(1.0)).unwrap();
    a.set_shape(0, ball(1.0)).unwrap();
    let seen = a.revision();
    b.set_shape(0, ball(2.0)).unwrap();
    assert_eq!(b.changes_since(seen), Changes::All);
    // Bodies that are pushed one by one, and asked about in between.
    for _ in 0..3 {
        let seen = a.revision();
        let id = a.push(ball(3.0)).unwrap();
        assert!(
            matches!(&a.changes_since(seen), Changes::Ranges(ranges) if ranges.len() == 1 && ranges[0] == (id..id + 1))
        );
    }
}

/// Removing one of 100,000 bodies with 100,000 exclusions costs microseconds, and changes one body.
#[test]
fn removal_is_cheap() {
    let mut bodies = bodies(10);
    bodies.extend(vec![ball(0.0); 99_990]).unwrap();
    for id in 0..100_000 {
        bodies.exclude(id, (id + 1) % 100_000).unwrap();
    }
    let mut times: Vec<_> = (0..101_u32)
        .map(|k| {
            let (seen, id) = (bodies.revision(), k * 937);
            let start = std::time::Instant::now();
            bodies.remove(id).unwrap();
            let time = start.elapsed();
            assert_eq!(bodies.changes_since(seen), Changes::Ranges(std::iter::once(id..id + 1).collect()));
            time
        })
        .collect();
    times.sort_unstable();
    println!("removed in {:?}", times[50]);
    // (A machine that is busy otherwise may take a hundred times as long; going through all exclusions takes 11 ms.)
    assert!(times[50] < std::time::Duration::from_millis(1), "{:?}", times[50]);
    assert_eq!(bodies.excluded().len(), 100_000 - 2 * 101);
}

/// Two posts half a unit apart at coordinates where neighbouring f32 are half a unit apart, and more.
#[test]
fn an_origin_keeps_what_f32_would_round_away() {
    let ball = Sphere::new([0.0; 3], 0.25).unwrap();
    let places = [[4_600_000.1, 0.0, -0.1], [4_600_000.6, 0.0, -0.1], [4_600_001.2, 0.0, -0.1]];
    let engine = tangency::Engine::new().unwrap();
    let met = |origin: [f64; 3]| {
        let mut site = Bodies::with_origin(origin).unwrap();
        for place in places {
            site.push_at(place, ball).unwrap();
        }
        (engine.overlaps(&site).run().unwrap().len(), site)
    };
    // 0.5 apart, up to the rounding of 0.1 and 0.6: a hit or a near miss, but never what 0 and 0.5 are; the third is 0.6 away.
    let (hits, site) = met([4_600_000.0, 0.0, 0.0]);
    assert!(hits <= 1, "{hits}");
    let (shape, expected) = (site.shape(0).unwrap(), Sphere::new([0.1, 0.0, -0.1], 0.25).unwrap());
    assert_eq!(shape, expected.into());
    assert!((site.to_global([0.1, 0.0, -0.1]).x - places[0][0]).abs() < 1e-8);
    // Without an origin all three are where f32 can be.
    let (_, rounded) = met([0.0; 3]);
    assert_eq!(rounded.shape(1).unwrap(), Sphere::new([4_600_000.5, 0.0, -0.1], 0.25).unwrap().into());

    // Boxes are moved in f64 too, each of their corners.
    let mut site = Bodies::with_origin([1e9, -1e9, 0.5]).unwrap();
    let id = site.push_at([1e9 + 0.25, -1e9 - 0.25, 1.0], Aabb::new([-1.0; 3], [1.0; 3]).unwrap()).unwrap();
    assert_eq!(site.shape(id).unwrap(), Aabb::new([-0.75, -1.25, -0.5], [1.25, 0.75, 1.5]).unwrap().into());

    // The origin goes wherever the set goes, and sets of different origins do not meet.
    let copy = site.clone();
    let index = engine.index(&site).unwrap();
    assert_eq!(copy.origin(), site.origin());
    assert_eq!(engine.overlaps(&copy).against(&index).run().unwrap().len(), 1);
    let plain = bodies(1);
    let different = Error::DifferentOrigins { own: plain.origin(), other: site.origin() };
    assert_eq!(engine.overlaps(&plain).against(&site).run().unwrap_err(), different);
    assert_eq!(engine.contacts(&plain).against(&index).run().unwrap_err(), different);
    assert_eq!(engine.candidates(&plain).against(&site).run().unwrap_err(), different);
    assert_eq!(pollster::block_on(async { engine.overlaps(&plain).against(&site).await }).unwrap_err(), different);
}

/// A shape of every kind is moved from zero to its place.
#[test]
fn shapes_of_every_kind_are_pushed_at_a_position() {
    let mut site = Bodies::with_origin([500_000.0, 0.0, 0.0]).unwrap();
    let (at, moved) = ([500_000.125, 2.0, 0.0], Vec3::new(0.125, 2.0, 0.0));
    let shapes: [(Shape, Shape); 3] = [
        (
            Capsule::new([-1.0, 0.0, 0.0], [1.0, 0.5, 0.0], 0.25).unwrap().into(),
            Capsule::new(Vec3::NEG_X + moved, Vec3::new(1.0, 0.5, 0.0) + moved, 0.25).unwrap().into(),
        ),
        // 2 y ≤ 1, and then 2 (y − 2) ≤ 1.
        (Plane::new([0.0, 2.0, 0.0], 1.0).unwrap().into(), Plane::new([0.0, 2.0, 0.0], 5.0).unwrap().into()),
        (ball(0.0).into(), Sphere::new(ball(0.0).center() + moved, ball(0.0).radius()).unwrap().into()),
    ];
    for (shape, expected) in shapes {
        let id = site.push_at(at, shape).unwrap();
        assert_eq!(site.shape(id).unwrap(), expected);
    }
}

#[test]
fn bad_origins_and_positions_are_refused() {
    assert_eq!(
        Bodies::with_origin([0.0, f64::NAN, 0.0]).unwrap_err().to_string(),
        "origin.y is NaN; it must be a finite number"
    );
    let mut site = Bodies::with_origin([1e300, 0.0, 0.0]).unwrap();
    let far = Error::NotFinite { field: "position.x", value: f32::NEG_INFINITY };
    assert_eq!(site.to_local([0.0; 3]), Err(far));
    let inside = Error::NotFinite { field: "position.z", value: f32::INFINITY };
    assert_eq!(site.push_at([1e300, 0.0, f64::INFINITY], ball(0.0)), Err(inside));
    assert!(site.push_at([0.0; 3], ball(0.0)).is_err() && site.push_at([1e300, 0.0, 0.0], Aabb::EMPTY).is_err());
    let sheet = tangency::shape::Triangle::default();
    assert!(matches!(site.push_at([1e300, 0.0, 0.0], sheet), Err(Error::InvalidBody { index: 0, .. })));
    assert!(site.is_empty());
}

/// The id of a removed body that is given again has nothing of that body: it is enabled, has no margin, and is excluded from no other, also where a backend
/// keeps what it has of the set.
#[test]
fn a_body_in_the_place_of_another_is_new() {
    for (name, engine) in &*ENGINES {
        let mut bodies = bodies(3);
        bodies.exclude(0, 1).unwrap();
        bodies.set_margin(0, 2.0).unwrap();
        let mut index = engine.index(&bodies).unwrap();
        let pairs = |bodies: &Bodies| engine.overlaps(bodies).run().unwrap().to_vec();
        assert_eq!(pairs(&bodies), [[0, 2], [1, 2]], "{name}");
        assert_eq!(engine.overlaps(&index).run().unwrap().to_vec(), [[0, 2], [1, 2]], "{name}");
        bodies.disable(0).unwrap();
        bodies.remove(0).unwrap();
        assert_eq!(pairs(&bodies), [[1, 2]], "{name}");
        assert_eq!(bodies.push(ball(0.0)).unwrap(), 0);
        assert_eq!((bodies.is_enabled(0), bodies.margin(0), bodies.excluded()), (Ok(true), Ok(0.0), vec![]));
        index.refresh(&bodies).unwrap();
        assert_eq!(pairs(&bodies), [[0, 1], [0, 2], [1, 2]], "{name}");
        assert_eq!(engine.overlaps(&index).run().unwrap().to_vec(), [[0, 1], [0, 2], [1, 2]], "{name}");
    }
}
