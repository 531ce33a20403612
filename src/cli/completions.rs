//! `exitpath completions`: what a shell needs to complete commands and flags.

use std::io::Write;

use clap::CommandFactory;

use super::args::{Args, Completions};
use super::{Status, Stop};

pub(super) fn run(args: &Completions, out: &mut dyn Write) -> Result<Status, Stop> {
    // The generator panics where it cannot write, as it cannot once its reader has gone away.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "exitpath", &mut script);
    out.write_all(&script)?;
    Ok(Status::Clean)
}
