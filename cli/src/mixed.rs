//! All kinds of queries on one engine and one set, in random order, with region queries of giants in between: capacities that an
//! engine learns from one query must not spoil the next.

use tangency::glam::Vec3;
use tangency::query::Motion;
use tangency::scenes::random_rays;
use tangency::shape::Aabb;
use tangency::{Bodies, Contacts, Engine, Overlaps, Points};

use crate::attack::dice::Dice;
use crate::attack::{Pairs, difference};
use crate::contacts;
use crate::extents::{bounds_of, giants};
use crate::near;
use crate::requests::{Ending, Work, filtered, limited, together};
use crate::soak::check_sides;
use crate::sweep;

/// A kind of query.
#[derive(Clone, Copy)]
enum Query {
    Overlaps,
    Candidates,
    Sides,
    Between,
    Reverse,
    Index,
    /// Queries of an index that was made of other bodies, changed and refreshed, and at last refreshed with the set.
    Refreshed,
    /// Candidates between the searching set and the set.
    CandidatesBetween,
    /// Sides and relations of an index.
    SidesOfIndex,
    RelationsOfIndex,
    /// Contacts within the set, between the searching set and it, and between the searching set and an index of it.
    Contacts,
    ContactsBetween,
    ContactsWithIndex,
    /// Pairs that may be some way apart, of the searching set with the set and with an index of it.
    Near,
    /// The nearest bodies of points at the searching set.
    Closest,
    /// Moving bodies of the set, and of the searching set and an index of it.
    Sweep,
    /// All hits of hard rays at the set, and the nearest of an index of it.
    Rays,
    /// Several queries at once.
    Together,
    /// The giants search the set, and the set searches the giants.
    Region,
    ReverseRegion,
    /// Contacts of the giants with the set, nearly all of them outside the domain of deterministic arithmetic.
    ContactsOfRegion,
}

use Query::{
    Between, Candidates, CandidatesBetween, Closest, Contacts as ContactsWithin, ContactsBetween, ContactsOfRegion,
    ContactsWithIndex, Index, Near, Overlaps as Within, Rays, Refreshed, Region, RelationsOfIndex, Reverse,
    ReverseRegion, Sides, SidesOfIndex, Sweep, Together,
};

/// The answers of brute force, within a set and between a searching set and it.
pub struct Expected<'a> {
    pub bodies: &'a Bodies,
    pub searching: &'a Bodies,
    pub only: bool,
    /// Whether contacts have one point.
    pub deepest: bool,
    pub within: &'a Contacts,
    pub between: &'a Contacts,
}

fn listed(found: &Overlaps) -> Pairs {
    found.iter().collect()
}

/// The same pairs with their bodies exchanged.
fn turned(found: &Overlaps) -> Pairs {
    let mut pairs: Pairs = found.iter().map(|(a, b, relation)| (b, a, relation)).collect();
    pairs.sort_unstable();
    pairs
}

/// What is wrong with candidates, if anything is: they must contain these hits, and be the same each time.
fn wrong_candidates(
    found: tangency::Candidates,
    hits: &Overlaps,
    first: &mut Option<tangency::Candidates>,
) -> Option<String> {
    let candidates = found.to_vec();
    if let Some(lost) = hits.to_vec().iter().find(|pair| candidates.binary_search(pair).is_err()) {
        return Some(format!("the pair {lost:?} is missing"));
    }
    // Which other pairs are candidates depends on the engine, but must not change.
    let same = first.as_ref().is_none_or(|first| *first == found);
    first.get_or_insert(found);
    (!same).then(|| "they are not those of the first time".to_owned())
}

/// An index of the set that was made of other bodies and refreshed several times. After each change it must give the answers for
/// a new set of the same bodies. Returns the index, and what was wrong, if anything was.
fn refreshed(
    engine: &Engine,
    expected: &Expected<'_>,
    dice: &mut Dice,
) -> tangency::Result<(tangency::Index, Option<String>)> {
    let Expected { bodies, searching, only, deepest, between, .. } = *expected;
    let mut index = engine.index(searching)?;
    let mut found = filtered(engine.overlaps(&index), only).run()?;
    let mut changed = bodies.clone();
    index.refresh(&changed)?;
    for _ in 0..2 {
        // No changes, some, or so many that the change log forgets the first.
        for _ in 0..dice.pick(&[0, 1, 20, 300]) {
            let ids: Vec<u32> = changed.iter().map(|body| body.id).collect();
            let [a, b] = [0; 2].map(|_| dice.pick(&ids));
            match dice.below(9) {
                0 => changed.disable(a)?,
                1 => changed.set_traits(a, changed.traits(b)?)?,
                2 if a != b => changed.exclude(a, b)?,
                3 if changed.len() > 2 => changed.remove(a)?,
                8 if changed.pose(a).is_ok() => changed.set_pose(a, changed.pose(b).unwrap_or_default())?,
                4 => drop(changed.push_with(changed.shape(a)?, changed.traits(b)?)?),
                _ => changed.set_shape(a, changed.shape(b)?)?,
            }
        }
        index.refresh(&changed)?;
        filtered(engine.overlaps(&index), only).run_into(&mut found)?;
        if found != filtered(engine.overlaps(&changed.clone()), only).run()? {
            return Ok((index, Some("after changes, it is not as the set".to_owned())));
        }
    }
    index.refresh(bodies)?;
    let contacts = limited(engine.contacts(searching).against(&index), only, deepest).run()?;
    Ok((index, contacts::difference(&contacts, between)))
}

/// Runs several requests of all kinds at once. Returns the first that is wrong.
fn at_once(engine: &Engine, expected: &Expected<'_>) -> tangency::Result<Option<(&'static str, String)>> {
    let Expected { bodies, searching, only, deepest, within, between } = *expected;
    let index = engine.index(bodies)?;
    let overlaps = |request, expected: &'_ Contacts| {
        let expected = expected.pairs().clone();
        Box::pin(async move { Ok(filtered(request, only).await? == expected) }) as Work<'_, tangency::Result<bool>>
    };
    let candidates = engine.candidates(bodies).run()?;
    let relations = within.pairs();
    let pairs = &relations.to_vec();
    let as_found =
        |found: Vec<tangency::Relation>| found.into_iter().eq(relations.iter().map(|(_, _, relation)| relation));
    let all = vec![
        overlaps(engine.overlaps(bodies), within),
        overlaps(engine.overlaps(&index), within),
        overlaps(engine.overlaps(searching).against(bodies), between),
        overlaps(engine.overlaps(searching).against(&index), between),
        Box::pin(async { Ok(engine.candidates(bodies).await? == candidates) }),
        Box::pin(async { Ok(engine.candidates(&index).await? == candidates) }),
        Box::pin(async { Ok(as_found(engine.relations(bodies, pairs).await?)) }),
        Box::pin(async { Ok(as_found(engine.relations(&index, pairs).await?)) }),
        Box::pin(async { Ok(limited(engine.contacts(bodies), only, deepest).await? == *within) }),
        Box::pin(async { Ok(limited(engine.contacts(searching).against(&index), only, deepest).await? == *between) }),
    ];
    let right = together(all).into_iter().collect::<tangency::Result<Vec<bool>>>()?;
    let wrong = right.iter().position(|right| !right);
    Ok(wrong.map(|k| ("several requests at once", format!("request {k} of {} is wrong", right.len()))))
}

/// Asks for contacts of this kind. Returns what is wrong, if anything is. The giants come with their contacts.
fn wrong_contacts(
    engine: &Engine,
    query: Query,
    expected: &Expected<'_>,
    (giants, met): (&Bodies, &Contacts),
    ending: Ending,
    found: &mut Contacts,
) -> tangency::Result<Option<(&'static str, String)>> {
    let Expected { bodies, searching, only, deepest, within, between } = *expected;
    let index = engine.index(bodies)?;
    let (name, request, expected) = match query {
        ContactsWithin => ("contacts", engine.contacts(bodies), within),
        ContactsBetween => ("contacts of two sets", engine.contacts(searching).against(bodies), between),
        ContactsWithIndex => ("contacts with an index", engine.contacts(searching).against(&index), between),
        _ => ("contacts of giants", engine.contacts(giants).against(bodies), met),
    };
    pollster::block_on(ending.answer(limited(request, only, deepest), found))?;
    let wrong = contacts::difference(found, expected);
    Ok(wrong.map(|what| (name, format!("among other queries: {what}"))))
}

/// Casts hard rays at the set. Returns what is wrong, if anything is.
fn wrong_rays(
    engine: &Engine,
    reference: &Engine,
    bodies: &Bodies,
    seed: u64,
    ending: Ending,
) -> tangency::Result<Option<(&'static str, String)>> {
    let shots = random_rays(bodies, 20, seed);
    let rays: Vec<_> = shots.iter().map(|shot| shot.ray).collect();
    let until: Vec<_> = shots.iter().map(|shot| shot.until).collect();
    let traits: Vec<_> = shots.iter().map(|shot| shot.traits).collect();
    let expected = reference.cast_rays(bodies, &rays).until_each(&until).with_traits_each(&traits).all().run()?;
    let found = ending.of(engine.cast_rays(bodies, &rays).until_each(&until).with_traits_each(&traits).all())?;
    let index = engine.index(bodies)?;
    let nearest = ending.of(engine.cast_rays(&index, &rays).until_each(&until).with_traits_each(&traits))?;
    let wrong = (0..rays.len())
        .find(|ray| found.of(*ray) != expected.of(*ray) || nearest.get(*ray) != expected.of(*ray).first().copied());
    Ok(wrong.map(|ray| {
        let (found, nearest, expected) = (found.of(ray), nearest.get(ray), expected.of(ray));
        ("rays", format!("{:?} meets {found:?}, {nearest:?} first, and not {expected:?}", shots[ray]))
    }))
}

/// Asks for pairs within a margin in proportion to some body. Returns what is wrong, if anything is.
fn wrong_near(
    engine: &Engine,
    reference: &Engine,
    expected: &Expected<'_>,
    dice: &mut Dice,
    ending: Ending,
) -> tangency::Result<Option<(&'static str, String)>> {
    let Expected { bodies, searching, only, .. } = *expected;
    let ids: Vec<u32> = bodies.iter().map(|body| body.id).collect();
    let bounds = bounds_of(&bodies.shape(dice.pick(&ids))?);
    let size = bounds.half_extents().max_element().min(f32::MAX / 4.0);
    let margin = size * dice.pick(&[0.0, 1e-6, 0.01, 0.5, 3.0]);
    let right = filtered(reference.overlaps(searching).against(bodies).margin(margin), only).run()?;
    let index = engine.index(bodies)?;
    let found = ending.of(filtered(engine.overlaps(searching).against(&index).margin(margin), only))?;
    // Of the other way round, the same.
    let turned_round = ending.of(filtered(engine.overlaps(bodies).against(searching).margin(margin), only))?;
    let right_clearances = reference.clearances(searching, margin).against(bodies).run()?;
    let clearances = ending.of(engine.clearances(searching, margin).against(&index))?;
    let right_contacts = reference.contacts(searching).against(bodies).margin(margin).run()?;
    let found_contacts = ending.of(engine.contacts(searching).against(&index).margin(margin))?;
    let wrong = difference(&found, &listed(&right), searching.len())
        .or_else(|| difference(&turned_round, &turned(&right), bodies.len()))
        .or_else(|| near::difference(&clearances, &right_clearances))
        .or_else(|| contacts::difference(&found_contacts, &right_contacts));
    Ok(wrong.map(|what| ("pairs within a margin", format!("within {margin:e}: {what}"))))
}

/// Asks what is nearest to points. Returns what is wrong, if anything is.
fn wrong_closest(
    engine: &Engine,
    reference: &Engine,
    expected: &Expected<'_>,
    dice: &mut Dice,
    ending: Ending,
) -> tangency::Result<Option<(&'static str, String)>> {
    let Expected { bodies, searching, .. } = *expected;
    let mut points = Points::new();
    for body in searching.iter().take(60) {
        let bounds = bounds_of(&body.shape);
        points.push_with(
            dice.pick(&[bounds.min(), bounds.max(), bounds.min() / 2.0 + bounds.max() / 2.0]),
            body.traits,
        )?;
    }
    let (count, within) = (dice.pick(&[1, 2, 9]), dice.pick(&[f32::INFINITY, 0.0, 1.0]));
    let right = reference.closest(bodies, &points).count(count).within(within).run()?;
    let found = ending.of(engine.closest(&engine.index(bodies)?, &points).count(count).within(within))?;
    let wrong = (0..points.len() as u32).find(|point| found.of_point(*point) != right.of_point(*point));
    Ok(wrong.map(|point| {
        let (found, right, at) = (found.of_point(point), right.of_point(point), points.get(point));
        ("the nearest bodies", format!("{count} within {within} of {at:?}: {found:?}, and not {right:?}"))
    }))
}

/// A motion by some of the size of a body, at times much more, at times with a turn about itself or a corner of its bounds.
fn motion(bounds: &Aabb, dice: &mut Dice) -> Motion {
    let size = bounds.half_extents().max_element().min(f32::MAX / 1e6);
    let vector = |dice: &mut Dice| Vec3::new(dice.signed() as f32, dice.signed() as f32, dice.signed() as f32);
    let way = vector(dice) * size * dice.pick(&[0.0, 0.5, 3.0, 1000.0]);
    let turn = vector(dice) * dice.pick(&[0.0, 0.0, 1e-3, 2.0, 100.0]);
    let motion = Motion::new(way, turn).expect("finite numbers");
    if dice.below(3) == 0 { motion.about(bounds.min()).expect("finite numbers") } else { motion }
}

/// Asks which moving bodies meet. Returns what is wrong, if anything is.
fn wrong_sweep(
    engine: &Engine,
    reference: &Engine,
    expected: &Expected<'_>,
    dice: &mut Dice,
    ending: Ending,
) -> tangency::Result<Option<(&'static str, String)>> {
    let Expected { bodies, searching, .. } = *expected;
    let mut motions = |set: &Bodies| -> Vec<Motion> {
        let mut all = vec![Motion::REST; set.id_bound()];
        for body in set {
            all[body.id as usize] = motion(&bounds_of(&body.shape), dice);
        }
        all
    };
    let (theirs, own) = (motions(bodies), motions(searching));
    let right = reference.sweep(bodies, &theirs).run()?;
    let found = ending.of(engine.sweep(bodies, &theirs))?;
    let right_between = reference.sweep(searching, &own).against(bodies, &theirs).run()?;
    let index = engine.index(bodies)?;
    let between = ending.of(engine.sweep(searching, &own).against(&index, &theirs))?;
    let wrong = sweep::difference(&found, &right).or_else(|| sweep::difference(&between, &right_between));
    Ok(wrong.map(|what| ("moving bodies", what)))
}

/// Rays, near pairs, the nearest bodies or moving ones. Returns what is wrong, if anything is.
fn wrong_probe(
    query: Query,
    (engine, reference): (&Engine, &Engine),
    expected: &Expected<'_>,
    dice: &mut Dice,
    ending: Ending,
) -> tangency::Result<Option<(&'static str, String)>> {
    match query {
        Rays => wrong_rays(engine, reference, expected.bodies, dice.below(1 << 20) as u64, ending),
        Near => wrong_near(engine, reference, expected, dice, ending),
        Sweep => wrong_sweep(engine, reference, expected, dice, ending),
        _ => wrong_closest(engine, reference, expected, dice, ending),
    }
}

/// The kinds that every scene asks, apart from regions.
const KINDS: [Query; 18] = [
    Within,
    Candidates,
    Sides,
    Between,
    Reverse,
    Index,
    Refreshed,
    CandidatesBetween,
    SidesOfIndex,
    RelationsOfIndex,
    ContactsWithin,
    ContactsBetween,
    ContactsWithIndex,
    Near,
    Closest,
    Sweep,
    Rays,
    Together,
];

/// Runs each kind of query twice, in random order and with any ending, and a region query after each. Returns the first that is
/// wrong.
pub fn check(
    engine: &Engine,
    reference: &Engine,
    expected: &Expected<'_>,
    seed: u64,
) -> tangency::Result<Option<(&'static str, String)>> {
    let Expected { bodies, searching, only, deepest, within, between } = *expected;
    let (within, between, giants) = (within.pairs(), between.pairs(), giants(bodies)?);
    let met = limited(reference.contacts(&giants).against(bodies), only, deepest).run()?;
    let (reverse, reverse_region) = (turned(between), turned(met.pairs()));
    let (pairs, between_pairs, region) = (listed(within), listed(between), listed(met.pairs()));
    let mut dice = Dice::new(seed);
    let mut order = [KINDS; 2].concat();
    dice.shuffle(&mut order);
    let regions = [Region, ReverseRegion, ContactsOfRegion];
    let order: Vec<_> = order.into_iter().flat_map(|query| [query, dice.pick(&regions)]).collect();
    let (mut found, mut contacts, mut first_within, mut first_between) = (Overlaps::new(), Contacts::new(), None, None);
    for query in order {
        let ending = dice.pick(&Ending::ALL);
        let mut answer = |request| pollster::block_on(ending.answer(filtered(request, only), &mut found));
        let (name, rows, expected) = match query {
            Candidates => {
                let candidates = ending.of(engine.candidates(bodies))?;
                match wrong_candidates(candidates, within, &mut first_within) {
                    Some(what) => return Ok(Some(("candidates", what))),
                    None => continue,
                }
            }
            CandidatesBetween => {
                let candidates = ending.of(engine.candidates(searching).against(bodies))?;
                match wrong_candidates(candidates, between, &mut first_between) {
                    Some(what) => return Ok(Some(("candidates of two sets", what))),
                    None => continue,
                }
            }
            Sides => match check_sides(engine, bodies, bodies, ending)? {
                Some(what) => return Ok(Some(("cull", what))),
                None => continue,
            },
            SidesOfIndex => match check_sides(engine, &engine.index(bodies)?, bodies, ending)? {
                Some(what) => return Ok(Some(("cull of an index", what))),
                None => continue,
            },
            Rays | Near | Closest | Sweep => {
                match wrong_probe(query, (engine, reference), expected, &mut dice, ending)? {
                    None => continue,
                    wrong => return Ok(wrong),
                }
            }
            RelationsOfIndex => {
                let relations = ending.of(engine.relations(&engine.index(bodies)?, &within.to_vec()))?;
                if relations.into_iter().eq(within.iter().map(|(_, _, relation)| relation)) {
                    continue;
                }
                return Ok(Some(("relations of an index", "they are not those of the pairs".to_owned())));
            }
            ContactsWithin | ContactsBetween | ContactsWithIndex | ContactsOfRegion => {
                match wrong_contacts(engine, query, expected, (&giants, &met), ending, &mut contacts)? {
                    None => continue,
                    wrong => return Ok(wrong),
                }
            }
            Together => match at_once(engine, expected)? {
                None => continue,
                wrong => return Ok(wrong),
            },
            Refreshed => {
                let (index, wrong) = refreshed(engine, expected, &mut dice)?;
                if let Some(what) = wrong {
                    return Ok(Some(("a refreshed index", what)));
                }
                answer(engine.overlaps(searching).against(&index))?;
                ("a refreshed index", searching.len(), &between_pairs)
            }
            Within => {
                answer(engine.overlaps(bodies))?;
                ("overlaps", bodies.len(), &pairs)
            }
            Between => {
                answer(engine.overlaps(searching).against(bodies))?;
                ("overlaps of two sets", searching.len(), &between_pairs)
            }
            Reverse => {
                answer(engine.overlaps(bodies).against(searching))?;
                ("overlaps of two sets, the other way round", bodies.len(), &reverse)
            }
            Index => {
                answer(engine.overlaps(searching).against(&engine.index(bodies)?))?;
                ("index", searching.len(), &between_pairs)
            }
            Region => {
                answer(engine.overlaps(&giants).against(bodies))?;
                ("a region query of giants", giants.len(), &region)
            }
            ReverseRegion => {
                answer(engine.overlaps(bodies).against(&giants))?;
                ("a region query of giants, the other way round", bodies.len(), &reverse_region)
            }
        };
        if let Some(what) = difference(&found, expected, rows) {
            return Ok(Some((name, format!("among other queries: {what}"))));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tangency::{BackendKind, scenes};

    #[test]
    fn right_answers_pass_and_a_wrong_one_does_not() {
        let engine = |kind| Engine::builder().backend(kind).build().unwrap();
        let (cpu, brute) = (engine(BackendKind::Cpu), engine(BackendKind::BruteForce));
        let (bodies, searching) = (scenes::random(3, 900).unwrap(), scenes::random(4, 90).unwrap());
        let met = brute.overlaps(&giants(&bodies).unwrap()).against(&bodies).run().unwrap();
        assert!(met.len() > bodies.len() / 20, "the giants meet {} of {}", met.len(), bodies.len());
        for seed in 0..3 {
            let deepest = seed % 2 == 1;
            let of = |request, deepest| limited(request, false, deepest).run().unwrap();
            let within = of(brute.contacts(&bodies), deepest);
            let between = of(brute.contacts(&searching).against(&bodies), deepest);
            assert!(!within.is_empty() && !between.is_empty());
            let (within, between) = (&within, &between);
            let expected = Expected { bodies: &bodies, searching: &searching, only: false, deepest, within, between };
            assert_eq!(check(&cpu, &brute, &expected, seed).unwrap(), None);
            // With an empty expected answer, all pairs are wrong.
            let wrong = Expected { within: &Contacts::new(), ..expected };
            let found = check(&cpu, &brute, &wrong, seed).unwrap();
            assert!(matches!(found, Some(("overlaps" | "contacts" | "several requests at once", _))), "{found:?}");
            // With another number of points, the contacts are wrong and the pairs are right.
            let other = of(brute.contacts(&bodies), !deepest);
            let wrong = Expected { within: &other, ..expected };
            let found = check(&cpu, &brute, &wrong, seed).unwrap();
            assert!(matches!(found, Some(("contacts" | "several requests at once", _))), "{found:?}");
        }
    }
}
