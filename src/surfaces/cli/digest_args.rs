//! The flags of `exitpath digest`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::report::DigestReport;

use super::report_args::ReportArgs;
use super::source_args::ReleaseArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct DigestArgs {
    /// Where the digest begins: a day (2026-01-31), a time, or a git revision.
    #[arg(long, value_name = "DAY|REV", allow_hyphen_values = true)]
    pub(super) since: String,
    /// Where it ends: a day, a time, or a git revision.
    #[arg(long, value_name = "DAY|REV", default_value = "HEAD", allow_hyphen_values = true)]
    pub(super) until: String,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<DigestReport<'static>>,
}
