//! Which rays go nearly the same way, so that they are cast together: those of a picture, of a sensor, or that are sorted.
//!
//! It is a guess from some of them, which decides only how fast they are cast.

use super::abi::BUNDLE_SIDE;
use crate::hash::mix;

/// Where a ray begins and where it goes.
pub(crate) type Course = [[f32; 3]; 2];

/// A picture may have rows of so many rays.
const WIDEST_ROW: usize = 1 << 16;
/// How much rays of a bundle may differ, in parts of how far all are apart and of the length of their directions.
const NEARLY: f32 = 1.0 / 64.0;
/// How many rows and bundles are looked at.
const SAMPLES: usize = 32;

/// The rays of a query.
struct Rays<'a> {
    count: usize,
    course: &'a dyn Fn(usize) -> Course,
    /// How far apart they begin.
    spread: f32,
}

impl<'a> Rays<'a> {
    fn new(count: usize, course: &'a dyn Fn(usize) -> Course) -> Self {
        // (Anywhere, since those at equal distances may all begin in one column.)
        let samples = || (0..2 * SAMPLES.min(count)).map(|k| course((mix(k as u64) % count as u64) as usize)[0]);
        let ends =
            |end: fn(f32, f32) -> f32| samples().reduce(|a, b| [0, 1, 2].map(|k| end(a[k], b[k]))).unwrap_or_default();
        let (low, high) = (ends(f32::min), ends(f32::max));
        let spread = (0..3).map(|k| high[k] - low[k]).fold(f32::MIN_POSITIVE, f32::max);
        Self { count, course, spread }
    }

    /// How much two rays differ.
    fn difference(&self, a: usize, b: usize) -> f32 {
        let ([a_from, a_way], [b_from, b_way]) = ((self.course)(a), (self.course)(b));
        let most = |a: [f32; 3], b: [f32; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f32::max);
        let length = a_way.iter().fold(f32::MIN_POSITIVE, |most, x| most.max(x.abs()));
        (most(a_from, b_from) / self.spread).max(most(a_way, b_way) / length)
    }

    /// How many rays are in a row, after which the next ray is again next to the first: 0 if that is not found.
    fn row(&self) -> usize {
        // (Fewer rows than a bundle has are of no use.)
        let end = (self.count / BUNDLE_SIDE as usize + 1).min(WIDEST_ROW);
        let from_first = |ray: usize| self.difference(0, ray);
        let step = (0..end.min(4)).map(from_first).fold(0.0, f32::max) / 3.0;
        let Some(away) = (0..end).find(|ray| from_first(*ray) > 8.0 * step) else { return 0 };
        let Some(back) = (away..end).find(|ray| from_first(*ray) <= 4.0 * step) else { return 0 };
        // (A sensor that turns comes back step by step.)
        let row = (back..end.min(back + 8)).min_by(|a, b| from_first(*a).total_cmp(&from_first(*b))).unwrap_or(back);
        let is_next = |k: usize| self.difference(k * row, (k - 1) * row) <= 8.0 * step;
        if spaced(self.count / row).skip(1).all(is_next) { row } else { 0 }
    }

    /// Whether most bundles are of rays that go nearly the same way, if a row has so many rays, or rays that follow one another go together.
    fn are_bundled(&self, row: usize) -> bool {
        let side = BUNDLE_SIDE as usize;
        let across = row / side;
        // How many bundles there are, and what comes after the first ray of one.
        let (bundles, others) = match row {
            0 => (self.count / (side * side), [side, side * side / 2, side * side - 1]),
            _ => (across * (self.count / row / side), [1, row, row + 1].map(|step| (side - 1) * step)),
        };
        let first = |bundle: usize| match row {
            0 => bundle * side * side,
            _ => bundle / across * side * row + bundle % across * side,
        };
        let is_narrow =
            |bundle: usize| others.iter().all(|other| self.difference(first(bundle), first(bundle) + other) <= NEARLY);
        bundles > 0 && are_most(bundles, is_narrow)
    }
}

/// Some numbers below another.
fn spaced(end: usize) -> impl Iterator<Item = usize> {
    (0..end).step_by(end.div_ceil(SAMPLES).max(1))
}

/// Whether something is so of three quarters of some numbers below another.
fn are_most(end: usize, is_so: impl Fn(usize) -> bool) -> bool {
    4 * spaced(end).filter(|k| is_so(*k)).count() >= 3 * spaced(end).count()
}

/// Whether these rays are cast together, and how many are in a row: 0 if those that follow one another go together.
pub(crate) fn row_of_bundles(count: usize, course: &dyn Fn(usize) -> Course) -> Option<u32> {
    let rays = Rays::new(count, course);
    // (Most rays do not follow one another, which few of them tell.)
    let is_next = |ray: usize| ray + 1 >= count || rays.difference(ray, ray + 1) <= NEARLY;
    if !are_most(count, is_next) {
        return None;
    }
    [rays.row(), 0].into_iter().find(|row| rays.are_bundled(*row)).map(|row| row as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(k: u64) -> f32 {
        (mix(k) >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// A pixel of a picture that looks along z.
    fn pixel(width: usize, height: usize, ray: usize) -> Course {
        let place = |k: usize, of: usize| (k as f32 + 0.5) / of as f32 - 0.5;
        [[1.0, 2.0, 3.0], [place(ray % width, width), place(ray / width, height), 1.0]]
    }

    #[test]
    fn rows_of_pictures_are_found() {
        for [width, height] in [[2048, 1024], [1920, 1080], [1001, 1003], [5000, 1500]] {
            assert_eq!(row_of_bundles(width * height, &|ray| pixel(width, height, ray)), Some(width as u32));
        }
        // From above, all in one direction.
        let above = |ray: usize| [[(ray % 2000) as f32, (ray / 2000) as f32, 9.0], [0.0, 0.0, -1.0]];
        assert_eq!(row_of_bundles(2000 * 2000, &above), Some(2000));
        // A sensor that turns.
        let turning = |ray: usize| {
            let (sine, cosine) = ((ray % 8000) as f32 / 8000.0 * std::f32::consts::TAU).sin_cos();
            [[0.0; 3], [cosine, sine, (ray / 8000) as f32 / 8000.0]]
        };
        assert_eq!(row_of_bundles(8000 * 1000, &turning), Some(8000));
    }

    #[test]
    fn others_go_alone_or_one_after_the_other() {
        let anywhere = |ray: usize| [[0; 3], [1; 3]].map(|n: [u64; 3]| n.map(|n| unit(ray as u64 * 2 + n) - 0.5));
        assert_eq!(row_of_bundles(1_000_000, &anywhere), None);
        // The pixels of a picture in no order.
        let shuffled = |ray: usize| pixel(1024, 1024, mix(ray as u64) as usize % (1 << 20));
        assert_eq!(row_of_bundles(1 << 20, &shuffled), None);
        // One row, and rays that are all the same.
        let line = |ray: usize| [[0.0; 3], [1.0, ray as f32 / 1e6, 0.0]];
        assert_eq!(row_of_bundles(1_000_000, &line), Some(0));
        assert_eq!(row_of_bundles(1_000_000, &|_| [[0.0; 3], [1.0; 3]]), Some(0));
        // A small picture, whose bundles would be wide; and few rays or none.
        assert_eq!(row_of_bundles(300 * 300, &|ray| pixel(300, 300, ray)), None);
        for count in [0, 1, 2, 255] {
            assert_eq!(row_of_bundles(count, &|ray| pixel(16, 16, ray)), None, "{count}");
        }
    }
}
