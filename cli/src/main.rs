//! The command of Tangency.

mod attack;
mod bench;
mod compare;
mod contacts;
mod doctor;
mod engines;
mod failure;
mod machine;
mod mixed;
mod numbers;
mod output;
mod overlaps;
mod pairs;
#[cfg(feature = "peers")]
mod parry;
mod progress;
mod report;
mod requests;
mod scene;
mod scene_csv;
mod soak;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use engines::Choice;

/// Exact collision detection: exactly the pairs that touch, on any GPU or on none.
#[derive(Parser)]
#[command(name = "tangency", version, about)]
struct Cli {
    #[command(flatten)]
    choice: Choice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measure this machine: each backend on scenes of several sizes
    Bench(bench::Args),
    /// Run every backend and adapter on one scene, check that all answers are identical, and print a table
    Compare(compare::Args),
    /// Tell which adapters there are, which would be chosen and why, and test this installation
    Doctor(doctor::Args),
    /// Write a named scene as CSV
    Scene(scene::Args),
    /// Find the pairs of a scene that touch or overlap
    Overlaps(overlaps::Args),
    /// Find how the pairs of a scene that touch or overlap meet: normal, depth and points
    Contacts(contacts::Args),
    /// Decide explicit pairs of shapes, one a line
    Pairs(pairs::Args),
    /// Write one page for a browser from the records of several machines (see `compare --json` and `compare --report`)
    Report(report::Args),
    /// Compare random scenes with brute force, or attack every query with pairs made to be hard
    Soak(soak::Args),
}

fn main() -> ExitCode {
    let command =
        Cli::command().after_help(failure::EXIT_CODES).mut_subcommands(|one| one.after_help(failure::EXIT_CODES));
    let cli = Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit());
    let done = match &cli.command {
        Command::Bench(args) => bench::run(args, &cli.choice),
        Command::Compare(args) => compare::run(args, &cli.choice),
        Command::Doctor(args) => doctor::run(args, &cli.choice),
        Command::Scene(args) => scene::run(args, &cli.choice),
        Command::Overlaps(args) => overlaps::run(args, &cli.choice),
        Command::Contacts(args) => contacts::run(args, &cli.choice),
        Command::Pairs(args) => pairs::run(args, &cli.choice),
        Command::Report(args) => report::run(args, &cli.choice),
        Command::Soak(args) => soak::run(args, &cli.choice),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::from(failure.code())
        }
    }
}
