//! A release that is for one architecture in one channel, but for all in another.

use super::shared::{info_if_long_ago, source_in_words};
use crate::domain::HashMap;
use crate::graph_data::{Channel, ListedVersion, ReleaseId};
use crate::rules::shared::channels::{channels_by_name, upstream_channels};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Updates, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP311",
    name: "mixed-architecture",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a release written with an architecture in one channel, but without one in its feeder",
    explanation: "\
`4.14.3+amd64` is served only to amd64 clusters, `4.14.3` to all clusters. If a channel
and its feeder differ, clusters of some architecture lose the release, or get it early,
when they change channels.

The severity is info if the release has been in the channel for more than 90 days, or if
its minor is not supported any more.",
    bad: "\
channels/candidate-4.14.yaml     4.14.3
channels/fast-4.14.yaml          4.14.3+amd64",
    good: "\
channels/candidate-4.14.yaml     4.14.3
channels/fast-4.14.yaml          4.14.3",
    check: Check::Promotions(check),
};

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let channels = channels_by_name(updates.data);
    for channel in &updates.data.channels {
        for upstream in upstream_channels(channel, &channels) {
            // Few channels name an architecture.
            if names_architectures(channel) || names_architectures(upstream) {
                findings.extend(differences(updates, channel, upstream));
            }
        }
    }
}

fn names_architectures(channel: &Channel) -> bool {
    let mut versions = channel.versions.iter().filter_map(|member| member.version.as_ref());
    versions.any(|version| !version.build.is_empty())
}

fn differences(updates: &Updates<'_>, channel: &Channel, upstream: &Channel) -> Vec<Finding> {
    let mut there: HashMap<ReleaseId, Vec<&ListedVersion>> = HashMap::default();
    for member in &upstream.versions {
        if let Some(release) = member.release {
            there.entry(release).or_default().push(member);
        }
    }
    let mut findings = Vec::new();
    for member in &channel.versions {
        let same = member.release.and_then(|release| there.get(&release));
        let Some(other) = same.and_then(|same| same.first()) else { continue };
        if same.is_some_and(|same| same.iter().any(|other| other.version == member.version)) {
            continue;
        }
        let message = format!(
            "this channel has `{}`, but {} has `{}`",
            shortened(&member.text.value),
            source_in_words(channel, upstream),
            shortened(&other.text.value)
        );
        let finding = Finding::at(&RULE, member.text.span, message)
            .related(other.text.span, "the entry in the other channel")
            .help(
                "write it the same in both: without an architecture, it is served to all clusters",
            );
        findings.push(info_if_long_ago(finding, updates, channel, &[member]));
    }
    findings
}
