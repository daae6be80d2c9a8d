//! The plan of a pair search, within one set or between two: `overlaps` and `candidates` share it.

use std::ops::Range;

use super::abi::{
    BINS, BUCKETS, KINDS, STATUS_CANDIDATES, STATUS_CARRY, STATUS_HITS, STATUS_LONG_HITS, STATUS_LONG_ROWS,
    STATUS_SWEEPS_LEFT, STATUS_UNDECIDED, STATUS_UNFINISHED, STATUS_WIDE_ROWS, WIDTH, bucket_of,
};
use super::attempt::{Plan, Units};
use super::capacity::Kind;
use super::context::Context;
use super::device::Device;
use super::device_rows::{DeviceRows, RowData};
use super::failure::{Attempt, Failure};
use super::narrow::Narrow;
use super::phases::{Details, Moving};
use super::runner::{Reading, Recording, Runner, Words};
use super::stages;
use super::workspace::{Memory, Prepared, Search, Workspace};
use crate::memory::PairLimit;
use crate::near::SWEEP_TURNS;
use crate::{Bodies, Error, Result};

/// Results with at most this many rows and capacity for at most this many hits (64 KiB each) are read back together with the
/// status block, so that a small query needs one submission. If the attempt turns out to be incomplete, they are read again. The pairs of
/// a larger query are read ahead too when a query before it says how many there will be.
const SMALL: u64 = 1 << 14;

/// A search for pairs within the searched set, or between the searching set and the searched set.
pub(crate) struct PairSearch<'a> {
    /// The searching set, if it is another than the searched set.
    searching: Option<&'a Bodies>,
    searched: &'a Bodies,
    narrow: Narrow,
    /// What is computed of each pair besides its relation.
    details: Option<Details>,
    /// The bodies that move, if the sets are the boxes in which they stay.
    moving: Option<Moving<'a>>,
    /// How many pairs the answer may have.
    limit: PairLimit,
    /// Pairs of the parts that are done.
    found: u64,
    parts: u64,
    /// The parameters of the search, once the sets are on the device.
    search: Option<Search>,
    /// The state for which the dispatches recorded last prepare the searched set.
    prepared: Option<Prepared>,
    /// Whether the rows may be read back together with the status block, and the number of hits up to which they are.
    may_read_ahead: bool,
    read_ahead: Option<u64>,
    /// Whether the long rows were sorted in the same submission.
    sorted: bool,
    lengths: Lengths,
}

/// Whether lengths of rows are handed over instead of offsets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lengths {
    Unwanted,
    /// If bytes hold them.
    Wanted,
    /// The last readings have them.
    Read,
}

impl<'a> PairSearch<'a> {
    pub(crate) fn new((searching, searched): (Option<&'a Bodies>, &'a Bodies), narrow: Narrow) -> Self {
        Self {
            searching,
            searched,
            narrow,
            details: None,
            moving: None,
            limit: PairLimit::of_pairs(u64::MAX),
            found: 0,
            parts: 1,
            search: None,
            prepared: None,
            may_read_ahead: true,
            read_ahead: None,
            sorted: false,
            lengths: Lengths::Unwanted,
        }
    }

    /// Hands over the lengths of rows instead of offsets, if it can.
    pub(crate) fn with_lengths(mut self) -> Self {
        self.lengths = Lengths::Wanted;
        self
    }

    /// Also computes this of each pair.
    pub(crate) fn with_details(mut self, details: Details) -> Self {
        self.details = Some(details);
        self
    }

    /// The sets are boxes in which these bodies stay while they move.
    pub(crate) fn with_moving(mut self, moving: Moving<'a>) -> Self {
        self.moving = Some(moving);
        self
    }

    /// More pairs than this are an error, before room is made for them.
    pub(crate) fn with_limit(mut self, limit: PairLimit) -> Self {
        self.limit = limit;
        self
    }

    /// Leaves the rows on the device.
    pub(super) fn leave_rows_on_device(&mut self) {
        self.may_read_ahead = false;
    }

    /// The number of rows: one for each body of the searching set.
    fn rows(&self) -> usize {
        self.searching.unwrap_or(self.searched).id_bound()
    }

    /// The parameters of the search. `prepare` must have run.
    pub(super) fn search(&self) -> Search {
        self.search.expect("the sets are prepared before they are searched")
    }

    /// The first and the end cluster of these units.
    fn clusters(&self, memory: &Memory, units: &Range<u64>) -> (u32, u32) {
        let first = memory.slots_of(usize::from(self.searching.is_some())).first_slot / WIDTH;
        // There are at most as many clusters as bodies, whose ids have 32 bits.
        (first + units.start as u32, first + units.end as u32)
    }

    /// Brings the sets on the device up to date.
    async fn sync(&self, Workspace { memory, runner, .. }: &mut Workspace, context: &Context<'_>) -> Attempt<Search> {
        let (device, pool, between) = (&context.gpu.device, context.pool, self.searching.is_some());
        let Memory { sets: [first, second, ..], status, .. } = memory;
        first.sync(device, runner, pool, self.searched, status).await?;
        let mut facts = first.facts;
        if let Some(searching) = self.searching {
            second.sync(device, runner, pool, searching, status).await?;
            facts = facts.union(second.facts);
        }
        if facts.has_filters || facts.varying != 0 {
            first.sync_traits(device, runner, pool, self.searched, status).await?;
            if let Some(searching) = self.searching {
                second.sync_traits(device, runner, pool, searching, status).await?;
            }
        }
        if let Narrow::Closest { .. } = self.narrow {
            first.ignore_margins();
            second.reserve_margins(device).await?;
        } else if self.narrow.has_margins() {
            first.sync_margins(device, self.searched).await?;
            if let Some(searching) = self.searching {
                second.sync_margins(device, searching).await?;
            }
        }
        let (asks, searched) = (if between { second.facts.kinds } else { first.facts.kinds }, first.facts.kinds);
        let possible = possible_buckets(asks, searched);
        Ok(Search {
            between,
            facts,
            rows: self.rows() as u32,
            possible,
            narrow: self.narrow,
            frames: self.details.is_some() || self.narrow.needs_frames(&possible),
            moving: self.moving.is_some(),
            warps: device.warps(),
            whole: self.parts == 1,
            measured: false,
            fine: matches!(self.narrow, Narrow::Closest { .. }),
        })
    }
}

impl PairSearch<'_> {
    /// The read-back of the rows with so many partners. Lengths are a quarter of the offsets, where no row is `wide`.
    fn readings<'m>(&mut self, memory: &'m Memory, partners: u64, wide: bool) -> Vec<Reading<'m>> {
        // Rows of several parts are merged, and those with details looked up, by their offsets.
        if self.lengths != Lengths::Unwanted {
            let can_be = !wide && self.parts == 1 && self.details.is_none();
            self.lengths = if can_be { Lengths::Read } else { Lengths::Wanted };
        }
        let search = self.search();
        if self.lengths == Lengths::Read {
            memory.lengths_readings(&search, partners)
        } else {
            memory.rows_readings(&search, partners)
        }
    }

    /// Goes on with moving bodies that are pending after as many turns as earlier ones have needed.
    async fn finish_sweeps(
        &self,
        memory: &mut Memory,
        runner: &mut Runner,
        device: &Device,
        (rows, hits): (Words, u32),
    ) -> Attempt<Words> {
        let (done, needed) = (memory.capacity.sweep_turns, rows[0][STATUS_SWEEPS_LEFT]);
        if needed <= done || done == SWEEP_TURNS {
            memory.capacity.sweep_turns = needed.min(SWEEP_TURNS);
            return Ok(rows);
        }
        drop(rows);
        let search = self.search();
        let mut recording = memory.continued();
        memory.go_on_with_sweeps(&mut recording, &search, hits, done + 1..=SWEEP_TURNS);
        let ledger = std::mem::take(&mut recording.ledger);
        let mut readings = vec![memory.status_reading()];
        readings.extend(memory.rows_readings(&search, u64::from(hits)));
        readings.push(memory.details_reading(Details::Sweeps, u64::from(hits)));
        let words = runner.run(device, recording, &readings).await?;
        ledger.check_stages(&words[0])?;
        memory.capacity.sweep_turns = words[0][STATUS_SWEEPS_LEFT].min(SWEEP_TURNS);
        Ok(words)
    }
}

/// Which buckets can get candidates, given a bit for each kind of shape in the set that asks, and in the one that is searched.
pub(super) fn possible_buckets(asks: u32, searched: u32) -> [bool; BUCKETS] {
    let mut possible = [false; BUCKETS];
    for a in 0..KINDS as u32 {
        for b in 0..KINDS as u32 {
            possible[bucket_of(a, b) as usize] |= asks >> a & 1 == 1 && searched >> b & 1 == 1;
        }
    }
    possible
}

/// The total of the hit counters of a status block.
fn hits(status: &[u32]) -> Attempt<u32> {
    let hits = status[STATUS_HITS..STATUS_HITS + BINS].iter().map(|hits| u64::from(*hits)).sum::<u64>();
    let limit = 4 * u64::from(u32::MAX);
    let error = |_| Failure::of_too_much(Error::DeviceMemory { what: "partners", needed: 4 * hits, limit });
    u32::try_from(hits).map_err(error)
}

impl Plan for PairSearch<'_> {
    type Part = DeviceRows;
    type Answer = DeviceRows;

    fn searched(&self) -> &Bodies {
        self.searched
    }

    fn kind(&self) -> Kind {
        let between = self.searching.is_some();
        match self.narrow {
            Narrow::Filter => Kind::Pairs { between },
            Narrow::Accept => Kind::Candidates { between },
            Narrow::Near { .. } => Kind::Near { between },
            Narrow::Moving => Kind::Moving { between },
            Narrow::Closest { .. } => Kind::Closest,
        }
    }

    async fn prepare(&mut self, workspace: &mut Workspace, context: &Context<'_>, parts: u64) -> Attempt<Units> {
        if self.rows() == 0 || self.searched.is_empty() {
            return Ok(Units { count: 0, at_once: 1 });
        }
        (self.parts, self.found) = (parts, 0);
        let search = self.sync(workspace, context).await?;
        self.search = Some(search);
        workspace.memory.reserve(&context.gpu.device, &search).await?;
        if let Narrow::Closest { count, .. } = self.narrow {
            workspace.memory.reserve_closest(&context.gpu.device, count).await?;
        }
        if search.frames {
            workspace.memory.reserve_frames(&context.gpu.device, search.moving).await?;
        }
        if let Some(moving) = &self.moving {
            let Workspace { memory, runner, .. } = &mut *workspace;
            memory.sync_moving(&context.gpu.device, runner, context.pool, moving).await?;
        }
        let count = workspace.memory.slots_of(usize::from(search.between)).clusters();
        Ok(Units { count: count.into(), at_once: count.into() })
    }

    async fn make_room(&mut self, memory: &mut Memory, context: &Context<'_>, units: &Range<u64>) -> Attempt<()> {
        memory.make_room(&context.gpu.device, &self.search(), (units.end - units.start) as u32).await?;
        let room = memory.capacity.bins.total();
        if let Some(details) = self.details.filter(|_| room <= SMALL) {
            memory.reserve_details(&context.gpu.device, details, room).await?;
        }
        Ok(())
    }

    fn record<'m>(
        &mut self,
        memory: &'m Memory,
        recording: &mut Recording<'m>,
        units: &Range<u64>,
    ) -> Vec<Reading<'m>> {
        let search = self.search();
        recording.clear(memory.rows.buffer(), 0..4 * (u64::from(search.rows) + 1));
        self.prepared = Some(memory.prepare(recording, &search));
        memory.search(recording, &search, self.clusters(memory, units));
        let room = memory.capacity.bins.total();
        let small = room <= SMALL && u64::from(search.rows) <= SMALL;
        let expected = memory.capacity.expected_hits().filter(|_| self.details.is_none());
        self.read_ahead =
            if small { Some(room) } else { expected.map(|hits| room.min(hits.into())) }.filter(|_| self.may_read_ahead);
        let wide = memory.capacity.wide_rows;
        let mut readings = self.read_ahead.map_or_else(Vec::new, |hits| self.readings(memory, hits, wide));
        recording.may_come_later = self.read_ahead.is_some() && self.lengths == Lengths::Read;
        if let (Some(details), Some(_)) = (self.details, self.read_ahead) {
            memory.find_details(recording, &search, room as u32, details);
            readings.push(memory.details_reading(details, room));
        }
        if search.frames {
            memory.sign_for_frames(recording);
        }
        readings
    }

    fn learn(&mut self, memory: &mut Memory, status: &[u32]) -> Attempt<bool> {
        memory.prepared = self.prepared;
        if status[STATUS_CARRY] != 0 {
            let limit = u64::from(u32::MAX) * 8;
            let error = Error::DeviceMemory { what: "candidates", needed: limit + 8, limit };
            return Err(Failure::of_too_much(error));
        }
        let pairs = status[STATUS_HITS..STATUS_HITS + BINS].iter().map(|hits| u64::from(*hits)).sum::<u64>();
        self.limit.set(self.found + pairs);
        self.limit.check()?;
        let long = [status[STATUS_LONG_ROWS], status[STATUS_LONG_HITS]];
        let capacity = &mut memory.capacity;
        let complete = capacity.sufficed_for_unfinished(status[STATUS_UNFINISHED]) & capacity.sufficed(status);
        self.sorted = capacity.sufficed_for_long_rows(long, complete);
        if complete {
            capacity.shrink(status);
            capacity.found_hits(hits(status)?);
            capacity.wide_rows = status[STATUS_WIDE_ROWS] > 0;
        }
        Ok(complete)
    }

    async fn finish(&mut self, workspace: &mut Workspace, context: &Context<'_>, words: Words) -> Attempt<DeviceRows> {
        let (search, device) = (self.search(), &context.gpu.device);
        let Workspace { memory, runner, .. } = workspace;
        let status = words[0].to_vec();
        let hits = hits(&status)?;
        self.found += u64::from(hits);
        let wide = status[STATUS_WIDE_ROWS] > 0;
        let fits =
            self.read_ahead.is_some_and(|read| u64::from(hits) <= read) && !(self.lengths == Lengths::Read && wide);
        let rows = if self.sorted && fits {
            words
        } else {
            // The staging buffer must be unmapped before it is used again.
            drop(words);
            let long = [status[STATUS_LONG_ROWS], status[STATUS_LONG_HITS]];
            let continues = !self.sorted || self.details.is_some();
            if !self.sorted {
                memory.reserve_long(device, long).await?;
            }
            if let Some(details) = self.details {
                memory.reserve_details(device, details, u64::from(hits)).await?;
            }
            let mut recording = if continues { memory.continued() } else { Recording::default() };
            if !self.sorted {
                // All hits are in their rows; only the long rows are not sorted yet.
                memory.sort_long_rows(&mut recording, &search, long);
            }
            if let Some(details) = self.details {
                memory.find_details(&mut recording, &search, hits, details);
            }
            let ledger = std::mem::take(&mut recording.ledger);
            let mut readings = vec![memory.status_reading()];
            readings.extend(self.readings(memory, u64::from(hits), wide));
            recording.may_come_later = self.lengths == Lengths::Read;
            if let Some(details) = self.details {
                readings.push(memory.details_reading(details, u64::from(hits)));
            }
            let words = runner.run(device, recording, &readings).await?;
            if continues {
                ledger.check_stages(&words[0])?;
            }
            words
        };
        let rows = if self.details == Some(Details::Sweeps) {
            self.finish_sweeps(memory, runner, device, (rows, hits)).await?
        } else {
            rows
        };
        let candidates = (0..BUCKETS).map(|k| u64::from(status[STATUS_CANDIDATES + k])).sum();
        // The last CSR offset must equal the number of hits, and so must the hits of all blocks.
        let end = if self.lengths == Lengths::Read {
            rows[2].iter().fold(0_u32, |sum, hits| sum.wrapping_add(*hits))
        } else {
            rows[1].last().copied().unwrap_or_default()
        };
        if end != hits {
            return Err(Error::Incomplete { stage: stages::ROW_OFFSETS.name, found: end, due: hits }.into());
        }
        let hits = hits as usize;
        let rows = if self.lengths == Lengths::Read {
            RowData::ReadLengths { words: rows, at: 1, rows: self.rows(), hits }
        } else {
            RowData::Read { words: rows, at: 1, hits }
        };
        let detail_words = self.details.map_or(0, |details| 4 * details.vectors());
        let undecided = u64::from(status[STATUS_UNDECIDED]);
        let found = DeviceRows { rows, detail_words, candidates, undecided };
        Ok(if self.parts == 1 { found } else { found.detached() })
    }

    fn join(&mut self, mut parts: Vec<DeviceRows>) -> Result<DeviceRows> {
        if parts.len() == 1 { Ok(parts.remove(0)) } else { DeviceRows::merged(self.rows(), &parts) }
    }
}
