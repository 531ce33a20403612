//! One channel in two files.

use crate::graph_data::GraphData;

use super::{Check, Family, Finding, Rule, Severity, repeated};

pub(super) static RULE: Rule = Rule {
    code: "EP302",
    name: "duplicate-channel",
    aliases: &[],
    family: Family::Channel,
    severity: Severity::Error,
    summary: "two files with the same channel name",
    explanation: "\
The service serves both, so a release that is in both lists the channel twice. The
Kubernetes API takes a release's channels as a set and refuses the status of every
cluster that stores such a release.",
    bad: "\
channels/stable-4.14.yaml      name: stable-4.14
channels/stable-4.15.yaml      name: stable-4.14",
    good: "\
channels/stable-4.14.yaml      name: stable-4.14
channels/stable-4.15.yaml      name: stable-4.15",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let names = data.channels.iter().filter_map(|channel| {
        let name = channel.name.as_ref()?;
        Some(((channel.public, name.value.as_str()), name))
    });
    for group in repeated(names) {
        for later in &group[1..] {
            findings.push(
                Finding::at(
                    &RULE,
                    later.span,
                    format!("another file is called `{}` too, and clusters cannot store a release that is in both", later.value),
                )
                .related(group[0].span, "the other file says so here")
                .help("give each channel one file; was this one copied and half edited?"),
            );
        }
    }
}
