//! The memory of a query on the device, and the way of the data through it.

use std::time::{Duration, Instant};

use super::bins::Bins;
use super::device::Device;
use super::found::{Found, Rows};
use super::learned::{Kind, Learned};
use super::ledger::{check_answers, word_of};
use super::params::{
    BINS, BLOCK, BUCKETS, CANDIDATES, CHOOSY, CLASS_BITS, CLASSES, EVERYONE, FLAT, ID, LEVELS, NONE, ORDERED, PARTS,
    PLACED, Params, SORT_FIRST, SORT_LAST, STATUS_CANDIDATES, STATUS_CARRY, STATUS_HITS, STATUS_LEDGER,
    STATUS_LONG_HITS, STATUS_LONG_ROWS, STATUS_UNDECIDED, STATUS_UNFINISHED, STATUS_WORDS, TILE, WIDTH, WORK, WORLDS,
    bucket_of,
};
use super::run::{MOST_NUMBERED, Reading, Recording, Runner, Words};
use super::set::{Facts, Resident};
use super::slab::Slab;
use super::stages::{self, Stage};
use crate::cpu::Pool;
use crate::engine::Clock;
use crate::{Bodies, Error, Result};

/// Up to here all pairs are looked at, without order or tree.
const FEW: usize = 512;
/// A level of the tree with so few nodes has none above it.
const MOST_TOP_NODES: u32 = 4 * WIDTH;
/// Up to so many partners a row, rows are best sorted where they are.
const FEW_PARTNERS: u64 = 4;
/// Pairs that are tested in one go.
const PAIRS: usize = 1 << 21;
/// Classes that begin at a multiple of the cluster's width.
const PADDED_CLASSES: u32 = 7;

/// Buffers whose size depends on what a query finds.
const FOUND: [&str; 8] = ["candidates", "hits", "partners", "staging", "keys", "order", "counts", "long rows"];

/// What the candidates are put through.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Narrow {
    /// The certified filters.
    Filter,
    /// All of them count.
    Accept,
}

/// Where the slots and nodes of a set lie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    first_slot: u32,
    end_slot: u32,
}

impl Place {
    fn clusters(self) -> u32 {
        (self.end_slot - self.first_slot) / WIDTH
    }
}

/// How the set that is searched was prepared.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Prepared {
    revision: Option<u64>,
    flags: u32,
    varying: u32,
    /// See [`Query::whole`].
    whole: bool,
}

/// The memory of a query. One query at a time.
pub(crate) struct Scene {
    memory: Memory,
    pub runner: Runner,
    /// Whether earlier queries may have left something in it.
    used: bool,
}

struct Memory {
    /// The set that is searched, and the one that asks if that is another.
    sets: [Resident; 2],
    /// What the order and the tree on the device are of.
    prepared: Option<Prepared>,
    keys: [Slab; 2],
    order: [Slab; 2],
    counts: Slab,
    places: Slab,
    turns: Slab,
    boxes: Slab,
    nodes: Slab,
    traits: Slab,
    candidates: Slab,
    origins: Slab,
    hits: Slab,
    rows: Slab,
    blocks: Slab,
    long_blocks: Slab,
    long_rows: Slab,
    asked: Slab,
    partners: Slab,
    status: Slab,
    planes: Slab,
    unfinished: Slab,
    /// For bindings that a dispatch does not use.
    nothing: [Slab; 2],
    /// The kind of the last query, what those of its kind have learned, and those of other kinds.
    kind: Kind,
    learned: Learned,
    others: Vec<(Kind, Learned)>,
    /// The bins that a kind of query starts with.
    bins: Bins,
    /// The room that a query starts with at least.
    least: u32,
    /// Up to how many bodies all pairs are looked at.
    few: usize,
    /// How many iterations a search may make.
    work: u32,
    /// The most workgroups of a dispatch.
    most_groups: u64,
}

/// One query.
#[derive(Clone, Copy)]
struct Query {
    /// Whether one set asks another.
    between: bool,
    facts: Facts,
    rows: u32,
    /// Which buckets can occur.
    possible: [bool; BUCKETS],
    narrow: Narrow,
    /// Clusters that a workgroup of the search takes on.
    teams: u32,
    /// Whether all clusters ask at once. If only some do, those of the next part must find the sets in the same order, should they be
    /// prepared again.
    whole: bool,
}

/// Keys that are sorted, each with a number.
struct Sorting<'a> {
    keys: &'a [Slab; 2],
    order: &'a [Slab; 2],
    tiles: u32,
    /// Whether the numbers are 0, 1, … to begin with.
    new: bool,
    /// Whether the first digit was counted.
    counted: bool,
    /// Whether the keys are wanted too in the end.
    keep_keys: bool,
    /// Digits whose bits all lie below this one may be sorted roughly: the order is then another each time.
    rough: u32,
}

/// Where the digits of the words with marks begin that tell so many ids apart. The last may look at bits again, so that it does not
/// see the marks.
pub(super) fn id_digits(ids: u32) -> Vec<u32> {
    let bits = u32::BITS - ids.saturating_sub(1).leading_zeros();
    (0..bits).step_by(8).map(|shift| shift.min(ID.count_ones() - 8)).collect()
}

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

/// How many nodes each level of the tree over some clusters has; the clusters themselves are the first.
fn levels(clusters: u32) -> [u32; LEVELS + 1] {
    let mut counts = [clusters; LEVELS + 1];
    for level in 1..=LEVELS {
        counts[level] = counts[level - 1].div_ceil(WIDTH);
    }
    counts
}

/// The highest level that is built: the first with few nodes. Searches begin with all of its nodes.
fn top(counts: &[u32; LEVELS + 1]) -> usize {
    (1..LEVELS).find(|level| counts[*level] <= MOST_TOP_NODES).unwrap_or(LEVELS)
}

impl Scene {
    pub(crate) fn new() -> Self {
        let storage = Slab::storage;
        let memory = Memory {
            sets: [Resident::new(), Resident::new()],
            prepared: None,
            keys: [storage("keys"), storage("keys")],
            order: [storage("order"), storage("order")],
            counts: storage("counts"),
            places: storage("places"),
            turns: storage("turns"),
            boxes: storage("boxes"),
            nodes: storage("nodes"),
            traits: storage("traits"),
            candidates: storage("candidates"),
            origins: storage("origins"),
            hits: storage("hits"),
            rows: storage("rows"),
            blocks: storage("blocks"),
            long_blocks: storage("long blocks"),
            long_rows: storage("long rows"),
            asked: storage("asked pairs"),
            partners: storage("partners"),
            status: storage("status"),
            planes: storage("planes"),
            unfinished: storage("unfinished"),
            nothing: [storage("nothing"), storage("nothing")],
            kind: Kind::Pairs { between: false },
            learned: Learned::new(Bins::new()),
            others: Vec::new(),
            bins: Bins::new(),
            least: 1024,
            few: FEW,
            work: WORK,
            most_groups: MOST_NUMBERED,
        };
        Self { memory, runner: Runner::new(), used: false }
    }

    /// Starts with room for one of everything, always with a tree and many bins, and uploads as if everything were large: for tests.
    #[cfg(test)]
    pub(crate) fn frugal(mut self) -> Self {
        self.memory.least = 1;
        self.memory.few = 0;
        self.memory.bins.least_bits = 1;
        self.memory.learned = Learned::new(self.memory.bins);
        for set in &mut self.memory.sets {
            set.large = 0;
        }
        self
    }

    /// Lets a search do little, and a dispatch have few workgroups, where dispatches are split.
    #[cfg(test)]
    pub(crate) fn lazy(mut self, work: u32, most_groups: u64) -> Self {
        self.memory.work = work;
        self.memory.most_groups = most_groups;
        self
    }

    /// How many searches that are cut short there is room for.
    #[cfg(test)]
    pub(crate) fn room_for_unfinished(&self) -> u32 {
        self.memory.learned.unfinished
    }

    /// For how many candidates there is room.
    #[cfg(test)]
    pub(crate) fn room_for_candidates(&self) -> u32 {
        self.memory.learned.candidates.iter().sum()
    }

    /// For how many long rows there is room.
    #[cfg(test)]
    pub(crate) fn room_for_long_rows(&self) -> u32 {
        self.memory.learned.long[0]
    }

    /// The first and the last world in each of the first clusters.
    #[cfg(test)]
    pub(crate) fn worlds_of_clusters(&self, device: &Device, clusters: usize) -> Vec<(u32, u32)> {
        let words = super::run::read_all(device, self.memory.nodes.buffer()).expect("the nodes");
        words.chunks_exact(8).take(clusters).map(|node| (node[3], node[7])).collect()
    }

    /// Whether this holds an earlier state of the set.
    pub(crate) fn knows(&self, bodies: &Bodies) -> bool {
        self.memory.sets[0].knows(bodies)
    }

    /// Bytes uploaded so far.
    #[cfg(test)]
    pub(crate) fn uploaded(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.uploaded).sum()
    }

    /// Uploads so far that did not go through the queue.
    #[cfg(test)]
    pub(crate) fn large_uploads(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.upload.count).sum()
    }

    /// Uploads so far that a kernel put where they belong.
    #[cfg(test)]
    pub(crate) fn patches(&self) -> u64 {
        self.memory.sets.iter().map(|set| set.patch.count).sum()
    }

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
            let query = Query { whole: parts == 1, ..query };
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
        query: &Query,
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
    async fn part(&mut self, device: &Device, query: &Query, own: (u32, u32), block: bool) -> Result<Found> {
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
        let (end, stage) = (words[at].last().copied().unwrap_or_default(), stages::ROWS_OFFSET.name);
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
        let flat = Place { first_slot: 0, end_slot: n.next_multiple_of(WIDTH) };
        memory.reserve_slots(device, flat.end_slot, flat.clusters())?;
        memory.reserve_sort(device, n)?;
        let kinds = memory.sets[0].facts.kinds;
        let mut possible = [false; BUCKETS];
        for a in 0..3 {
            for b in a..3 {
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
                recording.params(&Params { flags: EVERYONE, keys: n, ..memory.set_params(0, flat) });
                memory.clear_status(&mut recording);
                memory.gather_unsorted(&mut recording, 0, flat);
                recording.params(&Params { keys: count, ..memory.bucket_params() });
                let buffers = [
                    &memory.asked,
                    &memory.boxes,
                    &memory.candidates,
                    &memory.origins,
                    &memory.hits,
                    &memory.partners,
                    &memory.status,
                ]
                .map(Slab::buffer);
                recording.run(&stages::FILL_BUCKETS, [0; 4], count.div_ceil(256), &buffers);
                memory.decide(&mut recording, Narrow::Filter, 1);
                recording.run(&stages::EMPTY_BUCKETS, [0; 4], total.div_ceil(256), &buffers);
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
        recording.params(&Params { bodies: n, keys: planes.len() as u32, ..Params::default() });
        memory.clear_status(&mut recording);
        let set = &memory.sets[0];
        let buffers = [&set.shapes, &set.tags, &memory.planes, &memory.partners, &memory.status].map(Slab::buffer);
        recording.run(&stages::CULL_BODIES, [0; 4], n.div_ceil(64), &buffers);
        let readings = [memory.status_reading(), (memory.partners.buffer(), 4 * u64::from(n))];
        let ledger = std::mem::take(&mut recording.ledger);
        let words = runner.run(device, recording, &readings, block).await?;
        memory.check_patches(&words[0])?;
        ledger.check(&words[0])?;
        Ok(words[1].to_vec())
    }

    /// Gives all memory back.
    pub(crate) fn release(&mut self) {
        let Memory {
            sets,
            prepared: _,
            keys,
            order,
            counts,
            places,
            turns,
            boxes,
            nodes,
            traits,
            candidates,
            origins,
            hits,
            rows,
            blocks,
            long_blocks,
            long_rows,
            asked,
            partners,
            status,
            planes,
            nothing,
            unfinished,
            kind: _,
            learned,
            others,
            bins: _,
            least: _,
            few: _,
            work: _,
            most_groups: _,
        } = &mut self.memory;
        let single = [
            counts,
            places,
            turns,
            boxes,
            nodes,
            traits,
            candidates,
            origins,
            hits,
            rows,
            blocks,
            long_blocks,
            long_rows,
            asked,
            partners,
            status,
            planes,
            unfinished,
        ];
        learned.forget();
        others.clear();
        for slab in keys.iter_mut().chain(order).chain(nothing).chain(single) {
            slab.release();
        }
        for set in sets {
            set.release();
        }
        self.memory.prepared = None;
        self.runner.release();
    }
}

impl Memory {
    /// Goes on with what queries of this kind have learned.
    fn recall(&mut self, kind: Kind) {
        if self.kind == kind {
            return;
        }
        let known = self.others.iter().position(|(other, _)| *other == kind).map(|at| self.others.swap_remove(at).1);
        let learned = known.unwrap_or_else(|| Learned::new(self.bins));
        self.others.push((self.kind, std::mem::replace(&mut self.learned, learned)));
        self.kind = kind;
    }

    /// Compares the patches that were put where they belong with those that were due.
    fn check_patches(&self, status: &[u32]) -> Result<()> {
        let stage = &stages::PATCH_RECORDS;
        let due = self.sets.iter().fold(0, |sum: u32, set| sum.wrapping_add(set.patch.due));
        let found = status[word_of(stage)];
        if found == due { Ok(()) } else { Err(Error::Incomplete { stage: stage.name, found, due }) }
    }

    /// Brings the sets up to date.
    fn sync(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        (asking, searched): (Option<&Bodies>, &Bodies),
        narrow: Narrow,
    ) -> Result<Query> {
        let between = asking.is_some();
        self.recall(match narrow {
            Narrow::Filter => Kind::Pairs { between },
            Narrow::Accept => Kind::Candidates { between },
        });
        self.status.reserve(device, 4 * STATUS_WORDS as u64)?;
        self.sets[0].sync(device, runner, pool, searched, &self.status)?;
        let mut facts = self.sets[0].facts;
        if let Some(asking) = asking {
            self.sets[1].sync(device, runner, pool, asking, &self.status)?;
            facts = facts.with(self.sets[1].facts);
        }
        if facts.choosy || facts.varying != 0 {
            self.sets[0].sync_traits(device, runner, pool, searched, &self.status)?;
            if let Some(asking) = asking {
                self.sets[1].sync_traits(device, runner, pool, asking, &self.status)?;
            }
        }
        let (asks, searched_kinds) = (self.sets[usize::from(between)].facts.kinds, self.sets[0].facts.kinds);
        let mut possible = [false; BUCKETS];
        for a in 0..3 {
            for b in 0..3 {
                possible[bucket_of(a, b) as usize] |= asks >> a & 1 == 1 && searched_kinds >> b & 1 == 1;
            }
        }
        let rows = asking.unwrap_or(searched).len() as u32;
        Ok(Query { between, facts, rows, possible, narrow, teams: device.teams(), whole: true })
    }

    /// Where the slots of a set lie, those of the searched set first, and after them room for the tree over them.
    fn place(&self, set: usize) -> Place {
        let slots = |set: usize| {
            let padding = if self.sets[set].facts.classes { PADDED_CLASSES * WIDTH } else { 0 };
            (self.sets[set].len as u32).next_multiple_of(WIDTH) + padding
        };
        let first = slots(0);
        if set == 0 {
            return Place { first_slot: 0, end_slot: first };
        }
        let nodes: u32 = levels(first / WIDTH).iter().sum();
        let first_slot = nodes * WIDTH;
        Place { first_slot, end_slot: first_slot + slots(1) }
    }

    fn reserve_slots(&mut self, device: &Device, slots: u32, nodes: u32) -> Result<()> {
        let bytes = 32 * u64::from(slots);
        let mut new = false;
        for slab in [&mut self.places, &mut self.boxes] {
            new |= slab.reserve(device, bytes)?;
        }
        new |= self.turns.reserve(device, 16 * u64::from(slots))?;
        new |= self.nodes.reserve(device, 32 * u64::from(nodes))?;
        self.status.reserve(device, 4 * STATUS_WORDS as u64)?;
        for slab in &mut self.nothing {
            slab.reserve(device, 16)?;
        }
        if new {
            self.prepared = None;
        }
        Ok(())
    }

    fn reserve_sort(&mut self, device: &Device, keys: u32) -> Result<()> {
        for slab in self.keys.iter_mut().chain(&mut self.order) {
            slab.reserve(device, 4 * u64::from(keys))?;
        }
        self.counts.reserve(device, 4 * 256 * (u64::from(keys.div_ceil(TILE)) + 1))?;
        Ok(())
    }

    /// Makes room to sort so many long rows with so many hits.
    fn reserve_long(&mut self, device: &Device, [rows, hits]: [u32; 2]) -> Result<()> {
        self.reserve_sort(device, hits)?;
        self.long_rows.reserve(device, 8 * u64::from(rows))?;
        Ok(())
    }

    /// Makes room for what a query surely needs.
    fn reserve(&mut self, device: &Device, query: &Query) -> Result<()> {
        let searched = self.place(0);
        let nodes: u32 = levels(searched.clusters()).iter().sum();
        let end = if query.between { self.place(1).end_slot } else { searched.end_slot };
        self.reserve_slots(device, end, nodes.max(end / WIDTH))?;
        let most = if query.between { self.sets[0].len.max(self.sets[1].len) } else { self.sets[0].len };
        self.reserve_sort(device, most as u32)?;
        let traits = query.facts.choosy || query.facts.varying != 0;
        if traits && self.traits.reserve(device, 16 * u64::from(end))? {
            self.prepared = None;
        }
        self.rows.reserve(device, 4 * (u64::from(query.rows) + 1))?;
        let blocks = u64::from(query.rows.div_ceil(BLOCK));
        self.blocks.reserve(device, 4 * blocks)?;
        self.long_blocks.reserve(device, 8 * blocks)?;
        Ok(())
    }

    fn reserve_candidates(&mut self, device: &Device) -> Result<()> {
        let total: u64 = self.learned.candidates.iter().map(|room| u64::from(*room)).sum();
        self.candidates.reserve(device, 8 * total)?;
        Ok(())
    }

    /// Makes room for what a query may find, at first by a guess.
    fn make_room(&mut self, device: &Device, query: &Query, clusters: u32) -> Result<()> {
        let least = if self.least > 1 { self.least.max(clusters.saturating_mul(2 * WIDTH)) } else { 1 };
        for k in 0..BUCKETS {
            let room = &mut self.learned.candidates[k];
            *room = if query.possible[k] { (*room).max(least) } else { 0 };
        }
        self.learned.bins.fit(query.rows, least);
        self.reserve_candidates(device)?;
        self.unfinished.reserve(device, 8 * u64::from(self.learned.unfinished))?;
        self.hits.reserve(device, 8 * self.learned.bins.end())?;
        self.partners.reserve(device, 4 * self.learned.bins.total())?;
        if self.learned.long[0] > 0 {
            self.reserve_long(device, self.learned.long)?;
        }
        Ok(())
    }

    /// Gives back what depends on what a query finds; half of it will do.
    fn halve(&mut self) {
        let found = [&mut self.candidates, &mut self.hits, &mut self.partners, &mut self.counts, &mut self.long_rows];
        for slab in found.into_iter().chain(&mut self.keys).chain(&mut self.order) {
            slab.release();
        }
        self.learned.halve();
    }

    fn flags(facts: &Facts) -> u32 {
        let mut flags = 0;
        for (flag, on) in [(CLASSES, facts.classes), (CHOOSY, facts.choosy), (WORLDS, facts.varying != 0)] {
            flags |= if on { flag } else { 0 };
        }
        flags
    }

    /// What the stages that prepare a set are told. Both sets are laid out in the grid of the searched one.
    fn set_params(&self, set: usize, place: Place) -> Params {
        let (bodies, layout) = (self.sets[set].len as u32, &self.sets[0].layout);
        let facts = &self.sets[set].facts;
        let curve_bits = layout.curve_bits(if facts.classes { CLASS_BITS } else { 0 });
        let scale =
            if layout.side > 0.0 { f64::from(1 << layout.bits_to_a_side(curve_bits)) / layout.side } else { 0.0 };
        Params {
            bodies,
            first_slot: place.first_slot,
            end_slot: place.end_slot,
            curve_bits,
            tiles: bodies.div_ceil(TILE),
            keys: bodies,
            origin: layout.origin,
            scale: (scale as f32).min(1e30),
            giant: layout.giant,
            classes: 8 * set as u32,
            flags: layout.thin * FLAT,
            tag: facts.tag(),
            ..Params::default()
        }
    }

    fn bucket_params(&self) -> Params {
        let Bins { bits: bin_bits, room: bin_size, .. } = self.learned.bins;
        let bin_first = self.learned.bins.first();
        let mut params = Params { bin_bits, bin_first, bin_size, only_bucket: NONE, ..Params::default() };
        let mut first = 0;
        for k in 0..BUCKETS {
            (params.bucket_first[k], params.bucket_size[k]) = (first, self.learned.candidates[k]);
            first += self.learned.candidates[k];
        }
        params
    }

    /// Sorts `keys[at]` with `order[at]` by the digits that begin at these bits; where both are then.
    fn sort<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        Sorting { keys, order, tiles, new, counted, keep_keys, rough }: Sorting<'a>,
        digits: &[u32],
        mut at: usize,
    ) -> usize {
        for (k, &shift) in digits.iter().enumerate() {
            let buffers =
                [&keys[at], &order[at], &self.counts, &keys[1 - at], &order[1 - at], &self.status].map(Slab::buffer);
            let first = if new && k == 0 { SORT_FIRST } else { 0 };
            let last = if !keep_keys && k + 1 == digits.len() { SORT_LAST } else { 0 };
            if !(counted && k == 0) {
                recording.run(&stages::SORT_COUNT, [shift, 0, 0, 0], tiles, &buffers);
            }
            recording.run(&stages::SORT_ADD, [shift, 0, 0, 0], 256_u32, &buffers);
            let scatter = if shift + 8 <= rough { &stages::SORT_ROUGHLY } else { &stages::SORT_SCATTER };
            recording.run(scatter, [shift, first | last, 0, 0], tiles, &buffers);
            at = 1 - at;
        }
        at
    }

    /// Puts a set into slots.
    fn prepare_set<'a>(&'a self, recording: &mut Recording<'a>, set: usize, query: &Query, brute: bool) {
        let (resident, place) = (&self.sets[set], self.place(set));
        let mut flags = Self::flags(&Facts { classes: resident.facts.classes, ..query.facts });
        if brute {
            flags &= !CLASSES;
        }
        let params = {
            let params = self.set_params(set, place);
            Params { flags: flags | params.flags, ..params }
        };
        recording.params(&params);
        if brute {
            self.gather_unsorted(recording, set, place);
        } else {
            let buffers =
                [&resident.shapes, &resident.tags, &self.keys[0], &self.counts, &self.status].map(Slab::buffer);
            recording.run(&stages::MAKE_KEYS, [0; 4], params.tiles, &buffers);
            let bits = params.curve_bits + if resident.facts.classes { CLASS_BITS } else { 0 };
            let digits: Vec<u32> = (0..bits).step_by(8).collect();
            let sorting = |new: bool| Sorting {
                keys: &self.keys,
                order: &self.order,
                tiles: params.tiles,
                new,
                counted: new,
                keep_keys: false,
                rough: if new && query.whole { params.curve_bits.saturating_sub(8) } else { 0 },
            };
            let mut at = self.sort(recording, sorting(true), &digits, 0);
            if query.facts.varying != 0 {
                // By world, and within a world as before. The world is the last word of the traits.
                let buffers = [&self.order[at], &resident.traits, &self.keys[at], &self.status].map(Slab::buffer);
                recording.run(&stages::NEW_KEYS, [4, 3, 0, 0], params.keys.div_ceil(256), &buffers);
                let digits: Vec<u32> =
                    (0..32).step_by(8).filter(|shift| query.facts.varying >> shift & 0xff != 0).collect();
                at = self.sort(recording, sorting(false), &digits, at);
            }
            self.gather(recording, set, at, place);
        }
        if query.facts.choosy || query.facts.varying != 0 {
            let buffers = [&resident.traits, &self.boxes, &self.traits, &self.nodes, &self.status].map(Slab::buffer);
            let slots = place.end_slot - place.first_slot;
            recording.run(&stages::GATHER_TRAITS, [0; 4], slots.div_ceil(256), &buffers);
        }
    }

    fn gather<'a>(&'a self, recording: &mut Recording<'a>, set: usize, at: usize, place: Place) {
        let set = &self.sets[set];
        let buffers = [
            &set.shapes,
            &set.tags,
            &self.order[at],
            &self.places,
            &self.turns,
            &self.boxes,
            &self.nodes,
            &self.status,
        ]
        .map(Slab::buffer);
        let slots = place.end_slot - place.first_slot;
        recording.run(&stages::GATHER_BODIES, [0; 4], slots.div_ceil(256), &buffers);
        recording.ledger.expect_bodies(set.len as u32);
    }

    /// Puts a set into slots in the order of its ids.
    fn gather_unsorted<'a>(&'a self, recording: &mut Recording<'a>, set: usize, place: Place) {
        let groups = (self.sets[set].len as u32).div_ceil(256);
        recording.run(&stages::NUMBER_BODIES, [0; 4], groups, &[&self.order[0], &self.status].map(Slab::buffer));
        self.gather(recording, set, 0, place);
    }

    /// Puts all sets into slots, and builds the tree, unless that is still there.
    fn prepare<'a>(&'a self, recording: &mut Recording<'a>, query: &Query) -> Prepared {
        let brute = self.is_brute();
        let prepared = Prepared {
            revision: self.sets[0].revision(),
            flags: Self::flags(&Facts { classes: self.sets[0].facts.classes, ..query.facts }),
            varying: query.facts.varying,
            whole: query.whole,
        };
        if self.prepared != Some(prepared) {
            self.prepare_set(recording, 0, query, brute);
            if !brute {
                let counts = levels(self.place(0).clusters());
                let mut below = 0;
                for level in 1..=top(&counts) {
                    let first = below + counts[level - 1];
                    let groups = counts[level - 1].div_ceil(256);
                    recording.run(
                        &stages::BUILD_TREE,
                        [below, counts[level - 1], first, 0],
                        groups,
                        &[&self.nodes, &self.status].map(Slab::buffer),
                    );
                    below = first;
                }
            }
        }
        if query.between {
            self.prepare_set(recording, 1, query, self.sets[1].len <= self.few);
        }
        prepared
    }

    fn is_brute(&self) -> bool {
        self.sets[0].len <= self.few
    }

    /// The beginning of a query: counters are zero, those of the rows too if there are to be any.
    fn begin(&self, query: &Query, rows: bool) -> Recording<'_> {
        let mut recording = Recording::default();
        recording.params(&Params::default());
        self.clear_status(&mut recording);
        if rows {
            recording.clear(self.rows.buffer(), 0..4 * (u64::from(query.rows) + 1));
        }
        recording
    }

    /// Sets the status block to zero, but for what patches have signed, which are made before queries.
    fn clear_status<'a>(&'a self, recording: &mut Recording<'a>) {
        let patches = 4 * word_of(&stages::PATCH_RECORDS) as u64;
        recording.clear(self.status.buffer(), 0..patches);
        recording.clear(self.status.buffer(), patches + 4..4 * STATUS_WORDS as u64);
    }

    fn status_reading(&self) -> Reading<'_> {
        (self.status.buffer(), 4 * STATUS_WORDS as u64)
    }

    /// From slots and tree to rows of partners.
    fn search<'a>(&'a self, recording: &mut Recording<'a>, query: &Query, own: (u32, u32)) {
        self.find_candidates(recording, query, own);
        self.decide(recording, query.narrow, 0);
        let buffers = [&self.rows, &self.blocks, &self.long_blocks, &self.status].map(Slab::buffer);
        let blocks = query.rows.div_ceil(BLOCK);
        recording.run(&stages::ROWS_SUM, [0; 4], blocks, &buffers);
        recording.run(&stages::ROWS_OFFSET, [0; 4], blocks, &buffers);
        let buffers = [&self.rows, &self.hits, &self.partners, &self.status].map(Slab::buffer);
        recording.run(&stages::PLACE_HITS, [0; 4], self.learned.bins.end() / u64::from(PLACED), &buffers);
        recording.ledger.expect_rows();
        let buffers = [&self.rows, &self.partners, &self.status].map(Slab::buffer);
        let many = self.learned.bins.total() / FEW_PARTNERS > u64::from(query.rows);
        let order = if many { &stages::ORDER_FULL_ROWS } else { &stages::ORDER_ROWS };
        recording.run(order, [0; 4], query.rows.div_ceil(256), &buffers);
        if self.learned.long[0] > 0 {
            self.sort_long_rows(recording, query, self.learned.long);
        }
    }

    /// What of a query is read: the status, and the rows if they are small.
    fn readings(&self, query: &Query, small: bool) -> Vec<Reading<'_>> {
        let status = self.status_reading();
        let rows = (self.rows.buffer(), 4 * (u64::from(query.rows) + 1));
        let partners = (self.partners.buffer(), 4 * self.learned.bins.total());
        if small { vec![status, rows, partners] } else { vec![status] }
    }

    /// From slots and tree to candidates.
    fn find_candidates<'a>(&'a self, recording: &mut Recording<'a>, query: &Query, (own_first, own_end): (u32, u32)) {
        let counts = levels(self.place(0).clusters());
        let mut level_first = [0; LEVELS + 1];
        for level in 1..=LEVELS {
            level_first[level] = level_first[level - 1] + counts[level - 1];
        }
        let mut params = Params {
            flags: Self::flags(&query.facts) | if query.between { 0 } else { ORDERED },
            own_first,
            own_end,
            level_first,
            level_count: counts,
            rows: query.rows,
            exclusions: if query.between { 0 } else { self.sets[0].excluded },
            unfinished: self.learned.unfinished,
            work: self.work,
            top: top(&counts) as u32,
            ..self.bucket_params()
        };
        // Candidates of one bucket need not be sorted into it; if it is of one kind, neither need their bodies.
        let mut possible = (0..BUCKETS as u32).filter(|k| query.possible[*k as usize]);
        if let (Some(only), None) = (possible.next(), possible.next())
            && (0..3).any(|kind| bucket_of(kind, kind) == only)
        {
            params.only_bucket = only;
        }
        recording.params(&params);
        let traits = if query.facts.choosy || query.facts.varying != 0 { &self.traits } else { &self.nothing[0] };
        let exclusions = if params.exclusions > 0 { &self.sets[0].exclusions } else { &self.nothing[0] };
        let buffers = [&self.boxes, &self.nodes, traits, exclusions, &self.candidates, &self.unfinished, &self.status]
            .map(Slab::buffer);
        let (groups, units) =
            (u64::from((own_end - own_first).div_ceil(query.teams)), own_first.into()..own_end.into());
        if self.is_brute() {
            recording.run_units(&stages::ALL_PAIRS, [0; 4], groups, units, &buffers);
            return;
        }
        recording.run_units(&stages::FIND_PAIRS, [0; 4], groups, units, &buffers);
        // A group of threads for each node of level 1 and each search that was cut short: in as many dispatches as it takes.
        let nodes = u64::from(counts[1]);
        let at_once = (self.most_groups * u64::from(query.teams) / nodes).clamp(1, u64::from(u32::MAX)) as usize;
        for first in (0..self.learned.unfinished).step_by(at_once) {
            let end = self.learned.unfinished.min(first.saturating_add(at_once as u32));
            let units = u64::from(end - first) * nodes;
            let groups = units.div_ceil(query.teams.into());
            recording.run_units(&stages::REST, [first, end, 0, 0], groups, 0..units, &buffers);
        }
    }

    /// Puts the candidates of each bucket through the narrow phase; in mode 1 their verdicts stay in their order.
    fn decide<'a>(&'a self, recording: &mut Recording<'a>, narrow: Narrow, mode: u32) {
        let buffers =
            [&self.places, &self.turns, &self.candidates, &self.hits, self.rows_or_nothing(mode), &self.status]
                .map(Slab::buffer);
        for bucket in 0..BUCKETS {
            let stage: &'static Stage =
                if narrow == Narrow::Accept { &stages::ACCEPT } else { stages::NARROW_STAGES[bucket] };
            let (step, groups) = ([bucket as u32, mode, 0, 0], self.learned.candidates[bucket].div_ceil(CANDIDATES));
            recording.run(stage, step, groups, &buffers);
            if groups > 0 {
                recording.ledger.expect_verdicts(stage, bucket, self.learned.candidates[bucket]);
            }
            if let (Narrow::Filter, 0, Some(stage)) = (narrow, mode, stages::SETTLE_STAGES[bucket]) {
                recording.run(stage, step, groups.div_ceil(PARTS), &buffers);
            }
        }
    }

    fn rows_or_nothing(&self, mode: u32) -> &Slab {
        if mode == 0 { &self.rows } else { &self.nothing[1] }
    }

    /// Sorts the long rows in a submission of their own, after all is in its row. What stages have signed so far is cleared.
    fn sort_long_rows_later(&self, query: &Query, long: [u32; 2]) -> Recording<'_> {
        let mut recording = Recording::default();
        recording.clear(self.status.buffer(), 4 * (STATUS_LEDGER as u64 + 1)..4 * STATUS_WORDS as u64);
        self.sort_long_rows(&mut recording, query, long);
        recording
    }

    /// Sorts the long rows, of which there are up to `rows` with `hits`: as one list, by the ids of the partners, then by row.
    fn sort_long_rows<'a>(&'a self, recording: &mut Recording<'a>, query: &Query, [rows, hits]: [u32; 2]) {
        let tiles = hits.div_ceil(TILE);
        recording.params(&Params { keys: hits, tiles, rows: query.rows, ..Params::default() });
        let (step, groups) = ([rows, 0, 0, 0], hits.div_ceil(256));
        let (keys, order) = (&self.keys, &self.order);
        let buffers = |at: usize| {
            let (keys, ranks) = (&keys[at], &order[at]);
            [&self.rows, &self.long_blocks, &self.long_rows, &self.partners, keys, ranks, &self.status]
                .map(Slab::buffer)
        };
        recording.run(&stages::LONG_LIST, step, query.rows.div_ceil(BLOCK), &buffers(0));
        recording.run(&stages::LONG_COLLECT, step, groups, &buffers(0));
        let sorting = Sorting { keys, order, tiles, new: false, counted: false, keep_keys: true, rough: 0 };
        let mut at = self.sort(recording, sorting, &id_digits(self.sets[0].len as u32), 0);
        if rows > 1 {
            // Now the ranks of the rows are the keys.
            let (keys, order) = (order, keys);
            let sorting = Sorting { keys, order, tiles, new: false, counted: false, keep_keys: false, rough: 0 };
            at = self.sort(recording, sorting, &id_digits(rows), at);
        }
        recording.run(&stages::LONG_SPREAD, step, groups, &buffers(at));
    }
}
