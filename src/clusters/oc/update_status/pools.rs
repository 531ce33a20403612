//! The pools of nodes, and their tables.

use serde_json::Value as Json;

use super::health::{Impact, Issue, IssueLevel, Resource};
use super::nodes::{Assessment, NodeState, Phase, Surroundings, state};
use super::objects::name;
use super::time::Time;
use crate::go::tabwriter::{Layout, laid_out};

/// The pool of the control plane.
pub(super) const MASTER: &str = "master";
/// The number of nodes that are shown without `--details`.
const SHOWN: usize = 10;
const PAUSED_PAGE: &str = "https://docs.openshift.com/container-platform/latest/support/\
    troubleshooting/troubleshooting-operator-issues.html\
    #troubleshooting-disabling-autoreboot-mco_troubleshooting-operator-issues";

/// A pool, and the progress of its nodes.
#[derive(Debug)]
pub(super) struct PoolState<'a> {
    pub(super) name: &'a str,
    pub(super) nodes: Vec<NodeState<'a>>,
}

/// The state of a pool, and the issues of the pool and its nodes.
pub(super) fn pool_state<'a>(
    pool: &'a Json,
    nodes: &[&'a Json],
    around: Surroundings<'a>,
) -> (PoolState<'a>, Vec<Issue>) {
    let mut issues = Vec::new();
    let mut states: Vec<NodeState<'a>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let (state, its_issues) = state(node, pool, around);
        states.push(state);
        issues.extend(its_issues);
    }
    states.sort_by_key(|node| (node.assessment, node.phase, node.name));
    let found = PoolState { name: name(pool), nodes: states };
    if found.count_in(Phase::Paused) > 0 {
        issues.push(paused(found.name));
    }
    (found, issues)
}

fn paused(name: &str) -> Issue {
    Issue {
        since: Time::ZERO,
        level: IssueLevel::Warning,
        impact: Impact::UpdateStalled,
        summary: format!("Outdated nodes in a paused pool '{name}' will not be updated"),
        description: "Pool is paused, which stops all changes to the nodes in the pool, including \
                      updates. The nodes will not be updated until the pool is unpaused by the \
                      administrator."
            .to_owned(),
        reference: PAUSED_PAGE.to_owned(),
        resource: Resource::Pool(name.to_owned()),
    }
}

impl PoolState<'_> {
    /// Whether some of its nodes are not updated.
    pub(super) fn is_outdated(&self) -> bool {
        self.count_in(Phase::Updated) < self.nodes.len()
    }

    fn count(&self, is_it: impl Fn(&NodeState<'_>) -> bool) -> usize {
        self.nodes.iter().filter(|node| is_it(node)).count()
    }

    fn count_in(&self, phase: Phase) -> usize {
        self.count(|node| node.phase == phase)
    }

    fn assessment(&self) -> &'static str {
        let total = self.nodes.len();
        if !self.is_outdated() {
            "Completed"
        } else if self.count_in(Phase::Pending) == total {
            "Pending"
        } else if self.count(|node| node.is_degraded) > 0 {
            "Degraded"
        } else if self.count_in(Phase::Paused) > 0 {
            "Excluded"
        } else {
            "Progressing"
        }
    }

    fn row(&self) -> String {
        let total = self.nodes.len();
        if total == 0 {
            return format!("{}\tEmpty\t\t0 Total\n", self.name);
        }
        let updated = self.count_in(Phase::Updated);
        #[allow(clippy::cast_precision_loss, reason = "as Go calculates it")]
        let completion = updated as f64 / total as f64 * 100.0;
        let is_moving =
            |phase| matches!(phase, Phase::Draining | Phase::Updating | Phase::Rebooting);
        let available = self.count(|node| !node.is_unavailable);
        let progressing = self.count(|node| is_moving(node.phase) && !node.is_degraded);
        // `oc` prints these two in random order.
        let excluded = (self.count_in(Phase::Paused), "Excluded");
        let degraded = (self.count(|node| node.is_degraded), "Degraded");
        let bad = [excluded, degraded].map(|(count, what)| match count {
            0 => String::new(),
            _ => format!(", {count} {what}"),
        });
        let bad = bad.concat();
        format!(
            "{}\t{}\t{completion:.0}% ({updated}/{total})\t{available} Available, {progressing} \
             Progressing, {} Draining{bad}\n",
            self.name,
            self.assessment(),
            self.count_in(Phase::Draining),
        )
    }

    /// The table of the nodes. Empty if there are none.
    pub(super) fn node_table(&self, shows_all: bool) -> String {
        let Some(first) = self.nodes.first() else { return String::new() };
        let is_master = self.name == MASTER;
        if is_master && !self.is_outdated() {
            let version = first.version.unwrap_or_default();
            return format!("\nAll control plane nodes successfully updated to {version}\n");
        }
        let title = if is_master {
            "Control Plane Nodes".to_owned()
        } else {
            format!("Worker Pool Nodes: {}", self.name)
        };
        let is_shown = |at: usize, node: &NodeState<'_>| {
            shows_all || at < SHOWN || node.is_degraded || node.is_unavailable && !node.is_updating
        };
        let (mut text, mut omitted) =
            ("NAME\tASSESSMENT\tPHASE\tVERSION\tEST\tMESSAGE\n".to_owned(), Vec::new());
        for (at, node) in self.nodes.iter().enumerate() {
            if is_shown(at, node) {
                text += &row(node);
            } else {
                omitted.push(node);
            }
        }
        format!("\n{title}\n{}{}", laid_out(&text, Layout::WIDE), rest(&omitted))
    }
}

fn row(node: &NodeState<'_>) -> String {
    let NodeState { name, assessment, phase, version, estimate, message, .. } = node;
    let version = version.unwrap_or("?");
    let (assessment, phase) = (assessment.name(), phase.name());
    format!("{name}\t{assessment}\t{phase}\t{version}\t{estimate}\t{message}\n")
}

/// A summary of the nodes that the table omits.
fn rest(omitted: &[&NodeState<'_>]) -> String {
    if omitted.is_empty() {
        return String::new();
    }
    let count =
        |is_it: fn(&NodeState<'_>) -> bool| omitted.iter().filter(|node| is_it(node)).count();
    format!(
        "...\nOmitted additional {} Total, {} Completed, {} Available, {} Progressing, {} Outdated, \
         {} Draining, {} Excluded, and 0 Degraded nodes.\nPass along --details=nodes to see all \
         information.\n",
        omitted.len(),
        count(|node| node.is_updated),
        count(|node| !node.is_unavailable),
        count(|node| node.assessment == Assessment::Progressing),
        count(|node| !node.is_updated),
        count(|node| node.phase == Phase::Draining),
        count(|node| node.phase == Phase::Paused),
    )
}

/// The section about the worker pools. Empty if they have no nodes.
pub(super) fn section(pools: &[PoolState<'_>], shows_all: bool) -> String {
    if pools.iter().all(|pool| pool.nodes.is_empty()) {
        return String::new();
    }
    let rows: String = pools.iter().map(PoolState::row).collect();
    let table = format!("WORKER POOL\tASSESSMENT\tCOMPLETION\tSTATUS\n{rows}");
    let nodes: String = pools.iter().map(|pool| pool.node_table(shows_all)).collect();
    format!("\n= Worker Upgrade =\n\n{}{nodes}", laid_out(&table, Layout::WIDE))
}
