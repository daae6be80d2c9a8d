//! Half-spaces in double words.
//!
//! The normal is scaled so that its largest component is from 1 to 2. Then n·x − d at the origin of the ray is right to 2⁻⁴⁰ of the sum of its
//! products, and by how much it falls in a unit of time to 2⁻³⁹.

use super::shot::LATEST;
use super::{Meeting, Shot, Verdict, exponent, power, recip_double, single, sum3};
use crate::det::{abs, add, clean, max, min, mul, mul_double, neg, neg_double, sub_double, two_prod};
use crate::shape::kinds::Record;

/// The exponents of the largest component of a normal: 2⁻⁶⁰ to 2⁶⁰.
const NORMALS: std::ops::RangeInclusive<u32> = 67..=187;
/// The offset may be this many powers of two larger.
const MOST_OFFSET: u32 = 60;
/// The errors of the height of the origin, as a share of its size and as it is, and of the fall.
const HEIGHT_ERROR: f32 = 1.0 / (1_u64 << 40) as f32;
const LEAST_HEIGHT_ERROR: f32 = 1.0 / (1_u128 << 90) as f32;
const FALL_ERROR: f32 = 1.0 / (1_u64 << 38) as f32;
/// Times of slower falls are computed elsewhere.
const LEAST_FALL: f32 = 1.0 / (1 << 30) as f32;

pub(super) fn meeting(shot: &Shot, record: &Record) -> Option<Meeting> {
    let largest = exponent(record[0]).max(exponent(record[1])).max(exponent(record[2]));
    if !NORMALS.contains(&largest) || exponent(record[3]) > largest + MOST_OFFSET {
        return None;
    }
    let scale = power(254 - largest);
    let [n0, n1, n2, d] = [0, 1, 2, 3].map(|k| mul(record[k], scale));
    let ([x, y, z], [dx, dy, dz]) = (shot.ray.origin().to_array().map(clean), shot.direction);
    let height = sub_double(sum3(two_prod(n0, x), two_prod(n1, y), two_prod(n2, z)), single(d));
    let falls = neg_double(sum3(two_prod(n0, dx), two_prod(n1, dy), two_prod(n2, dz)));
    let size = add(add(abs(mul(n0, x)), abs(mul(n1, y))), add(abs(mul(n2, z)), abs(d)));
    let error = add(mul(size, HEIGHT_ERROR), LEAST_HEIGHT_ERROR);
    let end = sub_double(height, mul_double(falls, single(shot.last))).high;
    let end_error = add(error, mul(shot.last, FALL_ERROR));
    // (A ray that lasts so long may last longer.)
    let (above, lasts) = (height.high > error, !(shot.last < LATEST));
    let verdict = if above && (falls.high < neg(FALL_ERROR) || !lasts && end > end_error) {
        Verdict::Miss
    } else if height.high < neg(error) || end < neg(end_error) {
        Verdict::Hit
    } else {
        Verdict::Open
    };
    let time = if falls.high > LEAST_FALL {
        max(mul_double(height, recip_double(falls)).high, 0.0)
    } else if above && verdict != Verdict::Miss {
        return None;
    } else {
        0.0
    };
    (!lasts || time < LATEST).then(|| Meeting { verdict, time: min(time, shot.last) })
}
