//! Makes foreign text safe to print: without control sequences for the terminal, and without
//! characters that reorder what a reviewer sees.

use std::borrow::Cow;

/// Whether a character can be printed unchanged.
///
/// False for control characters, including line breaks, and for invisible characters that change
/// how other text is displayed.
#[must_use]
pub fn is_printable(character: char) -> bool {
    !character.is_control()
        && !matches!(character,
            '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}

/// Escapes unprintable characters (`\u{1b}`).
///
/// This includes line feeds: a name with a line feed could imitate a message of exitpath.
#[must_use]
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_printable)
}

/// Like [`printable`], but keeps line feeds, for our own text with several lines.
#[must_use]
pub(crate) fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\n' || is_printable(c))
}

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_kept) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_kept(character) {
            safe.push(character);
        } else {
            safe.extend(character.escape_default());
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_lines};

    #[test]
    fn escape_sequences_and_overrides_are_spelled_out() {
        assert_eq!(printable("plain, ünïcode\nno second line"), "plain, ünïcode\\nno second line");
        assert_eq!(printable_lines("one\ntwo\u{1b}"), "one\ntwo\\u{1b}");
        assert_eq!(printable("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(printable("a\u{202E}b\rc\td"), "a\\u{202e}b\\rc\\td");
    }
}
