//! The flags of `exitpath fleet`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Arch;
use crate::promql::CLUSTER_ID;
use crate::report::FleetReport;
use crate::text::Failure;

use super::access_args::AccessArgs;
use super::choice::choice;
use super::report_args::ReportArgs;
use super::source_args::GraphSourceArgs;
use super::values::{expected, time};

#[derive(Debug, ClapArgs)]
pub(super) struct FleetArgs {
    /// The clusters: a table (CSV with a header, or lines of JSON), objects (ClusterVersions or
    /// ManagedClusters of ACM, as `oc get -o yaml` prints them), or folders of must-gathers. `-` is
    /// a table on standard input. `docs/fleet.md` lists the columns.
    #[arg(value_name = "FILE|DIR", required_unless_present_any = ["promql", "url"], conflicts_with_all = ["promql", "url"])]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) store: StoreArgs,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    /// The channel of clusters that do not say theirs.
    #[arg(long, value_name = "CHANNEL", conflicts_with = "promql")]
    pub(super) channel: Option<String>,
    /// The architecture of clusters that do not say theirs. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true, conflicts_with = "promql")]
    pub(super) arch: Option<Arch>,
    /// Compare with the merge base with REV: which clusters lose their last recommended update, or
    /// a path.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, conflicts_with_all = ["graph", "promql"])]
    pub(super) base: Option<String>,
    /// Name the clusters that lose something with the change: since --base, or by --add, --with, or
    /// --without.
    #[arg(long, conflicts_with = "promql")]
    pub(super) list: bool,
    /// Show how the clusters get to the newest release of this minor version (`4.20`), of this
    /// channel (`stable-4.20`), or of their own channel (`latest`), or to this release, and which
    /// risks they must accept.
    #[arg(long, value_name = "GOAL", conflicts_with = "promql")]
    pub(super) to: Option<String>,
    /// Write a patch of the ClusterVersion for the next step to the goal into this folder, for each
    /// cluster by its name. Nothing is applied.
    #[arg(long, value_name = "DIR", requires = "to")]
    pub(super) write: Option<PathBuf>,
    /// Use only what oc-mirror v2 mirrors for this ImageSetConfiguration: show which clusters get
    /// stuck with it, and the smallest addition that unblocks them. The goal is that of --to.
    /// Default: the newest mirrored release. With --list, name the stuck clusters.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["base", "promql", "graph"])]
    pub(super) mirror: Option<PathBuf>,
    /// A catalog of operators: a folder, after its version of OpenShift, as in `4.16=DIR`, or after
    /// its image, as in `redhat-operator-index:v4.16=DIR`. Then fleet says which installed
    /// operators hold clusters back, and which get stuck with --mirror. May be repeated.
    #[arg(long, value_name = "NAME=DIR", conflicts_with = "promql")]
    pub(super) catalog: Vec<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<FleetReport<'static>>,
}

/// A telemetry store: one Prometheus or Thanos with the series of many clusters.
#[derive(Debug, ClapArgs)]
pub(super) struct StoreArgs {
    /// Print the queries that count clusters in a telemetry store, by release and channel, for each
    /// risk.
    #[arg(long, conflicts_with = "url")]
    pub(super) promql: bool,
    /// Print the queries of this risk only. May be repeated.
    #[arg(long, value_name = "RISK", value_delimiter = ',', requires = "promql")]
    pub(super) risk: Vec<String>,
    /// Ask the Prometheus or Thanos at this address about its clusters, in slices.
    #[arg(long, value_name = "URL", group = "server")]
    pub(super) url: Option<String>,
    #[command(flatten)]
    pub(super) access: AccessArgs,
    /// The time to ask about: seconds since 1970, or 2026-01-01T12:00:00Z. Default: now.
    #[arg(long, value_name = "TIME", value_parser = time, allow_negative_numbers = true, requires = "url")]
    pub(super) time: Option<i64>,
    /// The label in which the store has the id of each series' cluster.
    #[arg(long, value_name = "LABEL", default_value = CLUSTER_ID, value_parser = label, conflicts_with = "files")]
    pub(super) id_label: String,
}

fn label(text: &str) -> Result<String, Failure> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_label = text.chars().all(is_word) && !text.starts_with(|c: char| c.is_ascii_digit());
    let label = (is_label && !text.is_empty()).then(|| text.to_owned());
    expected(label, "the name of a label", "letters, digits, and `_`, not beginning with a digit")
}
