//! The flags of `exitpath catalog diff`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::report_args::ReportArgs;
use crate::report::DifferenceReport;

use super::shared::ResolverArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogDiffArgs {
    /// The folder of a catalog, one file with a whole catalog, or `-` for the output of `opm
    /// render`.
    #[arg(value_name = "DIR")]
    pub(crate) catalog: PathBuf,
    /// The new catalog, if DIR is the old one.
    #[arg(value_name = "NEW", conflicts_with_all = ["base", "rev"])]
    pub(crate) new: Option<PathBuf>,
    /// The old revision: the merge base with REV.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(crate) base: Option<String>,
    /// The new revision. Default: the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, requires = "base")]
    pub(crate) rev: Option<String>,
    /// Show only what is worse: installs that no longer get to the head, channels that are gone,
    /// and heads that go back.
    #[arg(long)]
    pub(crate) worse: bool,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// Exit with 1 if the command shows something.
    #[arg(long)]
    pub(crate) exit_code: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs<DifferenceReport<'static>>,
}
