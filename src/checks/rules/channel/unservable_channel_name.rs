//! A channel name that crashes the service, or that no cluster can request.

use crate::domain::channel_name::{is_name_character, is_servable};
use crate::graph_data::{FileKind, Location};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, Subject};

pub(super) static RULE: Rule = Rule {
    code: "EP301",
    name: "unservable-channel-name",
    properties: Properties::USUAL,
    family: Family::Channel,
    severity: Severity::Error,
    summary: "a public channel name without `-`, or with characters that no cluster can request",
    explanation: "\
The service sorts the channels of a release by the text after the first `-` in their
names. A name without `-` crashes the service as soon as a release is in two channels.
Clusters can only request names with lowercase letters, digits, `.`, and `-`. The
service answers any other name with an error.

Internal channels are never served, and have no `-`.",
    bad: "name: Stable_4.14",
    good: "name: stable-4.14",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.file.kind != FileKind::Channel {
        return;
    }
    // `empty-text` reports an empty name.
    let Some(name) = subject.file.text("name").filter(|name| !name.value.is_empty()) else {
        return;
    };
    let message = match name.value.chars().find(|c| !is_name_character(*c)) {
        Some(' ') => "no cluster can request this channel: its name contains a space".to_owned(),
        Some(wrong) => format!("no cluster can request this channel: its name contains `{wrong}`"),
        None if !name.value.contains('-') => {
            "a public channel name without `-` crashes the service".to_owned()
        }
        None => return,
    };
    let stem = Location::of(subject.path()).name.trim_end_matches(".yaml");
    let help = if is_servable(stem) {
        format!("name it `{stem}`, like its file")
    } else {
        "use lowercase letters, digits, and `.`, with a `-`: `stable-4.14`".to_owned()
    };
    findings.push(Finding::at(&RULE, name.span, message).help(help));
}
