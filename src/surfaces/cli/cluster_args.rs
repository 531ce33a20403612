//! The flags of `cluster`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::domain::{Arch, Format, Minor};

use super::choice::{choice, format_in};
use super::metrics_args::MetricsArgs;
use super::output::OutputArgs;
use super::source_args::GraphSourceArgs;
use super::values::minor;

#[derive(Debug, ClapArgs)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct ClusterArgs {
    /// Objects of the cluster: what `oc get -o yaml` or `-o json` prints of its ClusterVersion and,
    /// optionally, its ClusterOperators, MachineConfigPools, Nodes, MachineConfigs, and the
    /// ConfigMaps admin-gates and admin-acks; an answer of Prometheus with its alerts; or the
    /// folder of a must-gather. `-` is standard input.
    #[arg(value_name = "FILE|DIR")]
    pub(super) files: Vec<PathBuf>,
    /// The version that the cluster runs, if no file says it.
    #[arg(long, value_name = "VERSION", required_unless_present_any = ["files", "clusterversion"])]
    pub(super) version: Option<String>,
    /// The cluster's channel. With --graph, the default is the file's name.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) channel: Option<String>,
    /// The cluster's architecture. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    /// The same as FILE|DIR. May be repeated.
    #[arg(long, value_name = "FILE|DIR")]
    pub(super) clusterversion: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    #[command(flatten)]
    pub(super) metrics: MetricsArgs,
    /// The cluster's alerts: an answer of Prometheus's /api/v1/alerts.
    #[arg(long, value_name = "FILE")]
    pub(super) alerts: Option<PathBuf>,
    /// The version of the operator and of `oc`, such as 4.16. Default: the cluster's.
    #[arg(long, value_name = "MINOR", value_parser = minor)]
    pub(super) operator: Option<Minor>,
    /// Accept this risk, on an operator of 4.22 or newer with the feature gate
    /// ClusterUpdateAcceptRisks. May be repeated.
    #[arg(long, value_name = "RISK", value_delimiter = ',')]
    pub(super) accept: Vec<String>,
    /// Also show what a change does to the cluster: compare with the merge base with REV.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, conflicts_with_all = ["graph", "request", "view", "oc"])]
    pub(super) base: Option<String>,
    /// Show what the cluster does after the change of --base, --add, --with, or --without, and
    /// when: from the merge to three hours after the cluster has it. Formats: human, json, and svg.
    #[arg(long, conflicts_with_all = ["graph", "request", "view", "oc"])]
    pub(super) timeline: bool,
    /// What to show. `status` is what the operator stores.
    #[arg(long = "as", value_name = "VIEW", value_enum, default_value_t = View::Summary)]
    pub(super) view: View,
    /// How to print the summary (human or json), or the status (json or yaml). Default: human, and
    /// json for the status.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&[Format::Human, Format::Json, Format::Yaml, Format::Svg]))]
    pub(super) format: Option<Format>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    /// With oc-adm-upgrade: also show the updates that are not recommended.
    #[arg(long)]
    pub(super) include_not_recommended: bool,
    /// With oc-adm-upgrade-recommend: show all updates, and not only the two newest of each minor
    /// version.
    #[arg(long)]
    pub(super) show_outdated_releases: bool,
    /// Request an update to this version: what `oc` says, and whether the operator takes it.
    #[arg(long, value_name = "VERSION", group = "request")]
    pub(super) to: Option<String>,
    /// Request an update to the newest version.
    #[arg(long, group = "request")]
    pub(super) to_latest: bool,
    /// With --to or --to-latest: also request a version that is not recommended.
    #[arg(long, requires = "request")]
    pub(super) allow_not_recommended: bool,
    /// With --to or --to-latest: skip the operator's checks.
    #[arg(long, requires = "request")]
    pub(super) force: bool,
    /// Show what `oc` prints for these arguments, such as `-- adm upgrade channel fast-4.18`, or
    /// `-- adm upgrade status` for an update in progress.
    #[arg(last = true, value_name = "OC ARGUMENTS", conflicts_with_all = ["request", "view"])]
    pub(super) oc: Vec<String>,
}

/// What `cluster` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum View {
    /// Which updates are recommended, and what is wrong with the others.
    Summary,
    /// What the operator stores in the object.
    Status,
    /// What `oc adm upgrade` prints.
    OcAdmUpgrade,
    /// What `oc adm upgrade recommend` prints.
    OcAdmUpgradeRecommend,
}
