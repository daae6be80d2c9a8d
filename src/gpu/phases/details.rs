//! What is computed of all pairs of the rows: contacts, clearances, or when moving bodies meet.

use std::ops::RangeInclusive;

use crate::Bodies;
use crate::gpu::Floats;
use crate::gpu::abi::{
    APPROACH_PAIRS, BODY_THREADS, CLEARANCE_VECTORS, CONTACT_THREADS, COURSE_VECTORS, FRAME_VECTORS, LISTED_PAIRS,
    MANIFOLD_VECTORS, STATUS_WORDS, SWEEP_VECTORS, approaches, clearances, contacts, frames, hull_clearances,
    hull_contacts, hull_directions, hull_feet, hull_sweeps, hull_ways, list_pairs, sweeps,
};
use crate::gpu::buffer::GrowBuffer;
use crate::gpu::device::Device;
use crate::gpu::failure::Attempt;
use crate::gpu::ledger::word_of;
use crate::gpu::runner::{Reading, Recording, Runner};
use crate::gpu::stages;
use crate::gpu::workspace::{Memory, Search};
use crate::near::Course;
use crate::parallel::Pool;

/// Where the shapes of moving bodies are among the sets of a workspace.
pub(crate) const MOVING: usize = 2;

/// Bodies that move, and how: those that are searched, then those that search if they are others.
#[derive(Clone, Copy)]
pub(crate) struct Moving<'a> {
    pub bodies: [Option<&'a Bodies>; 2],
    pub courses: [&'a [Course]; 2],
}

/// What is computed of each pair besides its relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Details {
    /// Its contact, with at most this many points.
    Contacts { most: u32 },
    /// The same of bodies that may be apart.
    Approaches { most: u32 },
    /// How far apart its bodies are, and where they are nearest.
    Clearances,
    /// When its bodies, which move, first touch.
    Sweeps,
}

impl Details {
    /// Vectors of four words of each.
    pub(crate) fn vectors(self) -> usize {
        match self {
            Self::Contacts { .. } | Self::Approaches { .. } => MANIFOLD_VECTORS,
            Self::Clearances => CLEARANCE_VECTORS,
            Self::Sweeps => SWEEP_VECTORS,
        }
    }

    /// The floats that must have equal bits.
    pub(crate) fn floats(self) -> Floats {
        match self {
            Self::Contacts { .. } => Floats::Contacts,
            Self::Approaches { .. } => Floats::Approaches,
            Self::Clearances => Floats::Clearances,
            Self::Sweeps => Floats::Sweeps,
        }
    }
}

impl Memory {
    /// Makes room for the bodies of both sets as contacts see them.
    pub(crate) async fn reserve_frames(&mut self, device: &Device, moving: bool) -> Attempt<()> {
        let vectors = FRAME_VECTORS + if moving { COURSE_VECTORS } else { 0 };
        for (frames, set) in self.frames.iter_mut().zip(&self.sets) {
            frames.reserve(device, 16 * (vectors * set.len.max(1)) as u64).await?;
        }
        self.frames_status.reserve(device, 4 * STATUS_WORDS as u64).await?;
        Ok(())
    }

    /// Brings bodies that move up to date on the device, and how they move.
    pub(crate) async fn sync_moving(
        &mut self,
        device: &Device,
        runner: &mut Runner,
        pool: &Pool,
        moving: &Moving<'_>,
    ) -> Attempt<()> {
        for (k, (bodies, courses)) in moving.bodies.iter().zip(moving.courses).enumerate() {
            let Some(bodies) = bodies else { continue };
            let first = 16 * u64::from(self.first_course(k));
            let Self { sets, status, frames, .. } = self;
            sets[MOVING + k].sync(device, runner, pool, bodies, status).await?;
            device.write(frames[k].buffer(), first, bytemuck::cast_slice(courses)).await?;
        }
        Ok(())
    }

    /// Where the courses of moving bodies begin, after their frames.
    pub(crate) fn first_course(&self, set: usize) -> u32 {
        (FRAME_VECTORS * self.sets[set].len) as u32
    }

    /// Where the courses of the first bodies of pairs begin, and of the second.
    pub(super) fn first_courses(&self, between: bool) -> [u32; 2] {
        [self.first_course(usize::from(between)), self.first_course(0)]
    }

    /// Makes room for these details of so many pairs.
    pub(crate) async fn reserve_details(&mut self, device: &Device, details: Details, pairs: u64) -> Attempt<()> {
        self.details.reserve(device, 16 * details.vectors() as u64 * pairs.max(1)).await?;
        Ok(())
    }

    /// Records the frames of all bodies. Nothing here waits for the search, or the search for this: devices run both side by side.
    pub(super) fn make_frames<'a>(&'a self, recording: &mut Recording<'a>, query: &Search) {
        for set in 0..=usize::from(query.between) {
            // (The shapes of moving bodies are apart from the boxes in which they stay.)
            let from = if query.moving { MOVING + set } else { set };
            self.make_frames_of(recording, (from, set), self.margins_of(set, query));
        }
    }

    /// The frames of the bodies of a set, at the place of a set, with these margins.
    pub(super) fn make_frames_of<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        (from, set): (usize, usize),
        (margins, has_margins): (&'a GrowBuffer, u32),
    ) {
        let (bodies, from) = (self.sets[set].len as u32, &self.sets[from]);
        let (shapes, tags, frame) = (&from.shapes, &from.tags, &self.frames[set]);
        let buffers = frames::Buffers { shapes, tags, margins, frame, status: &self.frames_status };
        let params = frames::Params { zero: 0, bodies, has_margins };
        recording.run(&stages::FRAMES, bodies.div_ceil(BODY_THREADS), &params, &buffers);
    }

    /// Records that the signatures of the frames are copied to those of the other stages, at the end of a recording.
    pub(crate) fn sign_for_frames<'a>(&'a self, recording: &mut Recording<'a>) {
        recording.copy_word(self.frames_status.buffer(), self.status.buffer(), word_of(&stages::FRAMES));
    }

    /// Records the details of the pairs in the rows, of which there are at most `room`.
    pub(crate) fn find_details<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        query: &Search,
        room: u32,
        details: Details,
    ) {
        let status = &self.status;
        // The hits are in their rows, so that their room is free.
        let (rows, pairs) = (&self.rows, &self.hits);
        let buffers = list_pairs::Buffers { rows, partners: &self.partners, pairs, status };
        let params = list_pairs::Params { rows: query.rows, room };
        recording.run(&stages::LIST_PAIRS, room.div_ceil(LISTED_PAIRS), &params, &buffers);
        let (frames_a, frames_b) = (&self.frames[usize::from(query.between)], &self.frames[0]);
        let (groups, found) = (room.div_ceil(CONTACT_THREADS), &self.details);
        match details {
            Details::Contacts { most } | Details::Approaches { most } => {
                let apart = matches!(details, Details::Approaches { .. });
                let (may_be_apart, margin) = (u32::from(apart), query.narrow.distance());
                let params = contacts::Params { zero: 0, rows: query.rows, room, most, may_be_apart, margin };
                let buffers = contacts::Buffers { frames_a, frames_b, rows, pairs, manifolds: found, status };
                recording.run(&stages::CONTACTS, groups, &params, &buffers);
                if apart {
                    let approaches = approaches::Params { zero: 0, rows: query.rows, room };
                    let buffers = approaches::Buffers { frames_a, frames_b, rows, pairs, manifolds: found, status };
                    recording.run(&stages::APPROACHES, room.div_ceil(APPROACH_PAIRS), &approaches, &buffers);
                }
                self.meet_hulls(recording, query, &params);
            }
            Details::Clearances => {
                let params = clearances::Params { zero: 0, rows: query.rows, room };
                let buffers = clearances::Buffers { frames_a, frames_b, rows, pairs, records: found, status };
                recording.run(&stages::CLEARANCES, groups, &params, &buffers);
                if let Some([hulls_a, hulls_b]) = self.hulls(query) {
                    let params = hull_clearances::Params { zero: 0, rows: query.rows, room };
                    let buffers = hull_clearances::Buffers {
                        frames_a,
                        frames_b,
                        rows,
                        pairs,
                        records: found,
                        hulls_a,
                        hulls_b,
                        status,
                    };
                    recording.run(&stages::HULL_CLEARANCES, groups, &params, &buffers);
                }
            }
            Details::Sweeps => {
                let (params, buffers) = self.sweeps(query, room);
                recording.run(&stages::SWEEPS, groups, &params, &buffers);
                self.sweep_hulls(recording, query, &params);
                self.go_on_with_sweeps(recording, query, room, 1..=self.capacity.sweep_turns);
            }
        }
    }

    /// Records the contacts of pairs with hulls, if there are any.
    fn meet_hulls<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, params: &contacts::Params) {
        let Some([hulls_a, hulls_b]) = self.hulls(query) else { return };
        let contacts::Params { zero, rows, room, most, may_be_apart, margin } = *params;
        let groups = room.div_ceil(CONTACT_THREADS);
        let (frames_a, frames_b) = (&self.frames[usize::from(query.between)], &self.frames[0]);
        let (pairs, manifolds, status) = (&self.hits, &self.details, &self.status);
        let params = hull_ways::Params { zero, rows, room, may_be_apart };
        let offsets = &self.rows;
        let buffers =
            hull_ways::Buffers { frames_a, frames_b, rows: offsets, pairs, manifolds, hulls_a, hulls_b, status };
        recording.run(&stages::HULL_WAYS, groups, &params, &buffers);
        let params = hull_directions::Params { zero, rows, room };
        let buffers =
            hull_directions::Buffers { frames_a, frames_b, rows: offsets, pairs, manifolds, hulls_a, hulls_b, status };
        recording.run(&stages::HULL_DIRECTIONS, groups, &params, &buffers);
        let params = hull_contacts::Params { zero, rows, room, most, may_be_apart, margin };
        let buffers =
            hull_contacts::Buffers { frames_a, frames_b, rows: offsets, pairs, manifolds, hulls_a, hulls_b, status };
        recording.run(&stages::HULL_CONTACTS, groups, &params, &buffers);
        if query.facts.has_half_spaces() {
            let params = hull_feet::Params { zero, rows, room, most, may_be_apart, margin };
            let buffers =
                hull_feet::Buffers { frames_a, frames_b, rows: offsets, pairs, manifolds, hulls_a, hulls_b, status };
            recording.run(&stages::HULL_FEET, groups, &params, &buffers);
        }
    }

    /// The local forms of hulls of the first bodies of pairs, and of the second, if there are any.
    fn hulls(&self, query: &Search) -> Option<[&GrowBuffer; 2]> {
        let first = if query.moving { MOVING } else { 0 };
        let sets = [&self.sets[first + usize::from(query.between)], &self.sets[first]];
        sets.iter().any(|set| set.has_hulls).then(|| sets.map(|set| &set.hulls))
    }

    fn sweeps(&self, query: &Search, room: u32) -> (sweeps::Params, sweeps::Buffers<'_>) {
        let [courses_a, courses_b] = self.first_courses(query.between);
        let params = sweeps::Params { zero: 0, rows: query.rows, room, turns: 0, courses_a, courses_b };
        let buffers = sweeps::Buffers {
            frames_a: &self.frames[usize::from(query.between)],
            frames_b: &self.frames[0],
            rows: &self.rows,
            pairs: &self.hits,
            records: &self.details,
            status: &self.status,
        };
        (params, buffers)
    }

    /// Records these turns of moving bodies that are pending.
    pub(crate) fn go_on_with_sweeps<'a>(
        &'a self,
        recording: &mut Recording<'a>,
        query: &Search,
        room: u32,
        turns: RangeInclusive<u32>,
    ) {
        let (params, buffers) = self.sweeps(query, room);
        for turns in turns {
            let params = sweeps::Params { turns, ..params };
            recording.run(&stages::SWEEPS_REST, room.div_ceil(APPROACH_PAIRS), &params, &buffers);
            self.sweep_hulls(recording, query, &params);
        }
    }

    /// Records a turn of pairs with hulls, if there are any.
    fn sweep_hulls<'a>(&'a self, recording: &mut Recording<'a>, query: &Search, params: &sweeps::Params) {
        let Some([hulls_a, hulls_b]) = self.hulls(query) else { return };
        let sweeps::Params { zero, rows, room, turns, courses_a, courses_b } = *params;
        let params = hull_sweeps::Params { zero, rows, room, turns, courses_a, courses_b };
        let (_, sweeps::Buffers { frames_a, frames_b, rows, pairs, records, status }) = self.sweeps(query, room);
        let buffers = hull_sweeps::Buffers { frames_a, frames_b, rows, pairs, records, hulls_a, hulls_b, status };
        recording.run(&stages::HULL_SWEEPS, room.div_ceil(CONTACT_THREADS), &params, &buffers);
    }

    /// The read-back of these details of so many pairs.
    pub(crate) fn details_reading(&self, details: Details, pairs: u64) -> Reading<'_> {
        (self.details.buffer(), 16 * details.vectors() as u64 * pairs)
    }
}
