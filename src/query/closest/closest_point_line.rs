use glam::DVec3;

use super::{Closest, ClosestPoint};
use crate::Result;
use crate::shape::{BoundedLine, Line, Ray};

/// The projection `(P − P₀) · d / d²` on the line, kept between two parameters.
fn on_line(line: &Line, min: f64, max: f64, point: DVec3) -> Closest {
    let (start, d) = (line.point().as_dvec3(), line.direction().as_dvec3());
    let t = ((point - start).dot(d) / d.length_squared()).max(min).min(max);
    let nearest = start + d * t;
    Closest::new(nearest, point.distance(nearest))
}

impl ClosestPoint for Line {
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        Ok(on_line(self, f64::NEG_INFINITY, f64::INFINITY, point))
    }
}

impl ClosestPoint for Ray {
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        Ok(on_line(&self.line(), 0.0, f64::INFINITY, point))
    }
}

impl ClosestPoint for BoundedLine {
    fn closest_point(&self, point: DVec3) -> Result<Closest> {
        self.validate()?;
        Ok(on_line(&self.line(), f64::from(self.min()), f64::from(self.max()), point))
    }
}
