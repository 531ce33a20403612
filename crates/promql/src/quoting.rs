//! Texts as Go's standard library writes them.

use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;

/// A text in quotes, with the escapes of Go's `%q`.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            c if is_print(c) => out.push(c),
            c => escape(c, &mut out),
        }
    }
    out.push('"');
    out
}

fn escape(c: char, out: &mut String) {
    let code = u32::from(c);
    // Writing to a string cannot fail.
    let _ = match code {
        0..0x80 => write!(out, "\\x{code:02x}"),
        0x80..0x1_0000 => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

fn is_print(c: char) -> bool {
    static PRINT: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"[\p{L}\p{M}\p{N}\p{P}\p{S}]").ok());
    if c.is_ascii() {
        return c == ' ' || c.is_ascii_graphic();
    }
    is_match(&PRINT, c)
}

/// Whether a character is a decimal digit in any script.
pub fn is_digit(c: char) -> bool {
    static DIGIT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\p{Nd}").ok());
    c.is_ascii_digit() || !c.is_ascii() && is_match(&DIGIT, c)
}

fn is_match(regex: &LazyLock<Option<Regex>>, c: char) -> bool {
    regex.as_ref().is_some_and(|regex| regex.is_match(c.encode_utf8(&mut [0; 4])))
}

/// A letter in single quotes.
pub fn in_single_quotes(letter: char) -> String {
    match letter {
        '\'' => r"'\''".into(),
        '"' => "'\"'".into(),
        letter => format!("'{}'", quoted(&letter.to_string()).trim_matches('"')),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_single_quotes, is_digit, quoted};

    #[test]
    fn quotes_as_go_does() {
        assert_eq!(quoted("a\"b\\\n\u{1}"), r#""a\"b\\\n\x01""#);
        assert_eq!(quoted("é\u{a0}\u{200b}\u{e0001}"), r#""é\u00a0\u200b\U000e0001""#);
    }

    #[test]
    fn letters_have_single_quotes() {
        assert_eq!(
            ['\'', '"', 'é', '\u{ad}'].map(in_single_quotes),
            [r"'\''", "'\"'", "'é'", r"'\u00ad'"]
        );
    }

    #[test]
    fn digits_of_all_scripts() {
        assert!(is_digit('7') && is_digit('٣'));
        assert!(!is_digit('x') && !is_digit('½'));
    }
}
