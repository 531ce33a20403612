//! The flags of `compare`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Arch;
use crate::report::ComparisonReport;

use super::access_args::AccessArgs;
use super::choice::choice;
use super::report_args::ReportArgs;
use super::source_args::ReleaseArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct CompareArgs {
    /// Ask the service at this address.
    #[arg(long, value_name = "URL", group = "server", required_unless_present = "answers")]
    pub(super) service: Option<String>,
    /// Read saved answers from a folder: CHANNEL.json, or CHANNEL.ARCH.json.
    #[arg(long, value_name = "DIR", conflicts_with = "service")]
    pub(super) answers: Option<PathBuf>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    /// Compare these channels only. Default: all channels.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// Compare for these architectures. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), value_delimiter = ',', hide_possible_values = true)]
    pub(super) arch: Vec<Arch>,
    /// If an answer differs, look for an older revision with equal answers among this many commits.
    #[arg(long, value_name = "COMMITS", default_value_t = 20)]
    pub(super) look_back: usize,
    #[command(flatten)]
    pub(super) access: AccessArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<ComparisonReport<'static>>,
}
