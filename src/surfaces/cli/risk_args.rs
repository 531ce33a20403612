//! The flags of `exitpath risk`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::report::RiskReport;

use super::deferred::Deferred;
use super::examples;
use super::metrics_args::PrometheusArgs;
use super::report_args::ReportArgs;

#[derive(Debug, Subcommand)]
pub(super) enum RiskCommand {
    /// Show a risk: its text, its updates, its query, and what it means for the sample clusters.
    ///
    /// Exit status: 0 (a file declares the risk), or 2 (the command could not run).
    #[command(after_help = examples::RISK_SHOW)]
    Show(Deferred<RiskShowArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskShowArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) name: String,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) prometheus: PrometheusArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<RiskReport<'static>>,
}
