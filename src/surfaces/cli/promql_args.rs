//! The flags of `exitpath promql`. clap prints the doc comments in this file as help.

use clap::{Args as ClapArgs, Subcommand};

use crate::domain::FailOn;
use crate::report::{MetricsReport, QueryCheckReport, QueryReport};

use super::access_args::AccessArgs;
use super::choice::choice;
use super::deferred::Deferred;
use super::examples;
use super::metrics_args::MetricsArgs;
use super::output::OutputArgs;
use super::report_args::ReportArgs;

#[derive(Debug, Subcommand)]
pub(super) enum PromqlCommand {
    /// Check a query: its syntax, its types, and what it can answer.
    ///
    /// It runs the rules of the family `promql`, as `exitpath check` does for the queries of a
    /// repository.
    ///
    /// Exit status: 0 (no finding is at or above --fail-on), 1 (at least one finding is), or 2 (the
    /// command could not run).
    #[command(after_help = examples::PROMQL_CHECK)]
    Check(Deferred<QueryCheckArgs>),
    /// Show what a query answers, what a cluster makes of the answer, and why.
    ///
    /// Exit status: 0 (the query has an answer, whatever it is), or 2 (it cannot be evaluated).
    #[command(after_help = examples::PROMQL_EVAL)]
    Eval(Deferred<EvalArgs>),
    /// Lay out a query: in lines that people can read, with the parts of long expressions below
    /// each other.
    ///
    /// A query with comments is refused, because they would be lost. Editors do the same with
    /// "format document".
    ///
    /// Exit status: 0, or 2 (the query is invalid, or it has comments).
    #[command(after_help = examples::PROMQL_FORMAT)]
    Format(Deferred<QueryFormatArgs>),
    /// Show the dictionary of metrics: what exitpath knows of the metrics that queries ask for.
    ///
    /// Without NAME, it lists all metrics. With --against, it says in what a real cluster differs
    /// from the dictionary.
    ///
    /// Exit status: 0 (the metric is known, and nothing differs), 1 (a cluster differs from the
    /// dictionary), or 2 (the command could not run).
    #[command(after_help = examples::PROMQL_METRICS)]
    Metrics(Deferred<KnownMetricsArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct KnownMetricsArgs {
    /// The name of a metric. Default: all metrics.
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Compare the dictionary with the series of a real cluster: a file as `promql eval --metrics`
    /// reads it (`-` is standard input), or the address of a Prometheus or Thanos.
    #[arg(long, value_name = "DUMP|URL", group = "server")]
    pub(super) against: Option<String>,
    #[command(flatten)]
    pub(super) access: AccessArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<MetricsReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct QueryCheckArgs {
    /// The query, or `-` to read it from standard input.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(super) query: String,
    #[command(flatten)]
    pub(super) report: ReportArgs<QueryCheckReport<'static>>,
    /// The lowest severity that fails the check.
    #[arg(long, value_name = "SEVERITY", value_parser = choice::<FailOn>(), default_value = "error")]
    pub(super) fail_on: FailOn,
}

#[derive(Debug, ClapArgs)]
pub(super) struct QueryFormatArgs {
    /// The query, or `-` to read it from standard input.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(super) query: String,
    /// The longest line, in columns.
    #[arg(long, value_name = "COLUMNS", default_value_t = 100)]
    pub(super) width: usize,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct EvalArgs {
    /// The query, or `-` to read it from standard input.
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    pub(super) query: String,
    #[command(flatten)]
    pub(super) metrics: MetricsArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<QueryReport<'static>>,
}
