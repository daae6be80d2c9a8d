//! Single questions to an index, which the calling thread answers at once.

use glam::Vec3;

use super::closest::{ClosestBody, rank};
use super::index::Index;
use super::rays::BodyHit;
use crate::bodies::Reach;
use crate::cast::Shot;
use crate::cpu::{Bounds, Caster, Finder, Nearest, Sorted, Walk};
use crate::exact::Margin;
use crate::manifold::Frame;
use crate::near::{Verdict, clearance_of, verdict};
use crate::query::relation_within;
use crate::shape::check::finite_length;
use crate::shape::kinds::{BodyShape, encode};
use crate::shape::{Ray, Shape, Sphere, check};
use crate::{Bodies, Error, Relation, Result, Traits};

/// Asks an [`Index`] single questions, each of which the calling thread answers at once, in microseconds, whatever engine made the index:
/// [`Index::single`]. For many questions at a time, ask the [`Engine`](crate::Engine).
///
/// The answers are those of the engine: exact, and in order.
///
/// ```
/// use tangency::{Bodies, Engine, Relation, shape::{Aabb, Ray, Sphere}};
///
/// let mut room = Bodies::new();
/// let floor = room.push(Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0])?)?;
/// let ball = room.push(Sphere::new([3.0, 1.0, 0.0], 1.0)?)?;
/// let index = Engine::new()?.index(&room)?;
/// let mut single = index.single();
/// let found = single.overlaps(Sphere::new([1.5, 0.5, 0.0], 0.5)?)?;
/// assert_eq!(found, [(floor, Relation::Touching)]);
/// assert_eq!(single.within(Sphere::new([1.5, 0.5, 0.0], 0.5)?, 1.0)?.len(), 2);
/// assert_eq!(single.containing([3.0, 0.5, 0.0])?, [(ball, Relation::Overlapping)]);
/// let hit = single.cast_ray(&Ray::new([3.0, 5.0, 0.0], [0.0, -1.0, 0.0])?).expect("the ball is below");
/// assert_eq!((hit.body, hit.time), (ball, 3.0));
/// # Ok::<(), tangency::Error>(())
/// ```
pub struct Single<'a> {
    index: &'a Index,
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    traits: Traits,
    walk: Walk,
    near: Vec<u32>,
    found: Vec<(u32, Relation)>,
}

impl std::fmt::Debug for Single<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Single")
            .field("bodies", &self.bodies.len())
            .field("traits", &self.traits)
            .finish_non_exhaustive()
    }
}

impl Index {
    /// For single questions. The first one to ask waits until the bodies are sorted; a GPU has no part in it.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine};
    /// let index = Engine::new()?.index(&Bodies::new())?;
    /// assert!(index.single().containing([0.0; 3])?.is_empty());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn single(&self) -> Single<'_> {
        Single {
            index: self,
            bodies: self.bodies(),
            sorted: self.sorted(Bounds::Shapes),
            traits: Traits::new(),
            walk: Walk::default(),
            near: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl Single<'_> {
    /// What is asked about has these traits from now on, instead of the default ones: they say which bodies it may meet.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Traits, shape::Sphere};
    /// let mut bodies = Bodies::new();
    /// bodies.push_with(Sphere::new([0.0; 3], 1.0)?, Traits::new().world(7))?;
    /// let index = Engine::new()?.index(&bodies)?;
    /// assert!(index.single().containing([0.0; 3])?.is_empty());
    /// assert_eq!(index.single().with_traits(Traits::new().world(7)).containing([0.0; 3])?.len(), 1);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    #[must_use]
    pub fn with_traits(mut self, traits: Traits) -> Self {
        self.traits = traits;
        self
    }

    /// The bodies that a shape touches or overlaps, exactly, by their ids.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([9.0, 0.0, 0.0], 1.0)?])?;
    /// let index = Engine::new()?.index(&bodies)?;
    /// assert_eq!(index.single().overlaps(Sphere::new([1.0, 0.0, 0.0], 1.0)?)?.len(), 1);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// What [`Bodies::push`] says of a shape that cannot be a body.
    pub fn overlaps(&mut self, shape: impl Into<Shape>) -> Result<&[(u32, Relation)]> {
        self.near(&shape.into(), Reach::Touching)
    }

    /// The bodies that are at most so far from a shape, and as far as their [margins](Bodies::set_margin), exactly, by their ids; as
    /// [`margin`](crate::Request::margin) has it, those at this very distance touch.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([0.0; 3], 1.0)?, Sphere::new([9.0, 0.0, 0.0], 1.0)?])?;
    /// let index = Engine::new()?.index(&bodies)?;
    /// let found = index.single().within(Sphere::new([4.0, 0.0, 0.0], 1.0)?, 3.0)?.to_vec();
    /// assert_eq!(found, [(0, Relation::Overlapping), (1, Relation::Touching)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`overlaps`](Self::overlaps), and if the distance is negative or not finite.
    pub fn within(&mut self, shape: impl Into<Shape>, distance: f32) -> Result<&[(u32, Relation)]> {
        finite_length("distance", distance)?;
        self.near(&shape.into(), Reach::Within(distance))
    }

    fn near(&mut self, shape: &Shape, reach: Reach) -> Result<&[(u32, Relation)]> {
        let shape = BodyShape::of(shape)?;
        shape.validate()?;
        let Self { index, bodies, sorted, traits, walk, near, found } = self;
        near.clear();
        found.clear();
        let distance = reach.distance([bodies, bodies]);
        let sorted = if distance.is_some() { index.sorted(Bounds::WithMargins) } else { sorted };
        sorted.near_one(traits.world, (shape.aabb(), distance.unwrap_or_default()), walk, near);
        near.sort_unstable();
        let all = bodies.all_traits();
        let frame = distance.map(|distance| (distance, frame_of(&shape)));
        for body in near.iter().copied().filter(|body| traits.may_meet(&all[*body as usize])) {
            let (other, margin) = (bodies.get(body as usize), bodies.margin_of(body as usize));
            let known =
                frame.and_then(|(distance, frame)| verdict(&frame, &frame_of(&other).with_margin(margin), distance));
            let relation = match known {
                Some(Verdict::Miss) => Relation::Separate,
                Some(Verdict::Hit) => Relation::Overlapping,
                Some(Verdict::Open) | None => {
                    let margin = distance.map_or(Margin::default(), |distance| Margin([distance, margin, 0.0]));
                    relation_within(&shape, &other, margin)
                }
            };
            if relation.is_hit() {
                found.push((body, relation));
            }
        }
        Ok(found)
    }

    /// The bodies that contain a point, exactly, by their ids; those that have it on their surface touch.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, Relation, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([0.0; 3], 5.0)?)?;
    /// let index = Engine::new()?.index(&bodies)?;
    /// assert_eq!(index.single().containing([3.0, 4.0, 0.0])?, [(0, Relation::Touching)]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidPoint`](Error::InvalidPoint) if a coordinate is not finite.
    pub fn containing(&mut self, point: impl Into<Vec3>) -> Result<&[(u32, Relation)]> {
        let point = finite_point(point.into())?;
        self.overlaps(Sphere::new(point, 0.0)?)
    }

    /// The bodies that are nearest to a point, so many, as [`closest`](crate::Engine::closest) has them: in exact order, the nearest first.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::Sphere};
    /// # let mut bodies = Bodies::new();
    /// bodies.extend([Sphere::new([5.0, 0.0, 0.0], 1.0)?, Sphere::new([0.0, 3.0, 0.0], 1.0)?])?;
    /// let index = Engine::new()?.index(&bodies)?;
    /// let found = index.single().closest([0.0; 3], 2)?;
    /// assert_eq!(found.iter().map(|near| near.body).collect::<Vec<_>>(), [1, 0]);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidPoint`](Error::InvalidPoint) if a coordinate is not finite.
    pub fn closest(&mut self, point: impl Into<Vec3>, count: u32) -> Result<Vec<ClosestBody>> {
        let point = finite_point(point.into())?;
        let mut finder = Finder::new((self.bodies, self.sorted), count as usize, f32::INFINITY);
        finder.find(point.to_array(), &self.traits);
        rank(point.to_array(), self.bodies, (count, f32::INFINITY), &mut finder.found);
        let ball = BodyShape::from(Sphere::new(point, 0.0)?);
        let near = |(_, body): &(_, u32)| clearance_of(&ball, &self.bodies.get(*body as usize)).with_b(*body).into();
        Ok(finder.found.iter().map(near).collect())
    }

    /// The first body that a ray meets, as [`cast_rays`](crate::Engine::cast_rays) has it: whether it meets a body is exact, the time has the
    /// same bits everywhere, and of equal times the lowest id counts.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([5.0, 0.0, 0.0], 1.0)?)?;
    /// let index = Engine::new()?.index(&bodies)?;
    /// let ray = Ray::new([0.0; 3], [2.0, 0.0, 0.0])?;
    /// assert_eq!(index.single().cast_ray(&ray).map(|hit| hit.time), Some(2.0));
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn cast_ray(&mut self, ray: &Ray) -> Option<BodyHit> {
        self.cast_ray_until(ray, f32::INFINITY)
    }

    /// The first body that a ray meets up to a time, which is in units of its direction.
    ///
    /// ```
    /// # use tangency::{Bodies, Engine, shape::{Ray, Sphere}};
    /// # let mut bodies = Bodies::new();
    /// bodies.push(Sphere::new([5.0, 0.0, 0.0], 1.0)?)?;
    /// let index = Engine::new()?.index(&bodies)?;
    /// let ray = Ray::new([0.0; 3], [2.0, 0.0, 0.0])?;
    /// assert!(index.single().cast_ray_until(&ray, 2.0).is_some() && index.single().cast_ray_until(&ray, 1.9).is_none());
    /// # Ok::<(), tangency::Error>(())
    /// ```
    pub fn cast_ray_until(&mut self, ray: &Ray, latest: f32) -> Option<BodyHit> {
        if !(latest >= 0.0) {
            return None;
        }
        let (shot, mut wanted) = (Shot::new(ray, latest), Nearest::default());
        let mut caster = Caster::new(self.bodies, self.sorted);
        caster.cast(&shot, &self.traits, &mut wanted);
        wanted.found(&caster, &shot).map(|(time, body)| BodyHit { body, time: shot.time(time) })
    }
}

fn finite_point(point: Vec3) -> Result<Vec3> {
    check::finite_vec(&["point.x", "point.y", "point.z"], point)
        .map_err(|reason| Error::InvalidPoint { index: 0, reason: Box::new(reason) })?;
    Ok(point)
}

fn frame_of(shape: &BodyShape<'_>) -> Frame {
    let (kind, record) = encode(shape);
    Frame::of(kind, &record)
}
