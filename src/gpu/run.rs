//! Lists of dispatches, and how they are run: in one submission, or with the twin of a stage in its place.

use std::future::Future;
use std::ops::{Index, Range};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use super::device::Device;
use super::ledger::Ledger;
use super::params::{Params, Step};
use super::slab::Slab;
use super::stages::{Binding, Stage};
use crate::{Error, Result};

/// Something that the device is to do.
enum Command<'a> {
    Clear(&'a wgpu::Buffer, Range<u64>),
    Run(Dispatch<'a>),
}

/// A stage that is to be run.
struct Dispatch<'a> {
    stage: &'static Stage,
    /// Which of the params it is told.
    params: usize,
    step: Step,
    groups: u32,
    /// What it signs for in the ledger.
    units: Range<u64>,
    buffers: Vec<&'a wgpu::Buffer>,
}

/// What the device is to do, in order.
#[derive(Default)]
pub(crate) struct Recording<'a> {
    params: Vec<Params>,
    commands: Vec<Command<'a>>,
    /// What is due when all of it is done.
    pub ledger: Ledger,
    /// A dispatch with more workgroups than there are numbers for.
    too_large: Option<Error>,
}

impl<'a> Recording<'a> {
    /// What the dispatches from here on are told.
    pub(crate) fn params(&mut self, params: &Params) {
        self.params.push(*params);
    }

    /// Sets these bytes of a buffer to zero.
    pub(crate) fn clear(&mut self, buffer: &'a wgpu::Buffer, bytes: Range<u64>) {
        self.commands.push(Command::Clear(buffer, bytes));
    }

    /// All params, then the step of each command, `stride` bytes apart.
    fn uniforms(&self, stride: usize) -> Vec<u8> {
        let mut bytes = vec![0; (self.params.len() + self.commands.len()) * stride];
        let mut write = |at: usize, part: &[u8]| bytes[at * stride..at * stride + part.len()].copy_from_slice(part);
        for (k, params) in self.params.iter().enumerate() {
            write(k, bytemuck::bytes_of(params));
        }
        for (k, command) in self.commands.iter().enumerate() {
            if let Command::Run(dispatch) = command {
                write(self.params.len() + k, bytemuck::bytes_of(&dispatch.step));
            }
        }
        bytes
    }

    /// Runs a stage with so many workgroups, each of which signs in the ledger.
    pub(crate) fn run(
        &mut self,
        stage: &'static Stage,
        step: Step,
        groups: impl Into<u64>,
        buffers: &[&'a wgpu::Buffer],
    ) {
        let groups = groups.into();
        self.run_units(stage, step, groups, 0..groups, buffers);
    }

    /// Runs a stage with so many workgroups, which sign for these units of work. A dispatch that kernels could not number is not cut
    /// short: the recording fails when it is run.
    pub(crate) fn run_units(
        &mut self,
        stage: &'static Stage,
        step: Step,
        groups: u64,
        units: Range<u64>,
        buffers: &[&'a wgpu::Buffer],
    ) {
        if groups > MOST_NUMBERED {
            let error = Error::DeviceMemory { what: stage.name, needed: groups, limit: MOST_NUMBERED };
            self.too_large.get_or_insert(error);
        } else if groups > 0 {
            let params = self.params.len() - 1;
            self.ledger.expect(stage, units.clone());
            let (groups, buffers) = (groups as u32, buffers.to_vec());
            self.commands.push(Command::Run(Dispatch { stage, params, step, groups, units, buffers }));
        }
    }
}

/// How a recording is run.
pub(crate) struct Runner {
    /// Params and steps, one after the other.
    uniforms: Slab,
    staging: Slab,
    /// What was bound in the last run, dispatch by dispatch: queries repeat themselves.
    bound: Vec<Option<Bound>>,
    /// Stages that run as their twin.
    pub twins: Vec<&'static str>,
    /// Whether to measure each stage by the device's clock.
    pub profile: bool,
    /// Dispatches so far, of kernels and of twins.
    pub dispatched: u64,
    /// The time it took to write commands, since this was set.
    pub encoding: Duration,
    /// The time of each stage, if measured.
    pub times: Vec<(&'static str, Duration)>,
    /// Runs every kernel beside its twin, and compares what they did.
    #[cfg(test)]
    pub checked: bool,
    /// Cuts dispatches of a stage short.
    #[cfg(test)]
    pub fault: Option<Fault>,
    /// Recordings so far.
    #[cfg(test)]
    pub runs: u64,
}

/// A fault that a test injects: dispatches of a stage get half of their workgroups.
#[cfg(test)]
pub(crate) struct Fault {
    pub stage: &'static str,
    /// How often it is still to happen, and has happened.
    pub left: usize,
    pub happened: usize,
}

/// A bind group, and what it was made of.
struct Bound {
    stage: &'static Stage,
    params: usize,
    count: usize,
    buffers: Vec<wgpu::Buffer>,
    group: wgpu::BindGroup,
}

impl Bound {
    /// Whether it was made of these.
    fn is(&self, stage: &'static Stage, params: usize, count: usize, buffers: &[&wgpu::Buffer]) -> bool {
        std::ptr::eq(self.stage, stage)
            && (self.params, self.count) == (params, count)
            && self.buffers.iter().eq(buffers.iter().copied())
    }
}

/// A part of a buffer to be read: where from, and how many bytes.
pub(crate) type Reading<'a> = (&'a wgpu::Buffer, u64);

/// What was read, reading by reading, where the device has put it. Until this is dropped, the runner cannot run again.
#[derive(Default)]
pub(crate) struct Words {
    mapped: Option<(wgpu::Buffer, wgpu::BufferView)>,
    /// Where in the view each reading is.
    parts: Vec<Range<usize>>,
}

impl Index<usize> for Words {
    type Output = [u32];

    fn index(&self, reading: usize) -> &[u32] {
        let bytes = self.parts[reading].clone();
        self.mapped.as_ref().map_or(&[], |(_, view)| bytemuck::cast_slice(&view[bytes]))
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if let Some((buffer, view)) = self.mapped.take() {
            drop(view);
            buffer.unmap();
        }
    }
}

/// The most workgroups of a dispatch: kernels number them, and groups of threads within them, in 32 bits. What may need more is
/// split by whoever records it.
pub(crate) const MOST_NUMBERED: u64 = 1 << 29;

/// More workgroups than this go into a second dimension.
pub(crate) const MOST_GROUPS: u32 = 65_535;

/// Workgroups in two dimensions: at least `groups`.
fn grid(groups: u32) -> (u32, u32) {
    let rows = groups.div_ceil(MOST_GROUPS);
    (groups.div_ceil(rows.max(1)), rows)
}

impl Runner {
    pub(crate) fn new() -> Self {
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let reading = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        Self {
            uniforms: Slab::new("uniforms", usage),
            staging: Slab::new("staging", reading),
            bound: Vec::new(),
            twins: Vec::new(),
            profile: false,
            dispatched: 0,
            encoding: Duration::ZERO,
            times: Vec::new(),
            #[cfg(test)]
            checked: false,
            #[cfg(test)]
            fault: None,
            #[cfg(test)]
            runs: 0,
        }
    }

    /// Runs a recording, and reads parts of buffers when it is done.
    pub(crate) async fn run(
        &mut self,
        device: &Device,
        mut recording: Recording<'_>,
        readings: &[Reading<'_>],
        block: bool,
    ) -> Result<Words> {
        if let Some(error) = recording.too_large.take() {
            return Err(error);
        }
        let queries = device.validated(|| self.submit(device, &recording, readings))?;
        let words = read(device, self.staging.buffer(), readings.iter().map(|(_, bytes)| *bytes), block).await?;
        if let (Some(queries), Some(tick)) = (&queries, device.tick) {
            let ticks = read(device, &queries.readable, [queries.readable.size()], block).await?;
            self.add_times(&recording, &bytemuck::pod_collect_to_vec(&ticks[0]), tick);
        }
        Ok(words)
    }

    /// Writes the commands of a recording and submits them; where the times of stages will be, if they are measured.
    fn submit(
        &mut self,
        device: &Device,
        recording: &Recording<'_>,
        readings: &[Reading<'_>],
    ) -> Result<Option<Timestamps>> {
        let start = Instant::now();
        let alignment = u64::from(device.limits.min_uniform_buffer_offset_alignment);
        let stride = (size_of::<Params>() as u64).next_multiple_of(alignment);
        let steps = recording.commands.len();
        let uniforms = recording.uniforms(stride as usize);
        if self.uniforms.reserve(device, uniforms.len() as u64)? {
            self.bound.clear();
        }
        self.bound.resize_with(self.bound.len().max(steps), || None);
        device.queue.write_buffer(self.uniforms.buffer(), 0, &uniforms);
        let total: u64 = readings.iter().map(|(_, bytes)| bytes.next_multiple_of(4)).sum();
        self.staging.reserve(device, total)?;

        device.compile(recording.commands.iter().filter_map(|command| match command {
            Command::Run(dispatch) if !self.twins.contains(&dispatch.stage.name) => Some(dispatch.stage),
            _ => None,
        }));
        let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let measured = self.profile && steps > 0 && device.tick.is_some();
        let queries = measured.then(|| Timestamps::new(device, 2 * steps as u32));
        let mut pass: Option<wgpu::ComputePass<'static>> = None;
        for (k, command) in recording.commands.iter().enumerate() {
            match command {
                Command::Clear(buffer, bytes) => {
                    drop(pass.take());
                    let end = bytes.end.min(buffer.size());
                    encoder.clear_buffer(buffer, bytes.start, Some(end.saturating_sub(bytes.start)));
                }
                Command::Run(dispatch) if self.twins.contains(&dispatch.stage.name) => {
                    drop(pass.take());
                    submit_so_far(device, &mut encoder);
                    run_twin(device, &recording.params[dispatch.params], dispatch)?;
                    self.dispatched += 1;
                }
                Command::Run(dispatch) => {
                    #[cfg(test)]
                    let before = if self.checked {
                        drop(pass.take());
                        submit_so_far(device, &mut encoder);
                        Some(contents(device, &dispatch.buffers)?)
                    } else {
                        None
                    };
                    let groups = self.groups_of(dispatch);
                    self.bind(device, dispatch, stride, (recording.params.len(), k))?;
                    if queries.is_some() {
                        drop(pass.take());
                    }
                    let open = pass.get_or_insert_with(|| {
                        encoder
                            .begin_compute_pass(&wgpu::ComputePassDescriptor {
                                label: None,
                                timestamp_writes: queries.as_ref().map(|queries| queries.writes(2 * k as u32)),
                            })
                            .forget_lifetime()
                    });
                    open.set_pipeline(&device.kernel(dispatch.stage)?.pipeline);
                    open.set_bind_group(0, self.bound[k].as_ref().map(|bound| &bound.group), &[]);
                    let (x, y) = grid(groups);
                    open.dispatch_workgroups(x, y, 1);
                    self.dispatched += 1;
                    #[cfg(test)]
                    if let Some(before) = before {
                        drop(pass.take());
                        submit_so_far(device, &mut encoder);
                        let after = contents(device, &dispatch.buffers)?;
                        let (params, units) = (&recording.params[dispatch.params], dispatch.units.clone());
                        super::tests::compare(dispatch.stage, params, dispatch.step, units, [&before, &after]);
                    }
                }
            }
        }
        drop(pass);
        #[cfg(test)]
        {
            self.runs += 1;
        }
        self.copy_to_staging(&mut encoder, readings);
        if let Some(queries) = &queries {
            queries.resolve(&mut encoder);
        }
        let commands = encoder.finish();
        self.encoding += start.elapsed();
        device.queue.submit([commands]);
        device.check()?;
        Ok(queries)
    }

    /// How many workgroups a dispatch is given: all of them, but for faults that tests inject.
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

    /// Copies what is to be read to where the host can.
    fn copy_to_staging(&self, encoder: &mut wgpu::CommandEncoder, readings: &[Reading<'_>]) {
        let mut at = 0;
        for (buffer, bytes) in readings {
            let bytes = bytes.next_multiple_of(4);
            encoder.copy_buffer_to_buffer(buffer, 0, self.staging.buffer(), at, bytes);
            at += bytes;
        }
    }

    /// Makes the bind group of a dispatch, the `at`-th command of a recording with `count` params, unless it is still there from the
    /// last run.
    fn bind(
        &mut self,
        device: &Device,
        dispatch: &Dispatch<'_>,
        stride: u64,
        (count, at): (usize, usize),
    ) -> Result<()> {
        let Dispatch { stage, params, buffers, .. } = dispatch;
        if self.bound[at].as_ref().is_some_and(|bound| bound.is(stage, *params, count, buffers)) {
            return Ok(());
        }
        let part = |at: usize, size: u64| {
            wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: self.uniforms.buffer(),
                offset: at as u64 * stride,
                size: std::num::NonZeroU64::new(size),
            })
        };
        let mut entries =
            vec![wgpu::BindGroupEntry { binding: 0, resource: part(*params, size_of::<Params>() as u64) }];
        let mut rest = buffers.iter();
        for (k, binding) in stage.module.bindings.iter().enumerate() {
            let resource = match binding {
                Binding::Step => part(count + at, 16),
                _ => match rest.next() {
                    Some(buffer) => buffer.as_entire_binding(),
                    None => continue,
                },
            };
            entries.push(wgpu::BindGroupEntry { binding: k as u32 + 1, resource });
        }
        let layout = &device.kernel(stage)?.layout;
        let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(stage.name),
            layout,
            entries: &entries,
        });
        let buffers = buffers.iter().map(|buffer| (*buffer).clone()).collect();
        self.bound[at] = Some(Bound { stage, params: *params, count, buffers, group });
        Ok(())
    }

    /// Takes down how long each command took, from when it began and ended.
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

    pub(crate) fn release(&mut self) {
        self.bound.clear();
        self.uniforms.release();
        self.staging.release();
    }
}

/// When each dispatch begins and ends.
struct Timestamps {
    set: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
    count: u32,
}

impl Timestamps {
    fn new(device: &Device, count: u32) -> Self {
        let buffer = |usage| {
            device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: u64::from(count) * 8,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            set: device.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            count,
        }
    }

    fn writes(&self, at: u32) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(at),
            end_of_pass_write_index: Some(at + 1),
        }
    }

    fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.set, 0..self.count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, u64::from(self.count) * 8);
    }
}

/// Submits what was encoded, so that what follows finds it done.
fn submit_so_far(device: &Device, encoder: &mut wgpu::CommandEncoder) {
    let next = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    device.queue.submit([std::mem::replace(encoder, next).finish()]);
}

/// All words of some buffers.
fn contents(device: &Device, buffers: &[&wgpu::Buffer]) -> Result<Vec<Vec<u32>>> {
    buffers.iter().map(|buffer| read_all(device, buffer)).collect()
}

/// Runs the twin of a stage on copies of its buffers, and writes back what it may write.
fn run_twin(device: &Device, params: &Params, dispatch: &Dispatch<'_>) -> Result<()> {
    let Dispatch { stage, step, units, buffers, .. } = dispatch;
    let mut contents = contents(device, buffers)?;
    stage.run_twin(params, *step, units.clone(), &mut contents);
    let kinds = stage.module.bindings.iter().filter(|binding| **binding != Binding::Step);
    for ((binding, buffer), words) in kinds.zip(buffers).zip(&contents) {
        if *binding == Binding::Write {
            device.queue.write_buffer(buffer, 0, bytemuck::cast_slice(words));
        }
    }
    Ok(())
}

/// All words of a buffer.
pub(crate) fn read_all(device: &Device, buffer: &wgpu::Buffer) -> Result<Vec<u32>> {
    let staging = device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("staging"),
        size: buffer.size(),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
    device.queue.submit([encoder.finish()]);
    Ok(pollster::block_on(read(device, &staging, [buffer.size()], true))?[0].to_vec())
}

fn lost(reason: impl std::fmt::Display) -> Error {
    Error::Device { reason: reason.to_string() }
}

/// What lies in a mappable buffer: readings of these sizes, one after the other.
async fn read(
    device: &Device,
    buffer: &wgpu::Buffer,
    sizes: impl IntoIterator<Item = u64>,
    block: bool,
) -> Result<Words> {
    let mut end = 0;
    let mut parts = Vec::new();
    for bytes in sizes {
        let start = end;
        end += bytes.next_multiple_of(4);
        parts.push(start as usize..end as usize);
    }
    if end == 0 {
        return Ok(Words { mapped: None, parts });
    }
    let done: Arc<Mutex<Option<Result<(), wgpu::BufferAsyncError>>>> = Arc::default();
    let signal = Arc::clone(&done);
    buffer.map_async(wgpu::MapMode::Read, 0..end, move |result| {
        *signal.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    });
    if block {
        wait(device, &done)?;
    }
    Mapped { device, done }.await?;
    let view = buffer.get_mapped_range(0..end).map_err(lost)?;
    Ok(Words { mapped: Some((buffer.clone(), view)), parts })
}

/// How long it is asked again and again whether the device is done, before this thread sleeps: waking up takes it about as long as
/// a small query takes the device.
const AWAKE: Duration = Duration::from_micros(500);

/// Waits until a buffer is mapped.
fn wait(device: &Device, done: &Mutex<Option<Result<(), wgpu::BufferAsyncError>>>) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < AWAKE {
        device.device.poll(wgpu::PollType::Poll).map_err(lost)?;
        if done.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return Ok(());
        }
        std::hint::spin_loop();
    }
    device.device.poll(wgpu::PollType::wait_indefinitely()).map_err(lost)?;
    Ok(())
}

/// Ready when a buffer is mapped.
struct Mapped<'a> {
    device: &'a Device,
    done: Arc<Mutex<Option<Result<(), wgpu::BufferAsyncError>>>>,
}

impl Future for Mapped<'_> {
    type Output = Result<()>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Where there is no event loop that does it, somebody has to ask the device how far it is.
        if let Err(error) = self.device.device.poll(wgpu::PollType::Poll) {
            return Poll::Ready(Err(lost(error)));
        }
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner).take();
        if done.is_none() {
            context.waker().wake_by_ref();
        }
        done.map_or(Poll::Pending, |result| Poll::Ready(result.map_err(lost)))
    }
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
