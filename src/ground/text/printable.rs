//! Makes foreign text safe to print: without control sequences for the terminal, without characters
//! that reorder what a reviewer sees, and without commands for GitHub.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character can be printed unchanged.
///
/// False for control characters, including line breaks, and for invisible characters that change
/// how other text is displayed.
pub fn is_printable(character: char) -> bool {
    // Fast path: nearly all characters are printable ASCII.
    if matches!(character, ' '..='~') {
        return true;
    }
    !character.is_control()
        && !matches!(character,
            '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E007F}')
}

/// Escapes unprintable characters (`\u{1b}`).
///
/// This includes line feeds: a name with a line feed could imitate a message of exitpath.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_printable)
}

/// Like [`printable`], but keeps line feeds, for our own text with several lines.
pub(crate) fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\n' || is_printable(c))
}

/// The same JSON, with unprintable characters as escapes. Outside of strings, JSON has none of
/// them.
pub(crate) fn printable_json(json: &str) -> Cow<'_, str> {
    escaped_with(
        json,
        |c| c == '\n' || is_printable(c),
        |c, safe| {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        },
    )
}

/// GitHub runs a line that contains this and the name of a command.
const GITHUB_COMMAND: &str = "##[";

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    escaped_with(text, is_kept, |c, safe| match c {
        '[' => safe.push_str("\\u{5b}"),
        c => safe.extend(c.escape_default()),
    })
}

fn escaped_with(
    text: &str,
    is_kept: impl Fn(char) -> bool,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    if text.chars().all(&is_kept) && !text.contains(GITHUB_COMMAND) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_kept(character) && !(character == '[' && safe.ends_with("##")) {
            safe.push(character);
        } else {
            escape(character, &mut safe);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_json, printable_lines};

    #[test]
    fn escape_sequences_and_overrides_are_spelled_out() {
        assert_eq!(printable("plain, ünïcode\nno second line"), "plain, ünïcode\\nno second line");
        assert_eq!(printable_lines("one\ntwo\u{1b}"), "one\ntwo\\u{1b}");
        assert_eq!(printable("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(printable("####[x]"), "####\\u{5b}x]");
        assert_eq!(
            printable_json("[\"##[x]\u{1F600}\u{E0001}\"]"),
            "[\"##\\u005bx]\u{1F600}\\udb40\\udc01\"]"
        );
        assert_eq!(printable("a\u{202E}b\rc\td"), "a\\u{202e}b\\rc\\td");
    }
}
