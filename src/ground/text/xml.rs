//! Text for XML 1.0 and HTML, also between double quotes.

use super::printable_lines;

/// Escapes any text. XML cannot represent most control characters.
pub(crate) fn xml(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in printable_lines(raw).chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '#' => text.push_str("&#35;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\n' => text.push_str("&#10;"),
            '\u{FFFE}' | '\u{FFFF}' => text.push('\u{FFFD}'),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::xml;

    #[test]
    fn nothing_ends_a_tag_or_a_value() {
        assert_eq!(xml("<a b=\"c\">&#1;"), "&lt;a b=&quot;c&quot;&gt;&amp;&#35;1;");
        assert_eq!(xml("one\ntwo\u{FFFE}"), "one&#10;two\u{FFFD}");
    }
}
