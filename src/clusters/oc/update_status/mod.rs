//! `oc adm upgrade status`: shows the progress of an update, and what slows it down.
//!
//! The texts are those of `oc` 4.20. Older releases, which have the command behind a switch, word
//! some of them differently.

mod alerts;
mod availability;
mod control_plane;
mod estimate;
mod health;
mod membership;
mod nodes;
mod objects;
mod operators;
mod pools;
mod remarks;
mod time;
mod update;

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::Situation;
use super::command_line::{Command, Flags};
use super::console::{Console, OcError};
use super::texts::NO_CLUSTER_VERSION_LOWER;
use crate::objects::text_at;
use health::Issue;
use nodes::{Surroundings, Versions};
use objects::{condition, conditions, name, of_kind};
use operators::{Operators, machine_config_image};
use pools::{MASTER, PoolState, pool_state};
use time::{Duration, Time};
use update::History;

/// No real cluster has more pools. Each node is compared with each pool.
const MOST_POOLS: usize = 100;

pub(super) fn run(
    flags: &Flags,
    situation: &Situation<'_>,
    console: &mut Console,
) -> Result<(), OcError> {
    if !flags.arguments.is_empty() {
        return Err(OcError::usage(Command::Status.path(), "positional arguments given"));
    }
    let details = Details::of(flags)?;
    if !flags.text("mock-clusterversion").is_empty() {
        let words =
            "exitpath does not read the files of --mock-clusterversion: they can be its own";
        return Err(OcError::new(words));
    }
    console.read(situation, NO_CLUSTER_VERSION_LOWER)?;
    let objects = situation.inside.objects;
    let cluster_version = of_kind(objects, "ClusterVersion").next();
    let cluster_version = cluster_version.ok_or_else(|| OcError::new(NO_CLUSTER_VERSION_LOWER))?;
    if of_kind(objects, "ClusterOperator").next().is_none() {
        let words = "no cluster operator information available - you must be connected to an \
                     OpenShift version 4 server";
        return Err(OcError::new(words));
    }
    let progressing = condition(cluster_version, "Progressing").ok_or_else(|| {
        let words =
            "no current Progressing info, see `oc describe clusterversion` for more details.";
        OcError::new(words)
    })?;
    if of_kind(objects, "MachineConfigPool").count() > MOST_POOLS {
        let words = format!("there are more than {MOST_POOLS} MachineConfigPools");
        return Err(OcError::new(words));
    }
    let now = situation.inside.time.map_or_else(|| newest(objects), Time::of_milliseconds);
    let history = History::of(cluster_version);
    let target = text_at(cluster_version, "/status/desired/version");
    let operators = Operators::of(objects, target, machine_config_image(objects), now);
    let versions = Versions::of(objects);
    for remark in remarks::remarks(situation.inside, operators.total, &versions) {
        console.remark(remark);
    }
    let around = Surroundings {
        history: &history,
        versions: &versions,
        is_migrating: history.is_multi_arch_migration() && progressing.status == "True",
        now,
    };
    let (pools, mut issues) = all_pools(objects, around);
    let (masters, workers): (Vec<PoolState<'_>>, Vec<PoolState<'_>>) =
        pools.into_iter().partition(|pool| pool.name == MASTER);
    if progressing.status != "True" && !workers.iter().any(PoolState::is_outdated) {
        console.say("The cluster is not updating.\n");
        return Ok(());
    }
    let started = history.current().map_or(progressing.changed, |entry| entry.started);
    issues.extend(alerts::issues(situation.inside.alerts.unwrap_or_default(), started));
    issues.extend(control_plane::failing(cluster_version, now));
    issues.extend(operators.issues.iter().cloned());
    if !operators.are_updated() {
        issues.extend(history.unfinished());
    }
    console.say(control_plane::section(&history, &operators, now, details.operators));
    if let Some(master) = masters.last() {
        console.say(master.node_table(details.nodes));
    }
    console.say(pools::section(&workers, details.nodes));
    let updating_for = now.since(started).rounded(Duration::SECOND);
    console.say("\n");
    console.say(health::section(issues, updating_for, now, details.health));
    Ok(())
}

/// The sections that are shown in full.
#[derive(Clone, Copy, Debug)]
struct Details {
    nodes: bool,
    health: bool,
    operators: bool,
}

impl Details {
    fn of(flags: &Flags) -> Result<Self, OcError> {
        let what = flags.text_or("details", "none");
        let known = ["none", "all", "nodes", "health", "operators"];
        if !known.contains(&what) {
            let known = known.join(", ");
            let words = format!("invalid value for --details: {what} (must be one of {known})");
            return Err(OcError::new(words));
        }
        let shows = |section: &str| what == "all" || what == section;
        Ok(Self { nodes: shows("nodes"), health: shows("health"), operators: shows("operators") })
    }
}

/// The newest time in the ClusterVersion and the operators. A real clock is hardly ever at a full
/// second, so `oc` adds a fraction in its own examples.
fn newest(objects: &[Json]) -> Time {
    let kinds = ["ClusterVersion", "ClusterOperator"];
    let times = kinds.iter().flat_map(|kind| of_kind(objects, kind)).flat_map(conditions);
    let newest = times.map(|condition| condition.changed).max().unwrap_or(Time::ZERO);
    if newest.is_zero() { newest } else { newest.plus(Duration::nanoseconds(368_975)) }
}

/// The pools in their order, and their issues.
fn all_pools<'a>(
    objects: &'a [Json],
    around: Surroundings<'a>,
) -> (Vec<PoolState<'a>>, Vec<Issue>) {
    let pools: Vec<&Json> = of_kind(objects, "MachineConfigPool").collect();
    let mut nodes: BTreeMap<&str, Vec<&Json>> = BTreeMap::new();
    for node in of_kind(objects, "Node") {
        if let Some(pool) = membership::pool_of(&pools, node) {
            nodes.entry(pool).or_default().push(node);
        }
    }
    let (mut states, mut issues) = (Vec::new(), Vec::new());
    for pool in pools {
        let its_nodes = nodes.get(name(pool)).map_or(&[][..], Vec::as_slice);
        let (state, its_issues) = pool_state(pool, its_nodes, around);
        states.push(state);
        issues.extend(its_issues);
    }
    (states, issues)
}
