//! The flags of `exitpath path`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::domain::Arch;
use crate::report::RouteReport;

use super::channels_args::ServiceArgs;
use super::choice::choice;
use super::path_rollout_args::PathRolloutArgs;
use super::report_args::ReportArgs;
use super::source_args::GraphSourceArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct PathArgs {
    /// The release to start from.
    #[arg(value_name = "FROM")]
    pub(super) from: String,
    /// What to reach: a release (4.20.3), the newest of a minor version (4.20 or 4.20.x), the
    /// newest of a channel (stable-4.20), or the latest. With several, the newest of them all.
    #[arg(value_name = "TO", required = true)]
    pub(super) to: Vec<String>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    #[command(flatten)]
    pub(super) service: ServiceArgs,
    /// Stay in these channels. Default: use any public channel, and change channels where needed.
    /// May be repeated.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// Take updates even if this risk applies. May be repeated.
    #[arg(long, value_name = "RISK", value_delimiter = ',')]
    pub(super) accept: Vec<String>,
    /// Do not use this release. May be repeated.
    #[arg(long, value_name = "VERSION", value_delimiter = ',')]
    pub(super) avoid: Vec<String>,
    /// If there is no path yet, say how long other releases waited for one in the last year.
    #[arg(long)]
    pub(super) wait: bool,
    /// The cluster's architecture. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    #[command(flatten)]
    pub(super) report: ReportArgs<RouteReport<'static>>,
    #[command(flatten)]
    pub(super) rollout: PathRolloutArgs,
}
