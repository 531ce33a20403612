//! One channel in two files.

use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, repeated, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP302",
    name: "duplicate-channel",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Error,
    summary: "two files with the same channel name",
    explanation: "\
The service serves both, so a release that is in both files lists the channel twice. The
Kubernetes API treats a release's channels as a set, and rejects the status of all
clusters that store such a release.",
    bad: "\
channels/stable-4.14.yaml      name: stable-4.14
channels/stable-4.15.yaml      name: stable-4.14",
    good: "\
channels/stable-4.14.yaml      name: stable-4.14
channels/stable-4.15.yaml      name: stable-4.15",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for (public, effect) in [
        (true, "clusters cannot store a release that is in both"),
        (false, "the promotion bot cannot know which one you mean"),
    ] {
        let channels = data.channels.iter().filter(|channel| channel.public == public);
        let names = channels.filter_map(|channel| channel.name.as_ref());
        for group in repeated(names.map(|name| (name.value.as_str(), name))) {
            for later in &group[1..] {
                let name = shortened(&later.value);
                let message =
                    format!("another file also has the channel name `{name}`, and {effect}");
                findings.push(
                    Finding::at(&RULE, later.span, message)
                        .related(group[0].span, "the other file has the name here")
                        .help("use one file for each channel; was this file copied and only partly edited?"),
                );
            }
        }
    }
}
