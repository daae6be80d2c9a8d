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
                self.rays.retain(|ray| BigInt::dot(ray, point) >= BigInt::zero());
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
