//! `tangency soak`: random scenes against brute force.

use std::time::Duration;

use clap::Parser;
use serde_json::json;
use tangency::batch::Set;
use tangency::scenes::random;
use tangency::shape::Plane;
use tangency::{BackendKind, Bodies, Engine, Overlaps, Side, query};

use crate::engines::{self, Choice, Labelled};
use crate::extents::bounds_of;
use crate::failure::{Failure, Result};
use crate::mixed::{self, Expected};
use crate::requests::{Ending, filtered, limited};
use crate::{attack, contacts, messages, numbers, output};

#[derive(Parser)]
pub struct Args {
    /// The seed of the first scene; the others follow
    #[arg(long, default_value_t = 1, value_parser = numbers::seed)]
    seed: u64,
    /// How many scenes
    #[arg(long, default_value_t = 60, value_parser = numbers::count::<u64>, conflicts_with = "adversarial")]
    scenes: u64,
    /// The most bodies of a scene; the number is log-uniform from 2 to this
    #[arg(long, default_value_t = 20_000, value_parser = numbers::count::<u32>, conflicts_with = "adversarial")]
    most: u32,
    /// Attack instead: pairs a unit either side of contact, and random sequences of changes and queries, judged by an exact oracle
    #[arg(long)]
    adversarial: bool,
    /// How long to attack; the round that is under way is finished
    #[arg(long, default_value_t = 1.0, requires = "adversarial", value_parser = minutes)]
    minutes: f64,
    /// Attack by random sequences of changes and queries only, eight a round
    #[arg(long, requires = "adversarial")]
    sequences: bool,
    /// The most rounds of an attack
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true, requires = "adversarial", value_parser = numbers::count::<u64>)]
    rounds: u64,
    /// Pairs of a round: enough for many workgroups of a GPU's kernels, few enough for brute force
    #[arg(long, default_value_t = 4096, requires = "adversarial", value_parser = numbers::count::<u32>)]
    pairs: u32,
    #[command(flatten)]
    pub choice: Choice,
}

fn minutes(text: &str) -> std::result::Result<f64, String> {
    let minutes: f64 = text.parse().map_err(|error| format!("{error}"))?;
    // At most a million minutes, about two years.
    if (0.0..=1e6).contains(&minutes) {
        Ok(minutes)
    } else {
        Err("give a number of minutes from 0 to 1000000".to_owned())
    }
}

/// The first difference between two answers, by pair.
pub fn difference(found: &Overlaps, expected: &Overlaps) -> Option<String> {
    if found == expected && found.offsets() == expected.offsets() {
        return None;
    }
    let (mut a, mut b) = (found.iter().peekable(), expected.iter().peekable());
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (Some(x), Some(y)) if x == y => {
                a.next();
                b.next();
            }
            (Some(x), Some(y)) if (x.0, x.1) == (y.0, y.1) => {
                return Some(format!("pair ({}, {}) is {:?}, not {:?}", x.0, x.1, y.2, x.2));
            }
            (Some(x), y) if y.is_none_or(|y| x < y) => return Some(format!("pair ({}, {}) is too many", x.0, x.1)),
            (_, Some(y)) => return Some(format!("pair ({}, {}) is missing", y.0, y.1)),
            _ => return Some("the rows differ".to_owned()),
        }
    }
}

/// Runs all queries on one scene. Returns the first wrong answer, if there is one.
fn check(
    engine: &Engine,
    reference: &Engine,
    seed: u64,
    most: usize,
) -> tangency::Result<(usize, usize, Option<String>)> {
    let bodies = random(seed, most)?;
    // Brute force looks at all pairs once for both queries; every other four scenes ask for one point a contact.
    let (only, deepest) = (seed.is_multiple_of(4), seed / 4 % 2 == 1);
    let within = limited(reference.contacts(&bodies), only, deepest).run()?;
    let expected = within.pairs();
    let sizes = (bodies.len(), expected.len());
    let wrong = |query: &str, what: String| Ok((sizes.0, sizes.1, Some(format!("{query}: {what}"))));
    if let Some(what) = difference(&filtered(engine.overlaps(&bodies), only).run()?, expected) {
        return wrong("overlaps", what);
    }
    if let Some(what) = contacts::difference(&limited(engine.contacts(&bodies), only, deepest).run()?, &within) {
        return wrong("contacts", what);
    }
    let candidates = engine.candidates(&bodies).run()?;
    let candidates = &candidates.to_vec();
    let relations = engine.relations(&bodies, candidates).run()?;
    if only {
        // The candidates that overlap are exactly the overlapping pairs.
        let hits = candidates.iter().zip(&relations).filter(|(_, r)| **r == tangency::Relation::Overlapping);
        if !hits.map(|(pair, _)| pair).eq(&expected.to_vec()) {
            return wrong("candidates", "they do not contain the pairs".to_owned());
        }
    } else {
        let hits = candidates.iter().zip(&relations).filter(|(_, r)| r.is_hit());
        if !hits.map(|(pair, r)| (pair[0], pair[1], *r)).eq(expected.iter()) {
            return wrong("relations", "the relations of the candidates are not those of the pairs".to_owned());
        }
    }
    if let Some(what) = check_sides(engine, &bodies, &bodies, Ending::Run)? {
        return wrong("cull", what);
    }
    // Between two sets, directly and by way of an index; the searching set has a tenth of the bodies.
    let searching = random(seed ^ 0xA5A5, (most / 10).max(2))?;
    let between = limited(reference.contacts(&searching).against(&bodies), only, deepest).run()?;
    let found = filtered(engine.overlaps(&searching).against(&bodies), only).run()?;
    if let Some(what) = difference(&found, between.pairs()) {
        return wrong("overlaps against another set", what);
    }
    let found = limited(engine.contacts(&searching).against(&bodies), only, deepest).run()?;
    if let Some(what) = contacts::difference(&found, &between) {
        return wrong("contacts against another set", what);
    }
    let index = engine.index(&bodies)?;
    let indexed = filtered(engine.overlaps(&searching).against(&index), only).run()?;
    if let Some(what) = difference(&indexed, between.pairs()) {
        return wrong("index", what);
    }
    let answers =
        Expected { bodies: &bodies, searching: &searching, only, deepest, within: &within, between: &between };
    if let Some((query, what)) = mixed::check(engine, reference, &answers, seed)? {
        return wrong(query, what);
    }
    Ok((sizes.0, sizes.1, None))
}

/// Checks the sides of these bodies, given as a set or as an index.
pub fn check_sides<'a>(
    engine: &Engine,
    set: impl Into<Set<'a>>,
    bodies: &Bodies,
    ending: Ending,
) -> tangency::Result<Option<String>> {
    let (set, middle) = (set.into(), bounds_of(&bodies.shape(0)?).center());
    let planes =
        [Plane::from_point_normal(middle, [1.0, 0.5, 0.0]), Plane::from_point_normal(middle, [0.0, 1.0, -0.25])];
    let planes: Vec<Plane> = planes.into_iter().flatten().collect();
    for (id, side) in (0..).zip(ending.of(engine.cull(set, &planes))?) {
        let shape = bodies.shape(id)?;
        let sides = planes.iter().map(|plane| query::side(&shape, plane));
        let expected = if bodies.is_enabled(id)? { sides.max().unwrap_or(Side::Inside) } else { Side::Outside };
        if side != expected {
            return Ok(Some(format!("body {id} is {expected:?}, not {side:?}")));
        }
    }
    Ok(None)
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    if args.adversarial {
        let time = Duration::from_secs_f64(args.minutes * 60.0);
        return attack::run(
            &attack::Plan {
                seed: args.seed,
                time,
                rounds: args.rounds,
                pairs: args.pairs as usize,
                only_sequences: args.sequences,
            },
            choice,
        );
    }
    let (engines, missing) = choice.checked()?;
    let reference = Engine::builder().backend(BackendKind::BruteForce).build()?;
    let bar = crate::progress::bar(args.scenes.saturating_mul(engines.len() as u64), "scenes");
    let (mut bodies, mut pairs, mut differences) = (0_u64, 0_u64, Vec::new());
    for (k, labelled) in engines.iter().enumerate() {
        let engine = &labelled.engine;
        for seed in args.seed..args.seed.saturating_add(args.scenes) {
            let (n, hits, wrong) = check(engine, &reference, seed, args.most as usize)?;
            if k == 0 {
                bodies += n as u64;
                pairs += hits as u64;
            }
            if let Some(what) = wrong {
                let scene = engine.verify(&random(seed, args.most as usize)?)?.scene;
                let written = scene.map_or_else(String::new, |path| format!("; the scene is in {}", path.display()));
                let name = labelled.name();
                bar.suspend(|| messages::note(format_args!("{name}, seed {seed}, {n} bodies: {what}{written}")));
                differences.push(json!({"engine": name, "seed": seed, "bodies": n, "difference": what}));
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let (count, against) = (differences.len(), BackendKind::BruteForce.name());
    if choice.json {
        let backend = if let [one] = &engines[..] { one.engine.info().backend.name() } else { "all" };
        output::json(&json!({
            "backend": backend, "engines": engines.iter().map(Labelled::name).collect::<Vec<_>>(), "against": against,
            "missing": missing.iter().map(|m| json!({"what": m.what, "why": m.why})).collect::<Vec<_>>(),
            "scenes": args.scenes, "seed": args.seed, "bodies": bodies, "pairs": pairs, "differences": differences,
        }))?;
    } else {
        let (n, bodies, pairs) = (args.scenes, numbers::grouped(bodies), numbers::grouped(pairs));
        output::stdout(|out| {
            for m in &missing {
                writeln!(out, "not run: {}: {}", m.what, m.why)?;
            }
            let names = engines::names(&engines);
            writeln!(
                out,
                "{n} scenes, {bodies} bodies, {pairs} pairs on {names} against {against}: {count} differences"
            )
        })?;
    }
    if args.scenes == 0 {
        return Err(Failure::Unchecked("nothing was compared: --scenes is 0".to_owned()));
    }
    if count == 0 { Ok(()) } else { Err(Failure::Wrong(format!("{count} answers differ from brute force"))) }
}
