//! A wrong version in a message.

use std::ops::Range;

use crate::domain::Minor;
use crate::domain::version::{self, Version};
use crate::graph_data::{BlockedEdge, GraphData};

use super::shared::{Message, messages};
use crate::rules::shared::words::subjects;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP216",
    name: "message-version",
    properties: Properties::OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a message that names a release that cannot be right",
    explanation: "\
Administrators do what the message says. `Update to 4.14.16 or later` is right for a risk
on 4.14.3. It is wrong for a risk on 4.15.0: that release is later than 4.14.16, and it
has the bug. A release that was never published is a typo.",
    bad: "\
to: 4.15.0
message: Nodes may not start. Update to 4.14.16 or later.",
    good: "\
to: 4.15.0
message: Nodes may not start. Update to 4.14.16 or later 4.14, or to 4.15.3 or later.",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for message in messages(data) {
        for (at, release) in releases_named(message.text) {
            findings.extend(wrong_for_target(data, &message, &at, &release));
            findings.extend(unknown(data, &message, &at, &release));
        }
    }
}

/// The finding for `X or later` if X is in the minor of one target, but another target is in a
/// later minor.
fn wrong_for_target(
    data: &GraphData,
    Message { text, edges }: &Message<'_>,
    at: &Range<usize>,
    release: &Version,
) -> Option<Finding> {
    let rest = text[at.end..].trim_start();
    // `4.14.16 or later 4.14` names the minor.
    let later = rest.strip_prefix("or later").or_else(|| rest.strip_prefix("and later"))?;
    if later.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let minor = Minor::of(release);
    let of = |edge: &&&BlockedEdge, wanted: std::cmp::Ordering| {
        edge.target.as_ref().is_some_and(|target| Minor::of(target).cmp(&minor) == wanted)
    };
    edges.iter().find(|edge| of(edge, std::cmp::Ordering::Equal))?;
    let wrong: Vec<_> = edges.iter().filter(|edge| of(edge, std::cmp::Ordering::Greater)).collect();
    // If the message also names a release of the other target's minor, it is right for both.
    let names_other = |edge: &&&&BlockedEdge| {
        let target = edge.target.as_ref().map(Minor::of);
        releases_named(text).iter().any(|(_, named)| Some(Minor::of(named)) == target)
    };
    let first = wrong.iter().find(|edge| !names_other(edge))?;
    let target = first.target.as_ref()?;
    let message =
        format!("the message says `{release} or later`, but the target {target} is already later");
    let mut finding = Finding::at(
        &RULE,
        data.span_within(first.file, first.message.as_ref()?.node, at.clone()),
        message,
    )
    .grouped(format!("{}: {release} or later", subjects(edges.iter().copied())))
    .help(format!(
        "name the {} release without the risk, or say which minor you mean",
        Minor::of(target)
    ));
    for edge in wrong.iter().filter(|edge| edge.file != first.file) {
        if let Some(message) = &edge.message {
            finding = finding.copy(message.span, "the same message");
        }
    }
    Some(finding)
}

/// The finding for an unknown release of a minor that has known later releases.
fn unknown(
    data: &GraphData,
    message: &Message<'_>,
    at: &Range<usize>,
    release: &Version,
) -> Option<Finding> {
    let newest = data.releases.of_minor(Minor::of(release)).next_back()?;
    let is_past = data.releases.get(newest).version > *release;
    if !is_past || data.releases.find(release).is_some() {
        return None;
    }
    let mut tombstones = data.channels.iter().flat_map(|channel| &channel.tombstones);
    if tombstones.any(|tombstone| tombstone.version.as_ref() == Some(release)) {
        return None;
    }
    let words = format!("the message names {release}, which is not a release in any channel");
    let finding = message.finding(&RULE, data, at, words)?;
    Some(finding.help("is it a typo, or the version of something else?"))
}

/// The most bytes of a message that are read.
const LONGEST: usize = 4096;
/// The most releases of a message that are checked.
const MOST: usize = 16;

/// The full versions in a text, but not those in longer words such as `kernel-4.18.0-372`.
fn releases_named(text: &str) -> Vec<(Range<usize>, Version)> {
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let is_part = |c: char| c.is_ascii_alphanumeric() || ".-+_/".contains(c);
    let mut named = Vec::new();
    let mut start = 0;
    for word in text.split(|c: char| !is_part(c)) {
        let plain = word.trim_end_matches(['.', '-']);
        let version = version::parse(plain).filter(|version| version.major >= 4);
        // `4.12.0-rc.[1-7]` names several versions.
        if let Some(version) = version.filter(|_| !text[start + word.len()..].starts_with('[')) {
            named.push((start..start + plain.len(), version));
        }
        start += word.len();
        start += text[start..].chars().next().map_or(0, char::len_utf8);
    }
    named.truncate(MOST);
    named
}
