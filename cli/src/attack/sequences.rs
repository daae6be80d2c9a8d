//! Random sequences: a few sets that change, and queries of all kinds between the changes, on engines that have answered other
//! queries before. A naive model gives the expected answers.

use std::fmt;

use tangency::batch::Set;
use tangency::{BackendKind, Bodies, Candidates, Contacts, Engine, Index, Overlaps, Relation, Side};

use super::continuity::Known;
use super::form::Form;
use super::judge;
use super::model::{Entry, Memory, Model, Pairs, Rules};
use super::steps::{Query, SETS, Step, Target};
use crate::contacts;
use crate::requests::{Ending, Work, filtered, limited, together};

/// The most bodies of a set that is compared with the oracle; larger ones are compared with brute force.
const ORACLE: usize = 200;

/// A wrong answer in a sequence.
pub struct Fault {
    /// The index of the step.
    pub step: usize,
    /// The index of the engine.
    pub engine: usize,
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.what)
    }
}

/// The sets of a running sequence, and their models.
pub struct Session<'a> {
    pub engines: &'a [Engine],
    pub sets: Vec<Bodies>,
    pub models: Vec<Model>,
    /// An index of each engine, and the model of the set at the time.
    pub snapshot: Option<(Vec<Index>, Model)>,
    /// The result that each engine reuses from query to query.
    found: Vec<Overlaps>,
    /// The last answer of each engine about all pairs of a set, and its pairs with the numbers of their bodies.
    pub last: Vec<[(Overlaps, Known); SETS]>,
    memory: Memory,
    brute: Engine,
}

/// Runs the steps on all engines. Returns the first wrong answer, and the number of queries.
pub fn play(steps: &[Step], engines: &[Engine]) -> tangency::Result<(Option<Fault>, u64)> {
    let mut stage = Session {
        engines,
        sets: (0..SETS).map(|_| Bodies::new()).collect(),
        models: vec![Model::default(); SETS],
        snapshot: None,
        found: engines.iter().map(|_| Overlaps::new()).collect(),
        last: engines.iter().map(|_| Default::default()).collect(),
        memory: Memory::default(),
        brute: Engine::builder().backend(BackendKind::BruteForce).build()?,
    };
    let mut queries = 0;
    for (number, step) in steps.iter().enumerate() {
        let wrong = if let Step::Ask(query, ending) = step {
            queries += if let Query::Together(all) = query { all.len() as u64 } else { 1 };
            stage.run_query(query, *ending)?
        } else {
            stage.change(step)?.map(|what| (0, what))
        };
        if let Some((engine, what)) = wrong {
            return Ok((Some(Fault { step: number, engine, what }), queries));
        }
    }
    Ok((None, queries))
}

/// The expected answer to a query.
enum Truth {
    /// Pairs, and their number of rows.
    Pairs(Pairs, usize),
    /// The listed pairs, and their relations.
    Relations(Vec<[u32; 2]>, Vec<Relation>),
    /// The hits that the candidates must contain, and the models that limit them: of one set or of two.
    Candidates(Pairs, Model, Option<Model>),
    Sides(Vec<Side>),
    /// Pairs, their number of rows, and their contacts as brute force computes them.
    Contacts(Pairs, usize, Contacts),
}

/// A set as a query gets it: bodies, or an index.
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

impl Session<'_> {
    /// The true pairs within a set, or between it and another one.
    fn truth_of(&mut self, set: &Model, other: Option<&Model>, only: bool) -> tangency::Result<Pairs> {
        match other {
            Some(other) => self.truth(Some(set), other, only),
            None => self.truth(None, set, only),
        }
    }

    /// The true pairs within a set, or between two.
    fn truth(&mut self, a: Option<&Model>, b: &Model, only: bool) -> tangency::Result<Pairs> {
        if oracle_judges(a, b) {
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

    /// The model of a target; absent if the target is an index that does not exist.
    fn model(&self, target: Target) -> Option<Model> {
        match target {
            Target::Set(set) => Some(self.models[set].clone()),
            Target::Index => self.snapshot.as_ref().map(|(_, model)| model.clone()),
        }
    }

    /// The set, or the index of this engine.
    fn given(&self, target: Target, engine: usize) -> Given<'_> {
        match (target, &self.snapshot) {
            (Target::Set(set), _) => Given::Bodies(&self.sets[set]),
            (Target::Index, Some((indices, _))) => Given::Index(&indices[engine]),
            // A query of an index that does not exist has no expected answer, and is not run.
            (Target::Index, None) => Given::Bodies(&self.sets[0]),
        }
    }

    /// The expected answer to a query; absent for an index that does not exist, and for several queries at once.
    fn expected(&mut self, query: &Query) -> tangency::Result<Option<Truth>> {
        let models = match query {
            Query::Overlaps { set, .. } | Query::Region { set, .. } | Query::Pairs { set, .. } => {
                (self.model(*set), None)
            }
            Query::Cull { set, .. }
            | Query::Candidates { set, against: None }
            | Query::Contacts { set, against: None, .. } => (self.model(*set), None),
            Query::Between { a, b, .. }
            | Query::Candidates { set: a, against: Some(b) }
            | Query::Contacts { set: a, against: Some(b), .. } => {
                let Some(b) = self.model(*b) else { return Ok(None) };
                (self.model(*a), Some(b))
            }
            Query::Together(_) => (None, None),
        };
        let (Some(model), other) = models else { return Ok(None) };
        let rows = model.entries.len();
        Ok(Some(match query {
            Query::Overlaps { only, .. } | Query::Between { only, .. } => {
                Truth::Pairs(self.truth_of(&model, other.as_ref(), *only)?, rows)
            }
            Query::Region { giant, searching, only, .. } => {
                let region = region(*giant);
                let (first, second) = if *searching { (&region, &model) } else { (&model, &region) };
                Truth::Pairs(self.truth(Some(first), second, *only)?, first.entries.len())
            }
            Query::Pairs { picks, .. } => {
                let ids = model.ids();
                let pairs: Vec<[u32; 2]> = if ids.is_empty() {
                    Vec::new()
                } else {
                    picks.iter().map(|p| p.map(|id| ids[id as usize % ids.len()])).collect()
                };
                let form = |id: u32| &model.entries[id as usize].form;
                let relations = pairs.iter().map(|[a, b]| self.memory.relation(form(*a), form(*b))).collect();
                Truth::Relations(pairs, relations)
            }
            Query::Candidates { .. } => Truth::Candidates(self.truth_of(&model, other.as_ref(), false)?, model, other),
            Query::Contacts { only, deepest, .. } => {
                let (set, against) = (model.rebuilt()?, other.as_ref().map(Model::rebuilt).transpose()?);
                let request = self.brute.contacts(&set);
                let request = if let Some(against) = &against { request.against(against) } else { request };
                let contacts = limited(request, *only, *deepest).run()?;
                // Where brute force would be asked for the pairs, these are known from the contacts.
                let pairs = if oracle_judges(other.as_ref(), &model) {
                    self.truth_of(&model, other.as_ref(), *only)?
                } else {
                    contacts.pairs().iter().collect()
                };
                Truth::Contacts(pairs, rows, contacts)
            }
            Query::Cull { planes, .. } => Truth::Sides(model.sides(planes)),
            Query::Together(_) => return Ok(None),
        }))
    }

    /// Runs a query on every engine. Returns the first engine that is wrong, and how.
    fn run_query(&mut self, query: &Query, ending: Ending) -> tangency::Result<Option<(usize, String)>> {
        if let Query::Together(queries) = query {
            return self.run_queries_at_once(queries);
        }
        let Some(truth) = self.expected(query)? else { return Ok(None) };
        for number in 0..self.engines.len() {
            let mut found = std::mem::take(&mut self.found[number]);
            let wrong = pollster::block_on(self.check(number, query, ending, &truth, &mut found))?;
            let wrong = wrong.or_else(|| self.wrong_changes(number, query, &found));
            self.found[number] = found;
            if let Some(what) = wrong {
                return Ok(Some((number, what)));
            }
        }
        Ok(None)
    }

    /// Runs these queries at once on every engine. Returns the first engine that is wrong, and how.
    fn run_queries_at_once(&mut self, queries: &[Query]) -> tangency::Result<Option<(usize, String)>> {
        let mut known = Vec::new();
        for query in queries {
            known.extend(self.expected(query)?.map(|truth| (query, truth)));
        }
        let stage = &*self;
        for number in 0..stage.engines.len() {
            let target = known.iter().map(|(query, truth)| -> Work<'_, tangency::Result<Option<String>>> {
                Box::pin(async move { stage.check(number, query, Ending::Await, truth, &mut Overlaps::new()).await })
            });
            for wrong in together(target.collect()) {
                if let Some(what) = wrong? {
                    return Ok(Some((number, format!("among {} at once: {what}", known.len()))));
                }
            }
        }
        Ok(None)
    }

    /// Runs one query on one engine, and compares its answer with the expected one.
    async fn check(
        &self,
        number: usize,
        query: &Query,
        ending: Ending,
        truth: &Truth,
        found: &mut Overlaps,
    ) -> tangency::Result<Option<String>> {
        let engine = &self.engines[number];
        let given = |target: &Target| self.given(*target, number);
        match (query, truth) {
            (Query::Overlaps { set, only }, Truth::Pairs(pairs, rows)) => {
                ending.answer(filtered(engine.overlaps(given(set)), *only), found).await?;
                Ok(difference(found, pairs, *rows))
            }
            (Query::Between { a, b, only }, Truth::Pairs(pairs, rows)) => {
                ending.answer(filtered(engine.overlaps(given(a)).against(given(b)), *only), found).await?;
                Ok(difference(found, pairs, *rows))
            }
            (Query::Region { set, giant, searching, only }, Truth::Pairs(pairs, rows)) => {
                let region = region(*giant).rebuilt()?;
                let request = if *searching {
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
                Ok(wrong_candidates(&found.to_vec(), hits, model, other.as_ref()))
            }
            (Query::Cull { set, planes }, Truth::Sides(expected)) => {
                let (planes, mut found) = (judge::planes(planes)?, Vec::new());
                ending.answer(engine.cull(given(set), &planes), &mut found).await?;
                let wrong = (0..expected.len()).find(|id| found.get(*id) != Some(&expected[*id]));
                Ok(wrong.map(|id| format!("cull: body {id} is {:?}, not {:?}", expected[id], found.get(id))))
            }
            (Query::Contacts { set, against, only, deepest }, Truth::Contacts(pairs, rows, expected)) => {
                let mut request = engine.contacts(given(set));
                if let Some(against) = against {
                    request = request.against(given(against));
                }
                let mut found = Contacts::new();
                ending.answer(limited(request, *only, *deepest), &mut found).await?;
                let wrong = difference(found.pairs(), pairs, *rows);
                let wrong = wrong.or_else(|| contacts::difference(&found, expected));
                Ok(wrong.map(|what| format!("contacts: {what}")))
            }
            _ => Ok(None),
        }
    }
}

/// Whether pairs within a set, or between two, are few enough for the oracle.
fn oracle_judges(a: Option<&Model>, b: &Model) -> bool {
    a.map_or(0, |a| a.entries.len()) + b.entries.len() <= ORACLE
}

/// A model with one giant.
fn region(giant: Form) -> Model {
    Model { entries: vec![Entry::new(giant, Rules::USUAL)], ..Model::default() }
}

/// What is wrong with candidates within a set, or between two, if anything is.
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

/// The first wrong pair, if there is one.
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
        let long = std::env::var("TANGENCY_TEST_LONG").is_ok_and(|value| value == "1");
        for seed in 104..if long { 112 } else { 106 } {
            let (fault, queries) = play(&steps(seed), &engines).unwrap();
            assert!(fault.is_none() && queries > 10, "{seed}: {}", fault.map_or_else(String::new, |f| f.to_string()));
        }
    }

    fn ball(set: usize) -> Step {
        Step::Push(set, Form::new(Kind::Sphere, &[0.0, 0.0, 0.0, 1.0]), Rules::USUAL)
    }

    /// If a model differs from its set, every kind of query is found wrong.
    #[test]
    fn a_wrong_answer_to_any_query_is_found() {
        let engines = [engine(BackendKind::Cpu)];
        let near = Form::new(Kind::Aabb, &[-2.0, -2.0, -2.0, 2.0, 2.0, 2.0]);
        let only = false;
        let (first, second, index) = (Target::Set(0), Target::Set(1), Target::Index);
        let each = [
            Query::Overlaps { set: first, only },
            Query::Between { a: first, b: second, only },
            Query::Between { a: second, b: first, only: true },
            Query::Region { set: first, giant: near, searching: true, only },
            Query::Region { set: first, giant: near, searching: false, only },
            Query::Pairs { set: first, picks: vec![[5, 3], [0, 1]] },
            Query::Candidates { set: first, against: None },
            Query::Cull { set: first, planes: vec![[1.0, 0.0, 0.0, 5.0]] },
            Query::Contacts { set: first, against: None, only, deepest: false },
            Query::Contacts { set: second, against: Some(first), only, deepest: true },
            Query::Contacts { set: second, against: Some(index), only: true, deepest: false },
            Query::Overlaps { set: index, only },
            Query::Between { a: second, b: index, only },
            Query::Between { a: index, b: second, only },
            Query::Region { set: index, giant: near, searching: true, only },
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
                let run_query = [Step::Ask(query.clone(), ending)];
                assert!(play(&[&begin[..], &run_query].concat(), &engines).unwrap().0.is_none(), "{query:?}");
                let lied = [&begin[..], &[Step::Lie(0)], &run_query].concat();
                let (fault, queries) = play(&lied, &engines).unwrap();
                assert_eq!((fault.map(|fault| fault.step), queries), (Some(7), count), "{query:?}");
            }
        }
    }

    /// Candidates between two sets that their traits forbid are noticed, and so are missing ones.
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
        let run_query = Step::Ask(Query::Overlaps { set: Target::Index, only: false }, Ending::Run);
        for (set, other) in [(0, 0), (0, 1)] {
            let steps = [
                ball(0),
                ball(1),
                Step::Snapshot(set),
                ball(other),
                ball(other),
                Step::Refresh(other),
                run_query.clone(),
            ];
            assert!(play(&steps, &engines).unwrap().0.is_none());
            let lied = [&steps[..6], &[Step::Lie(other)], &steps[6..]].concat();
            assert_eq!(play(&lied, &engines).unwrap().0.map(|fault| fault.step), Some(7));
        }
    }

    #[test]
    fn every_kind_of_step_and_query_occurs() {
        let all: Vec<Step> = (0..40).flat_map(steps).collect();
        let count = |test: fn(&Step) -> bool| all.iter().filter(|step| test(step)).count();
        for (name, number) in [
            ("remove", count(|step| matches!(step, Step::Remove(..)))),
            ("set_poses", count(|step| matches!(step, Step::SetPoses(..)))),
            ("share", count(|step| matches!(step, Step::Share(..)))),
            ("compact", count(|step| matches!(step, Step::Compact(_)))),
            ("clear", count(|step| matches!(step, Step::Clear(_)))),
            ("copy", count(|step| matches!(step, Step::Copy(..)))),
            ("exclude", count(|step| matches!(step, Step::Exclude(..)))),
            ("snapshot", count(|step| matches!(step, Step::Snapshot(_)))),
            ("refresh", count(|step| matches!(step, Step::Refresh(_)))),
            ("region", count(|step| matches!(step, Step::Ask(Query::Region { searching: true, .. }, _)))),
            ("reverse region", count(|step| matches!(step, Step::Ask(Query::Region { searching: false, .. }, _)))),
            ("index", count(|step| matches!(step, Step::Ask(Query::Between { b: Target::Index, .. }, _)))),
            ("pairs of an index", count(|step| matches!(step, Step::Ask(Query::Pairs { set: Target::Index, .. }, _)))),
            ("cull", count(|step| matches!(step, Step::Ask(Query::Cull { set: Target::Set(_), .. }, _)))),
            ("cull of an index", count(|step| matches!(step, Step::Ask(Query::Cull { set: Target::Index, .. }, _)))),
            (
                "candidates of two sets",
                count(|step| matches!(step, Step::Ask(Query::Candidates { against: Some(_), .. }, _))),
            ),
            ("contacts", count(|step| matches!(step, Step::Ask(Query::Contacts { deepest: false, .. }, _)))),
            (
                "contacts of one point",
                count(|step| matches!(step, Step::Ask(Query::Contacts { deepest: true, .. }, _))),
            ),
            (
                "contacts of two sets",
                count(|step| matches!(step, Step::Ask(Query::Contacts { against: Some(_), .. }, _))),
            ),
            ("half-spaces", count(|step| matches!(step, Step::Push(_, form, _) if form.kind == Kind::Plane))),
            ("hulls", count(|step| matches!(step, Step::Push(_, form, _) if form.kind == Kind::ConvexHull))),
            (
                "region of a half-space",
                count(|step| matches!(step, Step::Ask(Query::Region { giant, .. }, _) if giant.kind == Kind::Plane)),
            ),
            ("awaited", count(|step| matches!(step, Step::Ask(_, Ending::Await)))),
            ("together", count(|step| matches!(step, Step::Ask(Query::Together(_), _)))),
        ] {
            assert!(number >= 5, "{name}: {number}");
        }
    }
}
