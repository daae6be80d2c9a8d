use super::*;
use crate::attack::dice::Dice;
use crate::attack::{pairs, planes};
use crate::{polytopes, rational};
use tangency::glam::Vec3;
use tangency::shape::{ConvexHull, Shape};

/// The definition in rational numbers, which the property tests of the library use too.
fn slowly(a: &Form, b: &Form) -> Relation {
    let boxed = |shape: Shape| match shape {
        Shape::Sphere(ball) => rational::RationalBox::point(ball.center()),
        Shape::Aabb(aabb) => rational::RationalBox::from(&aabb),
        Shape::Obb(obb) => rational::RationalBox::from(&obb),
        Shape::Capsule(capsule) => rational::RationalBox::from(&capsule),
        other => panic!("{other:?} is no body"),
    };
    let radius = |form: &Form| match form.kind {
        Kind::Sphere => rational::q(form.v[3]),
        Kind::Capsule => rational::q(form.v[6]),
        Kind::Aabb | Kind::Obb | Kind::Plane | Kind::ConvexHull => rational::q(0.0),
    };
    match (a.shape().unwrap(), b.shape().unwrap()) {
        (Shape::Plane(plane), Shape::ConvexHull(hull)) | (Shape::ConvexHull(hull), Shape::Plane(plane)) => {
            by_order(hull_heights(&hull, plane.normal(), plane.offset())[0])
        }
        (Shape::Plane(plane), other) | (other, Shape::Plane(plane)) => {
            rational::half_space_relation(&plane, &other, &rational::q(0.0))
        }
        (x, y) if [a.kind, b.kind].contains(&Kind::ConvexHull) => polytopes::relation(&x, &y),
        (x, y) if [a.kind, b.kind].contains(&Kind::Capsule) => {
            let ([x, y], radius) = ([x, y].map(boxed), radius(a) + radius(b));
            match rational::squared_distance(&x, &y).cmp(&(&radius * &radius)) {
                Ordering::Greater => Relation::Separate,
                Ordering::Equal if !rational::is_inside_differences(&x, &y) => Relation::Touching,
                _ => Relation::Overlapping,
            }
        }
        (Shape::Sphere(a), Shape::Sphere(b)) => rational::sphere_sphere(&a, &b),
        (Shape::Sphere(a), b) => rational::sphere_box(&a, &boxed(b)),
        (a, Shape::Sphere(b)) => rational::sphere_box(&b, &boxed(a)),
        (a, b) => rational::box_box(&boxed(a), &boxed(b)),
    }
}

/// The orders of n · x − d and 0 where it is least and where it is greatest on a hull.
fn hull_heights(hull: &ConvexHull, normal: Vec3, offset: f32) -> [Ordering; 2] {
    let at = |corner: &Vec3| rational::height(normal, &rational::placed(&hull.pose(), *corner), offset);
    let heights: Vec<Ordering> = hull.local_vertices().iter().map(at).collect();
    [*heights.iter().min().unwrap(), *heights.iter().max().unwrap()]
}

#[test]
fn the_oracle_agrees_with_rational_numbers() {
    let mut relations = [0; 3];
    for case in pairs::batch(7, 700) {
        let relation = slowly(&case.a, &case.b);
        assert_eq!(case.relation, relation, "{:?}, {:?}", case.a, case.b);
        relations[relation as usize] += 1;
    }
    assert!(relations.iter().all(|count| *count > 100), "{relations:?}");
}

/// Each shares no code with the other.
#[test]
fn the_library_agrees_with_the_oracle() {
    let [mut capsules, mut half_spaces, mut hulls] = [[0; 3]; 3];
    for case in pairs::batch(9, 3000) {
        let found = tangency::query::intersect(&case.a.shape().unwrap(), &case.b.shape().unwrap());
        assert_eq!(found, Ok(case.relation), "{:?}, {:?}", case.a, case.b);
        if [case.a.kind, case.b.kind].contains(&Kind::Capsule) {
            capsules[case.relation as usize] += 1;
        }
        if [case.a.kind, case.b.kind].contains(&Kind::Plane) {
            half_spaces[case.relation as usize] += 1;
        }
        if [case.a.kind, case.b.kind].contains(&Kind::ConvexHull) {
            hulls[case.relation as usize] += 1;
        }
    }
    let all = [capsules, half_spaces, hulls];
    assert!(all.as_flattened().iter().all(|count| *count > 100), "{all:?}");
}

#[test]
fn sides_agree_with_rational_numbers() {
    let mut sides = [0; 3];
    for seed in 0..40 {
        let (planes, forms) = planes::batch(&mut Dice::new(seed), 30);
        for (form, plane) in forms.iter().flat_map(|form| planes.iter().map(move |plane| (form, plane))) {
            let normal = Vec3::from_slice(plane);
            let slow = match form.shape().unwrap() {
                Shape::Sphere(sphere) => rational::sphere_side(&sphere, normal, plane[3]),
                Shape::Aabb(aabb) => rational::box_side(&(&aabb).into(), normal, plane[3]),
                Shape::Obb(obb) => rational::box_side(&(&obb).into(), normal, plane[3]),
                Shape::Capsule(capsule) => {
                    let ball = |center| tangency::shape::Sphere::new(center, capsule.radius()).unwrap();
                    let ends = [capsule.a(), capsule.b()].map(ball);
                    let [first, last] = ends.map(|ball| rational::sphere_side(&ball, normal, plane[3]));
                    if first == last { first } else { Side::Crossing }
                }
                Shape::Plane(other) => rational::half_space_side((other.normal(), other.offset()), (normal, plane[3])),
                Shape::ConvexHull(hull) => match hull_heights(&hull, normal, plane[3]) {
                    [Ordering::Greater, _] => Side::Outside,
                    [_, Ordering::Greater] => Side::Crossing,
                    _ => Side::Inside,
                },
                other => panic!("{other:?}"),
            };
            assert_eq!(side(form, plane), slow, "{form:?}, {plane:?}");
            sides[slow as usize] += 1;
        }
    }
    assert!(sides.iter().all(|count| *count > 100), "{sides:?}");
}

#[test]
fn known_relations() {
    let ball = |x: f32, r: f32| Form::new(Kind::Sphere, &[x, 0.0, 0.0, r]);
    let cube = Form::new(Kind::Aabb, &[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    // A quarter turn about z of a rod along x, given by a quaternion of the smallest numbers there are.
    let tiny = f32::from_bits(1);
    let rod = |x: f32| Form::new(Kind::Obb, &[x, 0.0, 0.0, 3.0, 0.5, 0.5, 0.0, 0.0, tiny, tiny]);
    assert_eq!(relation(&ball(2.0, 1.0), &cube), Relation::Touching);
    assert_eq!(relation(&ball(2.0_f32.next_up(), 1.0), &cube), Relation::Separate);
    assert_eq!(relation(&cube, &ball(2.0_f32.next_down(), 1.0)), Relation::Overlapping);
    assert_eq!(relation(&ball(1.0, 0.0), &cube), Relation::Touching);
    assert_eq!(relation(&ball(1.0_f32.next_down(), 0.0), &cube), Relation::Overlapping);
    assert_eq!(relation(&rod(1.5), &cube), Relation::Touching);
    assert_eq!(relation(&rod(1.5_f32.next_up()), &cube), Relation::Separate);
    // A fault of an earlier version: a thin rod, nearly a quarter turn, and a box 10⁻¹⁹ away from its axis.
    let thin = Form::new(Kind::Obb, &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.70710677, 1e-9, 0.0, 0.70710677]);
    let slab = Form::new(Kind::Aabb, &[-1.0, 1e-19, -2.0, 1.0, 1.0, 2.0]);
    assert_eq!(relation(&thin, &slab), Relation::Overlapping);
    let limb = |y: f32, r: f32| Form::new(Kind::Capsule, &[-4.0, y, -4.0, 4.0, y, 4.0, r]);
    assert_eq!(relation(&limb(2.0, 1.0), &cube), Relation::Touching);
    assert_eq!(relation(&limb(2.0_f32.next_up(), 1.0), &cube), Relation::Separate);
    assert_eq!(relation(&cube, &limb(2.0, 1.0_f32.next_up())), Relation::Overlapping);
    // Without a radius it touches the face that it lies on, and overlaps what it passes through.
    assert_eq!(relation(&limb(1.0, 0.0), &cube), Relation::Touching);
    assert_eq!(relation(&limb(1.0_f32.next_down(), 0.0), &cube), Relation::Overlapping);
    assert_eq!(relation(&limb(0.0, 0.5), &ball(0.0, 0.0)), Relation::Overlapping);
    assert_eq!(relation(&limb(1.5, 0.5), &ball(0.0, 1.0)), Relation::Touching);
    assert_eq!(relation(&limb(1.5, 0.5), &limb(0.0, 1.0)), Relation::Touching);
    // Two that cross, and one that ends above another.
    let post = |y: f32, r: f32| Form::new(Kind::Capsule, &[0.0, y, 0.0, 0.0, 9.0, 0.0, r]);
    assert_eq!(relation(&post(-1.0, 0.0), &limb(2.0, 0.0)), Relation::Touching);
    assert_eq!(relation(&post(3.0, 0.5), &limb(2.0, 0.5)), Relation::Touching);
    assert_eq!(relation(&post(3.0_f32.next_up(), 0.5), &limb(2.0, 0.5)), Relation::Separate);
    assert_eq!(side(&post(1.0, 0.5), &[0.0, -1.0, 0.0, -0.5]), Side::Inside);
    assert_eq!(side(&post(1.0, 0.5), &[0.0, 1.0, 0.0, 3.0]), Side::Crossing);
    assert_eq!(side(&post(1.0, 0.5), &[0.0, 1.0, 0.0, 0.5]), Side::Crossing);
    assert_eq!(side(&post(1.0, 0.5), &[0.0, 1.0, 0.0, 0.5_f32.next_down()]), Side::Outside);
    assert_eq!(side(&cube, &[1.0, 0.0, 0.0, 1.0]), Side::Inside);
    assert_eq!(side(&cube, &[1.0, 0.0, 0.0, 1.0_f32.next_down()]), Side::Crossing);
    assert_eq!(side(&cube, &[1.0, 0.0, 0.0, -1.0]), Side::Crossing);
    assert_eq!(side(&cube, &[1.0, 0.0, 0.0, (-1.0_f32).next_down()]), Side::Outside);
}

#[test]
fn known_relations_of_half_spaces() {
    let floor = |d: f32| Form::new(Kind::Plane, &[0.0, 2.0, 0.0, d]);
    let check = |a: &Form, touching: f32, [apart, over]: [f32; 2]| {
        for (d, due) in [
            (touching, Relation::Touching),
            (apart, Relation::Separate),
            (over, Relation::Overlapping),
            (100.0, Relation::Overlapping),
        ] {
            assert_eq!((relation(a, &floor(d)), relation(&floor(d), a)), (due, due), "{a:?}, {d}");
        }
    };
    let beside = |d: f32| [d.next_down(), d.next_up()];
    check(&Form::new(Kind::Sphere, &[5.0, 2.0, 5.0, 1.0]), 2.0, beside(2.0));
    check(&Form::new(Kind::Sphere, &[5.0, 2.0, 5.0, 0.0]), 4.0, beside(4.0));
    check(&Form::new(Kind::Aabb, &[0.0, 3.0, 0.0, 1.0, 4.0, 1.0]), 6.0, beside(6.0));
    check(&Form::new(Kind::Obb, &[0.0, 4.0, 0.0, 3.0, 0.5, 0.5, 0.0, 0.0, 1.0, 1.0]), 2.0, beside(2.0));
    check(&Form::new(Kind::Capsule, &[0.0, 9.0, 0.0, 0.0, 2.0, 0.0, 0.5]), 3.0, beside(3.0));
    check(&Form::new(Kind::Capsule, &[0.0, 2.0, 0.0, 0.0, 9.0, 0.0, 0.0]), 4.0, beside(4.0));
    // Two half-spaces: y ≥ 3, and one that is tilted by the least there is.
    check(&Form::new(Kind::Plane, &[0.0, -1.0, 0.0, -3.0]), 6.0, beside(6.0));
    let tilted = Form::new(Kind::Plane, &[f32::from_bits(1), -1.0, 0.0, -3.0]);
    assert_eq!(relation(&floor(-9.0), &tilted), Relation::Overlapping);
    assert_eq!(relation(&floor(-9.0), &floor(9.0)), Relation::Overlapping);
    // The side of y ≤ 1 to others.
    for (plane, due) in [
        ([0.0, 1.0, 0.0, 1.0], Side::Inside),
        ([0.0, 1.0, 0.0, 1.0_f32.next_down()], Side::Crossing),
        ([0.0, -1.0, 0.0, -1.0], Side::Crossing),
        ([0.0, -1.0, 0.0, (-1.0_f32).next_down()], Side::Outside),
        ([1.0, 0.0, 0.0, 100.0], Side::Crossing),
    ] {
        assert_eq!(side(&floor(2.0), &plane), due, "{plane:?}");
    }
}
