//! Single stages on generated buffers, each compared with its twin.

use super::super::abi::{
    BLOCK, KernelModule, RECORD_WORDS, SHORT_ROW, STATUS_BINS_OVERFLOWED, STATUS_LONG_HITS, STATUS_LONG_ROWS,
    STATUS_WORDS, THREADS, TILE, long_rows, patch_records, row_offsets, sort,
};
use super::super::buffer::{GrowBuffer, SizedBy};
use super::super::device::Device;
use super::super::runner::{Recording, Runner};
use super::super::stages::{self, Kernel};

/// Uploads these words into new buffers.
pub(super) fn upload(device: &Device, buffers: &[Vec<u32>]) -> Vec<GrowBuffer> {
    let upload = |words: &Vec<u32>| {
        let mut buffer = GrowBuffer::storage("test", SizedBy::Input);
        pollster::block_on(buffer.reserve(device, 4 * words.len() as u64)).expect("room");
        device.queue.write_buffer(buffer.buffer(), 0, bytemuck::cast_slice(words));
        buffer
    };
    buffers.iter().map(upload).collect()
}

/// A recording of one stage on buffers in the order of its bindings.
pub(super) fn record<'a, M: KernelModule>(
    stage: &'static Kernel<M>,
    params: &M::Params,
    groups: u32,
    buffers: &'a [GrowBuffer],
) -> Recording<'a> {
    let mut recording = Recording::default();
    let (groups, bound) = (u64::from(groups), buffers.iter().map(GrowBuffer::buffer).collect());
    recording.push(stage, groups, 0..groups, bytemuck::bytes_of(params), bound);
    recording
}

/// Runs one stage on buffers with these words, beside its twin.
pub(super) fn check<M: KernelModule>(
    device: &Device,
    stage: &'static Kernel<M>,
    params: &M::Params,
    groups: u32,
    buffers: &[Vec<u32>],
) {
    assert_eq!(buffers.last().map(Vec::len), Some(STATUS_WORDS), "{}: the status comes last", stage.name);
    let mut runner = Runner::new();
    runner.checked = true;
    let uploaded = upload(device, buffers);
    pollster::block_on(runner.run(device, record(stage, params, groups, &uploaded), &[])).expect("it runs");
    assert_eq!(runner.dispatched, 1);
}

pub(super) fn mix(k: u32) -> u32 {
    crate::hash::mix(u64::from(k)) as u32
}

/// Each stage of the radix sort, on keys of all kinds.
pub(super) fn sorts(device: &Device, brief: bool) {
    // Keys that are random, equal, ascending, descending, of two digits, in runs.
    let kinds: [fn(u32) -> u32; 6] =
        [mix, |_| 0x1234_5678, |k| k, |k| !k, |k| mix(k) & 0x0101_0101, |k| k / 37 * 0x0001_0203];
    let sizes = [1, 31, 33, 127, TILE - 1, TILE, TILE + 1, 5 * TILE + 77];
    for n in if brief { sizes[6..].to_vec() } else { sizes.to_vec() } {
        for key in kinds {
            let tiles = n.div_ceil(TILE);
            let keys: Vec<u32> = (0..n).map(key).collect();
            let order: Vec<u32> = (0..n).map(|k| mix(!k)).collect();
            let empty = vec![0xdead_beef; n as usize];
            for (shift, mode) in [(0, 1), (8, 0), (24, 2), (29, 3)] {
                let params = sort::Params { keys: n, tiles, shift, mode };
                let mut buffers = vec![
                    keys.clone(),
                    order.clone(),
                    vec![7; 256 * (tiles as usize + 1)],
                    empty.clone(),
                    empty.clone(),
                    vec![0; STATUS_WORDS],
                ];
                for (stage, groups) in
                    [(&stages::SORT_COUNT, tiles), (&stages::SORT_ADD, 256), (&stages::SORT_SCATTER, tiles)]
                {
                    check(device, stage, &params, groups, &buffers);
                    stage.run_twin(bytemuck::bytes_of(&params), 0..0, &mut buffers);
                }
            }
        }
    }
}

/// The prefix sum that turns counts of rows into offsets.
pub(super) fn scans(device: &Device) {
    for rows in [1_u32, 255, 256, 2047, 2048, 2049, 300_000, 600_001] {
        let params = row_offsets::Params { rows };
        // (Some have no room in a byte.)
        let most = if rows == 2049 { 300 } else { 50 };
        let counts: Vec<u32> = (0..=rows).map(|k| if k % 7 == 3 { mix(k) % most } else { 0 }).collect();
        let blocks = rows.div_ceil(BLOCK);
        let (long, lengths) = (vec![9; 2 * blocks as usize], vec![9; rows.div_ceil(4) as usize]);
        let mut buffers = vec![counts, vec![9; blocks as usize], long, lengths, vec![0; STATUS_WORDS]];
        for stage in [&stages::ROW_OFFSETS_SUM, &stages::ROW_OFFSETS] {
            check(device, stage, &params, blocks, &buffers);
            stage.run_twin(bytemuck::bytes_of(&params), 0..0, &mut buffers);
        }
    }
}

/// Long rows: no row is long, one is, some in some blocks, and all of them; with exactly enough capacity, with more, and with too
/// little.
pub(super) fn long_rows(device: &Device) {
    let kinds: [fn(u32) -> u32; 5] = [
        |k| k % 33,
        |k| if k == 2500 { 5000 } else { 1 },
        |k| if k / 2048 % 2 == 1 && k % 100 == 3 { 33 + mix(k) % 90 } else { mix(k) % 3 },
        |k| 32 + k % 2,
        |k| if k % 2048 == 2047 { 40 } else { 0 },
    ];
    for (length, rows) in kinds.into_iter().zip([100_u32, 5000, 9000, 600, 700_000]) {
        let mut ends = vec![0];
        let mut status = vec![0; STATUS_WORDS];
        let mut long_blocks = vec![0; 2 * rows.div_ceil(BLOCK) as usize];
        for row in 0..rows {
            let length = length(row);
            ends.push(ends[row as usize] + length);
            if length > SHORT_ROW {
                status[STATUS_LONG_ROWS] += 1;
                status[STATUS_LONG_HITS] += length;
                long_blocks[2 * (row / BLOCK) as usize] += 1;
                long_blocks[2 * (row / BLOCK) as usize + 1] += length;
            }
        }
        let (long, keys) = (status[STATUS_LONG_ROWS], status[STATUS_LONG_HITS]);
        for (rows_room, hits_room, overflowed) in [
            (long, keys, 0),
            (long + 300, keys + 700, 0),
            (long.saturating_sub(1), keys, 0),
            (long, keys.saturating_sub(1), 0),
            (long, keys, 1),
        ] {
            status[STATUS_BINS_OVERFLOWED] = overflowed;
            let params = long_rows::Params { rows, rows_room, hits_room };
            let empty = |n: u32| vec![0xdead_beef; n.max(2) as usize];
            let partners = (0..ends[rows as usize]).map(mix).collect();
            let mut buffers = vec![
                ends.clone(),
                long_blocks.clone(),
                empty(2 * rows_room),
                partners,
                empty(hits_room),
                empty(hits_room),
                status.clone(),
            ];
            for (stage, groups) in [
                (&stages::LONG_ROWS_LIST, rows.div_ceil(BLOCK)),
                (&stages::LONG_ROWS_COLLECT, hits_room.div_ceil(THREADS)),
                (&stages::LONG_ROWS_SPREAD, hits_room.div_ceil(THREADS)),
            ] {
                if groups > 0 {
                    check(device, stage, &params, groups, &buffers);
                    stage.run_twin(bytemuck::bytes_of(&params), 0..0, &mut buffers);
                }
                // Replaces the partners in the list, so that it is visible where they are spread to.
                if stage.name == "long_rows_collect" {
                    buffers[4].iter_mut().for_each(|partner| *partner = mix(*partner));
                }
            }
        }
    }
}

/// Patches of records of both sizes: one, some, and many in any order; among them all bodies that share a word of tags.
pub(super) fn patches(device: &Device) {
    for (changed, every) in [(1_u32, 7), (40, 3), (300, 1), (5000, 5)] {
        for (size, heading) in [(RECORD_WORDS as u32, 2), (4, 1)] {
            let bodies = changed * every;
            let order = |k: u32| k * 7 % changed * every;
            let word = |k: u32, word: u32| match word {
                0 => order(k),
                // The same value for all bodies that share the word of tags.
                1 if heading == 2 => mix(order(k) / 4),
                _ => mix(16 * k + word),
            };
            let mut patches: Vec<u32> =
                (0..changed).flat_map(|k| (0..size + heading).map(move |w| word(k, w))).collect();
            let words = patches.len() as u32;
            // The buffer contains words of an earlier patch behind these.
            patches.extend((0..40).map(|k| k % 12));
            let tags = vec![6; bodies.div_ceil(4) as usize];
            let buffers = [patches, vec![5; (size * bodies) as usize], tags, vec![0; STATUS_WORDS]];
            let params = patch_records::Params { words, record_words: size, heading_words: heading, first: 0 };
            check(device, &stages::PATCH_RECORDS, &params, words.div_ceil(THREADS), &buffers);
        }
    }
    // Poses of consecutive bodies of all kinds, from any body on.
    for (first, count) in [(0_u32, 1_u32), (3, 2), (5, 300), (0, 1000)] {
        let bodies = first + count + 2;
        let mut poses: Vec<u32> = (0..7 * count).map(mix).collect();
        let words = poses.len() as u32;
        poses.extend((0..40).map(mix));
        let kind = |k: u32| u8::try_from(mix(k) % 3).expect("a byte");
        let tags = (0..bodies.div_ceil(4)).map(|word| u32::from_le_bytes([0, 1, 2, 3].map(|k| kind(4 * word + k))));
        let buffers = [poses, vec![5; RECORD_WORDS * bodies as usize], tags.collect(), vec![0; STATUS_WORDS]];
        let params = patch_records::Params { words, record_words: 7, heading_words: 0, first };
        check(device, &stages::PATCH_RECORDS, &params, words.div_ceil(THREADS), &buffers);
    }
}
