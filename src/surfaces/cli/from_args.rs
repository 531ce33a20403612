//! The flags of `exitpath from`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Arch;
use crate::origins::Spec;
use crate::report::OriginsReport;

use super::choice::choice;
use super::report_args::ReportArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct FromArgs {
    /// Origins: a release (4.18.3), a minor version (4.18), or a range of them, ends included
    /// (4.17..4.18.20, 4.18.3.., ..4.18). Or one pattern to explain.
    #[arg(value_name = "ORIGINS|PATTERN", required = true)]
    pub(super) what: Vec<String>,
    /// Origins that the pattern must not match.
    #[arg(long, value_name = "ORIGINS", value_delimiter = ',')]
    pub(super) except: Vec<Spec>,
    /// Match pre-releases, too. Without it, the pattern matches only those that the origins name.
    #[arg(long)]
    pub(super) pre_releases: bool,
    /// Match only clusters of this architecture.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<OriginsReport<'static>>,
}
