use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::{Aabb, Pose, check};
use crate::Result;

/// An oriented box: `{ center + R x : |xᵢ| ≤ half_extentsᵢ }`, R being the exact rotation of `rotation / |rotation|`.
///
/// The quaternion may have any non-zero length and is kept as given: a rounded unit quaternion is taken to mean the
/// rotation that its four numbers exactly describe. Zero extents make a plate, a needle or a point.
///
/// ```
/// use tangency::glam::{Quat, vec3};
/// use tangency::shape::Obb;
///
/// let crate_ = Obb::new([0.0, 0.5, 0.0], [1.0, 0.5, 2.0], Quat::from_rotation_y(0.3))?;
/// assert_eq!(crate_.volume(), 8.0);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Obb {
    center: Vec3,
    half_extents: Vec3,
    // Not glam's Quat: its alignment of 16 would put padding into the struct.
    rotation: [f32; 4],
}

impl Default for Obb {
    /// A point at the origin.
    fn default() -> Self {
        Self { center: Vec3::ZERO, half_extents: Vec3::ZERO, rotation: [0.0, 0.0, 0.0, 1.0] }
    }
}

impl Obb {
    /// A box around `center`, turned by `rotation`.
    ///
    /// ```
    /// # use tangency::{Error, shape::Obb};
    /// # use tangency::glam::Quat;
    /// assert_eq!(Obb::new([0.0; 3], [1.0, 2.0, 3.0], Quat::from_rotation_x(0.7))?.volume(), 48.0);
    /// let no_rotation = Obb::new([0.0; 3], [1.0; 3], Quat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    /// assert_eq!(no_rotation, Err(Error::ZeroRotation));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite), [`Negative`](crate::Error::Negative) for an extent, or
    /// [`ZeroRotation`](crate::Error::ZeroRotation).
    pub fn new(center: impl Into<Vec3>, half_extents: impl Into<Vec3>, rotation: impl Into<Quat>) -> Result<Self> {
        let obb =
            Self { center: center.into(), half_extents: half_extents.into(), rotation: rotation.into().to_array() };
        obb.validate()?;
        Ok(obb)
    }

    /// Checks what [`new`](Self::new) checks, for a value that came by another way.
    ///
    /// ```
    /// # use tangency::{Error, shape::Obb};
    /// let raw: Obb = bytemuck::cast([0.0_f32; 10]);
    /// assert_eq!(raw.validate(), Err(Error::ZeroRotation));
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn validate(&self) -> Result<()> {
        check::finite_vec(&check::CENTER, self.center)?;
        check::finite_lengths(&check::HALF_EXTENTS, self.half_extents)?;
        check::rotation(self.rotation)
    }

    /// The centre.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// assert_eq!(Obb::new([1.0, 2.0, 3.0], [1.0; 3], Quat::IDENTITY)?.center(), tangency::glam::vec3(1.0, 2.0, 3.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Half the length of the edges, along the box's own axes; zero or more.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// let plate = Obb::new([0.0; 3], [1.0, 2.0, 0.0], Quat::from_rotation_y(1.0))?;
    /// assert_eq!(plate.half_extents(), tangency::glam::vec3(1.0, 2.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn half_extents(&self) -> Vec3 {
        self.half_extents
    }

    /// The rotation as given, of any non-zero length: normalise it before turning vectors with it.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// let quarter_turn = Quat::from_xyzw(0.0, 0.0, 2.0, 2.0);
    /// assert_eq!(Obb::new([0.0; 3], [1.0; 3], quarter_turn)?.rotation(), quarter_turn);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn rotation(&self) -> Quat {
        Quat::from_array(self.rotation)
    }

    pub(crate) fn rotation_array(&self) -> [f32; 4] {
        self.rotation
    }

    /// Where the box is and how it is turned.
    ///
    /// ```
    /// # use tangency::shape::{Obb, Pose};
    /// # use tangency::glam::Quat;
    /// let turn = Quat::from_rotation_y(1.0);
    /// assert_eq!(Obb::new([1.0, 2.0, 3.0], [1.0; 3], turn)?.pose(), Pose::new([1.0, 2.0, 3.0], turn)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn pose(&self) -> Pose {
        Pose::of(self.center, self.rotation)
    }

    /// The same box in another pose, instead of its own.
    ///
    /// ```
    /// # use tangency::shape::{Obb, Pose};
    /// # use tangency::glam::Quat;
    /// let moved = Obb::new([1.0, 2.0, 3.0], [1.0; 3], Quat::from_rotation_y(1.0))?.with_pose(Pose::IDENTITY);
    /// assert_eq!(moved, Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY)?);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn with_pose(&self, pose: Pose) -> Self {
        Self { center: pose.position().to_vec3(), half_extents: self.half_extents, rotation: pose.rotation_array() }
    }

    /// The three unit axes of the box in world coordinates, correct to a few units in the last place of `f64`.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::{DVec3, Quat};
    /// let obb = Obb::new([0.0; 3], [1.0; 3], Quat::from_xyzw(0.0, 0.0, 2.0, 2.0))?;
    /// assert_eq!(obb.axes(), [DVec3::Y, -DVec3::X, DVec3::Z]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn axes(&self) -> [DVec3; 3] {
        let m = matrix_f64(self.rotation);
        [m.x_axis, m.y_axis, m.z_axis]
    }

    /// The eight corners, rounded to nearest and kept within the finite numbers: bit 0 of the index chooses the positive
    /// side of the first axis, bit 1 of the second, bit 2 of the third.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::{Quat, vec3};
    /// let obb = Obb::new([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], Quat::IDENTITY)?;
    /// assert_eq!(obb.corners()[5], vec3(2.0, -1.0, 4.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn corners(&self) -> [Vec3; 8] {
        let m = matrix_f64(self.rotation);
        let (c, e) = (self.center.as_dvec3(), self.half_extents.as_dvec3());
        std::array::from_fn(|i| {
            let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            check::saturate(c + m * (e * DVec3::new(side(0), side(1), side(2))))
        })
    }

    /// The volume, in `f64`, where no finite box overflows.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// assert_eq!(Obb::new([9.0; 3], [0.5, 1.0, 1.5], Quat::from_rotation_z(0.3))?.volume(), 6.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn volume(&self) -> f64 {
        8.0 * self.half_extents.as_dvec3().element_product()
    }

    /// The surface area, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// assert_eq!(Obb::new([9.0; 3], [0.5, 1.0, 1.5], Quat::from_rotation_z(0.3))?.area(), 22.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn area(&self) -> f64 {
        let e = self.half_extents.as_dvec3();
        8.0 * (e.x * e.y + e.y * e.z + e.z * e.x)
    }

    /// The distance between opposite corners, in `f64`.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// assert_eq!(Obb::new([9.0; 3], [1.0, 1.5, 3.0], Quat::from_rotation_z(0.3))?.diagonal(), 7.0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn diagonal(&self) -> f64 {
        2.0 * self.half_extents.as_dvec3().length()
    }

    /// An axis-aligned box that contains this one: `|R| · half_extents` around the centre, rounded outward.
    ///
    /// ```
    /// # use tangency::shape::{Aabb, Obb};
    /// # use tangency::glam::Quat;
    /// let obb = Obb::new([5.0, 0.0, 0.0], [1.0, 2.0, 3.0], Quat::from_xyzw(0.0, 0.0, 1.0, 1.0))?;
    /// assert!(obb.aabb().contains(&Aabb::new([3.0, -1.0, -3.0], [7.0, 1.0, 3.0])?));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn aabb(&self) -> Aabb {
        let (min, max) = bounds_of(&bytemuck::cast::<Self, [f32; 10]>(*self).map(|number| [number]));
        Aabb::from_bounds(min.map(|[x]| x).into(), max.map(|[x]| x).into())
    }

    /// A box with this one's axes that contains both, the way to keep bounds of a growing set turned with an object.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// let a = Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY)?;
    /// let both = a.merge(&Obb::new([3.0, 0.0, 0.0], [1.0; 3], Quat::IDENTITY)?)?;
    /// assert_eq!(both.center(), tangency::glam::vec3(1.5, 0.0, 0.0));
    /// assert!((2.5..2.50001).contains(&both.half_extents().x));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when the merged box leaves the range of `f32`.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        let to_local = matrix_f64(self.rotation).transpose();
        let (a, b) = (self.center.as_dvec3(), other.center.as_dvec3());
        let offset = to_local * (b - a);
        let reach = abs(to_local * matrix_f64(other.rotation)) * other.half_extents.as_dvec3();
        let own = self.half_extents.as_dvec3();
        let (low, high) = ((offset - reach).min(-own), (offset + reach).max(own));
        // Up to here floats only choose a centre. What is reached from that one, as rounded, is then bounded.
        let center = (a + to_local.transpose() * ((low + high) / 2.0)).as_vec3();
        let (to_a, to_b) =
            (local_reach(&to_local, a - center.as_dvec3()), local_reach(&to_local, b - center.as_dvec3()));
        let sizes = other.half_extents.as_dvec3().element_sum();
        // An entry of the product of two rotations is off by at most 17 u: 7 u from each, as Σ |aₗ bₗ| ≤ 1, and 3 u of its own; the
        // sums of positive numbers add 6 u of themselves. Both are less than 32 u and 16 u.
        let of_b = (to_b + reach) * (1.0 + 8.0 * f64::EPSILON) + 16.0 * f64::EPSILON * sizes;
        let half = [0, 1, 2].map(|k| check::sum_up(own[k], to_a[k]).max(check::round_up(of_b[k])));
        Self::new(center, half, self.rotation())
    }

    /// Moved by `offset`, the centre rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::Quat;
    /// let obb = Obb::new([0.0; 3], [1.0; 3], Quat::from_rotation_z(0.3))?;
    /// assert_eq!(obb.translate([0.0, 5.0, 0.0])?.center(), tangency::glam::vec3(0.0, 5.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](crate::Error::NotFinite) when the result is not a finite centre.
    pub fn translate(&self, offset: impl Into<Vec3>) -> Result<Self> {
        Self::new(self.center + offset.into(), self.half_extents, self.rotation())
    }

    /// Turned about the origin of coordinates by `rotation` (of any non-zero length): the centre is rounded to nearest, the
    /// new rotation is the unit product of both, rounded to nearest.
    ///
    /// ```
    /// # use tangency::shape::Obb;
    /// # use tangency::glam::{Quat, vec3};
    /// let obb = Obb::new([2.0, 0.0, 0.0], [1.0, 2.0, 3.0], Quat::IDENTITY)?;
    /// let turned = obb.rotate(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2))?;
    /// assert!(turned.center().abs_diff_eq(vec3(0.0, 2.0, 0.0), 1e-6));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// When `rotation` is none, or the centre leaves the range of `f32`.
    pub fn rotate(&self, rotation: impl Into<Quat>) -> Result<Self> {
        let turn = rotation.into().to_array();
        let matrix = rotation_f64(turn)?;
        let product = unit_f64(turn) * unit_f64(self.rotation);
        Self::new((matrix * self.center.as_dvec3()).as_vec3(), self.half_extents, product.as_quat())
    }
}

/// The unit quaternion in `f64`, for components of any size: the largest is first brought to 1.
pub(super) fn unit_f64(q: [f32; 4]) -> DQuat {
    let q = q.map(f64::from);
    let largest = q.iter().fold(0.0_f64, |m, c| m.max(c.abs()));
    DQuat::from_array(q.map(|c| c / largest)).normalize()
}

/// What an entry of [`matrix_f64`] may be off by beyond six roundings of its own size: twice u, u = ε / 2.
pub(crate) const CANCELLED: f64 = f64::EPSILON;

/// The rotation matrix of a quaternion that is known to be one. An entry Rᵢⱼ is off by at most 6 u |Rᵢⱼ|, u = ε / 2, and on the
/// diagonal, where squares cancel, by u more.
///
/// Products of two `f32` are exact in `f64`. So n, a sum of four squares, meets three roundings, 1 / n one more, and the product with
/// it another: 5 u of the entry. Off the diagonal there is one more, of a sum of two products, and doubling is exact: 6 u. On it,
/// w² + x² and y² + z² meet one rounding each, together at most u n however much of them cancels, and their difference one more: u,
/// after division by n, and 6 u of the entry. (Terms in u² are covered by whoever counts generously: [`CANCELLED`] is twice u.)
pub(crate) fn matrix_f64(q: [f32; 4]) -> DMat3 {
    DMat3::from_cols_array_2d(&columns_f64(q))
}

/// The columns of [`matrix_f64`].
#[inline(always)]
fn columns_f64([x, y, z, w]: [f32; 4]) -> [[f64; 3]; 3] {
    // f32 squared stays far inside the range of f64, so no scaling is needed.
    let (x, y, z, w) = (f64::from(x), f64::from(y), f64::from(z), f64::from(w));
    let n = x * x + y * y + z * z + w * w;
    let inverse = 1.0 / n;
    [
        [
            ((w * w + x * x) - (y * y + z * z)) * inverse,
            2.0 * (x * y + w * z) * inverse,
            2.0 * (x * z - w * y) * inverse,
        ],
        [
            2.0 * (x * y - w * z) * inverse,
            ((w * w + y * y) - (x * x + z * z)) * inverse,
            2.0 * (y * z + w * x) * inverse,
        ],
        [
            2.0 * (x * z + w * y) * inverse,
            2.0 * (y * z - w * x) * inverse,
            ((w * w + z * z) - (x * x + y * y)) * inverse,
        ],
    ]
}

/// Lower and upper corners of boxes that contain oriented boxes, which are given number by number: centres, half extents, quaternions.
///
/// As [`Aabb::around_roughly`] with |R| e, coordinate by coordinate, so that compilers do many at a time.
#[inline(always)]
pub(crate) fn bounds_of<const N: usize>(numbers: &[[f32; N]; 10]) -> ([[f32; N]; 3], [[f32; N]; 3]) {
    let (mut min, mut max) = ([[0.0; N]; 3], [[0.0; N]; 3]);
    for k in 0..N {
        let q = [numbers[6][k], numbers[7][k], numbers[8][k], numbers[9][k]];
        let half = [f64::from(numbers[3][k]), f64::from(numbers[4][k]), f64::from(numbers[5][k])];
        let columns = columns_f64(q);
        for axis in 0..3 {
            let reach = columns[0][axis].abs() * half[0]
                + columns[1][axis].abs() * half[1]
                + columns[2][axis].abs() * half[2]
                + half[axis] * CANCELLED;
            (min[axis][k], max[axis][k]) = super::aabb::around_roughly(f64::from(numbers[axis][k]), reach);
        }
    }
    (min, max)
}

/// The rotation matrix of a quaternion that a caller gave.
pub(crate) fn rotation_f64(q: [f32; 4]) -> Result<DMat3> {
    check::rotation(q)?;
    Ok(matrix_f64(q))
}

/// Bounds of how far `offset`, a difference of two points that are `f32`, reaches along the axes of a box, `to_local` being
/// [`matrix_f64`] of it, transposed. Nothing for no offset.
///
/// With m the largest coordinate of the offset: u m for the diagonal, and for the six roundings of an entry, the one of the offset and
/// three of the sum 10 u Σⱼ |Rᵢⱼ| m ≤ 10 √3 u m; 2 u m for adding the bound. Together 21 u m, which is less than 32 u m.
pub(crate) fn local_reach(to_local: &DMat3, offset: DVec3) -> DVec3 {
    (*to_local * offset).abs() + 16.0 * f64::EPSILON * offset.abs().max_element()
}

pub(crate) fn abs(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

#[cfg(feature = "serde")]
mod serde_impl {
    use super::{Obb, Quat, Vec3};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename = "Obb", deny_unknown_fields)]
    struct Fields {
        center: Vec3,
        half_extents: Vec3,
        rotation: Quat,
    }

    impl serde::Serialize for Obb {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let fields = Fields { center: self.center, half_extents: self.half_extents, rotation: self.rotation() };
            fields.serialize(serializer)
        }
    }

    impl<'de> serde::Deserialize<'de> for Obb {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Fields { center, half_extents, rotation } = Fields::deserialize(deserializer)?;
            Self::new(center, half_extents, rotation).map_err(serde::de::Error::custom)
        }
    }
}
