//! The few lines of a file around a finding, safe to print.
//!
//! Cutting them out first makes large files as cheap as small ones, shortens very long lines, and
//! keeps control characters off the terminal.

use std::ops::Range;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::rules::{Place, Related};
use crate::text::{Position, Source, Span, is_printable, printable};

use crate::report::Style;

use super::CheckReport;

/// Places that are more lines apart are not in the same excerpt.
const MOST_LINES_APART: usize = 12;

/// The most related places with a label. The report counts the others.
const MOST_LABELS: usize = 4;

/// The most lines of a value that are underlined.
const MOST_UNDERLINED: usize = 6;

/// The columns for the line number, the frame, and the marks of omissions.
const MARGIN: usize = 10;

#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    /// The first line, from 0.
    first_line: usize,
    primary: SourceSpan,
    at: Position,
    /// The related places that have a label here.
    near: Vec<Span>,
    labels: Vec<LabeledSpan>,
}

impl Excerpt {
    pub(super) fn of(
        report: &CheckReport<'_>,
        span: Span,
        related: &[Related],
        style: Style,
    ) -> Self {
        let most = style.columns() - MARGIN;
        let source = report.sources.get(span.source);
        let at = source.position(span.start);
        let line_of = |offset| source.position(offset).line;
        let is_near = |there: &Span| {
            there.source == span.source && is_shown(source, span.start, there.start, most)
        };
        let near: Vec<(Span, &str)> = related
            .iter()
            .filter_map(|related| match &related.place {
                Place::Text(there) => Some((*there, related.message.as_str())),
                Place::File(_) | Place::Absent(_) => None,
            })
            .filter(|(there, _)| is_near(there))
            .take(MOST_LABELS)
            .collect();
        let last = source.position(last_byte(span)).line.min(at.line + MOST_UNDERLINED - 1);
        let lines = near.iter().map(|(there, _)| line_of(there.start)).chain([at.line, last]);
        let first_shown = lines.clone().min().unwrap_or(at.line).saturating_sub(1).max(1);
        let last_shown = (lines.max().unwrap_or(last) + 1).min(source.line_count().max(last));
        let mut cut = Cut::new(span, &near, most);
        for line in first_shown..=last_shown {
            cut.line(source, line, at.offset);
        }
        let shown = source.line_range(first_shown).start..source.line_range(last_shown).end;
        let primary = cut.excerpt_span(Span::new(span.source, span.start..span.end.min(shown.end)));
        let mut labels = vec![LabeledSpan::new_primary_with_span(None, primary)];
        labels.extend(near.iter().map(|(there, message)| {
            LabeledSpan::new_with_span(
                Some(printable(message).into_owned()),
                cut.excerpt_span(*there),
            )
        }));
        Self {
            name: printable(&report.displayed_path(source.path())).into_owned(),
            text: cut.text,
            first_line: first_shown - 1,
            primary,
            at,
            near: near.iter().map(|(there, _)| *there).collect(),
            labels,
        }
    }

    /// Whether a related place has a label here.
    pub(super) fn shows(&self, span: Span) -> bool {
        self.near.contains(&span)
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = LabeledSpan> + '_ {
        self.labels.iter().cloned()
    }
}

/// Whether a place is in the excerpt of a fault: at most a few lines away, and in the part of its
/// line that is shown.
fn is_shown(source: &Source, fault: usize, there: usize, most: usize) -> bool {
    let line = source.position(there).line;
    if line.abs_diff(source.position(fault).line) > MOST_LINES_APART {
        return false;
    }
    let range = source.line_range(line);
    let text = &source.text()[range.clone()];
    let (from, to) = window(text, at_line(&range, fault), most);
    (range.start + from..=range.start + to).contains(&there)
}

/// The position in a line of a byte of the file, if it is in that line.
fn at_line(line: &Range<usize>, offset: usize) -> Option<usize> {
    offset.checked_sub(line.start).filter(|at| *at <= line.len())
}

/// The last byte of a place. A value that ends with a line break does not extend to the next line.
fn last_byte(span: Span) -> usize {
    span.end.saturating_sub(1).max(span.start)
}

/// An excerpt in progress. It maps bytes of the file to places in the excerpt.
struct Cut {
    text: String,
    /// Pairs of an offset in the file and its position in the excerpt, which is `usize::MAX` until
    /// it is known.
    places: Vec<(usize, usize)>,
    /// The most bytes of a line to show.
    most: usize,
}

impl Cut {
    fn new(span: Span, related: &[(Span, &str)], most: usize) -> Self {
        let ends =
            related.iter().map(|(there, _)| *there).chain([span]).flat_map(|s| [s.start, s.end]);
        let mut offsets: Vec<usize> = ends.collect();
        offsets.sort_unstable();
        offsets.dedup();
        let places = offsets.into_iter().map(|offset| (offset, usize::MAX)).collect();
        Self { text: String::new(), places, most }
    }

    fn line(&mut self, source: &Source, line: usize, fault: usize) {
        let range = source.line_range(line);
        let text = &source.text()[range.clone()];
        let (from, to) = window(text, at_line(&range, fault), self.most);
        if from > 0 {
            self.text.push('…');
        }
        self.record(range.start..range.start + from);
        for (at, c) in text[from..to].char_indices() {
            let at = range.start + from + at;
            self.record(at..at + c.len_utf8());
            self.push(c);
        }
        self.record(range.start + to..range.end + 1);
        if to < text.len() {
            self.text.push('…');
        }
        self.text.push('\n');
    }

    /// Records where these bytes of the file go: to the current end of the excerpt.
    fn record(&mut self, bytes: Range<usize>) {
        for (offset, place) in &mut self.places {
            if bytes.contains(offset) && *place == usize::MAX {
                *place = self.text.len();
            }
        }
    }

    fn push(&mut self, c: char) {
        match c {
            // Make it visible: a character that only looks like a space is often the fault.
            '\t' => self.text.push('→'),
            // GitHub would run `##[…]` as a command.
            '[' if self.text.ends_with("##") => self.text.push('［'),
            c if c.is_whitespace() && c != ' ' && is_printable(c) => self.text.push('␣'),
            c if is_printable(c) => self.text.push(c),
            // Unicode has symbols for the control characters, in the same order.
            c if u32::from(c) < 0x20 => self.text.extend(char::from_u32(0x2400 + u32::from(c))),
            _ => self.text.push('\u{FFFD}'),
        }
    }

    fn excerpt_span(&self, span: Span) -> SourceSpan {
        let place = |offset| {
            let found =
                self.places.iter().find(|(of, place)| *of == offset && *place != usize::MAX);
            found.map_or(self.text.len().saturating_sub(1), |(_, place)| *place)
        };
        let start = place(span.start);
        let end = place(span.end).max(start);
        (start, end - start).into()
    }
}

/// The part of a line that is shown: all of it, or the surroundings of the fault.
fn window(line: &str, fault: Option<usize>, most: usize) -> (usize, usize) {
    let last = line.len().saturating_sub(most);
    let from = fault.unwrap_or(0).saturating_sub(most / 4).min(last);
    let from = line.floor_char_boundary(from);
    (from, line.ceil_char_boundary((from + most).min(line.len())))
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        // miette asks without context lines for the location in the headline.
        let (line, column) = if before == 0 && after == 0 && *span == self.primary {
            (self.at.line - 1, self.at.column - 1)
        } else {
            (contents.line() + self.first_line, contents.column())
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            contents.data(),
            *contents.span(),
            line,
            column,
            contents.line_count(),
        )))
    }
}
