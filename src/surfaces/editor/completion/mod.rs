//! What can be written at a place, the most likely first.

mod keys;
mod queries;
mod releases;
mod risks;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::graph_data::{FileKind, GraphData};

use super::lines::{Slot, Writing, word_around, writing_at};
use super::schemas::schema_of;

/// Texts for one place.
#[derive(Debug)]
pub(crate) struct Completions {
    /// The bytes of the file that they replace.
    pub range: Range<usize>,
    /// Whether a space is missing before them: they follow a `-` or a `:`.
    pub needs_space: bool,
    /// The most likely first.
    pub items: Vec<Completion>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    pub kind: CompletionKind,
    pub text: String,
    /// A few words beside it.
    pub detail: String,
    /// A sentence about it.
    pub about: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompletionKind {
    Key,
    /// A key whose value is in the lines below.
    KeyOfLines,
    Value,
    Risk,
    Release,
    Metric,
    Label,
    Function,
    Keyword,
    /// A part of a query as other queries have it.
    Word,
}

/// The most texts for one place. Editors ask again when more is written.
const MOST: usize = 200;

/// The file that is written, and what is written at the cursor.
struct WrittenFile<'a> {
    data: &'a GraphData,
    path: &'a str,
    text: &'a str,
    kind: FileKind,
    writing: &'a Writing<'a>,
}

impl Completion {
    pub(super) fn new(
        kind: CompletionKind,
        text: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self { kind, text: text.into(), detail: detail.into(), about: String::new() }
    }

    pub(super) fn about(mut self, about: &str) -> Self {
        about.clone_into(&mut self.about);
        self
    }
}

/// The completions at a byte of a file of the repository. `text` is the text of the file.
pub(crate) fn completions(
    data: &GraphData,
    path: &str,
    text: &str,
    offset: usize,
) -> Option<Completions> {
    let kind = FileKind::of(path);
    let whole = writing_at(text, offset)?;
    let quote =
        text[whole.range.clone()].chars().next().filter(|first| matches!(first, '"' | '\''));
    let writing = in_query(text, offset, whole, quote);
    let asked = WrittenFile { data, path, text, kind, writing: &writing };
    let items = match &writing.slot {
        Slot::Key { others } => keys::keys(&asked, others),
        Slot::Value => asked.values(),
        Slot::Item => asked.items(),
        Slot::Block { before, after } if writing.keys == QUERY => {
            queries::words(&asked, before, after)
        }
        Slot::Block { .. } => Vec::new(),
    };
    let range = writing.range.clone();
    let mut items = fitting(items, writing.written);
    Some(match &writing.slot {
        Slot::Block { .. } => {
            if quote == Some('"') {
                for item in &mut items {
                    item.text = item.text.replace('"', "\\\"");
                }
            }
            Completions { range, needs_space: false, items }
        }
        Slot::Key { .. } | Slot::Value | Slot::Item => Completions::new(text, range, items),
    })
}

impl Completions {
    /// Completions of a key or a whole value.
    pub(super) fn new(text: &str, range: Range<usize>, items: Vec<Completion>) -> Self {
        let needs_space = text[..range.start].ends_with(['-', ':']);
        Self { range, needs_space, items }
    }
}

/// If the value is a query on one line, replaces only the word at the cursor, as in a query of
/// several lines. `quote` is the one that the value begins with.
fn in_query<'t>(
    text: &'t str,
    offset: usize,
    writing: Writing<'t>,
    quote: Option<char>,
) -> Writing<'t> {
    let is_query = writing.slot == Slot::Value && writing.keys == QUERY;
    if !is_query {
        return writing;
    }
    let start = writing.range.start + usize::from(quote.is_some());
    let offset = offset.clamp(start.min(writing.range.end), writing.range.end);
    let before = unquoted(&text[start..offset], quote);
    let after = unquoted(&text[offset..writing.range.end], quote);
    let slot = Slot::Block { before, after };
    let range = word_around(text, offset);
    let written = &text[range.start..offset];
    Writing { slot, keys: writing.keys, range, written }
}

/// A part of a scalar without the escapes of its quotes.
fn unquoted(part: &str, quote: Option<char>) -> String {
    match quote {
        Some('"') => part.replace("\\\"", "\"").replace("\\\\", "\\"),
        Some(_) => part.replace("''", "'"),
        None => part.to_owned(),
    }
}

/// The keys of a query.
const QUERY: [&str; 3] = ["matchingRules", "promql", "promql"];

/// The texts that begin with what is written, each once; then those that contain it.
pub(super) fn fitting(items: Vec<Completion>, written: &str) -> Vec<Completion> {
    let plain = |text: &str| text.trim_start_matches(['"', '\'']).to_ascii_lowercase();
    let typed = plain(written);
    let mut seen = BTreeSet::new();
    let is_new = |item: &Completion| !item.text.is_empty() && seen.insert(item.text.clone());
    let known = items.into_iter().filter(is_new);
    let begins = |item: &Completion| plain(&item.text).starts_with(&typed);
    let (mut fitting, others): (Vec<_>, Vec<_>) = known.partition(begins);
    let contains = |item: &Completion| item.text.to_ascii_lowercase().contains(&typed);
    fitting.extend(others.into_iter().filter(contains));
    fitting.truncate(MOST);
    fitting
}

impl WrittenFile<'_> {
    /// The values of a key.
    fn values(&self) -> Vec<Completion> {
        match (self.kind, self.writing.keys.as_slice()) {
            (FileKind::BlockedEdge, ["to"]) => releases::targets(self),
            (FileKind::BlockedEdge, ["from"]) => risks::patterns(self),
            (FileKind::BlockedEdge, ["fixedIn"]) => releases::fixes(self),
            (FileKind::BlockedEdge, ["name"]) | (FileKind::RiskTest, ["risk"]) => {
                risks::names(self)
            }
            (FileKind::BlockedEdge, [key @ ("url" | "message" | "autoExtend")]) => {
                risks::texts(self, key)
            }
            (FileKind::RiskTest, ["tests", "cluster"]) => keys::sample_clusters(),
            (FileKind::Channel | FileKind::InternalChannel, ["feeder", "name"]) => {
                keys::channels(self)
            }
            (FileKind::Channel | FileKind::InternalChannel, ["feeder", "delay"]) => {
                keys::delays(self)
            }
            (FileKind::Channel | FileKind::InternalChannel, ["name"]) => {
                let stem = self.path.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml"));
                let own = stem
                    .map(|stem| Completion::new(CompletionKind::Value, stem, "the file's name"));
                own.into_iter().collect()
            }
            _ => keys::listed_values(self, schema_of(self.kind)),
        }
    }

    /// The items of a list.
    fn items(&self) -> Vec<Completion> {
        match (self.kind, self.writing.keys.as_slice()) {
            (FileKind::Channel | FileKind::InternalChannel, ["versions"]) => {
                releases::members(self)
            }
            (FileKind::Channel | FileKind::InternalChannel, ["tombstones"]) => releases::all(self),
            (FileKind::RiskTest, [.., "without"]) => {
                queries::metrics(self.data.queries.dictionary())
            }
            _ => Vec::new(),
        }
    }
}
