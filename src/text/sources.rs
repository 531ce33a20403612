//! The files that were read, and the only place where lines and columns exist.

use std::sync::OnceLock;

/// Names one file of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A place as a person counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in Unicode scalars, from 1.
    pub column: usize,
    /// Byte offset, from 0.
    pub offset: usize,
}

/// One file's path and text.
#[derive(Debug, Default)]
pub struct Source {
    path: String,
    text: String,
    line_starts: OnceLock<Vec<usize>>,
}

impl Source {
    /// A file at `path`, relative to the repository, holding `text`.
    #[must_use]
    pub fn new(path: String, text: String) -> Self {
        Self { path, text, line_starts: OnceLock::new() }
    }

    /// The path, relative to the repository, with `/` between its parts.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What the file holds.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Line and column of a byte offset. An offset past the end is the end's.
    #[must_use]
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line_starts().partition_point(|&start| start <= offset);
        let start = self.line_starts()[line - 1];
        // A byte order mark takes no column: no editor shows it one.
        let before = self.text[start..offset].trim_start_matches('\u{FEFF}');
        Position { line, column: before.chars().count() + 1, offset }
    }

    /// The bytes of line `line` (from 1), without its break.
    #[must_use]
    pub fn line_range(&self, line: usize) -> std::ops::Range<usize> {
        let starts = self.line_starts();
        let start = starts[line - 1];
        let end = starts.get(line).copied().unwrap_or(self.text.len());
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// How many lines the file has; a last break begins no further line.
    #[must_use]
    pub fn line_count(&self) -> usize {
        let starts = self.line_starts();
        let ends_in_a_break = starts.len() > 1 && starts.last() == Some(&self.text.len());
        starts.len() - usize::from(ends_in_a_break)
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let after_break = |i: &usize| match bytes[*i] {
                b'\n' => true,
                b'\r' => bytes.get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            std::iter::once(0).chain((0..bytes.len()).filter(after_break).map(|i| i + 1)).collect()
        })
    }
}

/// All files of one reading, by [`SourceId`].
#[derive(Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// The files in the order of their ids.
    #[must_use]
    pub fn new(files: Vec<Source>) -> Self {
        Self(files)
    }

    /// One file.
    #[must_use]
    pub fn get(&self, id: SourceId) -> &Source {
        &self.0[id.0 as usize]
    }

    /// The path of a file.
    #[must_use]
    pub fn path(&self, id: SourceId) -> &str {
        self.get(id).path()
    }

    /// The text that a span covers.
    #[must_use]
    pub fn slice(&self, span: super::Span) -> &str {
        self.get(span.source).text().get(span.range()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

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
    fn lines_are_found_without_their_breaks() {
        let source = Source::new(String::new(), "one\r\ntwo\n".to_owned());
        assert_eq!(source.line_count(), 2);
        assert_eq!(&source.text()[source.line_range(1)], "one");
        assert_eq!(&source.text()[source.line_range(2)], "two");
    }
}
