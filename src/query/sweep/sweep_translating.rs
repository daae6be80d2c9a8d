//! The first contact of shapes that move without turning.

use super::pose::Approach;
use super::sweep::{Found, Tolerance};

/// More steps than polytopes and balls need by far: each ends on a new feature or comes quadratically nearer.
const MAX_STEPS: usize = 1000;

/// Conservative advancement: along the separating normal the gap shrinks at a constant, known rate, so time may advance
/// to where that gap would close.
pub(super) fn first_contact_translating(pair: &impl Approach, tolerance: &Tolerance) -> Option<Found> {
    let velocity = pair.velocity();
    let mut time = 0.0;
    for _ in 0..MAX_STEPS {
        let state = pair.apart(time);
        let Some(normal) = state.normal.filter(|_| state.gap > tolerance.contact) else {
            return Some(Found { time, apart: state, converged: true });
        };
        let rate = velocity.dot(normal);
        let step = (state.gap - tolerance.rounding) / rate;
        // Not approaching along this normal: the plane between them stays between them.
        if rate <= 0.0 || time + step > 1.0 {
            return None;
        }
        time += step;
    }
    Some(Found { time, apart: pair.apart(time), converged: false })
}
