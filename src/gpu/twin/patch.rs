//! Changed records to where they belong.

use crate::gpu::params::{Params, Step};

pub(crate) fn patch_records(params: &Params, [size, heading, _, _]: Step, buffers: &mut [Vec<u32>]) {
    let [patches, records, tags, _] = buffers else { return };
    let (size, heading) = (size as usize, heading as usize);
    for patch in patches[..params.keys as usize].chunks_exact(size + heading) {
        let id = patch[0] as usize;
        records[size * id..size * (id + 1)].copy_from_slice(&patch[heading..]);
        if heading > 1 {
            tags[id / 4] = patch[1];
        }
    }
}
