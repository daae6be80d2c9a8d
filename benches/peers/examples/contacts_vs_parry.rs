//! Contacts of 100,000 random pairs of boxes, compared with parry's: how many agree, and why the others differ.
//!
//! parry finds the contact of two boxes by GJK and EPA in `f32`, this library by the fifteen axes in `f64` behind an exact
//! verdict. Where the two differ, the exact relation of the shifted boxes tells which one is right, and the steps of parry's
//! search, called one by one, tell why the other is not.
//!
//! ```text
//! cargo run --release -p tangency-peers --example contacts_vs_parry
//! ```

use std::collections::BTreeMap;

use parry3d::math::Pose;
use parry3d::query::epa::EPA;
use parry3d::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};
use parry3d::shape::Cuboid;
use tangency::glam::{Quat, Vec3};
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

/// Classifies a pair. Our contact exists exactly when the boxes meet; which depth is right is decided by shifting the second box
/// along parry's normal by parry's depth (and a little more) and computing the exact relation.
fn classify(a: &Obb, b: &Obb, ours: Option<&Contact>, theirs: Option<&parry3d::query::Contact>) -> &'static str {
    match (ours, theirs) {
        (None, None) => SEPARATE,
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
const SEPARATE: &str = "separate, both say so";

/// Two boxes as parry sees them: the second in the frame of the first.
struct Parry {
    pose: Pose,
    place: Pose,
    a: Cuboid,
    b: Cuboid,
}

impl Parry {
    fn new(a: &Obb, b: &Obb) -> Self {
        let [pose_a, pose_b] = [a, b].map(|obb| Pose::from_parts(obb.center(), obb.rotation()));
        let [a, b] = [a, b].map(|obb| Cuboid::new(obb.half_extents()));
        Self { pose: pose_a, place: pose_a.inv_mul(&pose_b), a, b }
    }

    fn contact(&self) -> Option<parry3d::query::Contact> {
        let found = parry3d::query::contact(&Pose::IDENTITY, &self.a, &self.place, &self.b, 0.0);
        let mut found = found.expect("boxes are supported")?;
        found.transform1_by_mut(&self.pose);
        Some(found)
    }

    /// The farthest point of the difference of the boxes.
    fn support(&self, direction: Vec3) -> CsoPoint {
        CsoPoint::from_shapes(&self.place, &self.a, &self.b, direction)
    }

    /// The search of `contact`, step by step: the result of GJK, and the simplex at which it stopped.
    fn gjk(&self) -> (GJKResult, VoronoiSimplex) {
        let mut simplex = VoronoiSimplex::new();
        simplex.reset(self.support(self.place.translation.normalize()));
        let result = gjk::closest_points(&self.place, &self.a, &self.b, 0.0, true, &mut simplex);
        (result, simplex)
    }

    /// Why parry's contact is not the right one; `depth` is the right depth, or 0 for separate boxes.
    fn cause(&self, depth: f32) -> &'static str {
        let (result, simplex) = self.gjk();
        match result {
            GJKResult::Intersection => match EPA::new().closest_points(&self.place, &self.a, &self.b, &simplex) {
                Some((on_a, on_b, normal)) if self.is_inner_face((on_a - on_b).dot(normal), normal, depth) => {
                    INNER_FACE
                }
                _ => UNKNOWN,
            },
            GJKResult::ClosestPoints(..) if self.is_stalled(&simplex) => STALLED,
            _ => UNKNOWN,
        }
    }

    /// Whether a face at this distance has the normal of the right answer, and the difference of the boxes reaches farther along
    /// it.
    fn is_inner_face(&self, distance: f32, normal: Vec3, depth: f32) -> bool {
        let reach = self.support(normal).point.dot(normal);
        (reach - depth).abs() < DEPTH && reach - distance > DEPTH
    }

    /// Whether GJK has stopped on a triangle because the direction from it to the origin is rounded so badly that it shows no gap
    /// between the boxes, and as the next corner one in the plane of the triangle itself. The true normal finds more: a gap, or a
    /// corner off the plane.
    fn is_stalled(&self, simplex: &VoronoiSimplex) -> bool {
        if simplex.dimension() != 2 {
            return false;
        }
        let [p, q, r] = [0, 1, 2].map(|i| simplex.point(i).point.as_dvec3());
        let normal = (q - p).cross(r - p).normalize();
        let exact = normal * -normal.dot(p).signum();
        let rounded = -simplex.clone().project_origin().normalize();
        let look = |direction: Vec3| {
            let corner = self.support(direction);
            (-direction.dot(corner.point) > 0.0, simplex.clone().add_point(corner))
        };
        look(rounded) == (false, false) && look(exact.as_vec3()) != (false, false)
    }
}

const INNER_FACE: &str =
    "EPA has the right normal, but takes the depth from an earlier face parallel to the outermost one";
const STALLED: &str =
    "GJK rounds the direction to a near origin, finds no new corner, and takes the boxes for touching";
const UNKNOWN: &str = "unknown";

fn main() {
    let mut random = Random(0x5EED);
    let mut classes: BTreeMap<(&str, Option<&str>), (u32, f32)> = BTreeMap::new();
    let mut contacts = 0_u32;
    for _ in 0..PAIRS {
        let (a, b) = (random.obb(), random.obb());
        let parry = Parry::new(&a, &b);
        let (ours, theirs) = (contact(&a, &b), parry.contact());
        assert_eq!(ours.is_some(), intersect(&a, &b).is_hit(), "a contact exists exactly when the boxes meet");
        contacts += u32::from(ours.is_some());
        let class = classify(&a, &b, ours.as_ref(), theirs.as_ref());
        let depth = ours.as_ref().map_or(0.0, Contact::depth);
        let cause = (![AGREE, SEPARATE].contains(&class)).then(|| parry.cause(depth));
        let entry = classes.entry((class, cause)).or_default();
        entry.0 += 1;
        if let (Some(_), Some(p)) = (&ours, &theirs) {
            entry.1 = entry.1.max((depth + p.dist).abs());
        }
    }
    println!("{PAIRS} pairs of boxes, {contacts} contacts");
    for ((class, cause), (count, difference)) in &classes {
        println!("{count:>8}  {class} (depths differ by at most {difference:.1e})");
        if let Some(cause) = cause {
            println!("{:>8}  because {cause}", "");
        }
    }
    let agree: u32 = classes.iter().filter(|((class, _), _)| *class == AGREE).map(|(_, (count, _))| count).sum();
    println!(
        "{:>8.3} % of the contacts agree in depth and normal",
        100.0 * f64::from(agree) / f64::from(contacts.max(1))
    );
}
