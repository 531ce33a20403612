//! A description that belongs to another channel, or that says the opposite of what the channel is.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::domain::ChannelName;
use crate::graph_data::{Channel, GraphData, Text};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::{listed, quoted};

pub(super) static RULE: Rule = Rule {
    code: "EP319",
    name: "contradictory-description",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a description that fits another channel, or says the opposite of its phase",
    explanation: "\
Administrators choose a channel by its description. A description that was copied from a
channel of another phase, that still names the channel it was copied from, or that calls a
`stable` channel unsupported leads them to a wrong choice.

The rule knows the phases `candidate`, which is not supported, and `fast`, `stable`, and
`eus`, which are. It only looks at sentences about the channel itself: a description can
compare its channel with others.",
    bad: "\
name: stable-4.15
description: This channel is for tests, and not supported.",
    good: "\
name: stable-4.15
description: Supported, unlike candidate-4.15, which is for tests.",
    check: Check::Repository(check),
};

const PHASES: [&str; 4] = ["candidate", "eus", "fast", "stable"];

/// A channel of a known phase, with its description.
struct Described<'d> {
    channel: &'d Channel,
    name: ChannelName<'d>,
    text: &'d Text,
}

impl<'d> Described<'d> {
    fn of(channel: &'d Channel) -> Option<Self> {
        let name = channel.parts().filter(|name| PHASES.contains(&name.phase))?;
        let text = channel.description.as_ref().filter(|text| !text.value.trim().is_empty())?;
        channel.public.then_some(Self { channel, name, text })
    }

    /// The text with one space between words, in lowercase.
    fn plain(&self) -> String {
        self.text.value.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Whether a word names another channel or phase.
    fn is_other(&self, word: &str) -> bool {
        match mention(word) {
            Some(name) => name != self.name,
            None => PHASES.contains(&word) && word != self.name.phase,
        }
    }
}

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let channels: Vec<Described<'_>> = data.channels.iter().filter_map(Described::of).collect();
    let mut others = Vec::new();
    for channel in channels {
        let opposite = opposite_claim(&channel).map(|at| (at, opposite_words(&channel)));
        match opposite.or_else(|| wrong_name(&channel)) {
            Some((at, message)) => {
                let span = data.span_within(channel.channel.file, channel.text.node, at);
                let help = "was the text copied from another channel? Say what this one is for";
                findings.push(Finding::at(&RULE, span, message).help(help));
            }
            None => others.push(channel),
        }
    }
    copies(&others, findings);
}

fn opposite_words(channel: &Described<'_>) -> String {
    let (name, phase) = (shortened(channel.channel.name()), channel.name.phase);
    match phase {
        "candidate" => format!("`{name}` is not supported, but its description says that it is"),
        _ => format!("`{name}` is supported, but its description says that it is not"),
    }
}

/// The sentences of a text, with their places.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut ends: Vec<usize> = text
        .char_indices()
        .filter(|(at, c)| {
            let after = &text[at + c.len_utf8()..];
            matches!(c, '.' | '!' | '?' | ';') && !after.starts_with(|c: char| !c.is_whitespace())
        })
        .map(|(at, _)| at + 1)
        .collect();
    ends.push(text.len());
    let starts = std::iter::once(0).chain(ends.clone());
    let trimmed = starts.zip(ends).map(|(start, end)| {
        let sentence = &text[start..end];
        let start = end - sentence.trim_start().len();
        start..start + text[start..end].trim_end().len()
    });
    trimmed.filter(|range| !range.is_empty()).collect()
}

fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.strip_suffix("'s").unwrap_or(word).to_lowercase()
    });
    words.filter(|word| !word.is_empty()).collect()
}

/// The channel that a word names.
fn mention(word: &str) -> Option<ChannelName<'_>> {
    ChannelName::parse(word).filter(|name| PHASES.contains(&name.phase))
}

/// The sentence that contradicts the phase of the channel.
fn opposite_claim(channel: &Described<'_>) -> Option<Range<usize>> {
    let text = &channel.text.value;
    let is_supported = channel.name.phase != "candidate";
    // After a sentence about another channel, "it" can mean that channel.
    let mut is_about_another = false;
    sentences(text).into_iter().find(|at| {
        let sentence = &text[at.clone()];
        let mentions_another = words(sentence).iter().any(|word| channel.is_other(word));
        let is_checked = !is_about_another && !mentions_another;
        is_about_another = mentions_another;
        let mut clauses = sentence.split([',', ':', '(', ')']);
        is_checked && clauses.any(|clause| claim(channel, clause) == Some(!is_supported))
    })
}

/// The words that may stand before "supported" in a clause about the channel or its releases.
const SUBJECT: [&str; 28] = [
    "a",
    "all",
    "also",
    "and",
    "are",
    "but",
    "channel",
    "for",
    "fully",
    "in",
    "is",
    "it",
    "its",
    "of",
    "officially",
    "only",
    "release",
    "releases",
    "still",
    "test",
    "testing",
    "tests",
    "the",
    "their",
    "these",
    "they",
    "this",
    "version",
];

const NEGATIONS: [&str; 7] = ["aren't", "isn't", "longer", "never", "no", "not", "yet"];

/// Whether a clause says that the channel is supported (true) or is not (false). None if it says
/// neither.
fn claim(channel: &Described<'_>, clause: &str) -> Option<bool> {
    let words = words(clause);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let at = words.iter().position(|word| ["supported", "unsupported"].contains(word))?;
    let (before, after) = (&words[..at], &words[at + 1..]);
    let ends = matches!(after, [] | ["by", "red", "hat", ..] | ["in" | "for", "production", ..]);
    let is_own =
        |word: &str| mention(word) == Some(channel.name) || word == channel.name.minor.to_string();
    let is_subject =
        |word: &&str| SUBJECT.contains(word) || NEGATIONS.contains(word) || is_own(word);
    let is_negated = before.iter().any(|word| NEGATIONS.contains(word));
    let is_about_channel = ends && before.iter().all(is_subject);
    is_about_channel.then_some((words[at] == "supported") != is_negated)
}

/// The words that may stand between the start of a text and the name of the channel.
const INTRODUCTION: [&str; 4] = ["channel", "is", "the", "this"];

const VERBS: [&str; 10] = [
    "contains", "gets", "has", "holds", "includes", "is", "leads", "offers", "provides", "receives",
];

/// The first words of the description, if they name another channel.
fn wrong_name(channel: &Described<'_>) -> Option<(Range<usize>, String)> {
    let text = &channel.text.value;
    let first = sentences(text).into_iter().next()?;
    let opening = words(&text[first.clone()]);
    let at = opening.iter().position(|word| !INTRODUCTION.contains(&word.as_str()))?;
    let other = mention(&opening[at]).filter(|other| *other != channel.name)?;
    let is_subject = opening.get(at + 1).is_none_or(|verb| VERBS.contains(&verb.as_str()));
    let introduced = opening[..at].iter().any(|word| word == "this");
    let all = words(text);
    let means_itself = all.iter().any(|word| word == "here" || mention(word) == Some(channel.name))
        || all.windows(2).any(|pair| pair[0] == "this" && pair[1] == "channel");
    if !(introduced || is_subject && !means_itself) {
        return None;
    }
    let (own, other) =
        (shortened(channel.channel.name()), format!("{}-{}", other.phase, other.minor));
    Some((first, format!("the description of `{own}` is about `{other}`")))
}

/// Adds findings about equal descriptions of which at most one can be right.
fn copies(channels: &[Described<'_>], findings: &mut Vec<Finding>) {
    let mut alike: BTreeMap<String, Vec<&Described<'_>>> = BTreeMap::new();
    for channel in channels {
        alike.entry(without_numbers(&channel.plain())).or_default().push(channel);
    }
    for group in alike.into_values() {
        let [first, rest @ ..] = group.as_slice() else { continue };
        match rest.iter().find(|other| other.name.phase != first.name.phase) {
            Some(other) => findings.push(of_phases(first, other, &group)),
            None => findings.extend(group.iter().filter_map(|copy| of_minor(copy, &group))),
        }
    }
}

/// The finding about channels of several phases with the same description.
fn of_phases(first: &Described<'_>, other: &Described<'_>, group: &[&Described<'_>]) -> Finding {
    let names: Vec<String> = group.iter().map(|one| shortened(one.channel.name())).collect();
    let names = listed(&quoted(&names), "and");
    let message = format!("{names} have the same description, but not the same purpose");
    Finding::at(&RULE, other.text.span, message)
        .related(first.text.span, "the same text is here")
        .help("say of each channel what makes it different")
}

/// The finding about a description that names a minor and is copied from another channel of the
/// phase.
fn of_minor(copy: &Described<'_>, group: &[&Described<'_>]) -> Option<Finding> {
    let text = copy.plain();
    let names_minor = |minor: &str| {
        words(&text).iter().any(|word| {
            word == minor || mention(word).is_some_and(|name| name.minor.to_string() == minor)
        })
    };
    let own = copy.name.minor.to_string();
    let is_origin = |other: &&&Described<'_>| {
        other.name != copy.name
            && other.plain() == text
            && names_minor(&other.name.minor.to_string())
    };
    let origin = group.iter().find(is_origin).filter(|_| !names_minor(&own))?;
    let (name, of) = (shortened(copy.channel.name()), shortened(origin.channel.name()));
    let message = format!("the description of `{name}` is that of `{of}`, and does not name {own}");
    let finding = Finding::at(&RULE, copy.text.span, message);
    Some(
        finding.related(origin.text.span, "the same text is here").help(format!(
            "replace {} by {own} if the rest of the text is right",
            origin.name.minor
        )),
    )
}

/// The text with every number replaced by the same mark.
fn without_numbers(text: &str) -> String {
    let parts = text.split(|c: char| c.is_ascii_digit() || c == '.');
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("#")
}
