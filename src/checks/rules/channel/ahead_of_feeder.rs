//! A channel that is ahead of its feeder.

use super::shared::{info_if_long_ago, source_in_words};
use crate::domain::Minor;
use crate::graph_data::{Channel, ListedVersion, ReleaseId, tombstones};
use crate::rules::shared::channels::{is_loaded, loaded_channels, upstream_channels};

use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Updates, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP310",
    name: "ahead-of-feeder",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a channel with a release that its feeder, or the channel before it, does not have",
    explanation: "\
Releases go from candidate to fast to stable, and from each channel's feeder into the
channel. A release that is missing from the feeder was promoted by hand without the bot's
checks, or was lost in the feeder. A cluster that changes to that channel does not find
its own version there, and gets no updates (`VersionNotFound`).

The severity is info if the releases have been in the channel for more than 90 days, or if
their minors are not supported any more.",
    bad: "\
channels/stable-4.14.yaml     4.14.7
channels/fast-4.14.yaml       (no 4.14.7)",
    good: "\
channels/stable-4.14.yaml     4.14.7
channels/fast-4.14.yaml       4.14.7",
    check: Check::Promotions(check),
};

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let data = updates.data;
    let channels = loaded_channels(data);
    for channel in data.channels.iter().filter(|channel| is_loaded(data, channel)) {
        for upstream in upstream_channels(channel, &channels) {
            let lacking: Vec<ReleaseId> = upstream.lacking(&channel.releases).collect();
            if lacking.is_empty() {
                continue;
            }
            let is_lacking = |release: ReleaseId| lacking.binary_search(&release).is_ok();
            let ahead = channel.versions.iter();
            let ahead = ahead.filter(|member| member.release.is_some_and(is_lacking));
            let ahead: Vec<&ListedVersion> =
                ahead.filter(|member| !is_of_newer_minor(channel, member)).collect();
            findings.extend(finding(updates, channel, upstream, &ahead));
        }
    }
}

/// Whether `newer-minor-in-channel` reports the release.
fn is_of_newer_minor(channel: &Channel, member: &ListedVersion) -> bool {
    let minor = channel.parts().map(|parts| parts.minor);
    let version = member.version.as_ref();
    channel.public && version.zip(minor).is_some_and(|(version, minor)| Minor::of(version) > minor)
}

fn finding(
    updates: &Updates<'_>,
    channel: &Channel,
    upstream: &Channel,
    ahead: &[&ListedVersion],
) -> Option<Finding> {
    let first = ahead.first()?;
    let names: Vec<String> = ahead.iter().map(|member| shortened(&member.text.value)).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let (here, there) = (shortened(channel.name()), shortened(upstream.name()));
    let about = names.join(" ");
    let source = source_in_words(channel, upstream);
    let message = format!("{} {is} in `{here}` but not in {source}", listed(&names, "and"));
    let withdrawn = tombstones(updates.data);
    let is_withdrawn =
        |member: &&ListedVersion| member.release.is_some_and(|id| withdrawn.contains(&id));
    let help = if ahead.iter().all(is_withdrawn) {
        let (tombstones, it) = match names.len() {
            1 => (format!("{} is a tombstone", names[0]), "it"),
            _ => (format!("{} are tombstones", listed(&names, "and")), "them"),
        };
        format!(
            "{tombstones}, and tombstones are not promoted. If no cluster can be on {it} yet, remove {it}; otherwise keep {it}, and block the updates to {it}"
        )
    } else {
        format!("also add it to `{there}`, or remove it here if no cluster can be on it yet")
    };
    let place = upstream.name.as_ref().map_or(Place::File(upstream.file), |name| name.span.into());
    let finding = Finding::at(&RULE, first.text.span, message)
        .about(about)
        .related(place, "this channel does not have it")
        .help(help);
    let finding = info_if_long_ago(finding, updates, channel, ahead);
    Some(ahead[1..].iter().fold(finding, |finding, member| {
        finding.related(member.text.span, "this one is also missing there")
    }))
}
