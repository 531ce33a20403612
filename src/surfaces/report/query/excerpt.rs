//! Writes a query with notes under its parts.

use std::io::{self, Write};
use std::ops::Range;

use textwrap::core::display_width;

use crate::report::Style;
use crate::report::workflow_commands::without_command;
use crate::text::printable;

/// The indentation of notes that do not fit beside the underline.
const COMMENT: usize = 6;

/// A note under a part of a query.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    /// The part. It is underlined if it is on one line.
    pub range: Range<usize>,
    /// The word that is underlined if the part has several lines.
    pub word: Range<usize>,
    pub label: String,
    pub is_bold: bool,
}

impl Mark {
    fn fits(&self, column: usize, length: usize, style: Style) -> bool {
        column + length + 1 + display_width(&self.label) <= style.columns()
    }
}

/// Writes a query, and each mark under its part.
pub(crate) fn write_excerpt(
    text: &str,
    marks: &[Mark],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    const INDENT: usize = 2;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let lines = start..start + line.len();
        let shown = format!("{:INDENT$}{}", "", printable(line.trim_end()));
        writeln!(out, "{}", without_command(&shown))?;
        for mark in marks {
            let width =
                |part: Range<usize>| display_width(&printable(text.get(part).unwrap_or_default()));
            let underline = |part: &Range<usize>| {
                let column = INDENT + width(lines.start..part.start);
                (column, width(part.start..part.end.min(lines.end)).max(1))
            };
            let whole = Some(&mark.range)
                .filter(|range| lines.contains(&range.start) && range.end <= lines.end)
                .map(underline)
                .filter(|(column, length)| mark.fits(*column, *length, style));
            let place =
                whole.or_else(|| lines.contains(&mark.word.start).then(|| underline(&mark.word)));
            if let Some((column, length)) = place {
                write_mark(column, length, mark, style, out)?;
            }
        }
        start = lines.end;
    }
    Ok(())
}

fn write_mark(
    column: usize,
    length: usize,
    mark: &Mark,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let line = "─".repeat(length);
    let label = if mark.is_bold { style.bold(&mark.label) } else { mark.label.clone() };
    if mark.fits(column, length, style) {
        return writeln!(out, "{:column$}{line} {label}", "");
    }
    writeln!(out, "{:column$}{line}", "")?;
    // A longer note would tear the query apart.
    let room = style.columns().saturating_sub(COMMENT);
    let label = shortened_to(&mark.label, room);
    let label = if mark.is_bold { style.bold(&label) } else { label };
    writeln!(out, "{:COMMENT$}{label}", "")
}

/// The beginning of a text that fits in a number of columns.
fn shortened_to(text: &str, columns: usize) -> String {
    if display_width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if display_width(&short) + 2 > columns {
            break;
        }
        short.push(c);
    }
    short + "…"
}
