//! Contacts through GJK and EPA.

use crate::in_parry::InParry;
use crate::support::{aabb, capsule, hull, obb, segment, sphere, triangle};
use glam::{DVec3, Vec3};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tangency::query::{Contact, ContactWith, Support, contact};

/// How far `b` must go along the unit vector `normal` to leave `a`.
fn way_out<A: Support, B: Support>(a: &A, b: &B, normal: Vec3) -> f32 {
    let n: DVec3 = normal.as_dvec3().normalize();
    let cores = a.core_support(n).dot(n) - b.core_support(-n).dot(n);
    (cores + a.rounding() + b.rounding()) as f32
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
        A: ContactWith<B, Answer = Option<Contact>> + Support + InParry,
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
