//! Bodies as contacts see them.

use super::{kind_of_tag, record, tag};
use crate::gpu::abi::FRAME_VECTORS;
use crate::gpu::abi::frames::{Params, View};
use crate::manifold::Frame;

pub(crate) fn frames(params: &Params, view: View<'_>) {
    let View { shapes, tags, margins, frame, .. } = view;
    for (i, frame) in frame.chunks_exact_mut(FRAME_VECTORS).take(params.bodies as usize).enumerate() {
        let margin = if params.has_margins != 0 { f32::from_bits(margins[i]) } else { 0.0 };
        let found = Frame::of(kind_of_tag(tag(tags, i)), &record(shapes, i)).with_margin(margin);
        frame.copy_from_slice(bytemuck::cast_slice(&[found]));
    }
}
