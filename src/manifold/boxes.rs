//! Contacts of boxes, several pairs at a time, in three steps that each have a queue: a first look at a pair, the edges that can be better
//! than the best face, and what of the faces meets. So all that are computed side by side take the same way.

use super::axes::Relative;
use super::edges::cross;
use super::faces::meet;
use super::frame::{Solid, low_words, power};
use super::{Manifold, Pair, depth_of};
use crate::lanes::{Number, Task, Width};

/// Pairs of boxes whose contacts are computed once there are as many as are computed side by side.
pub(super) struct Boxes<'a> {
    most: u32,
    width: Width,
    pairs: Vec<Placed<'a>>,
    edges: Vec<Edge<'a>>,
    best: Best,
    faces: Vec<Sighted<'a>>,
}

/// A pair, and where its contact goes.
#[derive(Clone, Copy)]
struct Placed<'a> {
    pair: Pair<'a>,
    place: usize,
}

/// A pair after the first look: its best face, and the depth along it.
#[derive(Clone, Copy)]
struct Sighted<'a> {
    placed: Placed<'a>,
    face: usize,
    depth: f32,
}

/// Edges 3 i + j of a pair, which has others before them and after, or not.
#[derive(Clone, Copy)]
struct Edge<'a> {
    of: Sighted<'a>,
    number: usize,
    is_first: bool,
    is_last: bool,
}

/// The best axis so far of the pair whose edges are being tried.
struct Best {
    depth: f32,
    is_edge: bool,
}

impl<'a> Boxes<'a> {
    pub(super) fn new(most: u32, width: Width) -> Self {
        let lanes = width.lanes();
        let best = Best { depth: 0.0, is_edge: false };
        // (A look can leave nine edges of each pair.)
        let (edges, faces) = (Vec::with_capacity(10 * lanes), Vec::with_capacity(2 * lanes));
        Self { most, width, pairs: Vec::with_capacity(lanes), edges, best, faces }
    }

    /// Puts the contact of a pair at its place, now or later.
    pub(super) fn put(&mut self, pair: Pair<'a>, place: usize, out: &mut [Manifold]) {
        self.pairs.push(Placed { pair, place });
        if self.pairs.len() == self.width.lanes() {
            self.advance(self.width.lanes(), out);
        }
    }

    /// Computes those that still wait.
    pub(super) fn finish(&mut self, out: &mut [Manifold]) {
        self.advance(1, out);
    }

    /// Does each step for as many as can be computed side by side, again and again, as long as there are at least so many.
    fn advance(&mut self, least: usize, out: &mut [Manifold]) {
        let lanes = self.width.lanes();
        if self.pairs.len() >= least {
            self.width.run(Looks { pairs: &self.pairs, edges: &mut self.edges, faces: &mut self.faces });
            self.pairs.clear();
        }
        self.take_faces(least, out);
        let mut tried = 0;
        while self.edges.len() - tried >= least {
            let some = &self.edges[tried..self.edges.len().min(tried + lanes)];
            self.width.run(Crossings { edges: some, best: &mut self.best, faces: &mut self.faces, out });
            tried += some.len();
            self.take_faces(least, out);
        }
        self.edges.drain(..tried);
    }

    fn take_faces(&mut self, least: usize, out: &mut [Manifold]) {
        while self.faces.len() >= least {
            let rest = self.faces.len().saturating_sub(self.width.lanes());
            self.width.run(Faces { pairs: &self.faces[rest..], most: self.most, out });
            self.faces.truncate(rest);
        }
    }
}

/// A first look at pairs, at most as many as there are lanes.
struct Looks<'a, 'b> {
    pairs: &'b [Placed<'a>],
    edges: &'b mut Vec<Edge<'a>>,
    faces: &'b mut Vec<Sighted<'a>>,
}

impl Task for Looks<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        let last = self.pairs.len() - 1;
        let of = |lane: usize| &self.pairs[lane.min(last)].pair;
        let scale = T::from_fn(|lane| of(lane).scale());
        let a = Solid::of(|lane| (of(lane).frames[0], 0), scale);
        let b = Solid::of(|lane| (of(lane).frames[1], 0), scale);
        let look = Relative::of(&a, &b).look();
        for (lane, placed) in self.pairs.iter().enumerate() {
            // (Faces and sums of powers of two are whole numbers.)
            let (face, close) = (look.face.lane(lane) as usize, look.close.lane(lane) as u32);
            let sighted = Sighted { placed: *placed, face, depth: look.depth.lane(lane) };
            if close == 0 {
                self.faces.push(sighted);
            }
            let mut left = close;
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                let is_first = left == close;
                left &= left - 1;
                self.edges.push(Edge { of: sighted, number, is_first, is_last: left == 0 });
            }
        }
    }
}

/// Edges that may be the best axis of their pairs, at most as many as there are lanes.
struct Crossings<'a, 'b> {
    edges: &'b [Edge<'a>],
    best: &'b mut Best,
    /// Pairs for which a face is better.
    faces: &'b mut Vec<Sighted<'a>>,
    out: &'b mut [Manifold],
}

impl Task for Crossings<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        let last = self.edges.len() - 1;
        let of = |lane: usize| &self.edges[lane.min(last)];
        let pair = |lane: usize| &of(lane).of.placed.pair;
        let first = |lane: usize| (pair(lane).frames[0], of(lane).number / 3);
        let second = |lane: usize| (pair(lane).frames[1], of(lane).number % 3);
        let scale = T::from_fn(|lane| pair(lane).scale());
        let (a, b) = (Solid::of(first, scale), Solid::of(second, scale));
        let axes = [T::from_fn(|lane| first(lane).1 as f32), T::from_fn(|lane| second(lane).1 as f32)];
        let touching = truth::<T>(|lane| pair(lane).touching);
        let floor = T::from_fn(|lane| pair(lane).floor);
        let found = cross([&a, &b], || [low_words(first), low_words(second)], axes, (touching, floor));
        let points =
            found.points.finished(truth::<T>(|lane| pair(lane).swapped), T::from_fn(|lane| power(pair(lane).exponent)));
        for (lane, edge) in self.edges.iter().enumerate() {
            if edge.is_first {
                *self.best = Best { depth: edge.of.depth, is_edge: false };
            }
            let Placed { pair, place } = &edge.of.placed;
            if found.preferred_to[usize::from(self.best.is_edge)].lane(lane) < self.best.depth {
                *self.best = Best { depth: found.depth.lane(lane), is_edge: true };
                self.out[*place] = pair.manifold(&points, lane);
            }
            if edge.is_last && !self.best.is_edge {
                self.faces.push(edge.of);
            }
        }
    }
}

/// Pairs of which a face is the best axis, at most as many as there are lanes.
struct Faces<'a, 'b> {
    pairs: &'b [Sighted<'a>],
    most: u32,
    out: &'b mut [Manifold],
}

impl Task for Faces<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<T: Number>(self) {
        let last = self.pairs.len() - 1;
        let of = |lane: usize| &self.pairs[lane.min(last)];
        let pair = |lane: usize| &of(lane).placed.pair;
        let reference = |lane: usize| (pair(lane).frames[of(lane).face / 3], of(lane).face % 3);
        let scale = T::from_fn(|lane| pair(lane).scale());
        let floor = T::from_fn(|lane| pair(lane).floor);
        let points = meet(
            &Solid::of(reference, scale),
            &Solid::of(|lane| (pair(lane).frames[1 - of(lane).face / 3], 0), scale),
            truth::<T>(|lane| of(lane).face < 3),
            T::from_fn(|lane| reference(lane).1 as f32),
            [depth_of(T::from_fn(|lane| of(lane).depth), truth::<T>(|lane| pair(lane).touching), floor), floor],
            self.most,
        );
        let points =
            points.finished(truth::<T>(|lane| pair(lane).swapped), T::from_fn(|lane| power(pair(lane).exponent)));
        for (lane, sighted) in self.pairs.iter().enumerate() {
            let Placed { pair, place } = &sighted.placed;
            self.out[*place] = pair.manifold(&points, lane);
        }
    }
}

#[inline(always)]
fn truth<T: Number>(of: impl Fn(usize) -> bool) -> T::Truth {
    T::from_fn(|lane| f32::from(u8::from(of(lane)))).equals(T::splat(1.0))
}
