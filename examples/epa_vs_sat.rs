//! EPA against the 15-axis separating axis test in `f64`, on 100,000 random overlapping boxes: the largest error in depth.
//!
//! `cargo run --release --example epa_vs_sat`

use tangency::glam::{DVec3, Quat, Vec3};
use tangency::query;
use tangency::shape::Obb;

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, reach: f64) -> Vec3 {
        Vec3::from_array([0; 3].map(|_| self.within(-reach, reach) as f32))
    }

    /// Extents from 0.01 to 1, log-uniform: plates and needles are among them.
    fn extents(&mut self) -> Vec3 {
        Vec3::from_array([0; 3].map(|_| 10f64.powf(self.within(-2.0, 0.0)) as f32))
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_array([0; 4].map(|_| self.within(-1.0, 1.0) as f32))
    }
}

/// The least overlap over the 15 axes, negative when they are apart: `ra + rb − |t · L|` for each unit axis L.
fn sat_depth(a: &Obb, b: &Obb) -> f64 {
    let offset = b.center().as_dvec3() - a.center().as_dvec3();
    let overlap = |axis: DVec3| {
        let radius = |o: &Obb| {
            o.axes().iter().zip(o.half_extents().as_dvec3().to_array()).map(|(x, e)| e * x.dot(axis).abs()).sum::<f64>()
        };
        radius(a) + radius(b) - offset.dot(axis).abs()
    };
    let faces = a.axes().into_iter().chain(b.axes());
    let crosses = a.axes().into_iter().flat_map(|x| b.axes().map(|y| x.cross(y)));
    let edges = crosses.filter(|c| c.length() > 1e-9).map(DVec3::normalize);
    faces.chain(edges).map(overlap).fold(f64::INFINITY, f64::min)
}

fn main() {
    let wanted = 100_000;
    let mut random = Random(0x5EED);
    let families = ["any rotation", "same rotation", "turned by 1e-4", "aligned, on a grid", "near contact"];
    println!("{:<20} {:>8} {:>14} {:>14} {:>14}", "family", "pairs", "depth error", "relative", "normal error");
    let (mut total, mut overall) = (0, 0.0f64);
    for (family, name) in families.iter().enumerate() {
        let (mut pairs, mut worst, mut worst_relative, mut worst_normal) = (0, 0.0f64, 0.0f64, 0.0f64);
        while pairs < wanted / families.len() {
            let first = random.rotation();
            let (ra, rb) = match family {
                1 => (first, first),
                2 => (first, Quat::from_scaled_axis(random.vector(1e-4)) * first.normalize()),
                3 => (Quat::IDENTITY, Quat::IDENTITY),
                _ => (first, random.rotation()),
            };
            let snap = |v: Vec3| if family == 3 { (v * 8.0).ceil() / 8.0 } else { v };
            let a = Obb::new(snap(random.vector(0.2)), snap(random.extents()), ra).expect("valid numbers");
            let mut b = Obb::new(snap(random.vector(1.2)), snap(random.extents()), rb).expect("valid numbers");
            if family == 4 {
                // The boxes are moved until they nearly touch.
                let Some(deep) = query::epa(&a, &b) else { continue };
                let rest = random.within(1e-7, 1e-5) as f32;
                b = b.translate(deep.normal * (deep.depth - rest)).expect("valid numbers");
            }
            let depth = sat_depth(&a, &b);
            if depth < 0.0 {
                continue;
            }
            let found = query::epa(&a, &b).expect("boxes that overlap penetrate");
            let error = (f64::from(found.depth) - depth).abs();
            let size = a.half_extents().max_element().max(b.half_extents().max_element());
            // The depth along the normal of EPA minus the depth along the best normal.
            let n = found.normal.as_dvec3().normalize();
            let along = |o: &Obb| {
                o.axes()
                    .iter()
                    .zip(o.half_extents().as_dvec3().to_array())
                    .map(|(x, e)| e * x.dot(n).abs())
                    .sum::<f64>()
            };
            let out = along(&a) + along(&b) - (b.center().as_dvec3() - a.center().as_dvec3()).dot(n);
            worst = worst.max(error);
            worst_relative = worst_relative.max(error / f64::from(size));
            worst_normal = worst_normal.max((out - depth).abs());
            pairs += 1;
        }
        println!("{name:<20} {pairs:>8} {worst:>14.3e} {worst_relative:>14.3e} {worst_normal:>14.3e}");
        total += pairs;
        overall = overall.max(worst);
    }
    println!(
        "{total} overlapping boxes, largest error of the depth {overall:.3e} (extents 0.01 to 1, results rounded to f32)"
    );
    assert!(overall < 1e-6, "EPA and the separating axis test disagree");
}
