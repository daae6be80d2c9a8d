//! Bodies as contacts see them.

use super::{kind_of_tag, record, tag};
use crate::gpu::abi::FRAME_VECTORS;
use crate::gpu::abi::frames::{Params, View};
use crate::manifold::Frame;

pub(crate) fn frames(params: &Params, view: View<'_>) {
    let View { shapes, tags, frame, .. } = view;
    for (i, frame) in frame.chunks_exact_mut(FRAME_VECTORS).take(params.bodies as usize).enumerate() {
        frame.copy_from_slice(bytemuck::cast_slice(&[Frame::of(kind_of_tag(tag(tags, i)), &record(shapes, i))]));
    }
}
