//! Takes over what the caller's shaders have written about bodies.

use super::{kind_of_tag, tag};
use crate::gpu::abi::import_bodies::{Params, View};
use crate::gpu::abi::{ABSENT, RECORD_WORDS, STATUS_BAD_BODY, TAG_ENABLED, TAG_WANTED};
use crate::shape::kinds::Kind;

pub(crate) fn import_bodies(params: &Params, view: View<'_>) {
    let View { source, records, tags, status } = view;
    for k in 0..params.bodies {
        let id = (params.first + k) as usize;
        let first = (params.offset + k * params.stride) as usize;
        let given = |at: u32, words: usize| {
            let at = first + at as usize;
            (at - first != ABSENT as usize).then(|| &source[at..at + words])
        };
        let tag = tag(tags, id);
        if tag & TAG_WANTED == 0 {
            continue;
        }
        let kind = kind_of_tag(tag);
        let lengths = match kind {
            Kind::Sphere | Kind::Plane => 1,
            Kind::ConvexHull => 0,
            _ => 3,
        };
        let (position, extents) = (given(params.position, 3), given(params.extents, lengths));
        let rotation = given(params.rotation, 4).filter(|_| kind.has_rotation());
        let shift = 8 * (id % 4);
        if is_valid(kind, position, rotation, extents) {
            let record = &mut records[RECORD_WORDS * id..][..RECORD_WORDS];
            for (at, words) in [(0, position), (3, extents), (6, rotation)] {
                if let Some(words) = words {
                    record[at..at + words.len()].copy_from_slice(words);
                }
            }
            tags[id / 4] |= TAG_ENABLED << shift;
        } else {
            tags[id / 4] &= !(TAG_ENABLED << shift);
            status[STATUS_BAD_BODY] = status[STATUS_BAD_BODY].max(!(id as u32));
        }
    }
}

fn is_valid(kind: Kind, position: Option<&[u32]>, rotation: Option<&[u32]>, extents: Option<&[u32]>) -> bool {
    let floats =
        |words: Option<&[u32]>| words.map_or_else(Vec::new, |words| words.iter().map(|x| f32::from_bits(*x)).collect());
    let (position, rotation, lengths) = (floats(position), floats(rotation), floats(extents));
    let finite = |numbers: &[f32]| numbers.iter().all(|x| x.is_finite());
    if !finite(&position) || !finite(&rotation) || !finite(&lengths) {
        return false;
    }
    if kind == Kind::Aabb {
        return position.len() == lengths.len() && position.iter().zip(&lengths).all(|(low, high)| low <= high);
    }
    if kind == Kind::Plane {
        return position.is_empty() || position.iter().any(|x| *x != 0.0);
    }
    // (Of a capsule they are an end.)
    (kind == Kind::Capsule || lengths.iter().all(|x| *x >= 0.0))
        && (rotation.is_empty() || rotation.iter().any(|x| *x != 0.0))
}
