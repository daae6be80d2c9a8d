use glam::DVec2;

/// The centre of the smallest circle around at least one point of the plane, as `f64` finds it.
///
/// The circle of up to three points that hold it takes in the farthest point, until there is none outside; each circle is larger than
/// the one before.
pub(super) fn least_circle(points: &[DVec2]) -> DVec2 {
    let farthest = |from: DVec2| {
        let distance = |p: &&DVec2| p.distance_squared(from);
        *points.iter().max_by(|p, q| distance(p).total_cmp(&distance(q))).expect("at least one point")
    };
    let first = farthest(points[0]);
    let mut holding = vec![first, farthest(first)];
    let (mut center, mut square) = of_two(holding[0], holding[1]);
    for _ in 0..100 {
        let next = farthest(center);
        if next.distance_squared(center) <= square * (1.0 + 1e-12) {
            break;
        }
        holding.push(next);
        let Some((held, (new_center, new_square))) = least_of_few(&holding).filter(|(_, (_, new))| *new > square)
        else {
            break;
        };
        (holding, center, square) = (held, new_center, new_square);
    }
    center
}

/// A centre and a squared radius.
type Circle = (DVec2, f64);

fn of_two(a: DVec2, b: DVec2) -> Circle {
    (a.midpoint(b), a.distance_squared(b) / 4.0)
}

fn of_three(a: DVec2, b: DVec2, c: DVec2) -> Option<Circle> {
    let (u, v) = (b - a, c - a);
    let twice = 2.0 * u.perp_dot(v);
    let to_center = (u.perp() * v.length_squared() - v.perp() * u.length_squared()) / twice;
    to_center.is_finite().then(|| (a + to_center, to_center.length_squared()))
}

/// The smallest circle around up to four points, and those that hold it.
fn least_of_few(points: &[DVec2]) -> Option<(Vec<DVec2>, Circle)> {
    let n = points.len();
    let mut best: Option<(Vec<DVec2>, Circle)> = None;
    let mut consider = |held: &[DVec2], circle: Circle| {
        let around = points.iter().all(|p| p.distance_squared(circle.0) <= circle.1 * (1.0 + 1e-12));
        if around && best.as_ref().is_none_or(|(_, least)| circle.1 < least.1) {
            best = Some((held.to_vec(), circle));
        }
    };
    for i in 0..n {
        for j in 0..i {
            consider(&[points[i], points[j]], of_two(points[i], points[j]));
            for k in 0..j {
                if let Some(circle) = of_three(points[i], points[j], points[k]) {
                    consider(&[points[i], points[j], points[k]], circle);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_circle_by_hand() {
        let near = |a: DVec2, b: DVec2| a.distance(b) < 1e-12;
        assert_eq!(least_circle(&[DVec2::ONE]), DVec2::ONE);
        assert!(near(least_circle(&[DVec2::ZERO, DVec2::new(2.0, 0.0), DVec2::new(1.0, 0.5)]), DVec2::new(1.0, 0.0)));
        let square = [DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE, DVec2::splat(0.3)];
        assert!(near(least_circle(&square), DVec2::splat(0.5)));
        let ring: Vec<DVec2> = (0..97).map(|k| DVec2::from_angle(f64::from(k)) * 5.0 + DVec2::X).collect();
        assert!(least_circle(&ring).distance(DVec2::X) < 0.02);
    }
}
