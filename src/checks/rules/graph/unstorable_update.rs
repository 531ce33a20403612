//! Updates that clusters cannot store.

use crate::domain::{HashMap, HashSet};
use crate::graph::CHANNELS_KEY;
use crate::graph::cincinnati::{ConditionalGroup, GroupForm, PlacedRisk};
use crate::text::Span;

use crate::rules::{Check, Family, Finding, GraphSubject, Properties, Rule, Severity, shortened};
use crate::text::words::counted;

use super::shared::Tally;

pub(super) static RULE: Rule = Rule {
    code: "EP717",
    name: "unstorable-update",
    properties: Properties::USUAL,
    family: Family::Graph,
    severity: Severity::Error,
    summary: "an update that the Kubernetes API does not let clusters store",
    explanation: "\
A cluster stores its updates in the status of its ClusterVersion. The Kubernetes API
rejects the whole status, again and again, when an update has no risk, more than 200
risks, or two risks with the same name. It also refuses the status when a risk has no
name, no message, or a url that is not a URI; when there are more than 500 conditional
updates; and when a release is in a channel twice. The cluster silently keeps what it
stored before.",
    bad: "\"risks\": [{\"url\": \"\", \"name\": \"ExampleRisk\", \"message\": \"It breaks.\", …}]",
    good: "\
\"risks\": [{\"url\": \"https://issues.example.com/browse/BUG-1\",
           \"name\": \"ExampleRisk\", \"message\": \"It breaks.\", …}]",
    check: Check::Graph(check),
};

/// The most risks of one update.
const MOST_RISKS: usize = 200;
/// The most conditional updates of one release.
const MOST_TARGETS: usize = 500;

fn check(subject: &GraphSubject<'_>, findings: &mut Vec<Finding>) {
    let used = |group: &&ConditionalGroup| {
        group.form == GroupForm::EdgesAndRisks && !group.edges.is_empty()
    };
    let groups: Vec<&ConditionalGroup> = subject.graph.groups().iter().filter(used).collect();
    let kinds = [
        (
            missing_texts(&groups),
            "add it: the Kubernetes API requires a name, a message, and a url",
        ),
        (urls(&groups), "write the full address of a page: `https://…`"),
        (names(&groups), "keep one of them, or give them different names"),
        (
            wrong_numbers_of_risks(&groups),
            "an update without risks belongs in `edges`; an update with risks has at most 200",
        ),
        (targets(subject), "remove the oldest of them"),
        (channels(subject), "list each channel once"),
    ];
    for (tally, help) in kinds {
        let finding = tally.finding(&RULE, |what| {
            format!("{what}: clusters cannot store the new updates, so they keep the old list")
        });
        findings.extend(finding.map(|finding| finding.help(help)));
    }
}

/// Risks without a name, a message, or a url.
fn missing_texts(groups: &[&ConditionalGroup]) -> Tally {
    let mut tally = Tally::default();
    for risk in groups.iter().flat_map(|group| &group.risks) {
        let texts = [("name", &risk.name), ("message", &risk.message), ("url", &risk.url)];
        let empty = texts.into_iter().find(|(_, t)| t.as_ref().is_none_or(|t| t.value.is_empty()));
        if let Some((key, text)) = empty {
            let span = text.as_ref().map_or(risk.span, |text| text.span);
            tally.add(span, || format!("{} has no {key}", named(risk)));
        }
    }
    tally
}

fn urls(groups: &[&ConditionalGroup]) -> Tally {
    let mut tally = Tally::default();
    for risk in groups.iter().flat_map(|group| &group.risks) {
        if let Some(url) =
            risk.url.as_ref().filter(|url| !url.value.is_empty() && !is_uri(&url.value))
        {
            tally.add(url.span, || {
                format!("`{}`, the url of {}, is not a URI", shortened(&url.value), named(risk))
            });
        }
    }
    tally
}

/// Whether the Kubernetes API accepts a text as a URI: it has a scheme, or is an absolute path.
fn is_uri(url: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    let is_scheme =
        |head: &str| head.starts_with(|c: char| c.is_ascii_alphabetic()) && head.chars().all(inner);
    let has_control = url.bytes().any(|byte| byte < 0x20 || byte == 0x7f);
    !has_control
        && (url.starts_with('/') || url.split_once(':').is_some_and(|(head, _)| is_scheme(head)))
}

/// Risks with the same name in one group.
fn names(groups: &[&ConditionalGroup]) -> Tally {
    let mut tally = Tally::default();
    for group in groups {
        let mut seen = HashSet::default();
        for name in group.risks.iter().filter_map(|risk| risk.name.as_ref()) {
            if !seen.insert(name.value.as_str()) {
                tally.add(name.span, || {
                    format!("two risks of one update have the name `{}`", shortened(&name.value))
                });
            }
        }
    }
    tally
}

fn wrong_numbers_of_risks(groups: &[&ConditionalGroup]) -> Tally {
    let mut tally = Tally::default();
    for group in groups {
        match group.risks.len() {
            0 => tally.add(group.span, || "a conditional update has no risk".to_owned()),
            n if n > MOST_RISKS => {
                tally.add(group.span, || {
                    format!("a conditional update has {} (limit {MOST_RISKS})", counted(n, "risk"))
                });
            }
            _ => {}
        }
    }
    tally
}

/// Origins of too many conditional updates.
fn targets(subject: &GraphSubject<'_>) -> Tally {
    let mut counts: HashMap<&str, (usize, Span)> = HashMap::default();
    for conditional in
        subject.conditional.iter().filter(|c| c.group.form == GroupForm::EdgesAndRisks)
    {
        let from = &conditional.edge.from;
        counts.entry(&from.value).or_insert((0, from.span)).0 += 1;
    }
    let mut many: Vec<_> = counts.into_iter().filter(|(_, (n, _))| *n > MOST_TARGETS).collect();
    many.sort_unstable_by_key(|(_, (_, span))| *span);
    let mut tally = Tally::default();
    for (from, (n, span)) in many {
        tally.add(span, || {
            format!(
                "`{}` has {} (limit {MOST_TARGETS})",
                shortened(from),
                counted(n, "conditional update")
            )
        });
    }
    tally
}

/// Releases that are in a channel twice.
fn channels(subject: &GraphSubject<'_>) -> Tally {
    let mut tally = Tally::default();
    for node in subject.graph.nodes.iter().flatten() {
        let Some(list) = node.metadata.get(CHANNELS_KEY) else { continue };
        let mut seen = HashSet::default();
        // `rejected-metadata` reports empty entries.
        let mut channels = list.value.split(',').filter(|channel| !channel.is_empty());
        if let Some(twice) = channels.find(|channel| !seen.insert(*channel)) {
            tally.add(list.span, || {
                let (release, twice) = (shortened(&node.version.value), shortened(twice));
                format!("`{release}` is in the channel `{twice}` twice")
            });
        }
    }
    tally
}

fn named(risk: &PlacedRisk) -> String {
    match risk.name.as_ref().filter(|name| !name.value.is_empty()) {
        Some(name) => format!("the risk `{}`", shortened(&name.value)),
        None => "a risk".to_owned(),
    }
}
