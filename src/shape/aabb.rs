use glam::{DVec3, Quat, Vec3};

use super::{Obb, check};
use crate::{Error, Result};

/// An axis-aligned box: all points between `min` and `max` in every coordinate. `min == max` is a point.
///
/// It has three forms, each with its constructor and its accessors: corners ([`new`](Self::new)), position and size
/// ([`from_position_size`](Self::from_position_size)), centre and half extents
/// ([`from_center_half_extents`](Self::from_center_half_extents)). The corners are what is stored; the other two round once
/// on the way in and out.
///
/// ```
/// use tangency::shape::Aabb;
///
/// let room = Aabb::new([0.0, 0.0, 0.0], [4.0, 3.0, 2.5])?;
/// assert_eq!(room.size(), tangency::glam::vec3(4.0, 3.0, 2.5));
/// assert_eq!(room.volume(), 30.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Aabb {
    min: Vec3,
    max: Vec3,
}

impl Aabb {
    /// The box with no points: the neutral element of [`merge`](Self::merge), separate from everything.
    ///
    /// It is the only box with infinite corners, and [`validate`](Self::validate) refuses it where a body is needed.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let unit = Aabb::new([0.0; 3], [1.0; 3])?;
    /// assert_eq!(Aabb::EMPTY.merge(&unit), unit);
    /// assert!(Aabb::EMPTY.is_empty() && Aabb::EMPTY.volume() == 0.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The box between two corners.
    ///
    /// ```
    /// # use tangency::{Error, shape::Aabb};
    /// assert_eq!(Aabb::new([0.0; 3], [1.0, 2.0, 3.0])?.size(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// let swapped = Aabb::new([0.0, 5.0, 0.0], [1.0; 3]);
    /// assert_eq!(swapped, Err(Error::Reversed { axis: 'y', min: 5.0, max: 1.0 }));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), or [`Reversed`](Error::Reversed) when a minimum lies above its maximum.
    pub fn new(min: impl Into<Vec3>, max: impl Into<Vec3>) -> Result<Self> {
        let aabb = Self { min: min.into(), max: max.into() };
        if aabb.is_empty() {
            // `EMPTY` spelled out by hand is a mistake in the numbers, and is reported as one.
            check::finite_vec(&check::MIN, aabb.min)?;
        }
        aabb.validate()?;
        Ok(aabb)
    }

    /// The box with its lower corner at `position`, as long as `size` in each direction.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::from_position_size([1.0; 3], [2.0; 3])?, Aabb::new([1.0; 3], [3.0; 3])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Negative`](Error::Negative) for a negative size; [`NotFinite`](Error::NotFinite) for a bad number or a sum beyond `f32`.
    pub fn from_position_size(position: impl Into<Vec3>, size: impl Into<Vec3>) -> Result<Self> {
        let (position, size) = (position.into(), size.into());
        check::finite_vec(&["position.x", "position.y", "position.z"], position)?;
        check::finite_lengths(&["size.x", "size.y", "size.z"], size)?;
        Self::new(position, position + size)
    }

    /// The box around `center` that reaches `half_extents` to both sides.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::from_center_half_extents([2.0; 3], [1.0; 3])?, Aabb::new([1.0; 3], [3.0; 3])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Negative`](Error::Negative) for a negative extent; [`NotFinite`](Error::NotFinite) for a bad number or a sum beyond `f32`.
    pub fn from_center_half_extents(center: impl Into<Vec3>, half_extents: impl Into<Vec3>) -> Result<Self> {
        let (center, half) = (center.into(), half_extents.into());
        check::finite_vec(&check::CENTER, center)?;
        check::finite_lengths(&check::HALF_EXTENTS, half)?;
        Self::new(center - half, center + half)
    }

    /// The smallest box that contains all `points`.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let bounds = Aabb::from_points([[0.0, 5.0, 1.0], [2.0, 3.0, 1.0]])?;
    /// assert_eq!(bounds, Aabb::new([0.0, 3.0, 1.0], [2.0, 5.0, 1.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoPoints`](Error::NoPoints), or [`NotFinite`](Error::NotFinite) for the first bad one.
    pub fn from_points<P: Into<Vec3>>(points: impl IntoIterator<Item = P>) -> Result<Self> {
        let mut bounds = Self::EMPTY;
        for point in points {
            bounds = bounds.merge_point(point)?;
        }
        if bounds.is_empty() { Err(Error::NoPoints) } else { Ok(bounds) }
    }

    /// The box between two corners that are known to be in order, or those of the empty box.
    pub(crate) fn from_bounds(min: Vec3, max: Vec3) -> Self {
        Self { min, max }
    }

    /// The smallest box with `f32` faces that contains the exact `center ± half`, kept within the finite numbers.
    pub(crate) fn around_f64(center: DVec3, half: DVec3) -> Self {
        let low = [0, 1, 2].map(|k| check::sum_down(center[k], -half[k]));
        let high = [0, 1, 2].map(|k| -check::sum_down(-center[k], -half[k]));
        Self { min: low.into(), max: high.into() }
    }

    /// Checks that this is a box with at least one point, for a value that came by another way than a constructor.
    ///
    /// ```
    /// # use tangency::{Error, shape::Aabb};
    /// assert_eq!(Aabb::EMPTY.validate(), Err(Error::EmptyBox));
    /// let raw: Aabb = bytemuck::cast([2.0_f32, 0.0, 0.0, 1.0, 1.0, 1.0]);
    /// assert_eq!(raw.validate(), Err(Error::Reversed { axis: 'x', min: 2.0, max: 1.0 }));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`EmptyBox`](Error::EmptyBox) for [`EMPTY`](Self::EMPTY).
    pub fn validate(&self) -> Result<()> {
        if self.is_empty() {
            return Err(Error::EmptyBox);
        }
        check::finite_vec(&check::MIN, self.min)?;
        check::finite_vec(&check::MAX, self.max)?;
        for (axis, (min, max)) in
            ['x', 'y', 'z'].into_iter().zip(self.min.to_array().into_iter().zip(self.max.to_array()))
        {
            if min > max {
                return Err(Error::Reversed { axis, min, max });
            }
        }
        Ok(())
    }

    /// Whether this is [`EMPTY`](Self::EMPTY).
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert!(Aabb::EMPTY.is_empty());
    /// assert!(!Aabb::new([1.0; 3], [1.0; 3])?.is_empty()); // a point
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// The corner with the smallest coordinates.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::from_center_half_extents([1.0; 3], [2.0; 3])?.min(), tangency::glam::vec3(-1.0, -1.0, -1.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn min(&self) -> Vec3 {
        self.min
    }

    /// The corner with the largest coordinates.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::from_center_half_extents([1.0; 3], [2.0; 3])?.max(), tangency::glam::vec3(3.0, 3.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn max(&self) -> Vec3 {
        self.max
    }

    /// The centre, rounded to nearest. The origin for the empty box.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::new([0.0; 3], [2.0, 4.0, 6.0])?.center(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// assert_eq!(Aabb::EMPTY.center(), tangency::glam::Vec3::ZERO);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { ((self.min.as_dvec3() + self.max.as_dvec3()) / 2.0).as_vec3() }
    }

    /// Half the size, rounded to nearest. Zero for the empty box.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::new([1.0; 3], [3.0, 5.0, 7.0])?.half_extents(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn half_extents(&self) -> Vec3 {
        (self.size_f64() / 2.0).as_vec3()
    }

    /// The length of the edges, rounded to nearest, at most `f32::MAX`. Zero for the empty box.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::new([1.0; 3], [3.0, 5.0, 7.0])?.size(), tangency::glam::vec3(2.0, 4.0, 6.0));
    /// assert_eq!(Aabb::EMPTY.size(), tangency::glam::Vec3::ZERO);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn size(&self) -> Vec3 {
        check::saturate(self.size_f64())
    }

    fn size_f64(&self) -> DVec3 {
        if self.is_empty() { DVec3::ZERO } else { self.max.as_dvec3() - self.min.as_dvec3() }
    }

    /// The eight corners: bit 0 of the index chooses max over min in x, bit 1 in y, bit 2 in z.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let corners = Aabb::new([0.0; 3], [1.0, 2.0, 3.0])?.corners();
    /// assert_eq!(corners[5], tangency::glam::vec3(1.0, 0.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 1 { high } else { low };
            Vec3::new(pick(0, self.min.x, self.max.x), pick(1, self.min.y, self.max.y), pick(2, self.min.z, self.max.z))
        })
    }

    /// The volume, in `f64`, where no finite box overflows.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::new([1.0; 3], [3.0, 4.0, 5.0])?.volume(), 24.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn volume(&self) -> f64 {
        self.size_f64().element_product()
    }

    /// The surface area, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::new([0.0; 3], [1.0, 2.0, 3.0])?.area(), 22.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        let s = self.size_f64();
        2.0 * (s.x * s.y + s.y * s.z + s.z * s.x)
    }

    /// The distance between opposite corners, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// assert_eq!(Aabb::new([0.0; 3], [2.0, 3.0, 6.0])?.diagonal(), 7.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn diagonal(&self) -> f64 {
        self.size_f64().length()
    }

    /// Whether the point lies in the box, surface included.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// assert!(cube.contains_point([1.0, 0.5, 0.0]) && !cube.contains_point([1.0000001, 0.5, 0.0]));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let p = point.into();
        self.min.cmple(p).all() && p.cmple(self.max).all()
    }

    /// Whether every point of `other` lies in this box. The empty box lies in every box.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// assert!(cube.contains(&cube) && cube.contains(&Aabb::EMPTY));
    /// assert!(!cube.contains(&cube.translate([0.5, 0.0, 0.0])?));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn contains(&self, other: &Self) -> bool {
        other.is_empty() || self.contains_point(other.min) && self.contains_point(other.max)
    }

    /// The smallest box that contains both. Exact: no number is rounded.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// assert_eq!(cube.merge(&cube.translate([4.0, 0.0, 0.0])?), Aabb::new([0.0; 3], [5.0, 1.0, 1.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn merge(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The smallest box that contains this one and the point.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// assert_eq!(cube.merge_point([-2.0, 0.5, 3.0])?, Aabb::new([-2.0, 0.0, 0.0], [1.0, 1.0, 3.0])?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite), naming the coordinate.
    pub fn merge_point(&self, point: impl Into<Vec3>) -> Result<Self> {
        let point = point.into();
        check::finite_vec(&check::POINT, point)?;
        Ok(Self { min: self.min.min(point), max: self.max.max(point) })
    }

    /// The common points of both boxes: a box, flat where they touch, or `None`. Exact.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let a = Aabb::new([0.0; 3], [2.0; 3])?;
    /// let b = Aabb::new([1.0; 3], [3.0; 3])?;
    /// assert_eq!(a.intersection(&b).map(|common| common.volume()), Some(1.0));
    /// let touching = Aabb::new([2.0, 0.0, 0.0], [3.0; 3])?;
    /// assert_eq!(a.intersection(&touching).map(|common| common.volume()), Some(0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        common.min.cmple(common.max).all().then_some(common)
    }

    /// Moved by `offset`, the corners rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// assert_eq!(cube.translate([0.0, 2.0, 0.0])?, Aabb::new([0.0, 2.0, 0.0], [1.0, 3.0, 1.0])?);
    /// assert!(cube.translate([f32::MAX; 3])?.translate([f32::MAX; 3]).is_err());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) when a corner leaves the finite numbers. The empty box stays empty.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        let offset = offset.into();
        check::finite_vec(&["offset.x", "offset.y", "offset.z"], offset)?;
        if self.is_empty() { Ok(*self) } else { Self::new(self.min + offset, self.max + offset) }
    }

    /// The smallest axis-aligned box around this box turned about the origin of coordinates, rounded outward.
    ///
    /// Arvo's form: with column vectors, the new half extents are `|R| · half`, 18 multiplications in all. `rotation` may
    /// have any non-zero length. Bounds of turned *points* are tighter: [`from_points`](Self::from_points).
    ///
    /// ```
    /// # use tangency::shape::Aabb;
    /// # use tangency::glam::Quat;
    /// let slab = Aabb::new([1.0, 0.0, 0.0], [5.0, 1.0, 2.0])?;
    /// let quarter_turn_about_z = Quat::from_xyzw(0.0, 0.0, 1.0, 1.0);
    /// let turned = slab.rotate(quarter_turn_about_z)?;
    /// assert!(turned.contains(&Aabb::new([-1.0, 1.0, 0.0], [0.0, 5.0, 2.0])?));
    /// assert!((turned.volume() - slab.volume()).abs() < 1e-4);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Obb::new`], when `rotation` is none.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let matrix = super::obb::rotation_f64(rotation.into().to_array())?;
        if self.is_empty() {
            return Ok(*self);
        }
        let center = (self.min.as_dvec3() + self.max.as_dvec3()) / 2.0;
        let half = self.size_f64() / 2.0;
        // What both products may be off by goes into the extents: six roundings of an entry, one of the number and three of the sum are
        // 10 u of |R| (|c| + h), less than 32 u; and u (|c| + h) of the diagonal.
        let all = half + center.abs();
        let reach = super::obb::abs(matrix) * (half + all * (16.0 * f64::EPSILON)) + all * super::obb::CANCELLED;
        Ok(Self::around_f64(matrix * center, reach))
    }

    /// This box as an oriented one: centre and half extents rounded to nearest, the identity as rotation.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Obb};
    /// # use tangency::glam::Quat;
    /// let box_ = Aabb::new([0.0; 3], [2.0, 4.0, 6.0])?;
    /// assert_eq!(box_.to_obb()?, Obb::new([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], Quat::IDENTITY)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`EmptyBox`](Error::EmptyBox) for the empty box.
    pub fn to_obb(&self) -> Result<Obb> {
        self.validate()?;
        Obb::new(self.center(), self.half_extents(), Quat::IDENTITY)
    }
}

/// One coordinate of the corners of a box that contains `center ± half`, where `half` is off by a few roundings of `f64`, at most 16 ε
/// of itself; what it is off by beyond that, the caller has added. Quick, and up to two units in the last place of `f32` larger than the
/// smallest.
#[inline(always)]
pub(super) fn around_roughly(center: f64, half: f64) -> (f32, f32) {
    let half = half * (1.0 + 16.0 * f64::EPSILON) + center.abs() * (4.0 * f64::EPSILON);
    (roughly_down(center - half), -roughly_down(-center - half))
}

/// A finite `f32` that is not above `x`, if there is one.
#[inline(always)]
fn roughly_down(x: f64) -> f32 {
    // Taking away as much as rounding to the nearest f32 can add makes that a rounding down.
    let y = (x - x.abs() * (1.0 / f64::from(1 << 24)) - f64::from(f32::from_bits(1))) as f32;
    let y = if y < f32::MIN { f32::MIN } else { y };
    if y > f32::MAX { f32::MAX } else { y }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Aabb {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        #[derive(serde::Deserialize)]
        #[serde(rename = "Aabb", deny_unknown_fields)]
        struct Fields {
            min: Vec3,
            max: Vec3,
        }
        let Fields { min, max } = Fields::deserialize(deserializer)?;
        Self::new(min, max).map_err(serde::de::Error::custom)
    }
}
