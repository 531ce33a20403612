//! What the operator's JSON parser says of a text that is not JSON.

use crate::promql::quoted;

const TOO_DEEP: &str = "exceeded max depth";
/// The nesting that its parser allows.
const DEEPEST: usize = 10_000;

/// Checks that a text is one JSON value, or returns the words of the operator's parser.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
    let mut open: Vec<Open> = Vec::new();
    loop {
        if open.len() > DEEPEST {
            return Err(TOO_DEEP.into());
        }
        // At the start of a value.
        match scanner.next_after_space()? {
            b'{' => {
                open.push(Open::Object);
                if scanner.peek_after_space() == Some(b'}') {
                    scanner.at += 1;
                    open.pop();
                } else {
                    scanner.key()?;
                    continue;
                }
            }
            b'[' => {
                open.push(Open::Array);
                if scanner.peek_after_space() == Some(b']') {
                    scanner.at += 1;
                    open.pop();
                } else {
                    continue;
                }
            }
            b'"' => scanner.string()?,
            first @ (b'-' | b'0'..=b'9') => scanner.number(first)?,
            b't' => scanner.literal("true")?,
            b'f' => scanner.literal("false")?,
            b'n' => scanner.literal("null")?,
            other => return Err(invalid(other, "looking for beginning of value")),
        }
        // After a value: close what ends, up to the next one.
        loop {
            let Some(inner) = open.last() else {
                return match scanner.peek_after_space() {
                    None => Ok(()),
                    Some(other) => Err(invalid(other, "after top-level value")),
                };
            };
            match (inner, scanner.next_after_space()?) {
                (Open::Object, b',') => {
                    scanner.key()?;
                    break;
                }
                (Open::Array, b',') => break,
                (Open::Object, b'}') | (Open::Array, b']') => {
                    open.pop();
                }
                (Open::Object, other) => {
                    return Err(invalid(other, "after object key:value pair"));
                }
                (Open::Array, other) => return Err(invalid(other, "after array element")),
            }
        }
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
    fn next(&mut self) -> Result<u8, String> {
        let byte = self.bytes.get(self.at).copied();
        self.at += 1;
        byte.ok_or_else(|| "unexpected end of JSON input".to_owned())
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

    fn next_after_space(&mut self) -> Result<u8, String> {
        self.peek_after_space();
        self.next()
    }

    fn key(&mut self) -> Result<(), String> {
        match self.next_after_space()? {
            b'"' => self.string()?,
            other => return Err(invalid(other, "looking for beginning of object key string")),
        }
        match self.next_after_space()? {
            b':' => Ok(()),
            other => Err(invalid(other, "after object key")),
        }
    }

    fn string(&mut self) -> Result<(), String> {
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
                                return Err(invalid(digit, place));
                            }
                        }
                    }
                    other => return Err(invalid(other, "in string escape code")),
                },
                control @ 0..0x20 => return Err(invalid(control, "in string literal")),
                _ => {}
            }
        }
    }

    fn number(&mut self, first: u8) -> Result<(), String> {
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

    fn digit(&mut self, place: &str) -> Result<u8, String> {
        let byte = self.next()?;
        if byte.is_ascii_digit() { Ok(byte) } else { Err(invalid(byte, place)) }
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), String> {
        for expected in word.chars().skip(1) {
            let byte = self.next()?;
            if char::from(byte) != expected {
                let place = format!("in literal {word} (expecting '{expected}')");
                return Err(invalid(byte, &place));
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
mod tests {
    use super::check;

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
            assert_eq!(check(text), Err(words.to_owned()), "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        assert_eq!(check(&"[".repeat(1_000_000)), Err("exceeded max depth".into()));
        assert_eq!(check(&"{\"a\":".repeat(1_000_000)), Err("exceeded max depth".into()));
    }
}
