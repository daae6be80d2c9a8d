//! Boxes and balls fall, stack and come to rest: a sequential-impulse solver on `engine.contacts`.
//!
//! The library's are the contacts, the bounce of an impact and the pushing apart of what overlaps (`tangency::response`). The solver's
//! own are impulses that are summed up and clamped point by point, friction, and warm starting: the impulses of a step are the first
//! guess of the next, in which a point is found again by its pair and its feature id.
//!
//! The solver computes in plain `f64`, so that only contacts come from the device: every backend must end with the same fingerprint.

use std::collections::HashMap;

use tangency::glam::{DMat3, DQuat, DVec3, Vec3, dvec3};
use tangency::query::{ContactPoint, FeatureId};
use tangency::response::{Body, collide_at, positional_correction};
use tangency::shape::{Aabb, Obb, Pose, Sphere};
use tangency::{BackendKind, Bodies, Contacts, Engine, Manifold, Result, Traits};

/// Steps after which all that fell has long come to rest. The program can be given another number.
const STEPS: usize = 1000;
/// Seconds of a step.
const STEP: f64 = 1.0 / 120.0;
const GRAVITY: DVec3 = dvec3(0.0, -9.81, 0.0);
const ITERATIONS: usize = 16;
const FRICTION: f64 = 0.5;
/// What an impact leaves of the speed, if the bodies close in at more than so many metres a second.
const RESTITUTION: f32 = 0.25;
const BOUNCES: f32 = 0.5;
/// How deep bodies may lie in each other, in metres: what rests keeps its contacts, instead of losing them to a rounding.
const SLOP: f32 = 0.002;
/// The share of a greater depth that a step takes away.
const CORRECTION: f32 = 0.2;
/// What a step leaves of a spin: balls do not roll for ever.
const ROLLING: f64 = 0.97;
/// Stacks of boxes, each smaller than the one below.
const STACKS: u32 = 9;
const BOXES: u32 = 5;
const BALLS: u32 = 18;
/// In so many steps at the end the points of stacks must be the same.
const RESTING: usize = 500;
/// Nothing may be faster at the end, in metres or radians a second.
const AT_REST: f64 = 0.002;

/// A body that moves, or with an inverse mass of 0 one that does not.
#[derive(Clone, Copy)]
struct Part {
    inverse_mass: f64,
    /// Along the axes of the body, and as a matrix in the world.
    inverse_inertia: DVec3,
    world_inertia: DMat3,
    at: DVec3,
    turn: DQuat,
    velocity: DVec3,
    spin: DVec3,
}

impl Part {
    fn new(mass: f64, inertia: DVec3, at: DVec3, turn: DQuat) -> Self {
        let (inverse_mass, inverse_inertia, [velocity, spin]) = (1.0 / mass, inertia.recip(), [DVec3::ZERO; 2]);
        let part = Self { inverse_mass, inverse_inertia, world_inertia: DMat3::ZERO, at, turn, velocity, spin };
        part.turned(turn)
    }

    fn turned(self, turn: DQuat) -> Self {
        let axes = DMat3::from_quat(turn);
        Self { turn, world_inertia: axes * DMat3::from_diagonal(self.inverse_inertia) * axes.transpose(), ..self }
    }

    fn pose(&self) -> Result<Pose> {
        Pose::new(self.at.as_vec3(), self.turn.as_quat())
    }

    fn push(&mut self, impulse: DVec3, arm: DVec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.world_inertia * arm.cross(impulse);
    }

    /// As `tangency::response` sees it.
    fn body(&self) -> Result<Body> {
        let body = Body::new((1.0 / self.inverse_mass) as f32, self.velocity.as_vec3())?;
        body.turning(self.at.as_vec3(), self.world_inertia.as_mat3(), self.spin.as_vec3())
    }
}

/// A point of a contact, and the impulses there along the normal and two tangents.
struct Joint {
    pair: [usize; 2],
    key: (u32, u32, FeatureId),
    arms: [DVec3; 2],
    axes: [DVec3; 3],
    masses: [f64; 3],
    impulses: [f64; 3],
    /// How fast the bodies may close in here: to the depth that they may have.
    closing: f64,
}

type Impulses = HashMap<(u32, u32, FeatureId), [f64; 3]>;

impl Joint {
    fn new(parts: &mut [Part], manifold: &Manifold, point: &ContactPoint, before: &Impulses) -> Self {
        let (key, pair) = ((manifold.a(), manifold.b(), point.feature), [manifold.a() as usize, manifold.b() as usize]);
        let normal = manifold.normal().as_dvec3().normalize();
        let (u, v) = normal.any_orthonormal_pair();
        let arms = pair.map(|k| point.on_b.as_dvec3() - parts[k].at);
        let mobility = |axis: DVec3| -> f64 {
            let of = |side: usize| {
                let torque = arms[side].cross(axis);
                parts[pair[side]].inverse_mass + (parts[pair[side]].world_inertia * torque).dot(torque)
            };
            of(0) + of(1)
        };
        let axes = [normal, u, v];
        let impulses = before.get(&key).copied().unwrap_or_default();
        let closing = f64::from((SLOP - point.depth).max(0.0)) / STEP;
        let joint = Self { pair, key, arms, axes, masses: axes.map(|axis| 1.0 / mobility(axis)), impulses, closing };
        (0..3).for_each(|k| joint.apply(parts, axes[k] * impulses[k]));
        joint
    }

    /// Pushes the bodies apart, if the impulse is along the normal.
    fn apply(&self, parts: &mut [Part], impulse: DVec3) {
        parts[self.pair[0]].push(-impulse, self.arms[0]);
        parts[self.pair[1]].push(impulse, self.arms[1]);
    }

    /// Brings the relative velocity at the point to zero, as far as bodies do not pull and friction holds.
    fn solve(&mut self, parts: &mut [Part]) {
        for k in [1, 2, 0] {
            let velocity = |side: usize| {
                let part = &parts[self.pair[side]];
                part.velocity + part.spin.cross(self.arms[side])
            };
            let allowed = if k == 0 { self.closing } else { 0.0 };
            let excess = (velocity(1) - velocity(0)).dot(self.axes[k]) + allowed;
            let wanted = self.impulses[k] - excess * self.masses[k];
            let held = FRICTION * self.impulses[0];
            let sum = if k == 0 { wanted.max(0.0) } else { wanted.clamp(-held, held) };
            let change = sum - self.impulses[k];
            self.impulses[k] = sum;
            self.apply(parts, self.axes[k] * change);
        }
    }
}

/// The floor with a pen for the balls, then stacks of boxes, then balls.
fn scene() -> Result<(Bodies, Vec<Part>)> {
    let (mut bodies, mut parts) = (Bodies::new(), Vec::new());
    let fixed = |min: [f32; 3], max: [f32; 3]| Aabb::new(min, max).map(|shape| (shape, Traits::new().fixed(true)));
    let walls = [
        fixed([-20.0, -1.0, -20.0], [20.0, 0.0, 20.0])?,
        fixed([-3.0, 0.0, -3.0], [-2.0, 3.0, 3.0])?,
        fixed([2.0, 0.0, -3.0], [3.0, 3.0, 3.0])?,
        fixed([-2.0, 0.0, -3.0], [2.0, 3.0, -2.0])?,
        fixed([-2.0, 0.0, 2.0], [2.0, 3.0, 3.0])?,
    ];
    bodies.extend_with(walls)?;
    parts.extend(walls.map(|_| Part::new(f64::INFINITY, DVec3::INFINITY, DVec3::ZERO, DQuat::IDENTITY)));
    for k in 0..STACKS * BOXES {
        let (stack, level) = (f64::from(k / BOXES), f64::from(k % BOXES));
        let half = dvec3(0.5 - 0.07 * level, 0.25, 0.6 - 0.08 * level);
        // Turned about the vertical, and a little askew, so that it lands on a corner.
        let turn = DQuat::from_xyzw(0.005 * stack, 0.03 * (level - stack / 2.0), 0.01 * level, 1.0).normalize();
        let at = dvec3(2.0 * stack - 8.0, 0.3 + 0.6 * level, 8.0);
        let mass = 1000.0 * 8.0 * half.element_product();
        let squares = half * half;
        let inertia = mass / 3.0 * (DVec3::splat(squares.element_sum()) - squares);
        bodies.push(Obb::new(at.as_vec3(), half.as_vec3(), turn.as_quat())?)?;
        parts.push(Part::new(mass, inertia, at, turn));
    }
    for k in 0..BALLS {
        let [x, y, z] = [k % 3, k / 9, k / 3 % 3].map(f64::from);
        // Not one above the other.
        let at = dvec3(1.1 * x - 1.1 + 0.13 * y, 1.0 + 1.2 * y, 1.1 * z - 1.1 + 0.17 * y);
        let mass = 1000.0 * 4.19 * 0.125;
        bodies.push(Sphere::new(at.as_vec3(), 0.5)?)?;
        parts.push(Part::new(mass, DVec3::splat(0.4 * mass * 0.25), at, DQuat::IDENTITY));
    }
    Ok((bodies, parts))
}

/// New contacts bounce; then all are solved together, and what lies too deep is pushed apart.
fn step(parts: &mut [Part], contacts: &Contacts, before: &Contacts, impulses: &mut Impulses) -> Result<()> {
    for part in parts.iter_mut().filter(|part| part.inverse_mass > 0.0) {
        part.velocity += GRAVITY * STEP;
    }
    for manifold in contacts.manifolds().iter().filter(|new| before.get(new.a(), new.b()).is_none()) {
        let pair = [manifold.a() as usize, manifold.b() as usize];
        let middle = manifold.points().map(|point| point.on_b).sum::<Vec3>() / manifold.points().len() as f32;
        let [a, b] = [parts[pair[0]].body()?, parts[pair[1]].body()?];
        let closing = (a.velocity() - b.velocity()).dot(manifold.normal());
        let restitution = if closing > BOUNCES { RESTITUTION } else { 0.0 };
        let (a, b) = collide_at(&a, &b, middle, manifold.normal(), restitution);
        for (k, body) in pair.into_iter().zip([a, b]) {
            (parts[k].velocity, parts[k].spin) = (body.velocity().as_dvec3(), body.angular_velocity().as_dvec3());
        }
    }
    let mut joints = Vec::new();
    for manifold in contacts.manifolds() {
        joints.extend(manifold.points().map(|point| Joint::new(parts, manifold, &point, impulses)));
    }
    for _ in 0..ITERATIONS {
        for joint in &mut joints {
            joint.solve(parts);
        }
    }
    *impulses = joints.iter().map(|joint| (joint.key, joint.impulses)).collect();
    for part in parts.iter_mut() {
        part.spin *= ROLLING;
        part.at += part.velocity * STEP;
        let turned = DQuat::from_vec4((part.spin * (0.5 * STEP)).extend(0.0)) * part.turn;
        *part = part.turned((part.turn + turned).normalize());
    }
    for manifold in contacts.manifolds() {
        let pair = [manifold.a() as usize, manifold.b() as usize];
        let [a, b] = [parts[pair[0]].body()?, parts[pair[1]].body()?];
        let (a, b) = positional_correction(&a, &b, manifold.normal(), CORRECTION * (manifold.depth() - SLOP));
        parts[pair[0]].at += a.as_dvec3();
        parts[pair[1]].at += b.as_dvec3();
    }
    Ok(())
}

/// Runs all steps and checks how they end; a hash of all contacts and of the last poses.
fn fingerprint(engine: &Engine, steps: usize) -> Result<u64> {
    let (mut bodies, mut parts) = scene()?;
    let first = parts.iter().filter(|part| part.inverse_mass == 0.0).count();
    let (mut contacts, mut before, mut impulses) = (Contacts::new(), Contacts::new(), Impulses::new());
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
    // Each box with what it stands on: the floor, or the box below; and for how many steps all of them have had the same four points.
    let below = |k: u32| if k.is_multiple_of(BOXES) { 0 } else { first as u32 + k - 1 };
    let features = |contacts: &Contacts, k: u32| -> Vec<FeatureId> {
        let manifold = contacts.get(below(k), first as u32 + k);
        manifold.map_or_else(Vec::new, |manifold| manifold.points().map(|point| point.feature).collect())
    };
    let mut steady = 0;
    for _ in 0..steps {
        engine.contacts(&bodies).run_into(&mut contacts)?;
        add(contacts.fingerprint());
        let same = |k| features(&contacts, k).len() == 4 && features(&contacts, k) == features(&before, k);
        steady = if (0..STACKS * BOXES).all(same) { steady + 1 } else { 0 };
        step(&mut parts, &contacts, &before, &mut impulses)?;
        let poses = parts[first..].iter().map(Part::pose).collect::<Result<Vec<_>>>()?;
        bodies.set_poses(first as u32, &poses)?;
        std::mem::swap(&mut contacts, &mut before);
    }
    for part in &parts[first..] {
        part.at.to_array().iter().chain(&part.turn.to_array()).for_each(|number| add(number.to_bits()));
    }

    // All that fell is at rest, nothing sank in, and the stacks have long stood on the same four points each.
    let fastest = parts.iter().map(|part| part.velocity.length().max(part.spin.length())).fold(0.0, f64::max);
    let deepest = before.manifolds().iter().map(Manifold::depth).fold(0.0, f32::max);
    let lowest = parts[first..].iter().map(|part| part.at.y).fold(f64::INFINITY, f64::min);
    println!(
        "  {} contacts, {:.1} mm deep at most; nothing is faster than {fastest:.0e} m/s or rad/s",
        before.len(),
        1000.0 * deepest
    );
    println!("  {} boxes have stood on the same four points for {steady} of {steps} steps", STACKS * BOXES);
    if steps < STEPS {
        return Ok(hash);
    }
    assert!(fastest < AT_REST, "something still moves: {fastest}");
    assert!(deepest < 1.1 * SLOP && lowest > 0.2, "something sank in: {deepest} deep, {lowest} above the floor");
    assert!(steady >= RESTING, "points of stacks changed {steady} steps before the end");
    Ok(hash)
}

fn main() -> Result<()> {
    let mut engines = vec![("cpu".to_owned(), Engine::builder().backend(BackendKind::Cpu).build()?)];
    for adapter in tangency::adapters().into_iter().filter(|adapter| adapter.compute) {
        let engine = Engine::builder().backend(BackendKind::Gpu).adapter(adapter.index).build()?;
        engines.push((format!("{}:{}", adapter.backend, adapter.name), engine));
    }
    let steps = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(STEPS);
    let mut found = Vec::new();
    for (name, engine) in &engines {
        println!("{name}");
        let fingerprint = fingerprint(engine, steps)?;
        println!("  fingerprint {fingerprint:#018x}");
        found.push(fingerprint);
    }
    assert!(found.iter().all(|fingerprint| *fingerprint == found[0]), "the backends differ");
    match found.len() {
        1 => println!("NOT COMPARED: this machine has no adapter"),
        backends => println!("the same on {backends} backends"),
    }
    Ok(())
}
