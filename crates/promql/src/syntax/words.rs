//! The words of a text for an editor. The text does not have to be a query yet.

use std::ops::Range;

use super::functions::Function;
use super::lexer::tokens;
use super::operators::{Aggregator, MatchOp};
use super::token::{Token, TokenKind};

/// A word, a sign, or a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub kind: WordKind,
    /// Its bytes.
    pub range: Range<usize>,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    Metric,
    Function,
    /// `sum`, `by`, `offset`, …
    Keyword,
    Label,
    Text,
    Number,
    Operator,
    Open,
    Close,
    Comma,
}

/// Words after an operator.
const MATCHING: &[&str] = &["on", "ignoring"];
/// Words after an operator that compares.
const COMPARING: &[&str] = &["on", "ignoring", "bool"];
/// Words after the list of `on` or `ignoring`.
const GROUPING: &[&str] = &["group_left", "group_right"];
/// Words after the name of an aggregation.
const AGGREGATING: &[&str] = &["by", "without"];
/// Words after an operand.
const JOINING: &[&str] = &["or", "and", "unless", "offset", "atan2"];
/// Words after an operand that may be an aggregation.
const AFTER_CALL: &[&str] = &["or", "and", "unless", "by", "without", "offset", "atan2"];

/// What belongs at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A metric, a function, an aggregation, a number, or one of these words.
    Operand(&'static [&'static str]),
    /// An operator, or one of these words: an operand is complete.
    Operator(&'static [&'static str]),
    /// A bracket or a comma.
    Bracket,
    /// A label, between braces or in a list such as that of `by`; and the metric, if it is known.
    Label(Option<String>),
    /// A value of a label. Its quotes are missing if it is not `in_quotes`.
    Value {
        metric: Option<String>,
        label: String,
        is_pattern: bool,
        in_quotes: bool,
    },
    Duration,
    /// Another text between quotes.
    Text,
}

/// The words up to the first place that cannot be read.
pub fn words(text: &str) -> Vec<Word> {
    let tokens = tokens(text).list;
    let mut places = Places::default();
    let mut words = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|token| token.kind);
        if let Some(kind) = places.kind(token, next) {
            words.push(Word { kind, range: token.range.clone() });
        }
        places.pass(token, text);
    }
    words
}

/// Whether a text has comments: something other than words and white space.
pub fn has_comment(text: &str) -> bool {
    let mut at = 0;
    let is_space =
        |range: Range<usize>| text.get(range).is_none_or(|between| between.trim().is_empty());
    let are_apart_by_space = words(text).into_iter().all(|word| {
        let before = std::mem::replace(&mut at, word.range.end)..word.range.start;
        is_space(before)
    });
    !are_apart_by_space || !is_space(at..text.len())
}

/// What belongs after a text.
pub fn expected_after(text: &str) -> Expected {
    let read = tokens(text);
    let mut places = Places::default();
    for token in &read.list {
        places.pass(token, text);
    }
    // An error that leaves a quote open is in the text between the quotes.
    let rest = read.list.last().and_then(|end| text.get(end.range.start..)).unwrap_or_default();
    let is_in_quotes = rest.starts_with(['"', '\'', '`']);
    places.expected(is_in_quotes)
}

/// The brackets around a place, and what comes before the place.
#[derive(Default)]
struct Places {
    open: Vec<Bracket>,
    last: Option<TokenKind>,
    before_last: Option<TokenKind>,
    /// The last name: a metric or a label.
    name: String,
    /// The label before the last `=`.
    label: String,
    /// What belongs at the place, if a list of labels ends there.
    after_list: Option<Expected>,
}

enum Bracket {
    /// `(` of an expression or of arguments.
    Arguments,
    /// `(` of a list of labels, and what belongs after the list.
    Labels(Expected),
    /// `{` after this metric.
    Matchers(Option<String>),
    Duration,
}

impl Places {
    fn kind(&self, token: &Token, next: Option<TokenKind>) -> Option<WordKind> {
        let is_called = next == Some(TokenKind::LeftParen);
        Some(match token.kind {
            TokenKind::Identifier | TokenKind::MetricName => match self.open.last() {
                Some(Bracket::Labels(_) | Bracket::Matchers(_)) => WordKind::Label,
                Some(Bracket::Duration) => WordKind::Number,
                _ if is_called => WordKind::Function,
                _ => WordKind::Metric,
            },
            TokenKind::Aggregator(_)
            | TokenKind::Bool
            | TokenKind::By
            | TokenKind::Without
            | TokenKind::On
            | TokenKind::Ignoring
            | TokenKind::GroupLeft
            | TokenKind::GroupRight
            | TokenKind::Offset
            | TokenKind::Start
            | TokenKind::EndWord => match self.open.last() {
                Some(Bracket::Labels(_)) => WordKind::Label,
                _ => WordKind::Keyword,
            },
            TokenKind::Number | TokenKind::Duration => WordKind::Number,
            TokenKind::Text => WordKind::Text,
            TokenKind::Operator(operator) if operator.name().starts_with(char::is_alphabetic) => {
                WordKind::Keyword
            }
            TokenKind::Operator(_) | TokenKind::Match(_) | TokenKind::At | TokenKind::Colon => {
                WordKind::Operator
            }
            TokenKind::LeftParen | TokenKind::LeftBrace | TokenKind::LeftBracket => WordKind::Open,
            TokenKind::RightParen | TokenKind::RightBrace | TokenKind::RightBracket => {
                WordKind::Close
            }
            TokenKind::Comma => WordKind::Comma,
            TokenKind::End => return None,
        })
    }

    fn pass(&mut self, token: &Token, text: &str) {
        let written = text.get(token.range.clone()).unwrap_or_default();
        let mut after_list = None;
        match token.kind {
            TokenKind::LeftParen => {
                let bracket = self.after_labels().map_or(Bracket::Arguments, Bracket::Labels);
                self.open.push(bracket);
            }
            TokenKind::LeftBrace => {
                let has_name =
                    matches!(self.last, Some(TokenKind::Identifier | TokenKind::MetricName));
                let metric = has_name.then(|| std::mem::take(&mut self.name));
                self.open.push(Bracket::Matchers(metric));
            }
            TokenKind::LeftBracket => self.open.push(Bracket::Duration),
            TokenKind::RightParen | TokenKind::RightBrace | TokenKind::RightBracket => {
                if let Some(Bracket::Labels(after)) = self.open.pop() {
                    after_list = Some(after);
                }
            }
            TokenKind::Identifier | TokenKind::MetricName => written.clone_into(&mut self.name),
            TokenKind::Match(_) => self.label = std::mem::take(&mut self.name),
            TokenKind::End => return,
            _ => {}
        }
        self.after_list = after_list;
        self.before_last = self.last.replace(token.kind);
    }

    /// What belongs after a list of labels that begins here. None if no such list begins.
    fn after_labels(&self) -> Option<Expected> {
        match (self.before_last, self.last?) {
            (Some(TokenKind::Aggregator(_)), TokenKind::By | TokenKind::Without) => {
                Some(Expected::Bracket)
            }
            (_, TokenKind::By | TokenKind::Without) => Some(Expected::Operator(JOINING)),
            (_, TokenKind::On | TokenKind::Ignoring) => Some(Expected::Operand(GROUPING)),
            (_, TokenKind::GroupLeft | TokenKind::GroupRight) => Some(Expected::Operand(&[])),
            _ => None,
        }
    }

    fn expected(self, is_in_quotes: bool) -> Expected {
        let comparison = match self.last {
            Some(TokenKind::Match(op)) => Some(op),
            _ => None,
        };
        match self.open.into_iter().next_back() {
            // A comma or a brace.
            Some(Bracket::Matchers(_)) if self.last == Some(TokenKind::Text) && !is_in_quotes => {
                Expected::Bracket
            }
            Some(Bracket::Matchers(metric)) => match (comparison, is_in_quotes) {
                (Some(op), in_quotes) => {
                    let is_pattern = matches!(op, MatchOp::Regex | MatchOp::NotRegex);
                    Expected::Value { metric, label: self.label, is_pattern, in_quotes }
                }
                (None, false) => Expected::Label(metric),
                (None, true) => Expected::Text,
            },
            _ if is_in_quotes => Expected::Text,
            Some(Bracket::Labels(_)) => Expected::Label(None),
            Some(Bracket::Duration) => Expected::Duration,
            Some(Bracket::Arguments) | None => {
                self.after_list.unwrap_or_else(|| Expected::after(self.last))
            }
        }
    }
}

impl Expected {
    /// What belongs after a token between operands.
    fn after(last: Option<TokenKind>) -> Self {
        match last {
            Some(TokenKind::By | TokenKind::Without | TokenKind::On | TokenKind::Ignoring) => {
                Self::Bracket
            }
            Some(TokenKind::Offset) => Self::Duration,
            Some(TokenKind::Aggregator(_)) => Self::Operator(AGGREGATING),
            Some(TokenKind::RightParen) => Self::Operator(AFTER_CALL),
            Some(
                TokenKind::Identifier
                | TokenKind::MetricName
                | TokenKind::Number
                | TokenKind::Duration
                | TokenKind::Text
                | TokenKind::RightBrace
                | TokenKind::RightBracket,
            ) => Self::Operator(JOINING),
            Some(TokenKind::Operator(op)) if op.is_comparison() => Self::Operand(COMPARING),
            Some(TokenKind::Operator(_)) => Self::Operand(MATCHING),
            _ => Self::Operand(&[]),
        }
    }
}

/// The functions and operators that clusters have, each with what follows its name.
pub fn callable() -> impl Iterator<Item = (&'static str, String)> {
    let functions = Function::usual().map(|function| (function.name, function.signature()));
    let usual = Aggregator::ALL.into_iter().filter(|(_, op)| !op.is_experimental());
    let aggregators = usual.map(|(name, op)| {
        let parameter = op.parameter().map(|kind| format!("{}, ", kind.short_name()));
        (name, format!("({}vector)", parameter.unwrap_or_default()))
    });
    functions.chain(aggregators)
}

#[cfg(test)]
mod tests {
    use super::{AFTER_CALL, Expected, JOINING, WordKind, expected_after, words};

    #[test]
    fn each_word_has_its_kind() {
        let text = "sum by (_id) (up{job=~\"a|b\"} offset 5m) or on (x) vector(0)";
        let kinds = |kind: WordKind| -> Vec<&str> {
            let of_kind = words(text).into_iter().filter(|word| word.kind == kind);
            of_kind.map(|word| &text[word.range]).collect()
        };
        assert_eq!(kinds(WordKind::Keyword), ["sum", "by", "offset", "or", "on"]);
        assert_eq!(kinds(WordKind::Label), ["_id", "job", "x"]);
        assert_eq!(kinds(WordKind::Metric), ["up"]);
        assert_eq!(kinds(WordKind::Function), ["vector"]);
        assert_eq!(kinds(WordKind::Text), ["\"a|b\""]);
        assert_eq!(kinds(WordKind::Number), ["5m", "0"]);
    }

    #[test]
    fn what_belongs_at_a_place_depends_on_the_brackets_around_it() {
        let up = || Some("up".to_owned());
        let value = |metric, label: &str, is_pattern| Expected::Value {
            metric,
            label: label.to_owned(),
            is_pattern,
            in_quotes: true,
        };
        let unquoted = Expected::Value {
            metric: up(),
            label: "job".to_owned(),
            is_pattern: false,
            in_quotes: false,
        };
        for (before, expected) in [
            ("", Expected::Operand(&[])),
            ("up == 1 or ", Expected::Operand(&["on", "ignoring"])),
            ("up == ", Expected::Operand(&["on", "ignoring", "bool"])),
            ("max(", Expected::Operand(&[])),
            ("max(up) ", Expected::Operator(AFTER_CALL)),
            ("max ", Expected::Operator(&["by", "without"])),
            ("up ", Expected::Operator(JOINING)),
            ("up[5m] ", Expected::Operator(JOINING)),
            ("up{", Expected::Label(up())),
            ("up{job=\"a\", ", Expected::Label(up())),
            ("max by (", Expected::Label(None)),
            ("max by ", Expected::Bracket),
            ("max by (_id) ", Expected::Bracket),
            ("max(up) by (_id) ", Expected::Operator(JOINING)),
            ("up * on ", Expected::Bracket),
            ("up * on (_id) ", Expected::Operand(&["group_left", "group_right"])),
            ("up * on (_id) group_left (type) ", Expected::Operand(&[])),
            ("up * on (_id) group_left ", Expected::Operand(&[])),
            ("up offset ", Expected::Duration),
            ("up{job=", unquoted),
            ("up{job=\"a\" ", Expected::Bracket),
            ("up{job=\"", value(up(), "job", false)),
            ("{job=~\"a|", value(None, "job", true)),
            ("up[", Expected::Duration),
            ("label_replace(up, \"", Expected::Text),
        ] {
            assert_eq!(expected_after(before), expected, "{before}");
        }
    }
}
