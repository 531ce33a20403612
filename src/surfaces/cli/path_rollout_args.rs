//! The flags of `path --rollout`. clap prints the doc comments in this file as help.

use std::collections::BTreeMap;

use clap::Args as ClapArgs;

use crate::pools::{Drain, MaxUnavailable, Time};
use crate::rollout::{Journey, Runs, Times, made_up, parse_time_range};

use super::node_args::MOST_WORK;
use super::values::max_unavailable;

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
    /// With --rollout: pause the pool of the workers for as long as their kubelets may be older
    /// than the control plane: at most two minor versions, and never across an even one.
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
    /// With --rollout: the seed of the random times.
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
