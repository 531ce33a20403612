//! The tokens of a query.

use std::ops::Range;

use super::operators::{Aggregator, MatchOp, Operator};

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name of letters, digits and `_`.
    Identifier,
    /// A name with a `:`: a metric, or a label in a list.
    MetricName,
    Aggregator(Aggregator),
    Bool,
    By,
    Without,
    On,
    Ignoring,
    GroupLeft,
    GroupRight,
    Offset,
    Start,
    EndWord,
    Number,
    Duration,
    Text,
    Operator(Operator),
    /// `=`, `=~`, `!~`; and `!=` between braces.
    Match(MatchOp),
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    Comma,
    Colon,
    At,
    /// The end of the text, or the position of an error in a token.
    End,
}

/// The token of a word. Keywords ignore case.
pub(super) fn of_word(word: &str) -> TokenKind {
    let word = word.to_ascii_lowercase();
    if let Some((_, op)) = Aggregator::ALL.iter().find(|(name, _)| *name == word) {
        return TokenKind::Aggregator(*op);
    }
    match word.as_str() {
        "and" => TokenKind::Operator(Operator::And),
        "or" => TokenKind::Operator(Operator::Or),
        "unless" => TokenKind::Operator(Operator::Unless),
        "atan2" => TokenKind::Operator(Operator::Atan2),
        "bool" => TokenKind::Bool,
        "by" => TokenKind::By,
        "without" => TokenKind::Without,
        "on" => TokenKind::On,
        "ignoring" => TokenKind::Ignoring,
        "group_left" => TokenKind::GroupLeft,
        "group_right" => TokenKind::GroupRight,
        "offset" => TokenKind::Offset,
        "start" => TokenKind::Start,
        "end" => TokenKind::EndWord,
        "inf" | "nan" => TokenKind::Number,
        _ => TokenKind::Identifier,
    }
}
