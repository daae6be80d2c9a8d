//! What bytes are made into, and what must hold.

use std::ops::ControlFlow;

use tangency::glam::Quat;
use tangency::query::Motion;
use tangency::shape::{Aabb, Obb, Plane, Pose, Ray, Shape, Sphere};
use tangency::{Bodies, Engine, Result, Traits};

use super::bytes::Bytes;
use super::engines::{ENGINES, brute};

/// A shape of any kind; often one that is refused.
fn shape(bytes: &mut Bytes<'_>) -> Result<Shape> {
    let vector = |bytes: &mut Bytes<'_>| [bytes.number(), bytes.number(), bytes.number()];
    Ok(match bytes.below(3) {
        0 => Sphere::new(vector(bytes), bytes.number())?.into(),
        1 => {
            let (min, size) = (vector(bytes), vector(bytes).map(f32::abs));
            Aabb::new(min, std::array::from_fn::<f32, 3, _>(|k| min[k] + size[k]))?.into()
        }
        _ => {
            let (center, half) = (vector(bytes), vector(bytes).map(f32::abs));
            let turn = if bytes.flag() {
                Quat::from_xyzw(bytes.number(), bytes.number(), bytes.number(), bytes.number())
            } else {
                Quat::IDENTITY
            };
            Obb::new(center, half, turn)?.into()
        }
    })
}

fn traits(bytes: &mut Bytes<'_>) -> Traits {
    let mut traits = Traits::new();
    let choice = bytes.byte();
    if choice & 1 == 1 {
        traits = traits.world(bytes.below(4) as u32);
    }
    if choice & 2 == 2 {
        traits = traits.layer(1 << bytes.below(3)).mask(bytes.word());
    }
    if choice & 4 == 4 {
        traits = traits.group(bytes.below(3) as u32).fixed(bytes.flag());
    }
    if choice & 0x18 == 0x18 {
        traits = traits.in_every_world();
    }
    traits
}

/// Changes a set in some way; what is refused changes nothing.
fn change(bodies: &mut Bodies, bytes: &mut Bytes<'_>) {
    let (before, revision) = (bodies.len(), bodies.revision());
    let bound = bodies.id_bound() + 1;
    let id = |bytes: &mut Bytes<'_>| bytes.below(bound) as u32;
    let done = match bytes.below(13) {
        0..=5 => shape(bytes).and_then(|shape| bodies.push_with(shape, traits(bytes)).map(drop)),
        6 => bodies.remove(id(bytes)),
        7 => bodies.disable(id(bytes)),
        8 => bodies.enable(id(bytes)),
        9 => bodies.exclude(id(bytes), id(bytes)),
        10 => shape(bytes).and_then(|shape| bodies.set_shape(id(bytes), shape)),
        11 => bodies.set_margin(id(bytes), bytes.number()),
        _ => {
            let pose = Pose::new([bytes.number(), bytes.number(), bytes.number()], Quat::IDENTITY);
            pose.and_then(|pose| bodies.set_pose(id(bytes), pose))
        }
    };
    if done.is_err() {
        assert_eq!((bodies.len(), bodies.revision()), (before, revision), "an error has changed something");
    }
}

/// Bodies of at most so many changes.
fn set(bytes: &mut Bytes<'_>, changes: usize) -> Bodies {
    let mut bodies = Bodies::new();
    for _ in 0..bytes.below(changes) {
        change(&mut bodies, bytes);
    }
    bodies
}

/// The engines beside brute force. Few bodies take a millisecond on a device in software, so that only some inputs run there.
fn engines(bytes: &mut Bytes<'_>) -> impl Iterator<Item = &'static (String, Engine)> {
    let all = bytes.below(8) == 0;
    ENGINES.iter().filter(move |(name, _)| name == "cpu" || all && name.starts_with("vulkan"))
}

pub fn bodies(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let mut bodies = Bodies::new();
    let engines: Vec<_> = engines(&mut bytes).collect();
    while !bytes.is_empty() {
        for _ in 0..=bytes.below(40) {
            change(&mut bodies, &mut bytes);
        }
        let hits = brute().overlaps(&bodies).run().expect("an answer");
        let contacts = brute().contacts(&bodies).run().expect("an answer");
        for (name, engine) in &engines {
            let found = engine.overlaps(&bodies).run().expect("an answer");
            assert!(found == hits && found.offsets() == hits.offsets(), "{name}: overlaps");
            assert!(engine.contacts(&bodies).run().expect("an answer") == contacts, "{name}: contacts");
            let candidates = engine.candidates(&bodies).run().expect("an answer").to_vec();
            assert!(hits.pairs().all(|(a, b)| candidates.binary_search(&[a, b]).is_ok()), "{name}: candidates");
        }
        let direction = [bytes.number(), bytes.number(), bytes.number()];
        let distance = Some(bytes.number().abs()).filter(|distance| distance.is_finite()).unwrap_or_default();
        let ray = |shape: Shape| Ray::new(shape.aabb()?.min(), direction).ok();
        let turn = [bytes.number(), bytes.number(), bytes.number()];
        let motion = Motion::new(direction, turn).unwrap_or_default();
        let motions: Vec<Motion> =
            (0..bodies.id_bound()).map(|id| if id % 3 == 0 { Motion::REST } else { motion }).collect();
        let rays: Vec<Ray> = bodies.iter().filter_map(|body| ray(body.shape)).collect();
        for (name, engine) in &engines {
            let found = engine.clearances(&bodies, distance).run();
            assert_eq!(found, brute().clearances(&bodies, distance).run(), "{name}: clearances");
            let found = engine.sweep(&bodies, &motions).run();
            assert_eq!(found, brute().sweep(&bodies, &motions).run(), "{name}: moving bodies");
            let found = engine.contacts(&bodies).margin(distance).run();
            assert_eq!(found, brute().contacts(&bodies).margin(distance).run(), "{name}: contacts within {distance}");
            let found = engine.cast_rays(&bodies, &rays).run();
            assert_eq!(found, brute().cast_rays(&bodies, &rays).run(), "{name}: rays");
        }
    }
}

pub fn requests(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let engines: Vec<_> = engines(&mut bytes).collect();
    let (own, other) = (set(&mut bytes, 60), set(&mut bytes, 30));
    let pairs: Vec<[u32; 2]> = (0..bytes.below(20)).map(|_| [bytes.below(64) as u32, bytes.below(64) as u32]).collect();
    let planes: Vec<Plane> = (0..bytes.below(5))
        .filter_map(|_| Plane::new([bytes.number(), bytes.number(), bytes.number()], bytes.number()).ok())
        .collect();
    let (only, two, stop) = (bytes.flag(), bytes.flag(), bytes.below(4));
    let margin = bytes.flag().then(|| bytes.number().abs()).filter(|margin| margin.is_finite());
    let judge = brute();
    for (name, engine) in engines {
        let overlaps = |engine: &Engine| {
            let request = engine.overlaps(&own);
            let request = if only { request.overlapping_only() } else { request };
            let request = if let Some(margin) = margin { request.margin(margin) } else { request };
            // The borrow of the set ends with the request.
            if two { request.against(&other).run() } else { request.run() }
        };
        let expected = overlaps(&judge).expect("an answer");
        assert!(overlaps(engine).expect("an answer") == expected, "{name}: overlaps");
        let index = engine.index(&other).expect("an index");
        let request = if two { engine.overlaps(&own).against(&index) } else { engine.overlaps(&own) };
        let request = if only { request.overlapping_only() } else { request };
        let request = if let Some(margin) = margin { request.margin(margin) } else { request };
        let (mut streamed, mut parts) = (Vec::new(), 0);
        let seen = request.clone().try_for_each_part(|rows| {
            streamed.extend(rows.iter());
            parts += 1;
            if parts == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let whole = seen.expect("an answer").is_continue();
        assert!(!whole || expected.iter().eq(streamed.iter().copied()), "{name}: parts");
        assert!(expected.iter().zip(streamed).all(|(one, other)| one == other), "{name}: parts");
        assert!(pollster::block_on(async { request.await }).expect("an answer") == expected, "{name}: awaited");
        assert_eq!(engine.relations(&own, &pairs).run(), judge.relations(&own, &pairs).run(), "{name}: relations");
        assert_eq!(engine.cull(&own, &planes).run(), judge.cull(&own, &planes).run(), "{name}: cull");
    }
}
