//! Rotating calipers, which steer fits in the plane and in space.

use glam::DVec2;

/// The direction of the edge of a planar hull (its corners, counter-clockwise) along which a rectangle around it has the least area.
pub(crate) fn least_rectangle(hull: &[DVec2]) -> DVec2 {
    let n = hull.len();
    match n {
        1 => return DVec2::X,
        2 => return (hull[1] - hull[0]).normalize(),
        _ => {}
    }
    // The calipers: the corners farthest ahead, across, and behind. Each only ever moves on.
    let (mut ahead, mut across, mut behind) = (1, 1, 1);
    let (mut best, mut least) = (DVec2::X, f64::INFINITY);
    for k in 0..n {
        let along = (hull[(k + 1) % n] - hull[k]).normalize();
        let up = along.perp();
        let height = |i: usize, direction: DVec2| (hull[i % n] - hull[k]).dot(direction);
        let climb = |mut i: usize, direction: DVec2| {
            for _ in 0..n {
                if height(i + 1, direction) < height(i, direction) {
                    break;
                }
                i += 1;
            }
            i
        };
        ahead = climb(ahead.max(k + 1), along);
        across = climb(across.max(ahead), up);
        behind = climb(behind.max(across), -along);
        let area = (height(ahead, along) - height(behind, along)) * height(across, up);
        if area < least {
            (best, least) = (along, area);
        }
    }
    best
}
