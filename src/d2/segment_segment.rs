use std::cmp::Ordering;

use glam::Vec2;

use super::{Aabb2, check};
use crate::Result;
use crate::shape::orient::orient2d;

/// A piece of a line, both ends included. Equal ends make a point.
///
/// ```
/// use tangency::d2::Segment2;
///
/// assert_eq!(Segment2::new([0.0, 0.0], [3.0, 4.0])?.length(), 5.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Segment2 {
    start: Vec2,
    end: Vec2,
}

impl Segment2 {
    /// The segment between two points.
    ///
    /// ```
    /// # use tangency::{Error, d2::Segment2};
    /// assert_eq!(Segment2::new([1.0, 1.0], [4.0, 5.0])?.length(), 5.0);
    /// let endless = Segment2::new([0.0, 0.0], [f32::INFINITY, 0.0]);
    /// assert_eq!(endless, Err(Error::NotFinite { field: "end.x", value: f32::INFINITY }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), naming the coordinate.
    pub fn new(start: impl Into<Vec2>, end: impl Into<Vec2>) -> Result<Self> {
        let segment = Self { start: start.into(), end: end.into() };
        check::finite_vec(["start.x", "start.y"], segment.start)?;
        check::finite_vec(["end.x", "end.y"], segment.end)?;
        Ok(segment)
    }

    /// Between points that are known to be finite.
    pub(super) fn between(start: Vec2, end: Vec2) -> Self {
        Self { start, end }
    }

    /// One end.
    ///
    /// ```
    /// # use tangency::d2::Segment2;
    /// assert_eq!(Segment2::new([1.0, 2.0], [3.0, 4.0])?.start(), tangency::glam::vec2(1.0, 2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn start(&self) -> Vec2 {
        self.start
    }

    /// The other end.
    ///
    /// ```
    /// # use tangency::d2::Segment2;
    /// assert_eq!(Segment2::new([1.0, 2.0], [3.0, 4.0])?.end(), tangency::glam::vec2(3.0, 4.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn end(&self) -> Vec2 {
        self.end
    }

    /// The distance between the ends, in `f64`.
    ///
    /// ```
    /// # use tangency::d2::Segment2;
    /// assert_eq!(Segment2::new([-3.0, 0.0], [0.0, 4.0])?.length(), 5.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn length(&self) -> f64 {
        self.start.as_dvec2().distance(self.end.as_dvec2())
    }

    fn contains_collinear(&self, p: Vec2) -> bool {
        Aabb2::from_points([self.start, self.end]).is_ok_and(|bounds| bounds.contains_point(p))
    }
}

/// What two segments have in common. What [`segment_segment`] returns.
///
/// ```
/// use tangency::d2::{Segment2, SegmentSegment, segment_segment};
///
/// let (a, b) = (Segment2::new([0.0, 0.0], [1.0, 0.0])?, Segment2::new([2.0, -1.0], [2.0, 1.0])?);
/// assert_eq!(segment_segment(&a, &b), SegmentSegment::Separate);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SegmentSegment {
    /// Nothing.
    Separate,
    /// One point, rounded to nearest unless it is an end.
    Point(Vec2),
    /// A piece of the line that both lie on. Exact.
    Overlap(Segment2),
}

/// What two segments have in common, touching included: which case it is, is exact.
///
/// Each must have its ends on both sides of the other's line, or on it; segments of one line are compared along it.
///
/// ```
/// use tangency::d2::{Segment2, SegmentSegment, segment_segment};
/// # use tangency::glam::vec2;
/// let a = Segment2::new([0.0, 0.0], [2.0, 2.0])?;
/// let across = Segment2::new([0.0, 2.0], [2.0, 0.0])?;
/// assert_eq!(segment_segment(&a, &across), SegmentSegment::Point(vec2(1.0, 1.0)));
/// let along = Segment2::new([1.0, 1.0], [5.0, 5.0])?;
/// let common = Segment2::new([1.0, 1.0], [2.0, 2.0])?;
/// assert_eq!(segment_segment(&a, &along), SegmentSegment::Overlap(common));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn segment_segment(a: &Segment2, b: &Segment2) -> SegmentSegment {
    let (p, q, r, s) = (a.start, a.end, b.start, b.end);
    let sides_b = [orient2d(p, q, r), orient2d(p, q, s)];
    let sides_a = [orient2d(r, s, p), orient2d(r, s, q)];
    let line = |sides: [Ordering; 2]| sides == [Ordering::Equal; 2];
    if line(sides_a) && line(sides_b) {
        return along_one_line(a, b);
    }
    let crosses = |sides: [Ordering; 2]| sides[0] != sides[1] || sides[0] == Ordering::Equal;
    if !crosses(sides_a) || !crosses(sides_b) {
        return SegmentSegment::Separate;
    }
    // An end on the other's line is the common point itself.
    for (side, point, other) in [(sides_b[0], r, a), (sides_b[1], s, a), (sides_a[0], p, b), (sides_a[1], q, b)] {
        if side == Ordering::Equal {
            let met = other.contains_collinear(point);
            return if met { SegmentSegment::Point(point) } else { SegmentSegment::Separate };
        }
    }
    let (d, e, offset) = (q.as_dvec2() - p.as_dvec2(), s.as_dvec2() - r.as_dvec2(), r.as_dvec2() - p.as_dvec2());
    let t = (offset.perp_dot(e) / d.perp_dot(e)).clamp(0.0, 1.0);
    // No number only where the cross product underflowed to zero against the exact signs: then any point of a will do.
    let t = if t.is_nan() { 0.5 } else { t };
    SegmentSegment::Point(check::saturate(p.as_dvec2() + d * t))
}

fn along_one_line(a: &Segment2, b: &Segment2) -> SegmentSegment {
    // Along a line the lexicographic order is the order along it, in one direction or the other.
    let key = |v: Vec2| (v.x, v.y);
    let ordered = |s: &Segment2| if key(s.start) <= key(s.end) { (s.start, s.end) } else { (s.end, s.start) };
    let ((low_a, high_a), (low_b, high_b)) = (ordered(a), ordered(b));
    // Two points that are no line of their own pass the sign tests anywhere.
    if low_a == high_a && low_b == high_b {
        return if low_a == low_b { SegmentSegment::Point(low_a) } else { SegmentSegment::Separate };
    }
    let low = if key(low_a) >= key(low_b) { low_a } else { low_b };
    let high = if key(high_a) <= key(high_b) { high_a } else { high_b };
    match key(low).partial_cmp(&key(high)) {
        Some(Ordering::Less) => SegmentSegment::Overlap(Segment2 { start: low, end: high }),
        Some(Ordering::Equal) => SegmentSegment::Point(low),
        _ => SegmentSegment::Separate,
    }
}
