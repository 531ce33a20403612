//! An edge that skips a whole minor version.

use crate::graph::Adjacency;
use crate::version::Version;

use super::shared::Tally;
use crate::rules::{Check, Family, Finding, GraphSubject, PlacedUpdate, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP713",
    name: "giant-hop",
    aliases: &[],
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

/// How many edges are looked at in search of ways between releases with extended support.
/// A graph that needs more is no graph of releases.
const EFFORT: usize = 20_000_000;

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let giant = || subject.updates().filter(|update| hop(subject, *update) > 1);
    let explained = explained(subject, giant());
    let mut hops = Tally::default();
    for update in giant() {
        if explained.binary_search(&(update.from, update.to)).is_err() {
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

/// How many minor versions an update goes up; none where it leads back.
fn hop(subject: &GraphSubject<'_>, update: PlacedUpdate) -> u64 {
    subject.ends(update).map_or(0, |(from, to)| steps(from, to))
}

fn steps(from: &Version, to: &Version) -> u64 {
    if from.major == to.major {
        return to.minor.saturating_sub(from.minor);
    }
    // Which minor version is the last of its major one, nobody has written down.
    match to.major.checked_sub(from.major) {
        None => 0,
        Some(1) => to.minor.saturating_add(1),
        Some(more) => more.saturating_add(to.minor),
    }
}

/// The pairs of some updates that stand for a way through the minor version between two even
/// ones, in order.
fn explained(
    subject: &GraphSubject<'_>,
    giant: impl Iterator<Item = PlacedUpdate>,
) -> Vec<(u32, u32)> {
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
    let mut ways = Ways::of(subject);
    let mut origin = None;
    pairs.retain(|(from, to)| {
        if origin != Some(*from) {
            origin = Some(*from);
            ways.follow(*from);
        }
        ways.reach(*to)
    });
    pairs
}

/// Where one can go from a release in steps of at most one minor version.
struct Ways<'s, 'a> {
    subject: &'s GraphSubject<'a>,
    small: Adjacency,
    /// The round in which each node was met last.
    met: Vec<u32>,
    round: u32,
    effort: usize,
}

impl<'s, 'a> Ways<'s, 'a> {
    fn of(subject: &'s GraphSubject<'a>) -> Self {
        let nodes = subject.versions.len();
        let small = subject.updates().filter(|update| hop(subject, *update) <= 1);
        let small = Adjacency::of(nodes, small.map(|update| (update.from, update.to)));
        Self { subject, small, met: vec![0; nodes], round: 0, effort: EFFORT }
    }

    /// Meets whatever can be reached from a release within two minor versions.
    fn follow(&mut self, origin: u32) {
        self.round += 1;
        let Some(from) = &self.subject.versions[origin as usize] else { return };
        let mut open = vec![origin];
        while let Some(node) = open.pop() {
            for to in self.small.targets(node) {
                if self.effort == 0 {
                    return;
                }
                self.effort -= 1;
                let version = self.subject.versions[*to as usize].as_ref();
                let is_near =
                    version.is_some_and(|to| to.major == from.major && steps(from, to) <= 2);
                if is_near && self.met[*to as usize] != self.round {
                    self.met[*to as usize] = self.round;
                    open.push(*to);
                }
            }
        }
    }

    fn reach(&self, target: u32) -> bool {
        self.met[target as usize] == self.round
    }
}

#[cfg(test)]
mod tests {
    use super::steps;
    use crate::version;

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
