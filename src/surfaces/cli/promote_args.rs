//! The flags of `exitpath promote`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::report::PromotionsReport;

use super::report_args::ReportArgs;
use super::source_args::ReleaseArgs;
use super::values::moment;

#[derive(Debug, ClapArgs)]
pub(super) struct PromoteArgs {
    /// Only these channels.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// Only show what is promoted. This is the default.
    #[arg(long, conflicts_with = "write")]
    pub(super) dry_run: bool,
    /// Add the promoted releases to the files of the channels.
    #[arg(long, conflicts_with = "rev")]
    pub(super) write: bool,
    /// The releases whose errata are public: a version in each line. Without the file, no erratum
    /// is public.
    #[arg(long, value_name = "FILE")]
    pub(super) errata: Option<PathBuf>,
    /// The time at which the bot looks: 2026-01-31, or 2026-01-31T12:00:00Z. Default: now.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(super) at: Option<i64>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<PromotionsReport<'static>>,
}
