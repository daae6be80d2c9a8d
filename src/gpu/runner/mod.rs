//! Running recordings: all dispatches in one submission, except that stages may run as their serial twins in between.

mod readback;
mod recording;
mod timestamps;
mod twins;

#[cfg(not(target_family = "wasm"))]
use readback::Late;
pub(crate) use readback::{Reading, Words, read_all};
pub(super) use readback::{awake, read};
use recording::{Command, Dispatch};
pub(crate) use recording::{MAX_WORKGROUPS, Recording};
use timestamps::Timestamps;
#[cfg(test)]
use twins::contents;
use twins::{run_twin, submit_so_far};

use std::time::Duration;

use super::buffer::{GrowBuffer, SizedBy};
use super::device::Device;
use super::failure::Attempt;
use super::resident::Belt;
use super::stages::{self, Stage};
use crate::Result;
use crate::clock::{Clock, Stopwatch};

/// Runs recordings, and owns the buffers for their uniforms and their read-back.
pub(crate) struct Runner {
    /// The uniforms of all commands of a recording.
    uniforms: GrowBuffer,
    staging: GrowBuffer,
    /// Takes what of a large last reading comes later.
    late: GrowBuffer,
    /// From how many bytes on a last reading is large.
    pub late_from: u64,
    /// The bind groups of earlier runs, by the index of their command: later queries mostly need the same ones, and queries of several kinds
    /// take turns.
    bind_groups: Vec<Vec<CachedBindGroup>>,
    /// Copies that come before the next recording, in one submission with it.
    pub copies: Vec<BufferCopy>,
    /// Names of the stages that run as their twins.
    pub twins: Vec<&'static str>,
    /// Whether to measure each dispatch with timestamps.
    pub profile: bool,
    /// Dispatches so far, of kernels and of twins.
    pub dispatched: u64,
    /// The time spent encoding commands since this was last set to zero.
    pub encoding: Duration,
    /// The laps of the query that uses the runner.
    pub clock: Clock,
    /// The time of each module's dispatches, if measured.
    pub times: Vec<(&'static str, Duration)>,
    /// Whether to run every kernel beside its twin, and to compare the buffers that they leave.
    #[cfg(test)]
    pub checked: bool,
    /// A fault to inject.
    #[cfg(test)]
    pub fault: Option<Fault>,
    /// The most workgroups in one dimension of a dispatch.
    #[cfg(test)]
    pub per_dimension: u32,
    /// Recordings run so far.
    #[cfg(test)]
    pub runs: u64,
    /// Those of which something was read in two pieces.
    #[cfg(test)]
    pub in_two_pieces: u64,
}

/// A fault that a test injects: dispatches of a stage get half of their workgroups.
#[cfg(test)]
pub(crate) struct Fault {
    pub stage: &'static str,
    /// How often the fault is still to happen, and how often it has happened.
    pub left: usize,
    pub happened: usize,
}

/// A copy of bytes from one buffer to another, each with the first byte in it.
pub(crate) struct BufferCopy {
    pub from: (wgpu::Buffer, u64),
    pub to: (wgpu::Buffer, u64),
    pub bytes: u64,
}

/// A bind group, with the stage and the buffers that it binds.
struct CachedBindGroup {
    stage: &'static Stage,
    buffers: Vec<wgpu::Buffer>,
    group: wgpu::BindGroup,
}

impl CachedBindGroup {
    /// Whether it binds these buffers for this stage.
    fn matches(&self, stage: &'static Stage, buffers: &[&wgpu::Buffer]) -> bool {
        std::ptr::eq(self.stage, stage) && self.buffers.iter().eq(buffers.iter().copied())
    }
}

/// A last reading of at least so many bytes may come in two pieces: the host is at work on the first while the second is on its way.
#[cfg(not(target_family = "wasm"))]
const LATE_FROM: u64 = 16 << 20;
/// In a browser all comes at once: there, nobody can wait for the rest.
#[cfg(target_family = "wasm")]
const LATE_FROM: u64 = u64::MAX;

/// The part of it that comes later: the host takes about one and a half times as long for a piece as it is on its way.
const LATE: (u64, u64) = (3, 5);

/// What was submitted.
struct Submitted {
    /// The timestamps of its dispatches if they are measured.
    queries: Option<Timestamps>,
    /// What the first piece of what is read waits for, and the second.
    early: wgpu::SubmissionIndex,
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "there all comes at once"))]
    late: Option<wgpu::SubmissionIndex>,
}

/// The most workgroups in one dimension of a dispatch: WebGPU's default limit. Larger dispatches use a second dimension.
pub(crate) const MAX_WORKGROUPS_PER_DIMENSION: u32 = 65_535;

/// The extents of a two-dimensional dispatch with at least `groups` workgroups, and fewer than one row too many.
fn grid(groups: u32) -> (u32, u32) {
    let rows = groups.div_ceil(MAX_WORKGROUPS_PER_DIMENSION);
    (groups.div_ceil(rows.max(1)), rows)
}

impl Runner {
    pub(crate) fn new() -> Self {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let reading = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self {
            uniforms: GrowBuffer::new("uniforms", usage, SizedBy::Input),
            staging: GrowBuffer::new("staging", reading, SizedBy::Findings),
            late: GrowBuffer::new("late staging", reading, SizedBy::Findings),
            late_from: LATE_FROM,
            bind_groups: Vec::new(),
            copies: Vec::new(),
            twins: Vec::new(),
            profile: false,
            dispatched: 0,
            encoding: Duration::ZERO,
            clock: Clock::start(),
            times: Vec::new(),
            #[cfg(test)]
            checked: false,
            #[cfg(test)]
            fault: None,
            #[cfg(test)]
            per_dimension: MAX_WORKGROUPS_PER_DIMENSION,
            #[cfg(test)]
            runs: 0,
            #[cfg(test)]
            in_two_pieces: 0,
        }
    }

    /// Runs a recording, then reads back parts of buffers.
    pub(crate) async fn run(
        &mut self,
        device: &Device,
        mut recording: Recording<'_>,
        readings: &[Reading<'_>],
    ) -> Attempt<Words> {
        if let Some(error) = recording.too_large.take() {
            return Err(error.into());
        }
        let (readings, late) = self.pieces(&recording, readings);
        self.reserve(device, &recording, &readings, late).await?;
        let uniforms = device.share("upload", recording.commands.len() as u64 * uniform_stride(device))?;
        // The device has done with what was used before when this recording has run.
        let used = if readings.is_empty() { Vec::new() } else { device.used_so_far() };
        let submitted = device.validated(|| self.submit(device, &recording, &readings, late)).await?;
        self.clock.lap("commands");
        #[cfg(not(target_family = "wasm"))]
        let late = submitted.late.map(|submission| Late::new(device, submission, self.late.buffer(), late));
        let on = (&device.device, &device.turns, awake(&device.adapter));
        let sizes = readings.iter().map(|(_, bytes)| *bytes);
        let words = read(on, Some(submitted.early), self.staging.buffer(), sizes).await?;
        #[cfg(not(target_family = "wasm"))]
        let words = words.with_late(late);
        self.clock.lap(if recording.commands.is_empty() { "read back" } else { "device" });
        drop(used);
        if readings.is_empty() {
            // Nobody has waited.
            device.keep(uniforms);
        }
        if let (Some(queries), Some(tick)) = (&submitted.queries, device.tick) {
            let ticks = read(on, None, &queries.readable, [queries.readable.size()]).await?;
            self.add_times(&recording, &bytemuck::pod_collect_to_vec(&ticks[0]), tick);
        }
        Ok(words)
    }

    /// What is read at once, and how many bytes of the last reading come later.
    fn pieces<'r>(&self, recording: &Recording<'_>, readings: &[Reading<'r>]) -> (Vec<Reading<'r>>, u64) {
        let mut readings = readings.to_vec();
        let large = readings.last_mut().filter(|(_, bytes)| recording.may_come_later && *bytes >= self.late_from);
        let late = large.map_or(0, |(_, bytes)| {
            let late = *bytes / 4 * LATE.0 / LATE.1 * 4;
            *bytes -= late;
            late
        });
        (readings, late)
    }

    /// Makes room for the uniforms of a recording and for its read-back.
    async fn reserve(
        &mut self,
        device: &Device,
        recording: &Recording<'_>,
        readings: &[Reading<'_>],
        late: u64,
    ) -> Attempt<()> {
        let uniforms = recording.commands.len() as u64 * uniform_stride(device);
        if self.uniforms.reserve(device, uniforms).await? {
            self.bind_groups.clear();
        }
        let total: u64 = readings.iter().map(|(_, bytes)| bytes.next_multiple_of(4)).sum();
        self.staging.reserve(device, total).await?;
        if late > 0 {
            self.late.reserve(device, late).await?;
        }
        Ok(())
    }

    /// Encodes and submits a recording, and what is copied to be read; the end of that by itself.
    fn submit(
        &mut self,
        device: &Device,
        recording: &Recording<'_>,
        readings: &[Reading<'_>],
        late: u64,
    ) -> Attempt<Submitted> {
        let start = Stopwatch::start();
        let (stride, steps) = (uniform_stride(device), recording.commands.len());
        device.queue.write_buffer(self.uniforms.buffer(), 0, &recording.uniforms(stride as usize));
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.encode_copies(&mut encoder);
        let measured = self.profile && steps > 0 && device.tick.is_some();
        let queries = measured.then(|| Timestamps::new(device, 2 * steps as u32));
        self.encode(device, recording, &mut encoder, queries.as_ref())?;
        #[cfg(test)]
        {
            self.runs += 1;
            self.in_two_pieces += u64::from(late > 0);
        }
        self.copy_to_staging(&mut encoder, readings);
        if let Some(queries) = &queries {
            queries.resolve(&mut encoder);
        }
        let commands = encoder.finish();
        let last = readings.last().filter(|_| late > 0);
        let rest = last.map(|(buffer, first)| {
            let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(buffer, *first, self.late.buffer(), 0, late);
            encoder.finish()
        });
        self.encoding += start.elapsed();
        let early = device.queue.submit([commands]);
        let late = rest.map(|commands| device.queue.submit([commands]));
        Ok(Submitted { queries, early, late })
    }

    /// Encodes a recording into an encoder of the caller's, its uniforms too.
    pub(crate) async fn record(
        &mut self,
        device: &Device,
        mut recording: Recording<'_>,
        (encoder, belt): (&mut wgpu::CommandEncoder, &mut Belt),
    ) -> Attempt<()> {
        if let Some(error) = recording.too_large.take() {
            return Err(error.into());
        }
        self.reserve(device, &recording, &[], 0).await?;
        let uniforms = recording.uniforms(uniform_stride(device) as usize);
        belt.write(device, encoder, (self.uniforms.buffer(), 0), &uniforms).await?;
        belt.finish(encoder);
        device.validated(|| self.encode(device, &recording, encoder, None)).await
    }

    /// Encodes the commands of a recording, whose uniforms are on their way.
    fn encode(
        &mut self,
        device: &Device,
        recording: &Recording<'_>,
        encoder: &mut wgpu::CommandEncoder,
        queries: Option<&Timestamps>,
    ) -> Attempt<()> {
        let (stride, steps) = (uniform_stride(device), recording.commands.len());
        self.bind_groups.resize_with(self.bind_groups.len().max(steps), Vec::new);
        device.compile(recording.commands.iter().filter_map(|command| match command {
            Command::Run(dispatch) if !self.twins.contains(&dispatch.stage.name) => Some(dispatch.stage),
            _ => None,
        }));
        let mut pass: Option<wgpu::ComputePass<'static>> = None;
        for (k, command) in recording.commands.iter().enumerate() {
            match command {
                Command::Clear(buffer, bytes) => {
                    drop(pass.take());
                    let end = bytes.end.min(buffer.size());
                    encoder.clear_buffer(buffer, bytes.start, Some(end.saturating_sub(bytes.start)));
                }
                Command::CopyWord(from, to, at) => {
                    drop(pass.take());
                    encoder.copy_buffer_to_buffer(from, *at, to, *at, 4);
                }
                Command::Run(dispatch) if self.twins.contains(&dispatch.stage.name) => {
                    drop(pass.take());
                    submit_so_far(device, encoder);
                    run_twin(device, recording.params_of(dispatch), dispatch)?;
                    self.dispatched += 1;
                }
                Command::Run(dispatch) => {
                    #[cfg(test)]
                    let before = if self.checked {
                        drop(pass.take());
                        submit_so_far(device, encoder);
                        Some(contents(device, &dispatch.buffers)?)
                    } else {
                        None
                    };
                    let groups = self.groups_of(dispatch);
                    let group = self.bind(device, dispatch, stride, k)?;
                    if queries.is_some() {
                        drop(pass.take());
                    }
                    let open = pass.get_or_insert_with(|| {
                        encoder
                            .begin_compute_pass(&wgpu::ComputePassDescriptor {
                                label: None,
                                timestamp_writes: queries.map(|queries| queries.writes(2 * k as u32)),
                            })
                            .forget_lifetime()
                    });
                    open.set_pipeline(&device.kernel(dispatch.stage)?.pipeline);
                    open.set_bind_group(0, &group, &[]);
                    let (x, y) = self.extents(dispatch.stage, groups);
                    open.dispatch_workgroups(x, y, 1);
                    self.dispatched += 1;
                    #[cfg(test)]
                    if let Some(before) = before {
                        drop(pass.take());
                        submit_so_far(device, encoder);
                        let after = contents(device, &dispatch.buffers)?;
                        let (params, units) = (recording.params_of(dispatch), dispatch.units.clone());
                        super::tests::compare(dispatch.stage, params, units, [before, after]);
                    }
                }
            }
        }
        drop(pass);
        Ok(())
    }

    /// The extents of a dispatch.
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "tests have smaller ones"))]
    fn extents(&self, stage: &Stage, groups: u32) -> (u32, u32) {
        // (There are always few workgroups of this one.)
        #[cfg(test)]
        if stage.name != stages::SORT_ADD.name {
            let rows = groups.div_ceil(self.per_dimension).max(1);
            return (groups.div_ceil(rows), rows);
        }
        let _ = stage;
        grid(groups)
    }

    fn encode_copies(&mut self, encoder: &mut wgpu::CommandEncoder) {
        for BufferCopy { from, to, bytes } in self.copies.drain(..) {
            encoder.copy_buffer_to_buffer(&from.0, from.1, &to.0, to.1, bytes);
        }
    }

    /// Submits the copies that wait for the next recording.
    pub(crate) fn submit_copies(&mut self, device: &Device) {
        if !self.copies.is_empty() {
            let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.encode_copies(&mut encoder);
            let _turn = device.turn();
            device.queue.submit([encoder.finish()]);
        }
    }

    /// The workgroups to dispatch: all of them, unless a test injects a fault.
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "faults are for tests"))]
    fn groups_of(&mut self, dispatch: &Dispatch<'_>) -> u32 {
        #[cfg(test)]
        if let Some(fault) = self.fault.as_mut().filter(|fault| fault.stage == dispatch.stage.name && fault.left > 0) {
            fault.left -= 1;
            fault.happened += 1;
            return dispatch.groups / 2;
        }
        dispatch.groups
    }

    /// Copies the parts of buffers to be read into the staging buffer.
    fn copy_to_staging(&self, encoder: &mut wgpu::CommandEncoder, readings: &[Reading<'_>]) {
        let mut at = 0;
        for (buffer, bytes) in readings {
            let bytes = bytes.next_multiple_of(4);
            encoder.copy_buffer_to_buffer(buffer, 0, self.staging.buffer(), at, bytes);
            at += bytes;
        }
    }

    /// The bind group of a dispatch, the `at`-th command of a recording, which is created unless there is one.
    fn bind(&mut self, device: &Device, dispatch: &Dispatch<'_>, stride: u64, at: usize) -> Result<wgpu::BindGroup> {
        let Dispatch { stage, buffers, .. } = dispatch;
        if let Some(cached) = self.bind_groups[at].iter().find(|cached| cached.matches(stage, buffers)) {
            return Ok(cached.group.clone());
        }
        if self.bind_groups[at].iter().any(|cached| std::ptr::eq(cached.stage, *stage)) {
            // A buffer is another by now: bind groups that nobody needs again must not keep it.
            self.bind_groups.iter_mut().for_each(Vec::clear);
        }
        let uniform = wgpu::BufferBinding {
            buffer: self.uniforms.buffer(),
            offset: at as u64 * stride,
            size: std::num::NonZeroU64::new(stage.module.uniform_size()),
        };
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(uniform) }];
        entries.extend(
            (1..)
                .zip(buffers)
                .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }),
        );
        let layout = &device.kernel(stage)?.layout;
        #[cfg(test)]
        device.made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(stage.name),
            layout,
            entries: &entries,
        });
        let buffers = buffers.iter().map(|buffer| (*buffer).clone()).collect();
        self.bind_groups[at].push(CachedBindGroup { stage, buffers, group: group.clone() });
        Ok(group)
    }

    /// Adds the duration of each dispatch to the time of its module.
    fn add_times(&mut self, recording: &Recording<'_>, ticks: &[u64], tick: f32) {
        for (k, command) in recording.commands.iter().enumerate() {
            if let Command::Run(Dispatch { stage, .. }) = command {
                let nanoseconds = ticks[2 * k + 1].saturating_sub(ticks[2 * k]) as f64 * f64::from(tick);
                self.add_time(stage.module.name, Duration::from_nanos(nanoseconds as u64));
            }
        }
    }

    fn add_time(&mut self, name: &'static str, time: Duration) {
        match self.times.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += time,
            None => self.times.push((name, time)),
        }
    }

    /// From now on, commands of the caller's may use the buffers after they were freed here.
    pub(crate) fn lend(&mut self) {
        self.uniforms.lend();
        self.staging.lend();
        self.late.lend();
    }

    pub(crate) fn release(&mut self) {
        self.bind_groups.clear();
        self.uniforms.release();
        self.staging.release();
        self.late.release();
    }
}

/// Bytes from one uniform to the next: the largest uniform, rounded up to the device's alignment.
fn uniform_stride(device: &Device) -> u64 {
    let limits = &device.limits;
    // Both are powers of two.
    let alignment = limits.min_uniform_buffer_offset_alignment.max(limits.min_storage_buffer_offset_alignment);
    stages::largest_uniform().next_multiple_of(u64::from(alignment))
}

#[cfg(test)]
mod tests {
    use super::grid;

    #[test]
    fn a_grid_has_at_least_the_groups() {
        for groups in [1, 2, 65_535, 65_536, 65_537, 1_000_000, 134_217_728] {
            let (x, y) = grid(groups);
            assert!(x <= 65_535 && u64::from(x) * u64::from(y) >= u64::from(groups), "{groups}");
            assert!(u64::from(x) * u64::from(y) < u64::from(groups) + u64::from(y), "{groups}");
        }
    }
}
