//! Whether the update service loads a file.
//!
//! The service parses YAML with serde_yaml into typed structures. This code runs the same parser
//! with the same structures. Files in the plain notation, without schema errors, skip the parser:
//! property tests show that they always load.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::version::service_accepts;
use crate::domain::{Arena, SharedList};
use crate::text::SourceId;
use crate::yaml::{Document, read_as_service};

use super::{BlockedEdge, DataFile, FileKind, PatternError, Patterns};

/// Whether the service loads a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadVerdict {
    /// The service does not read such files.
    NotAsked,
    /// The service loads it.
    Loads,
    /// The service ignores it.
    Drops {
        /// The parser's reason.
        why: String,
        /// The byte offset in the parser's error, if any.
        at: Option<usize>,
    },
    /// The service crashes.
    Panics,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    to: String,
    #[serde(rename = "from")]
    _from: String,
}

/// What a service of schema 1.0 reads in any file.
#[derive(Deserialize)]
struct Updates {
    to: String,
    #[serde(rename = "from")]
    _from: String,
}

#[derive(Deserialize)]
struct Risk {
    to: String,
    #[serde(rename = "from")]
    _from: String,
    #[serde(rename = "url")]
    _url: String,
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "message")]
    _message: String,
    #[serde(rename = "matchingRules")]
    _matching_rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    #[serde(rename = "type", default)]
    _kind: String,
    #[serde(rename = "promql", default)]
    _promql: Option<Query>,
}

#[derive(Deserialize)]
struct Query {
    #[serde(rename = "promql", default)]
    _promql: String,
}

#[derive(Deserialize)]
struct Channel {
    #[serde(rename = "name")]
    _name: String,
    versions: Vec<String>,
}

/// Sorted, so that every run reports the same version.
type RawMetadata = BTreeMap<String, BTreeMap<String, String>>;

/// The verdict on one file, without its pattern.
pub(super) fn verdict(file: &DataFile, text: &str) -> LoadVerdict {
    let asks_yaml = matches!(file.kind, FileKind::BlockedEdge | FileKind::Channel);
    if asks_yaml && file.document().is_some_and(|document| is_beyond_doubt(file, document)) {
        return LoadVerdict::Loads;
    }
    ask(file.kind, text)
}

/// Whether the service's parser certainly accepts the document and its versions.
fn is_beyond_doubt(file: &DataFile, document: &Document) -> bool {
    let is_certain = || document.top("clusters").is_none() && file.duplicate_keys().is_empty();
    document.is_plain()
        && file.faults.is_empty()
        && (file.has_plain_form || is_certain())
        && versions(document).all(service_accepts)
}

fn versions(document: &Document) -> impl Iterator<Item = &str> {
    let members = document.top("versions").map_or(&[][..], |list| document.items(list));
    members.iter().copied().chain(document.top("to")).filter_map(|node| document.text(node))
}

fn ask(kind: FileKind, text: &str) -> LoadVerdict {
    match kind {
        FileKind::BlockedEdge => blocked_edge(text),
        FileKind::Channel => match read_as_service::<Channel>(text) {
            Ok(channel) => {
                channel.versions.iter().find_map(|v| refused(v)).unwrap_or(LoadVerdict::Loads)
            }
            Err(error) => drops(&error),
        },
        FileKind::RawMetadata => match serde_json::from_str::<RawMetadata>(text) {
            Ok(metadata) => metadata.keys().find_map(|v| refused(v)).unwrap_or(LoadVerdict::Loads),
            Err(error) => LoadVerdict::Drops { why: error.to_string(), at: None },
        },
        FileKind::SchemaVersion => refused(text).unwrap_or(LoadVerdict::Loads),
        FileKind::InternalChannel
        | FileKind::BuildSuggestions
        | FileKind::RiskTest
        | FileKind::Query
        | FileKind::Stray => LoadVerdict::NotAsked,
    }
}

/// Adds the verdicts on patterns, each of which is compiled once.
pub(super) fn add_verdicts_on_patterns(
    files: &mut Arena<SourceId, DataFile>,
    edges: &SharedList<BlockedEdge>,
    patterns: &Patterns,
) {
    for edge in edges {
        let Some(from) = &edge.from else { continue };
        let file = &mut files[edge.file];
        if let (LoadVerdict::Loads, Some(error)) = (&file.verdict, patterns.error(&from.value)) {
            let why = match error {
                PatternError::Invalid { why, .. } => why.clone(),
                PatternError::TooCostly => "it takes too long to match its pattern".to_owned(),
            };
            file.verdict = LoadVerdict::Drops { why, at: Some(from.span.start) };
        }
    }
}

fn blocked_edge(text: &str) -> LoadVerdict {
    // The service tries both forms. No file can have both.
    match read_as_service::<Risk>(text) {
        Ok(risk) => refused(&risk.to).unwrap_or(LoadVerdict::Loads),
        Err(not_a_risk) => match read_as_service::<Block>(text) {
            Ok(block) => refused(&block.to).unwrap_or(LoadVerdict::Loads),
            Err(_) if from_is_a_collection(text) => LoadVerdict::Panics,
            Err(not_a_block) => {
                let is_meant_as_a_risk = not_a_block.to_string().contains("unknown field");
                drops(if is_meant_as_a_risk { &not_a_risk } else { &not_a_block })
            }
        },
    }
}

/// Whether a service that ignores all other keys reads `to` and `from`.
pub(super) fn names_updates(text: &str) -> bool {
    read_as_service::<Updates>(text).is_ok_and(|updates| service_accepts(&updates.to))
}

fn from_is_a_collection(text: &str) -> bool {
    read_as_service::<serde_yaml::Value>(text).is_ok_and(|file| {
        file.get("from").is_some_and(|from| from.is_sequence() || from.is_mapping())
    })
}

fn refused(version: &str) -> Option<LoadVerdict> {
    let why = || format!("`{}` is not a version", version.trim());
    (!service_accepts(version)).then(|| LoadVerdict::Drops { why: why(), at: None })
}

fn drops(error: &serde_yaml::Error) -> LoadVerdict {
    let words = error.to_string();
    let why = words.split(" at line ").next().unwrap_or_default().to_owned();
    LoadVerdict::Drops { why, at: error.location().map(|location| location.index()) }
}
