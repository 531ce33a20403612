//! Reads the plain notation that nearly all data files have, many times faster than the library.
//!
//! It takes printable ASCII with block mappings and lists, scalars on one line, texts without
//! quotes on several lines, literal texts (`|`), `[]`, and comments. It returns None for everything
//! else, and for everything that is not certain. The library then decides. The tests check that
//! this reader and the library build equal documents.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};

use super::builder::{Collection, DocumentBuilder};
use super::lines::{line_length, lines};
use super::{Comment, Document, Style};

/// The deepest nesting of the plain notation. Real files nest five levels.
const DEPTH: usize = 16;
const LONGEST_KEY: usize = 64;
/// A file has about one node for each line.
const FEW: usize = 8;

/// The document of a text in the plain notation. None if the library must parse it.
pub fn read_plain(source: &str) -> Option<Document> {
    let lines = plain_lines(source)?;
    let builder = DocumentBuilder::with_capacity(source, lines + FEW);
    let mut reader = Reader { source, next: 0, builder };
    let first = reader.peek()?;
    reader.collection(first, DEPTH)?;
    let is_whole = reader.peek().is_none();
    is_whole.then(|| Document { is_plain: true, ..reader.builder.finish() })
}

/// How many lines a text has. None if it has other characters than printable ASCII.
fn plain_lines(source: &str) -> Option<usize> {
    let mut lines = 0;
    // Without a condition for each byte, the compiler checks many at once.
    for chunk in source.as_bytes().chunks(128) {
        let (mut is_plain, mut breaks) = (true, 0_u8);
        for byte in chunk {
            let is_break = *byte == b'\n';
            is_plain &= is_break | (b' '..=b'~').contains(byte);
            breaks += u8::from(is_break);
        }
        if !is_plain {
            return None;
        }
        lines += usize::from(breaks);
    }
    Some(lines)
}

struct Reader<'s> {
    source: &'s str,
    /// Where the next line begins, or the rest of a line after `- `.
    next: usize,
    builder: DocumentBuilder<'s>,
}

/// A line, or the rest of one after `- `.
#[derive(Clone, Copy)]
struct Line {
    indent: usize,
    /// Where its text begins.
    start: usize,
    /// Where its line break is, or the end of the text.
    end: usize,
}

/// Whether a text without quotes certainly can begin with a character.
fn begins_text(first: char) -> bool {
    first.is_ascii_alphanumeric() || "^(./_\\$".contains(first)
}

/// Whether a text may have a comment or a key in it.
fn has_marks(text: &str) -> bool {
    // Most texts are one short word, for which a search takes longer than this.
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b".-+_".contains(&byte);
    !text.bytes().all(is_word) && memchr2(b'#', b':', text.as_bytes()).is_some()
}

/// Where ` #` is.
fn comment_in(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let before = |at: usize| at.checked_sub(1);
    let mut marks = memchr_iter(b'#', bytes).filter_map(before);
    marks.find(|at| bytes[*at] == b' ')
}

/// Whether a text has `: `.
fn has_key(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr_iter(b':', bytes).any(|at| bytes.get(at + 1) == Some(&b' '))
}

fn indent_of(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

impl<'s> Reader<'s> {
    /// The next line that is not empty and not a comment.
    fn peek(&mut self) -> Option<Line> {
        loop {
            let rest = self.source.get(self.next..)?;
            let end = self.next + line_length(rest);
            let indent = indent_of(rest);
            let start = self.next + indent;
            if self.source[start..end].starts_with('#') {
                self.builder.comment(Comment { range: start..end, trailing: false });
            } else if start < end {
                return Some(Line { indent, start, end });
            }
            self.next = end + 1;
        }
    }

    /// The next line, if it is at this indentation.
    fn line_at(&mut self, indent: usize) -> Option<Line> {
        self.peek().filter(|line| line.indent == indent)
    }

    fn collection(&mut self, first: Line, depth: usize) -> Option<()> {
        if self.is_item(first) {
            self.list(first, first.start, depth)
        } else {
            self.mapping(first, depth)
        }
    }

    fn is_item(&self, line: Line) -> bool {
        self.source[line.start..line.end].starts_with("- ")
    }

    /// The list that begins with a line. `start` is where the library says that it begins.
    fn list(&mut self, first: Line, start: usize, depth: usize) -> Option<()> {
        self.begin(Collection::List, start, depth)?;
        let mut next = Some(first);
        while let Some(line) = next.filter(|line| self.is_item(*line)) {
            let start = line.start + 2;
            if self.key_within(start..line.end).is_some() {
                let entry = Line { indent: line.indent + 2, start, ..line };
                self.mapping(entry, depth.checked_sub(1)?)?;
            } else {
                self.next = line.end + 1;
                self.value(start..line.end, None)?;
            }
            next = self.line_at(first.indent);
        }
        self.end(first)
    }

    fn mapping(&mut self, first: Line, depth: usize) -> Option<()> {
        self.begin(Collection::Mapping, first.start, depth)?;
        let mut next = Some(first);
        while let Some(line) = next {
            let key = self.key_within(line.start..line.end)?;
            self.next = line.end + 1;
            let value = key.end + 1;
            self.builder.scalar(key.clone(), &self.source[key], Style::Plain);
            if value == line.end {
                self.value_below(line.indent, depth.checked_sub(1)?)?;
            } else {
                let spaces = indent_of(&self.source[value..line.end]);
                self.value(value + spaces..line.end, Some(line.indent))?;
            }
            next = self.line_at(first.indent).filter(|line| !self.is_item(*line));
        }
        self.end(first)
    }

    /// The value of a key, in the lines below the key. `indent` is that of the key.
    fn value_below(&mut self, indent: usize, depth: usize) -> Option<()> {
        let below = self.peek()?;
        let is_item = self.is_item(below);
        if below.indent == indent && is_item {
            self.list(below, below.start + 2, depth)
        } else if below.indent <= indent {
            None
        } else if is_item || self.key_within(below.start..below.end).is_some() {
            self.collection(below, depth)
        } else {
            self.next = below.end + 1;
            let is_text = self.source[below.start..].starts_with(begins_text);
            is_text.then(|| self.text(below.start..below.end, Some(indent)))?
        }
    }

    fn begin(&mut self, kind: Collection, start: usize, depth: usize) -> Option<()> {
        depth.checked_sub(1)?;
        self.builder.begin(kind, false, start..start, 0).ok()
    }

    /// Ends a collection, unless a line follows that is indented more: the library decides what it
    /// is.
    fn end(&mut self, first: Line) -> Option<()> {
        self.builder.end(&(first.start..first.start));
        self.peek().is_none_or(|line| line.indent <= first.indent).then_some(())
    }

    /// The key that begins a range of a line: a word before `: ` or before `:` and the line's end.
    fn key_within(&self, range: Range<usize>) -> Option<Range<usize>> {
        let text = &self.source[range.clone()];
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = text.bytes().position(|byte| !is_word(&byte) && byte != b'-')?;
        let ends_well = text[length..] == *":" || text[length..].starts_with(": ");
        let begins_well = text.as_bytes().first().is_some_and(is_word);
        (ends_well && begins_well && length <= LONGEST_KEY)
            .then(|| range.start..range.start + length)
    }

    /// The value in the rest of a line. `indent` is that of its mapping, if it is in one.
    fn value(&mut self, range: Range<usize>, indent: Option<usize>) -> Option<()> {
        let text = &self.source[range.clone()];
        match text.as_bytes().first()? {
            b'|' => self.literal(text, indent?),
            quote @ (b'\'' | b'"') => {
                let length = memchr(*quote, &text.as_bytes()[1..])? + 2;
                let follows = &text[length..];
                let style = if *quote == b'"' { Style::DoubleQuoted } else { Style::SingleQuoted };
                let inner = &text[1..length - 1];
                if inner.contains('\\') && style == Style::DoubleQuoted || !follows.is_empty() {
                    return None;
                }
                self.builder.scalar(range.start..range.start + length, inner, style);
                Some(())
            }
            b'[' if text == "[]" => {
                self.builder.empty_list(range);
                Some(())
            }
            byte if begins_text(char::from(*byte)) => self.text(range, indent),
            _ => None,
        }
    }

    /// A text without quotes. In a mapping, it goes on in lines that are indented more.
    fn text(&mut self, first: Range<usize>, indent: Option<usize>) -> Option<()> {
        let line = &self.source[first.clone()];
        let mut is_marked = has_marks(line);
        let comment = if is_marked { comment_in(line) } else { None };
        let before = comment.map_or(line, |at| line[..at].trim_end_matches(' '));
        let mut text = Cow::Borrowed(before);
        let mut end = first.start + before.len();
        if let Some(at) = comment {
            let range = first.start + at + 1..first.end;
            self.builder.comment(Comment { range, trailing: true });
        } else if let Some(indent) = indent {
            while let Some(line) = self.continuation(indent) {
                if text.ends_with(' ') {
                    return None;
                }
                let text = text.to_mut();
                text.push(' ');
                text.push_str(line.trim_start_matches(' '));
                end = self.next + line.len();
                self.next = end + 1;
            }
        }
        is_marked |= text.len() > before.len() && has_marks(&text);
        let is_certain = !is_marked || !has_key(&text) && comment_in(&text).is_none();
        let ends_well = !text.ends_with([' ', ':']);
        (is_certain && ends_well)
            .then(|| self.builder.scalar(first.start..end, &text, Style::Plain))
    }

    /// The next line, if it can continue a text.
    fn continuation(&self, indent: usize) -> Option<&'s str> {
        let rest = self.source.get(self.next..)?;
        let line = &rest[..line_length(rest)];
        let own_indent = indent_of(line);
        let continues = own_indent > indent
            && line[own_indent..].starts_with(|first| !matches!(first, '#' | '-' | '?' | ':'));
        continues.then_some(line)
    }

    /// A literal text below a key.
    fn literal(&mut self, header: &str, indent: usize) -> Option<()> {
        let has_last_break = match header {
            "|" => true,
            "|-" => false,
            _ => return None,
        };
        let first = self.source.get(self.next..)?;
        let own_indent = indent_of(first);
        if own_indent <= indent || first[own_indent..].starts_with('\n') {
            return None;
        }
        let start = self.next + own_indent;
        let mut end = start;
        while let Some(rest) = self.source.get(self.next..).filter(|rest| !rest.is_empty()) {
            let length = line_length(rest);
            let line_indent = indent_of(&rest[..length]);
            if length > 0 && line_indent == length {
                return None;
            }
            if length > 0 && line_indent < own_indent {
                if line_indent > indent {
                    return None;
                }
                break;
            }
            if length > 0 {
                end = self.next + length;
            }
            self.next += length + 1;
        }
        let written = &self.source[start..end];
        let mut text = String::with_capacity(written.len() + 1);
        for line in lines(written) {
            // The first line and empty lines have no indentation.
            let is_first = text.is_empty();
            text.push_str(if is_first { line } else { line.get(own_indent..).unwrap_or_default() });
            text.push('\n');
        }
        // The service's parser adds no line break at the end of the file.
        if !has_last_break || end == self.source.len() {
            text.pop();
        }
        let end = start + written.trim_end_matches(' ').len();
        self.builder.scalar(start..end, &text, Style::Literal);
        Some(())
    }
}
