use glam::DVec3;

use super::{Cuboid, Pair};

/// The nearest points of a segment and a box.
///
/// Along the segment the squared distance from the box is convex and piecewise quadratic: the pieces end where a
/// coordinate passes a face (at most six places), and in the piece where the slope changes sign it is linear, so the
/// minimum is found exactly, up to rounding.
pub(crate) fn near_segment_cuboid((p, q): Pair, cuboid: Cuboid) -> Pair {
    let (start, half) = (cuboid.to_local(p), cuboid.half);
    let d = cuboid.to_local(q) - start;
    let at = |t: f64| start + d * t;
    // Half the derivative of the squared distance: direction · (x − clamp(x)).
    let slope = |t: f64| {
        let x = at(t);
        d.dot(x - clamp(x, half))
    };
    let mut ends = [0.0; 8];
    let mut count = 1;
    for k in 0..3 {
        for face in [-half[k], half[k]] {
            let t = (face - start[k]) / d[k];
            if t > 0.0 && t < 1.0 {
                ends[count] = t;
                count += 1;
            }
        }
    }
    ends[count] = 1.0;
    let ends = &mut ends[..=count];
    ends.sort_unstable_by(f64::total_cmp);
    let mut best = 0.0;
    if slope(0.0) < 0.0 {
        best = 1.0;
        for piece in ends.windows(2) {
            let (low, high) = (slope(piece[0]), slope(piece[1]));
            if high >= 0.0 {
                let share = if high > low { (-low / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
                best = piece[0] + (piece[1] - piece[0]) * share;
                break;
            }
        }
    }
    let x = at(best);
    let on_segment = if best <= 0.5 { p + (q - p) * best } else { q - (q - p) * (1.0 - best) };
    (on_segment, cuboid.to_world(clamp(x, half)))
}

fn clamp(x: DVec3, half: DVec3) -> DVec3 {
    x.max(-half).min(half)
}
