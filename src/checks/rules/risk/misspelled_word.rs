//! A misspelled word in a message.

use std::ops::{Range, RangeInclusive};

use crate::domain::{HashMap, HashSet};
use crate::graph_data::GraphData;

use super::shared::{Message, messages};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP233",
    name: "misspelled-word",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Warning,
    summary: "a word in a message that looks like a typo of a word in other messages",
    explanation: "\
Administrators read the message in the console before they decide. The rule knows only the
words of the repository. It reports a word of six letters or more that is in the messages
of one risk only, and that has one letter less or more than a word in the messages of two
other risks, or two letters in the wrong order.",
    bad: "message: The kublet does not start.",
    good: "message: The kubelet does not start.",
    check: Check::Declarations(check),
};

/// The lengths of words that are checked. Shorter words resemble too many others, and longer ones
/// are not words.
const LENGTHS: RangeInclusive<usize> = 6..=40;
/// A word is usual if at least this many risks have it.
const USUAL: usize = 2;
/// The most words that are compared. Real repositories have fewer.
const MOST: usize = 5_000;

/// Correct words that resemble a usual word.
const CAN_BE_RIGHT: [&str; 7] =
    ["depleted", "exited", "exiting", "reverted", "thorough", "though", "through"];

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let messages = messages(data);
    // Maps each word to the risks that have it.
    let mut risks: HashMap<String, HashSet<&str>> = HashMap::default();
    for message in &messages {
        for (_, word) in long_words(message.text) {
            risks.entry(word).or_default().insert(name(message));
        }
    }
    let typos = typos(&risks);
    for message in &messages {
        let typo = |(at, word): (Range<usize>, String)| Some((at, *typos.get(word.as_str())?));
        let Some((at, meant)) = long_words(message.text).into_iter().find_map(typo) else {
            continue;
        };
        let words = format!("`{}` looks like a typo", shortened(&message.text[at.clone()]));
        let finding = message.finding(&RULE, data, &at, words);
        let meant = in_case_of(&message.text[at], meant);
        findings.extend(finding.map(|finding| finding.help(format!("did you mean `{meant}`?"))));
    }
}

/// Gives a word the case of the written one, such as `Kubelet` or `KUBELET`.
fn in_case_of(written: &str, meant: &str) -> String {
    let is_upper = |c: char| c.is_ascii_uppercase();
    if written.chars().all(is_upper) {
        return meant.to_ascii_uppercase();
    }
    if written.starts_with(is_upper) {
        return meant[..1].to_ascii_uppercase() + &meant[1..];
    }
    meant.to_owned()
}

/// Maps each word that only one risk has and that resembles a usual word to that word.
fn typos<'w>(risks: &'w HashMap<String, HashSet<&str>>) -> HashMap<&'w str, &'w str> {
    let (mut rare, mut usual): (Vec<&str>, HashMap<Ends, Vec<&str>>) = Default::default();
    for (word, risks) in risks {
        match risks.len() {
            1 if CAN_BE_RIGHT.contains(&word.as_str()) => {}
            1 => rare.push(word),
            USUAL.. => usual.entry(ends(word)).or_default().push(word),
            _ => {}
        }
    }
    if rare.len() > MOST || risks.len() - rare.len() > MOST {
        return HashMap::default();
    }
    let meant = |word: &str| {
        let alike = usual.get(&ends(word))?.iter().copied();
        let slips = alike.filter(|other| is_one_slip(word, other));
        slips.max_by_key(|other| (risks[*other].len(), *other))
    };
    rare.into_iter().filter_map(|word| Some((word, meant(word)?))).collect()
}

/// The first and the last letter of a word. Only words with equal ends are compared, because others
/// are often forms of one word.
type Ends = (Option<u8>, Option<u8>);

fn ends(word: &str) -> Ends {
    (word.bytes().next(), word.bytes().last())
}

/// Whether the words differ by one missing letter or by two swapped neighbors. A replaced letter
/// does not count, because it turns many words into other words.
fn is_one_slip(word: &str, other: &str) -> bool {
    let (word, other) = (word.as_bytes(), other.as_bytes());
    let start = word.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (word, other) = (&word[start..], &other[start..]);
    let (shorter, longer) = if word.len() < other.len() { (word, other) } else { (other, word) };
    match (longer.len() - shorter.len(), shorter, longer) {
        (1, _, [_, rest @ ..]) => shorter == rest,
        (0, [a, b, rest @ ..], [c, d, others @ ..]) => a == d && b == c && rest == others,
        _ => false,
    }
}

fn name<'a>(message: &Message<'a>) -> &'a str {
    message.edges.first().and_then(|edge| edge.name.as_ref()).map_or("", |name| &name.value)
}

/// The long words of a text in lower case, with their places.
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

#[cfg(test)]
mod tests {
    use super::is_one_slip;

    #[test]
    fn a_slip_is_a_missing_or_added_letter_or_two_in_the_wrong_order() {
        for (written, meant) in
            [("kublet", "kubelet"), ("exsiting", "existing"), ("nodess", "nodes")]
        {
            assert!(is_one_slip(written, meant), "{written}");
        }
        for (one, other) in [("loading", "leading"), ("though", "through!"), ("nodes", "nodes")] {
            assert!(!is_one_slip(one, other), "{one}");
        }
    }
}
