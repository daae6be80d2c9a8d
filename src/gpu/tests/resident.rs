//! Recorded queries: every dispatch beside its twin, and frames that make nothing new.

use std::sync::atomic::Ordering;

use super::super::Ask;
use super::super::abi::{BINS, STATUS_HITS};
use super::super::resident::{BodySource, RecordOptions, Resident};
use super::super::workspace::Narrow;
use super::super::{Gpu, lock};
use super::changes::cpu;
use crate::parallel::Pool;
use crate::scenes::{SEED, Scene, random};
use crate::{Bodies, Result};

/// Records and submits contacts of a set whose positions a buffer has. Returns the number of pairs, if there was room.
fn frame(
    gpu: &Gpu,
    pool: &Pool,
    resident: &mut Resident,
    bodies: &Bodies,
    source: &[BodySource],
) -> Result<Option<u32>> {
    let options = RecordOptions::new().sources(source);
    let ask = Ask { searching: None, searched: bodies, narrow: Narrow::Filter, contacts: Some(4), options: &options };
    let mut encoder = gpu.device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    pollster::block_on(resident.record(gpu, pool, &ask, &mut encoder))?;
    gpu.device.queue.submit([encoder.finish()]);
    gpu.device.device.poll(wgpu::PollType::wait_indefinitely()).expect("it ends");
    let end = resident.take_back().pop().expect("a status");
    end.ledger?;
    Ok(end.complete.then(|| end.status[STATUS_HITS..STATUS_HITS + BINS].iter().sum()))
}

/// A buffer with the positions of all bodies, as shaders might have written them.
fn positions(gpu: &Gpu, bodies: &Bodies) -> BodySource {
    let numbers: Vec<[f32; 6]> = (0..bodies.id_bound())
        .map(|id| {
            let record = bodies.records()[id];
            std::array::from_fn(|k| record[k])
        })
        .collect();
    let buffer = gpu.device.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 24 * numbers.len() as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    gpu.device.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(numbers.as_flattened()));
    BodySource::new(&buffer, 0..bodies.id_bound() as u32, 24).position_at(0).extents_at(12)
}

/// Recorded searches of bodies that shaders have written, with every dispatch beside its twin.
pub(super) fn beside_twins(gpu: &Gpu, pool: &Pool) {
    let cpu = cpu();
    let mut resident = Resident::new();
    resident.workspace.runner.checked = true;
    for bodies in [random(41, 900).expect("a scene"), Scene::Stacks.build(800, SEED).expect("a scene")] {
        let sources = [positions(gpu, &bodies)];
        let expected = cpu.overlaps(&bodies).run().expect("pairs").len() as u32;
        let found = (0..20).find_map(|_| frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame"));
        // (Some may still be undecided.)
        assert!(found.is_some_and(|found| found >= expected), "{found:?}, {expected}");
    }
}

/// After a few frames, a frame makes no buffer, no bind group and no pipeline.
pub(super) fn frames_make_nothing_new(gpu: &Gpu, pool: &Pool) {
    let bodies = Scene::Uniform.build(3000, SEED).expect("a scene");
    let (mut resident, sources) = (Resident::new(), [positions(gpu, &bodies)]);
    let least = cpu().overlaps(&bodies).run().expect("pairs").len() as u32;
    while frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame").is_none() {}
    for _ in 0..3 {
        frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame");
    }
    let made = || (gpu.device.made.load(Ordering::Relaxed), gpu.device.kernels_built());
    let before = made();
    let expected = frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame");
    // (Some may still be undecided.)
    assert!(expected.is_some_and(|pairs| (least..least + 10).contains(&pairs)), "{expected:?}, {least}");
    for _ in 0..if crate::is_long_test() { 100 } else { 20 } {
        assert_eq!(frame(gpu, pool, &mut resident, &bodies, &sources).expect("a frame"), expected);
    }
    assert_eq!(made(), before, "made in later frames");
    assert!(lock(&gpu.residents).is_empty());
}
