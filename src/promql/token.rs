//! From text to tokens. What counts as one depends on the brackets it stands in.

use std::ops::Range;

use super::literal;
use super::{Aggregator, Error, MatchOp, Operator};

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

/// The kinds of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name of letters, digits and `_`.
    Identifier,
    /// A name with a `:`, which only metrics have.
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
    /// Nothing more can be read: the end, or an error.
    End,
}

/// The tokens of a text, the last of them [`Kind::End`].
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    /// Why the text is not read to its end.
    pub(super) error: Option<Error>,
}

pub(super) fn tokens(text: &str) -> Tokens {
    let mut lexer = Lexer { text, at: 0, parens: Vec::new(), list: Vec::new() };
    let error = lexer.run().err();
    let end = lexer.at;
    lexer.list.push(Token { kind: Kind::End, range: end..end });
    Tokens { list: lexer.list, error }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Where each open `(` stands.
    parens: Vec<usize>,
    list: Vec<Token>,
}

type Done = Result<(), Error>;

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: Kind, length: usize) {
        self.list.push(Token { kind, range: self.at..self.at + length });
        self.at += length;
    }

    /// Skips white space, and comments where there may be some.
    fn skip(&mut self, comments: bool) {
        loop {
            let rest = self.rest();
            let after = rest.trim_start_matches(is_space);
            self.at += rest.len() - after.len();
            if !(comments && after.starts_with('#')) {
                return;
            }
            self.at += after.find('\n').unwrap_or(after.len());
        }
    }

    fn run(&mut self) -> Done {
        loop {
            self.skip(true);
            let Some(c) = self.peek() else { break };
            self.statement(c)?;
        }
        match self.parens.pop() {
            Some(open) => Err(Error {
                range: self.at..self.at,
                message: "a `)` is missing at the end: unclosed `(`".into(),
                opened: Some(open..open + 1),
            }),
            None => Ok(()),
        }
    }

    fn statement(&mut self, c: char) -> Done {
        let second = self.rest().chars().nth(1);
        match c {
            ',' => self.push(Kind::Comma, 1),
            '(' => {
                self.parens.push(self.at);
                self.push(Kind::LeftParen, 1);
            }
            ')' => {
                if self.parens.pop().is_none() {
                    return Err(self.error(1, "this `)` closes no `(`"));
                }
                self.push(Kind::RightParen, 1);
            }
            '@' => self.push(Kind::At, 1),
            '=' | '!' | '<' | '>' if second == Some('=') => {
                let op = match c {
                    '=' => Operator::Equal,
                    '!' => Operator::NotEqual,
                    '<' => Operator::LessOrEqual,
                    _ => Operator::GreaterOrEqual,
                };
                self.push(Kind::Operator(op), 2);
            }
            '=' | '!' if second == Some('~') => {
                return Err(self.error(2, format!("`{c}~` compares labels, between braces only")));
            }
            '=' => self.push(Kind::Match(MatchOp::Equal), 1),
            '<' => self.push(Kind::Operator(Operator::Less), 1),
            '>' => self.push(Kind::Operator(Operator::Greater), 1),
            '"' | '\'' | '`' => self.quoted(c)?,
            '{' => {
                self.push(Kind::LeftBrace, 1);
                return self.braces();
            }
            '[' => {
                self.push(Kind::LeftBracket, 1);
                return self.brackets();
            }
            '0'..='9' => self.number()?,
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number()?,
            _ if is_word(c) || c == ':' => self.word(),
            _ => match arithmetic(c) {
                Some(op) => self.push(Kind::Operator(op), 1),
                None => return Err(self.stray(c, "")),
            },
        }
        Ok(())
    }

    fn error(&self, length: usize, message: impl Into<String>) -> Error {
        Error::at(self.at..self.at + length, message)
    }

    fn stray(&self, c: char, place: &str) -> Error {
        let hint = match c {
            '“' | '”' | '„' | '‘' | '’' => ": quotes are written `\"` or `'`",
            '\u{a0}' => ": it is a non-breaking space",
            '&' | '|' => ": the operators are `and` and `or`",
            _ => "",
        };
        let shown = if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
        self.error(c.len_utf8(), format!("unexpected `{shown}`{place}{hint}"))
    }

    /// What stands between `{` and `}`.
    fn braces(&mut self) -> Done {
        let open = self.at - 1;
        loop {
            self.skip(true);
            let Some(c) = self.peek() else {
                return Err(Error {
                    range: self.at..self.at,
                    message: "a `}` is missing at the end: unclosed `{`".into(),
                    opened: Some(open..open + 1),
                });
            };
            let second = self.rest().chars().nth(1);
            match (c, second) {
                ('}', _) => {
                    self.push(Kind::RightBrace, 1);
                    return Ok(());
                }
                (',', _) => self.push(Kind::Comma, 1),
                ('=', Some('~')) => self.push(Kind::Match(MatchOp::Regex), 2),
                ('=', _) => self.push(Kind::Match(MatchOp::Equal), 1),
                ('!', Some('=')) => self.push(Kind::Match(MatchOp::NotEqual), 2),
                ('!', Some('~')) => self.push(Kind::Match(MatchOp::NotRegex), 2),
                ('"' | '\'' | '`', _) => self.quoted(c)?,
                _ if is_word(c) && !c.is_ascii_digit() => {
                    let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
                    self.push(Kind::Identifier, length);
                }
                _ => return Err(self.stray(c, " between the braces of a selector")),
            }
        }
    }

    /// What stands between `[` and `]`.
    fn brackets(&mut self) -> Done {
        let open = self.at - 1;
        loop {
            self.skip(false);
            let Some(c) = self.peek() else {
                return Err(Error {
                    range: self.at..self.at,
                    message: "a `]` is missing at the end: unclosed `[`".into(),
                    opened: Some(open..open + 1),
                });
            };
            match c {
                ']' => {
                    self.push(Kind::RightBracket, 1);
                    return Ok(());
                }
                ':' => self.push(Kind::Colon, 1),
                ',' => self.push(Kind::Comma, 1),
                '(' => self.push(Kind::LeftParen, 1),
                ')' => self.push(Kind::RightParen, 1),
                '0'..='9' | '.' => self.number()?,
                _ if is_word(c) => {
                    let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
                    self.push(Kind::Identifier, length);
                }
                _ => match arithmetic(c) {
                    Some(op) => self.push(Kind::Operator(op), 1),
                    None => return Err(self.stray(c, " where a duration such as `5m` belongs")),
                },
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Done {
        let rest = self.rest();
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '\n' && quote != '`' || *c == quote && !escaped;
            escaped = *c == '\\' && !escaped && quote != '`';
            ends
        });
        let length = match end {
            Some((at, c)) if c == quote => at + 1,
            end => {
                let length = end.map_or(rest.len(), |(at, _)| at);
                let over = if end.is_some() { "the end of its line" } else { "the end" };
                let message = format!("this `{quote}` is not closed before {over}");
                return Err(self.error(length, message));
            }
        };
        let written = rest.get(..length).unwrap_or_default();
        if let Err(why) = literal::text(written) {
            return Err(self.error(length, why));
        }
        self.push(Kind::Text, length);
        Ok(())
    }

    fn number(&mut self) -> Done {
        let rest = self.rest();
        let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        let mut previous = ' ';
        let length = rest.find(|c: char| {
            let exponent = matches!(previous, 'e' | 'E') && !hexadecimal;
            let part = is_word(c) || c == '.' || matches!(c, '+' | '-') && exponent;
            previous = c;
            !part
        });
        let written = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        if is_number(written) {
            self.push(Kind::Number, written.len());
        } else if is_duration(written) {
            self.push(Kind::Duration, written.len());
        } else {
            return Err(self.error(written.len(), literal::bad(written)));
        }
        Ok(())
    }

    fn word(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c| !is_word(c) && c != ':').unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let kind = if word.contains(':') { Kind::MetricName } else { keyword(word) };
        self.push(kind, length);
    }
}

fn arithmetic(c: char) -> Option<Operator> {
    Some(match c {
        '+' => Operator::Add,
        '-' => Operator::Subtract,
        '*' => Operator::Multiply,
        '/' => Operator::Divide,
        '%' => Operator::Modulo,
        '^' => Operator::Power,
        _ => return None,
    })
}

/// Keywords are so in capitals too.
fn keyword(word: &str) -> Kind {
    let word = word.to_ascii_lowercase();
    if let Some((_, op)) = Aggregator::ALL.iter().find(|(name, _)| *name == word) {
        return Kind::Aggregator(*op);
    }
    match word.as_str() {
        "and" => Kind::Operator(Operator::And),
        "or" => Kind::Operator(Operator::Or),
        "unless" => Kind::Operator(Operator::Unless),
        "atan2" => Kind::Operator(Operator::Atan2),
        "bool" => Kind::Bool,
        "by" => Kind::By,
        "without" => Kind::Without,
        "on" => Kind::On,
        "ignoring" => Kind::Ignoring,
        "group_left" => Kind::GroupLeft,
        "group_right" => Kind::GroupRight,
        "offset" => Kind::Offset,
        "start" => Kind::Start,
        "end" => Kind::EndWord,
        "inf" | "nan" => Kind::Number,
        _ => Kind::Identifier,
    }
}

/// Digits, with `_` only between two of them.
fn is_digits(text: &str, is_digit: fn(&u8) -> bool) -> bool {
    text.split('_').all(|part| !part.is_empty() && part.bytes().all(|b| is_digit(&b)))
}

fn is_number(text: &str) -> bool {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return is_digits(hex.strip_prefix('_').unwrap_or(hex), u8::is_ascii_hexdigit);
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.is_empty() || is_digits(part, u8::is_ascii_digit);
    let power =
        exponent.is_none_or(|e| is_digits(e.trim_start_matches(['+', '-']), u8::is_ascii_digit));
    mantissa.bytes().any(|b| b.is_ascii_digit()) && digits(whole) && digits(fraction) && power
}

/// Whether the text has the look of a duration; whether it is one is asked of its literal.
fn is_duration(text: &str) -> bool {
    let mut rest = text;
    loop {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let unit = after.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = after.len() - unit.len();
        let known = after.starts_with(['s', 'm', 'h', 'd', 'w', 'y'])
            && (letters == 1 || letters == 2 && after.as_bytes().get(1) == Some(&b's'));
        if after.len() == rest.len() || !known {
            return false;
        }
        if unit.is_empty() {
            return true;
        }
        rest = unit;
    }
}
