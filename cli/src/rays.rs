//! `tangency rays`: what rays meet in a scene.

use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::json;
use tangency::shape::Ray;
use tangency::{BodyHit, Engine};

use crate::engines::{self, Backend, Choice, Labelled};
use crate::failure::{Failure, Result};
use crate::files::table::{self, Cell, Column, Kind, Type};
use crate::files::{self, Input, Lines};
use crate::output::Target;
use crate::{messages, numbers, output, progress};

#[derive(Parser)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// The rays: a line of column names (ox,oy,oz,dx,dy,dz and, optionally, until), then one ray a line: origin, direction, and the time
    /// at which it ends, empty for never; times are in units of the direction
    #[arg(long, value_name = "RAYS.csv")]
    rays: PathBuf,
    /// List all hits of each ray instead of the nearest
    #[arg(long)]
    all: bool,
    /// Where to write the hits: ray,body,time, one a line, of rays that meet something. As CSV, or as .json or .npy if the name ends so; - is
    /// standard output
    #[arg(long, value_name = "HITS.csv")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub choice: Choice,
}

const NAMES: [&str; 7] = ["ox", "oy", "oz", "dx", "dy", "dz", "until"];
const COLUMNS: [Column; 3] = [("ray", Type::Whole), ("body", Type::Whole), ("time", Type::Real)];

/// The places of the columns that a line of names says.
fn places(line: &str) -> Result<[Option<usize>; 7], String> {
    let names: Vec<&str> = line.split(',').map(str::trim).collect();
    if let Some(other) = names.iter().find(|name| !NAMES.contains(name)) {
        return Err(format!("there is no column {other:?}; the columns are {}", NAMES.join(",")));
    }
    let places = NAMES.map(|name| names.iter().position(|other| *other == name));
    match (0..6).find(|k| places[*k].is_none()) {
        Some(missing) => Err(format!("the column {} is missing", NAMES[missing])),
        None => Ok(places),
    }
}

/// A ray and its last time.
fn parse(line: &str, places: &[Option<usize>; 7]) -> Result<(Ray, f32), String> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let field = |k: usize| places[k].and_then(|place| fields.get(place)).copied().unwrap_or_default();
    let number =
        |k: usize| field(k).parse::<f32>().map_err(|_| format!("{} is {:?}, which is no number", NAMES[k], field(k)));
    let vector = |first: usize| Ok::<_, String>([number(first)?, number(first + 1)?, number(first + 2)?]);
    let until = if field(6).is_empty() { f32::INFINITY } else { number(6)? };
    if until.is_nan() || until < 0.0 {
        return Err(format!("until is {until}; it must be zero or more"));
    }
    Ok((Ray::new(vector(0)?, vector(3)?).map_err(|error| error.to_string())?, until))
}

fn read(path: &Path) -> Result<(Vec<Ray>, Vec<f32>)> {
    let (from, bar) = files::open(path)?;
    let mut lines = Lines::new(from, path);
    let (mut columns, mut rays, mut until) = (None, Vec::new(), Vec::new());
    while let Some((number, line)) = lines.next()? {
        let fail = |reason: String| Failure::line(path, number, reason);
        match &columns {
            None => columns = Some(places(line).map_err(fail)?),
            Some(_) if line.trim().is_empty() => {}
            Some(places) => {
                let (ray, last) = parse(line, places).map_err(fail)?;
                rays.push(ray);
                until.push(last);
            }
        }
    }
    bar.finish_and_clear();
    Ok((rays, until))
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let mut inputs = args.input.paths(None);
    inputs.push(&args.rays);
    let target = Target::open(args.out.as_deref(), &inputs)?;
    let (scene, _) = args.input.read(None)?;
    let (rays, until) = read(&args.rays)?;
    let bodies = &scene.bodies;
    let spinner = progress::spinner("casting rays".to_owned());
    let searched = bodies.len().max(rays.len());
    let request = |engine: &Engine| engine.cast_rays(bodies, &rays).until_each(&until);
    // The nearest hits, or all of them; the other is empty.
    let (engines, (nearest, all)) = choice.agreed(searched, "hits or times", &spinner, |engine: &Engine| {
        Ok(if args.all {
            (tangency::NearestHits::new(), request(engine).all().run()?)
        } else {
            (request(engine).run()?, tangency::AllHits::new())
        })
    })?;
    spinner.finish_and_clear();
    let of_nearest = nearest.iter().enumerate().filter_map(|(ray, hit)| Some((ray, hit?)));
    let of_all = all.iter().enumerate().flat_map(|(ray, hits)| hits.iter().map(move |hit| (ray, *hit)));
    let found: Vec<(usize, BodyHit)> = of_nearest.chain(of_all).collect();
    let printed = target.is_stdout() && choice.json;
    if !printed {
        let row =
            |(ray, hit): &(usize, BodyHit)| [Cell::Whole(*ray as u32), Cell::Whole(hit.body), Cell::Real(hit.time)];
        target.write(|out| {
            table::write(Kind::of(args.out.as_deref()), COLUMNS, found.len(), || found.iter().map(row), out)
        })?;
    }
    let (info, stats) =
        (engines[engines.len() - 1].engine.info(), if args.all { all.stats() } else { nearest.stats() });
    let fingerprint = if args.all { all.fingerprint() } else { nearest.fingerprint() };
    if choice.json {
        let compared = if engines::different(&engines) < 2 { &[][..] } else { &engines };
        let mut summary = json!({
            "backend": info.backend.name(), "adapter": info.adapter, "bodies": bodies.len(), "rays": rays.len(),
            "hits": found.len(), "undecided": stats.undecided, "fingerprint": format!("{fingerprint:016x}"),
            "total_ms": stats.total().as_secs_f64() * 1e3,
            "compared": compared.iter().map(Labelled::name).collect::<Vec<_>>(),
        });
        scene.describe(&mut summary);
        if printed {
            summary["list"] = found.iter().map(|(ray, hit)| json!([ray, hit.body, hit.time])).collect();
        }
        output::json(&summary)?;
    } else {
        messages::note(format_args!(
            "{} hits of {} rays and {} bodies in {} ms on {} (fingerprint {fingerprint:016x})",
            numbers::grouped(found.len() as u64),
            numbers::grouped(rays.len() as u64),
            numbers::grouped(bodies.len() as u64),
            numbers::milliseconds(stats.total()),
            info.backend.name(),
        ));
    }
    if choice.backend == Backend::All {
        engines::compared(&engines)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_are_read_by_the_names_of_columns() {
        let columns = places("dx,dy,dz, ox,oy,oz").unwrap();
        let (ray, until) = parse("1,0,0,2,3,4", &columns).unwrap();
        assert_eq!((ray.origin().to_array(), until), ([2.0, 3.0, 4.0], f32::INFINITY));
        let columns = places("ox,oy,oz,dx,dy,dz,until").unwrap();
        assert_eq!(parse("0,0,0,1,0,0,2.5", &columns).unwrap().1, 2.5);
        assert_eq!(parse("0,0,0,1,0,0,", &columns).unwrap().1, f32::INFINITY);
        for (line, reason) in [
            ("0,0,0,0,0,0,", "direction"),
            ("0,0,x,1,0,0,", "oz is \"x\""),
            ("0,0,0,1,0,0,-1", "until is -1"),
            ("0,0,0,1", "dy is \"\""),
        ] {
            assert!(parse(line, &columns).unwrap_err().contains(reason), "{line}");
        }
        assert!(places("ox,oy,oz,dx,dy").unwrap_err().contains("dz is missing"));
        assert!(places("ox,oy,oz,dx,dy,dz,t").unwrap_err().contains("no column \"t\""));
    }
}
