//! The flags about nodes: how long they take, and how many are updated at once. clap prints the doc
//! comments in this file as help.

use clap::Args as ClapArgs;

use crate::pools::{Drain, Time};
use crate::rollout::{Times, parse_time_range};
use crate::text::Failure;

/// How long nodes take.
#[derive(Debug, ClapArgs)]
pub(super) struct TimeArgs {
    /// How long the drain of a node takes: `5m`, or a range such as `5m..20m`. `NODE=TIME` is for
    /// one node. With `NODE=never`, a disruption budget never allows the drain. With
    /// `NODE=after:OTHER`, it allows the drain when the other node is back.
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

fn drain(text: &str) -> Result<ForNodes<DrainTime>, Failure> {
    for_nodes(text, |time| match time.strip_prefix("after:") {
        Some(node) if !node.is_empty() => Ok(DrainTime::After(node.to_owned())),
        _ if time == "never" => Ok(DrainTime::Never),
        _ => parse_time_range(time).map(DrainTime::Takes),
    })
}

fn reboot(text: &str) -> Result<ForNodes<Time>, Failure> {
    for_nodes(text, parse_time_range)
}

fn for_nodes<T>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, Failure>,
) -> Result<ForNodes<T>, Failure> {
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

/// The most nodes that are simulated in all runs together.
pub(super) const MOST_WORK: usize = 5_000_000;
