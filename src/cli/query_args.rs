//! The flags of the commands about queries and risks. clap prints the doc comments in this file as
//! help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::domain::{FailOn, Format};
use crate::report::{QueryCheckReport, QueryReport, RiskReport, TestReport};

use super::access_args::AccessArgs;
use super::choice::{choice, format_of};
use super::deferred::Deferred;
use super::metrics_args::{MetricsArgs, PrometheusArgs};

#[derive(Debug, Subcommand)]
pub(super) enum RiskCommand {
    /// Show a risk: its text, its updates, its query, and what it means for the sample clusters.
    ///
    /// Exit status: 0 (a file declares the risk), or 2 (the command could not run).
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
    /// How to print the risk: human, or json.
    #[arg(long, value_name = "FORMAT", value_parser = format_of::<RiskReport>(), default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub(super) format: Format,
}

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
    /// cluster: read it, and correct what should be different.
    #[arg(long, value_name = "RISK", conflicts_with_all = ["files", "output"])]
    pub(super) new: Option<String>,
    #[command(flatten)]
    pub(super) prometheus: PrometheusArgs,
    /// How to print the report: human, json, github, or junit.
    #[arg(long, value_name = "FORMAT", value_parser = format_of::<TestReport>(), default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub(super) format: Format,
    /// Write the report to FILE.
    #[arg(long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum PromqlCommand {
    /// Check a query: its syntax, its types, and what it can answer.
    ///
    /// It runs the rules of the family `promql`, as `exitpath check` does for the queries of a
    /// repository.
    ///
    /// Exit status: 0 (no finding is at or above --fail-on), 1 (at least one finding is), or 2 (the
    /// command could not run).
    Check(Deferred<QueryCheckArgs>),
    /// Show what a query answers, what a cluster makes of the answer, and why.
    ///
    /// Exit status: 0 (the query has an answer, whatever it is), or 2 (it cannot be evaluated).
    Eval(Deferred<EvalArgs>),
    /// Show the dictionary of metrics: what exitpath knows of the metrics that queries ask for.
    ///
    /// Without NAME, it lists all metrics. With --against, it says in what a real cluster differs
    /// from the dictionary.
    ///
    /// Exit status: 0 (the metric is known, and nothing differs), 1 (a cluster differs from the
    /// dictionary), or 2 (the command could not run).
    Metrics(Deferred<KnownMetricsArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct KnownMetricsArgs {
    /// The name of a metric. Default: all metrics.
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Hold the dictionary against the series of a real cluster: a file as `promql eval --metrics`
    /// reads it (`-` is standard input), or the address of a Prometheus or Thanos.
    #[arg(long, value_name = "DUMP|URL", group = "server")]
    pub(super) against: Option<String>,
    #[command(flatten)]
    pub(super) access: AccessArgs,
    /// How to print the metrics: human, or json.
    #[arg(long, value_name = "FORMAT", value_parser = format_of::<QueryReport>(), default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub(super) format: Format,
}

#[derive(Debug, ClapArgs)]
pub(super) struct QueryCheckArgs {
    /// The query, or `-` to read it from standard input.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(super) query: String,
    /// How to print the report: human, concise, or json.
    #[arg(long, value_name = "FORMAT", value_parser = format_of::<QueryCheckReport>(), default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub(super) format: Format,
    /// The lowest severity that fails the check.
    #[arg(long, value_name = "SEVERITY", value_parser = choice::<FailOn>(), default_value = "error")]
    pub(super) fail_on: FailOn,
}

#[derive(Debug, ClapArgs)]
pub(super) struct EvalArgs {
    /// The query, or `-` to read it from standard input.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(super) query: String,
    #[command(flatten)]
    pub(super) metrics: MetricsArgs,
    /// How to print the answer: human, or json (as the query API of Prometheus).
    #[arg(long, value_name = "FORMAT", value_parser = format_of::<QueryReport>(), default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub(super) format: Format,
}
