//! Lists of commands for the device.

use std::ops::Range;

use crate::Error;
use crate::gpu::abi::{BufferList, KernelModule};
use crate::gpu::ledger::Ledger;
use crate::gpu::stages::{Kernel, Stage};

/// Something that the device is to do.
pub(super) enum Command<'a> {
    Clear(&'a wgpu::Buffer, Range<u64>),
    Run(Dispatch<'a>),
}

/// A stage that is to be run.
pub(super) struct Dispatch<'a> {
    pub(super) stage: &'static Stage,
    /// Where its params lie among those of the recording.
    pub(super) params: Range<usize>,
    pub(super) groups: u32,
    /// What it signs for in the ledger.
    pub(super) units: Range<u64>,
    pub(super) buffers: Vec<&'a wgpu::Buffer>,
}

/// What the device is to do, in order.
#[derive(Default)]
pub(crate) struct Recording<'a> {
    /// The params of all dispatches, one after the other.
    params: Vec<u8>,
    pub(super) commands: Vec<Command<'a>>,
    /// What is due when all of it is done.
    pub ledger: Ledger,
    /// A dispatch with more workgroups than there are numbers for.
    pub(super) too_large: Option<Error>,
}

impl<'a> Recording<'a> {
    /// Sets these bytes of a buffer to zero.
    pub(crate) fn clear(&mut self, buffer: &'a wgpu::Buffer, bytes: Range<u64>) {
        self.commands.push(Command::Clear(buffer, bytes));
    }

    /// The uniforms of all commands, `stride` bytes apart.
    pub(super) fn uniforms(&self, stride: usize) -> Vec<u8> {
        let mut bytes = vec![0; self.commands.len() * stride];
        for (slot, command) in bytes.chunks_exact_mut(stride).zip(&self.commands) {
            if let Command::Run(dispatch) = command {
                slot[..dispatch.params.len()].copy_from_slice(self.params_of(dispatch));
            }
        }
        bytes
    }

    /// The bytes of the params of a dispatch.
    pub(super) fn params_of(&self, dispatch: &Dispatch<'_>) -> &[u8] {
        &self.params[dispatch.params.clone()]
    }

    /// Runs a stage with so many workgroups, each of which signs in the ledger.
    pub(crate) fn run<M: KernelModule>(
        &mut self,
        stage: &'static Kernel<M>,
        groups: impl Into<u64>,
        params: &M::Params,
        buffers: &M::Buffers<'a>,
    ) {
        let groups = groups.into();
        self.run_units(stage, groups, 0..groups, params, buffers);
    }

    /// Runs a stage with so many workgroups, which sign for these units of work.
    pub(crate) fn run_units<M: KernelModule>(
        &mut self,
        stage: &'static Kernel<M>,
        groups: u64,
        units: Range<u64>,
        params: &M::Params,
        buffers: &M::Buffers<'a>,
    ) {
        self.push(stage, groups, units, bytemuck::bytes_of(params), buffers.list());
    }

    /// Runs a stage whose params and buffers are those of its module. A dispatch that kernels could not number is not cut short: the
    /// recording fails when it is run.
    pub(in crate::gpu) fn push(
        &mut self,
        stage: &'static Stage,
        groups: u64,
        units: Range<u64>,
        params: &[u8],
        buffers: Vec<&'a wgpu::Buffer>,
    ) {
        if groups > MAX_WORKGROUPS {
            let error = Error::DeviceMemory { what: stage.name, needed: groups, limit: MAX_WORKGROUPS };
            self.too_large.get_or_insert(error);
        } else if groups > 0 {
            let first = self.params.len();
            self.params.extend_from_slice(params);
            self.ledger.expect(stage, units.clone());
            let (params, groups) = (first..self.params.len(), groups as u32);
            self.commands.push(Command::Run(Dispatch { stage, params, groups, units, buffers }));
        }
    }
}

/// The most workgroups of a dispatch: kernels number them, and groups of threads within them, in 32 bits. What may need more is
/// split by whoever records it.
pub(crate) const MAX_WORKGROUPS: u64 = 1 << 29;
