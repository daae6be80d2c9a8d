//! The local forms of hulls in a set of bodies: shared, changed, copied, written and dropped.

use tangency::batch::Index;
use tangency::glam::{DVec3, Quat, Vec3};
use tangency::shape::{Aabb, ConvexHull, Plane, Pose, Shape, Sphere};
use tangency::{Bodies, Error, Traits};

use crate::capsule_pairs::Dice;
use crate::engines::{ENGINES, brute, is_long};

/// A tetrahedron unlike all others.
fn form(number: u32) -> ConvexHull {
    let top = [0.0, 1.0 + number as f32 / 65536.0, 0.0];
    ConvexHull::from_points([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], top]).unwrap()
}

fn at(x: f32) -> Pose {
    Pose::at([x, 0.0, 0.0]).unwrap()
}

/// A flat hull with so many corners, on a parabola.
fn fan(corners: u16) -> ConvexHull {
    let hull = ConvexHull::from_points((0..corners).map(|k| [f32::from(k), f32::from(k) * f32::from(k), 0.0])).unwrap();
    assert_eq!(hull.local_vertices().len(), usize::from(corners));
    hull
}

/// How many hulls a set has in memory: its Debug shows all of them.
fn forms_of(bodies: &Bodies) -> usize {
    format!("{bodies:?}").matches("ConvexHull {").count()
}

fn shapes(bodies: &Bodies) -> Vec<Shape> {
    bodies.iter().map(|body| body.shape).collect()
}

#[test]
fn bodies_share_forms() {
    let mut bodies = Bodies::new();
    let (wedge, other) = (bodies.share(form(1).with_pose(at(7.0))).unwrap(), bodies.share(form(2)).unwrap());
    assert_eq!(bodies.push_shared(wedge, at(1.0)), Ok(0));
    assert_eq!(bodies.extend_shared(wedge, [at(2.0), at(3.0)]), Ok(1..3));
    let traits = Traits::new().world(3);
    assert_eq!(bodies.extend_shared_with(other, [(at(4.0), traits)]), Ok(3..4));
    // Made anew from the same corners it is the same form.
    assert_eq!(bodies.push(form(1).with_pose(at(5.0))), Ok(4));
    let turn = Pose::new([6.0, 1.0, 2.0], Quat::from_xyzw(0.5, 0.1, -2.0, 0.0)).unwrap();
    bodies.set_pose(1, turn).unwrap();
    let expected = [(1, at(1.0)), (1, turn), (1, at(3.0)), (2, at(4.0)), (1, at(5.0))];
    assert_eq!(shapes(&bodies), expected.map(|(number, pose)| Shape::from(form(number).with_pose(pose))));
    assert_eq!((bodies.pose(1), bodies.traits(3)), (Ok(turn), Ok(traits)));
    // (Both of them once, and once as shapes that are shared.)
    assert_eq!(forms_of(&bodies), 4);
}

#[test]
fn hulls_have_256_corners_at_most() {
    let mut bodies = Bodies::new();
    assert_eq!(bodies.push(fan(256)), Ok(0));
    let refused = Error::TooManyCorners { found: 257, limit: 256 };
    let of_body = |index: usize| Error::InvalidBody { index, reason: Box::new(refused.clone()) };
    let revision = bodies.revision();
    assert_eq!(bodies.push(fan(257)), Err(of_body(1)));
    assert_eq!(bodies.extend([fan(4), fan(257), fan(5)]), Err(of_body(2)));
    assert_eq!(bodies.set_shape(0, fan(257)), Err(of_body(0)));
    assert_eq!(bodies.push_at([0.0; 3], fan(257)), Err(of_body(1)));
    assert_eq!(bodies.share(fan(257)).map(|_| ()), Err(refused.clone()));
    assert_eq!((bodies.len(), bodies.shape(0), bodies.revision()), (1, Ok(fan(256).into()), revision));
    assert!(refused.to_string().contains("257 corners") && refused.to_string().contains("at most 256"), "{refused}");
    let point = Sphere::new([128.0, 20_000.0, 0.0], 0.0).unwrap();
    bodies.push(point).unwrap();
    for (name, engine) in &*ENGINES {
        assert_eq!(engine.overlaps(&bodies).run().unwrap().len(), 1, "{name}: the point is in the fan");
    }
}

/// What a set should be, and what is known of it.
struct Model {
    shapes: Vec<Option<Shape>>,
    bodies: Bodies,
    indices: Vec<Index>,
}

impl Model {
    fn new() -> Self {
        let bodies = Bodies::new();
        let indices = ENGINES.iter().map(|(_, engine)| engine.index(&bodies).unwrap()).collect();
        Self { shapes: Vec::new(), bodies, indices }
    }

    /// A body that is there.
    fn any(&self, dice: &mut Dice) -> Option<u32> {
        let all: Vec<u32> = (0..self.shapes.len() as u32).filter(|id| self.shapes[*id as usize].is_some()).collect();
        (!all.is_empty()).then(|| dice.pick(&all))
    }

    /// One random change of the set.
    fn change(&mut self, dice: &mut Dice) {
        let pose = Pose::new(dice.whole_up_to(2), dice.whole_turn()).unwrap();
        let number = dice.below(40) as u32;
        let shape: Shape = match dice.below(6) {
            0 => Sphere::new(dice.whole_up_to(2), 0.5).unwrap().into(),
            1 => Aabb::new([number as f32 / 10.0, 0.0, 0.0], [5.0, 0.5, 0.5]).unwrap().into(),
            _ => form(number).with_pose(pose).into(),
        };
        let any = self.any(dice);
        match (dice.below(20), any) {
            (0..5, _) | (_, None) => {
                let id = self.bodies.push(shape.clone()).unwrap() as usize;
                if id == self.shapes.len() {
                    self.shapes.push(None);
                }
                assert!(self.shapes[id].is_none(), "the lowest hole");
                self.shapes[id] = Some(shape);
            }
            (5..10, Some(id)) => {
                self.bodies.set_shape(id, shape.clone()).unwrap();
                self.shapes[id as usize] = Some(shape);
            }
            (10..13, Some(id)) => {
                if let Some(Shape::ConvexHull(hull)) = &mut self.shapes[id as usize] {
                    *hull = hull.with_pose(pose);
                    self.bodies.set_pose(id, pose).unwrap();
                }
            }
            (13..16, Some(id)) => {
                self.bodies.remove(id).unwrap();
                self.shapes[id as usize] = None;
            }
            (16, _) => {
                self.bodies.compact();
                self.shapes.retain(Option::is_some);
            }
            (17, _) if dice.below(8) == 0 => {
                self.bodies.clear();
                self.shapes.clear();
            }
            // A copy that goes its own way, and is forgotten.
            (18, Some(id)) => {
                let mut copy = self.bodies.clone();
                copy.set_shape(id, form(100 + number)).unwrap();
                assert_eq!(copy.shape(id), Ok(form(100 + number).into()));
            }
            // The set goes on as a copy of itself.
            _ => self.bodies = self.bodies.clone(),
        }
    }

    /// Asserts that the set is what it should be, also for indices that follow it and for engines.
    fn check(&mut self, ask: bool) {
        let found: Vec<_> = (0..self.bodies.id_bound() as u32).map(|id| self.bodies.shape(id).ok()).collect();
        assert!(found == self.shapes, "{found:?}, and it is {:?}", self.shapes);
        let mut fresh = Bodies::new();
        fresh.extend(self.shapes.iter().map(|shape| shape.clone().unwrap_or_else(|| form(0).into()))).unwrap();
        for (id, _) in (0..).zip(&self.shapes).filter(|(_, shape)| shape.is_none()) {
            fresh.remove(id).unwrap();
        }
        let expected = brute().overlaps(&fresh).run().unwrap();
        for ((name, engine), index) in ENGINES.iter().zip(&mut self.indices) {
            index.refresh(&self.bodies).unwrap();
            assert!(shapes(index.bodies()) == shapes(&self.bodies), "{name}: the index");
            if ask {
                assert!(engine.overlaps(&self.bodies).run().unwrap() == expected, "{name}");
                assert!(engine.overlaps(&*index).run().unwrap() == expected, "{name}: the index");
            }
        }
    }
}

/// Bodies become hulls and cease to be hulls, move, come and go; sets are compacted, cleared and copied, and indices follow.
#[test]
fn changes_are_followed() {
    for seed in 0..if is_long() { 200 } else { 6 } {
        let (mut dice, mut model) = (Dice(seed), Model::new());
        for step in 0..120_u32 {
            model.change(&mut dice);
            if step % 4 == 0 {
                model.check(step % 20 == 0);
            }
        }
    }
}

/// Forms that no body has any more are dropped: thousands of them come and go, and few are there at any time.
#[test]
fn forms_come_and_go() {
    let mut bodies = Bodies::new();
    bodies.extend((0..20_u32).map(form)).unwrap();
    let mut index = brute().index(&bodies).unwrap();
    let mut most = 0;
    for number in 20..if is_long() { 200_000 } else { 6000 } {
        let id = number * 7 % 20;
        if number % 3 == 0 {
            bodies.remove(id).unwrap();
            assert_eq!(bodies.push(form(number)), Ok(id));
        } else {
            bodies.set_shape(id, form(number)).unwrap();
        }
        assert_eq!(bodies.shape(id), Ok(form(number).into()));
        if number % 97 == 0 {
            most = most.max(forms_of(&bodies));
            index.refresh(&bodies).unwrap();
            assert!(shapes(index.bodies()) == shapes(&bodies), "form {number}");
        }
    }
    let last: Vec<u32> = bodies.iter().map(|body| body.id).collect();
    assert_eq!(last.len(), 20);
    println!("{most} forms at most");
    assert!(most < 200, "{most} forms at most");
    // All at once, too.
    for round in 0..50 {
        bodies.clear();
        bodies.extend((0..30).map(|k| form(1000 * round + k))).unwrap();
    }
    assert!(forms_of(&bodies) < 200, "{}", forms_of(&bodies));
    assert!(shapes(&bodies).into_iter().eq((0..30).map(|k| Shape::from(form(49_000 + k)))));
}

/// A set that refuses a body may know its form already. An index that follows it, and then the set that it is a copy of, has the forms of that.
#[test]
fn an_index_has_the_forms_of_the_set_that_it_follows() {
    let mut bodies = Bodies::new();
    bodies.push(form(0)).unwrap();
    for (name, engine) in &*ENGINES {
        let mut bodies = bodies.clone();
        let mut index = engine.index(&bodies).unwrap();
        let mut copy = bodies.clone();
        assert!(copy.extend([form(1), fan(257)]).is_err());
        index.refresh(&copy).unwrap();
        bodies.push(form(2)).unwrap();
        index.refresh(&bodies).unwrap();
        assert_eq!(index.bodies().shape(1), Ok(form(2).into()), "{name}");
    }
}

/// What is read is what was written: hulls in their poses, shared forms once, and no more corners than are allowed.
#[cfg(feature = "serde")]
#[test]
fn sets_are_written_and_read() {
    let mut bodies = Bodies::new();
    let wedge = bodies.share(form(1)).unwrap();
    bodies.extend_shared(wedge, (0..10).map(|k| at(0.75 * k as f32))).unwrap();
    bodies
        .push_with(
            form(2).with_pose(Pose::new([1.0, 2.0, 3.0], Quat::from_xyzw(0.1, 9.0, 0.0, -1.0)).unwrap()),
            Traits::new().group(4),
        )
        .unwrap();
    bodies.push(Plane::new([0.0, 1.0, 0.0], 0.5).unwrap()).unwrap();
    bodies.set_margin(3, 0.25).unwrap();
    bodies.disable(4).unwrap();
    bodies.remove(5).unwrap();
    let text = serde_json::to_string(&bodies).unwrap();
    let read: Bodies = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    assert_eq!((shapes(&read), read.margin(3), read.is_enabled(4)), (shapes(&bodies), Ok(0.25), Ok(false)));
    // (Two forms, and one that is shared.)
    assert_eq!((forms_of(&read), forms_of(&bodies)), (3, 3));
    let expected = brute().overlaps(&bodies).margin(0.0).run().unwrap();
    assert!(!expected.is_empty() && brute().overlaps(&read).margin(0.0).run().unwrap() == expected);
    let many = serde_json::to_string(&Shape::from(fan(257))).unwrap();
    let error = serde_json::from_str::<Bodies>(&format!("{{\"bodies\":[{{\"shape\":{many}}}]}}")).unwrap_err();
    assert!(error.to_string().contains("257 corners"), "{error}");
}

/// Global positions: the hull's own position is added, and rounded once.
#[test]
fn hulls_are_put_where_they_are_globally() {
    let mut bodies = Bodies::with_origin([500_000.0, 0.0, -3e6]).unwrap();
    let turn = Quat::from_xyzw(0.0, 3.0, 0.0, 4.0);
    let hull = form(1).with_pose(Pose::new([0.25, 1.0, 0.0], turn).unwrap());
    let id = bodies.push_at([500_001.1, 2.0, -3e6 + 0.3], hull.clone()).unwrap();
    let expected = Pose::new([1.35, 3.0, 0.3].map(|x: f64| x as f32), turn).unwrap();
    let offset = DVec3::new(500_001.1, 2.0, -3e6 + 0.3) - DVec3::new(500_000.0, 0.0, -3e6);
    let exact = (DVec3::new(0.25, 1.0, 0.0) + offset).as_vec3();
    assert!((exact - expected.position().to_vec3()).length() < 1e-6);
    assert_eq!(bodies.shape(id), Ok(form(1).with_pose(Pose::new(exact, turn).unwrap()).into()));
    let far = bodies.push_at([500_001.1, 2.0, -3e6 + 0.3 + 1e-4], hull).unwrap();
    let shift = bodies.pose(far).unwrap().position().to_vec3() - exact;
    assert!((shift - Vec3::new(0.0, 0.0, 1e-4)).length() < 1e-7, "{shift}");
    assert!(bodies.push_at([f64::NAN, 0.0, 0.0], form(1)).is_err() && bodies.len() == 2);
    for (name, engine) in &*ENGINES {
        assert_eq!(engine.overlaps(&bodies).run().unwrap().len(), 1, "{name}");
    }
}
