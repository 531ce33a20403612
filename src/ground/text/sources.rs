//! The texts of files, with lines and columns. No other code computes lines and columns.

use std::sync::{Arc, OnceLock};

use memchr::memchr2_iter;

use crate::domain::{Arena, ids};

use super::Cut;

ids! {
    /// Names one file of a `Sources`.
    SourceId;
}

/// A position for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column in Unicode scalar values, from 1.
    pub column: usize,
    /// The offset in bytes, from 0.
    pub offset: usize,
}

/// The path and the text of a file.
#[derive(Debug, Default)]
pub struct Source {
    path: String,
    text: String,
    line_starts: OnceLock<Vec<usize>>,
    /// The parts of the text that are omitted.
    cuts: Vec<Cut>,
    /// The number of characters before each [`BLOCK`] of bytes. A graph can be one line of
    /// megabytes with hundreds of reported places, so columns are not counted from the start of the
    /// line.
    characters_before_blocks: OnceLock<Vec<usize>>,
}

/// The size of a block in bytes.
const BLOCK: usize = 1 << 12;

impl Source {
    /// A source. `path` is relative to the repository.
    pub fn new(path: String, text: String) -> Self {
        Self::condensed(path, text, Vec::new())
    }

    /// A source without its bulk. Positions refer to the complete text.
    pub fn condensed(path: String, text: String, cuts: Vec<Cut>) -> Self {
        let (line_starts, characters_before_blocks) = (OnceLock::new(), OnceLock::new());
        Self { path, text, line_starts, cuts, characters_before_blocks }
    }

    /// The path, relative to the repository, with `/` between its parts.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The content of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    #[cfg(feature = "lsp")]
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Whether parts of the text are omitted.
    pub(crate) fn is_condensed(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// The line of a byte offset, from 1.
    pub fn line_of(&self, offset: usize) -> usize {
        self.line_starts().partition_point(|&start| start <= offset)
    }

    /// The line and column of a byte offset. An offset beyond the end gives the position of the
    /// end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line_of(offset);
        let start = self.line_starts()[line - 1];
        // A byte order mark has no column, as in editors.
        let before = self.text[start..offset].trim_start_matches('\u{FEFF}');
        let column = self.characters_between(offset - before.len(), offset) + 1;
        let column = column + self.omitted(start..offset);
        Position { line, column, offset: offset + self.omitted(0..offset) }
    }

    /// How many bytes are omitted in a range.
    fn omitted(&self, range: std::ops::Range<usize>) -> usize {
        let in_range = self.cuts.iter().filter(|cut| range.start <= cut.at && cut.at <= range.end);
        in_range.map(|cut| cut.bytes).sum()
    }

    fn characters_between(&self, start: usize, end: usize) -> usize {
        if end - start <= BLOCK {
            return self.text[start..end].chars().count();
        }
        let before = |at: usize| {
            let block = at / BLOCK;
            self.characters_before_blocks()[block]
                + character_count(&self.text.as_bytes()[block * BLOCK..at])
        };
        before(end) - before(start)
    }

    fn characters_before_blocks(&self) -> &[usize] {
        self.characters_before_blocks.get_or_init(|| {
            let counts = self.text.as_bytes().chunks(BLOCK).map(character_count);
            let sums = counts.scan(0, |sum, count| {
                *sum += count;
                Some(*sum)
            });
            std::iter::once(0).chain(sums).collect()
        })
    }

    /// The bytes of a line (from 1), without its line break.
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let starts = self.line_starts();
        let start = starts[line - 1];
        let end = starts.get(line).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// The number of lines. A line break at the end does not begin another line.
    pub fn line_count(&self) -> usize {
        let starts = self.line_starts();
        let ends_in_a_break = starts.len() > 1 && starts.last() == Some(&self.text.len());
        starts.len() - usize::from(ends_in_a_break)
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let bytes = self.text.as_bytes();
            // A carriage return before a line feed does not end a line.
            let ends = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
            let breaks = memchr2_iter(b'\n', b'\r', bytes).filter(ends);
            std::iter::once(0).chain(breaks.map(|at| at + 1)).collect()
        })
    }
}

/// The number of characters that begin in these bytes of UTF-8.
fn character_count(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0b1100_0000 != 0b1000_0000).count()
}

/// All files of one reading, by [`SourceId`]. Several readings share the files that did not change.
#[derive(Debug, Default)]
pub struct Sources(Arena<SourceId, Arc<Source>>);

impl Sources {
    /// The files, by the order of their ids.
    pub fn new(files: Vec<Source>) -> Self {
        Self::shared(files.into_iter().map(Arc::new).collect())
    }

    /// The files, some of which another reading has, too.
    pub(crate) fn shared(files: Vec<Arc<Source>>) -> Self {
        Self(files.into_iter().collect())
    }

    /// A file, for another reading.
    pub(crate) fn share(&self, id: SourceId) -> Arc<Source> {
        Arc::clone(&self.0[id])
    }

    /// The file of an id.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.0[id]
    }

    /// Gives a file another name, unless another reading has it, too.
    pub(crate) fn rename(&mut self, id: SourceId, name: String) {
        if let Some(source) = Arc::get_mut(&mut self.0[id]) {
            source.path = name;
        }
    }

    /// The path of a file.
    pub fn path(&self, id: SourceId) -> &str {
        self.get(id).path()
    }

    /// The text of the file at a path.
    pub(crate) fn text_at(&self, path: &str) -> Option<&str> {
        self.0.iter().find(|source| source.path() == path).map(|source| source.text())
    }

    /// The text of a place.
    pub fn slice(&self, span: super::Span) -> &str {
        self.get(span.source).text().get(span.range()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Source};

    fn place(text: &str, offset: usize) -> (usize, usize) {
        let position = Source::new(String::new(), text.to_owned()).position(offset);
        (position.line, position.column)
    }

    #[test]
    fn columns_count_characters_and_every_kind_of_break_ends_a_line() {
        assert_eq!(place("", 0), (1, 1));
        assert_eq!(place("añb\r\nc", 3), (1, 3), "two bytes, one column");
        assert_eq!(place("añb\r\nc", 6), (2, 1), "after CRLF");
        assert_eq!(place("a\rb", 2), (2, 1), "after a lone CR");
        assert_eq!(place("a\n", 99), (2, 1), "past the end");
        assert_eq!(place("\u{FEFF}to: x", 3), (1, 1), "a byte order mark takes no column");
    }

    #[test]
    fn a_column_far_into_a_line_is_counted_like_any_other() {
        let text = "\u{FEFF}first\n\u{FEFF}".to_owned() + &"añ€🦀".repeat(BLOCK) + "\nlast";
        let source = Source::new(String::new(), text.clone());
        for offset in (0..text.len()).step_by(1_237) {
            let position = source.position(offset);
            let start = source.line_range(position.line).start;
            let before = text[start..position.offset].trim_start_matches('\u{FEFF}');
            assert_eq!(position.column, before.chars().count() + 1, "{offset}");
        }
    }

    #[test]
    fn positions_are_those_of_the_whole_text() {
        let cuts = vec![super::Cut { at: 4, bytes: 1_000 }];
        let source = Source::condensed(String::new(), "ab: cd e\nf".to_owned(), cuts);
        let place = |offset| {
            let position = source.position(offset);
            (position.line, position.column, position.offset)
        };
        assert_eq!(place(2), (1, 3, 2));
        assert_eq!(place(7), (1, 1_008, 1_007));
        assert_eq!(place(9), (2, 1, 1_009));
    }

    #[test]
    fn lines_are_found_without_their_breaks() {
        let source = Source::new(String::new(), "one\r\ntwo\n".to_owned());
        assert_eq!(source.line_count(), 2);
        assert_eq!(&source.text()[source.line_range(1)], "one");
        assert_eq!(&source.text()[source.line_range(2)], "two");
    }
}
