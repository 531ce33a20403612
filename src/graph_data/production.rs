//! What the update service makes of a file, asked of the service's own parser.
//!
//! The service reads YAML with serde_yaml into typed structures. These are the
//! same structures; whether a file loads is decided by running that parser.
//! Only files that keep to the plainest notation, and that the schema has
//! nothing against, are not worth the question: property tests ask it anyway.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::domain::Arena;
use crate::domain::version::service_accepts;
use crate::schema::Fault;
use crate::text::SourceId;
use crate::yaml::{Document, Scalar, Style, Value, read_as_service};

use super::{BlockedEdge, DataFile, Kind, PatternError, Patterns};

/// What the service makes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The service does not read such files.
    NotAsked,
    /// It loads.
    Loads,
    /// It does not load, and what it says is lost.
    Drops {
        /// The parser's reason.
        why: String,
        /// Where the parser stood, when it says so.
        at: Option<usize>,
    },
    /// Reading it brings the service down.
    Panics,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
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

/// In order, so that the same version is named on every run.
type RawMetadata = BTreeMap<String, BTreeMap<String, String>>;

/// Judges one file by itself; patterns are judged later, each once.
pub(super) fn judge(
    kind: Kind,
    text: &str,
    document: Option<&Document>,
    faults: &[Fault],
) -> Verdict {
    let asks_yaml = matches!(kind, Kind::BlockedEdge | Kind::Channel);
    let is_fine = |document| faults.is_empty() && is_beyond_doubt(text, document);
    if asks_yaml && document.is_some_and(is_fine) {
        return Verdict::Loads;
    }
    ask(kind, text)
}

/// Whether all readers of YAML agree on the document, and find no surprise in it.
fn is_beyond_doubt(text: &str, document: &Document) -> bool {
    let is_common = |b: u8| matches!(b, b' '..=b'~' | b'\n');
    document.is_ordinary()
        && text.bytes().all(is_common)
        && !text.starts_with("...")
        && !text.contains("\n...")
        && document.top("clusters").is_none()
        && document.nodes().all(|(_, node)| match &node.value {
            Value::Scalar(scalar) => is_ordinary(scalar, &text[node.range.clone()]),
            Value::Mapping(entries) => entries.iter().all(|e| document.text(e.key).is_some()),
            _ => true,
        })
        && document.duplicate_keys().next().is_none()
        && versions(document).all(service_accepts)
}

fn is_ordinary(scalar: &Scalar, written: &str) -> bool {
    match scalar.style {
        Style::Plain | Style::SingleQuoted => !written.contains('\n') && written.len() < 1000,
        Style::DoubleQuoted => !written.contains(['\n', '\\']) && written.len() < 1000,
        Style::Literal | Style::Folded => {
            !scalar.text.starts_with(['\n', ' ']) && !written.is_empty()
        }
    }
}

fn versions(document: &Document) -> impl Iterator<Item = &str> {
    let members = document.top("versions").map_or(&[][..], |list| document.items(list));
    members.iter().copied().chain(document.top("to")).filter_map(|node| document.text(node))
}

fn ask(kind: Kind, text: &str) -> Verdict {
    match kind {
        Kind::BlockedEdge => blocked_edge(text),
        Kind::Channel => match read_as_service::<Channel>(text) {
            Ok(channel) => {
                channel.versions.iter().find_map(|v| refused(v)).unwrap_or(Verdict::Loads)
            }
            Err(error) => drops(&error),
        },
        Kind::RawMetadata => match serde_json::from_str::<RawMetadata>(text) {
            Ok(metadata) => metadata.keys().find_map(|v| refused(v)).unwrap_or(Verdict::Loads),
            Err(error) => Verdict::Drops { why: error.to_string(), at: None },
        },
        Kind::SchemaVersion => refused(text).unwrap_or(Verdict::Loads),
        Kind::InternalChannel | Kind::BuildSuggestions | Kind::Stray => Verdict::NotAsked,
    }
}

/// Completes the verdicts on blocked edges with what became of their patterns.
pub(super) fn judge_patterns(
    files: &mut Arena<SourceId, DataFile>,
    edges: &[BlockedEdge],
    patterns: &Patterns,
) {
    for edge in edges {
        let Some(from) = &edge.from else { continue };
        let file = &mut files[edge.file];
        if let (Verdict::Loads, Some(error)) = (&file.verdict, patterns.error(&from.value)) {
            let why = match error {
                PatternError::Invalid { why, .. } => why.clone(),
                PatternError::TooCostly => "it takes too long to match its pattern".to_owned(),
            };
            file.verdict = Verdict::Drops { why, at: Some(from.span.start) };
        }
    }
}

fn blocked_edge(text: &str) -> Verdict {
    // The service tries both forms on every file; no file can be both.
    match read_as_service::<Risk>(text) {
        Ok(risk) => refused(&risk.to).unwrap_or(Verdict::Loads),
        Err(not_a_risk) => match read_as_service::<Block>(text) {
            Ok(block) => refused(&block.to).unwrap_or(Verdict::Loads),
            Err(_) if from_is_a_collection(text) => Verdict::Panics,
            Err(not_a_block) => {
                let is_meant_as_a_risk = not_a_block.to_string().contains("unknown field");
                drops(if is_meant_as_a_risk { &not_a_risk } else { &not_a_block })
            }
        },
    }
}

fn from_is_a_collection(text: &str) -> bool {
    read_as_service::<serde_yaml::Value>(text).is_ok_and(|file| {
        file.get("from").is_some_and(|from| from.is_sequence() || from.is_mapping())
    })
}

fn refused(version: &str) -> Option<Verdict> {
    let why = || format!("`{}` is not a version", version.trim());
    (!service_accepts(version)).then(|| Verdict::Drops { why: why(), at: None })
}

fn drops(error: &serde_yaml::Error) -> Verdict {
    let words = error.to_string();
    let why = words.split(" at line ").next().unwrap_or_default().to_owned();
    Verdict::Drops { why, at: error.location().map(|location| location.index()) }
}
