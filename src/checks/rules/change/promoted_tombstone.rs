//! A tombstone that is promoted.

use crate::domain::{HashMap, HashSet, Version};
use crate::graph_data::{Channel, ListedVersion, ReleaseId};
use crate::rules::shared::channels::channels_by_name;

use crate::rules::{Change, Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::listed;

pub(super) static RULE: Rule = Rule {
    code: "EP804",
    name: "promoted-tombstone",
    properties: Properties::USUAL,
    family: Family::Change,
    severity: Severity::Warning,
    summary: "a version that the change adds to a channel although it is a tombstone",
    explanation: "\
A tombstone says that a release is not promoted further. A tombstone that is already in
a channel stays there for the clusters that run it. A tombstone that is added later, by
hand or with a whole list, is offered to clusters that should not get it.

This rule runs only with `--base`.",
    bad: "\
internal-channels/candidate.yaml     tombstones: [4.14.2]
before:  channels/fast-4.14.yaml     versions: [4.14.1]
after:   channels/fast-4.14.yaml     versions: [4.14.1, 4.14.2]",
    good: "\
internal-channels/candidate.yaml     tombstones: [4.14.2]
before:  channels/fast-4.14.yaml     versions: [4.14.1]
after:   channels/fast-4.14.yaml     versions: [4.14.1, 4.14.3]",
    check: Check::Change(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let before = channels_by_name(change.before);
    let mut tombstones: HashMap<ReleaseId, &ListedVersion> = HashMap::default();
    for tombstone in change.after.channels.iter().flat_map(|channel| &channel.tombstones) {
        if let Some(release) = tombstone.release {
            tombstones.insert(release, tombstone);
        }
    }
    for channel in change.after.channels.iter().filter(|one| change.is_changed(one.file)) {
        let had: HashSet<&Version> = match before.get(channel.name()) {
            Some(before) => before.versions.iter().filter_map(|m| m.version.as_ref()).collect(),
            None => HashSet::default(),
        };
        let added: Vec<(&ListedVersion, &ListedVersion)> = channel
            .versions
            .iter()
            .filter(|member| member.version.as_ref().is_some_and(|v| !had.contains(v)))
            .filter_map(|member| Some((member, *tombstones.get(&member.release?)?)))
            // A tombstone in the channel's own file stays in its list.
            .filter(|(_, tombstone)| tombstone.text.span.source != channel.file)
            .collect();
        findings.extend(finding(channel, &added));
    }
}

fn finding(channel: &Channel, added: &[(&ListedVersion, &ListedVersion)]) -> Option<Finding> {
    let (first, tombstone) = added.first()?;
    let names: Vec<String> = added.iter().map(|(m, _)| shortened(&m.text.value)).collect();
    let about = names.join(" ");
    let (is, although) = match names.len() {
        1 => ("is", "it is a tombstone"),
        _ => ("are", "they are tombstones"),
    };
    let channel = shortened(channel.name());
    let message =
        format!("{} {is} added to `{channel}`, although {although}", listed(&names, "and"));
    let finding = Finding::at(&RULE, first.text.span, message)
        .about(about)
        .related(tombstone.text.span, "the tombstone")
        .help(
            "remove it from the channel, or remove the tombstone if the release is good after all",
        );
    Some(added[1..].iter().fold(finding, |finding, (member, _)| {
        finding.related(member.text.span, "also a tombstone")
    }))
}
