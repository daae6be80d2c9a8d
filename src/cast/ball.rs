//! Balls in double words.

use super::{
    EXPONENTS, GROWTH, LAST, Meeting, Shot, Verdict, difference, exponent, plus, power, recip_double, scaled, single,
    sqrt_double, sum3, unscaled,
};
use crate::det::{Double, abs, min, mul, mul_double, sub, sub_double, two_prod, two_sum};
use crate::shape::kinds::Record;

/// The errors of: the squared distance from the line, in parts of the distance and the radius; the squared distance of the origin;
/// that of the end; and the time of the nearest point.
const LINE_ERROR: f32 = 1.0 / (1_u64 << 39) as f32;
const LEAST_LINE_ERROR: f32 = 1.0 / (1_u128 << 90) as f32;
const ORIGIN_ERROR: f32 = 1.0 / (1_u64 << 38) as f32;
const END_ERROR: f32 = 1.0 / (1_u64 << 32) as f32;
const TIME_ERROR: f32 = 1.0 / (1_u64 << 38) as f32;

fn square3([x, y, z]: [Double; 3]) -> Double {
    sum3(mul_double(x, x), mul_double(y, y), mul_double(z, z))
}

/// t − time · d.
fn apart(t: [Double; 3], time: Double, d: [Double; 3]) -> [Double; 3] {
    [0, 1, 2].map(|k| sub_double(t[k], mul_double(time, d[k])))
}

pub(super) fn meeting(shot: &Shot, record: &Record) -> Option<Meeting> {
    let origin = shot.ray.origin().to_array();
    let t = [0, 1, 2].map(|k| difference(record[k], origin[k]));
    let size = (0..3).fold(exponent(record[3]), |size, k| size.max(exponent(t[k].high)));
    if !EXPONENTS.contains(&size) {
        return None;
    }
    let scale = power(254 - size);
    let (t, radius) = (t.map(|x| scaled(x, scale)), mul(record[3], scale));
    let (d, last) = (shot.direction.map(single), min(mul(shot.last, scale), LAST));
    let inverse = recip_double(square3(d));
    let along = sum3(mul_double(t[0], d[0]), mul_double(t[1], d[1]), mul_double(t[2], d[2]));
    let nearest = mul_double(along, inverse);
    let offset = apart(t, nearest, d);
    let (offset_square, limit) = (square3(offset), two_prod(radius, radius));
    let line = sub_double(offset_square, limit).high;
    let from_origin = sub_double(square3(t), limit).high;
    let from_end = sub_double(square3(apart(t, single(last), d)), limit).high;
    let size_of_line = plus(plus(abs(offset[0].high), abs(offset[1].high)), plus(abs(offset[2].high), radius));
    let line_error = plus(mul(size_of_line, LINE_ERROR), LEAST_LINE_ERROR);
    let past_end = sub(nearest.high, last);
    let missed = line > line_error
        || nearest.high < -TIME_ERROR && from_origin > ORIGIN_ERROR
        || past_end > TIME_ERROR && from_end > END_ERROR;
    let met = line < -line_error && nearest.high > TIME_ERROR && past_end < -TIME_ERROR
        || from_origin < -ORIGIN_ERROR
        || from_end < -END_ERROR;
    let verdict = if missed {
        Verdict::Miss
    } else if met {
        Verdict::Hit
    } else {
        Verdict::Open
    };
    let grown = two_sum(radius, GROWTH);
    let chord = mul_double(sub_double(mul_double(grown, grown), offset_square), inverse);
    let half = if chord.high > 0.0 { sqrt_double(chord) } else { single(0.0) };
    let time = sub_double(nearest, half).high;
    Some(Meeting { verdict, time: unscaled(shot, time, size) })
}
