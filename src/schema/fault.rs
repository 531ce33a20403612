//! A schema's objections, tied to the nodes they are about.

use jsonschema::error::ValidationErrorKind;
use serde_json::Value as Json;

use crate::yaml::{Document, NodeId};

use super::{Schema, closest};

/// How many objections to one file are told. A file with more is not data.
const MOST: usize = 200;

/// One thing that a schema objects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The value objected to; for a missing key, the mapping that lacks it.
    pub node: NodeId,
    /// The value's path in the document, as a JSON pointer.
    pub pointer: String,
    /// The schema's name for what should stand there: its last `$defs` entry,
    /// or the property's own name.
    pub part: String,
    /// What is wrong.
    pub problem: Problem,
}

/// What a schema can object to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A key that is not known here.
    UnknownKey {
        /// The key, as written.
        key: String,
        /// Its node.
        key_node: NodeId,
        /// The known key that it resembles.
        meant: Option<String>,
        /// The keys that are known here.
        known: Vec<String>,
    },
    /// A required key that is not there.
    MissingKey {
        /// The key.
        key: String,
        /// An unknown key beside it that was probably meant to be this one.
        lookalike: Option<NodeId>,
    },
    /// A value of the wrong kind.
    Type,
    /// Text that does not have the right form.
    Pattern,
    /// Empty text, or an empty list.
    Empty,
    /// Text that is too long.
    TooLong {
        /// The most characters allowed.
        limit: u64,
    },
    /// Not one of the allowed values.
    NotOneOf {
        /// The values that are allowed.
        allowed: Vec<String>,
    },
    /// A key that may not stand here, known though it is.
    NotAllowedHere,
    /// The same item more than once.
    Repeated,
    /// Any other keyword of JSON Schema.
    Other {
        /// The keyword.
        keyword: String,
    },
}

/// What `schema` objects to in `document`, whose JSON form is `json`.
#[must_use]
pub fn faults(schema: &Schema, document: &Document, json: &Json) -> Vec<Fault> {
    let validator = schema.validator();
    if validator.is_valid(json) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for error in validator.iter_errors(json).take(MOST) {
        let pointer = error.instance_path().as_str();
        let place = error.schema_path().as_str();
        let node = document.at_pointer(pointer).unwrap_or(document.root());
        if let ValidationErrorKind::PropertyNames { error } = error.kind() {
            // The value of the error is the key itself.
            let key = error.instance().as_str().unwrap_or_default();
            let node = document.entry(node, key).map_or(node, |entry| entry.key);
            let place = error.schema_path().as_str();
            faults.push(fault(node, pointer, place, problem_of(error.kind())));
        } else if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
            let known = keys_at(schema.json(), place.trim_end_matches("/additionalProperties"));
            // A branch repeats only the keys that it allows; the top knows them all.
            let at_the_top =
                if pointer.is_empty() { keys_at(schema.json(), "") } else { Vec::new() };
            for key in unexpected.iter().take(MOST) {
                let complex = || {
                    let entries = document.entries(node).iter();
                    entries.copied().find(|entry| document.text(entry.key).is_none())
                };
                let Some(entry) = document.entry(node, key).or_else(complex) else { continue };
                let candidates = known.iter().chain(&at_the_top).map(String::as_str);
                let meant = closest(key, candidates).map(str::to_owned);
                let problem = Problem::UnknownKey {
                    key: key.clone(),
                    key_node: entry.key,
                    meant,
                    known: known.clone(),
                };
                faults.push(fault(node, pointer, place, problem));
            }
        } else {
            faults.push(fault(node, pointer, place, problem_of(error.kind())));
        }
    }
    join_misspelt_keys(&mut faults);
    faults
}

fn fault(node: NodeId, pointer: &str, place: &str, problem: Problem) -> Fault {
    Fault { node, pointer: pointer.to_owned(), part: part_of(place), problem }
}

/// `/$defs/rule/allOf/0/then/required` speaks of a `rule`; `/properties/name/type` of a `name`.
fn part_of(place: &str) -> String {
    let mut steps = place.split('/');
    let mut part = "";
    while let Some(step) = steps.next() {
        if matches!(step, "$defs" | "properties") {
            part = steps.next().unwrap_or_default();
        }
    }
    part.to_owned()
}

fn problem_of(kind: &ValidationErrorKind) -> Problem {
    match kind {
        ValidationErrorKind::Required { property } => {
            let key = property.as_str().unwrap_or_default().to_owned();
            Problem::MissingKey { key, lookalike: None }
        }
        ValidationErrorKind::Type { .. } => Problem::Type,
        ValidationErrorKind::Pattern { .. } => Problem::Pattern,
        ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MinItems { .. } => {
            Problem::Empty
        }
        ValidationErrorKind::MaxLength { limit } => Problem::TooLong { limit: *limit },
        ValidationErrorKind::Enum { options } => {
            let words = options.as_array().into_iter().flatten().filter_map(Json::as_str);
            Problem::NotOneOf { allowed: words.map(str::to_owned).collect() }
        }
        ValidationErrorKind::FalseSchema => Problem::NotAllowedHere,
        ValidationErrorKind::UniqueItems => Problem::Repeated,
        other => Problem::Other { keyword: other.keyword().to_owned() },
    }
}

/// The keys that the schema knows at `place`.
fn keys_at(schema: &Json, place: &str) -> Vec<String> {
    let properties = schema.pointer(place).and_then(|here| here.get("properties"));
    properties.and_then(Json::as_object).into_iter().flat_map(|map| map.keys().cloned()).collect()
}

/// `form: x` is one mistake, not a missing `from` and an unknown `form`.
fn join_misspelt_keys(faults: &mut Vec<Fault>) {
    let mut joined = Vec::new();
    for i in 0..faults.len() {
        let Problem::MissingKey { key: missing, .. } = &faults[i].problem else { continue };
        let beside = faults.iter().enumerate().filter(|(_, f)| f.node == faults[i].node);
        let unknown: Vec<(usize, &str, NodeId)> = beside
            .filter_map(|(at, f)| match &f.problem {
                Problem::UnknownKey { key, key_node, .. } if !joined.contains(&at) => {
                    Some((at, key.as_str(), *key_node))
                }
                _ => None,
            })
            .collect();
        let like = |(_, key, _): &&(usize, &str, NodeId)| closest(missing, [*key]).is_some();
        if let Some((at, _, node)) = unknown.iter().find(like).copied() {
            joined.push(at);
            if let Problem::MissingKey { lookalike, .. } = &mut faults[i].problem {
                *lookalike = Some(node);
            }
        }
    }
    let mut at = 0;
    faults.retain(|_| {
        at += 1;
        !joined.contains(&(at - 1))
    });
}
