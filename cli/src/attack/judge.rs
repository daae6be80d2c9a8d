//! Runs a batch of pairs through every kind of query of an engine, and collects the wrong answers.

use std::collections::HashMap;
use std::fmt;
use std::future::IntoFuture;

use tangency::batch::ContactsQuery;
use tangency::shape::Plane;
use tangency::{BackendKind, Bodies, Contacts, Engine, Overlaps, Relation, Request, Side, Traits};

use super::dice::Dice;
use super::form::{Form, Kind};
use super::oracle;
use super::pairs::Case;
use crate::requests::{Ending, Work, filtered, limited, together};

/// A wrong answer.
#[derive(Clone, Debug)]
pub struct Finding {
    pub query: &'static str,
    pub what: String,
    /// The pair that is answered wrongly, if it is one pair.
    pub case: Option<Case>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.query, self.what)?;
        if let Some(case) = &self.case {
            write!(f, "\n  a: {:?}\n  b: {:?}", case.a, case.b)?;
        }
        Ok(())
    }
}

fn finding(query: &'static str, what: String, case: Option<&Case>) -> Finding {
    Finding { query, what, case: case.copied() }
}

/// The world of a case: distinct, but not consecutive.
fn world(case: usize) -> Traits {
    Traits::new().world((case as u32).wrapping_mul(0x9E37_79B1))
}

/// A random permutation of `0..len`.
fn order(len: usize, dice: &mut Dice) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    dice.shuffle(&mut order);
    order
}

/// A set in which the `i`-th of these shapes has the id `place[i]`.
fn arranged(forms: &[(Form, Traits)], place: &[u32]) -> tangency::Result<Bodies> {
    let mut at = vec![0; forms.len()];
    for (i, place) in place.iter().enumerate() {
        at[*place as usize] = i;
    }
    let mut bodies = Bodies::with_capacity(forms.len());
    for i in at {
        bodies.push_with(forms[i].0.shape()?, forms[i].1)?;
    }
    Ok(bodies)
}

/// Cases in worlds of their own, as one set with shuffled ids, and as two sets.
pub struct Arena<'a> {
    cases: &'a [Case],
    bodies: Bodies,
    /// The ids of each case's shapes in `bodies`.
    ids: Vec<[u32; 2]>,
    sides: [Bodies; 2],
    /// The ids of each case's shapes: the first in `sides[0]`, the second in `sides[1]`.
    side_ids: Vec<[u32; 2]>,
    /// The contacts that brute force computes, for each of [`questions`](Self::questions).
    contacts: Vec<Contacts>,
}

/// A request for contacts, with the ids that its pairs have and the number of its rows.
struct Question<'a> {
    query: &'static str,
    request: Request<'a, ContactsQuery>,
    ids: Vec<[u32; 2]>,
    rows: usize,
    only: bool,
}

impl<'a> Arena<'a> {
    pub fn new(cases: &'a [Case], seed: u64) -> tangency::Result<Self> {
        let mut dice = Dice::new(seed);
        let n = cases.len();
        let all: Vec<_> = (0..).zip(cases).flat_map(|(i, case)| [(case.a, world(i)), (case.b, world(i))]).collect();
        let place = order(2 * n, &mut dice);
        let first: Vec<_> = all.iter().copied().step_by(2).collect();
        let second: Vec<_> = all.iter().copied().skip(1).step_by(2).collect();
        let places = [order(n, &mut dice), order(n, &mut dice)];
        let mut arena = Self {
            cases,
            bodies: arranged(&all, &place)?,
            ids: (0..n).map(|i| [place[2 * i], place[2 * i + 1]]).collect(),
            sides: [arranged(&first, &places[0])?, arranged(&second, &places[1])?],
            side_ids: (0..n).map(|i| [places[0][i], places[1][i]]).collect(),
            contacts: Vec::new(),
        };
        let brute = Engine::builder().backend(BackendKind::BruteForce).build()?;
        let answers = arena.questions(&brute).into_iter().map(|question| question.request.run());
        arena.contacts = answers.collect::<tangency::Result<_>>()?;
        Ok(arena)
    }

    /// The requests for contacts: of one set and of two, with both numbers of points.
    fn questions(&self, engine: &Engine) -> Vec<Question<'_>> {
        let [left, right] = &self.sides;
        let sorted: Vec<[u32; 2]> = self.ids.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
        let of = |query, only, deepest| {
            let (request, ids, rows) = match query {
                "contacts" => (engine.contacts(&self.bodies), &sorted, self.bodies.len()),
                _ => (engine.contacts(left).against(right), &self.side_ids, left.len()),
            };
            Question { query, request: limited(request, only, deepest), ids: ids.clone(), rows, only }
        };
        vec![
            of("contacts", false, false),
            of("contacts", true, true),
            of("contacts of two sets", false, true),
            of("contacts of two sets", true, false),
        ]
    }

    /// Compares contacts with those of brute force, bit by bit, and their pairs with the true ones.
    fn judge_contacts(&self, engine: &Engine) -> tangency::Result<Vec<Finding>> {
        let mut wrong = Vec::new();
        let endings = [Ending::Run, Ending::Await].into_iter().cycle();
        for ((question, expected), ending) in self.questions(engine).into_iter().zip(&self.contacts).zip(endings) {
            let Question { query, request, ids, rows, only } = question;
            let found = ending.of(request)?;
            wrong.extend(self.compare(query, &ids, rows, found.pairs(), only));
            let cases: HashMap<[u32; 2], &Case> = ids.iter().copied().zip(self.cases).collect();
            for right in expected.manifolds() {
                let case = cases.get(&[right.a(), right.b()]).copied();
                // (A pair that is not there has been noticed above.) All digits are written, so that other bits are another text.
                let there = found.get(right.a(), right.b()).map_or_else(String::new, |there| format!("{there:?}"));
                let text = format!("{right:?}");
                if !there.is_empty() && there != text {
                    wrong.push(finding(query, format!("{there}, but brute force says {text}"), case));
                }
                // (Two half-spaces have no points.)
                let is_bounded = |case: &Case| [case.a.kind, case.b.kind] != [Kind::Plane; 2];
                if right.points().len() == 0 && case.is_none_or(is_bounded) {
                    wrong.push(finding(query, "a contact without points".to_owned(), case));
                }
            }
        }
        Ok(wrong)
    }

    /// Runs all queries on an engine, and returns the wrong answers.
    pub fn judge(&self, engine: &Engine) -> tangency::Result<Vec<Finding>> {
        let mut wrong = Vec::new();
        let mut found = Overlaps::new();
        let sorted: Vec<[u32; 2]> = self.ids.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
        let reversed: Vec<[u32; 2]> = self.side_ids.iter().map(|[a, b]| [*b, *a]).collect();
        let [left, right] = &self.sides;
        let (n, m) = (self.bodies.len(), left.len());
        let index = engine.index(&self.bodies)?;
        let mut side_indices = [engine.index(left)?, engine.index(right)?];
        for only in [false, true] {
            let [left_index, right_index] = &side_indices;
            let queries = [
                ("overlaps", engine.overlaps(&self.bodies), &sorted, n),
                ("overlaps of two sets", engine.overlaps(left).against(right), &self.side_ids, m),
                ("overlaps of two sets, the other way round", engine.overlaps(right).against(left), &reversed, m),
                ("overlaps of an index", engine.overlaps(&index), &sorted, n),
                ("overlaps with an index", engine.overlaps(left).against(right_index), &self.side_ids, m),
                (
                    "overlaps with an index, the other way round",
                    engine.overlaps(right).against(left_index),
                    &reversed,
                    m,
                ),
                ("overlaps of two indices", engine.overlaps(left_index).against(right_index), &self.side_ids, m),
            ];
            let requests = queries.iter().map(|(_, request, ..)| -> Work<'_, tangency::Result<Overlaps>> {
                Box::pin(filtered(request.clone(), only).into_future())
            });
            let awaited = together(requests.collect());
            for ((query, request, ids, rows), awaited) in queries.into_iter().zip(awaited) {
                filtered(request, only).run_into(&mut found)?;
                wrong.extend(self.compare(query, ids, rows, &found, only));
                if awaited? != found {
                    wrong.push(finding(query, "awaited among others, the answer is another".to_owned(), None));
                }
            }
            // An index of one set can be refreshed with the other.
            side_indices[0].refresh(right)?;
            side_indices[1].refresh(left)?;
            let [now_right, now_left] = &side_indices;
            filtered(engine.overlaps(left).against(now_right), only).run_into(&mut found)?;
            wrong.extend(self.compare("overlaps with a refreshed index", &self.side_ids, m, &found, only));
            filtered(engine.overlaps(now_right).against(now_left), only).run_into(&mut found)?;
            wrong.extend(self.compare("overlaps of refreshed indices", &reversed, m, &found, only));
            side_indices.swap(0, 1);
        }
        for swapped in [false, true] {
            let listed: Vec<_> = self.ids.iter().map(|[a, b]| if swapped { [*b, *a] } else { [*a, *b] }).collect();
            let relations = [
                ("relations", engine.relations(&self.bodies, &listed).run()?),
                ("relations of an index", Ending::Await.of(engine.relations(&index, &listed))?),
            ];
            for (query, found) in relations {
                for (case, relation) in self.cases.iter().zip(found) {
                    if relation != case.relation {
                        let what = format!("{relation:?}, but they are {:?}", case.relation);
                        wrong.push(finding(query, what, Some(case)));
                    }
                }
            }
        }
        let right_index = &side_indices[1];
        for (query, request, ids) in [
            ("candidates", engine.candidates(&self.bodies), &sorted),
            ("candidates of an index", engine.candidates(&index), &sorted),
            ("candidates of two sets", engine.candidates(left).against(right), &self.side_ids),
            ("candidates of two sets, the other way round", engine.candidates(right).against(left), &reversed),
            ("candidates with an index", engine.candidates(left).against(right_index), &self.side_ids),
        ] {
            let found = request.clone().run()?;
            wrong.extend(self.check_candidates(query, ids, &found.to_vec()));
            if Ending::Await.of(request)? != found {
                wrong.push(finding(query, "awaited, the answer is another".to_owned(), None));
            }
        }
        wrong.extend(self.judge_contacts(engine)?);
        Ok(wrong)
    }

    /// Compares the pairs that were found with the true ones: case by case, then their order and rows.
    fn compare(
        &self,
        query: &'static str,
        ids: &[[u32; 2]],
        rows: usize,
        found: &Overlaps,
        only: bool,
    ) -> Vec<Finding> {
        let mut wrong = Vec::new();
        let mut answers: HashMap<[u32; 2], Relation> = HashMap::with_capacity(found.len());
        for (a, b, relation) in found {
            if answers.insert([a, b], relation).is_some() {
                wrong.push(finding(query, format!("the pair ({a}, {b}) is there twice"), None));
            }
        }
        for (case, ids) in self.cases.iter().zip(ids) {
            let there = answers.remove(ids).unwrap_or(Relation::Separate);
            let hidden = only && case.relation == Relation::Touching;
            let expected = if hidden { Relation::Separate } else { case.relation };
            if there != expected {
                let asked = if only { ", asked for overlapping pairs only" } else { "" };
                wrong.push(finding(query, format!("{there:?}, but they are {:?}{asked}", case.relation), Some(case)));
            }
        }
        if let Some((ids, _)) = answers.iter().next() {
            wrong.push(finding(query, format!("{} pairs of different worlds, such as {ids:?}", answers.len()), None));
        }
        if !canonical(found, rows) {
            wrong.push(finding(
                query,
                "the pairs are not in canonical order, or the rows are not theirs".to_owned(),
                None,
            ));
        }
        wrong
    }

    /// Checks that candidates are sorted, respect worlds, and contain all hits.
    fn check_candidates(&self, query: &'static str, ids: &[[u32; 2]], found: &[[u32; 2]]) -> Vec<Finding> {
        let mut wrong = Vec::new();
        if !found.is_sorted_by(|x, y| x < y) {
            wrong.push(finding(query, "they are not in canonical order, each once".to_owned(), None));
        }
        let cases: HashMap<&[u32; 2], &Case> = ids.iter().zip(self.cases).collect();
        for pair in found.iter().filter(|pair| !cases.contains_key(pair)) {
            wrong.push(finding(query, format!("{pair:?} are of different worlds"), None));
        }
        for (ids, case) in ids.iter().zip(self.cases).filter(|(_, case)| case.relation.is_hit()) {
            if found.binary_search(ids).is_err() {
                wrong.push(finding(query, format!("no candidates, but they are {:?}", case.relation), Some(case)));
            }
        }
        wrong
    }
}

/// Whether the pairs are sorted without duplicates, and the offsets of the first `rows` rows match them.
pub fn canonical(found: &Overlaps, rows: usize) -> bool {
    let (pairs, offsets) = (found.to_vec(), found.offsets());
    let starts = |row: usize| pairs.partition_point(|[a, _]| (*a as usize) < row);
    pairs.is_sorted_by(|x, y| x < y)
        && found.len() == pairs.len()
        && offsets.len() == rows + 1
        && offsets.iter().enumerate().all(|(row, offset)| *offset as usize == starts(row))
}

/// These planes in the library's type.
pub fn planes(planes: &[[f32; 4]]) -> tangency::Result<Vec<Plane>> {
    planes.iter().map(|[x, y, z, d]| Plane::new([*x, *y, *z], *d)).collect()
}

/// The side of a shape with respect to the intersection of these half-spaces.
pub fn side(form: &Form, planes: &[[f32; 4]]) -> Side {
    planes.iter().map(|plane| oracle::side(form, plane)).max().unwrap_or(Side::Inside)
}

/// A culling query with its true answer.
pub struct Culled {
    planes: Vec<[f32; 4]>,
    forms: Vec<Form>,
    bodies: Bodies,
    sides: Vec<Side>,
}

impl Culled {
    pub fn new((planes, forms): (Vec<[f32; 4]>, Vec<Form>)) -> tangency::Result<Self> {
        let mut bodies = Bodies::new();
        for form in &forms {
            bodies.push(form.shape()?)?;
        }
        let sides = forms.iter().map(|form| side(form, &planes)).collect();
        Ok(Self { planes, forms, bodies, sides })
    }

    pub fn len(&self) -> usize {
        self.forms.len()
    }

    pub fn judge(&self, engine: &Engine) -> tangency::Result<Vec<Finding>> {
        let planes = planes(&self.planes)?;
        let index = engine.index(&self.bodies)?;
        let answers = [
            ("cull", engine.cull(&self.bodies, &planes).run()?),
            ("cull of an index", Ending::Await.of(engine.cull(&index, &planes))?),
        ];
        let mut wrong = Vec::new();
        for (query, found) in answers {
            if found.len() != self.len() {
                wrong.push(finding(query, format!("{} answers about {} bodies", found.len(), self.len()), None));
            }
            for ((form, expected), there) in self.forms.iter().zip(&self.sides).zip(found) {
                if there != *expected {
                    let bits: Vec<String> = self.planes.iter().map(|p| Form::new(Kind::Plane, p).to_string()).collect();
                    let what = format!("{there:?}, but it is {expected:?}\n  {form:?}\n  planes {}", bits.join("; "));
                    wrong.push(finding(query, what, None));
                }
            }
        }
        Ok(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{pairs, planes as hard};
    use super::*;
    use tangency::BackendKind;

    fn brute() -> Engine {
        Engine::builder().backend(BackendKind::BruteForce).build().unwrap()
    }

    /// If one expected relation is falsified, every query that can see it is found wrong.
    #[test]
    fn a_wrong_relation_is_noticed_by_every_query() {
        let right = pairs::batch(3, 300);
        assert!(Arena::new(&right, 1).unwrap().judge(&brute()).unwrap().is_empty());
        for (was, is) in [
            (Relation::Touching, Relation::Overlapping),
            (Relation::Overlapping, Relation::Separate),
            (Relation::Separate, Relation::Touching),
        ] {
            let mut cases = right.clone();
            let at = cases.iter().position(|case| case.relation == was).expect("one of each");
            cases[at].relation = is;
            let wrong = Arena::new(&cases, 1).unwrap().judge(&brute()).unwrap();
            let queries: Vec<_> = wrong.iter().map(|finding| finding.query).collect();
            for query in [
                "overlaps",
                "overlaps of two sets",
                "overlaps of two sets, the other way round",
                "overlaps of an index",
                "overlaps with an index",
                "overlaps with an index, the other way round",
                "overlaps of two indices",
                "overlaps with a refreshed index",
                "overlaps of refreshed indices",
                "relations",
                "relations of an index",
                "contacts",
                "contacts of two sets",
            ] {
                assert!(queries.contains(&query), "{was:?} for {is:?}: {queries:?}");
            }
            let same = |case: Case| case.a.bits() == cases[at].a.bits() && case.b.bits() == cases[at].b.bits();
            assert!(wrong.iter().all(|finding| finding.case.is_some_and(same)));
            assert!(wrong[0].to_string().contains(&cases[at].a.to_string()), "the bits are told");
        }
    }

    /// Contacts with other points are noticed, and named by their case.
    #[test]
    fn wrong_contacts_are_noticed() {
        let cases = pairs::batch(3, 300);
        let mut arena = Arena::new(&cases, 1).unwrap();
        assert!(arena.contacts.iter().all(|contacts| contacts.len() > 50));
        arena.contacts.swap(0, 1);
        let wrong = arena.judge(&brute()).unwrap();
        assert!(wrong.len() > 10 && wrong.iter().all(|finding| finding.query == "contacts" && finding.case.is_some()));
    }

    #[test]
    fn lost_and_foreign_candidates_are_noticed() {
        let cases = pairs::batch(4, 200);
        let arena = Arena::new(&cases, 1).unwrap();
        let ids: Vec<[u32; 2]> = arena.ids.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
        let mut found = brute().candidates(&arena.bodies).run().unwrap().to_vec();
        assert!(arena.check_candidates("candidates", &ids, &found).is_empty());
        let hit = cases.iter().position(|case| case.relation.is_hit()).expect("a hit");
        found.retain(|pair| *pair != ids[hit]);
        let wrong = arena.check_candidates("candidates", &ids, &found);
        assert_eq!(wrong.len(), 1);
        found.push([u32::MAX - 1, u32::MAX]);
        assert_eq!(arena.check_candidates("candidates", &ids, &found).len(), 2);
        found.swap(0, 1);
        assert!(arena.check_candidates("candidates", &ids, &found).len() > 2);
    }

    #[test]
    fn a_wrong_side_is_noticed() {
        let mut culled = Culled::new(hard::batch(&mut Dice::new(5), 100)).unwrap();
        assert!(culled.judge(&brute()).unwrap().is_empty());
        culled.sides[7] = if culled.sides[7] == Side::Outside { Side::Inside } else { Side::Outside };
        let wrong = culled.judge(&brute()).unwrap();
        let queries: Vec<_> = wrong.iter().map(|finding| finding.query).collect();
        assert_eq!(queries, ["cull", "cull of an index"]);
        assert!(wrong.iter().all(|finding| finding.what.contains(&culled.forms[7].to_string())));
    }
}
