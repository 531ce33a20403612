//! `exitpath completions`: prints a completion script for a shell.

use std::io::Write;

use clap::CommandFactory;

use super::args::Args;
use super::completions_args::CompletionsArgs;
use super::{Status, Stop};

pub(super) fn run(args: &CompletionsArgs, out: &mut dyn Write) -> Result<Status, Stop> {
    // The generator panics if it cannot write, for example to a closed pipe. So it writes to
    // memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "exitpath", &mut script);
    out.write_all(&script)?;
    Ok(Status::Clean)
}
