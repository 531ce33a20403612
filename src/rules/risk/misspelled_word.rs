//! A misspelled word in a message.

use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};

use crate::graph_data::GraphData;

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

/// Shorter words have too many neighbors, and longer ones are not words.
const LENGTHS: RangeInclusive<usize> = 6..=40;
/// So many risks must have the right word.
const USUAL: usize = 2;
/// Repositories with more words are not real.
const MOST: usize = 10_000;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let messages = messages(data);
    // How many risks have each word.
    let mut risks: HashMap<String, HashSet<&str>> = HashMap::new();
    for message in &messages {
        for (_, word) in long_words(message.text) {
            risks.entry(word).or_default().insert(name(message));
        }
    }
    let typos = typos(&risks);
    for message in &messages {
        for (at, word) in long_words(message.text) {
            let Some(meant) = typos.get(word.as_str()) else { continue };
            let words = format!("`{}` looks like a typo", shortened(&message.text[at.clone()]));
            let finding = message.finding(&RULE, data, &at, words);
            findings.extend(finding.map(|f| f.help(format!("did you mean `{meant}`?"))));
        }
    }
}

/// The words of one risk that differ in one key stroke from a usual word, with that word.
fn typos<'w>(risks: &'w HashMap<String, HashSet<&str>>) -> HashMap<&'w str, &'w str> {
    let (mut rare, mut usual): (Vec<&str>, HashMap<Ends, Vec<&str>>) = Default::default();
    for (word, risks) in risks {
        match risks.len() {
            1 => rare.push(word),
            USUAL.. => usual.entry(ends(word)).or_default().push(word),
            _ => {}
        }
    }
    if rare.len() > MOST || risks.len() - rare.len() > MOST {
        return HashMap::new();
    }
    let meant = |word: &str| {
        let alike = usual.get(&ends(word))?.iter().copied();
        let slips = alike.filter(|other| is_one_slip(word, other));
        slips.max_by_key(|other| (risks[*other].len(), *other))
    };
    rare.into_iter().filter_map(|word| Some((word, meant(word)?))).collect()
}

/// The first and the last letter of a word. Words that differ there are often forms of one word.
type Ends = (Option<u8>, Option<u8>);

fn ends(word: &str) -> Ends {
    (word.bytes().next(), word.bytes().last())
}

fn is_one_slip(word: &str, other: &str) -> bool {
    word.len().abs_diff(other.len()) <= 1 && strsim::osa_distance(word, other) == 1
}

fn name<'a>(message: &Message<'a>) -> &'a str {
    message.edges.first().and_then(|edge| edge.name.as_ref()).map_or("", |name| &name.value)
}

/// The words of a text that are long enough, in lower case, with their places.
fn long_words(text: &str) -> Vec<(Range<usize>, String)> {
    let mut words = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(|c: char| !c.is_ascii_alphabetic()) {
        let word = part.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        if LENGTHS.contains(&word.len()) {
            words.push((start..start + word.len(), word.to_ascii_lowercase()));
        }
        start += part.len();
    }
    words
}
