//! The flags of `rollout`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::domain::{FailOn, Format};
use crate::payload::Scope;
use crate::pools::MaxUnavailable;
use crate::report::{PoolsReport, StatusReport};
use crate::rollout::parse_span;
use crate::text::Failure;

use super::choice::{choice, format_in};
use super::deferred::Deferred;
use super::examples;
use super::node_args::TimeArgs;
use super::output::OutputArgs;
use super::report_args::ReportArgs;
use super::values::{expected, max_unavailable};

#[derive(Debug, Subcommand)]
pub(super) enum RolloutCommand {
    /// Show in which order the operator applies the manifests of a release, and what is wrong with
    /// them.
    ///
    /// Exit status: 0 (no problem is at or above --fail-on), 1 (at least one is), or 2 (the command
    /// could not run).
    #[command(after_help = examples::ROLLOUT_PAYLOAD)]
    Payload(Deferred<RolloutPayloadArgs>),
    /// Show how far the update of a cluster is, and what it waits for.
    ///
    /// Exit status: 0 (nothing holds the update), 1 (it waits for a cluster operator or for nodes),
    /// or 2 (the command could not run).
    #[command(after_help = examples::ROLLOUT_STATUS)]
    Status(Deferred<RolloutStatusArgs>),
    /// Simulate how the nodes of a pool are updated, and how long it takes.
    ///
    /// Exit status: 0 (all nodes are updated), 1 (the update gets stuck), or 2 (the command could
    /// not run).
    #[command(after_help = examples::ROLLOUT_POOL)]
    Pool(Deferred<RolloutPoolArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct RolloutPayloadArgs {
    /// The folder that `oc adm release extract --to DIR` writes.
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// Also show what differs from this older payload.
    #[arg(long, value_name = "DIR")]
    pub(super) older: Option<PathBuf>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// The lowest severity of a problem that fails the command.
    #[arg(long, value_name = "LEVEL", value_parser = choice::<FailOn>(), default_value = "error")]
    pub(super) fail_on: FailOn,
    /// How to print the report. `svg` is a picture: levels are columns, and components are lanes.
    #[arg(long, value_name = "FORMAT", value_parser = format_in(&[Format::Human, Format::Json, Format::Svg]), default_value = "human")]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Which manifests of a payload clusters apply.
#[derive(Debug, ClapArgs)]
pub(super) struct ScopeArgs {
    /// Read the manifests of this profile.
    #[arg(long, value_name = "PROFILE", default_value = "self-managed-high-availability")]
    profile: String,
    /// Read the manifests of this feature set.
    #[arg(long, value_name = "NAME", default_value = "Default")]
    feature_set: String,
}

impl ScopeArgs {
    pub(super) fn scope(&self) -> Scope {
        Scope { profile: self.profile.clone(), feature_set: self.feature_set.clone() }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct RolloutStatusArgs {
    /// What `oc get clusterversion,clusteroperators,mcp,nodes -o yaml` prints, or any part of it.
    /// `-` is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// The payload of the version that the cluster gets: the folder that `oc adm release extract
    /// --to DIR` writes. Without it, the run levels are not known.
    #[arg(long, value_name = "DIR")]
    pub(super) payload: Option<PathBuf>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// The version that the cluster gets. Default: that of the payload, or of the ClusterVersion.
    #[arg(long, value_name = "VERSION", conflicts_with = "payload")]
    pub(super) to: Option<String>,
    /// For how long the update has waited for a ClusterOperator: `network=20m`. May be repeated.
    #[arg(long, value_name = "OPERATOR=TIME", value_parser = waited)]
    pub(super) waited: Vec<(String, u64)>,
    #[command(flatten)]
    pub(super) report: ReportArgs<StatusReport<'static>>,
}

fn waited(text: &str) -> Result<(String, u64), Failure> {
    let (name, time) = expected(text.split_once('='), "OPERATOR=TIME", "one like etcd=45m")?;
    parse_span(time).map(|seconds| (name.to_owned(), seconds))
}

#[derive(Debug, ClapArgs)]
pub(super) struct RolloutPoolArgs {
    /// What `oc get mcp,nodes -o yaml` prints. `-` is standard input.
    #[arg(value_name = "FILE", required_unless_present = "nodes", conflicts_with = "nodes")]
    pub(super) files: Vec<PathBuf>,
    /// Simulate a made-up pool: the number of its nodes, or their names, in the order in which the
    /// operator chooses them.
    #[arg(long, value_name = "NUMBER|NAMES", value_delimiter = ',')]
    pub(super) nodes: Vec<String>,
    /// The pool. Default: all pools of the files that are not paused, or `worker`.
    #[arg(long, value_name = "NAME")]
    pub(super) pool: Option<String>,
    /// How many nodes can be unavailable at once: a number, or a percentage such as 30%. Default:
    /// what the pool says, or 1.
    #[arg(long, value_name = "NUMBER|PERCENT", allow_hyphen_values = true, value_parser = max_unavailable)]
    pub(super) max_unavailable: Option<MaxUnavailable>,
    #[command(flatten)]
    pub(super) times: TimeArgs,
    /// Also show what `oc get mcp` prints after this time. May be repeated.
    #[arg(long, value_name = "TIME", value_parser = parse_span)]
    pub(super) at: Vec<u64>,
    /// With ranges of times: simulate this many updates with random times.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) runs: u32,
    /// The seed of the random times: the same seed gives the same times.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) report: ReportArgs<PoolsReport<'static>>,
}
