use glam::{DVec3, Quat, Vec3};

use super::{FINE, OF_HEIGHT, OF_VOLUME, Pair, Part, largest_sum_of, verdict};
use crate::det::{cross3, dot3, mul, rsqrt};
use crate::exact::Margin;
use crate::hash::mix;
use crate::lanes::on_either_neighbour;
use crate::near::Verdict;
use crate::query::relation_within;
use crate::scenes::random;
use crate::shape::kinds::{BodyShape, Record, encode};
use crate::shape::{ConvexHull, Pose};
use crate::{Bodies, Relation};

fn corners_of<'a>(shape: &BodyShape<'a>) -> &'a [Vec3] {
    if let BodyShape::ConvexHull(hull) = shape { hull.local_vertices() } else { &[] }
}

fn part<'a>(shape: &BodyShape<'_>, corners: &'a [Vec3]) -> Part<'a> {
    let (kind, record): (_, Record) = encode(shape);
    let radius = match shape {
        BodyShape::Sphere(ball) => ball.radius(),
        BodyShape::Capsule(capsule) => capsule.radius(),
        _ => 0.0,
    };
    let turn = [record[6], record[7], record[8], record[9]];
    Part {
        kind,
        place: [record[0], record[1], record[2]],
        second: [record[3], record[4], record[5]],
        radius,
        turn,
        corners,
        largest_sum: largest_sum_of(corners),
    }
}

/// What is found of two bodies of which the second is a hull. What is certain is right.
fn look(first: &BodyShape<'_>, hull: &BodyShape<'_>, margin: [f32; 3]) -> Verdict {
    let (first_part, hull_part) = (part(first, corners_of(first)), part(hull, corners_of(hull)));
    let found = verdict(&first_part, &hull_part, margin, true);
    let rough = verdict(&first_part, &hull_part, margin, false);
    assert!(rough == found || rough == Verdict::Open, "{rough:?}, and then {found:?}");
    let exact = relation_within(first, hull, Margin(margin));
    // Also on devices that round otherwise.
    let seed = mix(u64::from(margin[0].to_bits()) ^ u64::from(first_part.place[0].to_bits()) << 32);
    let wild = |precisely: bool| {
        on_either_neighbour(seed + u64::from(precisely), || verdict(&first_part, &hull_part, margin, precisely))
    };
    for found in [found, wild(false), wild(true)] {
        let right = match found {
            Verdict::Miss => exact == Relation::Separate,
            Verdict::Hit => exact == Relation::Overlapping,
            Verdict::Open => true,
        };
        assert!(right, "{found:?}, but {exact:?}: {first:?} {hull:?}, margins {margin:?}");
    }
    found
}

#[test]
fn certain_verdicts_on_random_scenes_are_right() {
    let mut tally = [0; 3];
    for seed in 0..400 {
        let bodies = random(seed, 30).expect("a scene");
        let shapes: Vec<BodyShape<'_>> = (0..bodies.id_bound()).map(|id| bodies.get(id)).collect();
        for hull in shapes.iter().filter(|shape| matches!(shape, BodyShape::ConvexHull(_))) {
            let size = hull.aabb().max().x - hull.aabb().min().x;
            for other in &shapes {
                for margin in [[0.0; 3], [size, 0.0, 0.0], [0.5 * size, size, 1.5 * size]] {
                    if size < 1e37 && !(matches!(other, BodyShape::ConvexHull(_)) && std::ptr::eq(other, hull)) {
                        tally[look(other, hull, margin) as usize] += 1;
                    }
                }
            }
        }
    }
    println!("misses, hits, open: {tally:?}");
    assert!(tally[0] > 1000 && tally[1] > 1000, "{tally:?}");
}

/// A hull of points on a ball, that is turned.
fn ball(seed: u64, corners: u64) -> ConvexHull {
    let random = |k: u64| (mix(seed * 4096 + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
    let vector = |k: u64| Vec3::new(random(3 * k), random(3 * k + 1), random(3 * k + 2));
    let hull = ConvexHull::from_points((0..corners).map(|k| vector(k).normalize_or(Vec3::X))).expect("corners");
    let turn = Quat::from_vec4(vector(1000).extend(random(4000)));
    hull.with_pose(Pose::new(Vec3::ZERO, turn).expect("a turn"))
}

/// Heights are off by less than their bound, in single and in double words.
#[test]
fn errors_are_within_their_bounds() {
    let (mut rough, mut volumes, mut fine) = (0.0_f64, 0.0_f64, 0.0_f64);
    for seed in 0..600 {
        let count = [4, 8, 64][(seed % 3) as usize];
        let boxes = seed % 4 == 0;
        let hull = |seed: u64| {
            let corner = |k: u64| {
                let v = ball(seed * 300 + k, 1).local_vertices()[0];
                // Far from the middle of their frame, where errors are largest.
                if boxes { Vec3::splat(0.999).copysign(v) } else { v }
            };
            let hull = ConvexHull::from_points((0..count).map(corner)).expect("corners");
            hull.with_pose(ball(seed, 4).pose())
        };
        let (a, b) = (hull(2 * seed), hull(2 * seed + 1));
        let random = |k: u64| (mix((seed << 32) + k) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        // (Also at one place, where only corners count.)
        let place = if seed % 2 == 0 { [0.0; 3] } else { [random(0), random(1), 2.0 * random(2)] };
        let b = b.with_pose(Pose::new(place, b.pose().rotation()).expect("a pose"));
        let shapes = [BodyShape::from(a.as_placed()), b.as_placed().into()];
        let corners = shapes.map(|shape| corners_of(&shape));
        let parts = [part(&shapes[0], corners[0]), part(&shapes[1], corners[1])];
        let pair = Pair::of(&parts[0], &parts[1], [0.0; 3]).expect("in the domain");
        for k in 3..40 {
            let direction = Vec3::new(random(3 * k), random(3 * k + 1), random(3 * k + 2));
            let n = direction.as_dvec3().normalize();
            let low = |hull: &ConvexHull, n: DVec3| hull.placed().map(|p| p.dot(n)).fold(f64::INFINITY, f64::min);
            let exact = (low(&a, n) + low(&b, -n)) * f64::from(pair.scale);
            // Rounded to nearest and otherwise; and the six-fold volume of this difference and two others.
            let corners = [2, 5, 7].map(|i| pair.support(Vec3::from([random(i + k), random(i * k), random(i)])).1);
            let height = |pair: &Pair<'_>| {
                let found = dot3(direction, pair.support(direction).0);
                let volume = corners.map(|at| pair.difference((at >> 8) as usize, (at & 255) as usize));
                (mul(found, rsqrt(dot3(direction, direction))), dot3(cross3(volume[0], volume[1]), volume[2]))
            };
            let largest_of = |corners: [DVec3; 3]| corners.iter().fold(0.0, |most, v| v.abs().max_element().max(most));
            let scale = f64::from(pair.scale);
            let placed: [Vec<DVec3>; 2] = [&a, &b].map(|hull| hull.placed().map(|p| p * scale).collect());
            let differences = corners.map(|at| placed[0][(at >> 8) as usize] - placed[1][(at & 255) as usize]);
            let exact_volume = differences[0].cross(differences[1]).dot(differences[2]);
            let largest = largest_of(differences);
            let bound = largest * largest * f64::from(OF_HEIGHT * pair.error + OF_VOLUME * largest as f32);
            let wild = |seed: u64| {
                on_either_neighbour(seed, || height(&Pair::of(&parts[0], &parts[1], [0.0; 3]).expect("in the domain")))
            };
            for (found, found_volume) in [height(&pair), wild(40 * seed + k), wild(40 * seed + k + 1)] {
                rough = rough.max((f64::from(found) - exact).abs() / f64::from(pair.error));
                volumes = volumes.max((f64::from(found_volume) - exact_volume).abs() / bound);
            }
            let precise = pair.at_least(direction);
            let precise = f64::from(precise.high) + f64::from(precise.low) + f64::from(FINE);
            fine = fine.max((precise - exact).abs() / f64::from(FINE));
        }
    }
    println!("errors in parts of their bounds: heights {rough:.3}, volumes {volumes:.3}, in double words {fine:.6}");
    assert!(rough < 1.0 && volumes < 1.0 && fine < 1.0 && rough > 0.01 && volumes > 0.01, "{rough} {volumes} {fine}");
}

/// Hulls with gaps within 10⁻³ of their size, either way: few of them are open.
#[test]
fn few_hulls_that_nearly_touch_are_open() {
    let count = if std::env::var_os("TANGENCY_TEST_LONG").is_some_and(|long| long == "1") { 20_000 } else { 600 };
    let mut tally = [0_u64; 3];
    for seed in 0..count {
        let (a, b) = (ball(2 * seed, 64), ball(2 * seed + 1, 64));
        let random = |k: u64| (mix((seed << 32) + k) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
        let way = DVec3::new(random(0), random(1), random(2)).normalize();
        let at = |far: f64| b.placed_at(Pose::new((way * far).as_vec3(), b.pose().rotation()).expect("a pose"));
        let meet = |far: f64| relation_within(&a.as_placed().into(), &at(far).into(), Margin::default());
        let (mut near, mut far) = (0.0, 4.0);
        for _ in 0..30 {
            let middle = f64::midpoint(near, far);
            *(if meet(middle) == Relation::Separate { &mut far } else { &mut near }) = middle;
        }
        let gap = 2e-3 * random(3);
        tally[look(&a.as_placed().into(), &at(far + gap).into(), [0.0; 3]) as usize] += 1;
        // So near that single words cannot tell: what is certain must still be right.
        for nearer in [1e-2, 1e-3, 1e-4] {
            look(&a.as_placed().into(), &at(far + gap * nearer).into(), [0.0; 3]);
        }
    }
    println!("misses, hits, open: {tally:?}");
    assert!(tally[2] * 200 <= count, "{tally:?}");
    assert!(tally[0].min(tally[1]) > 100, "{tally:?}");
}

#[test]
fn simple_pairs_are_decided() {
    let cube = |x: f32| {
        let corners = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2].map(|bit| bit as f32));
        let hull = ConvexHull::from_points(corners).expect("a cube");
        hull.with_pose(Pose::at([x, 0.25 * x, 0.125 * x]).expect("a place"))
    };
    let mut bodies = Bodies::new();
    bodies.extend([cube(0.0), cube(0.5), cube(1.0), cube(1.25), cube(1e6)]).expect("hulls");
    let found: Vec<Verdict> = (1..5).map(|k| look(&bodies.get(0), &bodies.get(k), [0.0; 3])).collect();
    assert_eq!(found, [Verdict::Hit, Verdict::Open, Verdict::Miss, Verdict::Miss]);
    assert_eq!(look(&bodies.get(0), &bodies.get(3), [0.5, 0.0, 0.0]), Verdict::Hit);
}
