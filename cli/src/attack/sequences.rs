//! Random sequences: a few sets that live on and change, and between the changes queries of all kinds in any order, on engines
//! that have answered others before. A naive model says what the answers are.

use std::fmt;

use tangency::batch::Set;
use tangency::{BackendKind, Bodies, Candidates, Engine, Index, Overlaps, Relation, Side};

use super::form::Form;
use super::judge;
use super::model::{Entry, Memory, Model, Pairs, Rules};
use super::steps::{Asked, Query, SETS, Step};
use crate::requests::{Ending, Work, filtered, together};

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
        let wrong = if let Step::Ask(query, ending) = step {
            queries += if let Query::Together(all) = query { all.len() as u64 } else { 1 };
            stage.ask(query, *ending)?
        } else {
            stage.change(step)?.map(|what| (0, what))
        };
        if let Some((engine, what)) = wrong {
            return Ok((Some(Fault { step: number, engine, what }), queries));
        }
    }
    Ok((None, queries))
}

/// What there should be to a query.
enum Truth {
    /// Pairs, in so many rows.
    Pairs(Pairs, usize),
    /// The pairs that were asked for, and their relations.
    Relations(Vec<[u32; 2]>, Vec<Relation>),
    /// The hits that must be among the candidates of one set or of two.
    Candidates(Pairs, Model, Option<Model>),
    Sides(Vec<Side>),
}

/// A set as an engine is to be asked about it.
enum Given<'a> {
    Bodies(&'a Bodies),
    Index(&'a Index),
}

impl<'a> From<Given<'a>> for Set<'a> {
    fn from(given: Given<'a>) -> Self {
        match given {
            Given::Bodies(bodies) => bodies.into(),
            Given::Index(index) => index.into(),
        }
    }
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
        let set = b.rebuilt()?;
        let found = match a {
            Some(a) => filtered(self.brute.overlaps(&a.rebuilt()?).against(&set), only).run()?,
            None => filtered(self.brute.overlaps(&set), only).run()?,
        };
        Ok(found.iter().collect())
    }

    /// The model of a set; none of an index that is not there.
    fn model(&self, asked: Asked) -> Option<Model> {
        match asked {
            Asked::Set(set) => Some(self.models[set].clone()),
            Asked::Index => self.snapshot.as_ref().map(|(_, model)| model.clone()),
        }
    }

    /// The set, or the index, of an engine.
    fn given(&self, asked: Asked, engine: usize) -> Given<'_> {
        match (asked, &self.snapshot) {
            (Asked::Set(set), _) => Given::Bodies(&self.sets[set]),
            (Asked::Index, Some((indices, _))) => Given::Index(&indices[engine]),
            // Such a query has no truth, and is not asked.
            (Asked::Index, None) => Given::Bodies(&self.sets[0]),
        }
    }

    /// What there should be to a query; nothing to one of an index that is not there, or of many.
    fn expected(&mut self, query: &Query) -> tangency::Result<Option<Truth>> {
        let models = match query {
            Query::Overlaps { set, .. } | Query::Region { set, .. } | Query::Pairs { set, .. } => {
                (self.model(*set), None)
            }
            Query::Cull { set, .. } | Query::Candidates { set, against: None } => (self.model(*set), None),
            Query::Between { a, b, .. } | Query::Candidates { set: a, against: Some(b) } => {
                let Some(b) = self.model(*b) else { return Ok(None) };
                (self.model(*a), Some(b))
            }
            Query::Together(_) => (None, None),
        };
        let (Some(model), other) = models else { return Ok(None) };
        let rows = model.entries.len();
        Ok(Some(match query {
            Query::Overlaps { only, .. } | Query::Between { only, .. } => {
                let pairs = match &other {
                    Some(other) => self.truth(Some(&model), other, *only)?,
                    None => self.truth(None, &model, *only)?,
                };
                Truth::Pairs(pairs, rows)
            }
            Query::Region { giant, asking, only, .. } => {
                let region = region(*giant);
                let (first, second) = if *asking { (&region, &model) } else { (&model, &region) };
                Truth::Pairs(self.truth(Some(first), second, *only)?, first.entries.len())
            }
            Query::Pairs { picks, .. } => {
                let len = rows as u32;
                let pairs: Vec<[u32; 2]> =
                    if len == 0 { Vec::new() } else { picks.iter().map(|p| p.map(|id| id % len)).collect() };
                let form = |id: u32| &model.entries[id as usize].form;
                let relations = pairs.iter().map(|[a, b]| self.memory.relation(form(*a), form(*b))).collect();
                Truth::Relations(pairs, relations)
            }
            Query::Candidates { .. } => {
                let hits = match &other {
                    Some(other) => self.truth(Some(&model), other, false)?,
                    None => self.truth(None, &model, false)?,
                };
                Truth::Candidates(hits, model, other)
            }
            Query::Cull { planes, .. } => Truth::Sides(model.sides(planes)),
            Query::Together(_) => return Ok(None),
        }))
    }

    /// Asks every engine; the first that is wrong, and how.
    fn ask(&mut self, query: &Query, ending: Ending) -> tangency::Result<Option<(usize, String)>> {
        if let Query::Together(queries) = query {
            return self.ask_together(queries);
        }
        let Some(truth) = self.expected(query)? else { return Ok(None) };
        for number in 0..self.engines.len() {
            let mut found = std::mem::take(&mut self.found[number]);
            let wrong = pollster::block_on(self.check(number, query, ending, &truth, &mut found))?;
            self.found[number] = found;
            if let Some(what) = wrong {
                return Ok(Some((number, what)));
            }
        }
        Ok(None)
    }

    /// Asks every engine all of these at once.
    fn ask_together(&mut self, queries: &[Query]) -> tangency::Result<Option<(usize, String)>> {
        let mut known = Vec::new();
        for query in queries {
            known.extend(self.expected(query)?.map(|truth| (query, truth)));
        }
        let stage = &*self;
        for number in 0..stage.engines.len() {
            let asked = known.iter().map(|(query, truth)| -> Work<'_, tangency::Result<Option<String>>> {
                Box::pin(async move { stage.check(number, query, Ending::Await, truth, &mut Overlaps::new()).await })
            });
            for wrong in together(asked.collect()) {
                if let Some(what) = wrong? {
                    return Ok(Some((number, format!("among {} at once: {what}", known.len()))));
                }
            }
        }
        Ok(None)
    }

    /// One query on one engine, against what there is.
    async fn check(
        &self,
        number: usize,
        query: &Query,
        ending: Ending,
        truth: &Truth,
        found: &mut Overlaps,
    ) -> tangency::Result<Option<String>> {
        let engine = &self.engines[number];
        let given = |asked: &Asked| self.given(*asked, number);
        match (query, truth) {
            (Query::Overlaps { set, only }, Truth::Pairs(pairs, rows)) => {
                ending.answer(filtered(engine.overlaps(given(set)), *only), found).await?;
                Ok(difference(found, pairs, *rows))
            }
            (Query::Between { a, b, only }, Truth::Pairs(pairs, rows)) => {
                ending.answer(filtered(engine.overlaps(given(a)).against(given(b)), *only), found).await?;
                Ok(difference(found, pairs, *rows))
            }
            (Query::Region { set, giant, asking, only }, Truth::Pairs(pairs, rows)) => {
                let region = region(*giant).rebuilt()?;
                let request = if *asking {
                    engine.overlaps(&region).against(given(set))
                } else {
                    engine.overlaps(given(set)).against(&region)
                };
                ending.answer(filtered(request, *only), found).await?;
                Ok(difference(found, pairs, *rows))
            }
            (Query::Pairs { set, .. }, Truth::Relations(pairs, expected)) => {
                let mut found = Vec::new();
                ending.answer(engine.relations(given(set), pairs), &mut found).await?;
                let wrong = (0..pairs.len()).find(|k| found.get(*k) != Some(&expected[*k]));
                Ok(wrong.map(|k| format!("relations: {:?} are {:?}, not {:?}", pairs[k], expected[k], found.get(k))))
            }
            (Query::Candidates { set, against }, Truth::Candidates(hits, model, other)) => {
                let mut request = engine.candidates(given(set));
                if let Some(against) = against {
                    request = request.against(given(against));
                }
                let mut found = Candidates::new();
                ending.answer(request, &mut found).await?;
                Ok(wrong_candidates(found.as_slice(), hits, model, other.as_ref()))
            }
            (Query::Cull { set, planes }, Truth::Sides(expected)) => {
                let (planes, mut found) = (judge::planes(planes)?, Vec::new());
                ending.answer(engine.cull(given(set), &planes), &mut found).await?;
                let wrong = (0..expected.len()).find(|id| found.get(*id) != Some(&expected[*id]));
                Ok(wrong.map(|id| format!("cull: body {id} is {:?}, not {:?}", expected[id], found.get(id))))
            }
            _ => Ok(None),
        }
    }
}

/// A set of one giant.
fn region(giant: Form) -> Model {
    Model { entries: vec![Entry::new(giant, Rules::USUAL)], ..Model::default() }
}

/// What is wrong with the candidates within a set, or between it and another.
fn wrong_candidates(found: &[[u32; 2]], hits: &Pairs, model: &Model, other: Option<&Model>) -> Option<String> {
    let may_meet = |a, b| match other {
        Some(other) => Memory::may_meet(model, other, a, b),
        None => Memory::may_be_candidate(model, a, b),
    };
    let lost = hits.iter().find(|(a, b, _)| found.binary_search(&[*a, *b]).is_err());
    let foreign = found.iter().find(|[a, b]| !may_meet(*a, *b));
    match (found.is_sorted_by(|x, y| x < y), lost, foreign) {
        (false, ..) => Some("candidates: they are not in canonical order, each once".to_owned()),
        (_, Some((a, b, relation)), _) => Some(format!("candidates: ({a}, {b}) are {relation:?}, and missing")),
        (.., Some([a, b])) => Some(format!("candidates: ({a}, {b}) may not meet, and are there")),
        _ => None,
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
    use super::super::form::Kind;
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
        let (first, second, index) = (Asked::Set(0), Asked::Set(1), Asked::Index);
        let each = [
            Query::Overlaps { set: first, only },
            Query::Between { a: first, b: second, only },
            Query::Between { a: second, b: first, only: true },
            Query::Region { set: first, giant: near, asking: true, only },
            Query::Region { set: first, giant: near, asking: false, only },
            Query::Pairs { set: first, picks: vec![[5, 3], [0, 1]] },
            Query::Candidates { set: first, against: None },
            Query::Cull { set: first, planes: vec![[1.0, 0.0, 0.0, 5.0]] },
            Query::Overlaps { set: index, only },
            Query::Between { a: second, b: index, only },
            Query::Between { a: index, b: second, only },
            Query::Region { set: index, giant: near, asking: true, only },
            Query::Pairs { set: index, picks: vec![[5, 3], [0, 1]] },
            Query::Candidates { set: index, against: None },
            Query::Cull { set: index, planes: vec![[1.0, 0.0, 0.0, 5.0]] },
        ];
        let honest = [Query::Overlaps { set: second, only }, Query::Candidates { set: second, against: None }];
        let at_once = each.iter().map(|query| Query::Together([&honest[..], std::slice::from_ref(query)].concat()));
        for query in each.iter().cloned().chain(at_once) {
            let count = if let Query::Together(all) = &query { all.len() as u64 } else { 1 };
            for ending in Ending::ALL {
                let begin = [ball(0), ball(0), ball(1), ball(1), Step::Snapshot(0), Step::Refresh(0)];
                let ask = [Step::Ask(query.clone(), ending)];
                assert!(play(&[&begin[..], &ask].concat(), &engines).unwrap().0.is_none(), "{query:?}");
                let lied = [&begin[..], &[Step::Lie(0)], &ask].concat();
                let (fault, queries) = play(&lied, &engines).unwrap();
                assert_eq!((fault.map(|fault| fault.step), queries), (Some(7), count), "{query:?}");
            }
        }
    }

    /// Of candidates between two sets, those that their traits forbid are noticed, and those that are missing.
    #[test]
    fn wrong_candidates_between_two_sets_are_found() {
        let entry = |world| Entry::new(Form::new(Kind::Sphere, &[0.0, 0.0, 0.0, 1.0]), Rules { world, ..Rules::USUAL });
        let model = |worlds: &[u32]| Model { entries: worlds.iter().map(|w| entry(*w)).collect(), ..Model::default() };
        let (x, y) = (model(&[1, 2]), model(&[2, 1]));
        let hits = Memory::default().between(&x, &y, false);
        let wrong = |found: &[[u32; 2]]| wrong_candidates(found, &hits, &x, Some(&y));
        assert_eq!(wrong(&[[0, 1], [1, 0]]), None);
        assert!(wrong(&[[1, 0], [0, 1]]).is_some() && wrong(&[[0, 1]]).is_some());
        assert!(wrong(&[[0, 1], [1, 0], [1, 1]]).is_some() && wrong(&[[0, 1], [1, 0], [1, 9]]).is_some());
    }

    /// An index that was not refreshed after a change is noticed.
    #[test]
    fn a_refreshed_index_is_that_of_the_set() {
        let engines = [engine(BackendKind::Cpu)];
        let ask = Step::Ask(Query::Overlaps { set: Asked::Index, only: false }, Ending::Run);
        for (set, other) in [(0, 0), (0, 1)] {
            let steps =
                [ball(0), ball(1), Step::Snapshot(set), ball(other), ball(other), Step::Refresh(other), ask.clone()];
            assert!(play(&steps, &engines).unwrap().0.is_none());
            let lied = [&steps[..6], &[Step::Lie(other)], &steps[6..]].concat();
            assert_eq!(play(&lied, &engines).unwrap().0.map(|fault| fault.step), Some(7));
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
            ("snapshot", count(|step| matches!(step, Step::Snapshot(_)))),
            ("refresh", count(|step| matches!(step, Step::Refresh(_)))),
            ("region", count(|step| matches!(step, Step::Ask(Query::Region { asking: true, .. }, _)))),
            ("reverse region", count(|step| matches!(step, Step::Ask(Query::Region { asking: false, .. }, _)))),
            ("index", count(|step| matches!(step, Step::Ask(Query::Between { b: Asked::Index, .. }, _)))),
            ("pairs of an index", count(|step| matches!(step, Step::Ask(Query::Pairs { set: Asked::Index, .. }, _)))),
            ("cull", count(|step| matches!(step, Step::Ask(Query::Cull { set: Asked::Set(_), .. }, _)))),
            ("cull of an index", count(|step| matches!(step, Step::Ask(Query::Cull { set: Asked::Index, .. }, _)))),
            (
                "candidates of two sets",
                count(|step| matches!(step, Step::Ask(Query::Candidates { against: Some(_), .. }, _))),
            ),
            ("awaited", count(|step| matches!(step, Step::Ask(_, Ending::Await)))),
            ("together", count(|step| matches!(step, Step::Ask(Query::Together(_), _)))),
        ] {
            assert!(number >= 5, "{name}: {number}");
        }
    }
}
