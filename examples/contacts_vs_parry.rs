//! Contacts of 100,000 random pairs of boxes against parry's: how many agree, and why the others do not.
//!
//! parry finds the contact of two boxes by GJK and EPA in `f32`, this library by the fifteen axes in `f64` behind an exact
//! verdict. Where the two differ, the exact relation of the shifted boxes tells which one is right.
//!
//! ```text
//! cargo run --release --example contacts_vs_parry
//! ```

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::Cuboid;
use tangency::query::{Contact, closest_points, contact, intersect};
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

/// What a pair shows. Our contact exists exactly when the boxes meet; whose depth is right is told by shifting the second box
/// along parry's normal by parry's depth (and a little more) and asking for the exact relation.
fn classify(a: &Obb, b: &Obb, ours: Option<&Contact>, theirs: Option<&parry3d::query::Contact>) -> &'static str {
    match (ours, theirs) {
        (None, None) => "separate, both say so",
        (None, Some(p)) if closest_points(a, b).is_ok_and(|c| p.dist > 0.0 && (c.distance - p.dist).abs() < DEPTH) => {
            "separate: parry returns the (right) positive distance, where it should return no contact"
        }
        (None, Some(_)) => "separate by less than f32 resolves: parry sees an overlap",
        (Some(c), None) if c.depth() < DEPTH => "overlapping by less than f32 resolves: parry sees none",
        (Some(_), None) => "overlapping: parry sees none",
        (Some(c), Some(p)) => {
            let same_depth = (c.depth() + p.dist).abs() < DEPTH;
            let same_normal = c.normal().distance(p.normal1) < NORMAL;
            let way = p.normal1 * (4.0 * DEPTH - p.dist);
            let parted = b.translate(way).is_ok_and(|b| !intersect(a, &b).is_hit());
            match (same_depth, same_normal, parted) {
                (true, true, _) => AGREE,
                (true, false, _) => "tie: the same depth along another axis",
                (false, _, false) => "parry's depth is too small: that shift does not part the boxes",
                (false, _, true) if -p.dist > c.depth() => "parry's axis parts them, but later than ours",
                (false, _, true) => "parry's axis parts them sooner than ours",
            }
        }
    }
}

const AGREE: &str = "contact, depth and normal agree";

/// Counts the classes of all pairs.
fn compare(find: impl Fn(&Obb, &Obb) -> Option<parry3d::query::Contact>) {
    let mut random = Random(0x5EED);
    let mut classes: BTreeMap<&str, (u32, f32)> = BTreeMap::new();
    let mut contacts = 0_u32;
    for _ in 0..PAIRS {
        let (a, b) = (random.obb(), random.obb());
        let ours = contact(&a, &b);
        assert_eq!(ours.is_some(), intersect(&a, &b).is_hit(), "a contact exists exactly when the boxes meet");
        let theirs = find(&a, &b);
        contacts += u32::from(ours.is_some());
        let entry = classes.entry(classify(&a, &b, ours.as_ref(), theirs.as_ref())).or_default();
        entry.0 += 1;
        if let (Some(c), Some(p)) = (&ours, &theirs) {
            entry.1 = entry.1.max((c.depth() + p.dist).abs());
        }
    }
    println!("{PAIRS} pairs of boxes, {contacts} contacts");
    for (class, (count, difference)) in &classes {
        println!("{count:>8}  {class} (depths differ by at most {difference:.1e})");
    }
    let agree = classes.get(AGREE).map_or(0, |class| class.0);
    println!(
        "{:>8.3} % of the contacts agree in depth and normal",
        100.0 * f64::from(agree) / f64::from(contacts.max(1))
    );
}

fn in_parry(obb: &Obb) -> (Pose, Cuboid) {
    (Pose::from_parts(obb.center(), obb.rotation()), Cuboid::new(obb.half_extents()))
}

fn main() {
    compare(|a, b| {
        let ((pose_a, cuboid_a), (pose_b, cuboid_b)) = (in_parry(a), in_parry(b));
        parry3d::query::contact(&pose_a, &cuboid_a, &pose_b, &cuboid_b, 0.0).expect("boxes are supported")
    });
}
