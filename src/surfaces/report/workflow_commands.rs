//! Protects against workflow commands: GitHub Actions runs lines of a log that begin with `::`,
//! whichever program prints them.

use std::borrow::Cow;

use crate::text::printable;

/// Puts a mark before a line that GitHub would run as a workflow command. A name from a file, or
/// wrapped text, can begin with `::`.
pub(super) fn without_command(line: &str) -> Cow<'_, str> {
    let words = line.trim_start();
    if !words.starts_with("::") {
        return Cow::Borrowed(line);
    }
    Cow::Owned(format!("{}· {words}", " ".repeat((line.len() - words.len()).saturating_sub(2))))
}

/// The text of a command.
pub(super) fn text(raw: &str) -> String {
    printable(raw).replace('%', "%25")
}

/// The value of a command's property.
pub(super) fn property(raw: &str) -> String {
    text(raw).replace(':', "%3A").replace(',', "%2C")
}
