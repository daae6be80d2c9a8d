//! Contacts through GJK and EPA: those of hulls, triangles, segments, and capsules with boxes.
//!
//! Shapes lie within 6 of the origin, and a motion takes them no farther than 18: moving them rounds every coordinate by up
//! to 10⁻⁶, and the depth changes by a few of that.

mod support;

use glam::{DVec3, Vec3};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use support::parry::InParry;
use support::{Motion, Moved, aabb, capsule, config, hull, motion, obb, segment, sphere, triangle};
use tangency::query::{ContactWith, Support, contact};

const TOLERANCE: f32 = 1e-5;

/// How far `b` must go along the unit vector `normal` to leave `a`.
fn way_out<A: Support, B: Support>(a: &A, b: &B, normal: Vec3) -> f32 {
    let n: DVec3 = normal.as_dvec3().normalize();
    let cores = a.core_support(n).dot(n) - b.core_support(-n).dot(n);
    (cores + a.rounding() + b.rounding()) as f32
}

/// The depth stays, the turned normal is the new one or as good, and the new points are the moved ones' depth apart.
fn check_moved<A, B>(a: &A, b: &B, by: &Motion) -> Result<(), TestCaseError>
where
    A: ContactWith<B> + Moved + Support,
    B: Moved + Support,
{
    let (there_a, there_b) = (a.moved(by), b.moved(by));
    match (contact(a, b), contact(&there_a, &there_b)) {
        (Some(x), Some(y)) => {
            prop_assert!((x.depth() - y.depth()).abs() < TOLERANCE, "{x:?} {y:?}");
            let turned = by.direction(x.normal());
            let as_good = (way_out(&there_a, &there_b, turned) - y.depth()).abs() < TOLERANCE;
            prop_assert!(as_good, "{turned:?} is no normal of {y:?}");
            prop_assert!((way_out(a, b, x.normal()) - x.depth()).abs() < TOLERANCE, "{x:?}");
            let (p, q) = (&x.points()[0], &y.points()[0]);
            prop_assert!(((p.on_a - p.on_b).dot(x.normal()) - (q.on_a - q.on_b).dot(y.normal())).abs() < TOLERANCE);
        }
        (Some(x), None) | (None, Some(x)) => prop_assert!(x.depth() < TOLERANCE, "{x:?}"),
        (None, None) => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn contacts_move_with_the_shapes(
        by in motion(), a in sphere(), b in obb(), k in capsule(), s in segment(), r in segment(),
        (t, u) in (triangle(), triangle()), (h, i) in (hull(), hull()),
    ) {
        check_moved(&k, &b, &by)?;
        check_moved(&s, &a, &by)?;
        check_moved(&s, &k, &by)?;
        check_moved(&s, &b, &by)?;
        check_moved(&s, &r, &by)?;
        check_moved(&t, &a, &by)?;
        check_moved(&t, &k, &by)?;
        check_moved(&t, &b, &by)?;
        check_moved(&t, &s, &by)?;
        check_moved(&t, &u, &by)?;
        check_moved(&h, &a, &by)?;
        check_moved(&h, &k, &by)?;
        check_moved(&h, &b, &by)?;
        check_moved(&h, &s, &by)?;
        check_moved(&h, &t, &by)?;
        check_moved(&h, &i, &by)?;
        // And the other way round.
        check_moved(&b, &k, &by)?;
        check_moved(&a, &t, &by)?;
        check_moved(&b, &h, &by)?;
        check_moved(&s, &h, &by)?;
    }
}

/// The turned normal itself is found, too, but where another is as good: counted over pairs that overlap clearly.
#[test]
fn normals_turn_with_the_shapes_almost_always() {
    fn count<A: ContactWith<B> + Moved, B: Moved>(a: &A, b: &B, by: &Motion, (all, differ): (&mut u32, &mut u32)) {
        let (Some(x), Some(y)) = (contact(a, b), contact(&a.moved(by), &b.moved(by))) else { return };
        if x.depth() > 1e-2 {
            *all += 1;
            *differ += u32::from(by.direction(x.normal()).distance(y.normal()) > 1e-3);
        }
    }
    let mut runner = TestRunner::deterministic();
    let shapes = (motion(), obb(), capsule(), segment(), (triangle(), triangle()), (hull(), hull()));
    let (mut all, mut differ) = (0, 0);
    for _ in 0..3000 {
        let (by, b, k, s, (t, u), (h, i)) = shapes.new_tree(&mut runner).unwrap().current();
        count(&k, &b, &by, (&mut all, &mut differ));
        count(&s, &b, &by, (&mut all, &mut differ));
        count(&s, &k, &by, (&mut all, &mut differ));
        count(&t, &b, &by, (&mut all, &mut differ));
        count(&t, &u, &by, (&mut all, &mut differ));
        count(&h, &k, &by, (&mut all, &mut differ));
        count(&h, &t, &by, (&mut all, &mut differ));
        count(&h, &i, &by, (&mut all, &mut differ));
    }
    println!("{differ} of {all} normals differ");
    assert!(all > 1000 && differ * 1000 < all, "{differ} of {all}");
}

/// How often parry's contacts differ from ours, over pairs that overlap by more than 10⁻².
#[derive(Default, Debug)]
struct Second {
    contacts: u32,
    missing: u32,
    depths: u32,
    /// Of these, where parry's normal is as good as ours, and only its points are not as far apart as that normal asks for: they
    /// lie on a face inside the difference of the shapes.
    inner: u32,
    /// Where parry's normal is the shorter way out.
    shorter: u32,
    /// Where it is another than ours, and the longer way out.
    normals: u32,
}

impl Second {
    fn opinion<A, B>(&mut self, a: &A, b: &B)
    where
        A: ContactWith<B> + Support + InParry,
        B: Support + InParry,
    {
        let Some(ours) = contact(a, b).filter(|found| found.depth() > 1e-2) else { return };
        self.contacts += 1;
        let ((pose_a, shape_a), (pose_b, shape_b)) = (a.in_parry(), b.in_parry());
        let Some(theirs) = parry3d::query::contact(&pose_a, &*shape_a, &pose_b, &*shape_b, 0.0).unwrap() else {
            self.missing += 1;
            return;
        };
        let out = way_out(a, b, theirs.normal1);
        if (-theirs.dist - ours.depth()).abs() > 1e-3 {
            self.depths += 1;
            self.inner += u32::from((out - ours.depth()).abs() < 1e-4 && -theirs.dist < out);
        }
        self.shorter += u32::from(out < ours.depth() - 1e-4);
        self.normals += u32::from(theirs.normal1.distance(ours.normal()) > 1e-2 && out > ours.depth() + 1e-3);
    }
}

#[test]
fn parry_finds_the_same_contacts_of_convex_shapes_almost_always() {
    let mut runner = TestRunner::deterministic();
    let shapes = (sphere(), aabb(), obb(), capsule(), segment(), (triangle(), triangle()), (hull(), hull()));
    let mut second = Second::default();
    for _ in 0..2000 {
        let (a, c, b, k, s, (t, u), (h, i)) = shapes.new_tree(&mut runner).unwrap().current();
        second.opinion(&k, &b);
        second.opinion(&k, &c);
        second.opinion(&s, &b);
        second.opinion(&s, &k);
        second.opinion(&t, &k);
        second.opinion(&t, &b);
        second.opinion(&t, &u);
        second.opinion(&h, &a);
        second.opinion(&h, &k);
        second.opinion(&h, &c);
        second.opinion(&h, &b);
        second.opinion(&h, &s);
        second.opinion(&h, &t);
        second.opinion(&h, &i);
    }
    println!("{second:?}");
    let Second { contacts, missing, depths, inner, shorter, normals } = second;
    assert!(contacts > 2000 && shorter == 0 && inner == depths, "{second:?}");
    assert!(missing * 100 < contacts && depths * 100 < contacts && normals * 100 < contacts, "{second:?}");
}
