//! The queries.

use std::time::{Duration, Instant};

use super::abi::{
    BINS, BUCKETS, CULL_THREADS, KEEP_DISABLED, KINDS, REPORT_VERDICTS, STATUS_CANDIDATES, STATUS_CARRY, STATUS_HITS,
    STATUS_LONG_HITS, STATUS_LONG_ROWS, STATUS_UNDECIDED, STATUS_UNFINISHED, STATUS_WORDS, THREADS, WIDTH, bucket_of,
    bucket_pairs, cull,
};
use super::device::Device;
use super::found::{Found, Rows};
use super::learned::Kind;
use super::ledger::check_answers;
use super::runner::{Recording, Words};
use super::stages;
use super::workspace::{Narrow, Search, SlotRange, Workspace};
use crate::cpu::Pool;
use crate::engine::Clock;
use crate::{Bodies, Error, Result};

/// Pairs that are tested in one go.
const PAIRS: usize = 1 << 21;

/// Buffers whose size depends on what a query finds.
const FOUND: [&str; 8] = ["candidates", "hits", "partners", "staging", "keys", "order", "counts", "long rows"];

/// Whether a query that failed is tried once more with all memory made anew: if earlier queries had left something in it, or if a
/// stage did not do all of its work.
fn is_worth_another_try(error: &Error, used: bool) -> bool {
    match error {
        Error::DeviceMemory { .. } => used,
        Error::Incomplete { .. } => true,
        _ => false,
    }
}

/// How many hits a status tells of.
fn hits(status: &[u32]) -> Result<u32> {
    let hits = status[STATUS_HITS..STATUS_HITS + BINS].iter().map(|hits| u64::from(*hits)).sum::<u64>();
    let limit = 4 * u64::from(u32::MAX);
    u32::try_from(hits).map_err(|_| Error::DeviceMemory { what: "partners", needed: 4 * hits, limit })
}

impl Workspace {
    /// The pairs of one set, or of a set that asks and the set that is searched.
    ///
    /// If memory does not suffice beside what earlier queries left, or the ledger does not add up, once more without that.
    pub(crate) async fn overlaps(
        &mut self,
        device: &Device,
        pool: &Pool,
        sets: (Option<&Bodies>, &Bodies),
        narrow: Narrow,
        clock: &mut Clock,
        block: bool,
    ) -> Result<Found> {
        let before = std::mem::replace(&mut self.used, true);
        match self.overlaps_beside(device, pool, sets, narrow, clock, block).await {
            Err(error) if is_worth_another_try(&error, before) => {
                self.release();
                self.overlaps_beside(device, pool, sets, narrow, clock, block).await
            }
            result => result,
        }
    }

    /// The same, beside what there is.
    ///
    /// What does not fit into one go is done in parts, each with some of the clusters that ask.
    async fn overlaps_beside(
        &mut self,
        device: &Device,
        pool: &Pool,
        (asking, searched): (Option<&Bodies>, &Bodies),
        narrow: Narrow,
        clock: &mut Clock,
        block: bool,
    ) -> Result<Found> {
        let rows = asking.unwrap_or(searched).len();
        if rows == 0 || searched.is_empty() {
            return Ok(Found::none(rows));
        }
        let query = self.memory.sync(device, &mut self.runner, pool, (asking, searched), narrow)?;
        clock.lap(if self.runner.profile { "upload" } else { "device" });
        let own = self.memory.place(usize::from(query.between));
        let (first, clusters) = (own.first_slot / WIDTH, own.clusters());
        let mut parts = 1;
        'parts: loop {
            self.memory.reserve(device, &query)?;
            let mut all = Found::none(rows);
            let query = Search { whole: parts == 1, ..query };
            let size = clusters.div_ceil(parts);
            for part in (0..clusters).step_by(size as usize) {
                let own = (first + part, first + (part + size).min(clusters));
                match self.part(device, &query, own, block).await {
                    Ok(found) => all = if parts == 1 { found } else { all.with(&found)? },
                    Err(Error::DeviceMemory { what, .. }) if FOUND.contains(&what) && size > 1 => {
                        parts *= 2;
                        self.memory.halve();
                        self.runner.release();
                        continue 'parts;
                    }
                    Err(error) => return Err(error),
                }
            }
            return Ok(all);
        }
    }

    /// Finds the pairs of some clusters. They stay on the device, in their rows, which are read in the same go if that was asked
    /// for and they are small. The status, and these.
    async fn find(
        &mut self,
        device: &Device,
        query: &Search,
        own: (u32, u32),
        read_small: bool,
        block: bool,
    ) -> Result<(Vec<u32>, Option<Words>)> {
        let Self { memory, runner, .. } = self;
        loop {
            memory.make_room(device, query, own.1 - own.0)?;
            let mut recording = memory.begin(query, true);
            let prepared = memory.prepare(&mut recording, query);
            memory.search(&mut recording, query, own);
            let ledger = std::mem::take(&mut recording.ledger);
            let small = read_small && memory.learned.bins.total() <= 1 << 14 && query.rows <= 1 << 14;
            let words = runner.run(device, recording, &memory.readings(query, small), block).await?;
            let status = words[0].to_vec();
            memory.check_patches(&status)?;
            ledger.check(&status)?;
            memory.prepared = Some(prepared);
            if status[STATUS_CARRY] != 0 {
                let limit = u64::from(u32::MAX) * 8;
                return Err(Error::DeviceMemory { what: "candidates", needed: limit + 8, limit });
            }
            let long = [status[STATUS_LONG_ROWS], status[STATUS_LONG_HITS]];
            let learned = &mut memory.learned;
            let complete = learned.sufficed_for_rest(status[STATUS_UNFINISHED]) & learned.sufficed(&status);
            let sorted = learned.sufficed_for_long(long, complete);
            if !complete {
                continue;
            }
            learned.shrink(&status);
            if sorted {
                return Ok((status, small.then_some(words)));
            }
            // All is in its row; what is missing is the order of the long ones.
            drop(words);
            memory.reserve_long(device, long)?;
            let mut recording = memory.sort_long_rows_later(query, long);
            let ledger = std::mem::take(&mut recording.ledger);
            let words = runner.run(device, recording, &memory.readings(query, small), block).await?;
            ledger.check_stages(&words[0])?;
            return Ok((status, small.then_some(words)));
        }
    }

    /// The pairs that some clusters find.
    async fn part(&mut self, device: &Device, query: &Search, own: (u32, u32), block: bool) -> Result<Found> {
        let (status, small) = self.find(device, query, own, true, block).await?;
        let hits = hits(&status)?;
        let (words, at) = if let Some(words) = small {
            // After the status.
            (words, 1)
        } else {
            let Self { memory, runner, .. } = self;
            let offsets = (memory.rows.buffer(), 4 * (u64::from(query.rows) + 1));
            let readings = [offsets, (memory.partners.buffer(), 4 * u64::from(hits))];
            (runner.run(device, Recording::default(), &readings, block).await?, 0)
        };
        let candidates = (0..BUCKETS).map(|k| u64::from(status[STATUS_CANDIDATES + k])).sum();
        // The rows end where the hits do.
        let (end, stage) = (words[at].last().copied().unwrap_or_default(), stages::ROW_OFFSETS.name);
        if end != hits {
            return Err(Error::Incomplete { stage, found: end, due: hits });
        }
        let rows = Rows::Read { words, at, hits: hits as usize };
        Ok(Found { rows, candidates, undecided: u64::from(status[STATUS_UNDECIDED]) })
    }

    /// How long a query about bodies that are on the device takes: as far as the candidates, or to the rows. The set is ordered
    /// anew each time; the answer stays on the device. Of each run, the time that it took to write the commands, and from their
    /// submission to the status in the host's hands.
    pub(crate) fn measure(
        &mut self,
        device: &Device,
        pool: &Pool,
        bodies: &Bodies,
        rows: bool,
        runs: usize,
    ) -> Result<Vec<[Duration; 2]>> {
        let mut times = Vec::new();
        if bodies.is_empty() {
            return Ok(times);
        }
        // Once with all that belongs to it, so that there is room.
        let mut clock = Clock::start();
        pollster::block_on(self.overlaps(device, pool, (None, bodies), Narrow::Filter, &mut clock, true))?;
        self.runner.times.clear();
        let query = self.memory.sync(device, &mut self.runner, pool, (None, bodies), Narrow::Filter)?;
        let own = (0, self.memory.place(0).clusters());
        for _ in 0..runs {
            self.memory.prepared = None;
            self.runner.encoding = Duration::ZERO;
            let start = Instant::now();
            if rows {
                pollster::block_on(self.find(device, &query, own, false, true))?;
            } else {
                let Self { memory, runner, .. } = self;
                let mut recording = memory.begin(&query, false);
                memory.prepare(&mut recording, &query);
                memory.find_candidates(&mut recording, &query, own);
                let readings = [memory.status_reading()];
                pollster::block_on(runner.run(device, recording, &readings, true))?;
            }
            let encoding = self.runner.encoding;
            times.push([encoding, start.elapsed().saturating_sub(encoding)]);
        }
        Ok(times)
    }

    /// A verdict on each of these pairs: 0 a miss, 1 a hit, 2 undecided, 3 touching.
    pub(crate) async fn test_pairs(
        &mut self,
        device: &Device,
        pool: &Pool,
        bodies: &Bodies,
        pairs: &[[u32; 2]],
        block: bool,
    ) -> Result<Vec<u32>> {
        let before = std::mem::replace(&mut self.used, true);
        match self.test_pairs_once(device, pool, bodies, pairs, block).await {
            Err(error) if is_worth_another_try(&error, before) => {
                self.release();
                self.test_pairs_once(device, pool, bodies, pairs, block).await
            }
            result => result,
        }
    }

    async fn test_pairs_once(
        &mut self,
        device: &Device,
        pool: &Pool,
        bodies: &Bodies,
        pairs: &[[u32; 2]],
        block: bool,
    ) -> Result<Vec<u32>> {
        let Self { memory, runner, .. } = self;
        let mut verdicts = Vec::with_capacity(pairs.len());
        if pairs.is_empty() {
            return Ok(verdicts);
        }
        memory.recall(Kind::Listed);
        memory.status.reserve(device, 4 * STATUS_WORDS as u64)?;
        memory.sets[0].sync(device, runner, pool, bodies, &memory.status)?;
        memory.prepared = None;
        let n = bodies.len() as u32;
        let flat = SlotRange { first_slot: 0, end_slot: n.next_multiple_of(WIDTH) };
        memory.reserve_slots(device, flat.end_slot, flat.clusters())?;
        memory.reserve_sort(device, n)?;
        let kinds = memory.sets[0].facts.kinds;
        let mut possible = [false; BUCKETS];
        for a in 0..KINDS as u32 {
            for b in a..KINDS as u32 {
                possible[bucket_of(a, b) as usize] = kinds >> a & 1 == 1 && kinds >> b & 1 == 1;
            }
        }
        for pairs in pairs.chunks(PAIRS) {
            let count = pairs.len() as u32;
            // The answers take the place of partners.
            memory.asked.reserve(device, 8 * u64::from(count))?;
            memory.partners.reserve(device, 4 * u64::from(count))?;
            device.queue.write_buffer(memory.asked.buffer(), 0, bytemuck::cast_slice(pairs));
            let several = possible.iter().filter(|possible| **possible).count() > 1;
            let guess = if several { (count / 4).max(memory.least) } else { count };
            memory.learned.candidates = possible.map(|possible| if possible { guess } else { 0 });
            loop {
                memory.reserve_candidates(device)?;
                let total = memory.learned.candidates.iter().sum::<u32>();
                memory.origins.reserve(device, 4 * u64::from(total))?;
                memory.hits.reserve(device, 8 * u64::from(total))?;
                let mut recording = Recording::default();
                memory.clear_status(&mut recording);
                memory.gather_unsorted(&mut recording, 0, flat, KEEP_DISABLED);
                let [bucket_first, bucket_size] = memory.buckets();
                let params = bucket_pairs::Params { bucket_first, bucket_size, pairs: count };
                let buffers = bucket_pairs::Buffers {
                    asked: &memory.asked,
                    slot_bounds: &memory.boxes,
                    candidates: &memory.candidates,
                    origins: &memory.origins,
                    verdicts: &memory.hits,
                    answers: &memory.partners,
                    status: &memory.status,
                };
                recording.run(&stages::BUCKET_PAIRS, count.div_ceil(THREADS), &params, &buffers);
                memory.decide(&mut recording, Narrow::Filter, 0, REPORT_VERDICTS);
                recording.run(&stages::RETURN_VERDICTS, total.div_ceil(THREADS), &params, &buffers);
                let answers = (memory.partners.buffer(), 4 * u64::from(count));
                let readings = [memory.status_reading(), answers];
                let ledger = std::mem::take(&mut recording.ledger);
                let words = runner.run(device, recording, &readings, block).await?;
                memory.check_patches(&words[0])?;
                ledger.check(&words[0])?;
                if memory.learned.sufficed(&words[0]) {
                    check_answers(&words[0], count)?;
                    verdicts.extend_from_slice(&words[1]);
                    break;
                }
            }
        }
        Ok(verdicts)
    }

    /// The side of each body: 0 inside, 1 crossing, 2 outside, 3 undecided.
    pub(crate) async fn cull(
        &mut self,
        device: &Device,
        pool: &Pool,
        bodies: &Bodies,
        planes: &[[f32; 4]],
        block: bool,
    ) -> Result<Vec<u32>> {
        let before = std::mem::replace(&mut self.used, true);
        match self.cull_once(device, pool, bodies, planes, block).await {
            Err(error) if is_worth_another_try(&error, before) => {
                self.release();
                self.cull_once(device, pool, bodies, planes, block).await
            }
            result => result,
        }
    }

    async fn cull_once(
        &mut self,
        device: &Device,
        pool: &Pool,
        bodies: &Bodies,
        planes: &[[f32; 4]],
        block: bool,
    ) -> Result<Vec<u32>> {
        let Self { memory, runner, .. } = self;
        if bodies.is_empty() {
            return Ok(Vec::new());
        }
        memory.status.reserve(device, 4 * STATUS_WORDS as u64)?;
        memory.sets[0].sync(device, runner, pool, bodies, &memory.status)?;
        memory.planes.reserve(device, 16 * planes.len().max(1) as u64)?;
        device.queue.write_buffer(memory.planes.buffer(), 0, bytemuck::cast_slice(planes));
        let n = bodies.len() as u32;
        memory.partners.reserve(device, 4 * u64::from(n))?;
        let mut recording = Recording::default();
        memory.clear_status(&mut recording);
        let set = &memory.sets[0];
        let params = cull::Params { zero: 0, bodies: n, planes: planes.len() as u32 };
        let buffers = cull::Buffers {
            shapes: &set.shapes,
            tags: &set.tags,
            planes: &memory.planes,
            sides: &memory.partners,
            status: &memory.status,
        };
        recording.run(&stages::CULL, n.div_ceil(CULL_THREADS), &params, &buffers);
        let readings = [memory.status_reading(), (memory.partners.buffer(), 4 * u64::from(n))];
        let ledger = std::mem::take(&mut recording.ledger);
        let words = runner.run(device, recording, &readings, block).await?;
        memory.check_patches(&words[0])?;
        ledger.check(&words[0])?;
        Ok(words[1].to_vec())
    }
}
