//! Wraps lines of text for people at the width of the terminal.

use std::io::{self, Write};

use textwrap::{Options, WordSeparator, WordSplitter};

use super::Style;
use super::workflow_commands::without_command;

/// Writes text, and wraps its lines between words if the width is known. Continuation lines are
/// indented two more columns.
pub(crate) fn wrapped(
    style: Style,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if style.width.is_none() {
        return write(out);
    }
    let mut text = Vec::new();
    write(&mut text)?;
    for line in String::from_utf8_lossy(&text).lines() {
        let start = line.len() - line.trim_start_matches(' ').len();
        write_line(style, line, start + 2, out)?;
    }
    Ok(())
}

/// Writes paragraphs and lists in Markdown. If the width is known, their lines are joined and
/// wrapped again.
pub(crate) fn wrapped_prose(style: Style, markdown: &str, out: &mut dyn Write) -> io::Result<()> {
    if style.width.is_none() {
        return writeln!(out, "{markdown}");
    }
    let mut blocks: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in markdown.lines() {
        if is_open && !line.is_empty() && !line.starts_with("- ") {
            let block = blocks.len() - 1;
            blocks[block] += " ";
            blocks[block] += line.trim_start();
        } else {
            blocks.push(line.to_owned());
        }
        is_open = !line.is_empty();
    }
    for block in blocks {
        let indent = if block.starts_with("- ") { 2 } else { 0 };
        write_line(style, &block, indent, out)?;
    }
    Ok(())
}

/// Text in which short code spans stay on one line: their spaces become no-break spaces.
pub(super) fn with_whole_code(text: &str) -> String {
    const LONGEST: usize = 40;
    let parts = text.split('`').enumerate().map(|(nth, part)| match nth % 2 {
        1 if part.len() <= LONGEST => part.replace(' ', NO_BREAK),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Replaces what [`with_whole_code`] put in.
pub(super) fn with_plain_spaces(text: &str) -> String {
    text.replace(NO_BREAK, " ")
}

const NO_BREAK: &str = "\u{a0}";

/// Writes a line. What does not fit continues on the next lines, indented.
pub(crate) fn write_line(
    style: Style,
    line: &str,
    indent: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let indent = " ".repeat(indent);
    let options = Options::new(style.columns())
        .subsequent_indent(&indent)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    for part in textwrap::wrap(&with_whole_code(line), options) {
        writeln!(out, "{}", without_command(&with_plain_spaces(&part)))?;
    }
    Ok(())
}
