//! The flags of `exitpath test`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::report::TestReport;

use super::metrics_args::PrometheusArgs;
use super::report_args::ReportArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct TestArgs {
    /// Run the tests of these files only. Default: all files of risk-tests/.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, conflicts_with = "new")]
    pub(super) rev: Option<String>,
    /// Write a first test file for RISK. It expects what the query answers today for each sample
    /// cluster: read the file, and correct what should be different.
    #[arg(long, value_name = "RISK", conflicts_with_all = ["files", "output"])]
    pub(super) new: Option<String>,
    #[command(flatten)]
    pub(super) prometheus: PrometheusArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<TestReport<'static>>,
}
