//! Requests through the public API: every ending, sets and indices, many at once, and futures that are dropped, on every backend.

use std::fmt::Debug;
use std::future::{Future, IntoFuture, poll_fn};
use std::pin::{Pin, pin};
use std::sync::LazyLock;
use std::sync::mpsc::channel;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tangency::batch::{Answer, Query};
use tangency::scenes::{Scene, random};
use tangency::shape::{Aabb, Plane, Sphere};
use tangency::{BackendKind, Bodies, Builder, Candidates, Engine, Error, Overlaps, Request, Traits};

/// What may run, by name: the CPU, brute force, and every adapter that can compute. Without an adapter the others alone, which
/// `TANGENCY_REQUIRE_GPU=1` forbids.
fn builders() -> Vec<(String, Builder)> {
    let kinds = [BackendKind::Cpu, BackendKind::BruteForce];
    #[allow(unused_mut, reason = "without the feature `gpu` there are no adapters")]
    let mut all: Vec<_> = kinds.map(|kind| (kind.name().to_owned(), Engine::builder().backend(kind))).into();
    #[cfg(feature = "gpu")]
    for adapter in tangency::adapters().into_iter().filter(|adapter| adapter.compute) {
        let builder = Engine::builder().backend(BackendKind::Gpu).adapter(adapter.index);
        all.push((format!("{}:{}", adapter.backend, adapter.name), builder));
    }
    if all.len() == kinds.len() {
        assert_ne!(std::env::var("TANGENCY_REQUIRE_GPU").as_deref(), Ok("1"), "there is no adapter");
        println!("NOT RUN on a GPU: this machine has no adapter");
    }
    all
}

/// One engine each, for all tests: kernels are compiled once.
static ENGINES: LazyLock<Vec<(String, Engine)>> =
    LazyLock::new(|| builders().into_iter().map(|(name, builder)| (name, builder.build().unwrap())).collect());

fn brute() -> Engine {
    Engine::builder().backend(BackendKind::BruteForce).build().unwrap()
}

fn planes() -> [Plane; 2] {
    [Plane::new([1.0, 0.2, 0.0], 2.0).unwrap(), Plane::new([-0.3, -1.0, 0.5], 1.0).unwrap()]
}

/// Fails if `work` has not come to an end after a minute, instead of waiting for ever.
fn in_time(what: &str, work: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = channel();
    let thread = std::thread::spawn(move || {
        work();
        let _ = sender.send(());
    });
    match receiver.recv_timeout(Duration::from_secs(60)) {
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("{what}: no end after a minute"),
        _ => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

/// Awaits all of these at once, on this thread; the results in order.
fn together<F: Future + Unpin>(mut all: Vec<F>) -> Vec<F::Output> {
    let mut done: Vec<Option<F::Output>> = all.iter().map(|_| None).collect();
    pollster::block_on(poll_fn(|context| {
        for (future, done) in all.iter_mut().zip(&mut done).filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(value) = Pin::new(future).poll(context) {
                *done = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    }));
    done.into_iter().flatten().collect()
}

fn poll_once<T>(future: &mut Answer<'_, T>) -> Poll<tangency::Result<T>> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// Every ending of a request gives this answer, also in a result that holds another one.
fn ends<Q: Query + Clone>(request: &Request<'_, Q>, expected: &Q::Output, used: &mut Q::Output, what: &str)
where
    Q::Output: PartialEq,
{
    assert!(request.clone().run().unwrap() == *expected, "{what}: run");
    request.clone().run_into(used).unwrap();
    assert!(*used == *expected, "{what}: run_into");
    assert!(pollster::block_on(request.clone().into_future()).unwrap() == *expected, "{what}: await");
}

#[test]
fn every_ending_gives_the_same_answer_for_a_set_and_its_index() {
    let (brute, planes) = (brute(), planes());
    let (mut rows, mut candidates, mut relations, mut sides) =
        (Overlaps::new(), Candidates::new(), Vec::new(), Vec::new());
    for seed in [3, 4] {
        let (a, b) = (random(seed, 700).unwrap(), random(seed + 50, 250).unwrap());
        let within = brute.overlaps(&a).run().unwrap();
        let clashes = brute.overlaps(&a).overlapping_only().run().unwrap();
        let between = brute.overlaps(&a).against(&b).run().unwrap();
        let between_clashes = brute.overlaps(&a).against(&b).overlapping_only().run().unwrap();
        let pairs = brute.candidates(&a).run().unwrap();
        let related = brute.relations(&a, pairs.as_slice()).run().unwrap();
        let culled = brute.cull(&a, &planes).run().unwrap();
        for (name, engine) in &*ENGINES {
            let (x, y) = (engine.index(&a).unwrap(), engine.index(&b).unwrap());
            for (set, request) in [("a set", engine.overlaps(&a)), ("an index", engine.overlaps(&x))] {
                let what = format!("{name}, overlaps of {set}");
                ends(&request, &within, &mut rows, &what);
                assert_eq!(rows.offsets(), within.offsets(), "{what}");
                ends(&request.clone().overlapping_only(), &clashes, &mut rows, &what);
                for (other, request) in [("a set", request.clone().against(&b)), ("an index", request.against(&y))] {
                    let what = format!("{what} against {other}");
                    ends(&request, &between, &mut rows, &what);
                    assert_eq!(rows.offsets(), between.offsets(), "{what}");
                    ends(&request.overlapping_only(), &between_clashes, &mut rows, &what);
                }
            }
            // How many candidates there are beside the hits is the backend's affair.
            let own = engine.candidates(&a).run().unwrap();
            assert!(within.as_slice().iter().all(|pair| own.as_slice().binary_search(pair).is_ok()), "{name}");
            let own_between = engine.candidates(&a).against(&b).run().unwrap();
            let among = |pair| own_between.as_slice().binary_search(pair).is_ok();
            assert!(between.as_slice().iter().all(among), "{name}");
            assert!(own_between.as_slice().is_sorted_by(|x, y| x < y), "{name}");
            for (set, request) in [("a set", engine.candidates(&a)), ("an index", engine.candidates(&x))] {
                let what = format!("{name}, candidates of {set}");
                ends(&request, &own, &mut candidates, &what);
                assert_eq!(candidates.stats().candidates, own.len() as u64, "{what}");
                ends(&request.clone().against(&b), &own_between, &mut candidates, &what);
                ends(&request.against(&y), &own_between, &mut candidates, &what);
            }
            for (set, request) in [
                ("a set", engine.relations(&a, pairs.as_slice())),
                ("an index", engine.relations(&x, pairs.as_slice())),
            ] {
                ends(&request, &related, &mut relations, &format!("{name}, relations of {set}"));
            }
            for (set, request) in [("a set", engine.cull(&a, &planes)), ("an index", engine.cull(&x, &planes))] {
                ends(&request, &culled, &mut sides, &format!("{name}, sides of {set}"));
            }
        }
    }
}

/// An index that was refreshed answers as one that is made anew, and has the same bodies.
fn as_new(engine: &Engine, index: &tangency::Index, bodies: &Bodies, other: &Bodies, what: &str) {
    let (new, planes) = (engine.index(bodies).unwrap(), planes());
    let len = bodies.len() as u32;
    assert_eq!(index.bodies().len(), bodies.len(), "{what}");
    for id in 0..len {
        assert_eq!(index.bodies().shape(id), bodies.shape(id), "{what}");
        assert_eq!(index.bodies().traits(id), bodies.traits(id), "{what}");
        assert_eq!(index.bodies().is_enabled(id), bodies.is_enabled(id), "{what}");
    }
    assert_eq!(index.bodies().excluded(), bodies.excluded(), "{what}");
    let (found, expected) = (engine.overlaps(index).run().unwrap(), engine.overlaps(&new).run().unwrap());
    assert!(found == expected && found.offsets() == expected.offsets(), "{what}: overlaps");
    assert!(expected == engine.overlaps(&bodies.clone()).run().unwrap(), "{what}: overlaps of the set");
    let found = engine.overlaps(other).against(index).run().unwrap();
    assert!(found == engine.overlaps(other).against(&new).run().unwrap(), "{what}: against");
    let found = engine.overlaps(index).against(other).run().unwrap();
    assert!(found == engine.overlaps(&new).against(other).run().unwrap(), "{what}: the other way round");
    assert_eq!(engine.candidates(index).run(), engine.candidates(&new).run(), "{what}: candidates");
    assert_eq!(engine.cull(index, &planes).run(), engine.cull(&new, &planes).run(), "{what}: cull");
    let pairs: Vec<[u32; 2]> = (0..len).map(|id| [id, id / 2]).collect();
    assert_eq!(engine.relations(index, &pairs).run(), engine.relations(&new, &pairs).run(), "{what}: relations");
}

/// A kind of change.
type Change = fn(&mut Bodies);

const CHANGES: [(&str, Change); 16] = [
    ("nothing", |_| {}),
    ("push", |bodies| {
        bodies.push(Sphere::new([0.5; 3], 2.0).unwrap()).unwrap();
    }),
    ("extend", |bodies| {
        bodies.extend((0..300_u16).map(|i| Sphere::new([f32::from(i); 3], 1.0).unwrap())).unwrap();
    }),
    ("set_shape", |bodies| bodies.set_shape(7, Aabb::new([-3.0; 3], [3.0; 3]).unwrap()).unwrap()),
    ("set_shape of many", |bodies| {
        for id in (0..bodies.len() as u32 - 1).step_by(3) {
            bodies.set_shape(id, bodies.shape(id + 1).unwrap()).unwrap();
        }
    }),
    ("set_shapes", |bodies| {
        let shapes: Vec<_> = (40..90).map(|id| bodies.shape(id).unwrap()).collect();
        bodies.set_shapes(10, shapes).unwrap();
    }),
    ("set_traits", |bodies| bodies.set_traits(3, Traits::new().world(9).layer(2)).unwrap()),
    ("disable", |bodies| (20..50).for_each(|id| bodies.disable(id).unwrap())),
    ("enable", |bodies| (20..30).for_each(|id| bodies.enable(id).unwrap())),
    ("exclude", |bodies| {
        let pairs = brute().overlaps(&*bodies).run().unwrap();
        pairs.pairs().step_by(2).for_each(|(a, b)| bodies.exclude(a, b).unwrap());
    }),
    ("include", |bodies| {
        let excluded = bodies.excluded();
        excluded.iter().step_by(3).for_each(|(a, b)| assert!(bodies.include(*a, *b)));
    }),
    ("swap_remove", |bodies| {
        for id in [0, 5, bodies.len() as u32 - 3] {
            bodies.swap_remove(id).unwrap();
        }
    }),
    ("compact", |bodies| {
        bodies.compact();
    }),
    ("clear", Bodies::clear),
    ("filled again", |bodies| {
        bodies.extend((0..120_u8).map(|i| Sphere::new([f32::from(i), 0.0, 0.0], 0.5).unwrap())).unwrap();
    }),
    ("a different set altogether", |bodies| *bodies = Scene::Mixed.build(400, 5).unwrap()),
];

#[test]
fn a_refreshed_index_is_as_new_after_every_change() {
    let other = random(77, 150).unwrap();
    for (name, engine) in &*ENGINES {
        let mut bodies = Scene::Mixed.build(600, 3).unwrap();
        // One that sees every change, and one that sees several at once.
        let mut index = engine.index(&bodies).unwrap();
        let mut lazy = engine.index(&bodies).unwrap();
        for (number, (change, make)) in CHANGES.into_iter().enumerate() {
            let what = format!("{name}, {change}");
            // One that is asked before the change, and one that was not yet.
            let mut asked = engine.index(&bodies).unwrap();
            engine.overlaps(&asked).run().unwrap();
            let mut unasked = engine.index(&bodies).unwrap();
            make(&mut bodies);
            for index in [&mut index, &mut asked, &mut unasked] {
                index.refresh(&bodies).unwrap();
            }
            as_new(engine, &index, &bodies, &other, &what);
            as_new(engine, &asked, &bodies, &other, &format!("{what}, asked before"));
            assert!(engine.overlaps(&unasked).run().unwrap() == engine.overlaps(&index).run().unwrap(), "{what}");
            if number % 3 == 2 {
                lazy.refresh(&bodies).unwrap();
                as_new(engine, &lazy, &bodies, &other, &format!("{what}, after three changes"));
            }
        }
        // What the index is of is not changed by changes of the set.
        let before = engine.overlaps(&index).run().unwrap();
        bodies.clear();
        assert!(engine.overlaps(&index).run().unwrap() == before, "{name}");
    }
}

/// A future under way holds the index as it was when it was asked.
#[test]
fn an_index_can_be_refreshed_after_a_future_of_it_was_dropped() {
    for (name, engine) in &*ENGINES {
        let mut bodies = random(5, 800).unwrap();
        let mut index = engine.index(&bodies).unwrap();
        for round in 0..4_u8 {
            let mut future = engine.overlaps(&index).into_future();
            let _ = poll_once(&mut future);
            drop(future);
            bodies.push(Sphere::new([f32::from(round); 3], 3.0).unwrap()).unwrap();
            index.refresh(&bodies).unwrap();
            assert!(
                engine.overlaps(&index).run().unwrap() == brute().overlaps(&bodies).run().unwrap(),
                "{name}, {round}"
            );
        }
    }
}

#[test]
fn an_index_serves_every_engine() {
    let (bodies, asking) = (random(21, 600).unwrap(), random(22, 200).unwrap());
    let within = brute().overlaps(&bodies).run().unwrap();
    let between = brute().overlaps(&asking).against(&bodies).run().unwrap();
    for (maker, made) in &*ENGINES {
        let mut index = made.index(&asking).unwrap();
        made.overlaps(&index).run().unwrap();
        index.refresh(&bodies).unwrap();
        for _ in 0..2 {
            for (name, engine) in &*ENGINES {
                let what = format!("made with {maker}, asked by {name}");
                assert!(engine.overlaps(&index).run().unwrap() == within, "{what}");
                assert!(made.overlaps(&asking).against(&index).run().unwrap() == between, "{what}");
                assert!(engine.overlaps(&asking).against(&index).run().unwrap() == between, "{what}");
            }
        }
        let asked = ENGINES.iter().map(|(_, engine)| engine.overlaps(&index).into_future());
        assert!(together(asked.collect()).into_iter().all(|found| found.unwrap() == within), "made with {maker}");
    }
}

/// How far a future comes before it is dropped.
#[derive(Clone, Copy, Debug)]
enum Dropped {
    Unpolled,
    PolledOnce,
    Midway,
}

const DROPPED: [Dropped; 3] = [Dropped::Unpolled, Dropped::PolledOnce, Dropped::Midway];

impl Dropped {
    fn drop<T: Debug>(self, mut future: Answer<'_, T>) {
        if !matches!(self, Self::Unpolled) {
            let _ = poll_once(&mut future);
        }
        if matches!(self, Self::Midway) {
            std::thread::sleep(Duration::from_micros(300));
            // It may have been done by now.
            let _ = poll_once(&mut future);
        }
        drop(future);
    }
}

#[test]
fn dropped_futures_leave_the_engine_usable() {
    let planes = planes();
    for (name, engine) in &*ENGINES {
        let mut bodies = random(31, 900).unwrap();
        let index = engine.index(&bodies).unwrap();
        let indexed = brute().overlaps(&bodies).run().unwrap();
        for (round, dropped) in (0_u8..).zip([DROPPED; 3].concat()) {
            let what = format!("{name}, {dropped:?}, round {round}");
            let pairs = [[0, 1], [1, 0]];
            dropped.drop(engine.overlaps(&bodies).into_future());
            dropped.drop(engine.overlaps(&bodies).against(&index).into_future());
            dropped.drop(engine.overlaps(&index).into_future());
            dropped.drop(engine.candidates(&index).into_future());
            dropped.drop(engine.relations(&bodies, &pairs).into_future());
            dropped.drop(engine.cull(&bodies, &planes).into_future());
            // What was asked about may be changed at once, and what is asked then is about the change.
            bodies.set_shape(0, Sphere::new([f32::from(round), 0.0, 0.0], 5.0).unwrap()).unwrap();
            bodies.push(Sphere::new([f32::from(round); 3], 1.0).unwrap()).unwrap();
            let expected = brute().overlaps(&bodies).run().unwrap();
            assert!(engine.overlaps(&bodies).run().unwrap() == expected, "{what}");
            assert!(pollster::block_on(engine.overlaps(&bodies).into_future()).unwrap() == expected, "{what}");
            assert!(engine.overlaps(&index).run().unwrap() == indexed, "{what}");
        }
    }
}

/// Bodies are free to be changed as soon as an answer is there.
#[test]
fn bodies_change_after_each_answer() {
    for (name, engine) in &*ENGINES {
        let mut bodies = random(33, 500).unwrap();
        for round in 0..6_u8 {
            bodies.set_shape(u32::from(round), Sphere::new([f32::from(round), 1.0, 0.0], 4.0).unwrap()).unwrap();
            let found = pollster::block_on(async { engine.overlaps(&bodies).await }).unwrap();
            assert!(found == brute().overlaps(&bodies).run().unwrap(), "{name}, {round}");
        }
    }
}

/// With room for a few queries only, a hundred that were dropped leave as much as there was before.
#[test]
#[cfg(feature = "gpu")]
fn dropped_futures_leak_no_device_memory() {
    let bodies = Scene::Uniform.build(3000, 1).unwrap();
    let expected = brute().overlaps(&bodies).run().unwrap();
    for (name, builder) in builders().into_iter().skip(2) {
        let with = |bytes: u64| builder.clone().memory_budget(bytes).build().unwrap();
        let enough = |bytes: &u64| with(*bytes).overlaps(&bodies).run().is_ok();
        let needed = (17..30).map(|bits| 1 << bits).find(enough).expect("a budget that is enough");
        let engine = with(4 * needed);
        for dropped in [DROPPED; 12].concat() {
            let index = engine.index(&bodies).unwrap();
            dropped.drop(engine.overlaps(&bodies).into_future());
            dropped.drop(engine.overlaps(&index).into_future());
            dropped.drop(engine.candidates(&bodies).against(&index).into_future());
        }
        // What is under way still holds memory until it has come to its end, unseen.
        let start = Instant::now();
        let found = loop {
            match engine.overlaps(&bodies).run() {
                Err(Error::DeviceMemory { .. }) if start.elapsed() < Duration::from_secs(60) => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                found => break found,
            }
        };
        assert!(found.unwrap() == expected, "{name}");
        // And a few at once have room again.
        std::thread::sleep(Duration::from_millis(100));
        for _ in 0..3 {
            assert!(engine.overlaps(&bodies).run().unwrap() == expected, "{name}");
        }
    }
}

#[test]
fn eight_requests_at_once_have_the_answers_of_one_by_one() {
    for number in 0..ENGINES.len() {
        let name = ENGINES[number].0.clone();
        in_time(&name.clone(), move || {
            let engine = &ENGINES[number].1;
            let sets: Vec<Bodies> = (0..8).map(|seed| random(seed + 60, 1200).unwrap()).collect();
            let single: Vec<Overlaps> = sets.iter().map(|set| engine.overlaps(set).run().unwrap()).collect();
            let first = engine.index(&sets[0]).unwrap();
            for round in 0..3 {
                let all = sets.iter().map(|set| engine.overlaps(set).into_future()).collect();
                let found = together(all).into_iter().map(Result::unwrap);
                assert!(found.zip(&single).all(|(found, single)| found == *single), "{name}, round {round}");
                // All of one index, which the first round prepares at the same time.
                let all = sets.iter().map(|set| engine.overlaps(set).against(&first).into_future()).collect();
                for (set, found) in sets.iter().zip(together(all)) {
                    let expected = engine.overlaps(set).against(&sets[0]).run().unwrap();
                    assert!(found.unwrap() == expected, "{name}, round {round}");
                }
            }
        });
    }
}

/// Requests of one index that nobody has asked yet: one of them prepares it, on whatever thread, and the others wait for that.
#[test]
fn an_index_is_prepared_while_many_ask() {
    for threads in [1, 2, 4] {
        in_time(&format!("{threads} threads"), move || {
            let engine = Engine::builder().backend(BackendKind::Cpu).threads(threads).build().unwrap();
            let bodies = Scene::Uniform.build(9000, 1).unwrap();
            let expected = engine.overlaps(&bodies).run().unwrap();
            for _ in 0..20 {
                let index = engine.index(&bodies).unwrap();
                std::thread::scope(|scope| {
                    // One blocks, and the others wait without blocking.
                    scope.spawn(|| assert!(engine.overlaps(&index).run().unwrap() == expected));
                    let all = (0..8).map(|_| engine.overlaps(&index).into_future()).collect();
                    assert!(together(all).into_iter().all(|found| found.unwrap() == expected));
                });
            }
        });
    }
}

/// While a query is under way, another future of the same thread goes on.
#[test]
fn an_executor_is_not_blocked() {
    let bodies = Scene::Uniform.build(60_000, 1).unwrap();
    for threads in [1, 2] {
        let engine = Engine::builder().backend(BackendKind::Cpu).threads(threads).build().unwrap();
        let mut request = pin!(engine.overlaps(&bodies).into_future());
        let mut polls = 0;
        let found = pollster::block_on(poll_fn(|context| {
            // The other future: it is always ready to go on.
            polls += 1;
            context.waker().wake_by_ref();
            request.as_mut().poll(context)
        }));
        assert!(found.unwrap() == engine.overlaps(&bodies).run().unwrap());
        assert!(polls > 10, "{polls} polls with {threads} threads");
    }
}

#[test]
fn errors_come_from_every_ending() {
    fn fails<Q: Query + Clone>(request: &Request<'_, Q>, expected: &Error, what: &str)
    where
        Q::Output: PartialEq + Debug,
    {
        assert_eq!(request.clone().run().unwrap_err(), *expected, "{what}: run");
        assert_eq!(request.clone().run_into(&mut Q::Output::default()).unwrap_err(), *expected, "{what}: run_into");
        assert_eq!(pollster::block_on(request.clone().into_future()).unwrap_err(), *expected, "{what}: await");
    }
    let bodies = random(1, 10).unwrap();
    let len = bodies.len();
    let none: Plane = bytemuck::cast([0_u32; 4]);
    let reason = Box::new(none.validate().unwrap_err());
    for (name, engine) in &*ENGINES {
        let index = engine.index(&bodies).unwrap();
        let (pairs, planes) = ([[0, 0], [0, 99]], [planes()[0], none]);
        for (set, request) in
            [("a set", engine.relations(&bodies, &pairs)), ("an index", engine.relations(&index, &pairs))]
        {
            fails(&request, &Error::NoSuchBody { index: 99, len }, &format!("{name}, {set}"));
        }
        for (set, request) in [("a set", engine.cull(&bodies, &planes)), ("an index", engine.cull(&index, &planes))] {
            let expected = Error::InvalidPlane { index: 1, reason: reason.clone() };
            fails(&request, &expected, &format!("{name}, {set}"));
        }
    }
}

#[test]
fn an_engine_is_built_without_blocking() {
    let bodies = random(9, 300).unwrap();
    let expected = brute().overlaps(&bodies).run().unwrap();
    for (name, builder) in builders() {
        let mut building = pin!(builder.build_async());
        let mut polls = 0;
        let engine = pollster::block_on(poll_fn(|context| {
            polls += 1;
            building.as_mut().poll(context)
        }));
        let engine = engine.unwrap();
        assert!(polls > 0 && engine.overlaps(&bodies).run().unwrap() == expected, "{name}");
    }
    let many = Engine::builder().backend(BackendKind::Cpu).threads(Builder::MAX_THREADS + 1);
    assert!(matches!(pollster::block_on(many.build_async()), Err(Error::TooManyThreads { .. })));
    #[cfg(feature = "gpu")]
    {
        let absent = Engine::builder().backend(BackendKind::Gpu).adapter(999);
        assert!(matches!(pollster::block_on(absent.build_async()), Err(Error::BackendUnavailable { .. })));
        // One that is dropped under way.
        let mut building = Box::pin(Engine::builder().build_async());
        let _ = building.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        drop(building);
    }
}

/// Requests and their futures may be sent to other threads.
#[test]
fn requests_move_between_threads() {
    fn moves<T: Send>(value: T) -> T {
        value
    }
    let engine = Engine::builder().backend(BackendKind::Cpu).build().unwrap();
    let bodies = random(2, 200).unwrap();
    let planes = planes();
    let expected = engine.overlaps(&bodies).run().unwrap();
    let future = moves(moves(engine.overlaps(&bodies)).into_future());
    moves(engine.candidates(&bodies).into_future());
    moves(engine.cull(&bodies, &planes).into_future());
    std::thread::scope(|scope| {
        scope.spawn(|| assert!(pollster::block_on(future).unwrap() == expected));
    });
}
