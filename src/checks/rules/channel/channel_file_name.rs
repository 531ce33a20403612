//! A channel file whose name differs from the channel's name.

use crate::domain::channel_name::is_servable;
use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP303",
    name: "channel-file-name",
    properties: Properties::OF_ONE_CHANNEL,
    family: Family::Channel,
    severity: Severity::Info,
    summary: "a channel file that is not named `<name>.yaml`",
    explanation: "\
The service uses the `name` in the file. People and scripts look for the file by its
file name. If the two differ, one of them is usually a mistake.",
    bad: "channels/stable-4.15.yaml      name: stable-4.14",
    good: "channels/stable-4.15.yaml      name: stable-4.15",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for channel in &data.channels {
        let Some(name) = channel.name.as_ref().filter(|name| !name.value.is_empty()) else {
            continue;
        };
        // `unservable-channel-name` proposes a better name.
        if name.value == *channel.stem || channel.public && !is_servable(&name.value) {
            continue;
        }
        let (name, span, stem) = (shortened(&name.value), name.span, &channel.stem);
        let message = format!("the channel is named `{name}`, but its file is `{stem}.yaml`");
        findings.push(
            Finding::at(&RULE, span, message)
                .help(format!("rename the file to `{name}.yaml`, or the channel to `{stem}`")),
        );
    }
}
