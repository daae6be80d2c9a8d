//! Random numbers, with many that are hard for collision tests.

use super::form::{Form, Kind, POINTS};

/// A stream of random numbers: splitmix64.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ 0x5EED)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// From `low` to `high`, both included.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// From 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From -1 to 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    pub fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}

/// Rounded to `f32`, and kept within the finite numbers.
pub fn finite(x: f64) -> f32 {
    (x as f32).clamp(f32::MIN, f32::MAX)
}

/// The distribution of the numbers of one case.
#[derive(Clone, Copy)]
pub struct Style {
    /// The typical exponent of lengths.
    scale: i32,
    /// The largest deviation of exponents from it.
    spread: i32,
    /// Whether mantissas have few bits, so that exact contacts are possible.
    coarse: bool,
}

impl Style {
    pub fn new(dice: &mut Dice) -> Self {
        let scale = match dice.below(4) {
            0 => dice.between(-149, 127),
            // The limits of the filters' domain, and of `f32`.
            1 => dice.pick(&[-149, -140, -126, -90, -45, 36, 39, 40, 41, 63, 80, 118, 120, 125, 127]),
            _ => dice.between(-4, 4),
        };
        let spread = dice.pick(&[0, 0, 0, 3, 24, 60, 276]);
        Self { scale, spread, coarse: dice.one_in(2) }
    }

    /// All numbers of about the same size, near one: for scenes with many contacts.
    pub fn plain(dice: &mut Dice) -> Self {
        Self { scale: dice.between(-2, 2), spread: 0, coarse: !dice.one_in(4) }
    }

    fn mantissa(self, dice: &mut Dice) -> f64 {
        match dice.below(6) {
            _ if self.coarse => f64::from(dice.between(1, 16)) / 8.0,
            0 => 1.0,
            1 => 1.0 + 2_f64.powi(-23),
            2 => 2.0 - 2_f64.powi(-23),
            _ => 1.0 + dice.unit(),
        }
    }

    /// A length, which is sometimes zero.
    pub fn length(self, dice: &mut Dice) -> f64 {
        if dice.one_in(7) {
            return 0.0;
        }
        let exponent = (self.scale + dice.between(-self.spread, self.spread)).clamp(-149, 127);
        f64::from(finite(self.mantissa(dice) * 2_f64.powi(exponent)))
    }

    /// A coordinate: zero, as large as the sizes, or so large that the sizes are a few units in its last place.
    pub fn coordinate(self, dice: &mut Dice) -> f64 {
        let far = match dice.below(6) {
            0 | 1 => return 0.0,
            2 | 3 => 0,
            4 => dice.between(0, 24),
            _ => dice.between(-self.spread, self.spread),
        };
        let exponent = (self.scale + far).clamp(-149, 127);
        let x = self.mantissa(dice) * 2_f64.powi(exponent);
        f64::from(finite(if dice.one_in(2) { x } else { -x }))
    }
}

/// A quaternion of any kind and any length.
pub fn rotation(dice: &mut Dice) -> [f32; 4] {
    let mut q = match dice.below(9) {
        0 => [0.0, 0.0, 0.0, 1.0],
        // Quarter turns, half turns, thirds of a turn; and matrices of fifths, ninths and the like.
        1 | 2 => [0; 4].map(|_| f64::from(dice.between(-1, 1))),
        3 => [0; 4].map(|_| f64::from(dice.between(-3, 3))),
        4 => [0; 4].map(|_| dice.signed()),
        5 => [0; 4].map(|_| dice.signed() * 2_f64.powi(dice.between(-149, 127))),
        // Near one of those: about 10⁻⁴⁵ to 10⁻¹ away.
        _ => {
            let away = 10_f64.powi(-dice.between(1, 45));
            let root = if dice.one_in(3) { 1.0 } else { 0.5_f64.sqrt() };
            let near = [0; 4].map(|_| f64::from(dice.between(-1, 1)) * root);
            near.map(|x| if x == 0.0 || dice.one_in(4) { x + dice.signed() * away } else { x })
        }
    };
    if dice.one_in(3) {
        let length = 2_f64.powi(dice.between(-149, 124));
        q = q.map(|x| x * length);
    }
    let q = q.map(finite);
    if q == [0.0; 4] { [0.0, 0.0, 0.0, 1.0] } else { q }
}

/// The number that lies `units` steps from `x` in the order of `f32` numbers.
pub fn step(x: f32, units: i32) -> f32 {
    let key = |x: f32| {
        let magnitude = (x.to_bits() & 0x7fff_ffff) as i32;
        if x.is_sign_negative() { -magnitude } else { magnitude }
    };
    let moved = key(x).saturating_add(units).clamp(key(f32::MIN), key(f32::MAX));
    f32::from_bits(moved.unsigned_abs() | if moved < 0 { 1 << 31 } else { 0 })
}

/// The coordinate axes, turned by a quaternion of any length.
pub fn axes(rotation: [f32; 4]) -> [[f64; 3]; 3] {
    let [x, y, z, w] = rotation.map(f64::from);
    let n = x * x + y * y + z * z + w * w;
    // Products of two `f32` are exact, and factored differences of squares keep their relative accuracy, also for a rod that
    // is nearly a quarter turn away from an axis.
    let square = |p: f64, q: f64, r: f64, s: f64| (p - q) * (p + q) + (r - s) * (r + s);
    [
        [square(w, z, x, y), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), square(w, x, y, z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), square(w, x, z, y)],
    ]
    .map(|axis| axis.map(|x| x / n))
}

/// A shape of this kind with this centre. The segment of a capsule is as long as the first edge of a box, and its radius half of the second. The
/// border of a half-space is a face of that box. A hull is in that box.
pub fn form(kind: Kind, center: [f64; 3], half: [f64; 3], rotation: [f32; 4]) -> Form {
    let c = center.map(finite);
    match kind {
        Kind::Sphere => Form::new(kind, &[c[0], c[1], c[2], finite(half[0])]),
        Kind::Aabb => {
            let corner = |sign: f64| [0, 1, 2].map(|k| finite(center[k] + sign * half[k]));
            Form::new(kind, &[corner(-1.0), corner(1.0)].concat())
        }
        Kind::Obb => Form::new(kind, &[&c[..], &half.map(finite), &rotation].concat()),
        Kind::Capsule => {
            let way = axes(rotation)[0];
            let end = |sign: f64| [0, 1, 2].map(|k| finite(center[k] + sign * half[0] * way[k]));
            Form::new(kind, &[&end(-1.0)[..], &end(1.0), &[finite(half[1])]].concat())
        }
        Kind::Plane => {
            let normal = axis(rotation);
            let way = axes(rotation)[0];
            half_space(normal, [0, 1, 2].map(|k| center[k] + half[0] * way[k]))
        }
        Kind::ConvexHull => Form::new(kind, &[&c[..], points(half).as_flattened(), &rotation].concat()),
    }
}

/// Points of a hull in a box of this size: a corner of it, a pyramid, a plate, corners of any kind, or points anywhere. Which of them follows from the
/// size alone, so that the same arguments make the same shape.
fn points(half: [f64; 3]) -> [[f32; 3]; POINTS] {
    let mut dice = Dice::new(half.iter().fold(0, |all: u64, x| all.rotate_left(21) ^ x.to_bits()));
    let kind = dice.below(8);
    std::array::from_fn(|i| {
        let signs = match kind {
            0 => [-1.0, if i & 1 == 1 { 1.0 } else { -1.0 }, if i & 2 == 2 { 1.0 } else { -1.0 }],
            1 if i == 4 => [0.0, 0.0, 1.0],
            1 => [if i & 1 == 1 { 1.0 } else { -1.0 }, if i & 2 == 2 { 1.0 } else { -1.0 }, -1.0],
            2 => [0, 1, 2].map(|k| if i == k + 1 { 1.0 } else { -1.0 }),
            3..6 => [0; 3].map(|_| f64::from(dice.between(-1, 1))),
            6 => [0; 3].map(|_| f64::from(dice.between(-4, 4)) / 4.0),
            _ => [0; 3].map(|_| dice.signed()),
        };
        [0, 1, 2].map(|k| finite(half[k] * signs[k]))
    })
}

/// The half-space with this normal whose border goes through a point, as nearly as `f32` can tell.
pub fn half_space(normal: [f32; 3], point: [f64; 3]) -> Form {
    let [x, y, z] = normal;
    let offset = (0..3).map(|k| f64::from(normal[k]) * point[k]).sum();
    Form::new(Kind::Plane, &[x, y, z, finite(offset)])
}

/// The first of the turned [`axes`] as a normal: not of length 1, but of whole numbers if the quaternion is, times a power of two.
pub fn axis(rotation: [f32; 4]) -> [f32; 3] {
    let squared: f64 = rotation.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let factor = squared * 2_f64.powi(-squared.log2().floor() as i32);
    axes(rotation)[0].map(|x| finite(x * factor))
}

/// Makes some zeros negative, which must not change any result.
pub fn sign_zeros(form: &mut Form, dice: &mut Dice) {
    for x in &mut form.v[..form.kind.lengths()] {
        if *x == 0.0 && dice.one_in(4) {
            *x = -0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_numbers() {
        for x in [0.0, 1.0, -1.0, 1e-45, f32::MIN_POSITIVE, -3e38, 2.0_f32.next_down()] {
            assert_eq!(step(x, 1), x.next_up(), "{x}");
            assert_eq!(step(x, -1), x.next_down(), "{x}");
        }
        assert_eq!((step(f32::MAX, 1), step(f32::MIN, -5)), (f32::MAX, f32::MIN));
        assert_eq!(step(-1e-45, 2), 1e-45);
    }
}
