//! Scatters changed records.

use crate::gpu::abi::patch_records::{Params, View};
use crate::gpu::abi::{RECORD_WORDS, TAG_KIND};
use crate::shape::kinds::Kind;

pub(crate) fn patch_records(params: &Params, view: View<'_>) {
    let View { patches, records, tags, .. } = view;
    let (size, heading) = (params.record_words as usize, params.heading_words as usize);
    if heading == 0 {
        for (id, pose) in (params.first as usize..).zip(patches[..params.words as usize].chunks_exact(size)) {
            let kind = Kind::ALL[(tags[id / 4] >> (8 * (id % 4)) & TAG_KIND) as usize];
            let record = &mut records[RECORD_WORDS * id..][..kind.words()];
            if kind.has_pose() {
                record[..3].copy_from_slice(&pose[..3]);
            }
            if kind.has_rotation() {
                record[kind.words() - 4..].copy_from_slice(&pose[3..]);
            }
        }
        return;
    }
    for patch in patches[..params.words as usize].chunks_exact(size + heading) {
        let id = patch[0] as usize;
        records[size * id..size * (id + 1)].copy_from_slice(&patch[heading..]);
        if heading > 1 {
            tags[id / 4] = patch[1];
        }
    }
}
