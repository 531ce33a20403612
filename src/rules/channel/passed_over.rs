//! A release that was not promoted with its neighbors.

use std::collections::BTreeMap;

use super::shared::{filter_allows, source_in_words};
use crate::domain::Minor;
use crate::graph_data::{Channel, GraphData, Member, ReleaseId, tombstones};
use crate::rules::shared::channels::channels_by_name;

use crate::rules::{Check, Family, Finding, Place, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP313",
    name: "passed-over",
    aliases: &[],
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a release that a channel skips, although its feeder has it and its filter allows it",
    explanation: "\
The bot promotes releases in order. If a release is missing although newer ones of its
minor were promoted, it was lost: in a conflict, or when the channel was filled by hand.
Clusters on it that change to this channel get no updates (`VersionNotFound`). An eus
channel is also compared with the stable channel of its minor. A release that is held
back on purpose is a tombstone.",
    bad: "\
internal-channels/stable.yaml     4.14.6, 4.14.7, 4.14.8
channels/eus-4.14.yaml            4.14.6, 4.14.8",
    good: "\
internal-channels/stable.yaml     4.14.6, 4.14.7, 4.14.8
channels/eus-4.14.yaml            4.14.6, 4.14.7, 4.14.8",
    check: Check::Repository(check),
};

/// A channel that releases come from, and which of them.
struct ReleaseSource<'a> {
    channel: &'a Channel,
    filter: Option<&'a str>,
    minor: Option<Minor>,
    /// Whether releases are promoted at once, so that a release that lags behind is lost.
    at_once: bool,
}

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let channels = channels_by_name(data);
    let withdrawn = tombstones(data);
    for channel in &data.channels {
        let ahead = fast_channel(channel, &channels);
        for source in sources(channel, &channels) {
            let is_lost =
                |release: &ReleaseId| is_lost_release(data, channel, &source, ahead, *release);
            let mut lost: Vec<ReleaseId> = Vec::new();
            for minor in minors(data, channel) {
                let there = data.releases.within(&source.channel.releases, minor);
                lost.extend(there.iter().filter(|id| is_lost(id) && !withdrawn.contains(id)));
            }
            let is_lost =
                |member: &&Member| member.release.is_some_and(|id| lost.binary_search(&id).is_ok());
            let lost: Vec<&Member> = source.channel.versions.iter().filter(is_lost).collect();
            findings.extend(finding(channel, source.channel, &lost));
        }
    }
}

fn minors(data: &GraphData, channel: &Channel) -> Vec<Minor> {
    let minor = |id: &ReleaseId| Minor::of(&data.releases.get(*id).version);
    let mut minors: Vec<Minor> = channel.releases.iter().map(minor).collect();
    minors.dedup();
    minors
}

/// Whether a channel lacks a release of its source, although newer ones of its minor were promoted.
fn is_lost_release(
    data: &GraphData,
    channel: &Channel,
    source: &ReleaseSource<'_>,
    ahead: Option<&Channel>,
    release: ReleaseId,
) -> bool {
    let version = &data.releases.get(release).version;
    let minor = Minor::of(version);
    let here = data.releases.within(&channel.releases, minor);
    if channel.holds(release) || here.first().is_none_or(|oldest| *oldest > release) {
        return false;
    }
    let own = channel.parts().is_none_or(|parts| parts.minor == minor);
    let is_due = source.at_once && (own || ahead.is_some_and(|ahead| ahead.holds(release)));
    let there = data.releases.within(&source.channel.releases, minor);
    let newest = if is_due { there.last() } else { here.last() };
    newest.is_some_and(|newest| *newest > release)
        && source.minor.is_none_or(|of| of == minor)
        && source.filter.is_none_or(|filter| filter_allows(filter, &version.to_string()))
}

/// The fast channel of a stable or eus channel's minor. A release of an earlier minor stays out of
/// both until it can be updated to the minor. If it is in the fast channel, that is the case.
fn fast_channel<'a>(
    channel: &Channel,
    channels: &BTreeMap<&str, &'a Channel>,
) -> Option<&'a Channel> {
    let parts = channel.parts().filter(|parts| matches!(parts.phase, "stable" | "eus"))?;
    channels.get(format!("fast-{}", parts.minor).as_str()).copied()
}

fn sources<'a>(
    channel: &'a Channel,
    channels: &BTreeMap<&str, &'a Channel>,
) -> impl Iterator<Item = ReleaseSource<'a>> {
    let of = |name: &str| channels.get(name).copied().filter(|from| from.file != channel.file);
    let feeder = channel.feeder.as_ref().and_then(|feeder| {
        let filter = feeder.filter.as_ref().map(|filter| filter.value.as_str());
        let at_once = feeder.delay.as_ref().is_some_and(|delay| delay.value == "PT0H");
        Some(ReleaseSource {
            channel: of(&feeder.name.as_ref()?.value)?,
            filter,
            minor: None,
            at_once,
        })
    });
    let stable = channel.parts().filter(|parts| parts.phase == "eus").and_then(|parts| {
        let stable = of(&format!("stable-{}", parts.minor))?;
        // If the feeder is the stable channel, it is already a source.
        let is_fed = feeder.as_ref().is_some_and(|feeder| feeder.channel.file == stable.file);
        (!is_fed).then_some(ReleaseSource {
            channel: stable,
            filter: None,
            minor: Some(parts.minor),
            at_once: true,
        })
    });
    feeder.into_iter().chain(stable)
}

fn finding(channel: &Channel, source: &Channel, lost: &[&Member]) -> Option<Finding> {
    let first = lost.first()?;
    let names: Vec<String> = lost.iter().map(|member| shortened(&member.text.value)).collect();
    let about = names.join(" ");
    let message = format!(
        "`{}` does not have {}, but {} has {}, and newer releases were promoted",
        shortened(channel.name()),
        listed(&names, "and"),
        source_in_words(channel, source),
        if names.len() == 1 { "it" } else { "them" },
    );
    let place = channel.feeder.as_ref().map(|feeder| feeder.key);
    let place = place.or(channel.name.as_ref().map(|name| name.span));
    let place = place.map_or(Place::File(channel.file), Place::Text);
    let finding = Finding::on(&RULE, place, message)
        .about(about)
        .related(first.text.span, "it is listed here")
        .help("add it, or make it a tombstone in the feeder if it is held back on purpose");
    Some(lost[1..].iter().fold(finding, |finding, member| {
        finding.related(member.text.span, "this one is also missing")
    }))
}
