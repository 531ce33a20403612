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

/// `text` with every unprintable character spelled as an escape (`\u{1b}`).
///
/// Line feeds are kept: messages may have several lines.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c == '\n' || is_printable(c)) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if character == '\n' || is_printable(character) {
            safe.push(character);
        } else {
            safe.extend(character.escape_default());
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn escape_sequences_and_overrides_are_spelled_out() {
        assert_eq!(printable("plain, ünïcode\nsecond line"), "plain, ünïcode\nsecond line");
        assert_eq!(printable("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(printable("a\u{202E}b\rc\td"), "a\\u{202e}b\\rc\\td");
    }
}
