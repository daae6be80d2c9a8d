//! Sides of bodies.

use super::{aabb, obb, record, sphere, tag};
use crate::Side;
use crate::filter::{self, Cuboid, domain};
use crate::gpu::params::{Params, Step};
use crate::shape::Plane;

const OPEN: u32 = 3;

pub(crate) fn cull(params: &Params, _: Step, buffers: &mut [Vec<u32>]) {
    let [shapes, tags, planes, sides, _] = buffers else { return };
    let planes: &[Plane] = bytemuck::cast_slice(&planes[..4 * params.keys as usize]);
    for (k, found) in sides[..params.bodies as usize].iter_mut().enumerate() {
        let i = params.first_slot as usize + k;
        let tag = tag(tags, i);
        *found = if tag & 4 == 0 { Side::Outside as u32 } else { side(tag & 3, &record(shapes, i), planes) };
    }
}

fn side(kind: u32, record: &[f32; 10], planes: &[Plane]) -> u32 {
    let one = |plane: &Plane| match kind {
        _ if !domain::plane(plane) => None,
        0 if domain::sphere(&sphere(record)) => filter::sphere_plane::<f32>(&sphere(record), plane),
        1 if domain::aabb(&aabb(record)) => filter::aabb_plane::<f32>(&aabb(record), plane),
        2 if domain::obb(&obb(record)) => filter::obb_plane(&Cuboid::in_f32(&obb(record)), plane),
        _ => None,
    };
    let sides: Vec<Option<Side>> = planes.iter().map(one).collect();
    if sides.contains(&Some(Side::Outside)) {
        Side::Outside as u32
    } else if sides.contains(&None) {
        OPEN
    } else {
        sides.into_iter().flatten().max().unwrap_or(Side::Inside) as u32
    }
}
