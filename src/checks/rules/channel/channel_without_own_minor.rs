//! A channel without any release of its own minor.

use crate::domain::Minor;
use crate::graph_data::GraphData;
use crate::rules::shared::channels::is_loaded;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP322",
    name: "channel-without-own-minor",
    properties: Properties::OF_ONE_CHANNEL,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a channel without any release of its own minor",
    explanation: "\
A cluster changes to `fast-4.15` to update to 4.15. If the channel has only older releases, it
is usually a copy of another channel's file in which only the name was edited. A candidate
channel can be made before the minor has its first release.",
    bad: "channels/fast-4.15.yaml     4.14.1, 4.14.2",
    good: "channels/fast-4.15.yaml     4.14.1, 4.14.2, 4.15.0",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for channel in data.channels.iter().filter(|channel| channel.public) {
        let Some(parts) = channel.parts().filter(|parts| parts.phase != "candidate") else {
            continue;
        };
        let minors = channel.releases.iter().map(|id| Minor::of(&data.releases.get(*id).version));
        let has_own = minors.clone().any(|minor| minor == parts.minor);
        // Other rules report invalid versions and newer minors.
        let has_older = minors.clone().any(|minor| minor < parts.minor);
        if has_own || !has_older || !is_loaded(data, channel) {
            continue;
        }
        let place =
            channel.name.as_ref().map_or(Place::File(channel.file), |name| name.span.into());
        let message = format!(
            "`{}` has no release of {}: clusters in it cannot get there",
            shortened(channel.name()),
            parts.minor
        );
        findings.push(Finding::on(&RULE, place, message).help(
            "was the file copied from another channel? Correct `name`, or replace the versions and the filter",
        ));
    }
}
