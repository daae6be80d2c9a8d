//! Sets whose coordinates are relative to an origin, for positions that `f32` cannot hold.

use glam::{DVec3, Vec3};

use super::{Bodies, Traits};
use crate::shape::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere, check};
use crate::{Error, Result};

impl Bodies {
    /// An empty set whose coordinates are relative to `origin`.
    ///
    /// Near 500,000 two neighbouring `f32` are 1/32 apart, so that `500_000.123` becomes `500_000.125`. Relative to an origin nearby
    /// the same place is held to the eighth digit. Positions in `f64` are turned into coordinates of the set by
    /// [`to_local`](Self::to_local), which [`push_at`](Self::push_at) does for a new body, and back by [`to_global`](Self::to_global).
    /// Everything else knows local coordinates only: shapes, poses, planes, contacts.
    ///
    /// ```
    /// use tangency::{Bodies, glam::dvec3, shape::Sphere};
    ///
    /// let mut site = Bodies::with_origin(dvec3(500_000.0, 4_600_000.0, 0.0))?;
    /// let post = site.push_at(dvec3(500_000.123, 4_600_007.25, 3.0), Sphere::new([0.0; 3], 0.5)?)?;
    /// assert_eq!(site.shape(post)?, Sphere::new([0.123, 7.25, 3.0], 0.5)?.into());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite).
    pub fn with_origin(origin: impl Into<DVec3>) -> Result<Self> {
        let origin = origin.into();
        finite(&["origin.x", "origin.y", "origin.z"], origin)?;
        let mut bodies = Self::new();
        std::sync::Arc::make_mut(&mut bodies.columns).origin = origin;
        Ok(bodies)
    }

    /// The point to which all coordinates of the set are relative: zero unless it was made [with another](Self::with_origin).
    ///
    /// ```
    /// # use tangency::{Bodies, glam::DVec3};
    /// assert_eq!(Bodies::new().origin(), DVec3::ZERO);
    /// assert_eq!(Bodies::with_origin(DVec3::X)?.origin(), DVec3::X);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn origin(&self) -> DVec3 {
        self.columns.origin
    }

    /// A position as the set holds it: relative to the [origin](Self::origin), subtracted in `f64` and then rounded to `f32`.
    ///
    /// ```
    /// # use tangency::{Bodies, glam::{dvec3, vec3}, shape::Aabb};
    /// let mut site = Bodies::with_origin([500_000.0, 0.0, 0.0])?;
    /// let (min, max) = (site.to_local([500_000.1, 0.0, 0.0])?, site.to_local([500_000.2, 1.0, 1.0])?);
    /// site.push(Aabb::new(min, max)?)?;
    /// // What the rounding has changed:
    /// let position = dvec3(500_000.123, 0.0, 0.0);
    /// let rounding = site.to_global(site.to_local(position)?) - position;
    /// assert!(rounding.x != 0.0 && rounding.x.abs() < 1e-8);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotFinite`](Error::NotFinite) for a position that is not finite, or too far from the origin for `f32`.
    pub fn to_local(&self, position: impl Into<DVec3>) -> Result<Vec3> {
        let position = position.into();
        finite(&POSITION, position)?;
        let local = (position - self.origin()).as_vec3();
        check::finite_vec(&POSITION, local)?;
        Ok(local)
    }

    /// The position of a point in coordinates of the set, such as that of a contact.
    ///
    /// ```
    /// # use tangency::{Bodies, glam::dvec3};
    /// let site = Bodies::with_origin([500_000.0, 0.0, 0.0])?;
    /// assert_eq!(site.to_global([0.125, 2.0, 0.0]), dvec3(500_000.125, 2.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn to_global(&self, local: impl Into<Vec3>) -> DVec3 {
        self.origin() + local.into().as_dvec3()
    }

    /// Adds a body whose shape, given about a point of its own, is moved there from zero, and returns its id, as [`push`](Self::push)
    /// does. The sum is taken in `f64`, and rounded to `f32` once.
    ///
    /// ```
    /// # use tangency::{Bodies, glam::{Quat, vec3}, shape::Obb};
    /// let mut site = Bodies::with_origin([500_000.0, 0.0, 0.0])?;
    /// let beam = Obb::new([0.0; 3], [4.0, 0.1, 0.1], Quat::from_rotation_z(0.3))?;
    /// let id = site.push_at([500_000.123, 1.0, 2.0], beam)?;
    /// assert_eq!(site.pose(id)?.position().to_vec3(), vec3(0.123, 1.0, 2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`push`](Self::push), and [`NotFinite`](Error::NotFinite) for the position.
    pub fn push_at(&mut self, position: impl Into<DVec3>, shape: impl Into<Shape>) -> Result<u32> {
        self.push_at_with(position, shape, Traits::new())
    }

    /// Adds a body with these traits, as [`push_at`](Self::push_at) does.
    ///
    /// ```
    /// # use tangency::{Bodies, Traits, shape::Sphere};
    /// let mut site = Bodies::with_origin([500_000.0, 0.0, 0.0])?;
    /// let post = site.push_at_with([500_001.5, 0.0, 0.0], Sphere::new([0.0; 3], 1.0)?, Traits::new().fixed(true))?;
    /// assert!(site.traits(post)?.fixed);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`push_at`](Self::push_at).
    pub fn push_at_with(&mut self, position: impl Into<DVec3>, shape: impl Into<Shape>, traits: Traits) -> Result<u32> {
        let position = position.into();
        finite(&POSITION, position)?;
        let offset = position - self.origin();
        let moved = |point: Vec3| (point.as_dvec3() + offset).as_vec3();
        let shape = match shape.into() {
            Shape::Sphere(ball) => Sphere::new(moved(ball.center()), ball.radius())?.into(),
            Shape::Aabb(aabb) => {
                aabb.validate()?;
                Aabb::new(moved(aabb.min()), moved(aabb.max()))?.into()
            }
            Shape::Obb(obb) => Obb::new(moved(obb.center()), obb.half_extents(), obb.rotation())?.into(),
            Shape::Capsule(capsule) => Capsule::new(moved(capsule.a()), moved(capsule.b()), capsule.radius())?.into(),
            Shape::Plane(plane) => {
                plane.validate()?;
                let shift = plane.normal().as_dvec3().dot(offset);
                Plane::new(plane.normal(), (f64::from(plane.offset()) + shift) as f32)?.into()
            }
            Shape::ConvexHull(hull) => {
                let pose = hull.pose();
                hull.with_pose(Pose::new(moved(pose.position().to_vec3()), pose.rotation())?).into()
            }
            // It is refused below.
            other => other,
        };
        self.push_with(shape, traits)
    }
}

const POSITION: check::Names = ["position.x", "position.y", "position.z"];

fn finite(names: &check::Names, v: DVec3) -> Result<()> {
    match names.iter().zip(v.to_array()).find(|(_, value)| !value.is_finite()) {
        Some((field, value)) => Err(Error::NotFinite { field, value: value as f32 }),
        None => Ok(()),
    }
}
