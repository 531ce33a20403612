//! The regular expressions of matchers: Go's, which are not quite Rust's.
//!
//! Prometheus compiles them with RE2's syntax, anchored at both ends. Here they
//! are written anew in Rust's syntax, and what Go refuses is refused.

use std::fmt::Write;
use std::ops::Range;

use regex_syntax::hir::literal::{ExtractKind, Extractor, Literal};
use regex_syntax::hir::{Hir, HirKind, Look};

/// Why a text is no regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    /// The bytes of it at fault.
    pub range: Range<usize>,
    /// The cause in words.
    pub why: String,
}

/// What a matcher's regular expression matches, from the first character of a value to the last.
pub fn anchored(text: &str) -> Result<Hir, RegexError> {
    let mut rewriting = Rewriting { text, at: 0, out: String::new(), open: Vec::new() };
    rewriting.run()?;
    let mut parser =
        regex_syntax::ParserBuilder::new().dot_matches_new_line(true).nest_limit(100).build();
    parser.parse(&rewriting.out).map_err(|error| {
        let why = match error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            other => other.to_string(),
        };
        RegexError { range: 0..text.len(), why }
    })
}

/// Whether a regular expression matches the empty text, and so an absent label.
pub(super) fn matches_empty(text: &str) -> bool {
    anchored(text).is_ok_and(|hir| is_empty(&hir))
}

fn is_empty(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Look(look) => !matches!(look, Look::WordAscii | Look::WordUnicode),
        HirKind::Literal(_) | HirKind::Class(_) => false,
        HirKind::Repetition(repetition) => repetition.min == 0 || is_empty(&repetition.sub),
        HirKind::Capture(capture) => is_empty(&capture.sub),
        HirKind::Concat(parts) => parts.iter().all(is_empty),
        HirKind::Alternation(arms) => arms.iter().any(is_empty),
    }
}

/// Whether a regular expression matches a value; nothing where that would cost too much to tell.
#[must_use]
pub fn matches(text: &str, value: &str) -> Option<bool> {
    let pattern = format!("^(?:{})$", anchored(text).ok()?);
    let compiled = ::regex::RegexBuilder::new(&pattern).size_limit(1 << 17).build().ok()?;
    Some(compiled.is_match(value))
}

/// Whether a regular expression lists things of different names, as in `(apple|pear)[.].*`.
pub(super) fn names_several(text: &str) -> bool {
    let Ok(hir) = anchored(text) else { return false };
    let prefixes = Extractor::new().limit_class(1).extract(&hir);
    let Some(prefixes) = prefixes.literals() else { return true };
    let first = prefixes.first().map(Literal::as_bytes).unwrap_or_default();
    prefixes.iter().any(|other| {
        // What one adds to the other is not another name.
        !other.as_bytes().starts_with(first) && !first.starts_with(other.as_bytes())
    })
}

/// The ends that every match has one of, if those are known.
#[must_use]
pub fn endings(text: &str) -> Option<Vec<String>> {
    let hir = anchored(text).ok()?;
    let suffixes = Extractor::new().kind(ExtractKind::Suffix).extract(&hir);
    let literals = suffixes.literals()?.iter();
    Some(literals.map(|l| String::from_utf8_lossy(l.as_bytes()).into_owned()).collect())
}

/// Go allows no more repetitions than this.
const MOST_REPEATS: u32 = 1000;

struct Rewriting<'t> {
    text: &'t str,
    at: usize,
    out: String,
    /// Where each open `(` stands.
    open: Vec<usize>,
}

/// What stands before a place, as far as a repetition after it cares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Something,
    Repetition,
}

type Done<T = ()> = Result<T, RegexError>;

impl Rewriting<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn error<T>(&self, start: usize, why: impl Into<String>) -> Done<T> {
        Err(RegexError { range: start..self.at, why: why.into() })
    }

    fn literal(&mut self, c: char) {
        regex_syntax::escape_into(c.encode_utf8(&mut [0; 4]), &mut self.out);
    }

    fn run(&mut self) -> Done {
        let mut before = Before::Nothing;
        loop {
            let start = self.at;
            let Some(c) = self.next() else { break };
            before = match c {
                '\\' => self.escape(start)?,
                '[' => self.class(start)?,
                '(' => self.group(start)?,
                ')' if self.open.pop().is_none() => {
                    return self.error(start, "this `)` closes no `(`");
                }
                ')' => {
                    self.out.push(')');
                    Before::Something
                }
                '|' => {
                    self.out.push('|');
                    Before::Nothing
                }
                '*' | '+' | '?' => self.repetition(start, c.encode_utf8(&mut [0; 4]), before)?,
                '{' => {
                    if let Some(bounds) = self.bounds(start)? {
                        self.repetition(start, &bounds, before)?
                    } else {
                        self.literal('{');
                        Before::Something
                    }
                }
                '.' | '^' | '$' => {
                    self.out.push(c);
                    Before::Something
                }
                _ => {
                    self.literal(c);
                    Before::Something
                }
            };
        }
        match self.open.pop() {
            Some(open) => self.error(open, "unclosed `(`"),
            None => Ok(()),
        }
    }

    fn repetition(&mut self, start: usize, op: &str, before: Before) -> Done<Before> {
        match before {
            Before::Nothing => {
                return self.error(start, format!("there is nothing before `{op}` to repeat"));
            }
            Before::Repetition => {
                return self.error(start, format!("`{op}` repeats what is repeated already"));
            }
            Before::Something => {}
        }
        self.out.push_str(op);
        if self.take("?") {
            self.out.push('?');
        }
        Ok(Before::Repetition)
    }

    /// `{2}`, `{2,}` or `{2,5}`, the `{` being read; anything else is literal text.
    fn bounds(&mut self, start: usize) -> Done<Option<String>> {
        let Some((inner, _)) = self.rest().split_once('}') else { return Ok(None) };
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits.then(|| text.parse().unwrap_or(u32::MAX))
        };
        let (least, most) = match inner.split_once(',') {
            None => (number(inner), number(inner)),
            Some((least, "")) => (number(least), number(least)),
            Some((least, most)) => (number(least), number(most)),
        };
        let (Some(least), Some(most)) = (least, most) else { return Ok(None) };
        let bounds = format!("{{{inner}}}");
        self.at += inner.len() + 1;
        if least > most || most > MOST_REPEATS {
            return self.error(
                start,
                format!("at most {MOST_REPEATS} repetitions, the smaller number first"),
            );
        }
        Ok(Some(bounds))
    }

    fn group(&mut self, start: usize) -> Done<Before> {
        self.open.push(start);
        self.out.push('(');
        if !self.take("?") {
            return Ok(Before::Nothing);
        }
        if self.rest().starts_with(['=', '!'])
            || self.rest().starts_with("<=")
            || self.rest().starts_with("<!")
        {
            self.next();
            return self.error(start, "Prometheus has no look-ahead and no look-behind");
        }
        if self.take("P<") || self.take("<") {
            let length = self.rest().find('>').unwrap_or(0);
            let name = self.rest().get(..length).unwrap_or_default();
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                return self.error(start, "a group's name is made of letters, digits and `_`");
            }
            self.at += length + 1;
            return Ok(Before::Nothing);
        }
        let flags = self.rest().find([':', ')']).unwrap_or(0);
        let written = self.rest().get(..flags).unwrap_or_default().to_owned();
        let known = written.chars().all(|c| matches!(c, 'i' | 'm' | 's' | 'U' | '-'));
        let (on, off) = written.split_once('-').unwrap_or((&written, "s"));
        self.at += flags;
        let closes = self.take(")");
        let is_one = closes || self.take(":");
        if !known
            || !is_one
            || off.is_empty()
            || off.contains('-')
            || closes && on.is_empty() && !written.contains('-')
        {
            return self.error(start, "this begins no group that Prometheus knows");
        }
        self.out.push('?');
        self.out.push_str(&written);
        self.out.push(if closes { ')' } else { ':' });
        if closes {
            self.open.pop();
        }
        Ok(Before::Nothing)
    }

    fn escape(&mut self, start: usize) -> Done<Before> {
        match self.rest().chars().next() {
            Some(c @ ('A' | 'z' | 'b' | 'B')) => {
                self.next();
                self.out.push_str(match c {
                    'A' => "^",
                    'z' => "$",
                    'b' => r"\b",
                    _ => r"\B",
                });
            }
            Some('Q') => {
                self.next();
                let end = self.rest().find("\\E").unwrap_or(self.rest().len());
                let quoted = self.rest().get(..end).unwrap_or_default().to_owned();
                self.at = (self.at + end + 2).min(self.text.len());
                regex_syntax::escape_into(&quoted, &mut self.out);
            }
            _ => {
                if let Some(set) = self.set()? {
                    self.out.push_str(&set);
                } else {
                    let c = self.escaped(start)?;
                    self.literal(c);
                }
            }
        }
        Ok(Before::Something)
    }

    /// `\d` and its like, the backslash being read.
    fn set(&mut self) -> Done<Option<String>> {
        let set = match self.rest().chars().next() {
            Some('d') => "[0-9]",
            Some('D') => "[^0-9]",
            Some('s') => r"[\t\n\f\r ]",
            Some('S') => r"[^\t\n\f\r ]",
            Some('w') => "[0-9A-Za-z_]",
            Some('W') => "[^0-9A-Za-z_]",
            Some(c @ ('p' | 'P')) => {
                let start = self.at;
                self.next();
                let length = match self.rest().strip_prefix('{') {
                    Some(name) => name.find('}').map(|end| end + 2),
                    None => self.rest().chars().next().map(char::len_utf8),
                };
                let Some(name) = length.and_then(|length| self.rest().get(..length)) else {
                    return self.error(start, "this names no class of characters");
                };
                let set = format!("\\{c}{name}");
                self.at += length.unwrap_or_default();
                return Ok(Some(set));
            }
            _ => return Ok(None),
        };
        self.next();
        Ok(Some(set.to_owned()))
    }

    /// The character that an escape stands for, the backslash being read.
    fn escaped(&mut self, start: usize) -> Done<char> {
        let Some(c) = self.next() else { return self.error(start, "it ends in `\\`") };
        Ok(match c {
            'a' => '\x07',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            '0'..='7' => {
                let digits = self.rest().bytes().take(2).take_while(|b| matches!(b, b'0'..=b'7'));
                let more = digits.count();
                if c != '0' && more == 0 {
                    return self.error(start, "Prometheus has no back-references");
                }
                let octal = self.text.get(start + 1..self.at + more).unwrap_or_default();
                let code = u32::from_str_radix(octal, 8).ok().and_then(char::from_u32);
                self.at += more;
                code.unwrap_or_default()
            }
            'x' => {
                let braced = self.take("{");
                let end = if braced { self.rest().find('}') } else { Some(2) };
                let digits = end.and_then(|end| self.rest().get(..end)).unwrap_or_default();
                let length = digits.len() + usize::from(braced);
                let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                self.at = (self.at + length).min(self.text.len());
                match code {
                    Some(c) => c,
                    None => return self.error(start, "this names no character"),
                }
            }
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => c,
            c => return self.error(start, format!("`\\{c}` is no escape")),
        })
    }

    /// `[…]`, the bracket being read.
    fn class(&mut self, start: usize) -> Done<Before> {
        self.out.push('[');
        if self.take("^") {
            self.out.push('^');
        }
        let mut is_first = true;
        loop {
            if !is_first && self.take("]") {
                self.out.push(']');
                return Ok(Before::Something);
            }
            is_first = false;
            if self.rest().starts_with("[:")
                && let Some(end) = self.rest().find(":]")
            {
                let name = self.rest().get(..end + 2).unwrap_or_default().to_owned();
                self.at += name.len();
                self.out.push_str(&name);
                continue;
            }
            let from = self.at;
            if self.take("\\") {
                if let Some(set) = self.set()? {
                    self.out.push_str(&set);
                    continue;
                }
                self.at = from;
            }
            let low = self.class_char(start)?;
            self.literal_in_class(low);
            if self.rest().starts_with('-') && !self.rest().starts_with("-]") {
                self.next();
                let high = self.class_char(start)?;
                if high < low {
                    return self.error(from, "the range ends before it begins");
                }
                self.out.push('-');
                self.literal_in_class(high);
            }
        }
    }

    fn class_char(&mut self, start: usize) -> Done<char> {
        let at = self.at;
        match self.next() {
            Some('\\') => self.escaped(at),
            Some(c) => Ok(c),
            None => self.error(start, "unclosed `[`"),
        }
    }

    fn literal_in_class(&mut self, c: char) {
        let _ = write!(self.out, r"\x{{{:x}}}", u32::from(c));
    }
}
