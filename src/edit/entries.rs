//! Edits of the entries of a channel of operators, in the style of the text around them.

use crate::catalog::declared::{ChannelBlob, EntryBlob, Text};
use crate::catalog::package::{Channel, Entry};
use crate::domain::{HashMap, HashSet};
use crate::rules::Edit;
use crate::text::{Source, Span};

use super::style::{Fields, Item, List, quoted_like};

/// The edits that give a channel other entries. The channel must have all entries that it has now, in
/// any order, and can have more.
#[must_use]
pub(crate) fn entry_edits(blob: &ChannelBlob, wanted: &Channel, source: &Source) -> Vec<Edit> {
    let text = source.text();
    let mut known: HashMap<&str, &EntryBlob> = HashMap::default();
    for entry in &blob.entries {
        known.entry(&entry.name.value).or_insert(entry);
    }
    let mut edits = Vec::new();
    let mut added = Vec::new();
    for entry in &wanted.entries {
        match known.get(entry.name.as_str()) {
            Some(known) => Writer { text, entry: known }.edits(entry, &mut edits),
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
    edits
}

/// A whole entry: the lines of a mapping, or one in braces.
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
    fn edits(&self, wanted: &Entry, edits: &mut Vec<Edit>) {
        let replaces = &self.entry.replaces;
        if replaces.value != wanted.replaces {
            edits.push(self.scalar(replaces, &wanted.replaces));
        }
        let old: HashSet<&String> = self.entry.skips.iter().map(|skip| &skip.value).collect();
        let new: HashSet<&String> = wanted.skips.iter().collect();
        let mut removed =
            self.entry.skips.iter().enumerate().filter(|(_, skip)| !new.contains(&skip.value));
        let mut added = wanted.skips.iter().filter(|name| !old.contains(name)).peekable();
        // A new name takes the place of a removed one.
        while added.peek().is_some() {
            let Some((_, old)) = removed.next() else { break };
            edits.extend(added.next().map(|new| self.scalar(old, new)));
        }
        let spans = self.entry.skips.iter().map(|skip| skip.span.range());
        let list = List::of(self.text, spans.collect());
        edits.extend(removed.map(|(at, _)| self.edit(list.removal(at), String::new())));
        let added: Vec<&String> = added.collect();
        if !added.is_empty() {
            edits.push(self.add(&list, &added));
        }
    }

    fn edit(&self, range: std::ops::Range<usize>, text: String) -> Edit {
        Edit { span: Span::new(self.entry.span.source, range), text }
    }

    fn scalar(&self, old: &Text, new: &str) -> Edit {
        let range = Item::with_quotes(self.text, old.span.range());
        let new = quoted_like(&self.text[range.clone()], new);
        self.edit(range, new)
    }

    /// Adds names to the skips, or the skips to the entry.
    fn add(&self, list: &List<'_>, names: &[&String]) -> Edit {
        if let Some(like) = list.last() {
            let names = names.iter().map(|name| Item::Inline(quoted_like(like, name)));
            let (at, text) = list.insertion(names.collect());
            return self.edit(at..at, text);
        }
        let range = Item::with_quotes(self.text, self.entry.name.span.range());
        let like = &self.text[range.clone()];
        let names: Vec<String> = names.iter().map(|name| quoted_like(like, name)).collect();
        let inline = format!("[{}]", names.join(", "));
        if let Some(empty) = self.entry.skips_at {
            let old = &self.text[empty.range()];
            let space = if old.is_empty() { " " } else { "" };
            return self.edit(empty.range(), format!("{space}{inline}"));
        }
        let anchor = if self.entry.replaces.value.is_empty() {
            range
        } else {
            Item::with_quotes(self.text, self.entry.replaces.span.range())
        };
        let fields = Fields { text: self.text, mapping: self.entry.span.range() };
        let (at, text) = fields.insertion(anchor, "skips", &names, &inline);
        self.edit(at..at, text)
    }
}
