//! From text to tokens. Which tokens are possible depends on the brackets around them.

use super::error::Error;
use super::literals;
use super::messages::not_a_literal;
use super::operators::{MatchOp, Operator};
use super::token::{self, Token, TokenKind};

/// The tokens of a text. The last one is [`TokenKind::End`].
pub(super) struct Tokens {
    pub(super) list: Vec<Token>,
    /// Why reading stopped before the end of the text.
    pub(super) error: Option<Error>,
}

pub(super) fn tokens(text: &str) -> Tokens {
    let mut lexer = Lexer { text, at: 0, parens: Vec::new(), list: Vec::new() };
    let error = lexer.run().err();
    let end = lexer.at;
    lexer.list.push(Token { kind: TokenKind::End, range: end..end });
    Tokens { list: lexer.list, error }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// The positions of the open `(`.
    parens: Vec<usize>,
    list: Vec<Token>,
}

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

    fn push(&mut self, kind: TokenKind, length: usize) {
        self.list.push(Token { kind, range: self.at..self.at + length });
        self.at += length;
    }

    /// Skips white space, and comments where Prometheus allows them.
    fn skip(&mut self, comments: bool) {
        loop {
            let rest = self.rest();
            let after = rest.trim_start_matches(is_space);
            self.at += rest.len() - after.len();
            if !(comments && after.starts_with('#')) {
                return;
            }
            self.at += after.find(['\n', '\r']).unwrap_or(after.len());
        }
    }

    fn run(&mut self) -> Result<(), Error> {
        loop {
            self.skip(true);
            let Some(c) = self.peek() else { break };
            self.token(c)?;
        }
        match self.parens.pop() {
            Some(open) => Err(Error::unclosed(self.at, open, "missing `)` for the unclosed `(`")),
            None => Ok(()),
        }
    }

    fn token(&mut self, c: char) -> Result<(), Error> {
        let second = self.rest().chars().nth(1);
        match c {
            ',' => self.push(TokenKind::Comma, 1),
            '(' => {
                self.parens.push(self.at);
                self.push(TokenKind::LeftParen, 1);
            }
            ')' => {
                if self.parens.pop().is_none() {
                    return Err(self.error(1, "this `)` has no opening `(`"));
                }
                self.push(TokenKind::RightParen, 1);
            }
            '@' => self.push(TokenKind::At, 1),
            '=' | '!' | '<' | '>' if second == Some('=') => {
                let op = match c {
                    '=' => Operator::Equal,
                    '!' => Operator::NotEqual,
                    '<' => Operator::LessOrEqual,
                    _ => Operator::GreaterOrEqual,
                };
                self.push(TokenKind::Operator(op), 2);
            }
            '=' | '!' if second == Some('~') => {
                return Err(self.error(
                    2,
                    format!("`{c}~` compares labels, so it can only be between braces"),
                ));
            }
            '=' => self.push(TokenKind::Match(MatchOp::Equal), 1),
            '<' => self.push(TokenKind::Operator(Operator::Less), 1),
            '>' => self.push(TokenKind::Operator(Operator::Greater), 1),
            '"' | '\'' | '`' => self.quoted(c)?,
            '{' => {
                self.push(TokenKind::LeftBrace, 1);
                return self.braces();
            }
            '[' => {
                self.push(TokenKind::LeftBracket, 1);
                return self.brackets();
            }
            '0'..='9' => self.number()?,
            '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number()?,
            _ if is_word(c) || c == ':' => self.word(),
            _ => match arithmetic(c) {
                Some(op) => self.push(TokenKind::Operator(op), 1),
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

    /// Reads everything after `{`, up to `}`.
    fn braces(&mut self) -> Result<(), Error> {
        let open = self.at - 1;
        loop {
            self.skip(true);
            let Some(c) = self.peek() else {
                let message = "missing `}` for the unclosed `{`";
                return Err(Error::unclosed(self.at, open, message));
            };
            let second = self.rest().chars().nth(1);
            match (c, second) {
                ('}', _) => {
                    self.push(TokenKind::RightBrace, 1);
                    return Ok(());
                }
                (',', _) => self.push(TokenKind::Comma, 1),
                ('=', Some('~')) => self.push(TokenKind::Match(MatchOp::Regex), 2),
                ('=', _) => self.push(TokenKind::Match(MatchOp::Equal), 1),
                ('!', Some('=')) => self.push(TokenKind::Match(MatchOp::NotEqual), 2),
                ('!', Some('~')) => self.push(TokenKind::Match(MatchOp::NotRegex), 2),
                ('"' | '\'' | '`', _) => self.quoted(c)?,
                _ if is_word(c) && !c.is_ascii_digit() => {
                    let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
                    self.push(TokenKind::Identifier, length);
                }
                _ => return Err(self.stray(c, " between the braces of a selector")),
            }
        }
    }

    /// Reads everything after `[`, up to `]`. Prometheus allows comments only after the first
    /// duration.
    fn brackets(&mut self) -> Result<(), Error> {
        let open = self.at - 1;
        let mut comments = false;
        loop {
            self.skip(comments);
            let Some(c) = self.peek() else {
                let message = "missing `]` for the unclosed `[`";
                return Err(Error::unclosed(self.at, open, message));
            };
            match c {
                ']' => {
                    self.push(TokenKind::RightBracket, 1);
                    return Ok(());
                }
                ':' => self.push(TokenKind::Colon, 1),
                ',' => self.push(TokenKind::Comma, 1),
                '(' => self.push(TokenKind::LeftParen, 1),
                ')' => self.push(TokenKind::RightParen, 1),
                '0'..='9' | '.' => {
                    self.number()?;
                    comments = true;
                }
                _ if is_word(c) => {
                    let length = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
                    self.push(TokenKind::Identifier, length);
                }
                _ => match arithmetic(c) {
                    Some(op) => self.push(TokenKind::Operator(op), 1),
                    None => return Err(self.stray(c, " where a duration such as `5m` belongs")),
                },
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Result<(), Error> {
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
        // Prometheus cannot tell this character from a byte that is not UTF-8.
        if written.contains(char::REPLACEMENT_CHARACTER) {
            return Err(self.error(length, "a string must not contain the character U+FFFD"));
        }
        if let Err(why) = literals::string(written) {
            return Err(self.error(length, why));
        }
        self.push(TokenKind::Text, length);
        Ok(())
    }

    fn number(&mut self) -> Result<(), Error> {
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
            self.push(TokenKind::Number, written.len());
        } else if is_duration(written) {
            self.push(TokenKind::Duration, written.len());
        } else {
            return Err(self.error(written.len(), not_a_literal(written)));
        }
        Ok(())
    }

    fn word(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c| !is_word(c) && c != ':').unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let kind = if word.contains(':') { TokenKind::MetricName } else { token::of_word(word) };
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

/// Whether a text has only digits, and `_` only between two of them.
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

/// Whether a text looks like a duration. Its units may still be in the wrong order, which
/// `literals::duration` refuses.
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
