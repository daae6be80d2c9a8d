//! Picks the lowest body of each ray's hits with the least time.

use crate::gpu::abi::pick_hits::{Params, View};
use crate::gpu::abi::{
    ABSENT, HIT, STATUS_CARRY, STATUS_RAY_EXTRAS, STATUS_RAYS_OPEN, STATUS_RAYS_UNFINISHED, UNDECIDED,
};

pub(crate) fn pick_hits(params: &Params, view: View<'_>) {
    let View { hits, best_times, best_bodies, opens, status } = view;
    let extras = status[STATUS_RAY_EXTRAS];
    if status[STATUS_RAYS_UNFINISHED] != 0 || status[STATUS_CARRY] != 0 || extras > params.extra_room {
        return;
    }
    for &[ray, body, time, verdict] in &hits[..(params.rays + extras) as usize] {
        if body == ABSENT {
            continue;
        }
        let best = &mut best_bodies[ray as usize];
        if verdict == HIT && !time == best_times[ray as usize] {
            *best = (*best).max(!body);
        }
        if verdict == UNDECIDED {
            let place = status[STATUS_RAYS_OPEN];
            status[STATUS_RAYS_OPEN] += 1;
            if place < params.open_room {
                opens[place as usize] = [ray, body];
            }
        }
    }
}
