//! Translates Go's syntax of patterns to that of the crate `regex`. Where they differ, the pattern
//! is written in a form that both read in the same way.

use std::fmt::Write;

use super::error::RegexError;

/// Rewrites a pattern, and refuses what Go refuses. Does not check how deep and how large the
/// result is.
pub(super) fn to_rust(text: &str) -> Result<String, RegexError> {
    let mut rewriter = Rewriter { text, at: 0, out: String::new(), open: Vec::new() };
    rewriter.run()?;
    Ok(rewriter.out)
}

/// Go's limit for `x{n}`.
const MOST_REPEATS: u32 = 1000;

struct Rewriter<'t> {
    text: &'t str,
    at: usize,
    out: String,
    /// The places of the open `(`.
    open: Vec<usize>,
}

/// What comes before a position, which decides whether a repetition may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Preceding {
    Nothing,
    Something,
    Repetition,
}

impl Rewriter<'_> {
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

    fn error<T>(&self, start: usize, why: impl Into<String>) -> Result<T, RegexError> {
        Err(RegexError { range: start..self.at, why: why.into() })
    }

    fn literal(&mut self, c: char) {
        regex_syntax::escape_into(c.encode_utf8(&mut [0; 4]), &mut self.out);
    }

    fn run(&mut self) -> Result<(), RegexError> {
        let mut before = Preceding::Nothing;
        loop {
            let start = self.at;
            let Some(c) = self.next() else { break };
            before = match c {
                '\\' => self.escape(start)?,
                '[' => self.class(start)?,
                '(' => self.group(start)?,
                ')' if self.open.pop().is_none() => {
                    return self.error(start, "this `)` has no opening `(`");
                }
                ')' => {
                    self.out.push(')');
                    Preceding::Something
                }
                '|' => {
                    self.out.push('|');
                    Preceding::Nothing
                }
                '*' | '+' | '?' => self.repetition(start, c.encode_utf8(&mut [0; 4]), before)?,
                '{' => {
                    if let Some(bounds) = self.bounds(start)? {
                        self.repetition(start, &bounds, before)?
                    } else {
                        self.literal('{');
                        Preceding::Something
                    }
                }
                '.' | '^' | '$' => {
                    self.out.push(c);
                    Preceding::Something
                }
                _ => {
                    self.literal(c);
                    Preceding::Something
                }
            };
        }
        match self.open.pop() {
            Some(open) => self.error(open, "unclosed `(`"),
            None => Ok(()),
        }
    }

    fn repetition(
        &mut self,
        start: usize,
        op: &str,
        before: Preceding,
    ) -> Result<Preceding, RegexError> {
        match before {
            Preceding::Nothing => {
                return self.error(start, format!("there is nothing before `{op}` to repeat"));
            }
            Preceding::Repetition => {
                return self.error(start, format!("`{op}` repeats a repetition"));
            }
            Preceding::Something => {}
        }
        self.out.push_str(op);
        if self.take("?") {
            self.out.push('?');
        }
        Ok(Preceding::Repetition)
    }

    /// Reads `{2}`, `{2,}`, or `{2,5}` after the `{`. None if the `{` is literal text.
    fn bounds(&mut self, start: usize) -> Result<Option<String>, RegexError> {
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
                format!("write at most {MOST_REPEATS} repetitions, with the smaller number first"),
            );
        }
        Ok(Some(bounds))
    }

    fn group(&mut self, start: usize) -> Result<Preceding, RegexError> {
        self.open.push(start);
        self.out.push('(');
        if !self.take("?") {
            return Ok(Preceding::Nothing);
        }
        if self.rest().starts_with(['=', '!'])
            || self.rest().starts_with("<=")
            || self.rest().starts_with("<!")
        {
            self.next();
            return self.error(start, "Prometheus does not support look-ahead or look-behind");
        }
        if self.take("P<") || self.take("<") {
            let length = self.rest().find('>').unwrap_or(0);
            let name = self.rest().get(..length).unwrap_or_default().to_owned();
            if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                return self.error(start, "a group's name can only have letters, digits, and `_`");
            }
            self.at += length + 1;
            // Go allows names that start with a digit. The crate does not.
            let _ = write!(self.out, "?P<_{name}>");
            return Ok(Preceding::Nothing);
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
            return self.error(start, "Prometheus does not know this kind of group");
        }
        self.out.push('?');
        self.out.push_str(&written);
        self.out.push(if closes { ')' } else { ':' });
        if closes {
            self.open.pop();
        }
        Ok(Preceding::Nothing)
    }

    fn escape(&mut self, start: usize) -> Result<Preceding, RegexError> {
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
        Ok(Preceding::Something)
    }

    /// Reads the rest of `\d` and similar sets, after the backslash.
    fn set(&mut self) -> Result<Option<String>, RegexError> {
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
                    return self.error(start, "this is not a class of characters");
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

    /// Reads the rest of an escape, after the backslash.
    fn escaped(&mut self, start: usize) -> Result<char, RegexError> {
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
                    return self.error(start, "Prometheus does not support backreferences");
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
                    None => return self.error(start, "this is not a valid character"),
                }
            }
            c if c.is_ascii() && !c.is_ascii_alphanumeric() => c,
            c => return self.error(start, format!("`\\{c}` is not an escape")),
        })
    }

    /// Reads the rest of `[…]`, after the bracket.
    fn class(&mut self, start: usize) -> Result<Preceding, RegexError> {
        let opening = self.out.len();
        self.out.push('[');
        if self.take("^") {
            self.out.push('^');
        }
        let mut is_first = true;
        let mut only = None;
        loop {
            if !is_first && self.take("]") {
                if let Some(c) = only {
                    // `[.]` is frequent, and the crate reads classes slowly.
                    self.out.truncate(opening);
                    self.literal(c);
                } else {
                    self.out.push(']');
                }
                return Ok(Preceding::Something);
            }
            let opens = is_first && self.out.len() == opening + 1;
            (is_first, only) = (false, None);
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
            } else if opens {
                only = Some(low);
            }
        }
    }

    fn class_char(&mut self, start: usize) -> Result<char, RegexError> {
        let at = self.at;
        match self.next() {
            Some('\\') => self.escaped(at),
            Some(c) => Ok(c),
            None => self.error(start, "unclosed `[`"),
        }
    }

    fn literal_in_class(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.out.push(c);
            return;
        }
        let _ = write!(self.out, r"\x{{{:x}}}", u32::from(c));
    }
}
