//! Edits of the entries of a channel of operators, in the style of the text around them.

use std::ops::Range;

use crate::catalog::declared::{ChannelBlob, EntryBlob, Text};
use crate::catalog::package::{CatalogChannel, Entry};
use crate::domain::{HashMap, HashSet};
use crate::text::{Edit, Source, Span};

use super::style::{Fields, Item, List, New, line_break_at, line_end, quoted_like};

/// The edits that give the entries of a channel other edges, and add entries. Entries that are not
/// in `wanted` stay as they are, and so does a `skipRange` if the wanted entry has none. None if
/// the channel is not written in a way that can be edited.
pub(crate) fn entry_edits(
    blob: &ChannelBlob,
    wanted: &CatalogChannel,
    source: &Source,
) -> Option<Vec<Edit>> {
    let text = source.text();
    let mut known: HashMap<&str, &EntryBlob> = HashMap::default();
    for entry in &blob.entries {
        known.entry(&entry.name.value).or_insert(entry);
    }
    let mut edits = Vec::new();
    let mut added = Vec::new();
    for entry in &wanted.entries {
        match known.get(entry.name.as_str()) {
            Some(known) => Writer { text, entry: known }.edits(entry, &mut edits)?,
            None => added.push(entry),
        }
    }
    if let Some(last) = blob.entries.last().filter(|_| !added.is_empty()) {
        let spans = blob.entries.iter().map(|entry| entry.span.range());
        let list = List::of(text, spans.collect());
        let written = added.iter().map(|entry| written(entry, list.is_block()));
        let (at, new) = list.insertion(written.collect());
        edits.push(Edit { span: Span::new(last.span.source, at..at), text: new });
    }
    Some(edits)
}

/// The edit that replaces a name by another one, with the same quotes.
pub(crate) fn renamed(source: &Source, span: Span, new: &str) -> Edit {
    let range = Item::with_quotes(source.text(), span.range());
    let text = quoted_like(&source.text()[range.clone()], new);
    Edit { span: Span::new(span.source, range), text }
}

/// A new entry, as the lines of a block mapping or as a mapping in braces.
fn written(entry: &Entry, is_block: bool) -> Item {
    let json = |text: &str| serde_json::Value::from(text).to_string();
    let range = entry.skip_range.as_ref().map(|range| json(range.text()));
    let skips: Vec<String> = entry.skips.iter().map(|skip| json(skip)).collect();
    let replaces = Some(&entry.replaces).filter(|name| !name.is_empty()).map(|name| json(name));
    let skips = Some(skips).filter(|skips| !skips.is_empty());
    let skips = skips.map(|skips| format!("[{}]", skips.join(", ")));
    let fields = [
        ("name", Some(json(&entry.name))),
        ("replaces", replaces),
        ("skips", skips),
        ("skipRange", range),
    ];
    let fields = fields.into_iter().filter_map(|(key, value)| Some((key, value?)));
    if is_block {
        Item::Lines(fields.map(|(key, value)| format!("{key}: {value}")).collect())
    } else {
        let fields: Vec<String> =
            fields.map(|(key, value)| format!("{}: {value}", json(key))).collect();
        Item::Inline(format!("{{{}}}", fields.join(", ")))
    }
}

struct Writer<'t> {
    text: &'t str,
    entry: &'t EntryBlob,
}

impl Writer<'_> {
    /// Adds the edits of the entry. None if it is not written in a way that can be edited.
    fn edits(&self, wanted: &Entry, edits: &mut Vec<Edit>) -> Option<()> {
        let known = edits.len();
        let Entry { replaces, skips, skip_range, .. } = wanted;
        if self.entry.replaces.value != *replaces {
            edits.push(self.field("replaces", &self.entry.replaces, replaces)?);
        }
        self.skips(skips, edits)?;
        let range = skip_range.as_ref().map(crate::go::semver::Range::text);
        if let Some(range) = range.filter(|range| *range != self.entry.skip_range.value) {
            edits.push(self.field("skipRange", &self.entry.skip_range, range)?);
        }
        // With aliases and merges, an entry has text elsewhere, which other entries may share.
        let own = self.own_range();
        let is_own = |edit: &Edit| own.start <= edit.span.start && edit.span.end <= own.end;
        edits[known..].iter().all(is_own).then_some(())
    }

    fn skips(&self, wanted: &[String], edits: &mut Vec<Edit>) -> Option<()> {
        let old: HashSet<&String> = self.entry.skips.iter().map(|skip| &skip.value).collect();
        let new: HashSet<&String> = wanted.iter().collect();
        let mut removed =
            self.entry.skips.iter().enumerate().filter(|(_, skip)| !new.contains(&skip.value));
        let mut added = wanted.iter().filter(|name| !old.contains(name)).peekable();
        // A new name replaces a removed one, if there is one left.
        while added.peek().is_some() {
            let Some((_, old)) = removed.next() else { break };
            if let Some(new) = added.next() {
                edits.push(self.scalar(old, new)?);
            }
        }
        let spans = self.entry.skips.iter().map(|skip| skip.span.range());
        let list = List::of(self.text, spans.collect());
        let removed: Vec<usize> = removed.map(|(at, _)| at).collect();
        if let Some(field) = list.whole_field("skips").filter(|_| removed.len() == old.len()) {
            edits.push(self.edit(field, String::new()));
        } else {
            edits.extend(removed.into_iter().map(|at| self.edit(list.removal(at), String::new())));
        }
        let added: Vec<&String> = added.collect();
        if !added.is_empty() {
            edits.push(self.add(&list, &added)?);
        }
        Some(())
    }

    /// The bytes of the entry, up to the beginning of the next line.
    fn own_range(&self) -> Range<usize> {
        let Range { start, end } = self.entry.span.range();
        let end = start + self.text[start..end].trim_end().len();
        let end = line_end(self.text, end);
        start..end + line_break_at(self.text, end)
    }

    fn edit(&self, range: Range<usize>, text: String) -> Edit {
        Edit { span: Span::new(self.entry.span.source, range), text }
    }

    /// Writes a field with one value. The entry may not have the field yet.
    fn field(&self, key: &str, old: &Text, new: &str) -> Option<Edit> {
        if !old.value.is_empty() {
            return self.scalar(old, new);
        }
        // The place of an absent value is that of the first key.
        let before = self.text.get(self.entry.span.start..old.span.start)?;
        if !before.chars().all(|c| c.is_whitespace() || "{\"'".contains(c)) {
            return None;
        }
        let anchor = self.name()?;
        let like = &self.text[anchor.clone()];
        // A range contains characters that have a meaning in YAML.
        let is_quoted = like.starts_with(['"', '\'']);
        let like = if key == "skipRange" && !is_quoted { "'" } else { like };
        let (at, text) = self.fields().insertion(anchor, key, &New::Text(quoted_like(like, new)));
        Some(self.edit(at..at, text))
    }

    /// The place of the name, if it is written there literally.
    fn name(&self) -> Option<Range<usize>> {
        let name = &self.entry.name;
        self.is_written(name).then(|| Item::with_quotes(self.text, name.span.range()))
    }

    /// Whether a text is written literally at its place, apart from quotes.
    fn is_written(&self, text: &Text) -> bool {
        self.text[text.span.range()].trim_matches(['"', '\'']) == text.value
    }

    fn fields(&self) -> Fields<'_> {
        Fields { text: self.text, mapping: self.entry.span.range() }
    }

    /// Replaces a text. None if it is not written literally, for example because of an alias.
    fn scalar(&self, old: &Text, new: &str) -> Option<Edit> {
        if !self.is_written(old) {
            return None;
        }
        let range = Item::with_quotes(self.text, old.span.range());
        let new = quoted_like(&self.text[range.clone()], new);
        Some(self.edit(range, new))
    }

    /// Adds names to the skips, or adds skips to an entry without any.
    fn add(&self, list: &List<'_>, names: &[&String]) -> Option<Edit> {
        if let Some(like) = list.last() {
            let names = names.iter().map(|name| Item::Inline(quoted_like(like, name)));
            let (at, text) = list.insertion(names.collect());
            return Some(self.edit(at..at, text));
        }
        let range = self.name()?;
        let like = &self.text[range.clone()];
        let names: Vec<String> = names.iter().map(|name| quoted_like(like, name)).collect();
        let new = New::List(names);
        if let Some(empty) = self.entry.skips_at {
            let old = &self.text[empty.range()];
            let space = if old.is_empty() { " " } else { "" };
            return Some(self.edit(empty.range(), format!("{space}{}", new.inline())));
        }
        let anchor = if self.entry.replaces.value.is_empty() {
            range
        } else {
            Item::with_quotes(self.text, self.entry.replaces.span.range())
        };
        let (at, text) = self.fields().insertion(anchor, "skips", &new);
        Some(self.edit(at..at, text))
    }
}
