//! Queries over [`Shape`], whose kind is known only at run time: equal to the queries of the kinds, symmetric, and in agreement with each
//! other; and over the shapes of bodies.
//!
//! Shapes lie within 6 of the origin; `CLOSE` is what two answers in `f32` may differ by, by different ways.

use crate::properties::properties;
use crate::support::{aabb, capsule, config, direction, obb, plane, point, ray, segment, sizes, sphere, triangle};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use tangency::query::{
    CastRay, ClassifySide, ClosestPoint, ClosestTo, Contact, ContactWith, ContainsPoint, Impact, Meets, Motion,
    Support, SweepWith, cast_ray, closest_point, closest_points, closest_surface_point, contact, contains_point,
    intersect, meets, side, sweep, sweep_plane, swept_bounds, touches_plane,
};
use tangency::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Ray, Segment, Shape, Sphere, Triangle};
use tangency::{Bodies, Error, Side};

const CLOSE: f32 = 1e-4;

fn hull() -> impl Strategy<Value = ConvexHull> {
    (point(), prop::collection::vec(point(), 1..12))
        .prop_map(|(by, points)| ConvexHull::from_points(points.into_iter().map(|p| p * 0.4 + by)).unwrap())
}

type Solids = (Sphere, Aabb, Obb, Capsule, ConvexHull, Triangle, Segment);

fn solids() -> impl Strategy<Value = Solids> {
    (sphere(), aabb(), obb(), capsule(), hull(), triangle(), segment())
}

fn any_solid() -> impl Strategy<Value = Shape> {
    (solids(), 0..7_usize).prop_map(|((a, b, c, d, e, f, g), kind)| {
        let all: [Shape; 7] = [a.into(), b.into(), c.into(), d.into(), e.into(), f.into(), g.into()];
        all[kind].clone()
    })
}

fn shifted(shape: &Shape, by: Vec3) -> Shape {
    match shape {
        Shape::Sphere(s) => s.translate(by).unwrap().into(),
        Shape::Aabb(s) => s.translate(by).unwrap().into(),
        Shape::Obb(s) => s.translate(by).unwrap().into(),
        Shape::Capsule(s) => s.translate(by).unwrap().into(),
        Shape::ConvexHull(s) => s.translate(by).unwrap().into(),
        Shape::Triangle(s) => s.translate(by).unwrap().into(),
        Shape::Segment(s) => s.translate(by).unwrap().into(),
        _ => unreachable!("solids only"),
    }
}

fn way() -> impl Strategy<Value = Motion> {
    (point(), point(), any::<bool>())
        .prop_map(|(by, turn, turns)| Motion::new(by, if turns { turn * 0.2 } else { Vec3::ZERO }).unwrap())
}

/// Shapes give what the query of the two kinds gives, to the bit.
fn equal<A, B>(a: &A, b: &B, (ma, mb): (&Motion, &Motion)) -> Result<(), TestCaseError>
where
    A: Meets<B> + ContactWith<B, Answer = Option<Contact>> + ClosestTo<B> + Support + Clone + Into<Shape>,
    B: Support + Clone + Into<Shape>,
{
    let (s, t): (Shape, Shape) = (a.clone().into(), b.clone().into());
    prop_assert_eq!(meets(&s, &t), meets(a, b));
    prop_assert_eq!(contact(&s, &t), Ok(contact(a, b)));
    prop_assert_eq!(closest_points(&s, &t), closest_points(a, b));
    prop_assert_eq!(sweep(&s, ma, &t, mb), Ok(sweep(a, ma, b, mb)));
    Ok(())
}

/// Checks every shape of the first set with every shape of the second.
macro_rules! every_pair {
    ($check:ident, $x:expr, $y:expr, $more:expr) => {
        let (a, b, c, d, e, f, g) = $x;
        every_pair!(@each $check, $y, $more, a b c d e f g);
    };
    (@each $check:ident, $y:expr, $more:expr, $($first:ident)*) => {$(
        let (a, b, c, d, e, f, g) = $y;
        every_pair!(@with $check, $first, $more, a b c d e f g);
    )*};
    (@with $check:ident, $first:ident, $more:expr, $($second:ident)*) => {$(
        $check($first, $second, $more)?;
    )*};
}

type Swept = Result<Option<Impact>, Error>;

/// What every solid kind can do with a plane.
trait Solid:
    Meets<Plane>
    + ContactWith<Plane, Answer = Option<Contact>>
    + ClosestTo<Plane>
    + SweepWith<Plane, Answer = Swept>
    + ClassifySide
    + Support
    + Clone
    + Into<Shape>
{
}

impl<A> Solid for A where
    A: Meets<Plane>
        + ContactWith<Plane, Answer = Option<Contact>>
        + ClosestTo<Plane>
        + SweepWith<Plane, Answer = Swept>
        + ClassifySide
        + Support
        + Clone
        + Into<Shape>
{
}

fn with_plane<A>(a: &A, h: &Plane, way: &Motion) -> Result<(), TestCaseError>
where
    A: Solid,
    Plane: Meets<A> + ContactWith<A, Answer = Option<Contact>> + ClosestTo<A> + SweepWith<A, Answer = Swept>,
{
    let (s, t): (Shape, Shape) = (a.clone().into(), (*h).into());
    let inside = side(a, h) != Side::Outside;
    prop_assert_eq!([meets(&s, &t), meets(&t, &s), meets(a, h), meets(h, a)], [inside; 4]);
    prop_assert_eq!(contact(&s, &t), Ok(contact(a, h)));
    prop_assert_eq!(contact(&t, &s), Ok(contact(a, h).map(|c| c.swap())));
    prop_assert_eq!(contact(a, h).is_some(), inside);
    prop_assert_eq!(closest_points(&s, &t), closest_points(a, h));
    prop_assert_eq!(closest_points(&t, &s), closest_points(h, a));
    let impact = sweep_plane(a, way, h);
    prop_assert_eq!(sweep(&s, way, &t, &Motion::REST), Ok(impact));
    prop_assert_eq!(sweep_plane(&s, way, h), Ok(impact));
    let swapped = sweep(&t, &Motion::REST, &s, way).unwrap();
    prop_assert_eq!(sweep(h, &Motion::REST, a, way), Ok(swapped));
    prop_assert_eq!(swapped.map(|hit| (hit.time, -hit.normal)), impact.map(|hit| (hit.time, hit.normal)));
    // What counts is how they move to each other.
    if way.rotation_vector() == Vec3::ZERO {
        let other = Motion::translation(-way.translation_vector()).unwrap();
        let moved = sweep(&s, &Motion::REST, &t, &other).unwrap();
        prop_assert_eq!(sweep(a, &Motion::REST, h, &other), Ok(moved));
        prop_assert_eq!(moved.is_some(), impact.is_some());
        prop_assert!(moved.zip(impact).is_none_or(|(x, y)| (x.time - y.time).abs() < 1e-9));
    }
    Ok(())
}

/// The queries of one shape.
fn alone<A>(a: &A, p: Vec3, r: &Ray, h: &Plane) -> Result<(), TestCaseError>
where
    A: CastRay + ContainsPoint + ClosestPoint + ClassifySide + Clone + Into<Shape>,
{
    let s: Shape = a.clone().into();
    prop_assert_eq!(cast_ray(r, &s), cast_ray(r, a));
    prop_assert_eq!(contains_point(&s, p), contains_point(a, p));
    prop_assert_eq!(closest_point(&s, p), closest_point(a, p));
    prop_assert_eq!(closest_surface_point(&s, p), closest_surface_point(a, p));
    prop_assert_eq!((side(&s, h), touches_plane(&s, h)), (side(a, h), touches_plane(a, h)));
    Ok(())
}

fn alone_and_moving<A>(a: &A, (p, r, h, way): (Vec3, &Ray, &Plane, &Motion)) -> Result<(), TestCaseError>
where
    A: CastRay + ContainsPoint + ClosestPoint + ClassifySide + Support + Clone + Into<Shape>,
{
    alone(a, p, r, h)?;
    prop_assert_eq!(swept_bounds(&a.clone().into(), way), swept_bounds(a, way));
    Ok(())
}

properties! {
    #![proptest_config(config(150))]

    #[test]
    fn shapes_answer_as_their_kinds(x in solids(), y in solids(), ma in way(), mb in way()) {
        every_pair!(equal, &x, &y, (&ma, &mb));
    }

    #[test]
    fn shapes_answer_alone_as_their_kinds(x in solids(), p in point(), r in ray(), h in plane(), k in plane(), way in way()) {
        let (a, b, c, d, e, f, g) = &x;
        let with = (p, &r, &h, &way);
        alone_and_moving(a, with)?;
        alone_and_moving(b, with)?;
        alone_and_moving(c, with)?;
        alone_and_moving(d, with)?;
        alone_and_moving(e, with)?;
        alone_and_moving(f, with)?;
        alone_and_moving(g, with)?;
        alone(&k, p, &r, &h)?;
        // A plane contains what lies in its half-space, and no box contains a plane.
        prop_assert_eq!(contains_point(&k, p), closest_point(&k, p).unwrap().distance <= 0.0);
        prop_assert_eq!(swept_bounds(&Shape::from(k), &way), None);
        let (s, t) = (Shape::from(h), Shape::from(k));
        prop_assert_eq!([meets(&s, &t), meets(&t, &s)], [meets(&h, &k); 2]);
    }

    /// All kinds have a relation.
    #[test]
    fn relations_are_those_of_the_kinds(x in solids(), y in solids(), h in plane()) {
        macro_rules! row {
            ($a:expr) => {[
                intersect($a, &y.0), intersect($a, &y.1), intersect($a, &y.2), intersect($a, &y.3),
                intersect($a, &y.4), intersect($a, &y.5), intersect($a, &y.6), intersect($a, &h),
            ]};
        }
        let expected =
            [row!(&x.0), row!(&x.1), row!(&x.2), row!(&x.3), row!(&x.4), row!(&x.5), row!(&x.6), row!(&h)];
        let all = |(a, b, c, d, e, f, g): Solids| -> [Shape; 8] {
            [a.into(), b.into(), c.into(), d.into(), e.into(), f.into(), g.into(), h.into()]
        };
        let (x, y) = (all(x.clone()), all(y.clone()));
        for (i, a) in x.iter().enumerate() {
            for (j, b) in y.iter().enumerate() {
                prop_assert_eq!(intersect(a, b), Ok(expected[i][j]));
                prop_assert_eq!(meets(a, b), expected[i][j].is_hit());
            }
            // As far as a half-space counts, a shape is on one of three sides.
            prop_assert_eq!(expected[i][7] == tangency::Relation::Separate, side(a, &h) == Side::Outside);
        }
    }

    /// Every query takes what `Bodies::shape` returns.
    #[test]
    fn queries_take_the_shapes_of_bodies(
        s in sphere(), a in aabb(), b in obb(), t in sphere(), p in point(), r in ray(), h in plane(), ways in (way(), way()),
    ) {
        let mut bodies = Bodies::new();
        for shape in [Shape::from(s), a.into(), b.into(), t.into()] {
            bodies.push(shape).unwrap();
        }
        for i in 0..bodies.len() as u32 {
            for j in 0..bodies.len() as u32 {
                let (x, y) = (&bodies.shape(i).unwrap(), &bodies.shape(j).unwrap());
                let hit = intersect(x, y).unwrap().is_hit();
                let found = contact(x, y).unwrap();
                let near = closest_points(x, y).unwrap();
                let impact = sweep(x, &ways.0, y, &ways.1).unwrap();
                prop_assert_eq!((meets(x, y), found.is_some()), (hit, hit));
                prop_assert!(hit && near.distance < 1e-5 || !hit && near.distance > 0.0);
                prop_assert!(!hit || impact.is_some_and(|impact| impact.time == 0.0));
            }
            let shape = &bodies.shape(i).unwrap();
            let inside = contains_point(shape, p);
            prop_assert_eq!(inside, meets(shape, &Shape::from(Sphere::new(p, 0.0).unwrap())));
            prop_assert!(!inside || closest_point(shape, p).unwrap().distance == 0.0);
            prop_assert!(inside == (closest_surface_point(shape, p).unwrap().distance <= 0.0));
            if let Some(hit) = cast_ray(&r, shape) {
                prop_assert!(closest_point(shape, hit.point).unwrap().distance < CLOSE);
            }
            let (one, other) = (side(shape, &h) != Side::Outside, side(shape, &h.flip()) != Side::Outside);
            prop_assert_eq!((touches_plane(shape, &h), meets(shape, &h.into())), (one && other, one));
            prop_assert_eq!(contact(shape, &h.into()).unwrap().is_some(), one);
            let impact = sweep_plane(shape, &ways.0, &h).unwrap();
            prop_assert!(!one || impact.is_some_and(|impact| impact.time == 0.0));
            let around = swept_bounds(shape, &ways.0).unwrap();
            prop_assert!(around.contains_point(shape.aabb().unwrap().center()));
        }
    }

    #[test]
    fn planes_stand_for_half_spaces(x in solids(), h in plane(), way in way()) {
        let (a, b, c, d, e, f, g) = &x;
        with_plane(a, &h, &way)?;
        with_plane(b, &h, &way)?;
        with_plane(c, &h, &way)?;
        with_plane(d, &h, &way)?;
        with_plane(e, &h, &way)?;
        with_plane(f, &h, &way)?;
        with_plane(g, &h, &way)?;
    }
}

properties! {
    #![proptest_config(config(2000))]

    #[test]
    fn answers_are_symmetric_and_agree_with_each_other(a in any_solid(), b in any_solid(), u in direction()) {
        let (hit, found) = (meets(&a, &b), contact(&a, &b).unwrap());
        let (near, back) = (closest_points(&a, &b).unwrap(), closest_points(&b, &a).unwrap());
        prop_assert_eq!(meets(&b, &a), hit);
        prop_assert_eq!(found.is_some(), hit);
        prop_assert!((near.distance - back.distance).abs() < 1e-5);
        prop_assert!((near.on_a.distance(near.on_b) - near.distance).abs() < 1e-5);
        prop_assert!(hit && near.distance < 1e-5 || !hit && near.distance > 0.0);
        let swapped = contact(&b, &a).unwrap();
        prop_assert_eq!(swapped.is_some(), hit);
        let Some(found) = found else { return Ok(()) };
        let depth = found.depth();
        prop_assert!(swapped.is_some_and(|c| (c.depth() - depth).abs() < 1e-5));
        // The normal and the depth part them, just so; and no other way is shorter.
        let by = |v: Vec3| meets(&a, &shifted(&b, v));
        prop_assert!(!by(found.normal() * (depth + CLOSE)), "{found:?}");
        if depth > 2.0 * CLOSE {
            prop_assert!(by(found.normal() * (depth - CLOSE)) && by(u.normalize() * (depth - CLOSE)));
        }
        for point in found.points() {
            let ends = [(&a, point.on_a), (&b, point.on_b)];
            for (shape, p) in ends {
                let at = Shape::from(Sphere::new(p, 0.0).unwrap());
                prop_assert!(closest_points(shape, &at).unwrap().distance < CLOSE);
            }
        }
    }

    #[test]
    fn a_sweep_ends_in_contact_and_not_before(a in any_solid(), b in any_solid(), v in point()) {
        let way = Motion::translation(v).unwrap();
        let Some(hit) = sweep(&a, &way, &b, &Motion::REST).unwrap() else {
            prop_assert!(!meets(&a, &b) && !meets(&shifted(&a, v), &b));
            return Ok(());
        };
        let gap = |t: f64| closest_points(&shifted(&a, v * t as f32), &b).unwrap().distance;
        prop_assert!(hit.converged && gap(hit.time) < 1e-5);
        prop_assert!(hit.time == 0.0 || gap(hit.time * 0.5) > 0.0);
    }

    #[test]
    fn rays_find_every_kind(r in ray(), s in any_solid()) {
        let found = cast_ray(&r, &s);
        if let Some(hit) = found {
            let at = Shape::from(Sphere::new(hit.point, 0.0).unwrap());
            prop_assert!(closest_points(&s, &at).unwrap().distance < CLOSE);
        }
    }

    #[test]
    fn a_ray_aimed_at_a_shape_hits_it(s in any_solid(), from in point(), away in direction()) {
        // At the point nearest to somewhere, a little past it for the solids.
        let origin = from + away.normalize() * 20.0;
        let at = Shape::from(Sphere::new(from, 0.0).unwrap());
        let target = closest_points(&s, &at).unwrap().on_a;
        let solid = matches!(&s, Shape::Sphere(_) | Shape::Aabb(_) | Shape::Obb(_) | Shape::Capsule(_));
        if solid {
            let middle = s.aabb().unwrap().center();
            let ray = Ray::new(origin, target.lerp(middle, 0.01) - origin).unwrap();
            prop_assert!(cast_ray(&ray, &s).is_some_and(|hit| hit.t <= 1.0 + 1e-5));
        }
    }

    #[test]
    fn numbers_of_every_size_give_finite_answers(
        n in prop::array::uniform32(sizes()), i in 0..8_usize, j in 0..8_usize, d in prop::array::uniform3(sizes()),
    ) {
        let v = |k: usize| Vec3::new(n[k], n[k + 1], n[k + 2]);
        let shape = |kind: usize, k: usize| -> Option<Shape> {
            Some(match kind {
                0 => Sphere::new(v(k), n[k + 3].abs()).ok()?.into(),
                1 => Aabb::new(v(k).min(v(k + 3)), v(k).max(v(k + 3))).ok()?.into(),
                2 => Obb::new(v(k), v(k + 3).abs(), Quat::from_array([n[k], n[k + 7], n[k + 8], n[k + 9]])).ok()?.into(),
                3 => Capsule::new(v(k), v(k + 3), n[k + 6].abs()).ok()?.into(),
                4 => ConvexHull::from_points([v(k), v(k + 3), v(k + 6), v(k + 9), v(k + 2)]).ok()?.into(),
                5 => Triangle::new(v(k), v(k + 3), v(k + 6)).ok()?.into(),
                6 => Segment::new(v(k), v(k + 3)).ok()?.into(),
                _ => Plane::new(v(k), n[k + 3]).ok()?.into(),
            })
        };
        let (Some(a), Some(b)) = (shape(i, 0), shape(j, 16)) else { return Ok(()) };
        let ray = Ray::new(v(28), Vec3::from_array(d));
        if let Some(hit) = ray.ok().and_then(|ray| cast_ray(&ray, &a)) {
            prop_assert!(hit.t >= 0.0 && hit.t_exit >= hit.t && hit.point.is_finite() && hit.normal.is_finite());
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{hit:?}");
        }
        if (i, j) == (7, 7) {
            return Ok(());
        }
        let near = closest_points(&a, &b).unwrap();
        prop_assert!(near.on_a.is_finite() && near.on_b.is_finite() && near.distance >= 0.0);
        let found = contact(&a, &b).unwrap();
        prop_assert_eq!(found.is_some(), meets(&a, &b));
        if let Some(found) = found {
            prop_assert!((found.normal().length() - 1.0).abs() < 1e-5 && found.depth() >= 0.0, "{found:?}");
            prop_assert!((1..=4).contains(&found.points().len()));
            prop_assert!(found.points().iter().all(|p| p.on_a.is_finite() && p.on_b.is_finite() && p.depth >= 0.0));
        }
        let way = Motion::translation(Vec3::from_array(d)).unwrap();
        if let Some(hit) = sweep(&a, &way, &b, &Motion::REST).unwrap() {
            prop_assert!((0.0..=1.0).contains(&hit.time) && hit.point.is_finite());
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-5, "{hit:?}");
        }
    }
}

#[test]
fn what_has_no_answer_is_named() {
    let ground = Shape::from(Plane::new([0.0, 1.0, 0.0], 0.0).unwrap());
    let ball = Shape::from(Sphere::new([0.0; 3], 1.0).unwrap());
    let refused = |query| Error::Unsupported { query, a: "plane", b: "plane" };
    assert!(meets(&ground, &ground));
    assert_eq!(contact(&ground, &ground), Err(refused("contact")));
    assert_eq!(sweep(&ground, &Motion::REST, &ground, &Motion::REST), Err(refused("sweep")));
    let falls = Motion::translation([0.0, -1.0, 0.0]).unwrap();
    assert_eq!(sweep_plane(&ground, &falls, &Plane::new([1.0, 0.0, 0.0], 0.0).unwrap()), Err(refused("sweep_plane")));
    let turn = Motion::new([0.0; 3], [0.0, 0.0, 1.0]).unwrap();
    let turning = |a, b| Error::Unsupported { query: "sweep of a turning plane", a, b };
    assert_eq!(sweep(&ground, &turn, &ball, &Motion::REST), Err(turning("plane", "sphere")));
    assert_eq!(sweep(&ball, &Motion::REST, &ground, &turn), Err(turning("sphere", "plane")));
    assert!(refused("contact").to_string().starts_with("contact has no answer for plane and plane"));
}

#[test]
fn shapes_without_points_meet_nothing() {
    let nothing = Shape::from(Aabb::EMPTY);
    let others: [Shape; 4] = [
        Sphere::new([0.0; 3], 1.0).unwrap().into(),
        ConvexHull::from_points([[0.0; 3], [1.0; 3]]).unwrap().into(),
        Triangle::default().into(),
        Plane::new([0.0, 1.0, 0.0], 0.0).unwrap().into(),
    ];
    for other in &others {
        assert!(!meets(&nothing, other) && !meets(other, &nothing));
        assert_eq!(contact(other, &nothing), Ok(None));
        assert_eq!(closest_points(other, &nothing), Err(Error::EmptyBox));
        assert_eq!(sweep(&nothing, &Motion::REST, other, &Motion::REST), Ok(None));
    }
}
