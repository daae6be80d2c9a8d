//! The life of an engine, in a process whose driver fails.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tangency::scenes::Scene;
use tangency::shape::{Plane, Sphere};
use tangency::{BackendKind, Bodies, Builder, Contacts, Engine, Error, Overlaps, Relation, Result, Side};

use super::driver::{Fault, HANG, ONCE, Orders, Report};
use super::sweep::Case;
use super::{HANGS, KINDS};

/// Panics so far, also those that were caught.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// What is asked, and the right answers.
struct Questions {
    /// Whether to ask all of them.
    full: bool,
    bodies: Bodies,
    moved: Bodies,
    many: Bodies,
    planes: [Plane; 2],
    pairs: Vec<[u32; 2]>,
    overlaps: Overlaps,
    contacts: Contacts,
    overlaps_moved: Overlaps,
    overlaps_many: Overlaps,
    relations: Vec<Relation>,
    sides: Vec<Side>,
}

impl Questions {
    fn new(full: bool) -> Result<Self> {
        let cpu = Engine::builder().backend(BackendKind::Cpu).build()?;
        // Of balls alone fewer kernels are compiled.
        let bodies = if full { Scene::Mixed.build(700, 1)? } else { Scene::Granular.build(700, 1)? };
        let mut moved = bodies.clone();
        for (k, id) in (0_u8..).zip([3, 50, 200, 699]) {
            moved.set_shape(id, Sphere::new([f32::from(k), 0.0, 0.0], 2.0)?)?;
        }
        // Enough for an upload through memory that the device copies from.
        let many = Scene::Uniform.build(28_000, 1)?;
        let planes = [Plane::new([1.0, 0.2, 0.0], 2.0)?, Plane::new([-0.3, -1.0, 0.5], 1.0)?];
        let pairs = cpu.candidates(&bodies).run()?.to_vec();
        Ok(Self {
            full,
            overlaps: cpu.overlaps(&bodies).run()?,
            contacts: cpu.contacts(&bodies).run()?,
            overlaps_moved: cpu.overlaps(&moved).run()?,
            overlaps_many: cpu.overlaps(&many).run()?,
            relations: cpu.relations(&bodies, &pairs).run()?,
            sides: cpu.cull(&bodies, &planes).run()?,
            bodies,
            moved,
            many,
            planes,
            pairs,
        })
    }

    /// Asks everything, or in a short life some of it; each answer must be right, or a failure of the device, which is returned by its name.
    fn ask(&self, builder: &Builder, orders: &mut Orders) -> Lived {
        let mut lived = Lived::default();
        if let Some(engine) = lived.see("build", builder.clone().build()) {
            let right = |right: bool, what: &str| assert!(right, "a wrong answer: {what}");
            if let Some(found) = lived.see("overlaps", engine.overlaps(&self.bodies).run()) {
                right(found == self.overlaps, "overlaps");
            }
            if self.full
                && let Some(found) = lived.see("contacts", engine.contacts(&self.bodies).run())
            {
                right(found == self.contacts, "contacts");
            }
            if let Some(found) = lived.see("moved", engine.overlaps(&self.moved).run()) {
                right(found == self.overlaps_moved, "moved");
            }
            if self.full
                && let Some(found) = lived.see("many", engine.overlaps(&self.many).run())
            {
                right(found == self.overlaps_many, "many");
            }
            let candidates = pollster::block_on(async { engine.candidates(&self.bodies).await });
            if let Some(found) = lived.see("candidates", candidates) {
                // How many more than the hits there are may differ between backends.
                let found = found.to_vec();
                right(self.overlaps.pairs().all(|(a, b)| found.binary_search(&[a, b]).is_ok()), "candidates");
            }
            if self.full
                && let Some(found) = lived.see("relations", engine.relations(&self.bodies, &self.pairs).run())
            {
                right(found == self.relations, "relations");
            }
            if let Some(found) = lived.see("cull", engine.cull(&self.bodies, &self.planes).run()) {
                right(found == self.sides, "cull");
            }
            if let Some(index) = lived.see("index", engine.index(&self.bodies)) {
                for what in ["index", "index again"] {
                    if let Some(found) = lived.see(what, engine.overlaps(&index).run()) {
                        right(found == self.overlaps, what);
                    }
                }
                lived.report = Some(orders.report());
                orders.none();
                // The driver works again, and so does the engine.
                let found = engine.overlaps(&index).run().expect("the next call works");
                right(found == self.overlaps, "the index afterwards");
            }
            orders.none();
            let found = engine.overlaps(&self.moved).run().expect("the next call works");
            right(found == self.overlaps_moved, "the next answer");
            if self.full {
                let found = engine.contacts(&self.bodies).run().expect("the next call works");
                right(found == self.contacts, "the next contacts");
            }
            let info = engine.info();
            lived.failures = info.failures;
            if let Some(last) = info.last_failure {
                println!("\nLAST {last}");
            }
        } else {
            lived.report = Some(orders.report());
            orders.none();
            match builder.clone().build() {
                Ok(_) => {}
                // The loader of Vulkan holds a lock while a device is opened: if that never returns, no other is opened by this process.
                Err(Error::BackendUnavailable { reason, .. }) if reason.contains("did not open a device") => {}
                Err(error) => panic!("the next engine: {error}"),
            }
        }
        lived
    }
}

/// What a life was like.
#[derive(Default)]
struct Lived {
    /// The calls that returned an error, with its name.
    errors: Vec<String>,
    report: Option<Report>,
    /// How often the engine says that its GPU has failed.
    failures: u64,
}

impl Lived {
    /// An answer; or its error, which must be one of the device, is noted.
    fn see<T>(&mut self, what: &str, result: Result<T>) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        let name = match &error {
            Error::BackendUnavailable { .. } => "BackendUnavailable",
            Error::Device { .. } => "Device",
            Error::DeviceMemory { .. } => "DeviceMemory",
            Error::Incomplete { .. } => "Incomplete",
            Error::UnequalBits { .. } => "UnequalBits",
            other => panic!("not an error of the device: {other:?}"),
        };
        self.errors.push(format!("{what}: {name}"));
        None
    }
}

/// Runs the cases that `TANGENCY_FAULTS_CASES` lists, and prints a line for each.
pub fn run_cases() {
    let Ok(cases) = std::env::var("TANGENCY_FAULTS_CASES") else { return };
    let show = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        show(info);
    }));
    let mut orders = Orders::open();
    orders.none();
    let full = std::env::var("TANGENCY_FAULTS_FULL").is_ok_and(|full| full == "1");
    let questions = Questions::new(full).expect("questions");
    let automatic = Engine::builder().cpu_up_to(0);
    let asked_for = Engine::builder().backend(BackendKind::Gpu);
    for case in cases.split(',').filter(|case| !case.is_empty()).map(Case::read) {
        let mut builder = if case.automatic { automatic.clone() } else { asked_for.clone() };
        println!("\nBEGIN {case}");
        let hang = case.kind.checked_sub(KINDS.len() + 1).map(|hang| HANGS[hang]);
        match (KINDS.get(case.kind), hang) {
            (Some((_, fault)), _) => orders.order(case.call, *fault, ""),
            (None, Some((function, call))) => {
                builder = builder.time_limit(Duration::from_secs(8));
                orders.order(call, Fault { result: HANG, lasting: ONCE }, function);
            }
            (None, None) => orders.none(),
        }
        let before = PANICS.load(Ordering::Relaxed);
        let lived = questions.ask(&builder, &mut orders);
        let Report { calls, faults, function } = lived.report.expect("a report");
        assert!(!case.automatic || lived.errors.is_empty(), "the CPU did not answer: {:?}", lived.errors);
        let caught = PANICS.load(Ordering::Relaxed) - before;
        println!(
            "\nEND {case};{calls};{faults};{function};{};{caught};{}",
            lived.failures,
            lived.errors.first().map_or("right answers", String::as_str)
        );
    }
    println!("\nDONE");
}
