//! What several rules about channels need.

use crate::graph_data::{Channel, ListedVersion};
use crate::rules::{Finding, Rule, Severity, Updates, shortened};

/// Makes a finding about releases of a channel an info if nobody will act on it, because they have
/// been in the channel for long or their minors are not supported. A change that introduces it
/// still gets the rule's severity.
pub(super) fn info_if_long_ago(
    finding: Finding,
    updates: &Updates<'_>,
    channel: &Channel,
    members: &[&ListedVersion],
) -> Finding {
    let is_long_ago = |member: &&ListedVersion| {
        let is_supported = updates.outlook.zip(member.version.as_ref());
        let is_supported = is_supported
            .is_none_or(|(outlook, version)| outlook.supported.holds(channel.name(), version));
        !is_supported || updates.is_long_ago(channel, &member.text.value)
    };
    let rule: &Rule = finding.rule;
    if members.iter().all(is_long_ago) {
        finding.severity(Severity::Info).when_new(rule.severity)
    } else {
        finding
    }
}

/// The channel that another channel's releases come from, in words.
pub(super) fn source_in_words(channel: &Channel, source: &Channel) -> String {
    let feeder = channel.feeder.as_ref().and_then(|feeder| feeder.name.as_ref());
    let name = shortened(source.name());
    if feeder.is_some_and(|feeder| feeder.value == *source.name()) {
        format!("its feeder `{name}`")
    } else {
        format!("`{name}`")
    }
}
