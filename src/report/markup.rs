//! Foreign text in Markdown: nothing in it ends a cell, begins a tag, or calls a person.

use std::fmt::Write;

use crate::text::printable;

/// Text with our own code marks, which stay; what stands between them may come from a file.
pub(super) fn prose(raw: &str) -> String {
    printable(raw)
        .split('`')
        .enumerate()
        .map(|(i, part)| if i % 2 == 1 { code(part) } else { escaped(part) })
        .collect()
}

/// Markdown as a table's cell.
pub(super) fn cell(markdown: &str) -> String {
    markdown.replace('|', "\\|")
}

/// Text as code.
pub(super) fn code(raw: &str) -> String {
    let safe = printable(raw).replace('`', "'");
    if safe.trim().is_empty() { String::new() } else { format!("`{safe}`") }
}

/// Text that no markup is made of.
pub(super) fn escaped(raw: &str) -> String {
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
    // What looks like an address would become a link.
    text.replace("://", "&#58;//").replace("www.", "www&#46;")
}

/// A label in a Mermaid drawing: what means something there is written as its number.
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
