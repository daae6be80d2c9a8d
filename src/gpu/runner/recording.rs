//! Lists of commands for the device.

use std::ops::Range;

use crate::Error;
use crate::gpu::ledger::Ledger;
use crate::gpu::params::{Params, Step};
use crate::gpu::stages::Stage;

/// Something that the device is to do.
pub(super) enum Command<'a> {
    Clear(&'a wgpu::Buffer, Range<u64>),
    Run(Dispatch<'a>),
}

/// A stage that is to be run.
pub(super) struct Dispatch<'a> {
    pub(super) stage: &'static Stage,
    /// Which of the params it is told.
    pub(super) params: usize,
    pub(super) step: Step,
    pub(super) groups: u32,
    /// What it signs for in the ledger.
    pub(super) units: Range<u64>,
    pub(super) buffers: Vec<&'a wgpu::Buffer>,
}

/// What the device is to do, in order.
#[derive(Default)]
pub(crate) struct Recording<'a> {
    pub(super) params: Vec<Params>,
    pub(super) commands: Vec<Command<'a>>,
    /// What is due when all of it is done.
    pub ledger: Ledger,
    /// A dispatch with more workgroups than there are numbers for.
    pub(super) too_large: Option<Error>,
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
    pub(super) fn uniforms(&self, stride: usize) -> Vec<u8> {
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

/// The most workgroups of a dispatch: kernels number them, and groups of threads within them, in 32 bits. What may need more is
/// split by whoever records it.
pub(crate) const MOST_NUMBERED: u64 = 1 << 29;
