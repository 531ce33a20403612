//! A word that a message has twice in a row.

use std::ops::Range;

use crate::graph_data::GraphData;

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

use super::shared::messages;

pub(super) static RULE: Rule = Rule {
    code: "EP229",
    name: "doubled-word",
    properties: Properties::OF_TEXTS_OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a word that a message has twice in a row",
    explanation: "\
Administrators read the message in the console before they decide. A word that is there
twice (`the the`) is usually left over from an edit.",
    bad: "message: Nodes do not come back after the the first reboot.",
    good: "message: Nodes do not come back after the first reboot.",
    check: Check::Declarations(check),
};

/// Words that can be correct twice in a row.
const CAN_BE_RIGHT: [&str; 2] = ["had", "that"];

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for message in messages(data) {
        let Some(at) = doubled(message.text) else { continue };
        let words =
            format!("the message says `{}` twice in a row", shortened(&message.text[at.clone()]));
        let finding = message.finding(&RULE, data, &at, words);
        findings.extend(finding.map(|finding| finding.help("remove one of the two")));
    }
}

/// The place of the second of two equal words with only whitespace between them.
fn doubled(text: &str) -> Option<Range<usize>> {
    let (mut start, mut before, mut breaks_line) = (0, "", false);
    for word in text.split_inclusive(char::is_whitespace) {
        // Punctuation after the first word ends its clause. Punctuation after the second word does
        // not matter.
        let plain = word.trim_end_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
        // A capital letter can begin the next item of a list.
        let begins_item = breaks_line && plain.starts_with(char::is_uppercase);
        if is_word(plain) && before.eq_ignore_ascii_case(plain) && !begins_item {
            return Some(start..start + plain.len());
        }
        start += word.len();
        if !word.trim().is_empty() {
            (before, breaks_line) = (word.trim(), false);
        }
        breaks_line |= word.ends_with('\n');
    }
    None
}

fn is_word(text: &str) -> bool {
    let can_be_right = || CAN_BE_RIGHT.iter().any(|word| text.eq_ignore_ascii_case(word));
    !text.is_empty() && text.chars().all(char::is_alphabetic) && !can_be_right()
}
