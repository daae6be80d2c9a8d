//! Computes when rays enter the bodies that they may hit.

use super::cast_rays::slot_record;
use super::kind_of_tag;
use crate::cast::{Meeting, Shot, Verdict, meeting};
use crate::gpu::abi::time_hits::{Params, View};
use crate::gpu::abi::{
    ABSENT, HIT, MISS, RAY_CERTAIN, RAYS_ANY, STATUS_CARRY, STATUS_RAY_EXTRAS, STATUS_RAYS_UNFINISHED, UNDECIDED,
};
use crate::shape::kinds::Kind;

pub(crate) fn time_hits(params: &Params, view: View<'_>) {
    let View { rays, tree, slot_shapes, slot_rotations, hits, best_times, status } = view;
    let extras = status[STATUS_RAY_EXTRAS];
    if status[STATUS_RAYS_UNFINISHED] != 0 || status[STATUS_CARRY] != 0 || extras > params.extra_room {
        return;
    }
    for entry in &mut hits[..(params.rays + extras) as usize] {
        let [ray, marked, known, of_hull] = *entry;
        if marked == ABSENT {
            continue;
        }
        let (slot, at) = ((marked & !RAY_CERTAIN) as usize, (params.ray_vectors * ray) as usize);
        let kind = kind_of_tag(tree[2 * slot + 1][3]);
        let is_known = kind == Kind::ConvexHull && of_hull != 0;
        let numbers = |at: usize| [0, 1, 2].map(|k| f32::from_bits(rays[at][k]));
        let found = if params.mode == RAYS_ANY && marked & RAY_CERTAIN != 0 {
            Meeting { verdict: Verdict::Hit, time: 0.0 }
        } else {
            let shot = Shot::on_device(numbers(at), numbers(at + 1), f32::from_bits(rays[at][3]));
            let record = slot_record(slot_shapes, slot_rotations, kind, slot);
            match if kind == Kind::ConvexHull { None } else { meeting(&shot, kind, &record) } {
                Some(found) if kind == Kind::Obb && marked & RAY_CERTAIN != 0 => {
                    Meeting { verdict: Verdict::Hit, ..found }
                }
                Some(found) => found,
                None => Meeting { verdict: Verdict::Open, time: 0.0 },
            }
        };
        let verdict = match found.verdict {
            Verdict::Miss => MISS,
            Verdict::Hit => HIT,
            Verdict::Open => UNDECIDED,
        };
        let (verdict, time) = if is_known { (of_hull - 1, known) } else { (verdict, found.time.to_bits()) };
        *entry = [ray, tree[2 * slot][3], time, verdict];
        if verdict == HIT {
            best_times[ray as usize] = best_times[ray as usize].max(!time);
        }
    }
}
