//! What deterministic arithmetic says of two bodies and a margin, against integers.

use super::clearance::{clearance, clearance_of, rounded_down};
use super::of_points::Pairs;
use super::{ERROR, Pair, Verdict, hull};
use crate::Relation;
use crate::exact::{Margin, within};
use crate::lanes::{Width, on_either_neighbour};
use crate::manifold::Frame;
use crate::query::{closest_point, closest_points};
use crate::scenes::random;
use crate::shape::kinds::{BodyShape, Kind, encode};
use crate::shape::{Obb, Shape, Sphere};

fn frame(shape: &BodyShape<'_>) -> Frame {
    let (kind, record) = encode(shape);
    Frame::of(kind, &record)
}

/// The distance in `f64`, rounded.
fn distance(a: &BodyShape<'_>, b: &BodyShape<'_>) -> f32 {
    closest_points(&Shape::from(*a), &Shape::from(*b)).map_or(0.0, |found| found.distance)
}

/// The sum of all lengths of a pair.
fn lengths(a: &BodyShape<'_>, b: &BodyShape<'_>) -> f32 {
    let (a, b) = (a.aabb(), b.aabb());
    let sum = |v: glam::Vec3| v.x + v.y + v.z;
    let apart = (a.min() / 2.0 + a.max() / 2.0) - (b.min() / 2.0 + b.max() / 2.0);
    sum(apart.abs()) + 2.0 * (sum(a.max() - a.min()) + sum(b.max() - b.min()))
}

#[derive(Default)]
struct Tally {
    misses: usize,
    hits: usize,
    open: usize,
    outside: usize,
}

/// Looks at a pair, both ways round, and counts what was said.
fn look(a: &BodyShape<'_>, b: &BodyShape<'_>, margin: f32, tally: &mut Tally) {
    if margin == 0.0 {
        return;
    }
    look_with(a, b, Margin([margin, 0.0, 0.0]), tally);
    // At times most of it by the bodies' own margins, whose sum is not one `f32`.
    if (tally.misses + tally.hits + tally.open).is_multiple_of(10) {
        look_with(a, b, Margin([margin / 16.0, margin / 3.0, margin * 0.6]), tally);
    }
}

fn look_with(a: &BodyShape<'_>, b: &BodyShape<'_>, margin: Margin, tally: &mut Tally) {
    let exact = within(a, b, margin);
    assert_eq!(within(b, a, margin), exact, "{a:?} {b:?} {margin:?}");
    for (first, second) in [(a, b), (b, a)] {
        let [distance, m, n] = margin.0;
        let pair = Pair::of(&frame(first).with_margin(m), &frame(second).with_margin(n), distance);
        let verdict = pair.map(|pair| pair.verdict());
        let (count, right) = match verdict {
            Some(Verdict::Miss) => (&mut tally.misses, exact == Relation::Separate),
            Some(Verdict::Hit) => (&mut tally.hits, exact == Relation::Overlapping),
            Some(Verdict::Open) => (&mut tally.open, true),
            None => (&mut tally.outside, true),
        };
        *count += 1;
        assert!(right, "{first:?} and {second:?}, {margin:?}: {verdict:?}, but they are {exact:?}");
        // Also on devices that round otherwise.
        let seed = (tally.misses + tally.hits + tally.open) as u64;
        let wild = on_either_neighbour(seed, || {
            super::verdict(&frame(first).with_margin(m), &frame(second).with_margin(n), distance)
        });
        let right = match wild {
            Some(Verdict::Miss) => exact == Relation::Separate,
            Some(Verdict::Hit) => exact == Relation::Overlapping,
            Some(Verdict::Open) | None => true,
        };
        assert!(right, "{first:?} and {second:?}, {margin:?}: rounded otherwise {wild:?}, but they are {exact:?}");
    }
}

fn many() -> u64 {
    if std::env::var("TANGENCY_TEST_LONG").is_ok_and(|long| long == "1") { 4000 } else { 150 }
}

/// Bodies of every kind, and margins from far below their distance to far above, and within some units in the last place of it.
#[test]
fn certain_verdicts_are_those_of_integers() {
    let (mut plain, mut close) = (Tally::default(), Tally::default());
    for seed in 0..many() {
        let bodies = random(seed, 40).expect("a scene");
        for i in 0..bodies.id_bound() {
            for j in i + 1..bodies.id_bound().min(i + 3) {
                let (a, b) = (bodies.get(i), bodies.get(j));
                let apart = distance(&a, &b);
                for factor in [0.25, 0.9, 1.1, 8.0] {
                    let margin = apart * factor;
                    // Where the difference is well above the errors.
                    let clear = (margin - apart).abs() > 8.0 * ERROR * (lengths(&a, &b) + margin);
                    look(&a, &b, margin, if clear { &mut plain } else { &mut close });
                }
                for margin in [apart, apart.next_up(), apart.next_down().max(0.0), apart * (1.0 + 1e-6)] {
                    look(&a, &b, margin, &mut close);
                }
            }
        }
    }
    let Tally { misses, hits, open, outside } = plain;
    println!(
        "margins that are clearly not the distance: {misses} misses, {hits} hits, {open} open, {outside} outside the domain"
    );
    assert!(misses > 1000 && hits > 1000, "{misses} {hits}");
    assert!(open * 1000 < misses + hits, "{open} of {misses} and {hits}");
    assert!(close.open > 1000, "{}", close.open);
}

/// Points are bodies without size: the margin alone says what is near.
#[test]
fn points_are_in_the_domain() {
    let mut tally = Tally::default();
    let point = |x: f32, y: f32| BodyShape::from(Sphere::new([x, y, 0.5], 0.0).expect("a point"));
    let flat = BodyShape::from(Obb::new([1.0, 2.0, 3.0], [0.0; 3], glam::Quat::IDENTITY).expect("a box"));
    for margin in [1e-3, 1.0, 4.9, 5.1, 1e6] {
        look(&point(0.0, 0.0), &point(3.0, 4.0), margin, &mut tally);
        look(&point(0.0, 0.0), &flat, margin, &mut tally);
    }
    assert_eq!((tally.open, tally.outside), (0, 0));
}

/// How far below the exact distance what was found is, and how far off the points are, in units of 2⁻²⁴ of all lengths.
fn shortfall(a: &BodyShape<'_>, b: &BodyShape<'_>) -> Option<[f64; 2]> {
    let frames = [frame(a), frame(b)];
    let found = if frames.iter().any(Frame::is_hull) {
        hull::clearance(&hull::Body::of(&frames[0], a), &hull::Body::of(&frames[1], b))?
    } else {
        clearance(&frames[0], &frames[1])?
    };
    let exact = rounded_down(a, b);
    assert!(found.distance() <= exact, "{a:?} and {b:?}: {} is more than {exact}", found.distance());
    let lengths = f64::from(lengths(a, b));
    // The points are of the bodies, and so far apart, but for the rounding of their coordinates.
    let largest = found.on_a().abs().max(found.on_b().abs()).max_element();
    let rounding = 4.0 * f64::from(largest) / f64::from(1 << 24);
    let apart = (found.on_a().as_dvec3() - found.on_b().as_dvec3()).length();
    let mut off = (apart - f64::from(exact)).abs();
    for (shape, point) in [(a, found.on_a()), (b, found.on_b())] {
        off = off.max(closest_point(&Shape::from(*shape), point).expect("a body").distance.into());
    }
    let short = f64::from(exact) - f64::from(found.distance());
    Some([short, (off - rounding).max(0.0)].map(|x| x / lengths * f64::from(1 << 24)))
}

#[test]
fn distances_are_never_more_than_the_true_ones() {
    let (mut worst, mut sum, mut count, mut outside, mut points) = (0.0_f64, 0.0, 0, 0, Vec::new());
    for seed in 0..many() / 2 {
        let bodies = random(seed, 40).expect("a scene");
        for i in 0..bodies.id_bound() {
            for j in i + 1..bodies.id_bound().min(i + 3) {
                let (a, b) = (bodies.get(i), bodies.get(j));
                for (first, second) in [(a, b), (b, a)] {
                    let Some([short, off]) = shortfall(&first, &second) else {
                        outside += 1;
                        assert!(clearance_of(&first, &second).distance() == rounded_down(&first, &second));
                        continue;
                    };
                    worst = worst.max(short);
                    sum += short;
                    count += 1;
                    points.push(off);
                }
            }
        }
    }
    println!(
        "{count} distances are {:.2} units too small, at most {worst:.1}; {outside} outside the domain",
        sum / f64::from(count)
    );
    points.sort_unstable_by(f64::total_cmp);
    let off = |share: usize| points[points.len() - 1 - points.len() / share];
    let [most, few, least] = [2, 100, 1000].map(off);
    println!("points are off by {most:.1} units at the median, one in 100 by {few:.1}, one in 1000 by {least:.1}");
    assert!(most < 4.0 && few < 64.0, "points are off by {most} and {few} units");
    assert!(count > 1500 && outside < count / 5);
    assert!(worst < 160.0 && sum / f64::from(count) < 0.1, "as it is documented: {worst}");
}

/// Parallel faces, edges and corners at all gaps: where the search is rough.
#[test]
fn distances_of_boxes_that_nearly_touch_are_good() {
    let turn = glam::Quat::from_xyzw(0.1, 0.5, -0.3, 0.7).normalize();
    let half = glam::Vec3::new(1.0, 0.75, 0.5);
    for exponent in 1..20 {
        let gap = 0.5_f32.powi(exponent);
        for towards in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.3, 0.0, 1.0], [1.0, 1.0, 1.0]] {
            let towards = glam::Vec3::from(towards);
            // By face, by edge or by corner, with the same rotation and with another.
            let apart = 2.0 * half * towards.signum() * towards.abs().ceil() + gap * towards;
            for other in [turn, turn * glam::Quat::from_rotation_x(0.7), turn * glam::Quat::from_rotation_y(1e-4)] {
                let a = BodyShape::from(Obb::new([0.5, -0.25, 0.125], half, turn).expect("a box"));
                let center = glam::Vec3::new(0.5, -0.25, 0.125) + turn * apart;
                let b = BodyShape::from(Obb::new(center, half, other).expect("a box"));
                for (first, second) in [(&a, &b), (&b, &a)] {
                    let [short, off] = shortfall(first, second).expect("it is in the domain");
                    assert!(short < 16.0 && off < 160.0, "{first:?} and {second:?}: {short}, {off}");
                }
            }
        }
    }
}

/// Hulls at one place that is far beyond their size, with corners that are apart: scaled to their size, the place would be beyond all numbers.
#[test]
fn distances_of_hulls_far_from_the_origin() {
    use crate::shape::{ConvexHull, Pose};
    for (size, place) in [(1.0_f32, 3.0_f32), (1.0, 1e9), (1.0, 1e25), (1e-17, 1e20), (1e-17, 1e30)] {
        let cube = |x: f32| {
            let corners = (0..8).map(|k| [x + (k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32].map(|x| x * size));
            let pose = Pose::new([place, 0.0, -place], glam::Quat::IDENTITY).expect("a pose");
            ConvexHull::from_points(corners).expect("corners").with_pose(pose)
        };
        let (a, b) = (cube(0.0), cube(4.0));
        let found = clearance_of(&a.as_placed().into(), &b.as_placed().into());
        let distance = found.distance();
        assert!(distance <= 3.0 * size && distance > 2.999 * size, "{size} at {place}: {distance}");
    }
}

/// Side by side, points are as far from oriented boxes as one by one, bit for bit.
#[test]
fn every_width_has_the_distances_of_single_points() {
    let (mut pairs, mut shapes) = (Vec::new(), Vec::new());
    for seed in 0..60 {
        let bodies = random(seed, 60).expect("a scene");
        for id in (0..bodies.id_bound()).filter(|id| bodies.kind(*id) == Kind::Obb) {
            let BodyShape::Obb(obb) = bodies.get(id) else { continue };
            let (center, half) = (obb.center(), obb.half_extents());
            for k in 0..60_u32 {
                // Inside, on faces, edges and corners, next to these, and far away.
                let share = |turn: u32| ((k * turn % 9) as f32 - 4.0) / [2.0, 3.0, 4.0, 0.01][(k % 4) as usize];
                let local = half * glam::Vec3::new(share(1), share(2), share(5));
                let place = center + obb.rotation() * local;
                let place = if k % 10 == 9 { bodies.get(k as usize % bodies.id_bound()).aabb().min() } else { place };
                if place.is_finite() {
                    pairs.push((place.to_array(), bodies.records()[id]));
                    shapes.push(obb);
                }
            }
        }
    }
    let asked: Vec<_> = pairs.iter().map(|(point, record)| (*point, record)).collect();
    for width in Width::all().into_iter().chain([Width::ONE]) {
        let (mut known, mut unknown, mut apart) = (0, 0, 0);
        for ((found, (point, _)), obb) in width.run(Pairs(&asked)).into_iter().zip(&pairs).zip(&shapes) {
            let Some((distance, place)) = found else {
                unknown += 1;
                continue;
            };
            let ball = BodyShape::from(Sphere::new(*point, 0.0).expect("a point"));
            let expected = clearance(&frame(&ball), &frame(&BodyShape::Obb(*obb))).expect("it is in the domain");
            let bits = |distance: f32, place: glam::Vec3| (distance.to_bits(), place.to_array().map(f32::to_bits));
            assert_eq!(
                bits(distance, place),
                bits(expected.distance(), expected.on_b()),
                "{width:?} {point:?} {obb:?}"
            );
            known += 1;
            apart += usize::from(distance > 0.0);
        }
        println!("{width:?}: {known}, of which {apart} apart, and {unknown} for single ones");
        assert!(known > 5000 && apart > known / 4 && unknown < known, "{known} {apart} {unknown}");
    }
}
