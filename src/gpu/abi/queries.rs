//! Modules of the queries that are no pair searches.

use super::constants::BUCKET_WORDS;
use super::module::{Read, Write, kernels};

kernels! {
    /// Sorts the pairs that the caller lists into buckets, and returns their verdicts in the order of the list.
    bucket_pairs in "queries/bucket_pairs" {
        params {
            /// The first candidate of each bucket, and the bucket's capacity.
            bucket_first: [u32; BUCKET_WORDS],
            bucket_size: [u32; BUCKET_WORDS],
            /// The number of listed pairs.
            pairs: u32,
            /// The slot of body 0; the other bodies follow in the order of their ids.
            first_slot: u32,
            /// 1 if the answers are for shaders of the caller's (`ANSWER_…`), 0 if they are verdicts.
            for_shaders: u32,
        }
        buffers {
            /// The listed pairs of ids.
            asked: Read<[u32; 2]>,
            slot_bounds: Read<[u32; 4]>,
            candidates: Write<[u32; 2]>,
            /// The position in the list of each candidate.
            origins: Write<u32>,
            /// The verdict on each candidate is the first word of its element.
            verdicts: Read<[u32; 2]>,
            answers: Write<u32>,
        }
    }

    /// Classifies bodies against the intersection of half-spaces: inside, crossing its border, or outside.
    cull in "queries/cull" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            /// The first body, and the number of bodies.
            first_body: u32,
            bodies: u32,
            /// The first plane, and the number of planes. From the second dispatch on, the sides of the planes before are there.
            first_plane: u32,
            planes: u32,
        }
        buffers {
            /// The shape records of bodies.
            shapes: Read<u32>,
            /// A byte for each body.
            tags: Read<u32>,
            /// Normal and offset of each half-space.
            planes: Read<[u32; 4]>,
            /// The local forms of hulls.
            hulls: Read<[u32; 4]>,
            sides: Write<u32>,
        }
    }

    /// Bodies as contacts see them: centre, half extents and axes in double words.
    frames in "queries/frames" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            bodies: u32,
            /// Whether bodies have margins.
            has_margins: u32,
        }
        buffers {
            /// The shape records of bodies.
            shapes: Read<u32>,
            /// A byte for each body.
            tags: Read<u32>,
            margins: Read<u32>,
            frame: Write<[u32; 4]>,
        }
    }

    /// Lists the pairs of all rows.
    list_pairs in "queries/list_pairs" {
        params {
            rows: u32,
            /// The capacity for pairs.
            room: u32,
        }
        buffers {
            /// The CSR offsets: where each row begins, and where the last one ends.
            rows: Read<u32>,
            /// The partners with their marks.
            partners: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Write<[u32; 2]>,
        }
    }

    /// Normal, depth and points of each pair that touches or overlaps, or of any pair along the axis that parts it most.
    contacts in "queries/contacts" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for contacts.
            room: u32,
            /// The most points of a contact: 1 or 4.
            most: u32,
            /// 1 if bodies of a pair may be apart, by this and their margins.
            may_be_apart: u32,
            margin: f32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            manifolds: Write<[u32; 4]>,
        }
    }

    /// The depths of contacts of bodies that are apart, and the points of those that only corners tell.
    approaches in "queries/approaches" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for contacts.
            room: u32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            manifolds: Write<[u32; 4]>,
        }
    }

    /// Where the search for the nearest points has ended of each pair of which one is a hull and none a half-space, and the shortest way out of each other.
    hull_ways in "queries/hull_ways" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for contacts.
            room: u32,
            /// 1 if bodies of a pair may be apart.
            may_be_apart: u32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            /// The ways are left where the points of the contact will be.
            manifolds: Write<[u32; 4]>,
            /// The local forms of hulls of the first bodies, and of the second.
            hulls_a: Read<[u32; 4]>,
            hulls_b: Read<[u32; 4]>,
        }
    }

    /// Along which direction these pairs meet.
    hull_directions in "queries/hull_directions" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for contacts.
            room: u32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            /// The direction is left where the points of the contact will be.
            manifolds: Write<[u32; 4]>,
            /// The local forms of hulls of the first bodies, and of the second.
            hulls_a: Read<[u32; 4]>,
            hulls_b: Read<[u32; 4]>,
        }
    }

    /// Normal, depth and points of these pairs.
    hull_contacts in "queries/hull_contacts" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for contacts.
            room: u32,
            /// The most points of a contact: 1 or 4.
            most: u32,
            /// 1 if bodies of a pair may be apart, by this and their margins.
            may_be_apart: u32,
            margin: f32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            manifolds: Write<[u32; 4]>,
            /// The local forms of hulls of the first bodies, and of the second.
            hulls_a: Read<[u32; 4]>,
            hulls_b: Read<[u32; 4]>,
        }
    }

    /// The same of pairs of a hull and a half-space.
    hull_feet in "queries/hull_feet" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for contacts.
            room: u32,
            /// The most points of a contact: 1 or 4.
            most: u32,
            /// 1 if bodies of a pair may be apart, by this and their margins.
            may_be_apart: u32,
            margin: f32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            manifolds: Write<[u32; 4]>,
            /// The local forms of hulls of the first bodies, and of the second.
            hulls_a: Read<[u32; 4]>,
            hulls_b: Read<[u32; 4]>,
        }
    }

    /// How far apart the bodies of each pair are, and where they are nearest.
    clearances in "queries/clearances" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for clearances.
            room: u32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            records: Write<[u32; 4]>,
        }
    }

    /// The same of pairs of which one is a hull.
    hull_clearances in "queries/hull_clearances" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for clearances.
            room: u32,
        }
        buffers {
            /// The frames of the first bodies, and of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            records: Write<[u32; 4]>,
            /// The local forms of hulls of the first bodies, and of the second.
            hulls_a: Read<[u32; 4]>,
            hulls_b: Read<[u32; 4]>,
        }
    }

    /// When the bodies of each pair first touch.
    sweeps in "queries/sweeps" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for hits.
            room: u32,
            /// How many turns were there before.
            turns: u32,
            /// Where the courses begin.
            courses_a: u32,
            courses_b: u32,
        }
        buffers {
            /// The frames of the first bodies and then their courses, and those of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            records: Write<[u32; 4]>,
        }
    }

    /// The same of pairs of which one is a hull.
    hull_sweeps in "queries/hull_sweeps" {
        params {
            /// Always 0, which compilers cannot know.
            zero: u32,
            rows: u32,
            /// The capacity for hits.
            room: u32,
            /// How many turns were there before.
            turns: u32,
            /// Where the courses begin.
            courses_a: u32,
            courses_b: u32,
        }
        buffers {
            /// The frames of the first bodies and then their courses, and those of the second.
            frames_a: Read<[u32; 4]>,
            frames_b: Read<[u32; 4]>,
            /// The CSR offsets, of which the last is the number of pairs.
            rows: Read<u32>,
            /// Row and marked partner of each pair.
            pairs: Read<[u32; 2]>,
            records: Write<[u32; 4]>,
            /// The local forms of hulls of the first bodies, and of the second.
            hulls_a: Read<[u32; 4]>,
            hulls_b: Read<[u32; 4]>,
        }
    }
}
