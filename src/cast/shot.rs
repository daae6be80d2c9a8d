//! A ray as the backends see it.

use super::{exponent, is_length};
use crate::filter::Path;
use crate::shape::Ray;

/// A ray whose direction is scaled by a power of two, so that its largest component is from 1 to 2, and its last time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shot {
    pub ray: Ray,
    /// The last time as it was given; infinite for a half-line.
    pub limit: f32,
    /// The ray with its scaled direction, exactly, and the last time in units of that.
    pub path: Path<f64>,
    pub direction: [f32; 3],
    /// The last time in units of the scaled direction, or 2⁵⁰ if it is later.
    pub last: f32,
    /// Whether deterministic arithmetic can be used: nothing was lost when the direction was scaled, and the numbers are not too large or
    /// small.
    pub in_domain: bool,
    /// A time in units of the direction as it was given is the time here times this.
    unit: f64,
}

/// A last time from here on is as good as none: nothing in the domain is as far away.
pub(crate) const LATEST: f32 = (1_u64 << 50) as f32;

impl Shot {
    /// The ray must be valid, and the limit not negative.
    pub(crate) fn new(ray: &Ray, limit: f32) -> Self {
        let wide = ray.direction().to_array().map(f64::from);
        let largest = wide.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        // (An `f32` is a normal `f64`.) 2 to the exponent of the largest component, and its inverse.
        let biased = largest.to_bits() >> 52;
        let (unit, inverse) = (f64::from_bits(biased << 52), f64::from_bits((2046 - biased) << 52));
        let scaled = wide.map(|x| x * inverse);
        // (Without −0.)
        let direction = scaled.map(|x| x as f32 + 0.0);
        let last = f64::from(limit) * unit + 0.0;
        let path = Path { origin: ray.origin().to_array().map(f64::from), direction: scaled, limit: last };
        let kept = |x: f32| x == 0.0 || exponent(x) >= 27;
        let last = if last < f64::from(LATEST) { last as f32 } else { LATEST };
        let in_domain = ray.origin().to_array().into_iter().all(is_length)
            && scaled.iter().zip(direction).all(|(x, rounded)| *x == f64::from(rounded) && kept(rounded))
            && (f64::from(last) == path.limit || last == LATEST)
            && kept(last);
        Self { ray: *ray, limit, path, direction, last, in_domain, unit: inverse }
    }

    /// A ray as it is on a device: in the domain, and with a scaled direction.
    #[cfg(feature = "gpu")]
    pub(crate) fn on_device(origin: [f32; 3], direction: [f32; 3], last: f32) -> Self {
        Self { last, direction, in_domain: true, ..Self::new(&bytemuck::cast([origin, direction]), last) }
    }

    /// The exponent of the power of two by which the direction was divided.
    #[cfg(feature = "gpu")]
    pub(crate) fn exponent(&self) -> i32 {
        1023 - (self.unit.to_bits() >> 52) as i32
    }

    /// A time in units of the direction as it was given.
    pub(crate) fn time(&self, time: f32) -> f32 {
        crate::shape::check::saturate_f32(f64::from(time) * self.unit).min(self.limit)
    }
}
