//! Many rays through the tree at a time, a step of each in turn.
//!
//! Where a ray goes next depends on what it has just found: a processor that follows one ray waits most of the time, for memory and for its
//! own results. Steps of different rays do not depend on each other, and it takes several at a time. The bodies that rays come near wait until
//! they are many, and are tested side by side, each with its own ray; and so are the times at which rays enter computed.

use super::Sorted;
use super::bundles::{self, Bundle, Member};
use super::cells::Cells;
use super::packed::{columns, cuboids, of_rows};
use super::rays::{Caster, FURTHEST, Goal, Hit, Slopes, Wanted};
use super::route::Route;
use super::tree::WIDTH;
use crate::bodies::Kind;
use crate::cast::{RaysAndBoxes, Shot, certain_interval, entries_into_boxes};
use crate::filter::{Lanes, Path, rays_and_obbs};
use crate::lanes::{Number, Task, Width, prefetch};
use crate::{Bodies, Traits};

/// How many rays are under way at a time: enough that a processor always has a step to do, few enough that all of them lie in the nearest cache.
const FLIGHTS: usize = 16;
/// How many bodies wait before they are tested, and how many times before they are computed: as many as the widest vectors have lanes. (If
/// more wait, rays go further than they need to.)
const MANY: usize = Width::MOST_LANES;
/// A ray as tests of many read it: its origin and its last time, and its direction.
type PathRows = [[f32; 4]; 2];

fn rows_of(shot: &Shot) -> PathRows {
    let ([x, y, z], [dx, dy, dz]) = (shot.ray.origin().to_array(), shot.direction);
    [[x, y, z, shot.last], [dx, dy, dz, 0.0]]
}

/// Rays in the lanes of numbers.
#[inline(always)]
fn paths<'a, T: Number>(rows: impl Fn(usize) -> &'a PathRows) -> Path<Lanes<T>> {
    let [x, y, z, last] = T::columns(|lane| &rows(lane)[0]);
    let [dx, dy, dz, _] = T::columns(|lane| &rows(lane)[1]);
    Path { origin: [Lanes(x), Lanes(y), Lanes(z)], direction: [Lanes(dx), Lanes(dy), Lanes(dz)], limit: Lanes(last) }
}

/// A ray under way.
struct Flight<'a> {
    route: Route<'a>,
    slopes: Slopes,
    rows: PathRows,
    /// Whether single precision can tell anything of it.
    in_domain: bool,
    /// Whether bodies wait that it comes near: how far it has to go is not known before they are tested.
    waits: bool,
    /// Whether there may be bodies that its traits forbid.
    is_choosy: bool,
    number: usize,
    shot: Shot,
    traits: Traits,
    wanted: Goal,
}

impl<'a> Flight<'a> {
    fn new((sorted, cells): (&'a Sorted, &'a Cells), number: usize, ray: &(Shot, Traits), wanted: Goal) -> Self {
        let mut flight = Self {
            route: Route::new(cells),
            slopes: Slopes::new(&ray.0),
            rows: rows_of(&ray.0),
            in_domain: false,
            waits: false,
            is_choosy: false,
            number,
            shot: ray.0,
            traits: ray.1,
            wanted: wanted.clone(),
        };
        flight.begin(sorted, number, ray, wanted);
        flight
    }

    /// Begins with another ray.
    fn begin(&mut self, sorted: &Sorted, number: usize, (shot, traits): &(Shot, Traits), wanted: Goal) {
        self.route.begin(sorted, traits.world);
        (self.slopes, self.rows, self.in_domain) = (Slopes::new(shot), rows_of(shot), shot.in_domain);
        (self.waits, self.is_choosy) = (false, !sorted.is_open_to(traits));
        (self.number, self.shot, self.traits, self.wanted) = (number, *shot, *traits, wanted);
        self.look_again();
    }

    /// Learns what has been found: how far the ray has to go, and whether at all.
    fn look_again(&mut self) {
        // Rounded up.
        self.route.limit((self.wanted.latest().min(self.shot.path.limit) as f32).next_up());
        if self.wanted.is_done() {
            self.route.stop();
        }
    }
}

/// A body that a ray comes near, and the ray's place among those under way.
#[derive(Clone, Copy)]
struct Candidate {
    flight: u32,
    position: u32,
}

/// A ray and a body that it meets, whose time is not known yet.
struct Untimed {
    number: usize,
    body: u32,
    shot: Shot,
    rows: PathRows,
}

/// What rays have found.
pub(crate) struct Found {
    /// In any order.
    pub(crate) hits: Vec<Hit>,
    pub(crate) tested: u64,
    pub(crate) undecided: u64,
}

/// Casts so many rays, which this returns with their traits, at a sorted set.
pub(crate) struct CastMany<'a, R> {
    pub bodies: &'a Bodies,
    pub sorted: &'a Sorted,
    /// Absent if there are so few rays that it is not worth its making: they go through the tree of the order, one after the other.
    pub cells: Option<&'a Cells>,
    pub goal: Goal,
    pub count: usize,
    pub ray: R,
}

impl<R: Fn(usize) -> (Shot, Traits)> CastMany<'_, R> {
    pub(crate) fn run(self) -> Found {
        let Self { bodies, sorted, cells, goal, count, ray } = self;
        if let Some(cells) = cells {
            return sorted.width.run(SideBySide { bodies, sorted, cells, goal, count, ray });
        }
        let (mut caster, mut hits) = (Caster::new(bodies, sorted), Vec::with_capacity(count));
        for number in 0..count {
            let ((shot, traits), mut wanted, mut untimed) = (ray(number), goal.clone(), Vec::new());
            caster.cast(&shot, &traits, &mut wanted);
            wanted.end(|time, body| hits.push(Hit::new(number, &shot, time, body)), |body| untimed.push(body));
            hits.extend(untimed.into_iter().map(|body| Hit::new(number, &shot, caster.entry(&shot, body), body)));
        }
        Found { hits, tested: caster.tested, undecided: caster.undecided }
    }
}

struct SideBySide<'a, R> {
    bodies: &'a Bodies,
    sorted: &'a Sorted,
    cells: &'a Cells,
    goal: Goal,
    count: usize,
    ray: R,
}

impl<R: Fn(usize) -> (Shot, Traits)> Task for SideBySide<'_, R> {
    type Output = Found;
    #[inline(always)]
    fn run<T: Number>(self) -> Found {
        let Self { bodies, sorted, cells, goal, count, ray } = self;
        let caster = Caster::new(bodies, sorted);
        let mut work =
            Work { caster, cells, candidates: Vec::new(), untimed: Vec::new(), hits: Vec::with_capacity(count) };
        // Those that go the same way go together.
        let (mut numbers, apart) = (Vec::with_capacity(count), sorted.typical_leaf());
        // (Side by side, as most of them lie anywhere in memory.)
        let rays: Vec<(Shot, Traits)> = (0..count).map(ray).collect();
        for first in (0..count).step_by(bundles::RAYS) {
            let some = first..count.min(first + bundles::RAYS);
            // (Mostly the first and the last tell.)
            let ends = [rays[some.start], rays[some.end - 1]];
            let bundle = bundles::go_together(&ends, apart)
                .then(|| Bundle::new((&work.caster, cells), (first, &rays[some.clone()]), (&goal, apart)));
            let Some(mut bundle) = bundle.flatten() else {
                numbers.extend(some);
                continue;
            };
            bundle.fly::<T>(&mut work.caster);
            for Member { number, shot, wanted } in &mut bundle.members {
                work.note(*number, shot, wanted);
            }
            if work.untimed.len() >= MANY {
                work.time::<T>();
            }
        }
        let mut numbers = numbers.into_iter();
        let mut flights: Vec<Flight<'_>> = Vec::with_capacity(FLIGHTS);
        for number in numbers.by_ref().take(FLIGHTS) {
            flights.push(Flight::new((sorted, cells), number, &rays[number], goal.clone()));
            work.take_off(flights.last_mut().expect("it is there"));
        }
        while !flights.is_empty() {
            // Those that need not wait.
            let (mut able, mut count, mut met) = ([0; FLIGHTS], 0, [0; FLIGHTS]);
            for (place, flight) in flights.iter().enumerate() {
                able[count % FLIGHTS] = place;
                count += usize::from(flight.route.is_under_way() && !flight.waits);
            }
            if count > 0 && work.candidates.len() < MANY {
                for (place, met) in able[..count].iter().zip(&mut met) {
                    let Flight { route, slopes, .. } = &mut flights[*place];
                    *met = route.look::<T>(slopes);
                }
                for (place, met) in able[..count].iter().zip(met) {
                    work.step::<T>(*place, &mut flights[*place], met);
                }
                continue;
            }
            work.test::<T>(&mut flights);
            // Those that have arrived make room for the next ones.
            let mut place = 0;
            while place < flights.len() {
                if flights[place].route.is_under_way() {
                    place += 1;
                    continue;
                }
                let Flight { number, shot, wanted, .. } = &mut flights[place];
                work.note(*number, shot, wanted);
                if work.untimed.len() >= MANY {
                    work.time::<T>();
                }
                if let Some(number) = numbers.next() {
                    flights[place].begin(sorted, number, &rays[number], goal.clone());
                    work.take_off(&mut flights[place]);
                    place += 1;
                } else {
                    flights.swap_remove(place);
                }
            }
        }
        work.time::<T>();
        Found { hits: work.hits, tested: work.caster.tested, undecided: work.caster.undecided }
    }
}

/// What all rays under way share.
struct Work<'a> {
    caster: Caster<'a>,
    cells: &'a Cells,
    candidates: Vec<Candidate>,
    untimed: Vec<Untimed>,
    hits: Vec<Hit>,
}

impl<'a> Work<'a> {
    /// A ray from far away is tested against all bodies at once.
    fn take_off(&mut self, flight: &mut Flight<'a>) {
        if flight.shot.ray.origin().abs().max_element() > FURTHEST {
            flight.route.stop();
            self.caster.test_all(&flight.shot, &flight.traits, &mut flight.wanted);
        }
    }

    /// Goes on from a block of which these children may be near.
    #[inline(always)]
    fn step<T: Number>(&mut self, place: usize, flight: &mut Flight<'a>, met: u32) {
        let sorted = self.caster.sorted();
        let (block, mut met) = flight.route.go_on::<T>(met);
        while met != 0 {
            let position = self.cells.child(block, met.trailing_zeros() as usize);
            met &= met - 1;
            let packed = || sorted.order.tree.leaves()[position / WIDTH].packed(position % WIDTH);
            let is_usable = flight.in_domain && (sorted.order.all_usable || packed().usable());
            if flight.is_choosy && !self.caster.may_meet(&flight.traits, position) {
                continue;
            }
            if is_usable {
                prefetch(packed());
                self.candidates.push(Candidate { flight: place as u32, position: position as u32 });
                flight.waits = true;
            } else {
                self.caster.test_position(&flight.shot, position, &mut flight.wanted);
                flight.look_again();
            }
        }
    }

    /// Tests the bodies that wait.
    #[inline(always)]
    fn test<T: Number>(&mut self, flights: &mut [Flight<'a>]) {
        let Self { caster, candidates, .. } = self;
        let (leaves, ids) = (caster.sorted().order.tree.leaves(), &caster.sorted().order.ids);
        for flight in flights.iter_mut() {
            flight.waits = false;
        }
        for some in candidates.chunks(T::LANES) {
            // What lacks of a full vector are pairs like the last one.
            let last = some.len() - 1;
            let of = |lane: usize| some[lane.min(last)];
            let path = paths::<T>(|lane| &flights[of(lane).flight as usize].rows);
            let boxes = columns::<T>(|lane| {
                let position = of(lane).position as usize;
                leaves[position / WIDTH].packed(position % WIDTH)
            });
            let spans = rays_and_obbs(&path, &cuboids(boxes));
            let (mut first, mut latest) = ([0.0; WIDTH], [0.0; WIDTH]);
            spans.first.store(&mut first);
            spans.last.store(&mut latest);
            let mut left = !spans.misses & u32::MAX >> (31 - last);
            caster.tested += some.len() as u64;
            while left != 0 {
                let lane = left.trailing_zeros() as usize % WIDTH;
                left &= left - 1;
                let Candidate { flight, position } = some[lane];
                let flight = &mut flights[flight as usize];
                let body = ids[position as usize];
                if spans.hits >> lane & 1 == 1 {
                    let interval = certain_interval(f64::from(first[lane]), f64::from(latest[lane]));
                    flight.wanted.meet(caster, &flight.shot, body, interval);
                } else {
                    caster.test_body(&flight.shot, body, &mut flight.wanted);
                }
                flight.look_again();
            }
        }
        candidates.clear();
    }

    /// Notes what a ray has found.
    fn note(&mut self, number: usize, shot: &Shot, wanted: &mut Goal) {
        let (hits, untimed, records) = (&mut self.hits, &mut self.untimed, self.caster.bodies().records());
        wanted.end(
            |time, body| hits.push(Hit::new(number, shot, time, body)),
            |body| {
                prefetch(&records[body as usize]);
                untimed.push(Untimed { number, body, shot: *shot, rows: rows_of(shot) });
            },
        );
    }

    /// Computes the times that wait.
    #[inline(always)]
    fn time<T: Number>(&mut self) {
        let bodies = self.caster.bodies();
        for some in self.untimed.chunks(T::LANES) {
            let last = some.len() - 1;
            let of = |lane: usize| &some[lane.min(last)];
            let Path { origin, direction, limit } = paths::<T>(|lane| &of(lane).rows);
            let records = of_rows::<T>(|lane| &bodies.records()[of(lane).body as usize]);
            let (origin, direction) = (origin.map(|x| x.0), direction.map(|x| x.0));
            // (Other kinds have other numbers there, and none of them may be infinite.)
            let can = |hit: &Untimed| hit.shot.in_domain && bodies.kind(hit.body as usize) == Kind::Obb;
            let all = some.iter().enumerate().fold(0, |all, (lane, hit)| all | u32::from(can(hit)) << lane);
            let (mut times, mut known) = ([0.0; WIDTH], 0);
            if all != 0 {
                let (found, inside) = entries_into_boxes(&RaysAndBoxes { origin, direction, last: limit.0, records });
                found.store(&mut times);
                known = inside & all;
            }
            for (lane, hit) in some.iter().enumerate() {
                let time = if known >> lane & 1 == 1 { times[lane] } else { self.caster.entry(&hit.shot, hit.body) };
                self.hits.push(Hit::new(hit.number, &hit.shot, time, hit.body));
            }
        }
        self.untimed.clear();
    }
}
