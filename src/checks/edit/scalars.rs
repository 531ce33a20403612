//! Writes texts as YAML scalars, in the notation that the data files have.

use crate::yaml::{self, Style, ValueKind};

/// A text on one line: without quotes if it can be.
pub(crate) fn scalar(text: &str) -> String {
    let notations = [text.to_owned(), in_quotes(text)];
    let fits = |written: &String| !written.contains('\n') && reads_as(written, text);
    notations.into_iter().find(fits).unwrap_or_else(|| in_json(text))
}

/// A text on one line, in quotes if another text has them.
pub(crate) fn scalar_like(like: &str, text: &str) -> String {
    let quoted = in_quotes(text);
    match like.chars().next() {
        Some('\'') if !text.contains('\n') && reads_as(&quoted, text) => quoted,
        Some('\'' | '"') => in_json(text),
        _ => scalar(text),
    }
}

fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A text on lines of its own. It ends with a line break if `text` does. Every line of the result
/// but the first is indented, and the result has no line break at its end.
pub(crate) fn literal(text: &str, indent: usize) -> String {
    let mark = if text.ends_with('\n') { "|" } else { "|-" };
    let mut written = mark.to_owned();
    for line in text.trim_end_matches('\n').split('\n') {
        written.push('\n');
        if !line.is_empty() {
            written.extend(std::iter::repeat_n(' ', indent));
            written.push_str(line);
        }
    }
    if reads_as(&written, text) { written } else { in_json(text) }
}

/// JSON is YAML that can hold any text.
fn in_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether readers of a file get this text from a value.
fn reads_as(written: &str, text: &str) -> bool {
    let file = format!("k: {written}\n");
    let Ok(document) = yaml::parse(&file) else { return false };
    let [entry] = document.entries(document.root()) else { return false };
    let is_text = document.kind(entry.value) == ValueKind::Text;
    let has_words = |style| style != Style::Plain || !means_something_else(written);
    let scalar = document.scalar(entry.value);
    is_text
        && document.comments().is_empty()
        && document.text(entry.value) == Some(text)
        && scalar.is_some_and(|scalar| has_words(scalar.style))
}

/// Words that older readers of YAML take for a boolean or nothing.
fn means_something_else(word: &str) -> bool {
    let words = ["yes", "no", "on", "off", "y", "n", "true", "false", "null", "~", "="];
    words.iter().any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::{literal, scalar};

    #[test]
    fn quotes_are_only_where_readers_need_them() {
        let cases = [
            ("4[.]17[.].*", "4[.]17[.].*"),
            ("^4[.](21[.].*|22[.]0-ec[.][0-2])[+].*$", "^4[.](21[.].*|22[.]0-ec[.][0-2])[+].*$"),
            ("[0-9]+", "'[0-9]+'"),
            ("it's a: b", "'it''s a: b'"),
            ("a #b", "'a #b'"),
            ("No", "'No'"),
            ("4.18", "'4.18'"),
            ("a\nb", "\"a\\nb\""),
            ("", "''"),
        ];
        for (text, written) in cases {
            assert_eq!(scalar(text), written);
        }
    }

    #[test]
    fn long_texts_have_their_own_lines() {
        assert_eq!(literal("One.\n\nTwo: 'x'.", 2), "|-\n  One.\n\n  Two: 'x'.");
        assert_eq!(
            literal("group(x)\nor\n0 * group(y)\n", 6),
            "|\n      group(x)\n      or\n      0 * group(y)"
        );
        assert_eq!(literal(" begins with a space", 2), "\" begins with a space\"");
        assert_eq!(literal("ends with two\n\n", 2), "\"ends with two\\n\\n\"");
    }
}
