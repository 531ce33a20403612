//! The flags of `exitpath diff`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Arch;
use crate::explorer::Explored;
use crate::report::ChangeReport;

use super::choice::choice;
use super::fleet::counts::FleetCountArgs;
use super::report_args::ReportArgs;
use super::source_args::{ReleaseArgs, WhatIfArgs};

#[derive(Debug, ClapArgs)]
pub(super) struct DiffArgs {
    /// The old revision; or `A..B` for both revisions, or `A...B` to compare B with the merge base.
    #[arg(value_name = "BASE")]
    pub(super) base: String,
    /// The new revision. Default: the work tree.
    #[arg(value_name = "HEAD")]
    pub(super) head: Option<String>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) fleet: FleetCountArgs,
    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,
    /// Compare these channels only.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// Compare for this architecture only.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    #[command(flatten)]
    pub(super) report: ReportArgs<Explored<'static, ChangeReport<'static>>>,
    /// Exit with status 1 if the diff is not empty.
    #[arg(long)]
    pub(super) exit_code: bool,
    /// State what the change is meant to do: `strands nobody`, `strands 4.18.9 in stable-4.18`,
    /// `blocks nothing`, `conditional 4.20.29..4.20.30`, `only stable-4.18`. If the change breaks a
    /// statement, the exit status is 1. `Exitpath-Expect:` lines in commit messages are also
    /// checked. May be repeated.
    #[arg(long, value_name = "STATEMENT")]
    pub(super) expect: Vec<String>,
}
