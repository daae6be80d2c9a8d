//! Kernels on buffer contents that no query produces.

use super::super::abi::{
    ABSENT, BUCKET_WORDS, BUCKETS, KINDS, ORDERED, PARTNER_ID, SCATTERED, STATUS_BINS_OVERFLOWED, STATUS_CANDIDATES,
    STATUS_CARRY, STATUS_HITS, STATUS_WORDS, TAG_ENABLED, THREADS, WIDTH, find_pairs, scatter_hits, sort_rows,
};
use super::super::device::Device;
use super::super::runner::Runner;
use super::super::stages;
use super::buffers::{check, mix, record, upload};

/// Runs kernels on buffer contents that no query produces: too little room, all slots empty, one row for all hits, words of all
/// ones.
pub(super) fn adversarial_buffers(device: &Device) {
    // Unsorted hits of two rows, each with a bin of its own, half of them marked, of which only some find room.
    for (hits, room) in [(700_u32, 1000_u32), (700, 300), (5000, 5000), (60, 80), (1, 1)] {
        let mut status = vec![0; STATUS_WORDS];
        let counts = [hits / 2, hits - hits / 2];
        status[STATUS_HITS..STATUS_HITS + 2].copy_from_slice(&counts);
        status[STATUS_BINS_OVERFLOWED] = u32::from(counts[1] > room);
        let params = scatter_hits::Params {
            bin_first: std::array::from_fn(|bin| bin as u32 * room.next_multiple_of(SCATTERED)),
            bin_size: std::array::from_fn(|bin| if bin < 2 { room } else { 0 }),
        };
        let mut words = vec![ABSENT; 4 * room.next_multiple_of(SCATTERED) as usize];
        for (row, (count, first)) in counts.into_iter().zip(params.bin_first).enumerate() {
            for k in 0..count.min(room) {
                let at = 2 * (first + k) as usize;
                let partner = (mix(k) & 0xffff_fff0 | (k & 15)) & PARTNER_ID | (k & 1) << 31 | (k & 2) << 29;
                words[at..at + 2].copy_from_slice(&[row as u32, partner]);
            }
        }
        let mut buffers = vec![vec![0, 0, counts[0]], words, vec![0; 2 * room as usize], status];
        check(device, &stages::SCATTER_HITS, &params, 2 * room.div_ceil(SCATTERED), &buffers);
        stages::SCATTER_HITS.run_twin(bytemuck::bytes_of(&params), 0..0, &mut buffers);
        buffers.remove(1);
        for stage in [&stages::SORT_ROWS, &stages::SORT_FULL_ROWS] {
            check(device, stage, &sort_rows::Params { rows: 2 }, 1, &buffers);
        }
    }
    // Rows of all lengths: more partners than fit into workgroup memory, and fewer.
    for (rows, most) in [(1000_u32, 33), (1000, 3), (256, 16), (257, 20)] {
        let mut ends = vec![0];
        (0..rows).for_each(|row| ends.push(ends[row as usize] + mix(row) % (most + 1)));
        let params = sort_rows::Params { rows };
        let partners: Vec<u32> = (0..ends[rows as usize]).map(|k| mix(k) & (PARTNER_ID >> 4) | (k & 3) << 30).collect();
        let buffers = [ends, partners, vec![0; STATUS_WORDS]];
        for stage in [&stages::SORT_ROWS, &stages::SORT_FULL_ROWS] {
            check(device, stage, &params, rows.div_ceil(THREADS), &buffers);
        }
    }
    // Once with all slots empty, once with a body in every slot whose bounds contain everything.
    for id in [ABSENT, 5] {
        let slots = 4 * WIDTH as usize;
        let (low, high) = if id == ABSENT { (f32::MAX, -f32::MAX) } else { (-f32::MAX, f32::MAX) };
        let mut boxes = Vec::new();
        for slot in 0..slots as u32 {
            let id = if id == ABSENT { ABSENT } else { slot };
            boxes.extend([low.to_bits(), low.to_bits(), low.to_bits(), id]);
            boxes.extend([high.to_bits(), high.to_bits(), high.to_bits(), TAG_ENABLED | (slot % KINDS as u32)]);
        }
        let mut nodes: Vec<u32> = boxes[..8 * 7].to_vec();
        for node in nodes.chunks_exact_mut(8) {
            (node[3], node[7]) = (0, ABSENT);
        }
        for size in [2000, 3] {
            let params = find_pairs::Params {
                flags: ORDERED,
                end_cluster: 4,
                level_first: [0, 4, 5, 6],
                level_count: [4, 1, 1, 1],
                bucket_first: std::array::from_fn(|k| k as u32 * size),
                bucket_size: [size; BUCKET_WORDS],
                only_bucket: ABSENT,
                unfinished_room: 4,
                iteration_limit: 40_000,
                ..bytemuck::Zeroable::zeroed()
            };
            let buffers = vec![
                boxes.clone(),
                nodes.clone(),
                vec![0; 4],
                vec![0; 4],
                vec![0; 2 * BUCKETS * size as usize],
                vec![0; 8],
                vec![0; STATUS_WORDS],
            ];
            for stage in [&stages::FIND_PAIRS, &stages::ALL_PAIRS] {
                check(device, stage, &params, 4, &buffers);
            }
            // A counter that overflows sets the carry.
            let mut full = buffers;
            full[6][STATUS_CANDIDATES..STATUS_CANDIDATES + BUCKETS].fill(u32::MAX - 2);
            if id != ABSENT {
                overflow(device, &params, &full);
            }
        }
    }
}

fn overflow(device: &Device, params: &find_pairs::Params, buffers: &[Vec<u32>]) {
    let mut runner = Runner::new();
    let uploaded = upload(device, buffers);
    let recording = record(&stages::FIND_PAIRS, params, 4, &uploaded);
    let status = uploaded.last().expect("the status block").buffer();
    let readings = [(status, 4 * STATUS_WORDS as u64)];
    let read = pollster::block_on(runner.run(device, recording, &readings)).expect("it runs");
    assert!(read[0][STATUS_CARRY] > 0, "a counter went beyond its end unnoticed");
}
