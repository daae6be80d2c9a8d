//! A contact as a device writes it.

use glam::Vec3;

use crate::det::min;
use crate::query::{Contact, ContactKind, ContactPoint, FeatureId};

/// How two bodies meet: normal, depth and up to four points. What [`Engine::contacts`](crate::Engine::contacts) returns of each pair.
///
/// 112 bytes, as a shader reads them:
///
/// ```wgsl
/// struct Manifold {
///     normal: vec3f,             // of length 1, from a to b
///     depth: f32,                // moving b by depth · normal parts them
///     a: u32,
///     b: u32,
///     kind: u32,                 // as ContactKind counts: 0 Round, 1 FaceA, 2 FaceB, 3 Edges, 4 Corners, 5 Deepest
///     count: u32,                // 1 to 4
///     features: vec4u,           // of each point; 0 beyond the last
///     points: array<vec4f, 4>,   // a point of b, and how deep it lies in a; 0 beyond the last
/// }
/// ```
///
/// ```
/// use tangency::{Bodies, Engine, query::ContactKind, shape::Aabb};
///
/// let mut bodies = Bodies::new();
/// bodies.push(Aabb::new([0.0; 3], [4.0, 1.0, 4.0])?)?;
/// bodies.push(Aabb::new([1.0, 0.75, 1.0], [2.0, 1.75, 2.0])?)?;
/// let contacts = Engine::new()?.contacts(&bodies).run()?;
/// let manifold = contacts.manifolds()[0];
/// assert_eq!((manifold.a(), manifold.b(), manifold.kind()), (0, 1, ContactKind::FaceA));
/// assert_eq!((manifold.normal().to_array(), manifold.depth()), ([0.0, 1.0, 0.0], 0.25));
/// assert_eq!(manifold.points().map(|point| point.on_b.y).collect::<Vec<_>>(), [0.75; 4]);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Manifold {
    normal: [f32; 3],
    depth: f32,
    a: u32,
    b: u32,
    kind: u32,
    count: u32,
    features: [u32; 4],
    points: [[f32; 4]; 4],
}

/// All kinds, by their codes.
const KINDS: [ContactKind; 6] = [
    ContactKind::Round,
    ContactKind::FaceA,
    ContactKind::FaceB,
    ContactKind::Edges,
    ContactKind::Corners,
    ContactKind::Deepest,
];

impl Manifold {
    /// Without points yet.
    pub(crate) fn new((a, b): (u32, u32), normal: [f32; 3], depth: f32, kind: u32) -> Self {
        Self { normal, depth, a, b, kind, ..Self::default() }
    }

    /// Adds a point of b, with its depth. The feature is without the kind.
    pub(crate) fn push(&mut self, at: [f32; 4], feature: u32) {
        let k = self.count as usize;
        self.points[k] = at;
        self.features[k] = self.kind << 24 | feature;
        self.count += 1;
    }

    /// What the scalar function says of a pair; nothing if it says that they are separate.
    pub(crate) fn of_scalar((a, b): (u32, u32), found: Option<&Contact>, most: u32) -> Self {
        let Some(found) = found else { return Self::open(a, b) };
        let mut manifold = Self::new((a, b), found.normal().into(), found.depth(), found.kind() as u32);
        let mut points = found.points().to_vec();
        if most == 1 {
            points.sort_by(|p, q| q.depth.total_cmp(&p.depth).then(p.feature.cmp(&q.feature)));
            points.truncate(1);
        }
        for point in points {
            let Vec3 { x, y, z } = point.on_b;
            manifold.push([x, y, z, point.depth], point.feature.0 & 0x00ff_ffff);
        }
        manifold
    }

    /// A pair that is left to the host.
    pub(crate) fn open(a: u32, b: u32) -> Self {
        Self { a, b, ..Self::default() }
    }

    /// The same contact, so deep, and of its points none deeper; of round bodies with one point that so deep.
    pub(crate) fn no_deeper_than(mut self, depth: f32) -> Self {
        self.depth = depth;
        for point in &mut self.points[..self.count as usize] {
            let is_only = self.kind == ContactKind::Round as u32 && self.count == 1;
            point[3] = if is_only { depth } else { min(point[3], depth) };
        }
        self
    }

    /// Whether it is along a face beyond which nothing lies of the other body's face.
    pub(crate) fn is_beside_its_face(&self) -> bool {
        let of_faces = [ContactKind::FaceA as u32, ContactKind::FaceB as u32].contains(&self.kind);
        // (No two lines cross in its point.)
        of_faces && self.features[0].trailing_zeros() >= 8
    }

    /// The same feature of bodies that are apart, at the one point at which they are nearest.
    pub(crate) fn nearest_at(self, normal: Vec3, distance: f32, on_b: Vec3) -> Self {
        let found = Self::apart((self.a, self.b), normal, distance, on_b);
        Self { kind: self.kind, features: self.features, ..found }
    }

    /// One point at which bodies are nearest that are apart.
    pub(crate) fn apart((a, b): (u32, u32), normal: Vec3, distance: f32, on_b: Vec3) -> Self {
        let depth = 0.0 - distance; // (0, not −0)
        let mut found = Self::new((a, b), normal.into(), depth, ContactKind::Deepest as u32);
        found.push([on_b.x, on_b.y, on_b.z, depth], 0);
        found
    }

    /// The same contact of a body that has another id.
    #[cfg(feature = "gpu")]
    pub(crate) fn with_a(self, a: u32) -> Self {
        Self { a, ..self }
    }

    /// Whether it is left to the host.
    pub(crate) fn is_open(&self) -> bool {
        self.count == 0
    }

    /// The first body.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.5, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.contacts(&bodies).run()?.manifolds()[0].a(), 0);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn a(&self) -> u32 {
        self.a
    }

    /// The second body.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([1.5, 0.0, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.contacts(&bodies).run()?.manifolds()[0].b(), 1);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn b(&self) -> u32 {
        self.b
    }

    /// The normal, from the first body into the second: moving the second by `depth · normal` parts them. Its length is 1 to 2⁻²¹.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([0.0, -1.5, 0.0], 1.0)?])?;
    /// let contacts = Engine::new()?.contacts(&bodies).run()?;
    /// assert_eq!(contacts.manifolds()[0].normal(), tangency::glam::vec3(0.0, -1.0, 0.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn normal(&self) -> Vec3 {
        Vec3::from(self.normal)
    }

    /// The length of the shortest shift that parts them: 0 when they only touch, and against their distance when they are apart, which only contacts with
    /// a [`margin`](crate::Request::margin) are.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([0.0, -1.5, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.contacts(&bodies).run()?.manifolds()[0].depth(), 0.5);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn depth(&self) -> f32 {
        self.depth
    }

    /// What of the two bodies meets.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, query::ContactKind, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([0.0, -1.5, 0.0], 1.0)?])?;
    /// assert_eq!(Engine::new()?.contacts(&bodies).run()?.manifolds()[0].kind(), ContactKind::Round);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn kind(&self) -> ContactKind {
        KINDS.get(self.kind as usize).copied().unwrap_or(ContactKind::Deepest)
    }

    /// One to four points.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// # bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([0.0, -1.5, 0.0], 1.0)?])?;
    /// let contacts = Engine::new()?.contacts(&bodies).run()?;
    /// let point = contacts.manifolds()[0].points().next().expect("one point");
    /// assert_eq!((point.on_a.y, point.on_b.y, point.depth), (-1.0, -0.5, 0.5));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn points(&self) -> ContactPoints<'_> {
        ContactPoints { manifold: self, at: 0..self.count as usize }
    }
}

/// The points of a contact: [`Manifold::points`].
///
/// ```
/// # use tangency::{Bodies, Engine, shape::Sphere};
/// # let mut bodies = Bodies::new();
/// # bodies.extend([Sphere::new([0.0; 3], 1.0)?; 2])?;
/// let contacts = Engine::new()?.contacts(&bodies).run()?;
/// let points: tangency::batch::ContactPoints<'_> = contacts.manifolds()[0].points();
/// assert_eq!(points.len(), 1);
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ContactPoints<'a> {
    manifold: &'a Manifold,
    at: std::ops::Range<usize>,
}

impl Iterator for ContactPoints<'_> {
    type Item = ContactPoint;

    fn next(&mut self) -> Option<ContactPoint> {
        let (manifold, k) = (self.manifold, self.at.next()?);
        let [x, y, z, depth] = manifold.points[k];
        let on_b = Vec3::new(x, y, z);
        let on_a = on_b + manifold.normal() * depth;
        Some(ContactPoint { on_a, on_b, depth, feature: FeatureId(manifold.features[k]) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.at.size_hint()
    }
}

impl ExactSizeIterator for ContactPoints<'_> {}
impl std::iter::FusedIterator for ContactPoints<'_> {}
