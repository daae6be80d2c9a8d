//! Scatters changed records.

use crate::gpu::abi::patch_records::{Params, View};

pub(crate) fn patch_records(params: &Params, view: View<'_>) {
    let View { patches, records, tags, .. } = view;
    let (size, heading) = (params.record_words as usize, params.heading_words as usize);
    for patch in patches[..params.words as usize].chunks_exact(size + heading) {
        let id = patch[0] as usize;
        records[size * id..size * (id + 1)].copy_from_slice(&patch[heading..]);
        if heading > 1 {
            tags[id / 4] = patch[1];
        }
    }
}
