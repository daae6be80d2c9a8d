//! Random sequences: a few sets that live on and change, and between the changes queries of all kinds in any order, on engines
//! that have answered others before. A naive model says what the answers are.

use std::fmt;

use tangency::{BackendKind, Bodies, Engine, Index, Options, Overlaps, Relation};

use super::judge;
use super::model::{Entry, Memory, Model, Pairs, Rules};
use super::steps::{Query, SETS, Step};

/// The most bodies of a set whose answers the oracle gives; of larger ones brute force does.
const ORACLE: usize = 200;

/// A wrong answer in a sequence.
pub struct Fault {
    /// Which step.
    pub step: usize,
    /// Which engine.
    pub engine: usize,
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.what)
    }
}

/// The sets, their models, and what is known of them.
pub struct Stage<'a> {
    pub engines: &'a [Engine],
    pub sets: Vec<Bodies>,
    pub models: Vec<Model>,
    /// An index of each engine, and the model as it was then.
    pub snapshot: Option<(Vec<Index>, Model)>,
    /// What each engine writes its answers into, call after call.
    found: Vec<Overlaps>,
    memory: Memory,
    brute: Engine,
}

/// Plays the steps on all engines; the first wrong answer, and how many queries there were.
pub fn play(steps: &[Step], engines: &[Engine]) -> tangency::Result<(Option<Fault>, u64)> {
    let mut stage = Stage {
        engines,
        sets: (0..SETS).map(|_| Bodies::new()).collect(),
        models: vec![Model::default(); SETS],
        snapshot: None,
        found: engines.iter().map(|_| Overlaps::new()).collect(),
        memory: Memory::default(),
        brute: Engine::builder().backend(BackendKind::BruteForce).build()?,
    };
    let mut queries = 0;
    for (number, step) in steps.iter().enumerate() {
        let wrong = if let Step::Ask(query) = step {
            queries += 1;
            stage.ask(query)?
        } else {
            stage.change(step)?.map(|what| (0, what))
        };
        if let Some((engine, what)) = wrong {
            return Ok((Some(Fault { step: number, engine, what }), queries));
        }
    }
    Ok((None, queries))
}

impl Stage<'_> {
    /// What there is within a set, or between two.
    fn truth(&mut self, a: Option<&Model>, b: &Model, only: bool) -> tangency::Result<Pairs> {
        if a.map_or(0, |a| a.entries.len()) + b.entries.len() <= ORACLE {
            return Ok(match a {
                Some(a) => self.memory.between(a, b, only),
                None => self.memory.within(b, only),
            });
        }
        let options = Options::new().overlapping_only(only);
        let found = match a {
            Some(a) => self.brute.overlaps_between_with(&a.rebuilt()?, &b.rebuilt()?, &options)?,
            None => self.brute.overlaps_with(&b.rebuilt()?, &options)?,
        };
        Ok(found.iter().collect())
    }

    /// Asks every engine; the first that is wrong, and how.
    fn ask(&mut self, query: &Query) -> tangency::Result<Option<(usize, String)>> {
        match query {
            Query::Overlaps { set, only } => {
                let expected = self.truth(None, &self.models[*set].clone(), *only)?;
                self.compare(self.sets[*set].len(), *only, &expected, |stage, _, engine, options, found| {
                    engine.overlaps_into(&stage.sets[*set], options, found)
                })
            }
            Query::Between { a, b, only } => {
                let expected = self.truth(Some(&self.models[*a].clone()), &self.models[*b].clone(), *only)?;
                self.compare(self.sets[*a].len(), *only, &expected, |stage, _, engine, options, found| {
                    engine.overlaps_between_into(&stage.sets[*a], &stage.sets[*b], options, found)
                })
            }
            Query::Region { set, giant, asking, only } => {
                let model = Model { entries: vec![Entry::new(*giant, Rules::USUAL)], ..Model::default() };
                let (region, other) = (model.rebuilt()?, self.models[*set].clone());
                let (first, second) = if *asking { (&model, &other) } else { (&other, &model) };
                let expected = self.truth(Some(first), second, *only)?;
                self.compare(first.entries.len(), *only, &expected, |stage, _, engine, options, found| {
                    let (a, b) = if *asking { (&region, &stage.sets[*set]) } else { (&stage.sets[*set], &region) };
                    engine.overlaps_between_into(a, b, options, found)
                })
            }
            Query::Index { only } => {
                let Some((_, model)) = &self.snapshot else { return Ok(None) };
                let model = model.clone();
                let expected = self.truth(None, &model, *only)?;
                self.compare(model.entries.len(), *only, &expected, |stage, number, _, options, found| {
                    stage.snapshot.as_ref().map_or(Ok(()), |(indices, _)| indices[number].overlaps_into(options, found))
                })
            }
            Query::IndexBetween { a, only } => {
                let Some((_, model)) = &self.snapshot else { return Ok(None) };
                let model = model.clone();
                let expected = self.truth(Some(&self.models[*a].clone()), &model, *only)?;
                self.compare(self.sets[*a].len(), *only, &expected, |stage, number, _, options, found| {
                    stage.snapshot.as_ref().map_or(Ok(()), |(indices, _)| {
                        indices[number].overlaps_between_into(&stage.sets[*a], options, found)
                    })
                })
            }
            Query::Pairs { set, picks } => self.ask_pairs(*set, picks),
            Query::Candidates { set } => self.ask_candidates(*set),
            Query::Cull { set, planes } => {
                let expected = self.models[*set].sides(planes);
                let planes = judge::planes(planes)?;
                for (number, engine) in self.engines.iter().enumerate() {
                    let found = engine.cull(&self.sets[*set], &planes)?;
                    if let Some(id) = (0..expected.len()).find(|i| found.get(*i) != Some(&expected[*i])) {
                        let what = format!("cull: body {id} is {:?}, not {:?}", expected[id], found.get(id));
                        return Ok(Some((number, what)));
                    }
                }
                Ok(None)
            }
        }
    }

    /// One query for pairs on every engine, against what there is.
    fn compare(
        &mut self,
        rows: usize,
        only: bool,
        expected: &Pairs,
        ask: impl Fn(&Self, usize, &Engine, &Options, &mut Overlaps) -> tangency::Result<()>,
    ) -> tangency::Result<Option<(usize, String)>> {
        let options = Options::new().overlapping_only(only);
        for (number, engine) in self.engines.iter().enumerate() {
            let mut found = std::mem::take(&mut self.found[number]);
            ask(self, number, engine, &options, &mut found)?;
            let wrong = difference(&found, expected, rows);
            self.found[number] = found;
            if let Some(what) = wrong {
                return Ok(Some((number, what)));
            }
        }
        Ok(None)
    }

    fn ask_pairs(&mut self, set: usize, picks: &[[u32; 2]]) -> tangency::Result<Option<(usize, String)>> {
        let len = self.models[set].entries.len() as u32;
        let pairs: Vec<[u32; 2]> =
            if len == 0 { Vec::new() } else { picks.iter().map(|p| p.map(|id| id % len)).collect() };
        let entries = &self.models[set].entries;
        let form = |id: u32| &entries[id as usize].form;
        let expected: Vec<_> = pairs.iter().map(|[a, b]| self.memory.relation(form(*a), form(*b))).collect();
        for (number, engine) in self.engines.iter().enumerate() {
            let found = engine.test_pairs(&self.sets[set], &pairs)?;
            if let Some(k) = (0..pairs.len()).find(|k| found.get(*k) != Some(&expected[*k])) {
                let what = format!("test_pairs: {:?} are {:?}, not {:?}", pairs[k], expected[k], found.get(k));
                return Ok(Some((number, what)));
            }
        }
        Ok(None)
    }

    fn ask_candidates(&mut self, set: usize) -> tangency::Result<Option<(usize, String)>> {
        let model = self.models[set].clone();
        let hits = self.truth(None, &model, false)?;
        for (number, engine) in self.engines.iter().enumerate() {
            let found = engine.candidates(&self.sets[set])?;
            let lost = hits.iter().find(|(a, b, _)| found.binary_search(&[*a, *b]).is_err());
            let foreign = found.iter().find(|[a, b]| a >= b || !Memory::may_be_candidate(&model, *a, *b));
            let what = match (found.is_sorted_by(|x, y| x < y), lost, foreign) {
                (false, ..) => "candidates: they are not in canonical order, each once".to_owned(),
                (_, Some((a, b, relation)), _) => format!("candidates: ({a}, {b}) are {relation:?}, and missing"),
                (.., Some([a, b])) => format!("candidates: ({a}, {b}) may not meet, and are there"),
                _ => continue,
            };
            return Ok(Some((number, what)));
        }
        Ok(None)
    }
}

/// The first pair that is wrong.
pub fn difference(found: &Overlaps, expected: &Pairs, rows: usize) -> Option<String> {
    let there: Pairs = found.iter().collect();
    if there != *expected {
        let first = there.iter().zip(expected).take_while(|(x, y)| x == y).count();
        let name = |pair: Option<&(u32, u32, Relation)>| {
            pair.map_or_else(|| "nothing".to_owned(), |(a, b, relation)| format!("({a}, {b}) {relation:?}"))
        };
        let (here, right) = (name(there.get(first)), name(expected.get(first)));
        return Some(format!("{} pairs, not {}; {here} where {right} should be", there.len(), expected.len()));
    }
    (!judge::canonical(found, rows)).then(|| "the rows are not those of the pairs".to_owned())
}

/// Leaves out what is not needed for an engine to go wrong: ever smaller runs of steps.
pub fn shrunk(mut steps: Vec<Step>, engine: &Engine) -> tangency::Result<Option<(Vec<Step>, Fault)>> {
    let engines = std::slice::from_ref(engine);
    let Some(mut fault) = play(&steps, engines)?.0 else { return Ok(None) };
    steps.truncate(fault.step + 1);
    let mut run = steps.len() / 2;
    while run > 0 {
        let mut start = 0;
        while start < steps.len() {
            let mut fewer = steps.clone();
            fewer.drain(start..(start + run).min(steps.len()));
            if let Some(still) = play(&fewer, engines)?.0 {
                fewer.truncate(still.step + 1);
                (steps, fault) = (fewer, still);
            } else {
                start += run;
            }
        }
        run /= 2;
    }
    Ok(Some((steps, fault)))
}

#[cfg(test)]
mod tests {
    use super::super::form::{Form, Kind};
    use super::super::steps::steps;
    use super::*;

    fn engine(kind: BackendKind) -> Engine {
        Engine::builder().backend(kind).build().unwrap()
    }

    #[test]
    fn sequences_go_well_on_both_engines() {
        let engines = [engine(BackendKind::BruteForce), engine(BackendKind::Cpu)];
        for seed in 100..110 {
            let (fault, queries) = play(&steps(seed), &engines).unwrap();
            assert!(fault.is_none() && queries > 10, "{seed}: {}", fault.map_or_else(String::new, |f| f.to_string()));
        }
    }

    fn ball(set: usize) -> Step {
        Step::Push(set, Form::new(Kind::Sphere, &[0.0, 0.0, 0.0, 1.0]), Rules::USUAL)
    }

    /// A model and a set that differ stand for an engine that is wrong: every kind of query notices.
    #[test]
    fn a_wrong_answer_to_any_query_is_found() {
        let engines = [engine(BackendKind::Cpu)];
        let near = Form::new(Kind::Aabb, &[-2.0, -2.0, -2.0, 2.0, 2.0, 2.0]);
        let only = false;
        for query in [
            Query::Overlaps { set: 0, only },
            Query::Between { a: 0, b: 1, only },
            Query::Between { a: 1, b: 0, only: true },
            Query::Region { set: 0, giant: near, asking: true, only },
            Query::Region { set: 0, giant: near, asking: false, only },
            Query::Pairs { set: 0, picks: vec![[5, 3], [0, 1]] },
            Query::Candidates { set: 0 },
            Query::Cull { set: 0, planes: vec![[1.0, 0.0, 0.0, 5.0]] },
            Query::Index { only },
            Query::IndexBetween { a: 1, only },
        ] {
            let begin = [ball(0), ball(0), ball(1), ball(1), Step::Snapshot(0)];
            let honest = [&begin[..], &[Step::Ask(query.clone())]].concat();
            assert!(play(&honest, &engines).unwrap().0.is_none(), "{query:?}");
            let (fault, queries) =
                play(&[&begin[..], &[Step::Lie(0), Step::Ask(query.clone())]].concat(), &engines).unwrap();
            assert_eq!((fault.map(|fault| fault.step), queries), (Some(6), 1), "{query:?}");
        }
    }

    /// What is left of a long sequence is the fault and what it needs.
    #[test]
    fn a_fault_is_made_small() {
        let cpu = engine(BackendKind::Cpu);
        for seed in 0..8 {
            let set = seed as usize % SETS;
            let mut all = steps(seed);
            all.splice(20..20, [ball(set), ball(set), Step::Lie(set), ball(set)]);
            let (fault, _) = play(&all, std::slice::from_ref(&cpu)).unwrap();
            assert_eq!(fault.map(|fault| fault.step), Some(23), "{seed}");
            let (left, fault) = shrunk(all, &cpu).unwrap().expect("it is still there");
            assert!(left.len() <= 4 && left.iter().any(|step| matches!(step, Step::Lie(_))), "{left:?}");
            assert_eq!(fault.step + 1, left.len());
        }
    }

    #[test]
    fn every_kind_of_step_and_query_occurs() {
        let all: Vec<Step> = (0..40).flat_map(steps).collect();
        let count = |test: fn(&Step) -> bool| all.iter().filter(|step| test(step)).count();
        for (name, number) in [
            ("swap_remove", count(|step| matches!(step, Step::SwapRemove(..)))),
            ("compact", count(|step| matches!(step, Step::Compact(_)))),
            ("clear", count(|step| matches!(step, Step::Clear(_)))),
            ("copy", count(|step| matches!(step, Step::Copy(..)))),
            ("exclude", count(|step| matches!(step, Step::Exclude(..)))),
            ("region", count(|step| matches!(step, Step::Ask(Query::Region { asking: true, .. })))),
            ("reverse region", count(|step| matches!(step, Step::Ask(Query::Region { asking: false, .. })))),
            ("index", count(|step| matches!(step, Step::Ask(Query::IndexBetween { .. })))),
            ("cull", count(|step| matches!(step, Step::Ask(Query::Cull { .. })))),
        ] {
            assert!(number >= 5, "{name}: {number}");
        }
    }
}
