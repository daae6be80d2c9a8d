//! All rays and all bodies, one after the other.

use super::result::{BodyHit, Found};
use super::{Mode, Rays};
use crate::Bodies;
use crate::cast::{entry, meets};

pub(super) fn cast(bodies: &Bodies, rays: &Rays<'_>, mode: Mode, out: &mut Found) {
    let rows = (0..rays.len()).map(|ray| {
        let (shot, traits) = (rays.shot(ray), rays.traits(ray));
        let is_hit = |body: &usize| {
            bodies.enabled_flags()[*body]
                && traits.may_meet(&bodies.all_traits()[*body])
                && meets(&shot, &bodies.get(*body))
        };
        let mut found: Vec<(f32, u32)> =
            (0..bodies.id_bound()).filter(is_hit).map(|body| (entry(&shot, &bodies.get(body)), body as u32)).collect();
        found.sort_unstable_by(|a, b| a.partial_cmp(b).expect("times are numbers"));
        found.into_iter().map(|(time, body)| BodyHit { body, time: shot.time(time) }).collect::<Vec<_>>()
    });
    super::fill(rows.collect::<Vec<_>>().iter().map(Vec::as_slice), mode, out);
}
