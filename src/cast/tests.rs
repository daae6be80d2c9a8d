//! What the filters and double words say of a ray and a body, against integers; and that times are where searches expect them.

use super::hull::{self, HullPlane};
use super::{RaysAndBoxes, Shot, Verdict, entries_into_boxes, entry, meeting, span};
use crate::exact::ray_shape;
use crate::filter::adversarial::{Wild, change_mode};
use crate::filter::{
    Cuboid, NODE_PAD, NODE_RATE, Path, Span, Spans, domain, ray_aabb, ray_capsule, ray_half_space, ray_obb, ray_sphere,
};
use crate::lanes::{Number, Task, Width};
use crate::scenes::{random, random_rays};
use crate::shape::kinds::{BodyShape, Kind, Record, encode};

/// The filter in an arithmetic of 24 bits.
fn span_in<F: Spans>(shot: &Shot, shape: &BodyShape<'_>) -> Option<Span<F>> {
    let path = Path {
        origin: shot.ray.origin().to_array().map(F::from_f32),
        direction: shot.direction.map(F::from_f32),
        limit: F::from_f32(shot.last),
    };
    match shape {
        _ if !shot.in_domain => None,
        BodyShape::Sphere(ball) => domain::sphere(ball).then(|| ray_sphere(&path, ball)),
        BodyShape::Aabb(aabb) => domain::aabb(aabb).then(|| ray_aabb(&path, aabb)),
        BodyShape::Obb(obb) => domain::obb(obb).then(|| {
            let axes = crate::filter::rotation(domain::scaled(obb.rotation_array()).map(F::from_f32));
            ray_obb(&path, &Cuboid { axes, ..Cuboid::new(obb) })
        }),
        BodyShape::Capsule(capsule) => domain::capsule(capsule).then(|| ray_capsule(&path, capsule)),
        BodyShape::ConvexHull(_) => None,
        BodyShape::Plane(plane) => {
            domain::plane(plane).then(|| ray_half_space(&path, plane, F::from_f32(super::shot::LATEST)))
        }
    }
}

/// A filter is right, and the time is in its interval.
fn check<F: Spans + Into<f64>>(found: Span<F>, meets: bool, time: f32, what: &str) {
    let time = f64::from(time);
    match found {
        Span::Miss => assert!(!meets, "{what}: a miss"),
        Span::Hit(first, last) => {
            assert!(meets, "{what}: a hit");
            assert!(first.into() <= time && time <= last.into(), "{what}: {time} is outside");
        }
        Span::Open(first) => assert!(!meets || first.into() <= time, "{what}: {time} is too early"),
    }
}

impl From<Wild> for f64 {
    fn from(x: Wild) -> Self {
        x.0.into()
    }
}

/// When a ray enters bounds that are grown as those of nodes are, as the CPU computes it.
fn enter_bounds(shot: &Shot, shape: &BodyShape<'_>) -> Option<f32> {
    let (bounds, origin) = (shape.aabb(), shot.ray.origin());
    let (low, high) = (bounds.min() - origin, bounds.max() - origin);
    let reach = low.abs().max(high.abs()).max_element();
    let pad = reach * NODE_PAD;
    let part = |k: usize| {
        let inverse = 1.0 / shot.direction[k].abs().max(NODE_RATE);
        let (near, far) = if shot.direction[k] < 0.0 { (-high[k], -low[k]) } else { (low[k], high[k]) };
        ((near - pad) * inverse, (far + pad) * inverse)
    };
    let (x, y, z) = (part(0), part(1), part(2));
    let enter = x.0.max(y.0).max(z.0).max(0.0);
    (reach < 1e30 && reach > 1e-30).then_some(enter).filter(|enter| *enter <= x.1.min(y.1).min(z.1))
}

#[test]
fn what_is_certain_is_right() {
    let (mut verdicts, mut of_hulls, mut open_in_f32) = ([0; 3], [0; 3], 0);
    for seed in 0..60 {
        let bodies = random(seed, 40).expect("a scene");
        for (number, shot) in random_rays(&bodies, 40, seed).into_iter().enumerate() {
            let shot = Shot::new(&shot.ray, shot.until);
            for body in (0..bodies.id_bound()).filter(|body| bodies.contains(*body as u32)) {
                let shape = bodies.get(body);
                let what = format!("seed {seed}, ray {number}, {shot:?}, {shape:?}");
                let (meets, time) = (ray_shape(&shot.ray, shot.limit, &shape), entry(&shot, &shape));
                check(span(&shot, &shape), meets, time, &what);
                if let Some(found) = span_in::<f32>(&shot, &shape) {
                    open_in_f32 += usize::from(matches!(found, Span::Open(_)));
                    check(found, meets, time, &what);
                    change_mode();
                    check(span_in::<Wild>(&shot, &shape).expect("it is in the domain"), meets, time, &what);
                }
                let (kind, record) = encode(&shape);
                let found = match &shape {
                    BodyShape::ConvexHull(hull) => hull::meeting(&shot, &record, HullPlane::all(hull)),
                    _ => meeting(&shot, kind, &record),
                };
                match found.map(|found| found.verdict) {
                    Some(verdict) => {
                        verdicts[verdict as usize] += 1;
                        of_hulls[verdict as usize] += usize::from(kind == Kind::ConvexHull);
                        let right = verdict == Verdict::Open || meets == (verdict == Verdict::Hit);
                        assert!(right, "{what}: {verdict:?}");
                    }
                    None => continue,
                }
                if meets && shot.in_domain {
                    let enter = enter_bounds(&shot, &shape);
                    assert!(enter.is_none_or(|enter| enter <= time), "{what}: {enter:?}, not {time}");
                }
            }
        }
    }
    println!("misses, hits, open: {verdicts:?}, of hulls {of_hulls:?}; open in f32: {open_in_f32}");
    assert!(of_hulls[0] > 50 && of_hulls[1] > 50, "{of_hulls:?}");
    assert!(verdicts.iter().all(|count| *count > 50), "{verdicts:?}");
}

/// A hull of points on a ball.
fn round_hull(seed: u64, corners: u64) -> crate::shape::ConvexHull {
    use crate::hash::mix;
    let random = |k: u64| (mix(4096 * seed + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let vector = |k: u64| glam::Vec3::new(random(3 * k), random(3 * k + 1), random(3 * k + 2));
    let points = (0..corners).map(|k| vector(k).normalize_or(glam::Vec3::X));
    let turn = glam::Quat::from_vec4(vector(1000).extend(random(4000)));
    let pose = crate::shape::Pose::new(vector(1001), turn).expect("a pose");
    crate::shape::ConvexHull::from_points(points).expect("corners").with_pose(pose)
}

/// Rays at hulls with many faces, also next to their corners: few are for `f64` or the integers, and times are nearly those of `f64`.
#[test]
fn few_rays_at_hulls_are_open() {
    use crate::hash::mix;
    use crate::shape::Ray;
    use glam::Vec3;
    let mut tally = [[0; 4]; 2];
    for seed in 0..400 {
        let hull = round_hull(seed, [4, 8, 64, 200][seed as usize % 4]);
        let shape = BodyShape::from(hull.as_placed());
        let (_, record) = encode(&shape);
        for number in 0..40 {
            let random = |k: u64| (mix((seed << 32) + 16 * number + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
            let vector = |k: u64| Vec3::new(random(k), random(k + 1), random(k + 2));
            let is_near = number % 2 == 1;
            let corner = hull.vertices()[number as usize % hull.vertices().len()];
            let target = if is_near { corner + 1e-6 * vector(6) } else { 1.5 * vector(3) };
            let from = 3.0 * vector(0);
            let Ok(ray) = Ray::new(from, target - from) else { continue };
            let shot = Shot::new(&ray, if number % 5 == 0 { 1.0 } else { f32::INFINITY });
            let meets = ray_shape(&ray, shot.limit, &shape);
            let what = format!("{ray:?} {hull:?}");
            check(span(&shot, &shape), meets, entry(&shot, &shape), &what);
            let found = hull::meeting(&shot, &record, HullPlane::all(&hull.as_placed()));
            tally[usize::from(is_near)][found.map_or(3, |found| found.verdict as usize)] += 1;
            let Some(found) = found else { continue };
            assert!(found.verdict == Verdict::Open || meets == (found.verdict == Verdict::Hit), "{what}: {found:?}");
            if found.verdict == Verdict::Hit {
                let in_f64 = super::entry_in_f64(&shot, &shape);
                assert!((found.time - in_f64).abs() <= 1e-5 * in_f64.max(1.0), "{what}: {found:?}, not {in_f64}");
            }
        }
    }
    println!("misses, hits, open, along a face: {tally:?}");
    let [usual, _] = tally;
    assert!(usual[0] > 1000 && usual[1] > 1000 && 50 * (usual[2] + usual[3]) < usual[0] + usual[1], "{tally:?}");
}

/// Rays nearly along faces of hulls, next to edges: where a plane is left so slowly, rounding moves the time by most.
#[test]
fn rays_nearly_along_faces_of_hulls() {
    use crate::hash::mix;
    use crate::shape::Ray;
    use glam::DVec3;
    let mut tally = [0; 4];
    for seed in 0..300 {
        let hull = round_hull(seed, 12);
        let (shape, corners) = (BodyShape::from(hull.as_placed()), hull.vertices());
        let (_, record) = encode(&shape);
        for (number, face) in (0..).zip(hull.faces()) {
            let random = |k: u64| (mix((seed << 32) + 16 * number + k) >> 40) as f64 / f64::from(1 << 23) - 1.0;
            let [a, b, c] = face.map(|corner| corners[corner as usize].as_dvec3());
            let normal = (b - a).cross(c - a).normalize();
            let (along, inward) = ((b - a).normalize(), (c - (a + b) / 2.0).normalize());
            // From outside over the edge, nearly along the face, to which the ray comes nearer or from which it goes.
            let way = inward + along * random(0) + normal * random(1) * 0.5_f64.powi(8 + (number % 10) as i32);
            let edge: DVec3 = a + (b - a) * (0.5 + 0.4 * random(2)) + normal * random(3) * 1e-6;
            let Ok(ray) = Ray::new((edge - way * 2.0).as_vec3(), way.as_vec3()) else { continue };
            let shot = Shot::new(&ray, f32::INFINITY);
            let meets = ray_shape(&ray, shot.limit, &shape);
            check(span(&shot, &shape), meets, entry(&shot, &shape), &format!("{ray:?} {hull:?}"));
            let found = hull::meeting(&shot, &record, HullPlane::all(&hull.as_placed())).map(|found| found.verdict);
            tally[found.map_or(3, |verdict| verdict as usize)] += 1;
            let is_right = match found {
                Some(Verdict::Miss) => !meets,
                Some(Verdict::Hit) => meets,
                _ => true,
            };
            assert!(is_right, "{ray:?} {hull:?}: {found:?}");
        }
    }
    println!("misses, hits, open, along a face: {tally:?}");
    assert!(tally[..3].iter().all(|count| *count > 50), "{tally:?}");
}

/// Rays that pass by edges of boxes and by balls, as near as directions can be given.
#[test]
fn rays_that_graze() {
    use crate::hash::mix;
    use crate::shape::{Obb, Ray, Sphere};
    use glam::{Quat, Vec3};
    let mut open = 0;
    for number in 0..20_000_u64 {
        let random = |k: u64| (mix(32 * number + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let vector = |k: u64| Vec3::new(random(k), random(k + 1), random(k + 2));
        let turn = Quat::from_vec4(vector(0).extend(random(3))).normalize();
        let (center, half) = (8.0 * vector(4), 0.25 + vector(7).abs());
        let obb = Obb::new(center, half, turn).expect("a box");
        let ball = Sphere::new(center, half.x).expect("a ball");
        // A point of an edge, and one of a great circle that the ray touches there.
        let axis = (number % 3) as usize;
        let sides = Vec3::new(random(10), random(11), random(12)).signum();
        let mut on_edge = half * sides;
        on_edge[axis] = half[axis] * random(13);
        let from = center + 4.0 * vector(14);
        let across = (center - from).cross(vector(17)).normalize_or(Vec3::X);
        let to_center = (center - from).length().max(2.0 * half.x);
        let sine = half.x / to_center;
        let tangent = (center - from).normalize_or(Vec3::Y) * (1.0 - sine * sine).sqrt() + across * sine;
        for (shape, way) in
            [(BodyShape::from(obb), center + turn * on_edge - from), (BodyShape::from(ball), tangent * to_center)]
        {
            let Ok(ray) = Ray::new(from, way) else { continue };
            let shot = Shot::new(&ray, f32::INFINITY);
            let what = format!("{ray:?} {shape:?}");
            let (meets, time) = (ray_shape(&shot.ray, shot.limit, &shape), entry(&shot, &shape));
            check(span(&shot, &shape), meets, time, &what);
            let found = span_in::<f32>(&shot, &shape).expect("it is in the domain");
            open += usize::from(matches!(found, Span::Open(_)));
            check(found, meets, time, &what);
            change_mode();
            check(span_in::<Wild>(&shot, &shape).expect("it is in the domain"), meets, time, &what);
        }
    }
    assert!(open > 10_000, "{open} are open");
}

/// Rays that touch a ball, from and to whole numbers: none of them misses it. And rays that end before they reach a body are certain to miss it.
#[test]
fn rays_that_touch_and_rays_that_end() {
    use crate::hash::mix;
    use crate::shape::{Aabb, Ray, Sphere};
    use glam::Vec3;
    for number in 0..20_000_u64 {
        let whole = |k: u64, bits: u32| (mix(16 * number + k) >> (64 - bits)) as f32 - (1 << (bits - 1)) as f32;
        // At right angles to (3, 4, 0), by five times k.
        let (k, m) = (whole(0, 19).abs() + 1.0, whole(1, 19));
        let center = Vec3::new(whole(2, 22), whole(3, 22), whole(4, 22));
        let from = center + k * Vec3::new(-4.0, 3.0, 0.0) - m.abs() * Vec3::new(3.0, 4.0, 0.0);
        let way = Vec3::new(3.0, 4.0, 0.0) * [1.0, 0.5, 3.0][number as usize % 3];
        let ball = BodyShape::from(Sphere::new(center, 5.0 * k).expect("a ball"));
        let shot = Shot::new(&Ray::new(from, way).expect("a ray"), f32::INFINITY);
        assert!(ray_shape(&shot.ray, shot.limit, &ball), "{shot:?} {ball:?}");
        let (kind, record) = encode(&ball);
        let found = meeting(&shot, kind, &record).map(|found| found.verdict);
        assert!(found != Some(Verdict::Miss), "{shot:?} {ball:?}");
    }
    let cube = BodyShape::from(Aabb::new([2.0, -1.0, -1.0], [4.0, 1.0, 1.0]).expect("a box"));
    let shot = Shot::new(&Ray::new([0.0; 3], [1.0, 0.0, 0.0]).expect("a ray"), 1.5);
    assert!(matches!(span_in::<f32>(&shot, &cube), Some(Span::Miss)));
    assert!(matches!(span(&shot, &cube), Span::Miss));
}

/// No hit is after the end of its ray: also where ends are a few of the smallest numbers, so that the time of a hit, rounded, is a later one.
#[test]
fn ends_among_the_smallest_numbers() {
    use crate::shape::{Ray, Sphere};
    use glam::Vec3;
    // The smallest number, and a direction of which it takes so long.
    let (smallest, unit) = (f32::from_bits(1), (1_u64 << 50) as f32);
    let mut rounded = 0;
    for (x, y, radius) in (0..1000).map(|k| (k % 10, k / 10 % 10, k / 100)) {
        let length = |whole: u16| f32::from(whole) * smallest;
        let ball = BodyShape::from(Sphere::new([length(x), length(y), 0.0], length(radius)).expect("a ball"));
        for quarters in 0..40_u8 {
            let limit = f32::from(quarters) / 4.0 * (unit * smallest);
            let ray = Ray::new(Vec3::ZERO, [1.0 / unit, 0.0, 0.0]).expect("a ray");
            let shot = Shot::new(&ray, limit);
            if ray_shape(&ray, limit, &ball) {
                let scaled = entry(&shot, &ball);
                let time = shot.time(scaled);
                assert!(time <= limit, "{time} is after {limit}: {ball:?}");
                rounded += usize::from(scaled * unit > limit);
            }
        }
    }
    assert!(rounded > 10, "{rounded} were rounded");
}

/// Rays that rise from a place that is on the border of a half-space, or above or below it by 2⁻⁴⁶ of the numbers that say so.
#[test]
fn places_next_to_a_border() {
    use crate::hash::mix;
    use crate::shape::{Plane, Ray};
    let mut verdicts = [0; 3];
    for number in 0..40_000_u64 {
        // Whole numbers of 23 bits.
        let whole = |k: u64| (mix(8 * number + k) >> 41).cast_signed() - (1 << 22);
        let [a, b, x, y] = [0, 1, 2, 3].map(|k| 2 * whole(k) + 1);
        let above = number.cast_signed() % 7 - 3;
        // The last coordinate, so that a·x + b·y + z is so much above a multiple of 2²⁴.
        let z = (above - a * x - b * y + (1 << 23)).rem_euclid(1 << 24) - (1 << 23);
        let offset = a * x + b * y + z - above;
        let plane = Plane::new([a as f32, b as f32, 1.0], offset as f32).expect("a plane");
        assert!(offset as f32 as i64 == offset && z as f32 as i64 == z);
        let ray = Ray::new([x as f32, y as f32, z as f32], [0.0, 0.0, 1.0]).expect("a ray");
        let (shot, shape) = (Shot::new(&ray, f32::INFINITY), BodyShape::from(plane));
        let meets = ray_shape(&shot.ray, shot.limit, &shape);
        assert_eq!(meets, above <= 0, "{ray:?} {plane:?}");
        let (kind, record) = encode(&shape);
        let Some(found) = meeting(&shot, kind, &record) else { continue };
        verdicts[found.verdict as usize] += 1;
        let right = found.verdict == Verdict::Open || meets == (found.verdict == Verdict::Hit);
        assert!(right, "{ray:?} {plane:?}: {:?}", found.verdict);
    }
    assert!(verdicts[Verdict::Open as usize] > 1000, "{verdicts:?}");
}

/// Times of simple numbers are those that one expects.
#[test]
fn simple_times_are_exact() {
    use crate::shape::{Aabb, Capsule, ConvexHull, Obb, Plane, Ray, Sphere};
    let turned = glam::Quat::from_xyzw(0.0, 0.0, 1.0, 0.0);
    let cube = Aabb::new([2.0, -1.0, -1.0], [4.0, 1.0, 1.0]).expect("valid");
    let hull = ConvexHull::from_points(cube.corners()).expect("valid");
    let shapes: [BodyShape<'_>; 6] = [
        hull.as_placed().into(),
        Sphere::new([3.0, 0.0, 0.0], 1.0).expect("valid").into(),
        Aabb::new([2.0, -1.0, -1.0], [4.0, 1.0, 1.0]).expect("valid").into(),
        Obb::new([3.0, 0.0, 0.0], [1.0, 1.0, 1.0], turned).expect("valid").into(),
        Capsule::new([3.0, -1.0, 0.0], [3.0, 2.0, 0.0], 1.0).expect("valid").into(),
        Capsule::new([2.5, 0.0, 0.0], [3.5, 0.0, 0.0], 0.5).expect("valid").into(),
    ];
    for shape in shapes {
        for (origin, way, time) in
            [(0.0, 1.0, 2.0), (0.0, 0.25, 8.0), (-1.0, 3.0, 1.0), (2.0, 1.0, 0.0), (3.5, -7.0, 0.0), (6.0, -0.5, 4.0)]
        {
            let shot = Shot::new(&Ray::new([origin, 0.0, 0.0], [way, 0.0, 0.0]).expect("a ray"), f32::INFINITY);
            assert_eq!(shot.time(entry(&shot, &shape)), time, "{shape:?} from {origin} by {way}");
        }
    }
    let wall = BodyShape::from(Plane::new([-2.0, 0.0, 0.0], -4.0).expect("a plane")); // x is at least 2
    for (origin, way, time) in [
        (0.0, [1.0, 0.0, 0.0], 2.0),
        (1.0, [4.0, 3.0, -8.0], 0.25),
        (2.0, [-1.0, 0.0, 1.0], 0.0),
        (7.0, [-3.0, 0.0, 0.0], 0.0),
    ] {
        let shot = Shot::new(&Ray::new([origin, 0.0, 5.0], way).expect("a ray"), f32::INFINITY);
        assert_eq!(shot.time(entry(&shot, &wall)), time, "from {origin} by {way:?}");
    }
}

struct Entries<'a>(&'a [(Shot, Record)]);

impl Task for Entries<'_> {
    type Output = Vec<Option<f32>>;
    #[inline(always)]
    fn run<T: Number>(self) -> Self::Output {
        let mut all = Vec::new();
        for some in self.0.chunks(T::LANES) {
            let of = |lane: usize| &some[lane.min(some.len() - 1)];
            let number = |k: usize| T::from_fn(|lane| of(lane).1[k]);
            let (time, inside) = entries_into_boxes(&RaysAndBoxes {
                origin: [0, 1, 2].map(|k| T::from_fn(|lane| of(lane).0.ray.origin()[k])),
                direction: [0, 1, 2].map(|k| T::from_fn(|lane| of(lane).0.direction[k])),
                last: T::from_fn(|lane| of(lane).0.last),
                records: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(number),
            });
            all.extend((0..some.len()).map(|lane| (inside >> lane & 1 == 1).then(|| time.lane(lane))));
        }
        all
    }
}

/// Side by side, rays enter oriented boxes when they do one by one, and all pairs in the domain are computed so.
#[test]
fn every_width_has_the_times_of_single_rays() {
    let (mut pairs, mut shapes) = (Vec::new(), Vec::new());
    for seed in 0..60 {
        let bodies = random(seed, 40).expect("a scene");
        for shot in random_rays(&bodies, 40, seed) {
            let shot = Shot::new(&shot.ray, shot.until);
            for body in (0..bodies.id_bound()).filter(|body| bodies.kind(*body) == Kind::Obb && shot.in_domain) {
                pairs.push((shot, bodies.records()[body]));
                let BodyShape::Obb(obb) = bodies.get(body) else { continue };
                shapes.push(obb);
            }
        }
    }
    for width in Width::all().into_iter().chain([Width::ONE]) {
        let (mut inside, mut outside) = (0, 0);
        for ((found, (shot, record)), obb) in width.run(Entries(&pairs)).into_iter().zip(&pairs).zip(&shapes) {
            let expected =
                super::in_domain(shot, Kind::Obb, record).then(|| super::boxes::time(shot, Kind::Obb, record));
            let (found, expected) = (found.map(f32::to_bits), expected.flatten().map(f32::to_bits));
            assert_eq!(found, expected, "{width:?}: {shot:?} {obb:?}");
            *if found.is_some() { &mut inside } else { &mut outside } += 1;
        }
        assert!(inside > 5000 && outside > 100, "{inside} {outside}");
    }
}

/// What `shaders/lib/entry_guess_doubles.wgsl` says in `f64` of when rays pass faces has the errors that are stated there, so that it knows how double words are
/// rounded.
#[test]
fn f64_tells_entries_of_double_words() {
    let (mut largest, mut times, mut known) = (0.0_f64, 0, 0);
    for seed in 0..400 {
        let bodies = random(seed, 40).expect("a scene");
        let boxes: Vec<usize> = (0..bodies.id_bound()).filter(|body| bodies.kind(*body) == Kind::Obb).collect();
        let shots = random_rays(&bodies, 40, seed);
        for (shot, &body) in shots.iter().flat_map(|shot| boxes.iter().map(move |body| (shot, body))) {
            let shot = Shot::new(&shot.ray, shot.until);
            let BodyShape::Obb(obb) = bodies.get(body) else { continue };
            let record = bodies.records()[body];
            if !shot.in_domain || !super::in_domain(&shot, Kind::Obb, &record) {
                continue;
            }
            let Some((entries, size)) = super::boxes::entries(&shot, &record) else { continue };
            let scale = f64::from(super::power(254 - size));
            let at = [0, 1, 2].map(|k| (f64::from(record[k]) - f64::from(shot.ray.origin()[k])) * scale);
            let axes = crate::filter::rotation(domain::scaled(obb.rotation_array()).map(f64::from));
            let (mut first, mut last) = (0.0_f64, 0.0_f64);
            for (k, entry) in entries.into_iter().enumerate() {
                let along = |v: [f64; 3]| (0..3).map(|j| axes[k][j] * v[j]).sum::<f64>();
                let (place, rate) = (along(at), along(shot.direction.map(f64::from)));
                let reach = f64::from(record[3 + k]) * scale + 0.5_f64.powi(38);
                let time = (if rate < 0.0 { -place } else { place } - reach) / rate.abs();
                let Some(entry) = entry else {
                    assert!(rate.abs() < 0.5_f64.powi(35), "{rate}");
                    continue;
                };
                assert!(rate.abs() > 0.5_f64.powi(37), "{rate}");
                if rate.abs() < 0.5_f64.powi(35) {
                    continue;
                }
                let error = (0.5_f64.powi(38) + time.abs() * 0.5_f64.powi(40)) / rate.abs();
                largest = largest.max((time - entry).abs() / error);
                (first, last) = (first.max(time - error), last.max(time + error));
            }
            times += 1;
            known += u32::from(first as f32 == last as f32);
        }
    }
    println!("entries in f64 and in double words: error/bound {largest:.3}; {known} of {times} are known");
    assert!(largest < 0.75 && times > 10_000, "{largest} of {times}");
    assert!(known * 10 > times * 8, "{known} of {times}");
}
