//! Whether the origin, a point of a polytope, is inside it or on its surface: whether a plane through it has all corners on one side.
//!
//! The planes are narrowed down with the few corners that are known so far. Of those that remain one is taken, and the whole polytope is asked
//! for its lowest corner along that plane's normal: it is below, and excludes the plane from now on, or nothing is, and the origin is on
//! the surface.

use num_bigint::BigInt;

use crate::exact::int::Int;
use crate::exact::segment::{Vector, cross, plus};

/// Some corners, and the normals along which none of them is below the origin: a cone.
pub(super) struct Cone {
    /// None is zero.
    points: Vec<Vector>,
    /// As many of the points as are linearly independent.
    basis: Vec<Vector>,
    /// The edges of the cone of normals, once the points span space. (Before, it has a line in it.)
    rays: Vec<Vector>,
    /// Whether the last normal was from the middle of the cone.
    from_middle: bool,
}

fn is_zero(v: &Vector) -> bool {
    v.iter().all(|x| *x == BigInt::zero())
}

impl Cone {
    pub(super) fn new(points: &[Vector]) -> Self {
        let mut cone = Self { points: Vec::new(), basis: Vec::new(), rays: Vec::new(), from_middle: false };
        for point in points.iter().filter(|point| !is_zero(point)) {
            cone.add(point.clone());
        }
        cone
    }

    /// A normal that is not zero, along which no point is below the origin; `None` if there is none.
    pub(super) fn normal(&mut self) -> Option<Vector> {
        let unit = |k: usize| [0, 1, 2].map(|i| BigInt::from(i32::from(i == k)));
        match self.basis.as_slice() {
            [] => Some(unit(0)),
            [a] => [cross(a, &unit(0)), cross(a, &unit(1))].into_iter().find(|normal| !is_zero(normal)),
            [a, b] => Some(cross(a, b)),
            _ => {
                // One from the middle excludes most or is inside of what remains in the end; but if that is a single ray, only edges get there.
                self.from_middle = !self.from_middle;
                if self.from_middle { self.middle() } else { self.rays.first().cloned() }
            }
        }
    }

    /// The sum of the rays, all made about as long.
    fn middle(&self) -> Option<Vector> {
        let bits = |ray: &Vector| ray.iter().map(BigInt::bits).max().unwrap_or_default();
        let most = self.rays.iter().map(bits).max()?;
        let longer = |ray: &Vector| ray.each_ref().map(|x| x << (most - bits(ray)));
        self.rays.iter().map(longer).reduce(|sum, ray| plus(&sum, &ray))
    }

    /// A further corner, which is not zero.
    pub(super) fn add(&mut self, point: Vector) {
        let is_new = match self.basis.as_slice() {
            [] => true,
            [a] => !is_zero(&cross(a, &point)),
            [a, b] => BigInt::dot(&cross(a, b), &point) != BigInt::zero(),
            _ => false,
        };
        self.points.push(point);
        let last = self.points.len() - 1;
        if is_new {
            self.basis.push(self.points[last].clone());
        }
        match (self.basis.len(), is_new) {
            (3, true) => {
                for i in 0..=last {
                    self.add_rays(i);
                }
            }
            (3, false) => {
                let point = &self.points[last];
                // Those at right angles to the point are found once more.
                self.rays.retain(|ray| BigInt::dot(ray, point) > BigInt::zero());
                self.add_rays(last);
            }
            _ => {}
        }
    }

    /// The edges of the cone that are at right angles to a point and to one before it.
    fn add_rays(&mut self, at: usize) {
        let zero = BigInt::zero();
        for before in 0..at {
            let ray = cross(&self.points[before], &self.points[at]);
            let heights = || self.points.iter().map(|point| BigInt::dot(&ray, point));
            if is_zero(&ray) {
                continue;
            }
            let (mut above, mut below) = (true, true);
            for height in heights() {
                above &= height >= zero;
                below &= height <= zero;
                if !(above || below) {
                    break;
                }
            }
            if above {
                self.rays.push(ray);
            } else if below {
                self.rays.push(ray.map(|x| Int::sub(&zero, &x)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of whole numbers without a common divisor.
    fn reduced(ray: &Vector) -> [i64; 3] {
        let [x, y, z] = ray.each_ref().map(|x| i64::try_from(x).expect("small"));
        let mut divisor = 0_i64;
        for number in [x, y, z] {
            let (mut a, mut b) = (divisor, number.abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            divisor = a;
        }
        [x / divisor, y / divisor, z / divisor]
    }

    /// Both orders of every pair of points, as long as they span space.
    #[test]
    fn cones_have_all_their_edges() {
        let mut state = 1_u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            BigInt::from((state >> 33) % 7) - BigInt::from(3)
        };
        let mut seen = [0; 4];
        for round in 0..3000 {
            let count = 3 + round % 5;
            // Half of them lie on one side of a plane, so that there is an edge.
            let points = (0..count).map(|_| {
                let [x, y, z] = [number(), number(), number()];
                if round % 2 == 0 { [x, y, Int::abs(&z)] } else { [x, y, z] }
            });
            let points: Vec<Vector> = points.filter(|point| !is_zero(point)).collect();
            let cone = Cone::new(&points);
            if cone.basis.len() < 3 {
                continue;
            }
            let pairs = points.iter().flat_map(|p| points.iter().map(move |q| cross(p, q)));
            let is_edge = |ray: &Vector| points.iter().all(|point| BigInt::dot(ray, point) >= BigInt::zero());
            let mut expected: Vec<_> =
                pairs.filter(|ray| !is_zero(ray) && is_edge(ray)).map(|ray| reduced(&ray)).collect();
            let mut found: Vec<_> = cone.rays.iter().map(reduced).collect();
            for rays in [&mut expected, &mut found] {
                rays.sort_unstable();
                rays.dedup();
            }
            assert_eq!(found, expected, "{points:?}");
            seen[found.len().min(3)] += 1;
        }
        assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
    }
}
