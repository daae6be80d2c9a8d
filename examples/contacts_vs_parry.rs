//! Contacts of 100,000 random pairs of boxes against parry's: how many agree, and why the others do not.
//!
//! ```text
//! cargo run --release --example contacts_vs_parry
//! ```

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::Cuboid;
use tangency::query::{Contact, contact, intersect};
use tangency::shape::Obb;

const PAIRS: u32 = 100_000;

/// Depths agree when they differ by less than this; the boxes are about 2 large, and parry works in `f32`.
const DEPTH: f32 = 1e-5;

/// Normals agree when they differ by less than this.
const NORMAL: f32 = 1e-3;

/// A small generator, so that the pairs are the same everywhere: `SplitMix64`.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
    }

    fn vector(&mut self, low: f32, high: f32) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * (high - low) + low
    }

    fn obb(&mut self) -> Obb {
        let (v, w) = (self.vector(-1.0, 1.0), self.unit() * 2.0 - 1.0);
        let rotation = Quat::from_xyzw(v.x, v.y, v.z, w).normalize();
        Obb::new(self.vector(-1.2, 1.2), self.vector(0.2, 1.2), rotation).expect("random numbers are valid")
    }
}

/// The depth along a unit axis, in `f64`.
fn depth_along(a: &Obb, b: &Obb, axis: Vec3) -> f64 {
    let axis = axis.as_dvec3().normalize();
    let reach = |o: &Obb| -> f64 {
        o.axes().iter().zip(o.half_extents().as_dvec3().to_array()).map(|(x, e)| x.dot(axis).abs() * e).sum()
    };
    reach(a) + reach(b) - (b.center().as_dvec3() - a.center().as_dvec3()).dot(axis).abs()
}

/// What a pair shows; `our` contact is known to exist exactly when the boxes meet.
fn classify(a: &Obb, b: &Obb, our: Option<&Contact>, their: Option<&parry3d::query::Contact>) -> &'static str {
    match (our, their) {
        (None, None) => "separate: both say so",
        (None, Some(_)) => "separate (exactly), parry reports a contact",
        (Some(c), None) if c.depth() < DEPTH => "touching within rounding, parry reports none",
        (Some(_), None) => "overlapping (exactly), parry reports none",
        (Some(c), Some(p)) => {
            let (depth, same_normal) = ((c.depth() + p.dist).abs() < DEPTH, c.normal().distance(p.normal1) < NORMAL);
            let along_theirs = depth_along(a, b, p.normal1) as f32;
            match (depth, same_normal) {
                (true, true) => "contact: depth and normal agree",
                (true, false) => "tie: same depth along another axis",
                (false, true) => "same normal, parry's depth is that of one point, not of the axis",
                (false, false) if along_theirs < c.depth() - DEPTH => "parry's axis is better than ours",
                (false, false) if (along_theirs - c.depth()).abs() < DEPTH => {
                    "tie of axes, parry's depth is that of one point"
                }
                (false, false) => "parry's axis is worse than ours",
            }
        }
    }
}

fn main() {
    let mut random = Random(0x5EED);
    let mut classes: BTreeMap<&str, (u32, f32)> = BTreeMap::new();
    let (mut contacts, mut worst) = (0_u32, 0.0_f32);
    for _ in 0..PAIRS {
        let (a, b) = (random.obb(), random.obb());
        let ours = contact(&a, &b);
        assert_eq!(ours.is_some(), intersect(&a, &b).is_hit(), "a contact exists exactly when the boxes meet");
        let in_parry = |o: &Obb| (Pose::from_parts(o.center(), o.rotation()), Cuboid::new(o.half_extents()));
        let ((pose_a, cuboid_a), (pose_b, cuboid_b)) = (in_parry(&a), in_parry(&b));
        let theirs = parry3d::query::contact(&pose_a, &cuboid_a, &pose_b, &cuboid_b, 0.0).expect("boxes are supported");
        let class = classify(&a, &b, ours.as_ref(), theirs.as_ref());
        let entry = classes.entry(class).or_default();
        entry.0 += 1;
        if let (Some(c), Some(p)) = (&ours, &theirs) {
            contacts += 1;
            let difference = (c.depth() + p.dist).abs();
            entry.1 = entry.1.max(difference);
            if class.starts_with("contact") {
                worst = worst.max(difference);
            }
        }
    }
    println!("{PAIRS} pairs of boxes, {contacts} contacts in both libraries");
    for (class, (count, difference)) in &classes {
        println!("{count:>7}  {class}  (largest difference in depth {difference:.1e})");
    }
    let agree = classes.get("contact: depth and normal agree").map_or(0, |c| c.0);
    println!(
        "depth and normal agree in {:.3} % of the contacts",
        100.0 * f64::from(agree) / f64::from(contacts.max(1))
    );
    println!("largest difference in depth where both agree: {worst:.1e}");
}
