use glam::{DVec3, Vec3};

use crate::shape::check;

/// What of the two shapes meets.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{query::{self, ContactKind}, shape::{Obb, Plane, Sphere}};
///
/// let crate_ = Obb::new([0.0, 0.9, 0.0], [1.0, 1.0, 1.0], Quat::IDENTITY)?;
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let kind = |found: Option<query::Contact>| found.map(|c| c.kind());
/// assert_eq!(kind(query::contact(&crate_, &ground)), Some(ContactKind::Corners));
/// assert_eq!(kind(query::contact(&crate_, &crate_.translate([0.0, 1.5, 0.0])?)), Some(ContactKind::FaceA));
/// assert_eq!(kind(query::contact(&crate_, &Sphere::new([0.0, 2.0, 0.0], 1.0)?)), Some(ContactKind::Round));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ContactKind {
    /// A round surface: ball or capsule.
    Round,
    /// A face of the first shape, and points of the second.
    FaceA,
    /// A face of the second shape, and points of the first.
    FaceB,
    /// An edge of each box.
    Edges,
    /// Corners on a plane.
    Corners,
    /// The deepest point, where features are not told apart: a triangle, a segment or a hull with anything but a plane, and a
    /// capsule with a box, when no face lies flat on the other shape. Boxes that are apart too, where corners are nearest.
    Deepest,
}

/// Names what meets at a contact point: equal ids in two contacts of the same two shapes mean the same features, so that
/// a point can be followed from step to step.
///
/// From the top: 8 bits of [`ContactKind`] (in the order of its variants), then 8 bits each. Faces of two boxes: 2 · axis +
/// (1 for the positive side) of the reference face, the same of the incident face, and the two lines that cross in the point
/// (3 bits each: 0–3 edges of the incident face, 4–7 sides of the reference face). Faces of other shapes: a hash of the corners
/// between which these two lines run. Edges: an id of A's edge, then of B's (axis · 4
/// \+ a bit for each other axis). Corners: the corner's index. Round: 0 or 1 for the end of a capsule; in batch, on a face of a box, two more for
/// each face before it, and 2.
/// Deepest: 0.
///
/// ```
/// use tangency::glam::Quat;
/// use tangency::{query, shape::Obb};
///
/// let below = Obb::new([0.0, 0.0, 0.0], [2.0, 1.0, 2.0], Quat::IDENTITY)?;
/// let crate_ = Obb::new([0.0, 1.9, 0.0], [1.0, 1.0, 1.0], Quat::from_rotation_y(0.1))?;
/// let ids = |a: &Obb, b: &Obb| query::contact(a, b).map(|c| c.points().iter().map(|p| p.feature).collect::<Vec<_>>());
/// assert_eq!(ids(&below, &crate_), ids(&below, &crate_.translate([0.01, 0.01, 0.0])?));
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FeatureId(pub u32);

/// One point of a contact.
///
/// ```
/// use tangency::{query, shape::{Plane, Sphere}};
///
/// let ground = Plane::new([0.0, 1.0, 0.0], 0.0)?;
/// let contact = query::contact(&Sphere::new([3.0, 0.75, 0.0], 1.0)?, &ground).expect("it is sunk in");
/// let point = contact.points()[0];
/// assert_eq!((point.on_a, point.on_b), (tangency::glam::vec3(3.0, -0.25, 0.0), tangency::glam::vec3(3.0, 0.0, 0.0)));
/// assert_eq!(point.depth, 0.25);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPoint {
    /// The point of the first shape that lies deepest in the second, here.
    pub on_a: Vec3,
    /// The point of the second shape, opposite along the normal.
    pub on_b: Vec3,
    /// How deep the shapes are in each other here: `(on_a − on_b) · normal`, at most the contact's depth. ≥ 0, but for those of
    /// [`Engine::contacts`](crate::Engine::contacts) with a margin, which may be apart.
    pub depth: f32,
    /// What meets here.
    pub feature: FeatureId,
}

/// How two shapes that meet can be parted: see [`contact`](crate::query::contact).
///
/// ```
/// use tangency::{Relation, query, shape::Aabb};
///
/// let a = Aabb::new([0.0; 3], [2.0; 3])?;
/// let b = Aabb::new([1.5, 1.0, 1.0], [3.0; 3])?;
/// let contact = query::contact(&a, &b).expect("they overlap");
/// assert_eq!((contact.normal(), contact.depth()), (tangency::glam::vec3(1.0, 0.0, 0.0), 0.5));
/// let parted = b.translate(contact.normal() * contact.depth())?;
/// assert_eq!(query::intersect(&a, &parted), Relation::Touching);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    normal: Vec3,
    depth: f32,
    kind: ContactKind,
    points: [ContactPoint; 4],
    count: usize,
}

impl Contact {
    /// Without points yet.
    pub(super) fn new(normal: DVec3, depth: f64, kind: ContactKind) -> Self {
        Self {
            normal: normal.as_vec3(),
            depth: check::saturate_f32(depth.max(0.0)),
            kind,
            points: [ContactPoint::default(); 4],
            count: 0,
        }
    }

    /// Adds a point; what is beyond four is left out.
    pub(super) fn push(&mut self, on_a: DVec3, on_b: DVec3, depth: f64, feature: u32) {
        if let Some(point) = self.points.get_mut(self.count) {
            let depth = check::saturate_f32(depth.max(0.0)).min(self.depth);
            let feature = FeatureId((self.kind as u32) << 24 | feature);
            *point = ContactPoint { on_a: check::saturate(on_a), on_b: check::saturate(on_b), depth, feature };
            self.count += 1;
        }
    }

    /// The same contact of shapes that only touch.
    pub(super) fn without_depth(mut self) -> Self {
        self.depth = 0.0;
        for point in &mut self.points {
            point.depth = 0.0;
        }
        self
    }

    /// The unit normal, from the first shape into the second: moving the second by `depth · normal` parts them, so that
    /// they just touch.
    ///
    /// ```
    /// # use tangency::{query, shape::Sphere};
    /// let ball = Sphere::new([0.0; 3], 1.0)?;
    /// let contact = query::contact(&ball, &ball.translate([0.0, -1.5, 0.0])?).expect("they overlap");
    /// assert_eq!(contact.normal(), tangency::glam::vec3(0.0, -1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The length of the shortest shift that parts them, ≥ 0: 0 when they only touch.
    ///
    /// ```
    /// # use tangency::{query, shape::Sphere};
    /// let ball = Sphere::new([0.0; 3], 1.0)?;
    /// let above = |y: f32| ball.translate([0.0, y, 0.0]);
    /// assert_eq!(query::contact(&ball, &above(1.5)?).map(|contact| contact.depth()), Some(0.5));
    /// assert_eq!(query::contact(&ball, &above(2.0)?).map(|contact| contact.depth()), Some(0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn depth(&self) -> f32 {
        self.depth
    }

    /// What of the two shapes meets.
    ///
    /// ```
    /// # use tangency::{query::{self, ContactKind}, shape::Aabb};
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let contact = query::contact(&cube, &cube.translate([0.25, 0.875, 0.25])?).expect("they overlap");
    /// assert_eq!(contact.kind(), ContactKind::FaceA);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn kind(&self) -> ContactKind {
        self.kind
    }

    /// One to four points.
    ///
    /// ```
    /// # use tangency::{query, shape::Aabb};
    /// let cube = Aabb::new([0.0; 3], [1.0; 3])?;
    /// let contact = query::contact(&cube, &cube.translate([0.25, 0.875, 0.25])?).expect("they overlap");
    /// assert_eq!(contact.points().len(), 4);
    /// assert!(contact.points().iter().all(|point| point.depth == 0.125));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.count]
    }

    /// The same contact with the shapes the other way round.
    ///
    /// ```
    /// # use tangency::{query, shape::Sphere};
    /// let a = Sphere::new([0.0; 3], 1.0)?;
    /// let b = Sphere::new([1.5, 0.0, 0.0], 1.0)?;
    /// let contact = query::contact(&a, &b).expect("they overlap");
    /// assert_eq!(contact.swap().normal(), -contact.normal());
    /// assert_eq!(query::contact(&b, &a), Some(contact.swap()));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn swap(&self) -> Self {
        let mut swapped = *self;
        swapped.normal = -self.normal;
        swapped.kind = match self.kind {
            ContactKind::FaceA => ContactKind::FaceB,
            ContactKind::FaceB => ContactKind::FaceA,
            kind => kind,
        };
        for point in &mut swapped.points[..self.count] {
            let bits = point.feature.0 & 0x00ff_ffff;
            let bits = if self.kind == ContactKind::Edges { (bits & 0xff) << 8 | bits >> 8 } else { bits };
            point.feature = FeatureId((swapped.kind as u32) << 24 | bits);
            std::mem::swap(&mut point.on_a, &mut point.on_b);
        }
        swapped
    }
}
