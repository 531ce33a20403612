//! An unconditional edge that occurs twice.

use crate::domain::{FastHash, HashMap};
use crate::text::Span;

use crate::rules::{
    Check, Family, Finding, GraphSubject, PlacedUpdate, Properties, Rule, Severity,
};

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP711",
    name: "repeated-edge",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "a pair of releases that occurs twice in `edges`",
    explanation: "\
A cluster lists the update as many times as it occurs in the graph. A request for it by
its version is then rejected: \"there are multiple possible payloads for this version,
specify the exact image\".",
    bad: "\"edges\": [[0, 1], [0, 1]]",
    good: "\"edges\": [[0, 1]]",
    check: Check::Graph(check),
};

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let repeated_pairs = repeated_pairs(subject);
    if repeated_pairs.is_empty() {
        return;
    }
    let mut places: HashMap<u64, Span> =
        HashMap::with_capacity_and_hasher(repeated_pairs.len(), FastHash::default());
    let mut again = Tally::default();
    let mut first = None;
    for update in
        subject.open().filter(|update| repeated_pairs.binary_search(&pair(*update)).is_ok())
    {
        let earlier = *places.entry(pair(update)).or_insert(update.span);
        if earlier != update.span {
            first = first.or(Some(earlier));
            again.add(update.span, || subject.arrow(update));
        }
    }
    let finding = again.finding(&RULE, |arrow| {
        format!(
            "the edge {arrow} is listed twice. Clusters cannot choose the release by version (`oc adm upgrade --to`) and need an image"
        )
    });
    findings.extend(finding.zip(first).map(|(finding, first)| {
        finding.related(first, "the first edge is here").help("keep one edge")
    }));
}

/// The pairs of nodes that occur more than once, sorted.
fn repeated_pairs(subject: &GraphSubject<'_>) -> Vec<u64> {
    // There may be millions of edges, and sorted numbers need less memory than a set.
    let mut pairs: Vec<u64> = subject.open().map(pair).collect();
    pairs.sort_unstable();
    let again = pairs.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]);
    let mut repeated_pairs: Vec<u64> = again.collect();
    repeated_pairs.dedup();
    repeated_pairs
}

/// Both ends as one number, which sorts faster than two ids.
fn pair(update: PlacedUpdate) -> u64 {
    (update.from.index() as u64) << 32 | update.to.index() as u64
}
