//! Many points through the tree at a time, as [rays](super::flights) go: a step of each in turn, and the bodies that they come near tested side
//! by side.
//!
//! Each of those under way has a run of points that are near each other, one after the other: the nearest body of a point is near the next one too.

use std::ops::Range;

use super::Sorted;
use super::cells::Cells;
use super::closest::{Finder, Nearest, Place, away_from};
use super::packed::{columns, cuboids};
use super::route::Route;
use super::tree::WIDTH;
use crate::exact::Away;
use crate::filter::domain::LARGEST_LENGTH;
use crate::filter::{Lanes, points_and_obbs};
use crate::lanes::{Number, Task, Width, prefetch};
use crate::{Bodies, Traits};

/// How many points are under way at a time, and how many bodies wait before they are tested: as of rays.
const FLIGHTS: usize = 16;
const MANY: usize = Width::MOST_LANES;

/// A point under way.
struct Flight<'a> {
    route: Route<'a>,
    place: Place,
    /// Its number, and those of the points that come after it.
    number: usize,
    rest: Range<usize>,
    traits: Traits,
    /// Whether there may be bodies that its traits forbid.
    is_choosy: bool,
    /// Whether single precision can tell anything of it.
    in_domain: bool,
    nearest: Nearest,
    /// Where the nearest body of the point before is, which is looked at first; and whether it still waits for that.
    known: Option<u32>,
    waits: bool,
}

/// A body that a point comes near, and the point's place among those under way.
#[derive(Clone, Copy)]
struct Candidate {
    flight: u32,
    position: u32,
}

/// Finds what is nearest to so many points, which this returns with their traits.
pub(crate) struct FindMany<'a, P, F> {
    pub bodies: &'a Bodies,
    pub sorted: &'a Sorted,
    /// Absent if there are so few points that it is not worth its making: they go through the tree of the order, one after the other.
    pub cells: Option<&'a Cells>,
    /// How many bodies are wanted, and how far away they may be.
    pub wanted: (usize, f32),
    pub count: usize,
    pub point: P,
    /// Takes the number of a point and the bodies that may be among its nearest, in any order.
    pub found: F,
}

impl<P, F> FindMany<'_, P, F>
where
    P: Fn(usize) -> ([f32; 3], Traits),
    F: FnMut(usize, &mut Vec<(Away, u32)>),
{
    /// Returns how many bodies were looked at.
    pub(crate) fn run(self) -> u64 {
        let Self { bodies, sorted, cells, wanted, count, point, mut found } = self;
        if wanted.0 == 0 {
            return 0;
        }
        if let Some(cells) = cells {
            return sorted.width.run(SideBySide { bodies, sorted, cells, wanted, count, point, found });
        }
        let mut finder = Finder::new((bodies, sorted), wanted.0, wanted.1);
        for number in 0..count {
            let (place, traits) = point(number);
            finder.find(place, &traits);
            found(number, &mut finder.found);
        }
        finder.tested
    }
}

struct SideBySide<'a, P, F> {
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    cells: &'a Cells,
    wanted: (usize, f32),
    count: usize,
    point: P,
    found: F,
}

impl<P, F> Task for SideBySide<'_, P, F>
where
    P: Fn(usize) -> ([f32; 3], Traits),
    F: FnMut(usize, &mut Vec<(Away, u32)>),
{
    type Output = u64;
    #[inline(always)]
    fn run<T: Number>(self) -> u64 {
        let Self { bodies, sorted, cells, wanted: (wanted, within), count, point, mut found } = self;
        let mut work = Work { bodies, sorted, cells, candidates: Vec::new(), tested: 0 };
        let run = count.div_ceil(FLIGHTS).max(1);
        let mut flights: Vec<Flight<'_>> = Vec::with_capacity(FLIGHTS);
        for first in (0..count).step_by(run) {
            let rest = first..count.min(first + run);
            flights.push(work.flight(rest, Nearest::new(wanted, within)));
            let place = flights.len() - 1;
            work.take_off(place, &mut flights[place], &point);
        }
        let mut bodies_near = Vec::new();
        while !flights.is_empty() {
            // Those that need not wait.
            let (mut able, mut count, mut near) = ([0; FLIGHTS], 0, [0; FLIGHTS]);
            for (place, flight) in flights.iter().enumerate() {
                able[count % FLIGHTS] = place;
                count += usize::from(flight.route.is_under_way() && !flight.waits);
            }
            if count > 0 && work.candidates.len() < MANY {
                for (place, near) in able[..count].iter().zip(&mut near) {
                    let Flight { route, place, .. } = &mut flights[*place];
                    *near = route.look::<T>(place);
                }
                for (place, near) in able[..count].iter().zip(near) {
                    work.step::<T>(*place, &mut flights[*place], near);
                }
                continue;
            }
            work.test::<T>(&mut flights);
            // Points whose way has ended make room for the next ones of their runs.
            let mut place = 0;
            while place < flights.len() {
                let flight = &mut flights[place];
                if !flight.route.is_under_way() {
                    work.land(flight, &mut bodies_near);
                    found(flight.number, &mut bodies_near);
                    if flight.rest.is_empty() {
                        // (Bodies that wait know flights by their places: there are none.)
                        flights.swap_remove(place);
                        continue;
                    }
                }
                place += 1;
            }
            for (place, flight) in flights.iter_mut().enumerate() {
                if !flight.route.is_under_way() {
                    work.take_off(place, flight, &point);
                }
            }
        }
        work.tested
    }
}

/// What all points under way share.
struct Work<'a> {
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    cells: &'a Cells,
    candidates: Vec<Candidate>,
    tested: u64,
}

impl<'a> Work<'a> {
    /// For a run of points.
    fn flight(&self, rest: Range<usize>, nearest: Nearest) -> Flight<'a> {
        Flight {
            route: Route::new(self.cells),
            place: Place([0.0; 3]),
            number: 0,
            rest,
            traits: Traits::new(),
            is_choosy: false,
            in_domain: false,
            nearest,
            known: None,
            waits: false,
        }
    }

    /// Begins with the next point of a run.
    #[inline(never)]
    fn take_off(&mut self, place: usize, flight: &mut Flight<'a>, point: &impl Fn(usize) -> ([f32; 3], Traits)) {
        let Some(number) = flight.rest.next() else { return };
        let (at, traits) = point(number);
        (flight.number, flight.place, flight.traits) = (number, Place(at), traits);
        flight.is_choosy = !self.sorted.is_open_to(&traits);
        flight.in_domain = at.iter().all(|x| x.abs() <= LARGEST_LENGTH);
        flight.nearest.clear();
        flight.route.begin(self.sorted, traits.world);
        flight.route.limit(flight.nearest.most_square());
        let known = flight.known.filter(|known| Route::passes(self.sorted, traits.world, *known as usize));
        flight.known = known.filter(|known| !flight.is_choosy || self.may_meet(&flight.traits, *known as usize));
        if let Some(known) = flight.known {
            flight.waits = self.look(place, flight, known as usize);
        }
    }

    fn may_meet(&self, traits: &Traits, position: usize) -> bool {
        traits.may_meet(&self.bodies.all_traits()[self.sorted.order.ids[position] as usize])
    }

    /// Looks at a body: at once, or with others. Returns whether it waits for these.
    #[inline(always)]
    fn look(&mut self, place: usize, flight: &mut Flight<'a>, position: usize) -> bool {
        let order = &self.sorted.order;
        let packed = || order.tree.leaves()[position / WIDTH].packed(position % WIDTH);
        self.tested += 1;
        let is_usable = flight.in_domain && (order.all_usable || packed().usable());
        if is_usable {
            prefetch(packed());
            self.candidates.push(Candidate { flight: place as u32, position: position as u32 });
        } else {
            flight.nearest.offer(away_from(flight.place.0, self.bodies, self.sorted, position), position as u32);
            flight.route.limit(flight.nearest.most_square());
        }
        is_usable
    }

    /// Goes on from a block of which these children may be near.
    #[inline(always)]
    fn step<T: Number>(&mut self, place: usize, flight: &mut Flight<'a>, near: u32) {
        let (block, mut near) = flight.route.go_on::<T>(near);
        while near != 0 {
            let position = self.cells.child(block, near.trailing_zeros() as usize);
            near &= near - 1;
            let is_new = flight.known != Some(position as u32);
            if is_new && (!flight.is_choosy || self.may_meet(&flight.traits, position)) {
                flight.waits |= self.look(place, flight, position);
            }
        }
    }

    /// Looks at the bodies that wait.
    #[inline(always)]
    fn test<T: Number>(&mut self, flights: &mut [Flight<'a>]) {
        let leaves = self.sorted.order.tree.leaves();
        for some in self.candidates.chunks(T::LANES) {
            // What lacks of a full vector are pairs like the last one.
            let last = some.len() - 1;
            let mut places = [[0.0; WIDTH]; 3];
            for lane in 0..T::LANES {
                let [x, y, z] = flights[some[lane.min(last)].flight as usize].place.0;
                (places[0][lane], places[1][lane], places[2][lane]) = (x, y, z);
            }
            let point = [Lanes(T::load(&places[0])), Lanes(T::load(&places[1])), Lanes(T::load(&places[2]))];
            let boxes = columns::<T>(|lane| {
                let position = some[lane.min(last)].position as usize;
                leaves[position / WIDTH].packed(position % WIDTH)
            });
            let (near, far) = points_and_obbs(&point, &cuboids(boxes));
            let (mut least, mut most) = ([0.0; WIDTH], [0.0; WIDTH]);
            near.store(&mut least);
            far.store(&mut most);
            for (lane, Candidate { flight, position }) in some.iter().enumerate() {
                let flight = &mut flights[*flight as usize];
                let away = Away { least: f64::from(least[lane]), most: f64::from(most[lane]) };
                flight.nearest.offer(away, *position);
                flight.route.limit(flight.nearest.most_square());
                flight.waits = false;
            }
        }
        self.candidates.clear();
    }

    /// Leaves in `found` the bodies that may be among the nearest of a point.
    #[inline(never)]
    fn land(&self, flight: &mut Flight<'a>, found: &mut Vec<(Away, u32)>) {
        let Flight { nearest, known, place, .. } = flight;
        *known = nearest.leave_nearest();
        if nearest.found.len() > 1 {
            // Double precision tells better which are nearest.
            nearest.look_again(|position| away_from(place.0, self.bodies, self.sorted, position as usize));
            *known = nearest.leave_nearest();
        }
        found.clear();
        found.extend(nearest.found.iter().map(|(away, at)| (*away, self.sorted.order.ids[*at as usize])));
    }
}
