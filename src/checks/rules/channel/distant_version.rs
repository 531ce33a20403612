//! A version far beyond all others of its minor.

use std::collections::BTreeMap;

use crate::domain::{Minor, Version};
use crate::graph_data::{Channel, GraphData, ListedVersion, NEXT, ReleaseId};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::version_slip;

pub(super) static RULE: Rule = Rule {
    code: "EP320",
    name: "distant-version",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a version in a channel that is far beyond the other releases of its minor",
    explanation: "\
Releases of a minor have consecutive patches, and at most two are skipped in a row. A version
that is much further on is a typo: two digits changed places, or one was typed twice. There is
no such release, so nothing is promoted, and the release that was meant is missing.",
    bad: "versions: [4.14.0, 4.14.1, 4.14.2, 4.14.33]",
    good: "versions: [4.14.0, 4.14.1, 4.14.2, 4.14.3]",
    check: Check::Repository(check),
};

/// The fewest releases without gaps that a minor must have before a later one counts as distant.
const FEW: usize = 3;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let mut distant: BTreeMap<ReleaseId, &Version> = BTreeMap::new();
    // The releases of the minor so far, without gaps.
    let mut before: Vec<&Version> = Vec::new();
    for (id, release) in data.releases.iter() {
        let version = &release.version;
        match before.last() {
            Some(last) if Minor::of(last) != Minor::of(version) => before = vec![version],
            Some(last) if version.patch > last.patch.saturating_add(NEXT) => {
                // A repository may contain only some releases of a minor, so a short sequence
                // proves nothing.
                if before.len() >= FEW {
                    distant.insert(id, last);
                } else {
                    before = vec![version];
                }
            }
            _ => before.push(version),
        }
    }
    for channel in &data.channels {
        let members = channel.versions.iter();
        let distant = members.filter_map(|member| Some((member, distant.get(&member.release?)?)));
        findings.extend(distant.map(|(member, before)| finding(data, channel, member, before)));
    }
}

fn finding(
    data: &GraphData,
    channel: &Channel,
    member: &ListedVersion,
    before: &Version,
) -> Finding {
    let version = shortened(&member.text.value);
    let message = format!(
        "`{version}` is far beyond {before}, the last release of its minor before it: there is no such release yet"
    );
    let finding = Finding::at(&RULE, member.text.span, message);
    let is_listed =
        |slip: &Version| channel.versions.iter().any(|other| other.version.as_ref() == Some(slip));
    let is_expected = |slip: &Version| {
        let is_next = Minor::of(slip) == Minor::of(before)
            && slip.patch > before.patch
            && slip.patch <= before.patch + NEXT;
        !is_listed(slip) && (data.releases.find(slip).is_some() || is_next)
    };
    let slip = member.version.as_ref().and_then(|version| version_slip(version, is_expected));
    match slip {
        Some(meant) => finding.help(format!("did you mean {meant}?")),
        None => finding.help("correct it, or remove it"),
    }
}
