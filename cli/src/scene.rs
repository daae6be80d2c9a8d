//! `tangency scene`: a named scene as CSV.

use std::path::PathBuf;

use clap::Parser;
use serde_json::json;
use tangency::scenes::{self, SEED, Scene};

use crate::engines::Choice;
use crate::failure::Result;
use crate::{numbers, output};

#[derive(Parser)]
pub struct Args {
    /// Which scene
    #[arg(value_parser = kind)]
    kind: Scene,
    /// How many bodies
    #[arg(long, value_parser = crate::numbers::count)]
    bodies: u32,
    /// The seed
    #[arg(long, default_value_t = SEED, value_parser = numbers::seed)]
    seed: u64,
    /// The file to write
    #[arg(long)]
    out: PathBuf,
}

/// A scene by its name, for the argument parser.
pub fn kind(name: &str) -> Result<Scene, String> {
    let names = || Scene::ALL.map(Scene::name).join(", ");
    Scene::from_name(name).ok_or_else(|| format!("there is no such scene; there are {}", names()))
}

pub fn run(args: &Args, choice: &Choice) -> Result<()> {
    let spinner = crate::progress::spinner(format!("writing {}", args.out.display()));
    let bodies = args.kind.build(args.bodies as usize, args.seed)?;
    output::write_to(Some(&args.out), |out| scenes::write_csv(&bodies, out))?;
    spinner.finish_and_clear();
    if choice.json {
        let (scene, seed) = (args.kind.name(), args.seed);
        return output::json(&json!({"scene": scene, "bodies": bodies.len(), "seed": seed, "out": args.out}));
    }
    eprintln!("wrote {} bodies to {}", numbers::grouped(bodies.len() as u64), args.out.display());
    Ok(())
}
