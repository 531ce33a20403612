//! Words of queries: those that other queries have at such a place, and those that fit there.

use std::ops::Range;

use crate::coverage::Dictionary;
use crate::domain::HashMap;
use crate::promql::{
    Expected, KEYWORDS, Word, WordKind, callable, expected_after, words as words_of,
};

use super::{Completion, CompletionKind, WrittenFile};

/// How many bytes before a place are compared with other queries.
const LONGEST_COMPARED: usize = 400;

/// The words that fit after `before`, which the cursor ends.
pub(super) fn words(asked: &WrittenFile<'_>, before: &str, after: &str) -> Vec<Completion> {
    let written = before.len() - before.trim_end_matches(is_word).len();
    let before = &before[..before.len() - written];
    let expected = expected_after(before);
    let dictionary = asked.data.queries.dictionary();
    let fitting = match &expected {
        Expected::Operand => operands(dictionary),
        Expected::Operator => {
            KEYWORDS.map(|word| Completion::new(CompletionKind::Keyword, word, "")).to_vec()
        }
        Expected::Label(metric) => labels(dictionary, metric.as_deref(), before, after),
        Expected::Value { metric, label, .. } => values(dictionary, metric.as_deref(), label),
        Expected::Other => Vec::new(),
    };
    let alike = of_other_queries(asked, before, after, &expected);
    let details: HashMap<&str, &Completion> =
        fitting.iter().map(|item| (item.text.as_str(), item)).collect();
    let described =
        |item: Completion| details.get(item.text.as_str()).map_or(item, |known| (*known).clone());
    let alike: Vec<Completion> = alike.into_iter().map(described).collect();
    alike.into_iter().chain(fitting.iter().cloned()).collect()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == ':'
}

/// The words of other queries, by how long the texts around them are the same.
fn of_other_queries(
    asked: &WrittenFile<'_>,
    before: &str,
    after: &str,
    expected: &Expected,
) -> Vec<Completion> {
    let after = after.trim_start_matches(is_word);
    let mut best: HashMap<&str, (usize, usize)> = HashMap::default();
    for reading in asked.data.queries.all() {
        let is_own = |(file, _): &(crate::text::SourceId, _)| asked.data.path(*file) == asked.path;
        if reading.places.iter().all(is_own) {
            continue;
        }
        for range in candidates(&reading.text, expected) {
            let (start, word, end) = (
                &reading.text[..range.start],
                &reading.text[range.clone()],
                &reading.text[range.end..],
            );
            let alike = common_end(start, before) + common_start(end, after).min(40);
            let known = best.entry(word).or_default();
            known.0 = known.0.max(alike);
            known.1 += 1;
        }
    }
    let mut words: Vec<(&str, (usize, usize))> = best.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let item = |(word, _): (&str, _)| Completion::new(CompletionKind::Word, word, "");
    words.into_iter().map(item).collect()
}

/// The words of a query that fit at such a place.
fn candidates(text: &str, expected: &Expected) -> Vec<Range<usize>> {
    let words = words_of(text);
    let is_aggregation =
        |word: &Word| callable().any(|(name, _)| name == &text[word.range.clone()]);
    let ranges = |fits: &dyn Fn(&Word) -> bool| {
        words.iter().filter(|word| fits(word)).map(|word| word.range.clone()).collect()
    };
    match expected {
        Expected::Operand => ranges(&|word| match word.kind {
            WordKind::Metric | WordKind::Function | WordKind::Number => true,
            WordKind::Keyword => is_aggregation(word),
            _ => false,
        }),
        Expected::Operator => {
            ranges(&|word| word.kind == WordKind::Keyword && !is_aggregation(word))
        }
        Expected::Label(_) => ranges(&|word| word.kind == WordKind::Label),
        Expected::Value { label, .. } => words
            .windows(3)
            .filter(|words| {
                words[0].kind == WordKind::Label && text[words[0].range.clone()] == **label
            })
            .filter(|words| words[2].kind == WordKind::Text)
            .flat_map(|words| parts(text, words[2].range.clone()))
            .collect(),
        Expected::Other => words
            .iter()
            .flat_map(|word| match word.kind {
                WordKind::Text => parts(text, word.range.clone()),
                WordKind::Number => vec![word.range.clone()],
                _ => Vec::new(),
            })
            .collect(),
    }
}

/// The words between quotes.
fn parts(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = None;
    for (at, c) in text[range.clone()].char_indices() {
        match (is_word(c), start) {
            (true, None) => start = Some(range.start + at),
            (false, Some(from)) => {
                parts.push(from..range.start + at);
                start = None;
            }
            _ => {}
        }
    }
    parts
}

fn common_end(a: &str, b: &str) -> usize {
    let pairs = a.bytes().rev().zip(b.bytes().rev()).take(LONGEST_COMPARED);
    pairs.take_while(|(a, b)| a == b).count()
}

fn common_start(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take(LONGEST_COMPARED).take_while(|(a, b)| a == b).count()
}

/// The metrics of the dictionary.
pub(super) fn metrics(dictionary: &Dictionary) -> Vec<Completion> {
    let item = |(name, metric): (&str, &crate::coverage::Metric)| {
        Completion::new(CompletionKind::Metric, name, "metric").about(metric.about())
    };
    dictionary.metrics().map(item).collect()
}

fn operands(dictionary: &Dictionary) -> Vec<Completion> {
    let functions = callable()
        .map(|(name, signature)| Completion::new(CompletionKind::Function, name, signature));
    metrics(dictionary).into_iter().chain(functions).collect()
}

/// The labels of a metric, or of all metrics that a query names.
fn labels(
    dictionary: &Dictionary,
    metric: Option<&str>,
    before: &str,
    after: &str,
) -> Vec<Completion> {
    let named: Vec<String> = match metric {
        Some(metric) => vec![metric.to_owned()],
        None => metrics_of(before).chain(metrics_of(after)).collect(),
    };
    let item = |(label, of): (&str, &str)| {
        Completion::new(CompletionKind::Label, label, format!("label of {of}"))
    };
    let of_metrics = named.iter().filter_map(|name| Some((name, dictionary.metric(name)?)));
    let own = of_metrics
        .flat_map(|(name, metric)| metric.own_labels().map(move |label| (label, name.as_str())));
    own.map(item).collect()
}

fn metrics_of(text: &str) -> impl Iterator<Item = String> {
    let words = words_of(text).into_iter().filter(|word| word.kind == WordKind::Metric);
    words.map(|word| text[word.range].to_owned()).collect::<Vec<_>>().into_iter()
}

fn values(dictionary: &Dictionary, metric: Option<&str>, label: &str) -> Vec<Completion> {
    let known = metric.and_then(|metric| dictionary.metric(metric));
    let values = known.and_then(|metric| metric.listed_values(label)).unwrap_or_default();
    let item =
        |value: &String| Completion::new(CompletionKind::Value, value, format!("value of {label}"));
    values.iter().map(item).collect()
}
