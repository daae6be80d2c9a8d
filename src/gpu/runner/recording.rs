//! Recordings: lists of commands for the device, and what their ledger should say.

use std::ops::Range;

use crate::Error;
use crate::gpu::abi::{BufferList, KernelModule};
use crate::gpu::ledger::Ledger;
use crate::gpu::stages::{Kernel, Stage};

/// A command for the device.
pub(super) enum Command<'a> {
    Clear(&'a wgpu::Buffer, Range<u64>),
    /// A word of one buffer is copied to the same place in another.
    CopyWord(&'a wgpu::Buffer, &'a wgpu::Buffer, u64),
    Run(Dispatch<'a>),
}

/// A dispatch of a stage.
pub(super) struct Dispatch<'a> {
    pub(super) stage: &'static Stage,
    /// The byte range of its params in the recording.
    pub(super) params: Range<usize>,
    pub(super) groups: u32,
    /// The units of work that it signs for in the ledger.
    pub(super) units: Range<u64>,
    pub(super) buffers: Vec<&'a wgpu::Buffer>,
}

/// Commands for the device, in order.
#[derive(Default)]
pub(crate) struct Recording<'a> {
    /// The params of all dispatches, one after the other.
    params: Vec<u8>,
    pub(super) commands: Vec<Command<'a>>,
    /// The signatures that are due when all commands have run.
    pub ledger: Ledger,
    /// The error of a dispatch with too many workgroups.
    pub(super) too_large: Option<Error>,
    /// Whether the end of the last reading may come later, where it is large.
    pub may_come_later: bool,
}

impl<'a> Recording<'a> {
    /// Records that these bytes of a buffer are set to zero.
    pub(crate) fn clear(&mut self, buffer: &'a wgpu::Buffer, bytes: Range<u64>) {
        self.commands.push(Command::Clear(buffer, bytes));
    }

    /// Records that a word of one buffer is copied to the same place in another.
    pub(crate) fn copy_word(&mut self, from: &'a wgpu::Buffer, to: &'a wgpu::Buffer, word: usize) {
        self.commands.push(Command::CopyWord(from, to, 4 * word as u64));
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

    /// Records a dispatch of this many workgroups, each of which signs for one unit of work.
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

    /// Records a dispatch of this many workgroups, which together sign for these units of work.
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

    /// Records a dispatch with untyped params and buffers, which must be those of the stage's module. If it has too many
    /// workgroups, the recording fails when it is run.
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

/// The most workgroups of a dispatch: kernels number the warps of all workgroups in 32 bits. A phase that may need more records
/// several dispatches.
pub(crate) const MAX_WORKGROUPS: u64 = 1 << 29;
