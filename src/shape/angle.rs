//! Angles without the system's library of functions, whose last bits are not the same on all systems.

/// A quarter turn as the sum of three numbers, of which the first two have so few bits that whole multiples of them are exact.
const QUARTER: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
/// Angles above this are first taken as parts of a full turn, which is off by a rounding of the angle.
const LARGE: f64 = (1 << 20) as f64;

/// The sine and the cosine of a finite angle, off by less than 2⁻⁵¹ and a rounding of the angle.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    let angle = if angle.abs() > LARGE { angle % std::f64::consts::TAU } else { angle };
    let quarters = (angle * std::f64::consts::FRAC_2_PI).round();
    let x = QUARTER.iter().fold(angle, |rest, part| rest - quarters * part);
    // The series of both, from their smallest terms on.
    let series = |first: i32| {
        let mut sum = 0.0;
        for k in (0..9).rev() {
            let at = 2 * k + first;
            sum = 1.0 - x * x / f64::from((at + 1) * (at + 2)) * sum;
        }
        sum
    };
    let (sin, cos) = (x * series(1), series(0));
    match quarters.rem_euclid(4.0) as u8 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// A number that grows with the angle from the direction (1, 0) to (x, y), from −2 at half a turn backward to 2 at half a turn; 0 of no direction.
pub(crate) fn turned_by(x: f64, y: f64) -> f64 {
    let all = x.abs() + y.abs();
    match (all > 0.0, y < 0.0) {
        (false, _) => 0.0,
        (true, true) => x / all - 1.0,
        (true, false) => 1.0 - x / all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_are_those_of_the_system_but_for_a_rounding() {
        let small = (-40_000..40_000).map(|k| f64::from(k) * 1.37e-3);
        let large = (0..2000).flat_map(|k| [f64::from(k) * 517.3, f64::from(k) * 1e9 + 0.1]);
        for angle in small.chain(large).chain([0.0, -0.0, 1e-300, 1e300, f64::MAX]) {
            let (sin, cos) = sin_cos(angle);
            let error = (sin - angle.sin()).abs().max((cos - angle.cos()).abs());
            assert!(error < 2.0 * f64::EPSILON + angle.abs() * f64::EPSILON, "{angle}: {error}");
            assert!((sin * sin + cos * cos - 1.0).abs() < 1e-15, "{angle}");
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        let turn = std::f64::consts::FRAC_PI_2;
        assert_eq!([0, 1, 2, 3].map(|k| sin_cos(turn * f64::from(k)).1.round() as i32), [1, 0, -1, 0]);
    }

    #[test]
    fn directions_are_in_the_order_of_their_angles() {
        let directions: Vec<(f64, f64)> = (-180..=180).map(|k| f64::from(k).to_radians().sin_cos()).collect();
        for pair in directions.windows(2).skip(1) {
            let [(y, x), (w, v)] = [pair[0], pair[1]];
            assert!(turned_by(x, y) < turned_by(3.0 * v, 3.0 * w), "({x}, {y}) and ({v}, {w})");
        }
        assert_eq!(
            [turned_by(1.0, 0.0), turned_by(0.0, 1.0), turned_by(-1.0, 0.0), turned_by(0.0, -1.0)],
            [0.0, 1.0, 2.0, -1.0]
        );
        assert_eq!(turned_by(0.0, 0.0), 0.0);
    }
}
