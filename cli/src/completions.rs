//! `tangency completions`: scripts that complete arguments.

use clap::Parser;
use clap_complete::Shell;

use crate::failure::Result;
use crate::output;

#[derive(Parser)]
pub struct Args {
    /// For which shell. bash: source it; zsh: a file `_tangency` in a folder of $fpath; fish: a file in ~/.config/fish/completions
    shell: Shell,
}

pub fn run(args: &Args) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "tangency", &mut script);
    output::stdout(|out| out.write_all(&script))
}
