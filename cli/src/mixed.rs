//! All kinds of queries on one engine and one set, in any order, with region queries of giants between: what an engine has learned
//! from one query must not spoil the next.

use tangency::shape::{Aabb, Obb, Sphere};
use tangency::{Bodies, Engine, Options, Overlaps, Traits};

use crate::attack::dice::Dice;
use crate::attack::{Pairs, difference};
use crate::soak::check_sides;

/// A kind of query.
#[derive(Clone, Copy)]
enum Query {
    Overlaps,
    Candidates,
    Sides,
    Between,
    Reverse,
    Index,
    /// The giants ask the set, and the set asks the giants.
    Region,
    ReverseRegion,
}

use Query::{Between, Candidates, Index, Overlaps as Within, Region, Reverse, ReverseRegion, Sides};

/// A box and a ball around everything and a long beam, each in the world of some body.
fn giants(bodies: &Bodies) -> tangency::Result<Bodies> {
    let (all, last) = (f32::MAX, bodies.len() as u32 - 1);
    let mut giants = Bodies::new();
    let world = |id: u32| Ok::<_, tangency::Error>(Traits::new().world(bodies.traits(id)?.get_world()).layer(!0));
    giants.push_with(Aabb::new([-all; 3], [all; 3])?, world(0)?)?;
    giants.push_with(Sphere::new([0.0; 3], all / 2.0)?, world(last / 2)?)?;
    let beam = Obb::new(
        bodies.shape(last)?.aabb().center(),
        [all, 1.0, 1.0],
        tangency::glam::Quat::from_xyzw(0.1, 0.3, 0.0, 0.9),
    )?;
    giants.push_with(beam, world(last)?)?;
    Ok(giants)
}

/// What brute force says about a set, and between another set and it.
pub struct Known<'a> {
    pub bodies: &'a Bodies,
    pub asking: &'a Bodies,
    pub options: &'a Options,
    pub within: &'a Overlaps,
    pub between: &'a Overlaps,
}

fn listed(found: &Overlaps) -> Pairs {
    found.iter().collect()
}

/// The same pairs the other way round.
fn turned(found: &Overlaps) -> Pairs {
    let mut pairs: Pairs = found.iter().map(|(a, b, relation)| (b, a, relation)).collect();
    pairs.sort_unstable();
    pairs
}

/// Each kind of query twice, shuffled, and a region query after each. The first whose answer is wrong.
pub fn check(
    engine: &Engine,
    reference: &Engine,
    known: &Known<'_>,
    seed: u64,
) -> tangency::Result<Option<(&'static str, String)>> {
    let Known { bodies, asking, options, within, between } = *known;
    let giants = giants(bodies)?;
    let region = reference.overlaps_between_with(&giants, bodies, options)?;
    let (reverse, reverse_region) = (turned(between), turned(&region));
    let (pairs, between, region) = (listed(within), listed(between), listed(&region));
    let mut dice = Dice::new(seed);
    let mut order = [[Within, Candidates, Sides, Between, Reverse, Index]; 2].concat();
    dice.shuffle(&mut order);
    let mut found = Overlaps::new();
    let mut first_candidates: Option<Vec<[u32; 2]>> = None;
    for query in order.into_iter().flat_map(|query| [query, dice.pick(&[Region, ReverseRegion])]) {
        let (name, rows, expected) = match query {
            Candidates => {
                // Hits must be among them; which others are is the engine's affair, as long as they are always the same.
                let candidates = engine.candidates(bodies)?;
                if let Some(lost) = within.as_slice().iter().find(|pair| candidates.binary_search(pair).is_err()) {
                    return Ok(Some(("candidates", format!("the pair {lost:?} is missing"))));
                }
                if *first_candidates.get_or_insert_with(|| candidates.clone()) != candidates {
                    return Ok(Some(("candidates", "they are not those of the first time".to_owned())));
                }
                continue;
            }
            Sides => match check_sides(engine, bodies)? {
                Some(what) => return Ok(Some(("cull", what))),
                None => continue,
            },
            Within => {
                engine.overlaps_into(bodies, options, &mut found)?;
                ("overlaps", bodies.len(), &pairs)
            }
            Between => {
                engine.overlaps_between_into(asking, bodies, options, &mut found)?;
                ("overlaps_between", asking.len(), &between)
            }
            Reverse => {
                engine.overlaps_between_into(bodies, asking, options, &mut found)?;
                ("overlaps_between, the other way round", bodies.len(), &reverse)
            }
            Index => {
                engine.index(bodies)?.overlaps_between_into(asking, options, &mut found)?;
                ("index", asking.len(), &between)
            }
            Region => {
                engine.overlaps_between_into(&giants, bodies, options, &mut found)?;
                ("a region query of giants", giants.len(), &region)
            }
            ReverseRegion => {
                engine.overlaps_between_into(bodies, &giants, options, &mut found)?;
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
        let (bodies, asking, options) =
            (scenes::random(3, 900).unwrap(), scenes::random(4, 90).unwrap(), Options::new());
        let met = brute.overlaps_between(&giants(&bodies).unwrap(), &bodies).unwrap();
        assert!(met.len() > bodies.len() / 20, "the giants meet {} of {}", met.len(), bodies.len());
        let (within, between) = (brute.overlaps(&bodies).unwrap(), brute.overlaps_between(&asking, &bodies).unwrap());
        assert!(!within.is_empty());
        for seed in 0..5 {
            let known =
                Known { bodies: &bodies, asking: &asking, options: &options, within: &within, between: &between };
            assert_eq!(check(&cpu, &brute, &known, seed).unwrap(), None);
            // As if the engine had invented what it finds.
            let wrong = Known { within: &Overlaps::new(), ..known };
            let found = check(&cpu, &brute, &wrong, seed).unwrap();
            assert!(matches!(found, Some(("overlaps", _))), "{found:?}");
        }
    }
}
