//! A feeder that sends the releases of all minors to one channel.

use crate::graph_data::GraphData;
use crate::rules::shared::channels::channels_by_name;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP317",
    name: "feeder-without-filter",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a feeder without a filter, from a channel that has all minors",
    explanation: "\
The internal channels have the releases of all minors. Without a filter, the bot promotes
all of them into a channel that is for one minor, and clusters are offered updates that
skip minors.",
    bad: "\
name: stable-4.14
feeder:
  name: stable
  delay: PT0H",
    good: "\
name: stable-4.14
feeder:
  name: stable
  filter: 4[.]1[34][.][0-9].*
  delay: PT0H",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let channels = channels_by_name(data);
    for channel in data.channels.iter().filter(|channel| channel.public) {
        let Some(feeder) = channel.feeder.as_ref().filter(|feeder| feeder.filter.is_none()) else {
            continue;
        };
        let Some(name) = &feeder.name else { continue };
        let source = channels.get(name.value.as_str());
        if source.is_none_or(|source| source.public) || channel.parts().is_none() {
            continue;
        }
        let message = format!(
            "without a filter, the bot promotes all releases of `{}` to `{}`",
            shortened(&name.value),
            shortened(channel.name()),
        );
        findings.push(Finding::at(&RULE, feeder.key, message).help(
            "add a `filter` that matches the versions of this minor and of the minors before it",
        ));
    }
}
