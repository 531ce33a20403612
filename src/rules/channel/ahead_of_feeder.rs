//! A channel that is ahead of what feeds it.

use crate::graph_data::{Channel, GraphData, Member, tombstones};
use crate::rules::feeders::{by_name, upstream};
use crate::rules::origins::listed;
use crate::rules::{Check, Family, Finding, Place, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP310",
    name: "ahead-of-feeder",
    aliases: &[],
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a channel with a release that its feeder, or the phase before, does not have",
    explanation: "\
Releases go from candidate to fast to stable, and from each channel's feeder into it.
One that is further on than where it comes from was promoted by hand, past what the
bot checks, or lost upstream. A cluster that changes to the channel before does not
find its own version there, and gets no updates (`VersionNotFound`).",
    bad: "\
channels/stable-4.14.yaml     4.14.7
channels/fast-4.14.yaml       (no 4.14.7)",
    good: "\
channels/stable-4.14.yaml     4.14.7
channels/fast-4.14.yaml       4.14.7",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let channels = by_name(data);
    for channel in &data.channels {
        for upstream in upstream(channel, &channels) {
            let ahead: Vec<&Member> = channel
                .versions
                .iter()
                .filter(|member| member.release.is_some_and(|release| !upstream.holds(release)))
                .collect();
            findings.extend(finding(data, channel, upstream, &ahead));
        }
    }
}

fn finding(
    data: &GraphData,
    channel: &Channel,
    upstream: &Channel,
    ahead: &[&Member],
) -> Option<Finding> {
    let first = ahead.first()?;
    let names: Vec<String> = ahead.iter().map(|member| shortened(&member.text.value)).collect();
    let is = if names.len() == 1 { "is" } else { "are" };
    let (here, there) = (shortened(channel.name()), shortened(upstream.name()));
    let about = names.join(" ");
    let message =
        format!("{} {is} in `{here}` and not in `{there}`, where it comes from", listed(names));
    let withdrawn = tombstones(data);
    let is_withdrawn = |member: &&Member| member.release.is_some_and(|id| withdrawn.contains(&id));
    let help = if ahead.iter().all(is_withdrawn) {
        "a tombstone is not promoted: if no cluster can be on it yet, take it out; else leave it, and block the updates to it"
            .to_owned()
    } else {
        format!("add it to `{there}` too, or take it out here if no cluster can be on it yet")
    };
    let place = upstream.name.as_ref().map_or(Place::File(upstream.file), |name| name.span.into());
    let finding = Finding::at(&RULE, first.text.span, message)
        .about(about)
        .related(place, "this channel does not have it")
        .help(help);
    Some(
        ahead[1..]
            .iter()
            .fold(finding, |finding, member| finding.related(member.text.span, "nor this one")),
    )
}
