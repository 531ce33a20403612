//! Foreign text made safe to print: no control sequence reaches a terminal,
//! no bidirectional override reorders what a reviewer sees.

use std::borrow::Cow;

/// Whether a character may be printed as it is.
///
/// Left out are control characters (line breaks too), and the invisible
/// characters that change how the text around them is displayed.
#[must_use]
pub fn is_printable(character: char) -> bool {
    !character.is_control()
        && !matches!(character,
            '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}

/// `text` on one line, with every unprintable character spelled as an escape (`\u{1b}`).
///
/// A line feed is one of them: in a name, it would begin a line that looks like one of ours.
#[must_use]
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    spelled(text, is_printable)
}

/// The same for a text of our own that has several lines: line feeds are kept.
#[must_use]
pub(crate) fn printable_lines(text: &str) -> Cow<'_, str> {
    spelled(text, |c| c == '\n' || is_printable(c))
}

fn spelled(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&stays) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if stays(character) {
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
