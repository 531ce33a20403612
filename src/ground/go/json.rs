//! Go's errors for texts that are not JSON.

use super::Error;
use super::quoted;

const TOO_DEEP: &str = "exceeded max depth";
const ENDS_EARLY: &str = "unexpected end of JSON input";
/// The deepest nesting that Go's parser allows.
const DEEPEST: usize = 10_000;

/// The position where a text stops being JSON, and Go's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JsonFault {
    pub words: String,
    /// How many bytes Go has read, including the wrong one.
    pub read: usize,
}

impl JsonFault {
    /// Whether the text ends inside a value.
    pub(crate) fn is_end(&self) -> bool {
        self.words == ENDS_EARLY
    }
}

/// Checks that a text is one JSON value. The error is Go's.
pub(crate) fn check(text: &str) -> Result<(), Error> {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
    scanner.value()?;
    match scanner.peek_after_space() {
        None => Ok(()),
        Some(other) => Err(invalid(other, "after top-level value").into()),
    }
}

/// The end of the JSON value at the start of a text, which may continue after it.
pub(crate) fn value_end(text: &str) -> Result<usize, JsonFault> {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
    match scanner.value() {
        Ok(()) => Ok(scanner.at),
        Err(words) => Err(JsonFault { words: words.into(), read: scanner.at.min(text.len()) }),
    }
}

enum Open {
    Object,
    Array,
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    /// Reads one value.
    fn value(&mut self) -> Result<(), Error> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            if open.len() > DEEPEST {
                return Err(TOO_DEEP.into());
            }
            // Here, a value begins.
            match self.next_after_space()? {
                b'{' => {
                    open.push(Open::Object);
                    if self.peek_after_space() == Some(b'}') {
                        self.at += 1;
                        open.pop();
                    } else {
                        self.key()?;
                        continue;
                    }
                }
                b'[' => {
                    open.push(Open::Array);
                    if self.peek_after_space() == Some(b']') {
                        self.at += 1;
                        open.pop();
                    } else {
                        continue;
                    }
                }
                b'"' => self.string()?,
                first @ (b'-' | b'0'..=b'9') => self.number(first)?,
                b't' => self.literal("true")?,
                b'f' => self.literal("false")?,
                b'n' => self.literal("null")?,
                other => return Err(invalid(other, "looking for beginning of value").into()),
            }
            // Here, a value has ended. Close all brackets that end, up to the next value.
            loop {
                let Some(inner) = open.last() else {
                    return Ok(());
                };
                match (inner, self.next_after_space()?) {
                    (Open::Object, b',') => {
                        self.key()?;
                        break;
                    }
                    (Open::Array, b',') => break,
                    (Open::Object, b'}') | (Open::Array, b']') => {
                        open.pop();
                    }
                    (Open::Object, other) => {
                        return Err(invalid(other, "after object key:value pair").into());
                    }
                    (Open::Array, other) => {
                        return Err(invalid(other, "after array element").into());
                    }
                }
            }
        }
    }

    fn next(&mut self) -> Result<u8, Error> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| ENDS_EARLY.into())
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_after_space(&mut self) -> Option<u8> {
        while self.peek().is_some_and(|byte| b" \t\r\n".contains(&byte)) {
            self.at += 1;
        }
        self.peek()
    }

    fn next_after_space(&mut self) -> Result<u8, Error> {
        self.peek_after_space();
        self.next()
    }

    fn key(&mut self) -> Result<(), Error> {
        match self.next_after_space()? {
            b'"' => self.string()?,
            other => {
                return Err(invalid(other, "looking for beginning of object key string").into());
            }
        }
        match self.next_after_space()? {
            b':' => Ok(()),
            other => Err(invalid(other, "after object key").into()),
        }
    }

    fn string(&mut self) -> Result<(), Error> {
        loop {
            match self.next()? {
                b'"' => return Ok(()),
                b'\\' => match self.next()? {
                    b'b' | b'f' | b'n' | b'r' | b't' | b'\\' | b'/' | b'"' => {}
                    b'u' => {
                        for _ in 0..4 {
                            let digit = self.next()?;
                            if !digit.is_ascii_hexdigit() {
                                let place = "in \\u hexadecimal character escape";
                                return Err(invalid(digit, place).into());
                            }
                        }
                    }
                    other => return Err(invalid(other, "in string escape code").into()),
                },
                control @ 0..0x20 => return Err(invalid(control, "in string literal").into()),
                _ => {}
            }
        }
    }

    fn number(&mut self, first: u8) -> Result<(), Error> {
        let first = if first == b'-' { self.digit("in numeric literal")? } else { first };
        if first != b'0' {
            self.digits();
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digit("after decimal point in numeric literal")?;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digit("in exponent of numeric literal")?;
            self.digits();
        }
        Ok(())
    }

    fn digit(&mut self, place: &str) -> Result<u8, Error> {
        let byte = self.next()?;
        if byte.is_ascii_digit() { Ok(byte) } else { Err(invalid(byte, place).into()) }
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), Error> {
        for expected in word.chars().skip(1) {
            let byte = self.next()?;
            if char::from(byte) != expected {
                let place = format!("in literal {word} (expecting '{expected}')");
                return Err(invalid(byte, &place).into());
            }
        }
        Ok(())
    }
}

fn invalid(byte: u8, place: &str) -> String {
    let character = match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => r#"'"'"#.to_owned(),
        byte => {
            let quoted = quoted(&char::from(byte).to_string());
            format!("'{}'", &quoted[1..quoted.len() - 1])
        }
    };
    format!("invalid character {character} {place}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::{check, value_end};

    #[test]
    fn json_passes() {
        for text in ["{}", " [1, -0.5e+3, {\"a\": [\"\\u00e9\\n\", true, false, null]}] ", "0"] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn the_words_name_the_first_wrong_character() {
        let cases = [
            ("", "unexpected end of JSON input"),
            ("{\"a\": 1", "unexpected end of JSON input"),
            ("<html>", "invalid character '<' looking for beginning of value"),
            ("[1,]", "invalid character ']' looking for beginning of value"),
            ("{a: 1}", "invalid character 'a' looking for beginning of object key string"),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            ("{\"a\": 1 \"b\"}", "invalid character '\"' after object key:value pair"),
            ("[1 2]", "invalid character '2' after array element"),
            ("{} x", "invalid character 'x' after top-level value"),
            ("01", "invalid character '1' after top-level value"),
            ("nope", "invalid character 'o' in literal null (expecting 'u')"),
            ("\"\\q\"", "invalid character 'q' in string escape code"),
            ("\"a\nb\"", "invalid character '\\n' in string literal"),
            ("-x", "invalid character 'x' in numeric literal"),
        ];
        for (text, words) in cases {
            assert_eq!(check(text), Err(words.into()), "{text}");
        }
    }

    #[test]
    fn a_value_ends_before_the_next_one() {
        assert_eq!(value_end(" {\"a\": 1}{}"), Ok(9));
        let fault = value_end("{\"a\": x").unwrap_err();
        assert_eq!((fault.read, fault.is_end()), (7, false));
        assert!(value_end("{").unwrap_err().is_end());
    }

    #[test]
    fn deep_nesting_is_an_error() {
        assert_eq!(check(&"[".repeat(1_000_000)), Err("exceeded max depth".into()));
        assert_eq!(check(&"{\"a\":".repeat(1_000_000)), Err("exceeded max depth".into()));
    }
}
