//! A channel without releases of an older minor.

use crate::domain::Minor;
use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP316",
    name: "channel-without-origins",
    properties: Properties::OF_ONE_CHANNEL,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a candidate channel without any release of the previous minor",
    explanation: "\
A cluster changes to `candidate-4.15` while it still runs 4.14. It must find its own
version there, or it gets no updates (`VersionNotFound`). A channel with only 4.15
releases serves only new clusters.",
    bad: "\
channels/candidate-4.15.yaml     4.15.0, 4.15.1",
    good: "\
channels/candidate-4.15.yaml     4.14.9, 4.15.0, 4.15.1",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for channel in data.channels.iter().filter(|channel| channel.public) {
        // Other channels have only their own minor until updates to it are enabled.
        let parts = channel.parts().filter(|parts| parts.phase == "candidate");
        let Some(parts) = parts else { continue };
        let Some(before) = data.releases.minor_before(parts.minor) else { continue };
        let minors =
            || channel.releases.iter().map(|id| Minor::of(&data.releases.get(*id).version));
        if !minors().any(|minor| minor == parts.minor) || minors().any(|minor| minor < parts.minor)
        {
            continue;
        }
        let place =
            channel.name.as_ref().map_or(Place::File(channel.file), |name| name.span.into());
        let message = format!(
            "`{}` has no release of {before}, so no cluster can update from that minor",
            shortened(channel.name())
        );
        findings.push(
            Finding::on(&RULE, place, message)
                .help(format!("add the releases of {before} that can update to {}", parts.minor)),
        );
    }
}
