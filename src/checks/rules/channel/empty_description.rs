//! An empty description of a channel.

use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP318",
    name: "empty-description",
    properties: Properties::OF_ONE_CHANNEL,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a description of a channel that is empty, or only white space",
    explanation: "\
Administrators read the description of a channel before they choose it. An empty one says
nothing: the list of channels then has a default text, or no text at all. Without the key,
it is the same, and nobody wonders which text is missing.",
    bad: "description: ''",
    good: "description: Releases that passed the tests of our own hardware.",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let public = data.channels.iter().filter(|channel| channel.public);
    let descriptions = public.filter_map(|channel| channel.description.as_ref());
    for description in descriptions.filter(|text| text.value.trim().is_empty()) {
        let message = "the description is empty: administrators do not see what the channel is for";
        let help = "remove the key, or write a sentence";
        findings.push(Finding::at(&RULE, description.span, message).help(help));
    }
}
