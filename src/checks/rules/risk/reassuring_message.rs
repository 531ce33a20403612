//! A message that says that the update works.

use std::ops::Range;

use crate::graph_data::GraphData;

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

use super::shared::messages;

pub(super) static RULE: Rule = Rule {
    code: "EP230",
    name: "reassuring-message",
    properties: Properties::OF_TEXTS_OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a message that says that the update works, and nothing else",
    explanation: "\
A message tells administrators what goes wrong on their cluster. `Updates will complete`
says the opposite: usually a `not` is missing. The rule ignores messages with any word
that limits what they promise, such as `but`, `after`, or `until`.",
    bad: "message: Updates will complete due to a missing config map.",
    good: "message: Updates will not complete due to a missing config map.",
    check: Check::Declarations(check),
};

const PROMISES: [&str; 6] = [
    "can complete",
    "can succeed",
    "completes successfully",
    "will complete",
    "will finish",
    "will succeed",
];

/// Words that limit a promise or announce a problem.
const LIMITS: [&str; 51] = [
    "after",
    "although",
    "and",
    "before",
    "but",
    "cannot",
    "crash",
    "crashes",
    "degraded",
    "delay",
    "delayed",
    "delays",
    "down",
    "during",
    "error",
    "errors",
    "eventually",
    "except",
    "fail",
    "failed",
    "failing",
    "fails",
    "failure",
    "failures",
    "hang",
    "hangs",
    "however",
    "if",
    "long",
    "longer",
    "lose",
    "loss",
    "lost",
    "may",
    "might",
    "never",
    "no",
    "not",
    "once",
    "only",
    "slow",
    "stop",
    "stops",
    "stuck",
    "unable",
    "unavailable",
    "unless",
    "until",
    "when",
    "while",
    "without",
];

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for message in messages(data) {
        let Some(at) = promise(message.text) else { continue };
        let promise = shortened(&message.text[at.clone()]);
        let words = format!("the message says `{promise}`, and not what goes wrong");
        let finding = message.finding(&RULE, data, &at, words);
        findings.extend(finding.map(|finding| {
            finding.help("is a `not` missing? Otherwise, say what happens to affected clusters")
        }));
    }
}

fn promise(text: &str) -> Option<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let find = |promise: &&str| {
        let at = lower.find(*promise)?;
        let end = at + promise.len();
        (!lower[end..].starts_with(char::is_alphabetic)).then_some(at..end)
    };
    let at = PROMISES.iter().find_map(find)?;
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let is_limited = words.any(|word| LIMITS.contains(&word) || word.ends_with("n't"));
    (!is_limited).then_some(at)
}
