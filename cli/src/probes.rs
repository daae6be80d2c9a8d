//! Rays and points for `tangency bench`: many, all over a scene.

use std::time::{Duration, Instant};

use tangency::glam::Vec3;
use tangency::query::Motion;
use tangency::shape::{Aabb, Ray};
use tangency::{Bodies, Closest, NearestHits, Points, SweepHits};

use crate::attack::dice::Dice;
use crate::engines::Labelled;
use crate::extents::{bounds, size};
use crate::failure::Result;

/// A measured query: what was asked, how long each run took and in which stages, and what was found.
pub struct Probed {
    pub what: String,
    pub runs: Vec<(Duration, Vec<(&'static str, Duration)>)>,
    pub candidates: u64,
    pub undecided: u64,
    pub hits: u64,
}

/// A point anywhere in a box.
fn place(bounds: &Aabb, dice: &mut Dice) -> Vec3 {
    let share = Vec3::new(dice.unit() as f32, dice.unit() as f32, dice.unit() as f32);
    bounds.min() + (bounds.max() - bounds.min()) * share
}

/// A direction, all of them equally likely.
fn direction(dice: &mut Dice) -> Vec3 {
    loop {
        let way = Vec3::new(dice.signed() as f32, dice.signed() as f32, dice.signed() as f32);
        if (0.01..=1.0).contains(&way.length_squared()) {
            return way;
        }
    }
}

/// The nearest hits of so many rays at an index of a scene.
pub fn rays(labelled: &Labelled, bodies: &Bodies, (count, runs): (u32, usize), warm: Duration) -> Result<Probed> {
    let (all, mut dice) = (bounds(bodies), Dice::new(1));
    let rays = (0..count).map(|_| Ray::new(place(&all, &mut dice), direction(&mut dice)));
    let rays = rays.collect::<tangency::Result<Vec<_>>>()?;
    let (index, mut out) = (labelled.engine.index(bodies)?, NearestHits::new());
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < warm {
        labelled.engine.cast_rays(&index, &rays).run_into(&mut out)?;
    }
    for _ in 0..runs {
        let start = Instant::now();
        labelled.engine.cast_rays(&index, &rays).run_into(&mut out)?;
        times.push((start.elapsed(), out.stats().stages.clone()));
    }
    let (candidates, undecided) = (out.stats().candidates, out.stats().undecided);
    let hits = out.iter().flatten().count() as u64;
    Ok(Probed { what: format!("{count} rays, host to host"), runs: times, candidates, undecided, hits })
}

/// Which bodies meet that all move by so many times their size, in any direction: host to host, and then on a device.
pub fn sweep(labelled: &Labelled, bodies: &Bodies, (share, runs): (f32, usize), warm: Duration) -> Result<Vec<Probed>> {
    let mut dice = Dice::new(3);
    let mut motions = vec![Motion::REST; bodies.id_bound()];
    for body in bodies {
        let way = direction(&mut dice).normalize() * size(&body.shape) * share;
        motions[body.id as usize] = Motion::translation(way)?;
    }
    let mut out = SweepHits::new();
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < warm {
        labelled.engine.sweep(bodies, &motions).run_into(&mut out)?;
    }
    for _ in 0..runs {
        let start = Instant::now();
        labelled.engine.sweep(bodies, &motions).run_into(&mut out)?;
        times.push((start.elapsed(), out.stats().stages.clone()));
    }
    let (candidates, undecided, hits) = (out.stats().candidates, out.stats().undecided, out.len() as u64);
    let what = format!("moved by {share} sizes, host to host");
    let mut found = vec![Probed { what, runs: times, candidates, undecided, hits }];
    if labelled.engine.measure_sweep(bodies, &motions, 20)?.is_some()
        && let Some(measured) = labelled.engine.measure_sweep(bodies, &motions, runs)?
    {
        let runs = measured.times.into_iter().map(|time| (time, measured.stages.clone())).collect();
        found.push(Probed { what: format!("moved by {share} sizes, resident"), runs, candidates, undecided, hits });
    }
    Ok(found)
}

/// The nearest bodies of so many points.
pub fn points(labelled: &Labelled, bodies: &Bodies, (count, runs): (u32, usize), warm: Duration) -> Result<Probed> {
    let (all, mut dice) = (bounds(bodies), Dice::new(2));
    let points = Points::of((0..count).map(|_| place(&all, &mut dice)))?;
    let (index, mut out) = (labelled.engine.index(bodies)?, Closest::new());
    let (start, mut times) = (Instant::now(), Vec::new());
    while start.elapsed() < warm {
        labelled.engine.closest(&index, &points).run_into(&mut out)?;
    }
    for _ in 0..runs {
        let start = Instant::now();
        labelled.engine.closest(&index, &points).run_into(&mut out)?;
        times.push((start.elapsed(), out.stats().stages.clone()));
    }
    let (candidates, undecided, hits) = (out.stats().candidates, out.stats().undecided, out.len() as u64);
    Ok(Probed { what: format!("{count} points, host to host"), runs: times, candidates, undecided, hits })
}
