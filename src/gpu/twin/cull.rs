//! Classifies bodies against half-spaces.

use super::{aabb, capsule, kind_of_tag, obb, record, sphere, tag};
use crate::Side;
use crate::filter::{self, Cuboid, domain};
use crate::gpu::abi::cull::{Params, View};
use crate::gpu::abi::{SIDE_INSIDE, SIDE_OPEN, SIDE_OUTSIDE, TAG_ENABLED};
use crate::shape::Plane;
use crate::shape::kinds::{Kind, Record};

pub(crate) fn cull(params: &Params, view: View<'_>) {
    let View { shapes, tags, planes, sides, .. } = view;
    let planes: &[Plane] = bytemuck::cast_slice(&planes[..params.planes as usize]);
    for (k, found) in sides[..params.bodies as usize].iter_mut().enumerate() {
        let i = params.first_body as usize + k;
        let tag = tag(tags, i);
        *found = if tag & TAG_ENABLED == 0 { SIDE_OUTSIDE } else { side(kind_of_tag(tag), &record(shapes, i), planes) };
    }
}

fn side(kind: Kind, record: &Record, planes: &[Plane]) -> u32 {
    let one = |plane: &Plane| match kind {
        _ if !domain::plane(plane) => None,
        Kind::Sphere if domain::sphere(&sphere(record)) => filter::sphere_plane::<f32>(&sphere(record), plane),
        Kind::Aabb if domain::aabb(&aabb(record)) => filter::aabb_plane::<f32>(&aabb(record), plane),
        Kind::Capsule if domain::capsule(&capsule(record)) => filter::capsule_plane::<f32>(&capsule(record), plane),
        Kind::Obb if domain::obb(&obb(record)) => filter::obb_plane(&Cuboid::in_f32(&obb(record)), plane),
        _ => None,
    };
    let sides: Vec<Option<Side>> = planes.iter().map(one).collect();
    if sides.contains(&Some(Side::Outside)) {
        SIDE_OUTSIDE
    } else if sides.contains(&None) {
        SIDE_OPEN
    } else {
        sides.into_iter().flatten().max().map_or(SIDE_INSIDE, |side| side as u32)
    }
}
