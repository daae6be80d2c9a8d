//! Classifies bodies against half-spaces.

use super::{aabb, capsule, kind_of_tag, obb, plane, record, sphere, tag};
use crate::Side;
use crate::filter::{self, Cuboid, domain};
use crate::gpu::abi::cull::{Params, View};
use crate::gpu::abi::{CULL_CORNERS, SIDE_INSIDE, SIDE_OPEN, SIDE_OUTSIDE, TAG_ENABLED};
use crate::shape::kinds::{Kind, Record};
use crate::shape::{Plane, hull_record};

pub(crate) fn cull(params: &Params, view: View<'_>) {
    let View { shapes, tags, planes, hulls, sides, .. } = view;
    let planes: &[Plane] = bytemuck::cast_slice(&planes[params.first_plane as usize..][..params.planes as usize]);
    for (k, found) in sides[..params.bodies as usize].iter_mut().enumerate() {
        let i = params.first_body as usize + k;
        let tag = tag(tags, i);
        *found = if tag & TAG_ENABLED == 0 {
            SIDE_OUTSIDE
        } else {
            let before = if params.first_plane == 0 { SIDE_INSIDE } else { *found };
            let here = side(kind_of_tag(tag), &record(shapes, i), hulls, planes);
            if [before, here].contains(&SIDE_OUTSIDE) { SIDE_OUTSIDE } else { before.max(here) }
        };
    }
}

/// A hull as the kernel sees it, if it is in its domain: a box around all corners, the corners, and the largest sum of a corner's coordinates.
fn hull(record: &Record, forms: &[[u32; 4]], planes: usize) -> Option<(Cuboid<f32>, Vec<[f32; 3]>, f32)> {
    let [begin, count, largest, _] = forms[hull_record::form_of(record[3]) as usize];
    let mut around = *record;
    around[3..6].fill(hull_record::reach_of(record[3]));
    let around = obb(&around);
    (domain::obb(&around) && count * planes as u32 <= CULL_CORNERS).then(|| {
        let around = Cuboid::in_f32(&around);
        let corners = &forms[begin as usize..][..count as usize];
        (around, corners.iter().map(|[x, y, z, _]| [*x, *y, *z].map(f32::from_bits)).collect(), f32::from_bits(largest))
    })
}

fn side(kind: Kind, record: &Record, forms: &[[u32; 4]], planes: &[Plane]) -> u32 {
    let hull = (kind == Kind::ConvexHull).then(|| hull(record, forms, planes.len())).flatten();
    let one = |border: &Plane| match kind {
        _ if !domain::plane(border) => None,
        Kind::Sphere if domain::sphere(&sphere(record)) => filter::sphere_plane::<f32>(&sphere(record), border),
        Kind::Aabb if domain::aabb(&aabb(record)) => filter::aabb_plane::<f32>(&aabb(record), border),
        Kind::Capsule if domain::capsule(&capsule(record)) => filter::capsule_plane::<f32>(&capsule(record), border),
        Kind::Obb if domain::obb(&obb(record)) => filter::obb_plane(&Cuboid::in_f32(&obb(record)), border),
        Kind::Plane if domain::plane(&plane(record)) => filter::half_space_plane::<f32>(&plane(record), border),
        Kind::ConvexHull => {
            hull.as_ref().and_then(|(around, corners, largest)| filter::hull_plane(around, corners, *largest, border))
        }
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
