//! Writes the hits of rays for shaders of the caller's.

use crate::gpu::abi::publish_hits::{Params, View};
use crate::gpu::abi::{
    ABSENT, MISS, RAY_EXPONENT, RAY_EXPONENT_BIAS, RAY_SKIPPED, RAYS_ALL, RAYS_ANY, STATUS_CARRY, STATUS_RAY_EXTRAS,
    STATUS_RAYS_UNFINISHED, UNDECIDED,
};
use crate::shape::check::saturate_f32;

/// The number of listed hits, if they are complete.
fn listed(params: &Params, status: &[u32]) -> Option<usize> {
    let extras = status[STATUS_RAY_EXTRAS];
    let complete = status[STATUS_RAYS_UNFINISHED] == 0 && status[STATUS_CARRY] == 0 && extras <= params.extra_room;
    complete.then_some((params.rays + extras) as usize)
}

pub(crate) fn mark_open_rays(params: &Params, view: View<'_>) {
    let View { hits, marks, status, .. } = view;
    for [ray, body, _, verdict] in &hits[..listed(params, status).unwrap_or_default()] {
        if *body != ABSENT && *verdict == UNDECIDED {
            marks[*ray as usize] |= 1;
        }
    }
}

pub(crate) fn publish_hits(params: &Params, view: View<'_>) {
    let View { rays, hits, best_times, best_bodies, marks, results, status } = view;
    let Some(count) = listed(params, status) else { return };
    let bits = |ray: u32| rays[(params.ray_vectors * ray) as usize + 1][3];
    let skipped = |ray: u32| bits(ray) & RAY_SKIPPED;
    let time = |ray: u32, time: u32| {
        let last = f32::from_bits(rays[(params.ray_vectors * ray) as usize][3]);
        let exponent = (bits(ray) >> RAY_EXPONENT & 0x1ff) as i32 - RAY_EXPONENT_BIAS as i32;
        let power = f64::from_bits(((1023 - exponent) as u64) << 52);
        saturate_f32(f64::from(f32::from_bits(time).min(last)) * power).to_bits()
    };
    if params.mode == RAYS_ALL {
        for (at, &[ray, body, bits, verdict]) in hits[..count].iter().enumerate() {
            let own = at < params.rays as usize;
            let ray = if own { at as u32 } else { ray };
            results[at] = match verdict {
                _ if body == ABSENT => [ray, ABSENT, 0, if own { skipped(ray) } else { 0 }],
                MISS => [ray, ABSENT, 0, if own { skipped(ray) } else { 0 }],
                UNDECIDED => [ray, body, 0, 1],
                _ => [ray, body, time(ray, bits), 0],
            };
        }
        return;
    }
    for ray in 0..params.rays {
        let k = ray as usize;
        let open = marks[k] | skipped(ray);
        results[k] = match best_times[k] {
            0 => [ray, ABSENT, 0, open],
            _ if params.mode == RAYS_ANY => [ray, 0, 0, 0],
            best => [ray, !best_bodies[k], time(ray, !best), open],
        };
    }
}
