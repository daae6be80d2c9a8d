//! Reports for a browser: pages that hold everything they need, and open without a network.
//!
//! - [`scene`]: the bodies of a scene in 3D with their pairs or contacts, for `overlaps --report` and `contacts --report`.
//! - [`comparison`]: records of `compare`, of one machine or several, for `compare --report` and `report`.
//!
//! Whatever comes from outside (names of bodies, files and adapters, records) goes through [`embed`], and is never markup.

mod chart;
pub mod comparison;
mod embed;
mod forms;
mod page;
pub mod record;
pub mod scene;

use std::path::{Path, PathBuf};

use clap::Parser;

use crate::failure::Result;
use crate::output::Target;
use crate::{messages, numbers, output};
use record::Record;

#[derive(Parser)]
pub struct Args {
    /// Records that `tangency compare --json` printed, of one machine each; a file's name is the machine's
    #[arg(required = true, value_name = "RECORD.json")]
    records: Vec<PathBuf>,
    /// The page to write
    #[arg(long, value_name = "FILE.html")]
    out: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// `tangency report`: the records of several machines in one page.
pub fn run(args: &Args) -> Result<()> {
    let inputs: Vec<&Path> = args.records.iter().map(PathBuf::as_path).collect();
    let target = Target::open(Some(&args.out), &inputs)?;
    let records = inputs.iter().map(|path| Record::read(path)).collect::<Result<Vec<_>>>()?;
    comparison::write(target, &records)?;
    if args.json {
        let rows: usize = records.iter().map(|record| record.rows.len()).sum();
        return output::json(&serde_json::json!({"records": records.len(), "rows": rows, "out": args.out}));
    }
    let count = numbers::counted(records.len() as u64, "record", "records");
    messages::note(format_args!("wrote {count} to {}", args.out.display()));
    Ok(())
}
