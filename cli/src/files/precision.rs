//! What is lost when positions are rounded to `f32`.

use serde_json::json;
use tangency::glam::{DVec3, Vec3};

use crate::numbers;

/// Turns positions into coordinates of a set, and keeps the largest rounding that changed what was given.
pub struct Precision {
    /// Absent until the first position determines it.
    origin: Option<DVec3>,
    /// How many numbers were changed.
    count: u64,
    largest: Option<Rounding>,
    /// Half-spaces that came before the first position.
    early: Vec<Early>,
}

/// A half-space as it was given.
struct Early {
    id: u32,
    border: Border,
    place: String,
}

/// The border of a half-space in the coordinates of a file.
#[derive(Clone, Copy)]
pub struct Border {
    pub normal: Vec3,
    pub offset: f64,
    /// One in the last digit in which the offset was written.
    pub unit: f64,
}

struct Rounding {
    value: f64,
    /// By how much the value was changed.
    by: f64,
    /// Where the value is.
    place: String,
}

/// A position that was computed, as that of a mesh in a scene, has all digits there are. It counts as changed if it is moved by more
/// than this part of the body's size.
const NOTICEABLE: f64 = 1e-4;

impl Precision {
    pub fn new(origin: Option<DVec3>) -> Self {
        Self { origin, count: 0, largest: None, early: Vec::new() }
    }

    pub fn origin(&self) -> DVec3 {
        self.origin.unwrap_or(DVec3::ZERO)
    }

    /// A position as the set holds it. `unit` is one in the last digit in which a coordinate was written: a rounding that is smaller
    /// changes nothing that was written. `place` says where coordinate 0, 1 or 2 is.
    pub fn written(&mut self, at: DVec3, unit: impl Fn(usize) -> f64, place: impl Fn(usize) -> String) -> Vec3 {
        let (local, lost) = self.rounded(at);
        for k in 0..3 {
            if lost[k] > 0.0 && lost[k] >= unit(k) {
                self.keep(at[k], lost[k], || place(k));
            }
        }
        local
    }

    /// The offset of a half-space as the set holds it. The first position may still be to come, to which body `id` will be relative then: see
    /// [`early`](Self::early). `place` says where the offset is.
    pub fn offset(&mut self, border: Border, id: usize, place: impl Fn() -> String) -> f32 {
        if self.origin.is_none() {
            self.early.push(Early { id: id as u32, border, place: place() });
            return border.offset as f32;
        }
        self.moved(border, place)
    }

    /// The half-spaces that came before the first position, relative to it, and where they are; none if it is zero.
    pub fn early(&mut self) -> Vec<(u32, Vec3, f32, String)> {
        let mut found = Vec::new();
        for Early { id, border, place } in std::mem::take(&mut self.early) {
            let offset = self.moved(border, || place.clone());
            if self.origin() != DVec3::ZERO {
                found.push((id, border.normal, offset, place));
            }
        }
        found
    }

    /// The offset relative to the origin.
    fn moved(&mut self, border: Border, place: impl Fn() -> String) -> f32 {
        let Border { normal, offset, unit } = border;
        let exact = offset - normal.as_dvec3().dot(self.origin());
        let lost = (exact - f64::from(exact as f32)).abs();
        if lost > 0.0 && lost >= unit {
            self.keep(offset, lost, place);
        }
        exact as f32
    }

    /// The centre of a body of this size that was computed. `name` says which body it is.
    pub fn center(&mut self, at: DVec3, size: f64, name: impl Fn() -> String) -> Vec3 {
        let (local, lost) = self.rounded(at);
        if lost.max_element() > size * NOTICEABLE {
            let k = (0..3).find(|k| lost[*k] == lost.max_element()).unwrap_or(0);
            self.keep(at[k], lost[k], name);
        }
        local
    }

    /// The points of a body that were computed. `name` says which body it is.
    pub fn computed(&mut self, points: &[DVec3], name: impl Fn() -> String) -> Vec<Vec3> {
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| (low.min(*point), high.max(*point)));
        let allowed = (high - low).max_element() * NOTICEABLE;
        let mut worst: Option<(f64, f64)> = None;
        let local = points
            .iter()
            .map(|point| {
                let (local, lost) = self.rounded(*point);
                let k = lost.to_array().into_iter().enumerate().fold(0, |k, (i, by)| if by > lost[k] { i } else { k });
                if lost[k] > allowed && worst.is_none_or(|(_, by)| lost[k] > by) {
                    worst = Some((point[k], lost[k]));
                }
                local
            })
            .collect();
        if let Some((value, by)) = worst {
            self.keep(value, by, name);
        }
        local
    }

    /// The nearest coordinates, and by how much each is off.
    fn rounded(&mut self, at: DVec3) -> (Vec3, DVec3) {
        let origin = *self.origin.get_or_insert_with(|| if at.is_finite() { at.round() } else { DVec3::ZERO });
        let exact = at - origin;
        let local = exact.as_vec3();
        (local, (exact - local.as_dvec3()).abs())
    }

    fn keep(&mut self, value: f64, by: f64, place: impl Fn() -> String) {
        self.count += 1;
        if self.largest.as_ref().is_none_or(|largest| by > largest.by) {
            self.largest = Some(Rounding { value, by, place: place() });
        }
    }

    /// A sentence about the largest rounding, if there is one.
    pub fn warning(&self) -> Option<String> {
        let Rounding { value, by, place } = self.largest.as_ref()?;
        let count = numbers::grouped(self.count);
        Some(format!(
            "f32 cannot hold {count} of the positions as given; the largest rounding is {by:.3e}, of {value:?} ({place}); \
             --origin X,Y,Z or --origin auto subtracts a point first"
        ))
    }

    pub fn json(&self) -> serde_json::Value {
        let Some(Rounding { value, by, place }) = &self.largest else { return serde_json::Value::Null };
        json!({"count": self.count, "largest": by, "value": value, "place": place})
    }
}

/// One in the last digit of a number as it is written, zeros at its end not being digits: 0.001 for `500000.123`, 1e6 for `120e5`.
pub fn last_digit(text: &str) -> f64 {
    // This is asked of most numbers of a file, few of which have exponents.
    let (mantissa, exponent) = match text.bytes().position(|byte| byte | 0x20 == b'e') {
        Some(at) => (&text[..at], text[at + 1..].trim_start_matches('+').parse().unwrap_or(0)),
        None => (text, 0_i32),
    };
    let digits = mantissa.trim_end_matches('0');
    let zeros = (mantissa.len() - digits.len()) as i32;
    let place = match mantissa.bytes().rposition(|byte| byte == b'.') {
        // The point is the last that is left: the zeros before it count.
        Some(at) if at + 1 == digits.len() => (at - mantissa[..at].trim_end_matches('0').len()) as i32,
        Some(at) => at as i32 + 1 - digits.len() as i32,
        None => zeros,
    };
    let place = exponent.saturating_add(place);
    match usize::try_from(-place).ok().and_then(|decimals| DECIMALS.get(decimals)) {
        Some(unit) => *unit,
        None => 10_f64.powi(place),
    }
}

/// One in the last of so many decimals.
const DECIMALS: [f64; 12] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11];

/// One in the last digit of the shortest text that reads back to this number.
pub fn last_digit_of(value: f64) -> f64 {
    last_digit(&format!("{value:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(texts: [&str; 3], origin: DVec3) -> (u64, f64) {
        let mut precision = Precision::new(Some(origin));
        let at = DVec3::from_array(texts.map(|text| text.parse().unwrap()));
        precision.written(at, |k| last_digit(texts[k]), |k| format!("{k}"));
        (precision.count, precision.largest.map_or(0.0, |largest| largest.by))
    }

    #[test]
    fn digits_that_are_lost_are_counted() {
        for (texts, origin, count) in [
            (["0.1", "500000.12", "1e-3"], DVec3::ZERO, 0),
            (["500000.123", "0", "0"], DVec3::ZERO, 1),
            (["500000.123", "0", "0"], DVec3::new(500_000.0, 0.0, 0.0), 0),
            (["16777216", "16777217", "16777218"], DVec3::ZERO, 1),
            (["-500000.123", "0.30000000000000004", "123.456789"], DVec3::ZERO, 3),
            (["5.00000123e5", "5.0000012e+5", "12e5"], DVec3::ZERO, 1),
        ] {
            let (found, by) = changed(texts, origin);
            assert_eq!((found, by > 0.0), (count, count > 0), "{texts:?}");
        }
        assert_eq!(
            ["0.10", "500000.123", "120e5", "-7.0", "12E-3", "130.0"].map(last_digit),
            [0.1, 0.001, 1e6, 1.0, 0.001, 10.0]
        );
        let (_, by) = changed(["500000.123", "16777217", "0"], DVec3::ZERO);
        assert_eq!(by, 1.0);
    }

    /// Every f32 in its shortest digits is held, also at powers of two, where neighbours are unevenly far apart.
    #[test]
    fn what_was_written_from_f32_is_not_changed() {
        let mut state = 1_u64;
        for k in 0..50_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let bits = if k < 254 { (k + 1) << 23 } else { (state >> 32) as u32 };
            let number = f32::from_bits(bits);
            if number.is_finite() {
                let text = format!("{number:?}");
                assert_eq!(changed([&text, "0", "0"], DVec3::ZERO).0, 0, "{text}");
            }
        }
    }

    #[test]
    fn the_first_position_is_the_origin_if_none_is_given() {
        let mut precision = Precision::new(None);
        let first = precision.written(DVec3::new(500_000.123, -7.6, 0.0), |_| 0.001, |_| String::new());
        assert_eq!(precision.origin(), DVec3::new(500_000.0, -8.0, 0.0));
        assert!((first - Vec3::new(0.123, 0.4, 0.0)).length() < 1e-6 && precision.count == 0);
    }

    #[test]
    fn half_spaces_wait_for_the_first_position() {
        let border = |offset| Border { normal: Vec3::new(3.0, 4.0, 0.0), offset, unit: 1e-3 };
        let mut precision = Precision::new(None);
        assert_eq!(precision.offset(border(1_500_000.123), 5, || "early".to_owned()), 1_500_000.1);
        precision.written(DVec3::new(500_000.0, 1.0, 7.0), |_| 1.0, |_| String::new());
        assert_eq!(precision.offset(border(1_500_009.0), 6, String::new), 5.0);
        assert_eq!(precision.early(), [(5, border(0.0).normal, -3.877, "early".to_owned())]);
        assert_eq!((precision.count, precision.early().len()), (0, 0));
        // Without any position they stay, and what is lost is counted.
        let mut precision = Precision::new(None);
        precision.offset(border(1_500_000.123), 5, || "early".to_owned());
        assert!(precision.early().is_empty() && precision.count == 1);
        assert_eq!(precision.json()["place"], "early");
    }

    #[test]
    fn computed_points_may_move_a_little() {
        let points = |x: f64| [DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0)];
        let mut precision = Precision::new(Some(DVec3::ZERO));
        precision.computed(&points(1.0 / 3.0), || "near".to_owned());
        assert_eq!(precision.count, 0);
        precision.computed(&points(500_000.123), || "far".to_owned());
        assert_eq!((precision.count, precision.json()["place"].clone()), (1, json!("far")));
    }
}
