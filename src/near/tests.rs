//! What deterministic arithmetic says of two bodies and a margin, against integers.

use super::{ERROR, Pair, Verdict};
use crate::Relation;
use crate::exact::{Margin, within};
use crate::manifold::Frame;
use crate::query::closest_points;
use crate::scenes::random;
use crate::shape::kinds::{BodyShape, encode};
use crate::shape::{Obb, Shape, Sphere};

fn frame(shape: &BodyShape) -> Frame {
    let (kind, record) = encode(shape);
    Frame::of(kind, &record)
}

/// The distance in `f64`, rounded.
fn distance(a: &BodyShape, b: &BodyShape) -> f32 {
    closest_points(&Shape::from(*a), &Shape::from(*b)).map_or(0.0, |found| found.distance)
}

/// The sum of all lengths of a pair.
fn lengths(a: &BodyShape, b: &BodyShape) -> f32 {
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
fn look(a: &BodyShape, b: &BodyShape, margin: f32, tally: &mut Tally) {
    let margin = Margin([margin, 0.0, 0.0]);
    if margin.is_zero() {
        return;
    }
    let exact = within(a, b, margin);
    assert_eq!(within(b, a, margin), exact, "{a:?} {b:?} {margin:?}");
    for (first, second) in [(a, b), (b, a)] {
        let verdict = Pair::of(&frame(first), &frame(second), margin).map(|pair| pair.verdict());
        let (count, right) = match verdict {
            Some(Verdict::Miss) => (&mut tally.misses, exact == Relation::Separate),
            Some(Verdict::Hit) => (&mut tally.hits, exact == Relation::Overlapping),
            Some(Verdict::Open) => (&mut tally.open, true),
            None => (&mut tally.outside, true),
        };
        *count += 1;
        assert!(right, "{first:?} and {second:?}, {margin:?}: {verdict:?}, but they are {exact:?}");
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
