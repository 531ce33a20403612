//! A release that is missing from the channel of its own minor.

use crate::domain::Minor;
use crate::graph_data::{Channel, ListedVersion, ReleaseId};
use crate::rules::shared::channels::{is_loaded, loaded_channels, upstream_channels};

use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Updates, shortened};
use crate::text::words::listed;

use super::shared::info_if_long_ago;

pub(super) static RULE: Rule = Rule {
    code: "EP312",
    name: "missing-from-own-minor",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a release that the next minor's channel has, but its own minor's channel does not",
    explanation: "\
`stable-4.15` has the 4.14 releases from which a cluster can update to 4.15, and all of
them are also in `stable-4.14`. If 4.14's own channel skips a release, although it has
newer ones, the release was held back there on purpose and leaked here, or it was
forgotten there.

The severity is info if the releases have been in the channel for more than 90 days, or if
their minors are not supported any more.",
    bad: "\
channels/stable-4.14.yaml     4.14.6, 4.14.8
channels/stable-4.15.yaml     4.14.6, 4.14.7, 4.14.8, 4.15.0",
    good: "\
channels/stable-4.14.yaml     4.14.6, 4.14.7, 4.14.8
channels/stable-4.15.yaml     4.14.6, 4.14.7, 4.14.8, 4.15.0",
    check: Check::Promotions(check),
};

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let data = updates.data;
    let channels = loaded_channels(data);
    for channel in data.channels.iter().filter(|channel| is_loaded(data, channel)) {
        let Some(parts) = channel.parts() else { continue };
        // `ahead-of-feeder` reports releases that a source of the channel does not have.
        let sources = upstream_channels(channel, &channels);
        let of = |id: ReleaseId| Minor::of(&data.releases.get(id).version);
        let mut minors: Vec<Minor> = channel.releases.iter().map(|id| of(*id)).collect();
        minors.dedup();
        minors.retain(|minor| *minor != parts.minor);
        for minor in minors {
            let Some(own) = channels.get(format!("{}-{minor}", parts.phase).as_str()) else {
                continue;
            };
            let newest = own.releases.iter().rfind(|id| of(**id) == minor);
            let is_skipped = |member: &&ListedVersion| {
                member.release.is_some_and(|release| {
                    of(release) == minor
                        && !own.holds(release)
                        && newest.is_some_and(|newest| *newest > release)
                        && sources.iter().all(|source| source.holds(release))
                })
            };
            let skipped: Vec<&ListedVersion> = channel.versions.iter().filter(is_skipped).collect();
            if let Some(finding) = finding(channel, own, &skipped) {
                findings.push(info_if_long_ago(finding, updates, channel, &skipped));
            }
        }
    }
}

fn finding(channel: &Channel, own: &Channel, skipped: &[&ListedVersion]) -> Option<Finding> {
    let first = skipped.first()?;
    let names: Vec<String> = skipped.iter().map(|member| shortened(&member.text.value)).collect();
    let about = names.join(" ");
    let (here, there) = (shortened(channel.name()), shortened(own.name()));
    let it = if names.len() == 1 { "it" } else { "them" };
    let message = format!(
        "{} {} in `{here}` but not in `{there}`, which has newer releases",
        listed(&names, "and"),
        if names.len() == 1 { "is" } else { "are" },
    );
    let place = own.name.as_ref().map_or(Place::File(own.file), |name| name.span.into());
    let finding = Finding::at(&RULE, first.text.span, message)
        .about(about)
        .related(place, "the channel that skips it")
        .help(format!("add {it} to `{there}`, or block the updates to {it} if this is on purpose. Do not remove {it} from `{here}`: that strands clusters on {it}"));
    Some(
        skipped[1..]
            .iter()
            .fold(finding, |finding, member| finding.related(member.text.span, "also skipped")),
    )
}
