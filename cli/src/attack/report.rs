//! The report of an attack: each wrong answer with a minimised case.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;
use tangency::{Bodies, Engine, scenes};

use super::judge::{Arena, Finding};
use super::oracle;
use super::pairs::Case;
use super::sequences::Fault;
use super::steps::Step;
use crate::failure::Result;
use crate::numbers::grouped;
use crate::{messages, output};

/// One wrong answer.
pub struct Difference {
    /// The seed of the round.
    pub seed: u64,
    pub engine: String,
    pub what: String,
    /// The minimised case that is still answered wrongly; empty if it was not minimised.
    pub small: String,
}

/// Counters of an attack, and its wrong answers.
#[derive(Default)]
pub struct Tally {
    /// Pairs of a round.
    pub pairs: usize,
    pub rounds: u64,
    /// Pairs by their relation.
    pub relations: [u64; 3],
    pub culled: u64,
    pub sequences: u64,
    pub queries: u64,
    pub differences: Vec<Difference>,
}

/// The most wrong answers that are printed; the others are only counted.
const PRINTED: usize = 20;

impl Tally {
    /// Adds a wrong answer, and prints it at once.
    pub fn add(&mut self, difference: Difference) {
        if self.differences.len() < PRINTED {
            let Difference { seed, engine, what, small } = &difference;
            let pairs = self.pairs;
            messages::note(format_args!(
                "{engine}: {what}\n{small}  again: tangency soak --adversarial --seed {seed:#x} --rounds 1 --pairs {pairs}"
            ));
        }
        self.differences.push(difference);
    }

    pub fn print(&self, seed: u64, engines: &[String], time: Duration, as_json: bool) -> Result<()> {
        let [separate, touching, overlapping] = self.relations;
        let pairs = self.relations.iter().sum();
        if as_json {
            let told = |d: &Difference| json!({"seed": d.seed, "engine": d.engine, "what": d.what, "small": d.small});
            return output::json(&json!({
                "engines": engines, "seed": seed, "rounds": self.rounds, "seconds": time.as_secs_f64(), "pairs": pairs,
                "separate": separate, "touching": touching, "overlapping": overlapping, "culled": self.culled,
                "sequences": self.sequences, "queries": self.queries,
                "differences": self.differences.iter().map(told).collect::<Vec<_>>(),
            }));
        }
        output::stdout(|out| {
            writeln!(
                out,
                "{} pairs ({} separate, {} touching, {} overlapping), {} bodies at planes, {} sequences of {} queries\n\
                 on {}, from seed {seed:#x} in {:.1} s: {} differences",
                grouped(pairs),
                grouped(separate),
                grouped(touching),
                grouped(overlapping),
                grouped(self.culled),
                grouped(self.sequences),
                grouped(self.queries),
                engines.join(", "),
                time.as_secs_f64(),
                self.differences.len()
            )
        })
    }
}

/// Whether an engine is wrong about a pair when the scene has no other bodies.
fn is_wrong(case: &Case, engine: &Engine) -> tangency::Result<bool> {
    Ok(!Arena::new(std::slice::from_ref(case), 0)?.judge(engine)?.is_empty())
}

/// The pair of a finding, with as many of its numbers simplified as possible.
pub fn small(finding: &Finding, engine: &Engine) -> tangency::Result<String> {
    let Some(mut case) = finding.case else { return Ok(String::new()) };
    if !is_wrong(&case, engine)? {
        return Ok("  alone, the pair is answered rightly: it takes the whole round\n".to_owned());
    }
    for first in [true, false] {
        let numbers = if first { case.a } else { case.b }.numbers().len();
        for k in 0..numbers {
            for simple in [0.0, 1.0, -1.0] {
                let mut tried = case;
                let form = if first { &mut tried.a } else { &mut tried.b };
                if form.v[k] == simple {
                    break;
                }
                form.v[k] = simple;
                if !form.is_shape() {
                    continue;
                }
                tried.relation = oracle::relation(&tried.a, &tried.b);
                if is_wrong(&tried, engine)? {
                    case = tried;
                    break;
                }
            }
        }
    }
    let mut bodies = Bodies::new();
    bodies.push(case.a.shape()?)?;
    bodies.push(case.b.shape()?)?;
    let mut scene = Vec::new();
    // Writing to memory does not fail.
    let _ = scenes::write_csv(&bodies, &mut scene);
    let (a, b, relation, scene) = (case.a, case.b, case.relation, String::from_utf8_lossy(&scene));
    Ok(format!(
        "  smallest: wrong alone; they are {relation:?}\n  a: {a:?}\n  b: {b:?}\n  for `tangency overlaps`:\n{scene}"
    ))
}

/// Prints a minimised sequence.
pub fn sequence(steps: &[Step], fault: &Fault) -> String {
    let mut text = format!("  smallest: {} steps, {fault}\n", steps.len());
    for (number, step) in steps.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "    {number}: {step:?}");
    }
    text
}
