//! Points that are looked for among bodies.

use glam::{DVec3, Vec3};

use super::{Bodies, Traits};
use crate::shape::Sphere;
use crate::shape::check::finite_vec;
use crate::{Error, Result};

/// A list of points, for [`Engine::containing`](crate::Engine::containing). A point has traits, as a body has.
///
/// ```
/// use tangency::{Points, Traits};
///
/// let mut points = Points::new();
/// let first = points.push([0.0, 1.0, 2.0])?;
/// points.push_with([5.0; 3], Traits::new().world(7))?;
/// assert_eq!((first, points.len(), points.get(1)), (0, 2, Some([5.0; 3].into())));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Points {
    /// Spheres without size.
    bodies: Bodies,
}

impl Points {
    /// No points.
    ///
    /// ```
    /// assert!(tangency::Points::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// No points, whose coordinates will be relative to `origin`: that of the bodies that they are looked for in.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, shape::Sphere};
    /// let origin = [500_000.0, 0.0, 0.0];
    /// let (mut bodies, mut points) = (Bodies::with_origin(origin)?, Points::with_origin(origin)?);
    /// bodies.push_at([500_000.1, 0.0, 0.0], Sphere::new([0.0; 3], 0.5)?)?;
    /// points.push([0.5, 0.0, 0.0])?;
    /// assert_eq!(Engine::new()?.containing(&bodies, &points).run()?.len(), 1);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite).
    pub fn with_origin(origin: impl Into<DVec3>) -> Result<Self> {
        Bodies::with_origin(origin).map(|bodies| Self { bodies })
    }

    /// These points.
    ///
    /// ```
    /// # use tangency::Points;
    /// assert_eq!(Points::of([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])?.len(), 2);
    /// let error = Points::of([[0.0; 3], [f32::NAN; 3]]).unwrap_err();
    /// assert_eq!(error.to_string(), "point 1: point.x is NaN; it must be a finite number");
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`push`](Self::push), of the first that is not finite.
    pub fn of(points: impl IntoIterator<Item = impl Into<Vec3>>) -> Result<Self> {
        let mut all = Self::new();
        for point in points {
            all.push(point)?;
        }
        Ok(all)
    }

    /// Adds a point. Returns its number: they are counted from 0.
    ///
    /// ```
    /// # use tangency::Points;
    /// assert!(Points::new().push([0.0, f32::INFINITY, 0.0]).is_err());
    /// ```
    ///
    /// # Errors
    /// [`InvalidPoint`](Error::InvalidPoint) if a coordinate is not finite, [`TooManyBodies`](Error::TooManyBodies).
    pub fn push(&mut self, point: impl Into<Vec3>) -> Result<u32> {
        self.push_with(point, Traits::new())
    }

    /// Adds a point with traits: it is looked for only in bodies that it may meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Points, Traits, shape::Sphere};
    /// let (mut bodies, mut points) = (Bodies::new(), Points::new());
    /// bodies.push(Sphere::new([0.0; 3], 1.0)?)?;
    /// points.push_with([0.0; 3], Traits::new().world(7))?;
    /// assert!(Engine::new()?.containing(&bodies, &points).run()?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_with(&mut self, point: impl Into<Vec3>, traits: Traits) -> Result<u32> {
        let (point, index) = (point.into(), self.len());
        finite_vec(&["point.x", "point.y", "point.z"], point)
            .map_err(|reason| Error::InvalidPoint { index, reason: Box::new(reason) })?;
        self.bodies.push_with(Sphere::new(point, 0.0)?, traits)
    }

    /// How many there are.
    ///
    /// ```
    /// # use tangency::Points;
    /// assert_eq!(Points::of([[0.0; 3]; 5])?.len(), 5);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(tangency::Points::new().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The point with this number.
    ///
    /// ```
    /// # use tangency::Points;
    /// assert_eq!(Points::of([[1.0; 3]])?.get(1), None);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn get(&self, number: u32) -> Option<Vec3> {
        let record = self.bodies.records().get(number as usize)?;
        Some(Vec3::new(record[0], record[1], record[2]))
    }

    /// As bodies without size.
    pub(crate) fn bodies(&self) -> &Bodies {
        &self.bodies
    }
}
