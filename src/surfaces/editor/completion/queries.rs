//! Words of queries: those that other queries have at such a place, and those that fit there.

use std::ops::Range;

use crate::coverage::{Dictionary, Metric};
use crate::domain::HashMap;
use crate::promql::{Expected, Word, WordKind, callable, expected_after, words as words_of};
use crate::text::SourceId;

use super::{Completion, CompletionKind, WrittenFile};

/// How many bytes before a place are compared with other queries.
const LONGEST_COMPARED: usize = 400;

/// A place in a query.
struct QueryPlace<'q> {
    /// The text up to the word at the place.
    before: &'q str,
    /// The text after the cursor.
    after: &'q str,
    expected: Expected,
    dictionary: &'q Dictionary,
}

/// The words that fit after `before`, which the cursor ends.
pub(super) fn words(asked: &WrittenFile<'_>, before: &str, after: &str) -> Vec<Completion> {
    let before = before.trim_end_matches(is_word);
    let expected = expected_after(before);
    let place = QueryPlace { before, after, expected, dictionary: asked.data.queries.dictionary() };
    let fitting = place.fitting();
    let known: HashMap<&str, &Completion> =
        fitting.iter().map(|item| (item.text.as_str(), item)).collect();
    let of_others = place.of_other_queries(asked).into_iter().map(|word| match known.get(word) {
        Some(known) => (*known).clone(),
        None => Completion::new(CompletionKind::Word, word, ""),
    });
    let of_others: Vec<Completion> = of_others.collect();
    of_others.into_iter().chain(fitting).collect()
}

impl QueryPlace<'_> {
    /// The words that the language and the dictionary have for the place.
    fn fitting(&self) -> Vec<Completion> {
        match &self.expected {
            Expected::Operand(others) => {
                keywords(others).into_iter().chain(operands(self.dictionary)).collect()
            }
            Expected::Operator(words) => keywords(words),
            Expected::Label(metric) => self.labels(metric.as_deref()),
            Expected::Value { metric, label, in_quotes, .. } => {
                let mut values = values(self.dictionary, metric.as_deref(), label);
                if !in_quotes {
                    for value in &mut values {
                        value.text = format!("\"{}\"", value.text);
                    }
                }
                values
            }
            Expected::Bracket | Expected::Duration | Expected::Text => Vec::new(),
        }
    }

    /// The known metrics whose labels belong here: the one before the brace, or all that the query
    /// names.
    fn metrics<'p>(&'p self, before_brace: Option<&'p str>) -> Vec<(&'p str, &'p Metric)> {
        let known = |name: &'p str| Some((name, self.dictionary.metric(name)?));
        match before_brace {
            Some(metric) => known(metric).into_iter().collect(),
            None => self.words().filter_map(known).collect(),
        }
    }

    /// The words of the query, whatever they are.
    fn words(&self) -> impl Iterator<Item = &str> {
        [self.before, self.after].into_iter().flat_map(|text| text.split(|c| !is_word(c)))
    }

    fn labels(&self, metric: Option<&str>) -> Vec<Completion> {
        let own = self.metrics(metric).into_iter().flat_map(|(name, metric)| {
            let labels = metric.own_labels().filter(|label| !label.ends_with('*'));
            labels.map(move |label| {
                Completion::new(CompletionKind::Label, label, format!("label of {name}"))
            })
        });
        own.collect()
    }

    /// Whether a word of another query may belong here, as far as the dictionary knows.
    fn may_be(&self, word: &str) -> bool {
        match &self.expected {
            Expected::Label(metric) => {
                let metrics = self.metrics(metric.as_deref());
                let mut known = metrics.iter().map(|(_, metric)| metric);
                // A list can have a label that the query adds, and names elsewhere.
                let is_named = || metric.is_none() && self.words().any(|other| other == word);
                metrics.is_empty()
                    || known.any(|metric| self.dictionary.lists_label(metric, word))
                    || is_named()
            }
            Expected::Value { metric: Some(metric), label, .. } => {
                let metric = self.dictionary.metric(metric);
                let values = metric.and_then(|metric| metric.listed_values(label));
                values.is_none_or(|values| values.iter().any(|value| value == word))
            }
            _ => true,
        }
    }

    /// The words of other queries, by how long the texts around them are the same.
    fn of_other_queries<'a>(&self, asked: &WrittenFile<'a>) -> Vec<&'a str> {
        let after = self.after.trim_start_matches(is_word);
        let mut best: HashMap<&str, (usize, usize)> = HashMap::default();
        for reading in asked.data.queries.all() {
            let is_own = |(file, _): &(SourceId, _)| asked.data.path(*file) == asked.path;
            if reading.places.iter().all(is_own) {
                continue;
            }
            for range in candidates(&reading.text, &self.expected) {
                let (start, word, end) = (
                    &reading.text[..range.start],
                    &reading.text[range.clone()],
                    &reading.text[range.end..],
                );
                let alike = common_end(start, self.before) + common_start(end, after).min(40);
                let known = best.entry(word).or_default();
                known.0 = known.0.max(alike);
                known.1 += 1;
            }
        }
        let words = best.into_iter().filter(|(word, _)| self.may_be(word));
        let mut words: Vec<(&str, (usize, usize))> = words.collect();
        words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        words.into_iter().map(|(word, _)| word).collect()
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == ':'
}

/// The words of a query that fit at such a place.
fn candidates(text: &str, expected: &Expected) -> Vec<Range<usize>> {
    let words = words_of(text);
    let written = |word: &Word| &text[word.range.clone()];
    let is_aggregation = |word: &Word| callable().any(|(name, _)| name == written(word));
    let ranges = |fits: &dyn Fn(&Word) -> bool| {
        words.iter().filter(|word| fits(word)).map(|word| word.range.clone()).collect()
    };
    match expected {
        Expected::Operand(others) => ranges(&|word| match word.kind {
            WordKind::Metric | WordKind::Function | WordKind::Number => true,
            WordKind::Keyword => is_aggregation(word) || others.contains(&written(word)),
            _ => false,
        }),
        Expected::Operator(of_them) => ranges(&|word| of_them.contains(&written(word))),
        Expected::Label(_) => ranges(&|word| word.kind == WordKind::Label),
        Expected::Value { in_quotes: false, .. } | Expected::Bracket => Vec::new(),
        Expected::Value { metric, label, .. } => {
            let is_alike = |words: &&[Word]| {
                let is_value = words[0].kind == WordKind::Label
                    && written(&words[0]) == label
                    && words[2].kind == WordKind::Text;
                is_value
                    && (metric.is_none() || metric_before(&text[..words[0].range.start]) == *metric)
            };
            let values = words.windows(3).filter(is_alike);
            values.flat_map(|words| parts(text, words[2].range.clone())).collect()
        }
        Expected::Duration => ranges(&|word| {
            word.kind == WordKind::Number && written(word).ends_with(char::is_alphabetic)
        }),
        Expected::Text => {
            let texts = words.iter().filter(|word| word.kind == WordKind::Text);
            texts.flat_map(|word| parts(text, word.range.clone())).collect()
        }
    }
}

/// The metric whose labels belong at a place.
fn metric_before(before: &str) -> Option<String> {
    match expected_after(before) {
        Expected::Label(metric) => metric,
        _ => None,
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
    let item = |(name, metric): (&str, &Metric)| {
        Completion::new(CompletionKind::Metric, name, "metric").about(metric.about())
    };
    dictionary.metrics().map(item).collect()
}

fn keywords(words: &[&str]) -> Vec<Completion> {
    words.iter().map(|word| Completion::new(CompletionKind::Keyword, *word, "")).collect()
}

fn operands(dictionary: &Dictionary) -> Vec<Completion> {
    let functions = callable()
        .map(|(name, signature)| Completion::new(CompletionKind::Function, name, signature));
    metrics(dictionary).into_iter().chain(functions).collect()
}

fn values(dictionary: &Dictionary, metric: Option<&str>, label: &str) -> Vec<Completion> {
    let known = metric.and_then(|metric| dictionary.metric(metric));
    let values = known.and_then(|metric| metric.listed_values(label)).unwrap_or_default();
    let item =
        |value: &String| Completion::new(CompletionKind::Value, value, format!("value of {label}"));
    values.iter().map(item).collect()
}
