//! Rays and points, many at a time with all instructions of this processor, against all bodies one by one.

use super::super::{Bounds, CastMany, Cells, FindMany, Finder, Goal, Hit, Nearest, Sorted, Width};
use crate::cast::{Shot, entry, meets};
use crate::clock::Clock;
use crate::exact::Away;
use crate::parallel::Pool;
use crate::scenes::{RandomRay, SEED, Scene, random, random_rays};
use crate::shape::Ray;
use crate::{Bodies, Traits};

/// All hits of a ray, the first of them first.
fn brute(bodies: &Bodies, shot: &Shot, traits: &Traits) -> Vec<(u32, u32)> {
    let mut hits = Vec::new();
    for body in (0..bodies.id_bound()).filter(|body| bodies.enabled_flags()[*body]) {
        let shape = bodies.get(body);
        if traits.may_meet(&bodies.all_traits()[body]) && meets(shot, &shape) {
            // (Times are not negative, so that their bits are in their order.)
            hits.push((entry(shot, &shape).to_bits(), body as u32));
        }
    }
    hits.sort_unstable();
    hits
}

/// Rays from one place in nearly one direction, and others in between.
fn fans(bodies: &Bodies, seed: u64) -> Vec<RandomRay> {
    let mut all = random_rays(bodies, 64, seed);
    for first in random_rays(bodies, 6, seed + 1) {
        let (origin, way) = (first.ray.origin(), first.ray.direction());
        let size = way.abs().max_element();
        for k in 0..37 {
            let aside = glam::Vec3::new(k as f32 - 18.0, (k * 7 % 16) as f32, (k * 5 % 11) as f32) * (size / 512.0);
            let from = if k % 2 == 0 { origin } else { origin + aside / 64.0 };
            if let Ok(ray) = Ray::new(from, way + aside) {
                all.push(RandomRay { ray, ..first });
            }
        }
    }
    all
}

fn check(name: &str, bodies: &Bodies, shots: &[RandomRay]) {
    let pool = Pool::new(Some(1)).expect("a pool");
    let rays: Vec<_> = shots.iter().map(|shot| (Shot::new(&shot.ray, shot.until), shot.traits)).collect();
    let expected: Vec<_> = rays.iter().map(|(shot, traits)| brute(bodies, shot, traits)).collect();
    for width in Width::all().into_iter().chain([Width::ONE]) {
        let sorted = Sorted::of_width(&pool, width, (bodies, Bounds::Shapes), &mut Clock::start());
        let cells = sorted.cells(&pool, bodies, &mut Clock::start());
        let goals = [Goal::Nearest(Nearest::default()), Goal::Any(false), Goal::All(Vec::new())];
        // Many rays go side by side through the tree of cells, and few one after the other through that of the order.
        for (goal, cells) in goals.into_iter().flat_map(|goal| [(goal.clone(), Some(cells)), (goal, None)]) {
            let (sorted, count, ray) = (&sorted, rays.len(), |k: usize| rays[k]);
            let found = CastMany { bodies, sorted, cells, goal: goal.clone(), count, ray }.run();
            let mut hits: Vec<Vec<(u32, u32)>> = vec![Vec::new(); rays.len()];
            for Hit { ray, scaled_time, time, body } in found.hits {
                assert_eq!(time, rays[ray].0.time(scaled_time));
                hits[ray].push((scaled_time.to_bits(), body));
            }
            for (number, (hits, expected)) in hits.iter_mut().zip(&expected).enumerate() {
                hits.sort_unstable();
                let what = format!("{name}, {width:?}, {number}: {:?}", shots[number]);
                match goal {
                    Goal::Nearest(_) => assert_eq!(hits.first(), expected.first(), "{what}"),
                    Goal::Any(_) => assert_eq!(hits.is_empty(), expected.is_empty(), "{what}"),
                    Goal::All(_) => assert_eq!(hits, expected, "{what}"),
                }
                assert!(hits.len() <= 1 || matches!(goal, Goal::All(_)), "{what}");
            }
        }
        check_points(name, bodies, (&sorted, cells), shots);
    }
}

/// Points at the origins of rays: of those under way side by side the nearest of all bodies are found that one after the other finds.
fn check_points(name: &str, bodies: &Bodies, (sorted, cells): (&Sorted, &Cells), shots: &[RandomRay]) {
    let mut points: Vec<_> = shots.iter().map(|shot| (shot.ray.origin().to_array(), shot.traits)).collect();
    // So far away that squares overflow.
    points.extend([1e25, -1e30].map(|x| ([x, 0.0, x], Traits::new().world(Traits::EVERY_WORLD))));
    let wanted = [(1, f32::INFINITY), (5, f32::INFINITY), (3, 2.0)];
    for ((wanted, within), cells) in wanted.into_iter().flat_map(|wanted| [(wanted, Some(cells)), (wanted, None)]) {
        let mut finder = Finder::new((bodies, sorted), wanted, within);
        let mut seen = vec![false; points.len()];
        let found = |number: usize, found: &mut Vec<(Away, u32)>| {
            assert!(!std::mem::replace(&mut seen[number], true));
            finder.find(points[number].0, &points[number].1);
            let near = |found: &[(Away, u32)]| {
                let mut ids: Vec<u32> = found.iter().map(|(_, body)| *body).collect();
                ids.sort_unstable();
                ids
            };
            let (own, expected) = (near(found), near(&finder.found));
            let enough = if within == f32::INFINITY { wanted.min(expected.len()) } else { 0 };
            assert!(own.len() >= enough, "{name}, point {number}: {own:?} of {expected:?}");
            // Those that are certainly among the nearest: too few others may be as near. (Of the rest bounds in the tree may tell more than distances do.)
            for (away, body) in &finder.found {
                let as_near =
                    finder.found.iter().filter(|(other, _)| other.least <= away.most).count().saturating_sub(1);
                let is_needed = as_near < wanted && away.most <= f64::from(within);
                assert!(!is_needed || own.contains(body), "{name}, point {number}: {expected:?}, not {own:?}");
            }
        };
        FindMany { bodies, sorted, cells, wanted: (wanted, within), count: points.len(), point: |k| points[k], found }
            .run();
        assert!(seen.iter().all(|seen| *seen), "{name}");
    }
}

#[test]
fn every_width_has_the_hits_of_every_scene() {
    for scene in Scene::ALL {
        let bodies = scene.build(700, SEED).expect("a scene");
        check(scene.name(), &bodies, &fans(&bodies, 11));
    }
}

#[test]
fn every_width_has_the_hits_of_random_scenes() {
    for seed in 0..12 {
        let bodies = random(seed, 300).expect("a scene");
        check(&format!("seed {seed}"), &bodies, &fans(&bodies, seed));
    }
    for n in [0, 1, 16, 17, 257] {
        let bodies = Scene::Uniform.build(n, SEED).expect("a scene");
        check(&n.to_string(), &bodies, &fans(&bodies, 3));
    }
}
