//! One file of the repository: its document, its schema errors, and whether the service loads it.

use std::sync::Arc;

use crate::schema::{self, Fault, Problem, Schema};
use crate::text::{Source, SourceId, Span};
use crate::tree::{Blob, Unreadable};
use crate::yaml::{self, Document, MappingEntry, NodeId, SyntaxError};

use super::text::{ScalarText, Text};
use super::{FileKind, GraphData, LoadVerdict, SchemaVersion, production};

/// A parsed file.
#[derive(Clone, Debug)]
pub struct DataFile {
    /// Its text, in the repository's [`Sources`](crate::text::Sources).
    pub id: SourceId,
    /// What kind of file it is.
    pub kind: FileKind,
    /// Its content, or why it cannot be parsed.
    pub document: Result<Arc<Document>, NoDocument>,
    /// The errors of its schema.
    pub faults: Vec<Fault>,
    /// Whether it has a form that nearly all files have. No mapping of such a file has a key twice.
    pub has_plain_form: bool,
    /// Keys of schema 1.1 in a repository whose `version` says 1.0.
    pub newer_keys: Vec<NodeId>,
    /// Whether the service loads it.
    pub verdict: LoadVerdict,
    /// An upper bound for the number of its keys and values. None if it has no text.
    pub(super) most_values: Option<usize>,
}

/// Why a file has no document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDocument {
    /// It cannot be read.
    Unreadable(Unreadable),
    /// It is not UTF-8. The numbers are the line of the first invalid byte, and the byte in that
    /// line, from 1.
    NotUtf8(usize, usize),
    /// It is not YAML.
    Syntax(SyntaxError),
    /// It is not JSON. The byte offset and the reason.
    NotJson(usize, String),
    /// Its aliases refer to themselves, or expand to too many nodes.
    Aliases,
}

impl DataFile {
    /// Parses a file. Reuses the result if the file is the same in another state of the repository.
    pub(super) fn read(
        blob: Blob,
        id: SourceId,
        declared: Option<&SchemaVersion>,
        other: Option<&GraphData>,
    ) -> (Arc<Source>, Self) {
        let kind = FileKind::of(&blob.path);
        let (text, document) = match blob.content.map_err(NoDocument::Unreadable).and_then(utf8) {
            Ok(text) => {
                let same = other.and_then(|other| {
                    let file = other.at_path_near(&blob.path, id)?;
                    let is_same = file.says(other, &text, declared);
                    is_same.then(|| (other.sources.share(file.id), file))
                });
                if let Some((source, same)) = same {
                    return (source, Self { id, ..same.clone() });
                }
                let document = document_of(kind, &text).map(Arc::new);
                (Some(text), document)
            }
            Err(why) => (None, Err(why)),
        };
        let (faults, newer_keys, verdict) = (Vec::new(), Vec::new(), LoadVerdict::NotAsked);
        let most_values = text.as_ref().map(|text| yaml::most_values(text.as_bytes()));
        let has_plain_form = false;
        let mut file =
            Self { id, kind, document, faults, has_plain_form, newer_keys, verdict, most_values };
        if let Err(why) = file.hold_against_schema(declared) {
            file.document = Err(why);
        }
        if let Some(text) = &text {
            file.verdict = production::verdict(&file, text);
        }
        (Arc::new(Source::new(blob.path, text.unwrap_or_default())), file)
    }

    /// A file that is only a query, without YAML.
    pub(super) fn of_query(id: SourceId) -> Self {
        let document = yaml::parse("").map(Arc::new).map_err(NoDocument::Syntax);
        let (faults, newer_keys, verdict) = (Vec::new(), Vec::new(), LoadVerdict::NotAsked);
        Self {
            id,
            kind: FileKind::Query,
            document,
            faults,
            has_plain_form: false,
            newer_keys,
            verdict,
            most_values: None,
        }
    }

    /// Whether this file of another state of the repository has this text, and the schema that is
    /// declared now.
    fn says(&self, data: &GraphData, text: &str, declared: Option<&SchemaVersion>) -> bool {
        let is_1_0 = |declared: Option<&SchemaVersion>| declared.is_some_and(SchemaVersion::is_1_0);
        self.document.is_ok()
            && data.sources.get(self.id).text() == text
            && is_1_0(data.schema_version.as_ref()) == is_1_0(declared)
    }

    fn hold_against_schema(&mut self, declared: Option<&SchemaVersion>) -> Result<(), NoDocument> {
        let Ok(document) = &self.document else { return Ok(()) };
        let schema = schema_of(self.kind);
        let is_1_0 =
            self.kind == FileKind::BlockedEdge && declared.is_some_and(SchemaVersion::is_1_0);
        let strictest = if is_1_0 { Some(&schema::BLOCKED_EDGES_1_0) } else { schema };
        if let Some(faults) = strictest.and_then(|schema| schema.plain_faults(document)) {
            (self.faults, self.has_plain_form) = (faults, true);
            return Ok(());
        }
        let json = document.to_json().map_err(|_| NoDocument::Aliases)?;
        let Some(schema) = schema else { return Ok(()) };
        if is_1_0 {
            self.newer_keys = newer_keys(document, &json);
            if self.newer_keys.is_empty() {
                self.faults = schema::faults(&schema::BLOCKED_EDGES_1_0, document, &json);
                return Ok(());
            }
            // The service ignores `version` when it reads these keys, so they are checked, too.
        }
        self.faults = schema::faults(schema, document, &json);
        Ok(())
    }

    /// Whether a file of another state of the repository has the same content.
    pub fn is_shared_with(&self, other: Option<&Self>) -> bool {
        match (&self.document, other.map(|other| &other.document)) {
            (Ok(one), Some(Ok(other))) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Whether a key is missing, and no similar key is there. If so, other values may be in the
    /// wrong place, too, and only a person can correct the file.
    pub fn is_damaged(&self) -> bool {
        let is_damage =
            |fault: &Fault| matches!(fault.problem, Problem::MissingKeys { lookalike: None, .. });
        self.faults.iter().any(is_damage)
    }

    /// The document, if there is one.
    pub fn document(&self) -> Option<&Document> {
        self.document.as_deref().ok()
    }

    /// The duplicate keys of all mappings, each with the first one.
    pub fn duplicate_keys(&self) -> Vec<(NodeId, NodeId)> {
        match self.document() {
            Some(document) if !self.has_plain_form => document.duplicate_keys().collect(),
            _ => Vec::new(),
        }
    }

    /// The top-level entry under `key`.
    pub fn entry(&self, key: &str) -> Option<MappingEntry> {
        let document = self.document()?;
        document.entry(document.root(), key)
    }

    /// The place of a node.
    pub fn span(&self, node: NodeId) -> Span {
        let range = self.document().map_or(0..0, |document| document.node(node).range());
        Span::new(self.id, range)
    }

    /// The scalar text under a top-level key, and its place.
    pub fn text(&self, key: &str) -> Option<Text> {
        let document = self.document()?;
        self.text_of(document.top(key)?)
    }

    /// The text of a scalar node, and its place.
    pub fn text_of(&self, node: NodeId) -> Option<Text> {
        let document = self.document.as_ref().ok()?;
        let value = ScalarText::of(document, document.scalar(node)?);
        Some(Text { value, span: self.span(node), node })
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, NoDocument> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|byte| *byte == b'\n');
        let last = line.clone().next_back().map_or(0, <[u8]>::len);
        NoDocument::NotUtf8(line.count(), last + 1)
    })
}

fn document_of(kind: FileKind, text: &str) -> Result<Document, NoDocument> {
    if kind == FileKind::RawMetadata
        && let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text)
    {
        return Err(NoDocument::NotJson(json_offset(text, &error), json_words(&error)));
    }
    yaml::parse(text).map_err(NoDocument::Syntax)
}

fn json_offset(text: &str, error: &serde_json::Error) -> usize {
    let before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    text.floor_char_boundary(start + error.column().saturating_sub(1))
}

fn json_words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words.split(" at line ").next().unwrap_or_default().to_owned()
}

fn schema_of(kind: FileKind) -> Option<&'static Schema> {
    match kind {
        FileKind::BlockedEdge => Some(&schema::BLOCKED_EDGES_1_1),
        FileKind::Channel | FileKind::InternalChannel => Some(&schema::CHANNEL),
        FileKind::BuildSuggestions => Some(&schema::BUILD_SUGGESTIONS),
        FileKind::RawMetadata => Some(&schema::RAW_METADATA),
        FileKind::SchemaVersion | FileKind::RiskTest | FileKind::Query | FileKind::Stray => None,
    }
}

/// The keys that schema 1.1 has and schema 1.0 does not.
fn newer_keys(document: &Document, json: &serde_json::Value) -> Vec<NodeId> {
    let known = schema::BLOCKED_EDGES_1_1.json()["properties"].as_object();
    schema::faults(&schema::BLOCKED_EDGES_1_0, document, json)
        .into_iter()
        .filter_map(|fault| match fault.problem {
            Problem::UnknownKey { key, key_node, .. } => Some((key, key_node)),
            _ => None,
        })
        .filter(|(key, _)| known.is_some_and(|known| known.contains_key(key)))
        .map(|(_, node)| node)
        .collect()
}
