//! An edge that skips a whole minor version.

use crate::domain::{Arena, Buckets, Version};
use crate::graph::cincinnati::GraphNodeId;

use crate::rules::{
    Check, Family, Finding, GraphSubject, PlacedUpdate, Properties, Rule, Severity,
};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP713",
    name: "giant-hop",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "an edge over more than one minor version without a matching EUS path",
    explanation: "\
A cluster is updated one minor version at a time. Its components are not tested with
components that are two minor versions apart, and Kubernetes does not allow it. Between
two releases with extended support, which have even minor versions, an edge may
represent the path through the minor version between them. In this case, the graph
must also contain that path.",
    bad: "{\"from\": \"4.13.1\", \"to\": \"4.15.0\"}",
    good: "{\"from\": \"4.14.1\", \"to\": \"4.15.0\"}",
    check: Check::Graph(check),
};

/// The most edges that the search for paths between releases with extended support follows. No real
/// graph needs more.
const MOST_EDGES: usize = 20_000_000;

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let giant = || subject.updates().filter(|update| hop(subject, *update) > 1);
    let with_path = with_eus_path(subject, giant());
    let mut hops = Tally::default();
    for update in giant() {
        if with_path.binary_search(&(update.from, update.to)).is_err() {
            hops.add(update.span, || subject.arrow(update));
        }
    }
    let finding = hops.finding(&RULE, |arrow| {
        format!(
            "{arrow} skips a minor version, but clusters are updated one minor version at a time"
        )
    });
    let help = "go through a release of the minor version in between";
    findings.extend(finding.map(|finding| finding.help(help)));
}

/// How many minor versions an update goes up, or 0 if it leads to an older release.
fn hop(subject: &GraphSubject<'_>, update: PlacedUpdate) -> u64 {
    subject.ends(update).map_or(0, |(from, to)| steps(from, to))
}

fn steps(from: &Version, to: &Version) -> u64 {
    if from.major == to.major {
        return to.minor.saturating_sub(from.minor);
    }
    // It is unknown which minor is the last of a major, so any minor of the next major is one step
    // up.
    match to.major.checked_sub(from.major) {
        None => 0,
        Some(1) => to.minor.saturating_add(1),
        Some(more) => more.saturating_add(to.minor),
    }
}

/// Updates between even minor versions with a path through the minor version in between, as sorted
/// pairs of nodes.
fn with_eus_path(
    subject: &GraphSubject<'_>,
    giant: impl Iterator<Item = PlacedUpdate>,
) -> Vec<(GraphNodeId, GraphNodeId)> {
    let is_even = |update: &PlacedUpdate| {
        subject.ends(*update).is_some_and(|(from, to)| {
            from.major == to.major && from.minor % 2 == 0 && steps(from, to) == 2
        })
    };
    let mut pairs: Vec<_> = giant.filter(is_even).map(|update| (update.from, update.to)).collect();
    if pairs.is_empty() {
        return pairs;
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut paths = StepwisePaths::of(subject);
    let mut origin = None;
    pairs.retain(|(from, to)| {
        if origin != Some(*from) {
            origin = Some(*from);
            paths.search_from(*from);
        }
        paths.reaches(*to)
    });
    pairs
}

/// The nodes that can be reached from a node in steps of at most one minor version.
struct StepwisePaths<'s, 'a> {
    subject: &'s GraphSubject<'a>,
    small: Buckets<GraphNodeId, GraphNodeId>,
    /// The last search that reached each node.
    reached_in: Arena<GraphNodeId, u32>,
    search: u32,
    edges_left: usize,
}

impl<'s, 'a> StepwisePaths<'s, 'a> {
    fn of(subject: &'s GraphSubject<'a>) -> Self {
        let nodes = subject.versions.len();
        let small = subject.updates().filter(|update| hop(subject, *update) <= 1);
        let small = Buckets::of(nodes, small.map(|update| (update.from, update.to)));
        Self {
            subject,
            small,
            reached_in: Arena::filled(nodes, 0),
            search: 0,
            edges_left: MOST_EDGES,
        }
    }

    /// Searches for the nodes that `origin` reaches within two minor versions.
    fn search_from(&mut self, origin: GraphNodeId) {
        self.search += 1;
        let Some(from) = &self.subject.versions[origin] else { return };
        let mut open = vec![origin];
        while let Some(node) = open.pop() {
            for to in self.small.get(node) {
                if self.edges_left == 0 {
                    return;
                }
                self.edges_left -= 1;
                let version = self.subject.versions[*to].as_ref();
                let is_near =
                    version.is_some_and(|to| to.major == from.major && steps(from, to) <= 2);
                if is_near && self.reached_in[*to] != self.search {
                    self.reached_in[*to] = self.search;
                    open.push(*to);
                }
            }
        }
    }

    fn reaches(&self, target: GraphNodeId) -> bool {
        self.reached_in[target] == self.search
    }
}

#[cfg(test)]
mod tests {
    use super::steps;
    use crate::domain::version;

    #[test]
    fn steps_are_counted_in_minor_versions() {
        let steps =
            |from, to| version::parse(from).zip(version::parse(to)).map(|(a, b)| steps(&a, &b));
        assert_eq!(steps("4.13.1", "4.13.9"), Some(0));
        assert_eq!(steps("4.13.1", "4.14.0-rc.1"), Some(1));
        assert_eq!(steps("4.13.1", "4.15.0"), Some(2));
        assert_eq!(steps("4.15.0", "4.13.1"), Some(0));
        assert_eq!(steps("4.23.1", "5.0.0"), Some(1));
        assert_eq!(steps("4.23.1", "5.1.0"), Some(2));
        assert_eq!(steps("4.23.1", "6.0.0"), Some(2));
        assert_eq!(steps("5.0.0", "4.23.1"), Some(0));
        let huge = "5.18446744073709551615.0";
        assert_eq!(steps("4.23.1", huge), Some(u64::MAX));
    }
}
