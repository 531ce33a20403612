//! Escapes text from files for Markdown and Mermaid, so that it cannot end a cell, start a tag, or
//! mention a GitHub user.

use std::fmt::Write;

use crate::text::printable;

/// Escapes text of this tool, which marks code with backquotes. The code may come from a file.
pub(super) fn prose(raw: &str) -> String {
    printable(raw)
        .split('`')
        .enumerate()
        .map(|(i, part)| if i % 2 == 1 { code(part) } else { escaped(part) })
        .collect()
}

pub(super) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

pub(super) fn code(raw: &str) -> String {
    let safe = printable(raw).replace('`', "'");
    if safe.trim().is_empty() { String::new() } else { format!("`{safe}`") }
}

pub(crate) fn escaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in printable(raw).chars() {
        match c {
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '&' => text.push_str("&amp;"),
            '@' => text.push_str("&#64;"),
            '`' => text.push_str("&#96;"),
            '*' | '_' | '[' | ']' | '\\' | '#' | '~' => {
                text.push('\\');
                text.push(c);
            }
            c => text.push(c),
        }
    }
    // GitHub turns addresses into links.
    text.replace("://", "&#58;//").replace("www.", "www&#46;")
}

/// A label in a Mermaid drawing. Characters that may have a meaning there are replaced by their
/// numbers.
pub(super) fn label(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    for c in printable(raw).chars() {
        if c.is_alphanumeric() || " .,-_+".contains(c) {
            text.push(c);
        } else {
            let _ = write!(text, "#{};", u32::from(c));
        }
    }
    text
}
