//! A release of a newer minor than the channel's.

use crate::domain::Minor;
use crate::graph_data::{Channel, GraphData, ListedVersion};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP321",
    name: "newer-minor-in-channel",
    properties: Properties::OF_ONE_CHANNEL,
    family: Family::Channel,
    severity: Severity::Error,
    summary: "a release of a newer minor than the channel's",
    explanation: "\
`stable-4.14` keeps clusters at 4.14. With a 4.15 release in it, they are offered an update to
the next minor that their administrators did not choose, and there is no update back. The release
belongs in the channel of its own minor.",
    bad: "channels/stable-4.14.yaml     4.14.2, 4.15.3",
    good: "channels/stable-4.15.yaml     4.14.2, 4.15.3",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let newer = |channel: &Channel, minor: Minor| -> Vec<ListedVersion> {
        let is_newer = |member: &&ListedVersion| {
            member.version.as_ref().is_some_and(|version| Minor::of(version) > minor)
        };
        channel.versions.iter().filter(is_newer).cloned().collect()
    };
    for channel in data.channels.iter().filter(|channel| channel.public) {
        let Some(parts) = channel.parts() else { continue };
        let members = newer(channel, parts.minor);
        let Some((first, others)) = members.split_first() else { continue };
        let names: Vec<String> =
            members.iter().map(|member| shortened(&member.text.value)).collect();
        let (is, it) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
        let message = format!(
            "{} {is} of a newer minor than `{}`: clusters that stay at {} are offered {it}",
            listed(&names, "and"),
            shortened(channel.name()),
            parts.minor,
        );
        let finding = Finding::at(&RULE, first.text.span, message)
            .about(names.join(" "))
            .help(format!("move {it} to the channel of the newer minor"));
        findings.push(others.iter().fold(finding, |finding, member| {
            finding.related(member.text.span, "also of a newer minor")
        }));
    }
}
