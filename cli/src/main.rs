//! The command of Tangency.

mod attack;
mod bench;
mod compare;
mod completions;
mod contacts;
mod doctor;
mod engines;
mod extents;
mod failure;
mod files;
mod machine;
mod messages;
mod mixed;
mod near;
mod numbers;
mod output;
mod overlaps;
mod pairs;
mod probes;
mod progress;
mod rays;
mod report;
mod requests;
mod scene;
mod soak;
mod sweep;
mod unfinished;
mod verify;

// The oracles of the library's tests, with which that of the attack is compared.
#[cfg(test)]
#[path = "../../tests/common/polytopes.rs"]
mod polytopes;
#[cfg(test)]
#[path = "../../tests/common/rational.rs"]
mod rational;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::Failure;

/// Exact collision detection: exactly the pairs that touch, on any GPU or on none.
#[derive(Parser)]
#[command(name = "tangency", version, about)]
struct Cli {
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
    /// Find how far apart the bodies of a scene are that are near each other, and where
    Near(near::Args),
    /// Find what rays meet in a scene: the nearest body of each, or all
    Rays(rays::Args),
    /// Find which moving bodies of a scene meet during a step, and when
    Sweep(sweep::Args),
    /// Answer for a scene on every backend, and compare pairs, relations and contacts
    Verify(verify::Args),
    /// Decide explicit pairs of shapes, one a line
    Pairs(pairs::Args),
    /// Write one page for a browser from the records of several machines (see `compare --json` and `compare --report`)
    Report(report::Args),
    /// Compare random scenes with brute force, or attack every query with pairs made to be hard
    Soak(soak::Args),
    /// Print what makes a shell complete this command's arguments
    Completions(completions::Args),
}

/// The command as the parser of arguments and completions see it.
fn command() -> clap::Command {
    Cli::command().after_help(failure::EXIT_CODES).mut_subcommands(|one| one.after_help(failure::EXIT_CODES))
}

fn run(command: &Command) -> failure::Result<()> {
    match command {
        Command::Bench(args) => bench::run(args, &args.choice),
        Command::Compare(args) => compare::run(args, &args.choice),
        Command::Doctor(args) => doctor::run(args, &args.choice),
        Command::Scene(args) => scene::run(args),
        Command::Overlaps(args) => overlaps::run(args, &args.choice),
        Command::Contacts(args) => contacts::run(args, &args.choice),
        Command::Near(args) => near::run(args, &args.choice),
        Command::Rays(args) => rays::run(args, &args.choice),
        Command::Sweep(args) => sweep::run(args, &args.choice),
        Command::Verify(args) => verify::run(args, &args.choice),
        Command::Pairs(args) => pairs::run(args, &args.choice),
        Command::Report(args) => report::run(args),
        Command::Soak(args) => soak::run(args, &args.choice),
        Command::Completions(args) => completions::run(args),
    }
}

fn main() -> ExitCode {
    let parsed = command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let done = match parsed {
        Ok(cli) => run(&cli.command),
        // Help and version.
        Err(error) if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            error.exit()
        }
        Err(error) => Err(Failure::Usage(error.to_string().trim_start_matches("error: ").trim_end().to_owned())),
    };
    let Err(failure) = done else { return ExitCode::SUCCESS };
    if !matches!(failure, Failure::Closed) {
        messages::error(&failure);
    }
    // The options are not known if they could not be parsed.
    if std::env::args_os().any(|argument| argument == "--json") {
        output::json_failure(&failure.json());
    }
    ExitCode::from(failure.code())
}
