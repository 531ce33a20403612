//! The keys of a file that is one mapping, each with its lines.

use std::ops::Range;

use crate::yaml::{Document, NodeId, Style, Value};

use super::scalars::scalar_like;

/// A file whose keys are at the beginning of lines, and new texts for some of them.
#[derive(Clone, Debug)]
pub(crate) struct KeyLines<'t> {
    text: &'t str,
    keys: Vec<WrittenKey<'t>>,
    edits: Vec<(Range<usize>, String)>,
}

#[derive(Clone, Debug)]
struct WrittenKey<'t> {
    name: &'t str,
    /// Its lines, with the last line break. Comments before the next key belong to that one.
    lines: Range<usize>,
    /// The value with its quotes. None if it has several lines, or lines of its own.
    value: Option<Range<usize>>,
    /// What the value says, if it is a scalar.
    text: Option<String>,
}

impl<'t> KeyLines<'t> {
    /// Reads the lines of a document. The error says why only a person can edit the file.
    pub(crate) fn of(text: &'t str, document: &'t Document) -> Result<Self, &'static str> {
        if text.contains('\r') {
            return Err("it has CRLF line endings");
        }
        if document.second_document().is_some() {
            return Err("it has two documents");
        }
        if document.duplicate_keys().next().is_some() {
            return Err("it has a key twice");
        }
        let entries = document.entries(document.root());
        let starts: Option<Vec<(&str, usize, NodeId)>> = entries
            .iter()
            .map(|entry| {
                let start = document.node(entry.key).range().start;
                let is_plain = document.node(entry.key).is_plain();
                let is_first = start == 0 || text[..start].ends_with('\n');
                let name = document.text(entry.key)?;
                (is_plain && is_first).then_some((name, start, entry.value))
            })
            .collect();
        let starts = starts.filter(|starts| !starts.is_empty());
        let starts = starts.ok_or("its keys do not begin its lines")?;
        let ends = starts.iter().skip(1).map(|(_, start, _)| *start).chain([text.len()]);
        let keys = starts.iter().zip(ends).map(|((name, start, value), end)| WrittenKey {
            name,
            lines: *start..start + own_length(&text[*start..end]),
            value: value_on_line(text, document, *value),
            text: document.text(*value).map(str::to_owned),
        });
        Ok(Self { text, keys: keys.collect(), edits: Vec::new() })
    }

    fn key(&self, name: &str) -> Option<&WrittenKey<'t>> {
        self.keys.iter().find(|key| key.name == name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.key(name).is_some()
    }

    /// The lines of a key, as they are in the file.
    pub(crate) fn lines(&self, name: &str) -> Option<&'t str> {
        self.key(name).map(|key| &self.text[key.lines.clone()])
    }

    /// Whether a key has its value on its line.
    pub(crate) fn has_on_one_line(&self, name: &str) -> bool {
        self.key(name).is_some_and(|key| key.value.is_some())
    }

    /// Gives a key a text of one line, with the quotes that the old one has.
    pub(crate) fn set_text(&mut self, name: &str, text: &str) {
        let old = self.key(name).and_then(|key| key.value.clone());
        let like = old.map_or("", |place| &self.text[place]);
        self.set(name, &scalar_like(like, text));
    }

    /// Replaces the comment lines right above a key.
    pub(crate) fn set_comment(&mut self, name: &str, comment: Option<&str>) {
        let Some(key) = self.key(name) else { return };
        let end = key.lines.start;
        let above = self.text[..end].split_inclusive('\n').rev();
        let old: usize = above.take_while(|line| line.starts_with('#')).map(str::len).sum();
        let mut new = String::new();
        for line in comment.unwrap_or_default().lines() {
            new.extend(["# ", line, "\n"]);
        }
        self.edits.push((end - old..end, new));
    }

    /// The key before another one.
    pub(crate) fn before(&self, name: &str) -> Option<&'t str> {
        let at = self.keys.iter().position(|key| key.name == name)?;
        Some(self.keys[at.checked_sub(1)?].name)
    }

    /// Gives a key a value. `value` is YAML, and ends without a line break.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let Some(key) = self.key(name) else { return };
        let edit = match &key.value {
            Some(place) if !value.contains('\n') => (place.clone(), value.to_owned()),
            _ => (key.lines.clone(), format!("{name}: {value}\n")),
        };
        self.edits.push(edit);
    }

    /// Gives a key a text, unless it has that already. So its notation stays.
    pub(crate) fn set_unless_same(&mut self, name: &str, text: &str) {
        if self.key(name).is_some_and(|key| key.text.as_deref() != Some(text)) {
            self.set_text(name, text);
        }
    }

    /// Replaces the lines of a key.
    pub(crate) fn set_lines(&mut self, name: &str, lines: &str) {
        let Some(key) = self.key(name) else { return };
        self.edits.push((key.lines.clone(), lines.to_owned()));
    }

    /// Replaces the lines of a key with what `change` makes of them.
    pub(crate) fn rewrite(&mut self, name: &str, change: impl FnOnce(&str) -> String) {
        if let Some(lines) = self.lines(name) {
            let new = change(lines);
            self.set_lines(name, &new);
        }
    }

    /// Adds lines before the first key.
    pub(crate) fn insert_first(&mut self, lines: &str) {
        if let Some(key) = self.keys.first() {
            self.edits.push((key.lines.start..key.lines.start, lines.to_owned()));
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        self.set_lines(name, "");
    }

    /// Adds lines after those of a key.
    pub(crate) fn insert_after(&mut self, name: &str, lines: &str) {
        let Some(key) = self.key(name) else { return };
        let end = key.lines.end;
        let is_open = !self.text[..end].ends_with('\n');
        let new = if is_open { format!("\n{}", lines.trim_end()) } else { lines.to_owned() };
        self.edits.push((end..end, new));
    }

    /// The text of the file with the edits.
    pub(crate) fn edited(mut self) -> String {
        self.edits.sort_by_key(|(place, _)| (place.start, place.end));
        let (mut new, mut at) = (String::with_capacity(self.text.len()), 0);
        for (place, text) in self.edits {
            new.push_str(&self.text[at..place.start]);
            new.push_str(&text);
            at = place.end;
        }
        new.push_str(&self.text[at..]);
        new
    }
}

/// The length of the lines of a key, without empty lines and comments after them.
fn own_length(lines: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    for line in lines.split_inclusive('\n') {
        at += line.len();
        if !line.trim().is_empty() && !line.starts_with('#') {
            end = at;
        }
    }
    end
}

/// Where a value is, if it is on the line of its key.
fn value_on_line(text: &str, document: &Document, value: NodeId) -> Option<Range<usize>> {
    let node = document.node(value);
    let Value::Scalar(scalar) = node.value else { return None };
    let range = node.range();
    let is_on_line = !matches!(scalar.style, Style::Literal | Style::Folded)
        && !range.is_empty()
        && !text[range.clone()].contains('\n');
    is_on_line.then_some(range)
}

#[cfg(test)]
mod tests {
    use super::KeyLines;
    use crate::yaml;

    fn edited(text: &str, edit: fn(&mut KeyLines<'_>)) -> String {
        let Ok(document) = yaml::parse(text) else { return String::new() };
        let Ok(mut lines) = KeyLines::of(text, &document) else { return String::new() };
        edit(&mut lines);
        lines.edited()
    }

    #[test]
    fn a_value_keeps_its_comment() {
        let text = "# first\nto: 4.1.0 # a comment\nfrom: '.*'\n# about the name\nname: A\n";
        let new = edited(text, |lines| {
            lines.set("to", "4.1.1");
            lines.set("from", "4[.]0[.].*");
            lines.insert_after("from", "fixedIn: 4.1.2\n");
        });
        let wanted = "# first\nto: 4.1.1 # a comment\nfrom: 4[.]0[.].*\nfixedIn: 4.1.2\n# about the name\nname: A\n";
        assert_eq!(new, wanted);
    }

    #[test]
    fn values_on_several_lines_are_replaced_as_a_whole() {
        let text = "message: |-\n  One.\n\n  Two.\n\n# next\nmatchingRules:\n- type: Always";
        let new = edited(text, |lines| lines.set("message", "Three."));
        assert_eq!(new, "message: Three.\n\n# next\nmatchingRules:\n- type: Always");
        let new = edited(text, |lines| lines.insert_after("matchingRules", "fixedIn: 1.2.3\n"));
        assert_eq!(new, format!("{text}\nfixedIn: 1.2.3"));
        assert_eq!(edited("a: 1\nb: 2\n", |lines| lines.remove("a")), "b: 2\n");
    }

    #[test]
    fn other_files_are_for_people() {
        let why = |text: &str| KeyLines::of(text, &yaml::parse(text).ok()?).err();
        assert_eq!(why("to: 1\r\n"), Some("it has CRLF line endings"));
        assert_eq!(why("{to: 1, from: 2}\n"), Some("its keys do not begin its lines"));
        assert_eq!(why("- to\n"), Some("its keys do not begin its lines"));
        assert_eq!(why(""), Some("its keys do not begin its lines"));
        assert_eq!(why("to: 1\n---\nto: 2\n"), Some("it has two documents"));
        assert_eq!(why("to: 1\nto: 2\n"), Some("it has a key twice"));
    }
}
