//! The named scenes of tests, benchmarks and the command, which are deterministic by seed.
//!
//! Random numbers come from a counter and a hash that are easy to port, so that name, number of bodies and seed identify a scene.
//!
//! ```
//! use tangency::{Engine, scenes::{Scene, SEED}};
//!
//! let bodies = Scene::Uniform.build(10_000, SEED)?;
//! let hits = Engine::new()?.overlaps(&bodies).run()?;
//! assert_eq!((hits.len(), hits.pairs_fingerprint()), (12_960, 0xf4de_160d_6392_2e2a));
//! # Ok::<(), tangency::Error>(())
//! ```

mod csv;
mod grazing;
mod hulls;
mod random;
mod rays;

use std::f64::consts::TAU;

pub use csv::{CSV_COLUMNS, write_csv};
use glam::{Quat, Vec3};
pub use grazing::grazing;
pub use random::random;
pub use rays::{RandomRay, random_rays};

use crate::hash::{FNV_START, fnv1a_step, mix};
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, Obb, Plane, Sphere};
use crate::{Bodies, Result, Traits};

/// The seed of the scenes whose answers are recorded.
///
/// ```
/// # use tangency::scenes::{SEED, input_hash, uniform};
/// assert_eq!(input_hash(&uniform(10_000, SEED)?), 0x2a1f_c70a_1e1e_2315);
/// # Ok::<(), tangency::Error>(())
/// ```
pub const SEED: u64 = 0x5EED;

/// A named scene.
///
/// ```
/// use tangency::scenes::{SEED, Scene};
///
/// for scene in Scene::ALL {
///     assert_eq!(scene.build(100, SEED)?.len(), 100);
/// }
/// # Ok::<(), tangency::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scene {
    /// The standard scene: boxes of random size and orientation, uniform in a cube with four units of volume per box.
    Uniform,
    /// Boxes in Gaussian clusters of 512, far apart.
    Clustered,
    /// A cubic grid of unit boxes, each exactly touching its 26 neighbours.
    Stacks,
    /// Boxes of all heights, turned about the vertical, standing exactly on one fixed ground box.
    City,
    /// Balls, axis-aligned and oriented boxes with sizes over a factor of 1000; the bodies of each size fill the same volume.
    Mixed,
    /// The standard scene, its last body moved a million diameters away.
    Escaped,
    /// Standard scenes of 64 bodies, each in a world of its own at the same coordinates.
    Worlds,
    /// Densely packed balls.
    Granular,
    /// The standard scene with capsules in the boxes, along their first axes.
    Capsules,
    /// The standard scene with a floor, two walls and a slope, half-spaces that are fixed and that some of the boxes are in.
    Room,
    /// Convex hulls of 64 corners, squeezed balls of 16 different forms, turned anyhow, about as large and as dense as the boxes of the standard scene.
    Hulls,
}

impl Scene {
    /// All scenes.
    ///
    /// ```
    /// # use tangency::scenes::Scene;
    /// assert!(Scene::ALL.iter().all(|scene| Scene::from_name(scene.name()) == Some(*scene)));
    /// ```
    pub const ALL: [Self; 11] = [
        Self::Uniform,
        Self::Clustered,
        Self::Stacks,
        Self::City,
        Self::Mixed,
        Self::Escaped,
        Self::Worlds,
        Self::Granular,
        Self::Capsules,
        Self::Room,
        Self::Hulls,
    ];

    /// The name, as the command takes it.
    ///
    /// ```
    /// # use tangency::scenes::Scene;
    /// assert_eq!(Scene::City.name(), "city");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Clustered => "clustered",
            Self::Stacks => "stacks",
            Self::City => "city",
            Self::Mixed => "mixed",
            Self::Escaped => "escaped",
            Self::Worlds => "worlds",
            Self::Granular => "granular",
            Self::Capsules => "capsules",
            Self::Room => "room",
            Self::Hulls => "hulls",
        }
    }

    /// The scene of this name.
    ///
    /// ```
    /// # use tangency::scenes::Scene;
    /// assert_eq!(Scene::from_name("stacks"), Some(Scene::Stacks));
    /// assert_eq!(Scene::from_name("stack"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }

    /// The bodies of the scene.
    ///
    /// ```
    /// # use tangency::{Engine, scenes::{SEED, Scene}};
    /// let cube = Scene::Stacks.build(8, SEED)?; // 2 × 2 × 2, each touching all others
    /// assert_eq!(Engine::new()?.overlaps(&cube).run()?.len(), 28);
    /// # Ok::<(), tangency::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`TooManyBodies`](crate::Error::TooManyBodies).
    pub fn build(self, n: usize, seed: u64) -> Result<Bodies> {
        let mut bodies = Bodies::with_capacity(n);
        let count = n as u64;
        let random = |i: u64, lane: u64| unit(i, lane, seed);
        match self {
            Self::Uniform => bodies.extend(uniform(n, seed)?)?,
            Self::Clustered => bodies.extend(collect(n, |i| clustered(i, count, random))?)?,
            Self::Stacks => bodies.extend(collect(n, |i| stacked(i, count))?)?,
            Self::City => {
                let side = (9.0 * n as f64).sqrt() as f32;
                let ground = Aabb::new([-1.0, -1.0, -1.0], [side + 1.0, 0.0, side + 1.0])?;
                if n > 0 {
                    bodies.push_with(ground, Traits::new().fixed(true))?;
                }
                bodies.extend(collect(n.saturating_sub(1), |i| building(i, f64::from(side), random))?)?
            }
            Self::Mixed => bodies.extend(collect(n, |i| any_size(i, count, random))?)?,
            Self::Escaped => {
                let mut standard = uniform(n, seed)?;
                if let Some(last) = standard.last_mut() {
                    *last = last.translate([1e6, 1e6, 1e6])?;
                }
                bodies.extend(standard)?
            }
            Self::Worlds => {
                let side = (4.0 * 64_f64).cbrt();
                let body = |i| Ok((standard_box(i, side, random)?, Traits::new().world((i / 64) as u32)));
                bodies.extend_with(collect(n, body)?)?
            }
            Self::Granular => bodies.extend(collect(n, |i| grain(i, count, random))?)?,
            Self::Capsules => {
                let side = (4.0 * n as f64).cbrt();
                bodies.extend(collect(n, |i| limb(&standard_box(i, side, random)?))?)?
            }
            Self::Room => {
                let side = (4.0 * n as f64).cbrt() as f32;
                let (floor, left) = (Plane::new([0.0, 1.0, 0.0], 1.0)?, Plane::new([2.0, 0.0, 0.0], 1.0)?);
                let (back, slope) = (Plane::new([0.0, 0.0, -1.0], 1.0 - side)?, Plane::new([1.5, 2.0, 0.25], 4.0)?);
                for border in [floor, left, back, slope].into_iter().take(n) {
                    bodies.push_with(border, Traits::new().fixed(true))?;
                }
                bodies.extend(uniform(n.saturating_sub(4), seed)?)?
            }
            Self::Hulls => {
                let (side, forms) = ((4.0 * n as f64).cbrt(), hulls::forms(random)?);
                bodies.extend(collect(n, |i| hulls::body(i, &forms, side, random))?)?
            }
        };
        Ok(bodies)
    }
}

/// A capsule inside a box, along its first axis.
fn limb(body: &Obb) -> Result<Capsule> {
    let [axis, ..] = Obb::axes(body).map(glam::DVec3::as_vec3);
    let (half, center) = (body.half_extents(), body.center());
    Capsule::new(center - axis * half.x, center + axis * half.x, half.y / 2.0)
}

fn collect<T>(n: usize, make: impl Fn(u64) -> Result<T>) -> Result<Vec<T>> {
    (0..n as u64).map(make).collect()
}

/// The `lane`-th random number of body `i`, in [0, 1) with 24 bits; there are 16 lanes a body.
fn unit(i: u64, lane: u64, seed: u64) -> f64 {
    (mix(mix(i.wrapping_mul(16).wrapping_add(lane)) ^ seed) >> 40) as f64 / f64::from(1 << 24)
}

/// Shoemake's uniformly distributed rotation, from three uniform numbers.
fn rotation(a: f64, t: f64, p: f64) -> Quat {
    let (s, c, t, p) = ((1.0 - a).sqrt(), a.sqrt(), TAU * t, TAU * p);
    Quat::from_array([s * t.sin(), s * t.cos(), c * p.sin(), c * p.cos()].map(|x| x as f32))
}

fn standard_box(i: u64, side: f64, random: impl Fn(u64, u64) -> f64) -> Result<Obb> {
    let u = |lane| random(i, lane);
    let center = [0, 1, 2].map(|lane| (u(lane) * side) as f32);
    let half = [3, 4, 5].map(|lane| (0.25 + 0.5 * u(lane)) as f32);
    Obb::new(center, half, rotation(u(6), u(7), u(8)))
}

/// The boxes of [`Scene::Uniform`].
///
/// # Errors
/// Never for an `n` that fits into memory.
///
/// ```
/// let boxes = tangency::scenes::uniform(10_000, tangency::scenes::SEED)?;
/// assert_eq!(tangency::scenes::input_hash(&boxes), 0x2a1f_c70a_1e1e_2315);
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn uniform(n: usize, seed: u64) -> Result<Vec<Obb>> {
    let side = (4.0 * n as f64).cbrt();
    collect(n, |i| standard_box(i, side, |i, lane| unit(i, lane, seed)))
}

/// Nearly normal: the sum of twelve uniform numbers, without a function that could differ between math libraries.
fn normal(i: u64, axis: u64, random: impl Fn(u64, u64) -> f64) -> f64 {
    // Uses the random numbers of bodies beyond the scene, so that none is used twice.
    (0..12).map(|k| random((1 << 40) + 3 * i + axis, k)).sum::<f64>() - 6.0
}

fn clustered(i: u64, n: u64, random: impl Fn(u64, u64) -> f64 + Copy) -> Result<Obb> {
    let cluster = (1 << 50) + i / 512;
    let side = (32.0 * n as f64).cbrt();
    let body = standard_box(i, 0.0, random)?;
    let center = [0, 1, 2].map(|axis| (random(cluster, axis) * side + 4.0 * normal(i, axis, random)) as f32);
    Obb::new(center, body.half_extents(), body.rotation())
}

fn stacked(i: u64, n: u64) -> Result<Obb> {
    // The smallest cube with at least n boxes.
    let mut side = (n as f64).cbrt() as u64;
    while side * side * side < n {
        side += 1;
    }
    let at = [i % side, i / side % side, i / (side * side)].map(|x| x as f32);
    Obb::new(at, [0.5; 3], Quat::IDENTITY)
}

fn building(i: u64, side: f64, random: impl Fn(u64, u64) -> f64) -> Result<Obb> {
    let u = |lane| random(i, lane);
    // Many low buildings, few towers.
    let height = (0.5 + 4.0 * u(2).powi(4)) as f32;
    let center = Vec3::new((u(0) * side) as f32, height, (u(1) * side) as f32);
    let half = Vec3::new((0.3 + 0.7 * u(3)) as f32, height, (0.3 + 0.7 * u(4)) as f32);
    let half_turn = 0.5 * TAU * u(5);
    Obb::new(center, half, Quat::from_xyzw(0.0, half_turn.sin() as f32, 0.0, half_turn.cos() as f32))
}

fn any_size(i: u64, n: u64, random: impl Fn(u64, u64) -> f64 + Copy) -> Result<BodyShape<'static>> {
    let u = |lane| random(i, lane);
    // The number of bodies falls with the cube of the size: s = s₀ (1 − u (1 − 10⁻⁹))^(−1/3), from s₀ to 1000 s₀.
    let size = 0.1 / (1.0 - u(9) * (1.0 - 1e-9)).cbrt();
    let side = (0.05 * n as f64).cbrt();
    let body = standard_box(i, side, random)?;
    let half = (body.half_extents().as_dvec3() * size).as_vec3();
    Ok(match i % 3 {
        0 => Sphere::new(body.center(), half.x)?.into(),
        1 => Aabb::new(body.center() - half, body.center() + half)?.into(),
        _ => Obb::new(body.center(), half, body.rotation())?.into(),
    })
}

fn grain(i: u64, n: u64, random: impl Fn(u64, u64) -> f64) -> Result<Sphere> {
    let side = (0.6 * n as f64).cbrt();
    let u = |lane| random(i, lane);
    Sphere::new([0, 1, 2].map(|lane| (u(lane) * side) as f32), (0.3 + 0.2 * u(3)) as f32)
}

/// FNV-1a over the bits of every box: centre, half extents, quaternion.
///
/// ```
/// # use tangency::scenes::{SEED, input_hash, uniform};
/// assert_eq!(input_hash(&[]), 0xcbf2_9ce4_8422_2325); // the start of FNV-1a
/// assert_ne!(input_hash(&uniform(10, SEED)?), input_hash(&uniform(10, SEED + 1)?));
/// # Ok::<(), tangency::Error>(())
/// ```
pub fn input_hash(bodies: &[Obb]) -> u64 {
    bytemuck::cast_slice::<Obb, u8>(bodies).iter().copied().fold(FNV_START, fnv1a_step)
}
