//! The flags of `exitpath catalog bridge`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::choice::choice;
use crate::cli::report_args::ReportArgs;
use crate::cli::source_args::ReleaseArgs;
use crate::domain::Arch;
use crate::report::BridgeReport;

use super::shared::ResolverArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogBridgeArgs {
    /// The catalog that the clusters use now: a folder, or one file with a whole catalog. You can
    /// put its version of OpenShift in front, as in `4.16=DIR`. Default: the version of --from.
    #[arg(value_name = "[MINOR=]DIR")]
    pub(crate) catalog: String,
    /// The catalog of a later version of OpenShift. Default: the version after that of the catalog
    /// before it on the command line. May be repeated.
    #[arg(long, value_name = "[MINOR=]DIR")]
    pub(crate) next_catalog: Vec<String>,
    /// The version of the cluster: a release or a minor version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) from: Option<String>,
    /// Where the cluster should get: a release or a minor version. Default: the next minor version.
    #[arg(long, value_name = "VERSION")]
    pub(crate) to: Option<String>,
    /// An installed operator: the name of its bundle, and the channel that it follows. May be
    /// repeated.
    #[arg(long, value_name = "NAME[@CHANNEL]", conflicts_with_all = ["operators", "metrics"])]
    pub(crate) installed: Vec<String>,
    /// The operators of a cluster: what `oc get clusterversion,subscriptions,csv -A -o yaml`
    /// prints. May be repeated, once for each cluster.
    #[arg(long, value_name = "FILE")]
    pub(crate) operators: Vec<PathBuf>,
    /// The operators of a fleet: the metrics csv_succeeded and cluster_version, as an exporter or
    /// Prometheus writes them. The label `_id` names the cluster.
    #[arg(long, value_name = "FILE")]
    pub(crate) metrics: Option<PathBuf>,
    /// Check this package only.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// Follow the updates of this repository of update graphs from release to release.
    #[arg(long, value_name = "DIR")]
    pub(crate) graph_repo: Option<PathBuf>,
    /// Follow the updates of a graph as the service returns it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["graph_repo", "releases"])]
    pub(crate) graph: Option<PathBuf>,
    /// Stay in this channel of the update graph. Default: use any public channel.
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) graph_channel: Option<String>,
    #[command(flatten)]
    pub(crate) releases: ReleaseArgs,
    /// The cluster's architecture. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(crate) arch: Option<Arch>,
    #[command(flatten)]
    pub(crate) report: ReportArgs<BridgeReport<'static>>,
}
