//! The flags of `rollout`. clap prints the doc comments in this file as help.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::domain::FailOn;
use crate::payload::Scope;
use crate::pools::{Drain, MaxUnavailable, Time};
use crate::report::{PayloadFormat, RolloutFormat};
use crate::rollout::{Journey, Runs, Times, made_up, parse_span, parse_time_range};

use super::choice::choice;
use super::deferred::Deferred;

#[derive(Debug, Subcommand)]
pub(super) enum RolloutCommand {
    /// Show in which order the operator applies the manifests of a release, and what is wrong with
    /// them.
    ///
    /// Exit status: 0 (no problem is at or above --fail-on), 1 (at least one is), or 2 (the command
    /// could not run).
    Payload(Deferred<RolloutPayloadArgs>),
    /// Show where the update of a cluster stands, and what it waits for.
    ///
    /// Exit status: 0 (nothing holds the update), 1 (it waits for a cluster operator or for nodes),
    /// or 2 (the command could not run).
    Status(Deferred<RolloutStatusArgs>),
    /// Simulate how the nodes of a pool are updated, and how long it takes.
    ///
    /// Exit status: 0 (all nodes are updated), 1 (the update gets stuck), or 2 (the command could not
    /// run).
    Pool(Deferred<RolloutPoolArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct RolloutPayloadArgs {
    /// The folder that `oc adm release extract --to DIR` writes.
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,
    /// Also show what differs from this older payload.
    #[arg(long, value_name = "DIR")]
    pub(super) base: Option<PathBuf>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// The lowest severity of a problem that fails the command.
    #[arg(long, value_name = "LEVEL", value_parser = choice::<FailOn>(), default_value = "error")]
    pub(super) fail_on: FailOn,
    /// How to print the report. `svg` is a picture: levels are columns, and components are lanes.
    #[arg(long, value_name = "FORMAT", value_parser = choice::<PayloadFormat>(), default_value = "human")]
    pub(super) format: PayloadFormat,
    /// Write the report to a file.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
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

/// How long nodes take.
#[derive(Debug, ClapArgs)]
pub(super) struct TimeArgs {
    /// How long the drain of a node takes: `5m`, or a range such as `5m..20m`. `NODE=TIME` is for one
    /// node. `NODE=never` is a drain that a disruption budget never allows, and `NODE=after:OTHER` one
    /// that it allows when another node is back.
    #[arg(long, value_name = "[NODE=]TIME", value_parser = drain, default_value = "5m")]
    pub(super) drain: Vec<ForNodes<DrainTime>>,
    /// How long a node needs after the drain until it is back.
    #[arg(long, value_name = "[NODE=]TIME", value_parser = reboot, default_value = "5m")]
    pub(super) reboot: Vec<ForNodes<Time>>,
}

/// Something for all nodes, or for one.
#[derive(Clone, Debug)]
pub(super) struct ForNodes<T> {
    pub(super) node: Option<String>,
    pub(super) value: T,
}

#[derive(Clone, Debug)]
pub(super) enum DrainTime {
    Takes(Time),
    After(String),
    Never,
}

fn drain(text: &str) -> Result<ForNodes<DrainTime>, String> {
    for_nodes(text, |time| match time.strip_prefix("after:") {
        Some(node) if !node.is_empty() => Ok(DrainTime::After(node.to_owned())),
        _ if time == "never" => Ok(DrainTime::Never),
        _ => parse_time_range(time).map(DrainTime::Takes),
    })
}

fn reboot(text: &str) -> Result<ForNodes<Time>, String> {
    for_nodes(text, parse_time_range)
}

fn for_nodes<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<ForNodes<T>, String> {
    let (node, time) = match text.split_once('=') {
        Some((node, time)) => (Some(node.to_owned()), time),
        None => (None, text),
    };
    parse(time).map(|value| ForNodes { node, value })
}

const USUAL: Time = Time::Fixed(300);

impl TimeArgs {
    pub(super) fn times(&self) -> Times {
        let usual = self.drain.iter().rev().find(|one| one.node.is_none()).map(|one| &one.value);
        let time = match usual {
            Some(DrainTime::Takes(time)) => *time,
            _ => USUAL,
        };
        let of = |drain: &DrainTime| match drain {
            DrainTime::Takes(time) => Drain::Takes(*time),
            DrainTime::After(node) => Drain::After(node.clone(), time),
            DrainTime::Never => Drain::Never,
        };
        let drains = self.drain.iter().filter_map(|one| Some((one.node.clone()?, of(&one.value))));
        let reboots = self.reboot.iter().filter_map(|one| Some((one.node.clone()?, one.value)));
        let reboot = self.reboot.iter().rev().find(|one| one.node.is_none());
        Times {
            drain: usual.map_or(Drain::Takes(USUAL), of),
            reboot: reboot.map_or(USUAL, |one| one.value),
            drains: drains.collect(),
            reboots: reboots.collect(),
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct RolloutStatusArgs {
    /// What `oc get clusterversion,clusteroperators,mcp,nodes -o yaml` prints, or any part of it. `-`
    /// is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// The payload of the version that the cluster gets: the folder that `oc adm release extract --to
    /// DIR` writes. Without it, the run levels are not known.
    #[arg(long, value_name = "DIR")]
    pub(super) payload: Option<PathBuf>,
    #[command(flatten)]
    pub(super) scope: ScopeArgs,
    /// The version that the cluster gets. Default: that of the payload, or of the ClusterVersion.
    #[arg(long, value_name = "VERSION", conflicts_with = "payload")]
    pub(super) to: Option<String>,
    /// For how long the update has waited for a ClusterOperator. May be repeated.
    #[arg(long, value_name = "OPERATOR=TIME", value_parser = waited)]
    pub(super) waited: Vec<(String, u64)>,
    /// How to print the report.
    #[arg(long, value_name = "FORMAT", value_parser = choice::<RolloutFormat>(), default_value = "human")]
    pub(super) format: RolloutFormat,
}

fn waited(text: &str) -> Result<(String, u64), String> {
    let (name, time) = text.split_once('=').ok_or("expected OPERATOR=TIME, such as etcd=45m")?;
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
    /// How many nodes can be unavailable at once: a number, or a percentage such as 30%. Default: what
    /// the pool says, or 1.
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
    /// Where the random times begin. Equal numbers give equal times.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(super) seed: u64,
    /// How to print the report.
    #[arg(long, value_name = "FORMAT", value_parser = choice::<RolloutFormat>(), default_value = "human")]
    pub(super) format: RolloutFormat,
}

/// How a path is simulated.
#[derive(Debug, ClapArgs)]
pub(super) struct PathRolloutArgs {
    /// Also simulate the first path: the steps of each update, how long they take, and how often
    /// nodes reboot.
    #[arg(long)]
    pub(super) rollout: bool,
    /// With --rollout: the number of nodes of the control plane.
    #[arg(long, value_name = "NUMBER", default_value_t = 3, requires = "rollout", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) control_plane: u32,
    /// With --rollout: the number of workers.
    #[arg(long, value_name = "NUMBER", default_value_t = 3, requires = "rollout", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub(super) workers: u32,
    /// With --rollout: how many workers can be unavailable at once: a number, or a percentage.
    #[arg(long, value_name = "NUMBER|PERCENT", default_value = "1", requires = "rollout", value_parser = max_unavailable)]
    pub(super) max_unavailable: MaxUnavailable,
    /// With --rollout: pause the pool of the workers until the control plane is at the goal.
    #[arg(long, requires = "rollout")]
    pub(super) pause_workers: bool,
    /// With --rollout: how long the manifests of a release take, without the nodes.
    #[arg(long, value_name = "TIME", default_value = "60m..120m", requires = "rollout", value_parser = parse_time_range)]
    pub(super) manifests: Time,
    /// With --rollout: how long the drain of a node takes: `5m`, or a range such as `5m..20m`.
    #[arg(long, value_name = "TIME", default_value = "5m", requires = "rollout", value_parser = parse_time_range)]
    pub(super) drain: Time,
    /// With --rollout: how long a node needs after the drain until it is back.
    #[arg(long, value_name = "TIME", default_value = "5m", requires = "rollout", value_parser = parse_time_range)]
    pub(super) reboot: Time,
    /// With --rollout and ranges of times: simulate it this many times with random times.
    #[arg(long, value_name = "NUMBER", default_value_t = 1_000, requires = "rollout", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) runs: u32,
    /// With --rollout: where the random times begin.
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "rollout")]
    pub(super) seed: u64,
}

impl PathRolloutArgs {
    pub(super) fn journey(&self) -> Journey {
        let times = Times {
            drain: Drain::Takes(self.drain),
            reboot: self.reboot,
            drains: BTreeMap::new(),
            reboots: BTreeMap::new(),
        };
        let pool = |name: &str, nodes: u32| {
            let names: Vec<String> = (1..=nodes).map(|number| format!("{name}-{number}")).collect();
            made_up(name, &names, &times)
        };
        let mut workers = pool("worker", self.workers);
        workers.max_unavailable = Some(self.max_unavailable.clone());
        Journey {
            control_plane: pool("master", self.control_plane),
            workers: (self.workers > 0).then_some(workers),
            manifests: self.manifests,
            is_paused: self.pause_workers,
        }
    }

    /// Very large pools are simulated less often.
    pub(super) fn runs(&self, hops: usize) -> Runs {
        let nodes = usize::try_from(self.workers + self.control_plane).unwrap_or(usize::MAX);
        let most = MOST_WORK / nodes.saturating_mul(hops).max(1);
        let runs = usize::try_from(self.runs).unwrap_or(usize::MAX);
        Runs { runs: runs.min(most).max(1), seed: self.seed }
    }
}

/// So many nodes are simulated in all runs together.
pub(super) const MOST_WORK: usize = 5_000_000;

fn max_unavailable(text: &str) -> Result<MaxUnavailable, String> {
    if let Ok(number) = text.parse() {
        return Ok(MaxUnavailable::Number(number));
    }
    let is_percentage = text.strip_suffix('%').is_some_and(|number| number.parse::<u32>().is_ok());
    if is_percentage {
        return Ok(MaxUnavailable::Text(text.to_owned()));
    }
    Err(format!("`{text}` is neither a number nor a percentage such as 30%"))
}
