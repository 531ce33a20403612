//! A misspelled word in a message.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::graph_data::GraphData;
use crate::text::one_slip_away;

use super::shared::{Message, messages};
use crate::rules::{Check, Family, Finding, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP233",
    name: "misspelled-word",
    aliases: &[],
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a word in a message that looks like a typo of a word in other messages",
    explanation: "\
Administrators read the message in the console before they decide. The rule knows only the
words of the repository. It reports a long word that is in the messages of one risk only, and
differs in one key stroke, not at an end, from a word in the messages of two other risks.",
    bad: "message: The kublet does not start.",
    good: "message: The kubelet does not start.",
    check: Check::Declarations(check),
};

/// Shorter words have too many neighbors.
const SHORTEST: usize = 6;
/// So many other risks must have the right word.
const USUAL: usize = 2;
/// Repositories with more rare words are not real.
const MOST: usize = 10_000;
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let messages = messages(data);
    // How many risks have each word.
    let mut risks: HashMap<String, HashSet<&str>> = HashMap::new();
    for message in &messages {
        for (_, word) in long_words(message.text) {
            risks.entry(word).or_default().insert(name(message));
        }
    }
    let count = |word: &str| risks.get(word).map_or(0, HashSet::len);
    let rare: HashSet<&str> =
        risks.keys().map(String::as_str).filter(|word| count(word) == 1).collect();
    if rare.len() > MOST {
        return;
    }
    let meant = |word: &str| {
        let slips = one_slip_away(word, LETTERS).filter(|other| has_ends_of(word, other));
        slips.filter(|other| count(other) >= USUAL).max_by_key(|other| count(other))
    };
    let typos: HashMap<&str, String> =
        rare.into_iter().filter_map(|word| Some((word, meant(word)?))).collect();
    for message in &messages {
        for (at, word) in long_words(message.text) {
            let Some(meant) = typos.get(word.as_str()) else { continue };
            let words = format!("`{}` looks like a typo", shortened(&message.text[at.clone()]));
            let finding = message.finding(&RULE, data, &at, words);
            findings.extend(finding.map(|f| f.help(format!("did you mean `{meant}`?"))));
        }
    }
}

fn name<'a>(message: &Message<'a>) -> &'a str {
    message.edges.first().and_then(|edge| edge.name.as_ref()).map_or("", |name| &name.value)
}

/// Whether two words begin and end alike. Words that do not are often different forms of one.
fn has_ends_of(word: &str, other: &str) -> bool {
    word.chars().next() == other.chars().next() && word.chars().last() == other.chars().last()
}

/// The long words of a text in lower case, with their places.
fn long_words(text: &str) -> Vec<(Range<usize>, String)> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
        let word = part.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        if word.len() >= SHORTEST {
            words.push((start..start + word.len(), word.to_ascii_lowercase()));
        }
        start += part.len();
    }
    words
}
