//! `tangency scene`: a named scene as CSV.

use std::path::PathBuf;

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use tangency::scenes::{self, SEED, Scene};

use crate::failure::{Failure, Result};
use crate::output::Target;
use crate::progress::{self, CountedLines};
use crate::{messages, numbers, output};

#[derive(Parser)]
pub struct Args {
    /// Which scene
    #[arg(value_parser = kind())]
    kind: Scene,
    /// How many bodies, such as 1500, 10k or 1M
    #[arg(long, value_parser = numbers::count::<u32>)]
    bodies: u32,
    /// The seed
    #[arg(long, default_value_t = SEED, value_parser = numbers::seed)]
    seed: u64,
    /// The file to write, or - for standard output
    #[arg(long, value_name = "SCENE.csv")]
    out: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// A scene by its name, for the argument parser.
pub fn kind() -> impl TypedValueParser<Value = Scene> {
    PossibleValuesParser::new(Scene::ALL.map(Scene::name))
        .try_map(|name| Scene::from_name(&name).ok_or("there is no such scene"))
}

pub fn run(args: &Args) -> Result<()> {
    let target = Target::open(Some(&args.out), &[])?;
    if args.json && target.is_stdout() {
        return Err(Failure::Usage("--json says where the scene is; it does not go with --out -".to_owned()));
    }
    let spinner = progress::spinner("making the scene".to_owned());
    let bodies = args.kind.build(args.bodies as usize, args.seed)?;
    spinner.finish_and_clear();
    let bar = progress::bar(bodies.len() as u64, "writing");
    target.write(|out| scenes::write_csv(&bodies, &mut CountedLines { out, bar: &bar }))?;
    bar.finish_and_clear();
    if args.json {
        let (scene, seed) = (args.kind.name(), args.seed);
        return output::json(&json!({"scene": scene, "bodies": bodies.len(), "seed": seed, "out": args.out}));
    }
    if args.out.as_os_str() != "-" {
        let count = numbers::grouped(bodies.len() as u64);
        messages::note(format_args!("wrote {count} bodies to {}", args.out.display()));
    }
    Ok(())
}
