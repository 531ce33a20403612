//! How a text writes its lists and mappings: on lines of their own, or in brackets.

use std::ops::Range;

/// A new item of a list.
#[derive(Debug)]
pub(super) enum Item {
    /// An item on one line, as in brackets.
    Inline(String),
    /// The lines of a mapping.
    Lines(Vec<String>),
}

impl Item {
    /// Extends a range by the quotes around it.
    pub(super) fn with_quotes(text: &str, range: Range<usize>) -> Range<usize> {
        let before = text[..range.start].chars().next_back();
        let after = text[range.end..].chars().next();
        let is_quoted = before == after && matches!(before, Some('"' | '\''));
        if is_quoted { range.start - 1..range.end + 1 } else { range }
    }
}

/// A name with the quotes that another text has. A name that needs quotes always gets some.
pub(super) fn quoted_like(like: &str, name: &str) -> String {
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
            .contains(&name.to_ascii_lowercase().as_str());
    let is_ordinary = !name.chars().any(|c| c.is_control() || c == '\'');
    match like.chars().next() {
        Some('\'') if is_ordinary => format!("'{name}'"),
        Some('"' | '\'') => serde_json::Value::from(name).to_string(),
        _ if is_plain => name.to_owned(),
        _ => serde_json::Value::from(name).to_string(),
    }
}

/// The items of a list, by their ranges in a text.
#[derive(Debug)]
pub(super) struct List<'t> {
    text: &'t str,
    items: Vec<Range<usize>>,
}

impl<'t> List<'t> {
    pub(super) fn of(text: &'t str, items: Vec<Range<usize>>) -> Self {
        let items = items.into_iter().map(|item| {
            let end = item.start + text[item.clone()].trim_end().len();
            Item::with_quotes(text, item.start..end)
        });
        Self { text, items: items.collect() }
    }

    /// The text of the last item.
    pub(super) fn last(&self) -> Option<&'t str> {
        self.items.last().map(|item| &self.text[item.clone()])
    }

    /// Whether each item begins with a dash.
    pub(super) fn is_block(&self) -> bool {
        self.items.last().is_some_and(|item| self.dash(item.start).is_some())
    }

    /// The text before the dash of an item, on the same line.
    fn dash(&self, start: usize) -> Option<&'t str> {
        let line = &self.text[line_start(self.text, start)..start];
        line.trim_end().strip_suffix('-').filter(|before| before.trim().is_empty())
    }

    /// Where to insert new items, and the text to insert.
    pub(super) fn insertion(&self, new: Vec<Item>) -> (usize, String) {
        let Some(last) = self.items.last() else { return (0, String::new()) };
        if let Some(indent) = self.dash(last.start) {
            let break_of_line = line_break(self.text);
            let items = new.into_iter().map(|item| match item {
                Item::Inline(text) => format!("{break_of_line}{indent}- {text}"),
                Item::Lines(lines) => {
                    let lines = lines.join(&format!("{break_of_line}{indent}  "));
                    format!("{break_of_line}{indent}- {lines}")
                }
            });
            return (line_end(self.text, last.end), items.collect());
        }
        let between = self.separator(last);
        let items = new.into_iter().map(|item| match item {
            Item::Inline(text) => format!("{between}{text}"),
            Item::Lines(lines) => format!("{between}{{{}}}", lines.join(", ")),
        });
        (last.end, items.collect())
    }

    /// The text between the items of a list in brackets.
    fn separator(&self, last: &Range<usize>) -> String {
        if let [.., before, last] = self.items.as_slice() {
            return self.text[before.end..last.start].to_owned();
        }
        let before = &self.text[..last.start];
        let space = &before[before.trim_end().len()..];
        if space.contains('\n') { format!(",{space}") } else { ", ".to_owned() }
    }

    /// The beginning of the line after an item.
    fn line_after(&self, item: &Range<usize>) -> usize {
        let end = line_end(self.text, item.end);
        end + line_break_at(self.text, end)
    }

    /// The lines of the list and of its key, if the key is on a line of its own.
    pub(super) fn whole_field(&self, key: &str) -> Option<Range<usize>> {
        let (first, last) = (self.items.first()?, self.items.last()?);
        self.dash(first.start)?;
        let items = line_start(self.text, first.start);
        let start = line_start(self.text, items.checked_sub(1)?);
        let is_key = self.text[start..items].trim() == format!("{key}:");
        is_key.then(|| start..self.line_after(last))
    }

    /// The text of an item with its separator, so that it can be removed.
    pub(super) fn removal(&self, at: usize) -> Range<usize> {
        let item = self.items[at].clone();
        if self.dash(item.start).is_some() {
            return line_start(self.text, item.start)..self.line_after(&item);
        }
        match (at.checked_sub(1).and_then(|before| self.items.get(before)), self.items.get(at + 1))
        {
            (Some(before), _) => before.end..item.end,
            (None, Some(after)) => item.start..after.start,
            (None, None) => item,
        }
    }
}

/// The value of a new field.
#[derive(Debug)]
pub(super) enum New {
    Text(String),
    List(Vec<String>),
}

impl New {
    /// The value on one line.
    pub(super) fn inline(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(items) => format!("[{}]", items.join(", ")),
        }
    }
}

/// The fields of a mapping.
#[derive(Debug)]
pub(super) struct Fields<'t> {
    pub text: &'t str,
    pub mapping: Range<usize>,
}

impl Fields<'_> {
    /// Where to insert a new field after a value, and the text to insert.
    pub(super) fn insertion(&self, value: Range<usize>, key: &str, new: &New) -> (usize, String) {
        let start = line_start(self.text, self.mapping.start);
        if !self.text[self.mapping.clone()].starts_with('{') {
            let indent = " ".repeat(self.text[start..self.mapping.start].chars().count());
            let break_of_line = line_break(self.text);
            let begin = format!("{break_of_line}{indent}{key}:");
            let text = match new {
                New::Text(text) => format!("{begin} {text}"),
                New::List(items) => {
                    let lines = items.iter().map(|item| format!("{break_of_line}{indent}- {item}"));
                    std::iter::once(begin).chain(lines).collect()
                }
            };
            return (line_end(self.text, value.end), text);
        }
        let line = &self.text[line_start(self.text, value.start)..value.start];
        let indent = &line[..line.len() - line.trim_start().len()];
        let is_own_line = line_start(self.text, value.start) > self.mapping.start;
        let between = if is_own_line {
            format!(",{}{indent}", line_break(self.text))
        } else {
            ", ".to_owned()
        };
        let is_json = line.trim_end().ends_with("\":");
        let key = if is_json { format!("\"{key}\"") } else { key.to_owned() };
        (value.end, format!("{between}{key}: {}", new.inline()))
    }
}

/// The line break of a text. The first one decides.
fn line_break(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The length of the line break at an offset.
pub(super) fn line_break_at(text: &str, at: usize) -> usize {
    let mut breaks = ["\r\n", "\n"].into_iter();
    breaks.find(|one| text[at..].starts_with(one)).map_or(0, str::len)
}

/// The end of the line, without its break.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let line = text[at..].split('\n').next().unwrap_or_default();
    at + line.trim_end_matches('\r').len()
}
