//! The search and the narrow phase with all instructions of this processor, against brute force.

mod cells;
mod flights;

use super::{Bounds, Join, Sorted, Wanted, candidates, candidates_between, overlaps, overlaps_between, rows_of};
use crate::clock::Clock;
use crate::cpu::CpuHits;
use crate::lanes::Width;
use crate::memory::PairLimit;
use crate::parallel::Pool;
use crate::query::intersect;
use crate::scenes::{SEED, Scene, random};
use crate::{Bodies, Relation};

type Found = Vec<([u32; 2], Relation)>;

fn gathered(parts: &[CpuHits]) -> Found {
    let mut found: Found = parts.iter().flat_map(CpuHits::hits).collect();
    found.sort_unstable_by_key(|(pair, _)| *pair);
    found
}

/// The pairs of two sets that may meet, and whose bounds meet; or of one set, the lower id first.
fn brute(a: &Bodies, b: Option<&Bodies>) -> Vec<[u32; 2]> {
    let mut found = Vec::new();
    for i in (0..a.id_bound()).filter(|i| a.enabled_flags()[*i]) {
        let other = b.unwrap_or(a);
        let first = if b.is_some() { 0 } else { i + 1 };
        for j in (first..other.id_bound()).filter(|j| other.enabled_flags()[*j]) {
            let allowed =
                if b.is_some() { a.all_traits()[i].may_meet(&other.all_traits()[j]) } else { a.may_meet(i, j) };
            if allowed && a.get(i).aabb().intersection(&other.get(j).aabb()).is_some() {
                found.push([i as u32, j as u32]);
            }
        }
    }
    found
}

/// Of these candidates those that meet.
fn met(a: &Bodies, b: &Bodies, candidates: &[[u32; 2]]) -> Found {
    let relation = |pair: &[u32; 2]| (*pair, intersect(&a.get(pair[0] as usize), &b.get(pair[1] as usize)));
    candidates.iter().map(relation).filter(|(_, relation)| *relation != Relation::Separate).collect()
}

fn check(name: &str, bodies: &Bodies, other: &Bodies) {
    let pool = Pool::new(Some(2)).expect("a pool");
    let (within, between) = (brute(bodies, None), brute(bodies, Some(other)));
    let (met_within, met_between) = (met(bodies, bodies, &within), met(bodies, other, &between));
    let all = |pairs: &[[u32; 2]]| -> Found { pairs.iter().map(|pair| (*pair, Relation::Overlapping)).collect() };
    for width in Width::all().into_iter().chain([Width::ONE]) {
        let clock = &mut Clock::start();
        let sorted = Sorted::of_width(&pool, width, (bodies, Bounds::Shapes), clock);
        let searched = Sorted::of_width(&pool, width, (other, Bounds::Shapes), clock);
        for overlapping_only in [false, true] {
            let limit = PairLimit::of_pairs(u64::MAX);
            let join = Join { pool: &pool, overlapping_only, near: None, limit: &limit };
            let kept = |found: &Found| -> Found {
                let keep = |relation: Relation| !overlapping_only || relation == Relation::Overlapping;
                found.iter().filter(|(_, relation)| keep(*relation)).copied().collect()
            };
            let parts = overlaps(&join, (bodies, &sorted), clock);
            assert_eq!(parts.iter().map(|part| part.candidates).sum::<u64>(), within.len() as u64, "{name}, {width:?}");
            assert!(gathered(&parts) == kept(&met_within), "{name}, {width:?}");
            let parts = overlaps_between(&join, bodies, (other, &searched), clock);
            assert!(gathered(&parts) == kept(&met_between), "{name} between, {width:?}");
            // Some rows of both.
            let rows = bodies.id_bound() / 3..bodies.id_bound().min(700);
            let of_rows = |found: &Found| -> Found {
                found.iter().filter(|([a, _], _)| rows.contains(&(*a as usize))).copied().collect()
            };
            let asked = (bodies, rows.clone());
            let parts = rows_of(&join, asked.clone(), (bodies, &sorted), true, Wanted::Hits, clock);
            assert!(gathered(&parts) == kept(&of_rows(&met_within)), "{name}, some rows, {width:?}");
            let parts = rows_of(&join, asked.clone(), (other, &searched), false, Wanted::Hits, clock);
            assert!(gathered(&parts) == kept(&of_rows(&met_between)), "{name} between, some rows, {width:?}");
            let parts = rows_of(&join, asked, (bodies, &sorted), true, Wanted::Candidates, clock);
            assert!(gathered(&parts) == of_rows(&all(&within)), "{name}, candidates of some rows, {width:?}");
        }
        let limit = PairLimit::of_pairs(u64::MAX);
        let join = Join { pool: &pool, overlapping_only: false, near: None, limit: &limit };
        assert!(gathered(&candidates(&join, (bodies, &sorted), clock)) == all(&within), "{name}, {width:?}");
        let parts = candidates_between(&join, bodies, (other, &searched), clock);
        assert!(gathered(&parts) == all(&between), "{name} between, {width:?}");
        // What is found once there is no room for more is dropped.
        let limit = PairLimit::of_pairs(within.len() as u64 / 2);
        let join = Join { pool: &pool, overlapping_only: false, near: None, limit: &limit };
        candidates(&join, (bodies, &sorted), clock);
        assert!(limit.check().is_err() || within.is_empty(), "{name}, {width:?}");
    }
}

#[test]
fn every_width_finds_the_pairs_of_every_scene() {
    for scene in Scene::ALL {
        let bodies = scene.build(1200, SEED).expect("a scene");
        let other = Scene::Uniform.build(500, SEED + 1).expect("a scene");
        check(scene.name(), &bodies, &other);
    }
}

#[test]
fn every_width_finds_the_pairs_of_random_scenes() {
    for seed in 0..24 {
        let (bodies, other) = (random(seed, 400).expect("a scene"), random(seed + 100, 200).expect("a scene"));
        check(&format!("seed {seed}"), &bodies, &other);
    }
}

/// Tasks and waiting pairs have ends everywhere.
#[test]
fn sets_of_few_bodies_have_their_pairs() {
    for n in [0, 1, 2, 15, 16, 17, 33, 255, 257] {
        check(
            &n.to_string(),
            &Scene::Clustered.build(n, SEED).expect("a scene"),
            &Scene::Mixed.build(n, SEED).expect("a scene"),
        );
    }
}
