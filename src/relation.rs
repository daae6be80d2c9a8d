//! What two shapes, or a shape and a half-space, are to each other.

/// How two closed shapes lie to each other, exactly.
///
/// ```
/// use tangency::{Relation, query, shape::Sphere};
///
/// let a = Sphere::new([0.0, 0.0, 0.0], 1.0)?;
/// let b = Sphere::new([2.0, 0.0, 0.0], 1.0)?;
/// assert_eq!(query::intersect(&a, &b), Relation::Touching);
/// assert!(query::intersect(&a, &b).is_hit());
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Relation {
    /// They have no point in common.
    Separate = 0,
    /// They have points in common, but the smallest shift can part them: solid shapes meet with their surfaces only.
    Touching = 1,
    /// No small shift parts them: the origin lies in the interior of A ⊖ B.
    Overlapping = 2,
}

impl Relation {
    /// Whether they have a point in common: touching or overlapping.
    ///
    /// ```
    /// # use tangency::Relation;
    /// assert!(Relation::Touching.is_hit() && Relation::Overlapping.is_hit());
    /// assert!(!Relation::Separate.is_hit());
    /// ```
    pub fn is_hit(self) -> bool {
        self != Self::Separate
    }
}

/// The bit of a partner's id in a row of pairs that is set if the pair touches. Ids are less than 2³⁰.
pub(crate) const MARK_TOUCHING: u32 = 1 << 30;
/// The bit that a device sets if the pair is undecided: the host settles it.
#[cfg(feature = "gpu")]
pub(crate) const MARK_UNDECIDED: u32 = 1 << 31;

/// How a shape lies to the closed half-space of a [`Plane`](crate::shape::Plane), exactly.
///
/// ```
/// use tangency::{Side, query, shape::{Plane, Sphere}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let at = |y: f32| Sphere::new([0.0, y, 0.0], 1.0);
/// assert_eq!(query::side(&at(-1.0)?, &ground), Side::Inside);
/// assert_eq!(query::side(&at(1.0)?, &ground), Side::Crossing);
/// assert_eq!(query::side(&at(1.5)?, &ground), Side::Outside);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Side {
    /// All of it lies in the half-space; it may touch the plane from inside.
    Inside = 0,
    /// Some of it lies in the half-space and some does not, or it touches the half-space from outside.
    Crossing = 1,
    /// It has no point in the half-space.
    Outside = 2,
}
