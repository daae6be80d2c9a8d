//! Bodies that the caller's shaders write.

use tangency::glam::Quat;
use tangency::scenes::random;
use tangency::shape::{Aabb, Capsule, Obb, Plane, Pose, Shape, Sphere};
use tangency::{Bodies, BodySource, RecordOptions, Relation, Traits};

use crate::host::{cpu, listed, shared_device};

/// What a shader might have written of a shape: position, rotation, extents.
pub(super) fn numbers(shape: &Shape) -> [f32; 12] {
    let mut numbers = [0.0; 12];
    match shape {
        Shape::Sphere(ball) => {
            numbers[..3].copy_from_slice(&ball.center().to_array());
            numbers[8] = ball.radius();
        }
        Shape::Aabb(aabb) => {
            numbers[..3].copy_from_slice(&aabb.min().to_array());
            numbers[8..11].copy_from_slice(&aabb.max().to_array());
        }
        Shape::Obb(obb) => {
            numbers[..3].copy_from_slice(&obb.center().to_array());
            numbers[4..8].copy_from_slice(&obb.rotation().to_array());
            numbers[8..11].copy_from_slice(&obb.half_extents().to_array());
        }
        // (Its radius is that of the body as it is known.)
        Shape::Capsule(capsule) => {
            numbers[..3].copy_from_slice(&capsule.a().to_array());
            numbers[8..11].copy_from_slice(&capsule.b().to_array());
        }
        Shape::Plane(plane) => {
            numbers[..3].copy_from_slice(&plane.normal().to_array());
            numbers[8] = plane.offset();
        }
        // (Its form is that of the body as it is known, whatever the extents are.)
        Shape::ConvexHull(hull) => {
            numbers[..3].copy_from_slice(&hull.pose().position().to_vec3().to_array());
            numbers[4..8].copy_from_slice(&hull.pose().rotation().to_array());
            numbers[8..11].copy_from_slice(&[-1.0, f32::NAN, 0.5]);
        }
        _ => panic!("no such body"),
    }
    numbers
}

/// The same bodies with the same kinds and traits elsewhere, and what a shader might have written of where they are.
pub(super) fn elsewhere(real: &Bodies) -> (Bodies, Vec<[f32; 12]>) {
    let mut known = real.clone();
    for id in 0..real.id_bound() as u32 {
        if !real.contains(id) {
            continue;
        }
        let shape = match real.shape(id).unwrap() {
            Shape::Sphere(_) => Shape::from(Sphere::new([9.0; 3], 0.5).unwrap()),
            Shape::Aabb(_) => Aabb::new([1.0; 3], [2.0; 3]).unwrap().into(),
            Shape::Capsule(capsule) => Capsule::new([7.0; 3], [8.0; 3], capsule.radius()).unwrap().into(),
            Shape::Plane(_) => Plane::new([0.0, 1.0, 0.0], -9.0).unwrap().into(),
            Shape::ConvexHull(hull) => {
                hull.with_pose(Pose::new([-4.0, 5.0, 2.0], Quat::from_xyzw(0.5, -1.0, 0.0, 0.25)).unwrap()).into()
            }
            _ => Obb::new([3.0; 3], [1.0; 3], Quat::IDENTITY).unwrap().into(),
        };
        known.set_shape(id, shape).unwrap();
    }
    let written = (0..real.id_bound() as u32)
        .map(|id| if real.contains(id) { numbers(&real.shape(id).unwrap()) } else { numbers(&known_ball()) })
        .collect();
    (known, written)
}

/// Bodies that live on the device: what the host has of them is somewhere else entirely.
#[test]
fn bodies_that_shaders_write_have_the_pairs_of_where_they_are() {
    let Some(device) = shared_device() else { return };
    for (seed, count) in [(1, 700), (2, 60), (3, 1500)] {
        let real = random(900 + seed, count).unwrap();
        let (known, written) = elsewhere(&real);
        let buffer = device.buffer(written.as_flattened());
        // In two pieces, of which the second begins in the middle of the buffer.
        let (all, half) = (real.id_bound() as u32, real.id_bound() as u32 / 2);
        let fields = |source: BodySource| source.position_at(0).rotation_at(16).extents_at(32);
        let sources = [
            fields(BodySource::new(&buffer, 0..half, 48)),
            fields(BodySource::new(&buffer, half..all, 48)).beginning_at(48 * u64::from(half)),
        ];
        let options = RecordOptions::new().sources(&sources);
        let mut recorded = device.settled(|encoder| device.engine.overlaps(&known).record_with(&options, encoder));
        let expected = cpu().overlaps(&real).run().unwrap();
        assert!(device.pairs(&mut recorded) == listed(&expected), "seed {seed}");
        assert_eq!(recorded.ended().unwrap().bad_body, None);
        // As the set that asks, and as the one that is asked.
        let other = random(800 + seed, 200).unwrap();
        let mut recorded =
            device.settled(|encoder| device.engine.overlaps(&known).against(&other).record_with(&options, encoder));
        assert!(device.pairs(&mut recorded) == listed(&cpu().overlaps(&real).against(&other).run().unwrap()));
        let options = RecordOptions::new().other_sources(&sources);
        let mut recorded =
            device.settled(|encoder| device.engine.overlaps(&other).against(&known).record_with(&options, encoder));
        assert!(device.pairs(&mut recorded) == listed(&cpu().overlaps(&other).against(&real).run().unwrap()));
    }
}

/// Bodies that the host knows as small and alike, and of which shaders make giants of all sizes: slots are padded for each class of sizes.
#[test]
fn giants_that_shaders_write_are_found() {
    let Some(device) = shared_device() else { return };
    let (mut known, mut real) = (Bodies::new(), Bodies::new());
    let at = |k: u16| [f32::from(k % 8) * 3.0, f32::from(k / 8 % 8) * 3.0, f32::from(k / 64) * 3.0];
    real.extend((0..16_384).map(|k| {
        let radius = if k % 1601 == 5 { 4.0 * 1.7_f32.powi(i32::from(k / 1601)) } else { 1.0 };
        Sphere::new(at(k), radius).unwrap()
    }))
    .unwrap();
    known.extend((0..16_384).map(|k| Sphere::new(at(k), 1.0).unwrap())).unwrap();
    let written: Vec<[f32; 12]> = real.iter().map(|body| numbers(&body.shape)).collect();
    let buffer = device.buffer(written.as_flattened());
    let sources = [BodySource::new(&buffer, 0..16_384, 48).position_at(0).extents_at(32)];
    let options = RecordOptions::new().sources(&sources);
    let mut recorded = device.settled(|encoder| device.engine.overlaps(&known).record_with(&options, encoder));
    let expected = cpu().overlaps(&real).run().unwrap();
    assert!(expected.len() > 2000);
    assert!(device.pairs(&mut recorded) == listed(&expected), "{} pairs", expected.len());
}

fn known_ball() -> Shape {
    Sphere::new([0.0; 3], 1.0).unwrap().into()
}

/// A body that is not written properly has no pairs, is named, and is back when it is valid again.
#[test]
fn bad_bodies_are_refused() {
    let Some(device) = shared_device() else { return };
    let mut bodies = Bodies::new();
    bodies.push(Sphere::new([0.0; 3], 1.0).unwrap()).unwrap();
    bodies.push(Aabb::new([0.0; 3], [1.0; 3]).unwrap()).unwrap();
    bodies.push(Obb::new([0.0; 3], [1.0; 3], Quat::IDENTITY).unwrap()).unwrap();
    bodies.push_with(Sphere::new([0.0; 3], 1.0).unwrap(), Traits::new()).unwrap();
    let good: Vec<[f32; 12]> = (0..4).map(|id| numbers(&bodies.shape(id).unwrap())).collect();
    let pairs_of = |written: &[[f32; 12]]| {
        let buffer = device.buffer(written.as_flattened());
        let source = [BodySource::new(&buffer, 0..4, 48).position_at(0).rotation_at(16).extents_at(32)];
        let options = RecordOptions::new().sources(&source);
        let mut recorded = device.settled(|encoder| device.engine.overlaps(&bodies).record_with(&options, encoder));
        let bad = recorded.ended().unwrap().bad_body;
        assert_eq!(device.words(recorded.summary(), 8)[6], bad.unwrap_or(u32::MAX));
        (device.pairs(&mut recorded).len(), bad)
    };
    assert_eq!(pairs_of(&good), (6, None));
    let cases = [
        (0, 1, f32::NAN),
        (0, 8, -1.0),
        (0, 8, f32::INFINITY),
        (1, 8, -1.0),
        (1, 0, f32::NEG_INFINITY),
        (1, 10, f32::NAN),
        (2, 9, -f32::MIN_POSITIVE / 2.0),
        (2, 5, f32::NAN),
        (2, 2, f32::INFINITY),
    ];
    for (body, field, value) in cases {
        let mut bad = good.clone();
        bad[body][field] = value;
        assert_eq!(pairs_of(&bad), (3, Some(body as u32)), "body {body}, number {field}: {value}");
    }
    // A quaternion of zeros; several at once: the first is named.
    let mut bad = good.clone();
    bad[2][4..8].fill(-0.0);
    assert_eq!(pairs_of(&bad), (3, Some(2)));
    bad[3][0] = f32::NAN;
    bad[1][1] = 2.0;
    assert_eq!(pairs_of(&bad), (0, Some(1)));
    // The ends of what is valid.
    let mut ends = good.clone();
    ends[0][8] = -0.0;
    ends[1][0] = 0.0;
    ends[1][8] = -0.0;
    ends[2][4..8].copy_from_slice(&[0.0, f32::from_bits(1), 0.0, 0.0]);
    ends[2][8] = f32::from_bits(1);
    assert_eq!(pairs_of(&ends).1, None);
    assert_eq!(pairs_of(&good), (6, None));
}

/// What shaders wrote in an earlier frame is not there in a later one that does not say so.
#[test]
fn a_recording_without_sources_has_the_bodies_of_the_host() {
    let Some(device) = shared_device() else { return };
    let mut bodies = Bodies::new();
    bodies.extend((0..200_u8).map(|k| Sphere::new([3.0 * f32::from(k), 0.0, 0.0], 1.0).unwrap())).unwrap();
    let buffer = device.buffer(&vec![0.0; 600]);
    let all = [BodySource::new(&buffer, 0..200, 12).position_at(0)];
    let half = [BodySource::new(&buffer, 0..100, 12).position_at(0)];
    let pairs_with = |sources: &[BodySource]| {
        let options = RecordOptions::new().sources(sources);
        let mut recorded = device.settled(|encoder| device.engine.overlaps(&bodies).record_with(&options, encoder));
        device.pairs(&mut recorded).len()
    };
    for _ in 0..2 {
        assert_eq!(pairs_with(&all), 200 * 199 / 2);
        assert_eq!(pairs_with(&[]), 0);
        assert_eq!(pairs_with(&half), 100 * 99 / 2);
        assert_eq!(pairs_with(&all), 200 * 199 / 2);
        assert_eq!(pairs_with(&half), 100 * 99 / 2);
    }
}

/// A set against itself is two sets, of which the caller's shaders may write one.
#[test]
fn a_set_is_recorded_against_itself() {
    let Some(device) = shared_device() else { return };
    // Balls in pairs that overlap, around which there is much room.
    let ball = |k: u8, side: f32| Sphere::new([40.0 * f32::from(k / 2) + side, 0.0, 0.0], 1.0).unwrap();
    let (mut bodies, mut moved) = (Bodies::new(), Bodies::new());
    bodies.extend((0..100).map(|k| ball(k, f32::from(k % 2)))).unwrap();
    // A ball that touches in exact arithmetic is left for the host to settle.
    moved.extend((0..100).map(|k| ball(k, 2.0 + f32::from(k % 2)))).unwrap();
    let written: Vec<[f32; 12]> = moved.iter().map(|body| numbers(&body.shape)).collect();
    let buffer = device.buffer(written.as_flattened());
    let sources = [BodySource::new(&buffer, 0..100, 48).position_at(0)];
    let expected = |a: &Bodies, b: &Bodies| listed(&cpu().overlaps(a).against(b).run().unwrap());
    let record = |options: &RecordOptions<'_>| {
        let mut recorded =
            device.settled(|encoder| device.engine.overlaps(&bodies).against(&bodies).record_with(options, encoder));
        device.pairs(&mut recorded)
    };
    assert_eq!(record(&RecordOptions::new()), expected(&bodies, &bodies));
    assert_eq!(record(&RecordOptions::new().sources(&sources)), expected(&moved, &bodies));
    assert_eq!(record(&RecordOptions::new().other_sources(&sources)), expected(&bodies, &moved));
    assert_eq!(record(&RecordOptions::new().sources(&sources).other_sources(&sources)), expected(&moved, &moved));
}

/// What is written where there is no body, or one that takes no part, is nobody's fault.
#[test]
fn what_is_written_of_no_body_is_not_refused() {
    let Some(device) = shared_device() else { return };
    let mut bodies = Bodies::new();
    bodies.extend(vec![Sphere::new([0.0; 3], 1.0).unwrap(); 4]).unwrap();
    bodies.remove(1).unwrap();
    bodies.disable(2).unwrap();
    let buffer = device.buffer(&[0.0, 0.0, 0.0, f32::NAN, f32::NAN, f32::NAN, f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let sources = [BodySource::new(&buffer, 0..4, 12).position_at(0)];
    let options = RecordOptions::new().sources(&sources);
    let mut recorded = device.settled(|encoder| device.engine.overlaps(&bodies).record_with(&options, encoder));
    assert_eq!(recorded.ended().unwrap().bad_body, None);
    assert_eq!(device.pairs(&mut recorded), [(0, 3, Relation::Overlapping)]);
}
