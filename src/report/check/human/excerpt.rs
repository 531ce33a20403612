//! The few lines of a file that a finding is shown on, made safe to print.
//!
//! Cutting them out first keeps a large file as cheap as a small one, shortens
//! lines that no screen holds, and keeps control characters off the terminal.

use std::ops::Range;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::rules::{Place, Related};
use crate::text::{Position, Source, Span, is_printable};

use super::CheckReport;

/// How many lines apart two places are still shown together.
const TOGETHER: usize = 12;

/// How many lines of a long value are underlined.
const LINES: usize = 6;

/// How many characters of a line are shown before and after the fault.
const BEFORE: usize = 60;
const AFTER: usize = 160;

#[derive(Debug)]
pub(super) struct Excerpt {
    name: String,
    text: String,
    /// The first line's number, from 0.
    first_line: usize,
    primary: SourceSpan,
    at: Position,
    /// The other places that are pointed at.
    near: Vec<Span>,
    labels: Vec<LabeledSpan>,
}

impl Excerpt {
    pub(super) fn of(report: &CheckReport<'_>, span: Span, related: &[Related]) -> Self {
        let source = report.sources.get(span.source);
        let at = source.position(span.start);
        let line_of = |offset| source.position(offset).line;
        let is_near =
            |there: &Span| there.source == span.source && is_shown(source, span.start, there.start);
        let near: Vec<(Span, &str)> = related
            .iter()
            .filter_map(|related| match &related.place {
                Place::Text(there) => Some((*there, related.message.as_str())),
                Place::File(_) | Place::Absent(_) => None,
            })
            .filter(|(there, _)| is_near(there))
            .collect();
        let last = source.position(last_byte(span)).line.min(at.line + LINES - 1);
        let lines = near.iter().map(|(there, _)| line_of(there.start)).chain([at.line, last]);
        let first_shown = lines.clone().min().unwrap_or(at.line).saturating_sub(1).max(1);
        let last_shown = (lines.max().unwrap_or(last) + 1).min(source.line_count().max(last));
        let mut cut = Cut::new(span, &near);
        for line in first_shown..=last_shown {
            cut.line(source, line, at.offset);
        }
        let shown = source.line_range(first_shown).start..source.line_range(last_shown).end;
        let primary = cut.excerpt_span(Span::new(span.source, span.start..span.end.min(shown.end)));
        let mut labels = vec![LabeledSpan::new_primary_with_span(None, primary)];
        labels.extend(near.iter().map(|(there, message)| {
            let message: String = message.chars().filter(|c| is_printable(*c)).collect();
            LabeledSpan::new_with_span(Some(message), cut.excerpt_span(*there))
        }));
        Self {
            name: report
                .as_seen_from_here(source.path())
                .chars()
                .filter(|c| is_printable(*c))
                .collect(),
            text: cut.text,
            first_line: first_shown - 1,
            primary,
            at,
            near: near.iter().map(|(there, _)| *there).collect(),
            labels,
        }
    }

    /// Whether a span is pointed at here.
    pub(super) fn shows(&self, span: Span) -> bool {
        self.near.contains(&span)
    }

    pub(super) fn labels(&self) -> impl Iterator<Item = LabeledSpan> + '_ {
        self.labels.iter().cloned()
    }
}

/// Whether a place is shown where a fault is: a few lines away at most, and in what is left of
/// its line.
fn is_shown(source: &Source, fault: usize, there: usize) -> bool {
    let line = source.position(there).line;
    if line.abs_diff(source.position(fault).line) > TOGETHER {
        return false;
    }
    let range = source.line_range(line);
    let text = &source.text()[range.clone()];
    let (from, to) = window(text, at_line(&range, fault));
    (range.start + from..=range.start + to).contains(&there)
}

/// Where in a line a byte of the file stands, if it does.
fn at_line(line: &Range<usize>, offset: usize) -> Option<usize> {
    offset.checked_sub(line.start).filter(|at| *at <= line.len())
}

/// Ends of values belong to the last line that has something of them.
fn last_byte(span: Span) -> usize {
    span.end.saturating_sub(1).max(span.start)
}

/// Lines being cut out, and where the interesting bytes went.
struct Cut {
    text: String,
    /// Bytes of the file whose place in the excerpt is asked for, and that place.
    places: Vec<(usize, usize)>,
}

impl Cut {
    fn new(span: Span, related: &[(Span, &str)]) -> Self {
        let ends =
            related.iter().map(|(there, _)| *there).chain([span]).flat_map(|s| [s.start, s.end]);
        let mut offsets: Vec<usize> = ends.collect();
        offsets.sort_unstable();
        offsets.dedup();
        Self { text: String::new(), places: offsets.into_iter().map(|o| (o, usize::MAX)).collect() }
    }

    fn line(&mut self, source: &Source, line: usize, fault: usize) {
        let range = source.line_range(line);
        let text = &source.text()[range.clone()];
        let (from, to) = window(text, at_line(&range, fault));
        if from > 0 {
            self.text.push('…');
        }
        self.note(range.start..range.start + from);
        for (at, c) in text[from..to].char_indices() {
            let at = range.start + from + at;
            self.note(at..at + c.len_utf8());
            self.push(c);
        }
        self.note(range.start + to..range.end + 1);
        if to < text.len() {
            self.text.push('…');
        }
        self.text.push('\n');
    }

    /// Bytes of the file that are about to be written.
    fn note(&mut self, bytes: Range<usize>) {
        for (offset, place) in &mut self.places {
            if bytes.contains(offset) && *place == usize::MAX {
                *place = self.text.len();
            }
        }
    }

    fn push(&mut self, c: char) {
        match c {
            // What looks like a space and is none is often the fault.
            '\t' => self.text.push('→'),
            c if c.is_whitespace() && c != ' ' && is_printable(c) => self.text.push('␣'),
            c if is_printable(c) => self.text.push(c),
            // The pictures of control characters stand in the order of their codes.
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

/// The part of a line that is shown: all of it, or what stands around the fault.
fn window(line: &str, fault: Option<usize>) -> (usize, usize) {
    if line.len() <= BEFORE + AFTER {
        return (0, line.len());
    }
    let fault = fault.unwrap_or(0);
    let from = line.floor_char_boundary(fault.saturating_sub(BEFORE));
    let to = line.ceil_char_boundary((fault + AFTER).min(line.len()));
    (from, to)
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self.text.read_span(span, before, after)?;
        // Asked for the fault alone, miette wants its place for the headline.
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
