//! `tangency soak --adversarial`: inputs that are made to break the library.
//!
//! Pairs one unit in the last place from contact, each in a world of its own; shapes against planes that they just touch; random
//! sequences of changes and queries on long-lived engines. Every kind of query of every engine is compared with an oracle in big
//! integers, which shares no code with the library.

mod changes;
mod continuity;
pub mod dice;
mod form;
mod judge;
mod model;
mod oracle;
mod pairs;
mod planes;
mod report;
mod sequences;
mod shrink;
mod steps;

use std::time::{Duration, Instant};

use tangency::{BackendKind, Engine};

use crate::engines::{Backend, Choice, Labelled};
use crate::failure::{Failure, Result};
use dice::Dice;
use judge::{Arena, Culled, Finding};
use report::{Difference, Tally};

pub use model::Pairs;
pub use sequences::difference;

/// The extent of an attack.
pub struct Plan {
    /// The seed of the first round; each further round increments it.
    pub seed: u64,
    /// No round begins after this time.
    pub time: Duration,
    /// The most rounds.
    pub rounds: u64,
    /// Pairs of a round.
    pub pairs: usize,
    /// Whether there are only sequences.
    pub only_sequences: bool,
}

/// Culling queries per round, and bodies of each.
const CULLS: (usize, usize) = (8, 256);
/// Sequences per round.
const SEQUENCES: u64 = 8;
/// Wrong answers per round that are minimised and printed; the others are only counted.
const SHOWN: usize = 4;

pub fn run(plan: &Plan, choice: &Choice) -> Result<()> {
    let engines = engines(choice)?;
    let start = Instant::now();
    let spinner = crate::progress::spinner("attacking".to_owned());
    let mut tally = Tally { pairs: plan.pairs, ..Tally::default() };
    while tally.rounds < plan.rounds
        && tally.differences.is_empty()
        && (tally.rounds == 0 || start.elapsed() < plan.time)
    {
        let seed = plan.seed.wrapping_add(tally.rounds);
        if !plan.only_sequences {
            single_answers((seed, plan.pairs), &engines, &mut tally)?;
        }
        play_sequences(seed, &engines, &mut tally)?;
        tally.rounds += 1;
        let (rounds, seconds) = (tally.rounds, start.elapsed().as_secs_f64());
        let left = plan.time.saturating_sub(start.elapsed()).as_secs();
        spinner.set_message(format!("attacking: {rounds} rounds, {:.2}/s, {left} s left", rounds as f64 / seconds));
    }
    spinner.finish_and_clear();
    let labels: Vec<String> = engines.iter().map(|labelled| labelled.label.clone()).collect();
    tally.print(plan.seed, &labels, start.elapsed(), choice.json)?;
    match tally.differences.len() {
        0 => Ok(()),
        count => Err(Failure::Wrong(format!("{count} answers differ from the oracle's"))),
    }
}

/// Brute force, and the engines that the options name: for `auto` the CPU and the best adapter.
fn engines(choice: &Choice) -> Result<Vec<Labelled>> {
    let named = |engine: Engine| {
        let info = engine.info();
        let label = info.adapter.as_ref().map_or_else(String::new, |adapter| format!(" {adapter}"));
        Labelled::new(format!("{}{label}", info.backend.name()), engine)
    };
    let mut engines = vec![named(Engine::builder().backend(BackendKind::BruteForce).build()?)];
    let (chosen, _) = choice.checked()?;
    if choice.backend == Backend::Auto && chosen.iter().any(Labelled::is_gpu) {
        engines.push(named(Engine::builder().backend(BackendKind::Cpu).build()?));
    }
    engines.extend(chosen.into_iter().map(|labelled| named(labelled.engine)));
    Ok(engines)
}

/// Groups the findings by pair, in the order in which pairs first occur.
fn by_case(findings: Vec<Finding>) -> Vec<Vec<Finding>> {
    let bits = |finding: &Finding| finding.case.map(|case| (case.a.bits(), case.b.bits()));
    let mut groups: Vec<Vec<Finding>> = Vec::new();
    for finding in findings {
        let same = groups.iter_mut().find(|group| finding.case.is_some() && bits(&group[0]) == bits(&finding));
        match same {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    groups
}

/// Pairs and planes of one seed.
fn single_answers((seed, count): (u64, usize), engines: &[Labelled], tally: &mut Tally) -> Result<()> {
    let cases = pairs::batch(seed, count);
    let arena = Arena::new(&cases, seed)?;
    for case in &cases {
        tally.relations[case.relation as usize] += 1;
    }
    for Labelled { label, engine, .. } in engines {
        for (number, same) in by_case(arena.judge(engine)?).into_iter().enumerate() {
            let small = if number < SHOWN { report::small(&same[0], engine)? } else { String::new() };
            let mut others: Vec<&str> = same.iter().map(|finding| finding.query).collect();
            others.sort_unstable();
            others.dedup();
            others.retain(|query| *query != same[0].query);
            let others = if others.is_empty() { String::new() } else { format!("also in {}; ", others.join(", ")) };
            tally.add(Difference { seed, engine: label.clone(), what: format!("{others}{}", same[0]), small });
        }
    }
    let mut dice = Dice::new(!seed);
    for _ in 0..CULLS.0 {
        let culled = Culled::new(planes::batch(&mut dice, CULLS.1))?;
        tally.culled += culled.len() as u64;
        for Labelled { label, engine, .. } in engines {
            for finding in culled.judge(engine)? {
                let what = finding.to_string();
                tally.add(Difference { seed, engine: label.clone(), what, small: String::new() });
            }
        }
    }
    Ok(())
}

/// The sequences of one seed.
fn play_sequences(seed: u64, engines: &[Labelled], tally: &mut Tally) -> Result<()> {
    let mut dice = Dice::new(seed ^ 0x5e9_0e0ce);
    let all: Vec<Engine> = engines.iter().map(|labelled| labelled.engine.clone()).collect();
    for _ in 0..SEQUENCES {
        let steps = steps::steps(dice.next());
        let (fault, queries) = sequences::play(&steps, &all)?;
        tally.sequences += 1;
        tally.queries += queries;
        if let Some(fault) = fault {
            let small = match shrink::shrunk(steps, &all[fault.engine])? {
                Some((steps, fault)) => report::sequence(&steps, &fault),
                None => "  played again on this engine, it went well\n".to_owned(),
            };
            let engine = engines[fault.engine].label.clone();
            tally.add(Difference { seed, engine, what: format!("a sequence, {fault}"), small });
        }
    }
    Ok(())
}
