//! The flags of `exitpath fleet`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Arch;
use crate::report::FleetReport;

use super::choice::choice;
use super::report_args::ReportArgs;
use super::source_args::GraphSourceArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct FleetArgs {
    /// The clusters: a table (CSV with a header, or lines of JSON), objects (ClusterVersions or
    /// ManagedClusters of ACM, as `oc get -o yaml` prints them), or folders of must-gathers. `-` is a
    /// table on standard input. `docs/fleet.md` lists the columns.
    #[arg(value_name = "FILE|DIR", required = true)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    /// The channel of clusters that do not say theirs.
    #[arg(long, value_name = "CHANNEL")]
    pub(super) channel: Option<String>,
    /// The architecture of clusters that do not say theirs. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    /// Compare with the merge base with REV: which clusters lose their last recommended update, or a
    /// path.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, conflicts_with = "graph")]
    pub(super) base: Option<String>,
    /// Name the clusters that lose something with the change: since --base, or by --add, --with, or
    /// --without.
    #[arg(long)]
    pub(super) list: bool,
    /// Show how the clusters get to the newest release of this minor version (`4.20`), of this channel
    /// (`stable-4.20`), or of their own channel (`latest`), or to this release, and which risks they
    /// must accept.
    #[arg(long, value_name = "GOAL")]
    pub(super) to: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<FleetReport<'static>>,
}
