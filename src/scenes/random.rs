//! Random scenes with every feature, for soak tests.

use glam::{Quat, Vec3};

use super::grazing::grazing_pair;
use crate::hash::mix;
use crate::shape::kinds::BodyShape;
use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Pose, Sphere};
use crate::{Bodies, Result, Traits};

/// A stream of random numbers.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(super) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    pub(super) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// The random choices that all bodies of a scene share.
struct Recipe {
    places: u64,
    sizes: u64,
    turns: u64,
    kinds: u64,
    /// The side of the region, in units of the typical size.
    side: f64,
    /// The power of two by which everything is multiplied.
    scale: f64,
    /// An offset of every coordinate, in units of the typical size.
    offset: f64,
    worlds: u64,
    layers: bool,
    groups: bool,
    fixed: bool,
    /// The local forms of hulls, of which half of the bodies then are some.
    forms: Vec<ConvexHull>,
}

/// A random set of at most `most` bodies: all shapes (one scene in four has half-spaces, and one in four hulls), sizes from points to giants, positions from a grid to one spot, coordinates
/// from tiny to beyond 2⁴⁰, quaternions of any length, layers, groups, worlds (and every one of them), fixed and disabled bodies, excluded pairs, margins. One
/// scene in seven consists of [grazing](super::grazing()) pairs.
///
/// The number of bodies is log-uniform between 2 and `most`.
///
/// ```
/// let bodies = tangency::scenes::random(7, 1000)?;
/// assert!((2..=1000).contains(&bodies.len()));
/// # Ok::<(), tangency::Error>(())
/// ```
///
/// # Errors
/// Never for a `most` that fits into memory.
pub fn random(seed: u64, most: usize) -> Result<Bodies> {
    let mut dice = Dice::new(seed);
    let n = (2.0 * (most.max(2) as f64 / 2.0).powf(dice.unit())) as u64;
    let mut recipe = Recipe {
        places: dice.below(6),
        sizes: dice.below(6),
        turns: dice.below(6),
        kinds: dice.below(8),
        side: (n as f64).cbrt() * (0.4 + 1.2 * dice.unit()),
        scale: 2_f64.powi(if dice.one_in(3) { dice.below(160) as i32 - 90 } else { 0 }),
        offset: if dice.one_in(4) { 2_f64.powi(dice.below(24) as i32) } else { 0.0 },
        worlds: [1, 1, 2, 5, n / 16 + 1][dice.below(5) as usize],
        layers: dice.one_in(3),
        groups: dice.one_in(4),
        fixed: dice.one_in(4),
        forms: Vec::new(),
    };
    // (Numbers of their own, so that other scenes stay as they are.)
    let mut of_hulls = Dice::new(!seed);
    if of_hulls.one_in(4) {
        let forms = 1 + of_hulls.below(6);
        recipe.forms = (0..forms).map(|_| form(&mut of_hulls, recipe.scale)).collect::<Result<_>>()?;
    }
    // Grazing pairs: thin bodies at a tiny distance from their neighbours.
    let grazing = dice.one_in(7);
    let mut bodies = Bodies::with_capacity(n as usize);
    let mut waiting = None;
    let half_spaces = if dice.one_in(4) { 1 + dice.below(3) } else { 0 };
    for i in 0..n {
        let shape = match waiting.take() {
            _ if i < half_spaces => recipe.half_space(i, n, &mut dice)?,
            _ if !recipe.forms.is_empty() && of_hulls.one_in(2) => recipe.hull(i, n, &mut of_hulls)?,
            Some(neighbour) => neighbour,
            None if grazing => {
                let place = recipe.place(i, n, &mut dice);
                let [thin, neighbour] = grazing_pair(&mut dice, place, recipe.scale)?;
                waiting = Some(neighbour);
                thin
            }
            None => recipe.shape(i, n, &mut dice)?,
        };
        let traits = recipe.traits(&mut dice);
        bodies.push_with(shape, traits)?;
    }
    if dice.one_in(3) {
        for _ in 0..n / 8 {
            bodies.disable(dice.below(n) as u32)?;
        }
    }
    if dice.one_in(3) {
        for _ in 0..n / 4 {
            let a = dice.below(n) as u32;
            bodies.exclude(a, (a + dice.below(3) as u32) % n as u32)?;
        }
    }
    if dice.one_in(3) {
        // Most of them small, and some larger than bodies.
        for _ in 0..=n / 4 {
            let margin = recipe.scale * dice.unit().powi(3) * if dice.one_in(16) { 4.0 } else { 0.5 };
            bodies.set_margin(dice.below(n) as u32, margin as f32)?;
        }
    }
    Ok(bodies)
}

/// A hull about as large as other bodies: of a box, in one plane, on one line, a point, or of points on a ball; sometimes beside its origin.
fn form(dice: &mut Dice, scale: f64) -> Result<ConvexHull> {
    let size = scale * [0.3, 0.5, 0.5, 1.0][dice.below(4) as usize];
    let aside = if dice.one_in(3) { size * dice.signed() } else { 0.0 };
    let kind = dice.below(7);
    let count = match kind {
        0 => 8,
        1 => 1,
        2 => 2,
        3 => 3 + dice.below(8),
        _ => {
            let more = if dice.one_in(8) { 252 } else { 28 };
            4 + dice.below(more)
        }
    };
    let corners = (0..count).map(|k| {
        let corner = match kind {
            0 => [k & 1, k >> 1 & 1, k >> 2].map(|bit| 2.0 * bit as f64 - 1.0),
            // Half of them of few exact numbers.
            3 => [dice.below(5) as f64 / 2.0 - 1.0, 0.0, dice.signed()],
            4 => [0; 3].map(|_| dice.below(5) as f64 / 2.0 - 1.0),
            _ => {
                let v = glam::DVec3::from([0; 3].map(|_| dice.signed()));
                v.normalize_or_zero().to_array()
            }
        };
        corner.map(|x| (x * size + aside) as f32)
    });
    ConvexHull::from_points(corners.collect::<Vec<_>>())
}

impl Recipe {
    fn place(&self, i: u64, n: u64, dice: &mut Dice) -> [f64; 3] {
        let side = self.side;
        let grid = (n as f64).cbrt().ceil() as u64;
        let cell = [i % grid, i / grid % grid, i / (grid * grid)].map(|x| x as f64);
        match self.places {
            0 | 1 => [0; 3].map(|_| dice.unit() * side),
            // An exact grid, in which neighbours touch.
            2 => cell,
            // Clusters around a few spots.
            3 => {
                let spot = mix(i % 7);
                let at = |shift: u32| (spot >> shift & 0xff) as f64 / 256.0 * side * 2.0;
                [at(0), at(8), at(16)].map(|x| x + (dice.unit() + dice.unit() - 1.0) * side * 0.4)
            }
            // A line, and a flat sheet.
            4 => [dice.unit() * side * side, 0.0, if dice.one_in(2) { 0.0 } else { dice.unit() }],
            // Half of the coordinates take few exact values.
            _ => [0; 3].map(|_| if dice.one_in(2) { dice.below(3 + n / 16) as f64 } else { dice.unit() * side }),
        }
    }

    fn size(&self, dice: &mut Dice) -> f64 {
        match self.sizes {
            0 | 1 => 0.2 + 0.3 * dice.unit(),
            2 => 0.5,
            // Many small bodies, few large ones.
            3 => 0.05 / (1.0 - dice.unit() * 0.999_999).cbrt(),
            // One in 200 is a giant.
            4 if dice.one_in(200) => self.side * dice.unit(),
            4 => 0.3,
            _ => [0.0, 1e-4, 0.3, 0.5][dice.below(4) as usize],
        }
    }

    fn turn(&self, dice: &mut Dice) -> Quat {
        let q = match self.turns {
            0 => [0.0, 0.0, 0.0, 1.0],
            // Rotations about the vertical.
            1 => [0.0, dice.signed(), 0.0, dice.signed()],
            2 => [0; 4].map(|_| dice.below(3) as f64 - 1.0),
            3 => {
                let length = 2_f64.powi(dice.below(200) as i32 - 100);
                [0; 4].map(|_| dice.signed() * length)
            }
            // Rotations near the identity.
            4 => {
                let turn = 10_f64.powi(-(dice.below(9) as i32));
                [dice.signed() * turn, dice.signed() * turn, dice.signed() * turn, 1.0]
            }
            _ => [0; 4].map(|_| dice.signed()),
        };
        let q = q.map(|x| x as f32);
        if q == [0.0; 4] { Quat::IDENTITY } else { Quat::from_array(q) }
    }

    fn shape(&self, i: u64, n: u64, dice: &mut Dice) -> Result<BodyShape<'static>> {
        let at = self.place(i, n, dice).map(|x| ((x + self.offset) * self.scale) as f32);
        let size = self.size(dice) * self.scale;
        let half = [0; 3].map(|_| if self.sizes == 2 { size } else { size * (0.5 + dice.unit()) } as f32);
        let kind = if self.kinds < 4 { self.kinds } else { dice.below(4) };
        Ok(match kind {
            0 => Sphere::new(at, half[0])?.into(),
            1 => {
                let (center, half) = (Vec3::from(at), Vec3::from(half));
                Aabb::new(center - half, center + half)?.into()
            }
            2 => Obb::new(at, half, self.turn(dice))?.into(),
            _ => {
                let way = match dice.below(4) {
                    0 => Vec3::AXES[dice.below(3) as usize],
                    1 => Vec3::from([0; 3].map(|_| dice.below(3) as f32 - 1.0)),
                    // Its length is 0, or tiny.
                    2 if self.sizes == 5 => Vec3::splat([0.0, 1e-7][dice.below(2) as usize]),
                    _ => Vec3::from([0; 3].map(|_| dice.signed() as f32)),
                };
                let (center, half_way) = (Vec3::from(at), way * half[1]);
                Capsule::new(center - half_way, center + half_way, half[0])?.into()
            }
        })
    }

    /// One of the forms, somewhere.
    fn hull(&self, i: u64, n: u64, dice: &mut Dice) -> Result<BodyShape<'_>> {
        let at = self.place(i, n, dice).map(|x| ((x + self.offset) * self.scale) as f32);
        let form = &self.forms[dice.below(self.forms.len() as u64) as usize];
        Ok(form.placed_at(Pose::new(at, self.turn(dice))?).into())
    }

    /// Through the place of a body, often at right angles to an axis, and often where the sides of bodies are.
    fn half_space(&self, i: u64, n: u64, dice: &mut Dice) -> Result<BodyShape<'static>> {
        let aside = [0.0, 0.5, 0.3][dice.below(3) as usize];
        let at = self.place(i, n, dice).map(|x| (x + self.offset + aside) * self.scale);
        let mut normal = match dice.below(4) {
            0 | 1 => Vec3::AXES[dice.below(3) as usize] * [-1.0, 1.0][dice.below(2) as usize],
            2 => Vec3::from([0; 3].map(|_| dice.below(5) as f32 - 2.0)),
            _ => Vec3::from([0; 3].map(|_| dice.signed() as f32)),
        };
        if normal == Vec3::ZERO {
            normal = Vec3::Y;
        }
        normal *= 2_f32.powi(if dice.one_in(3) { dice.below(60) as i32 - 30 } else { 0 });
        let offset = normal.as_dvec3().dot(at.into());
        Ok(Plane::new(normal, crate::shape::check::saturate_f32(offset))?.into())
    }

    fn traits(&self, dice: &mut Dice) -> Traits {
        let mut traits = Traits::new().world((dice.below(self.worlds) * 0x1357_9bdf) as u32);
        if self.worlds > 1 && dice.one_in(8) {
            traits = traits.in_every_world();
        }
        if self.layers {
            traits = traits.layer(1 << dice.below(4)).mask(dice.below(16) as u32);
        }
        if self.groups {
            traits = traits.group(dice.below(6) as u32);
        }
        traits.fixed(self.fixed && dice.one_in(2))
    }
}
