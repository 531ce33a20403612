//! JSON as a [`Document`], for readers that accept both.

use std::borrow::Cow;

use super::builder::{Collection, DocumentBuilder};
use super::{Document, Style, SyntaxError};

/// Reads a text that is known to be one JSON value.
pub(crate) fn parse_json(source: &str) -> Result<Document, SyntaxError> {
    let bytes = source.as_bytes();
    let mut builder = DocumentBuilder::new(source);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        builder.expect_few(start)?;
        match byte {
            b'{' => builder.begin(Collection::Mapping, true, start..at, 0)?,
            b'[' => builder.begin(Collection::List, true, start..at, 0)?,
            b'}' | b']' => builder.end(&(start..at)),
            b'"' => {
                at = end_of_text(bytes, at);
                let range = start..at;
                let text = unescaped(source.get(range.clone()).unwrap_or_default());
                builder.scalar(range, &text, Style::DoubleQuoted);
            }
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                let is_end = |byte: &u8| b",:]} \t\r\n".contains(byte);
                at += bytes[at..].iter().position(is_end).unwrap_or(bytes.len() - at);
                let range = start..at;
                let text = source.get(range.clone()).unwrap_or_default();
                builder.scalar(range, text, Style::Plain);
            }
        }
    }
    Ok(builder.finish())
}

/// The end of a quoted text, after its closing quote. `at` is after the opening quote.
fn end_of_text(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    bytes.len()
}

/// The text inside the quotes. If it contains half of a surrogate pair, which has no character, the
/// text stays as written.
fn unescaped(quoted: &str) -> Cow<'_, str> {
    let inner = quoted.get(1..quoted.len() - 1).unwrap_or_default();
    if !inner.contains('\\') {
        return inner.into();
    }
    serde_json::from_str(quoted).map_or_else(|_| inner.into(), |text: String| text.into())
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::parse_json;
    use crate::yaml::ValueKind;

    #[test]
    fn keys_and_values_have_places() {
        let text = "{\"a\\u0062\": [1, \"x\\\"y\"], \"n\": null}";
        let document = parse_json(text).unwrap_or_else(|e| panic!("{e:?}"));
        let list = document.top("ab").unwrap_or_else(|| panic!("no key"));
        let items = document.items(list);
        assert_eq!(document.kind(items[0]), ValueKind::Number);
        assert_eq!(document.text(items[1]), Some("x\"y"));
        assert_eq!(&text[document.node(items[1]).range()], "\"x\\\"y\"");
        assert_eq!(&text[document.node(list).range()], "[1, \"x\\\"y\"]");
        assert!(document.top("n").is_some_and(|n| document.kind(n) == ValueKind::Null));
    }
}
