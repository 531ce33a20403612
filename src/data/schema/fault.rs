//! What a schema finds wrong in a document, and at which nodes.

use jsonschema::error::ValidationErrorKind;
use serde_json::Value as Json;

use crate::domain::HashMap;
use crate::yaml::{Document, MappingEntry, NodeId};

use crate::text::closest;

use super::Schema;

/// The most errors to read from one file. A file with more is not real data.
const MAX_FAULTS: usize = 10_000;

/// One error that a schema finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The invalid value. For a missing key, the mapping that lacks it.
    pub node: NodeId,
    /// The path of the value as a JSON pointer.
    pub pointer: String,
    /// Which part of the schema the value belongs to: the last `$defs` entry, or the name of the
    /// property.
    pub part: String,
    pub problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    UnknownKey {
        key: String,
        key_node: NodeId,
        /// A known key with a similar name.
        meant: Option<String>,
        /// All keys that are allowed here.
        known: Vec<String>,
    },
    MissingKeys {
        keys: Vec<String>,
        /// For a single key: a similar unknown key in the same mapping.
        lookalike: Option<NodeId>,
    },
    Type,
    /// Text that does not match the schema's pattern.
    Pattern,
    /// Empty text, or an empty list.
    Empty,
    TooLong {
        /// The limit in characters.
        limit: u64,
    },
    NotOneOf,
    /// A known key in the wrong place.
    NotAllowedHere,
    Repeated,
    Other {
        keyword: String,
    },
}

/// What `schema` finds wrong in `document`. `json` is the same document as JSON.
pub fn faults(schema: &Schema, document: &Document, json: &Json) -> Vec<Fault> {
    let validator = schema.validator();
    if validator.is_valid(json) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for error in validator.iter_errors(json).take(MAX_FAULTS) {
        let pointer = error.instance_path().as_str();
        let place = error.schema_path().as_str();
        let node = document.at_pointer(pointer);
        if let ValidationErrorKind::PropertyNames { error } = error.kind() {
            // For this error, the instance is the key.
            let key = error.instance().as_str().unwrap_or_default();
            let node = document.entry(node, key).map_or(node, |entry| entry.key);
            let place = error.schema_path().as_str();
            faults.push(fault(node, pointer, place, problem_of(error.kind())));
        } else if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
            let known = keys_at(schema.json(), place.trim_end_matches("/additionalProperties"));
            // A branch of the schema has only the keys that it allows. The top level has all keys.
            let at_the_top =
                if pointer.is_empty() { keys_at(schema.json(), "") } else { Vec::new() };
            let entries = document.entries(node);
            // Keys that are not text have an empty name.
            let name = |entry: &MappingEntry| document.text(entry.key).unwrap_or_default();
            let written: HashMap<&str, NodeId> = entries.iter().map(|e| (name(e), e.key)).collect();
            for key in unexpected.iter().take(MAX_FAULTS) {
                let Some(key_node) = written.get(key.as_str()).copied() else { continue };
                // Suggest only keys that the mapping does not have yet.
                let candidates = known.iter().chain(&at_the_top).map(String::as_str);
                let free = candidates.filter(|candidate| !written.contains_key(candidate));
                let meant = closest(key, free).map(str::to_owned);
                let (key, known) = (key.clone(), known.clone());
                faults.push(fault(
                    node,
                    pointer,
                    place,
                    Problem::UnknownKey { key, key_node, meant, known },
                ));
            }
        } else {
            faults.push(fault(node, pointer, place, problem_of(error.kind())));
        }
    }
    join_misspelled_keys(&mut faults);
    join_missing_keys(&mut faults);
    faults
}

fn fault(node: NodeId, pointer: &str, place: &str, problem: Problem) -> Fault {
    Fault { node, pointer: pointer.to_owned(), part: part_of(place), problem }
}

/// For example, the part of `/$defs/rule/allOf/0/then/required` is `rule`, and that of
/// `/properties/name/type` is `name`.
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
            Problem::MissingKeys { keys: vec![key], lookalike: None }
        }
        ValidationErrorKind::Type { .. } => Problem::Type,
        ValidationErrorKind::Pattern { .. } => Problem::Pattern,
        ValidationErrorKind::MinLength { .. } | ValidationErrorKind::MinItems { .. } => {
            Problem::Empty
        }
        ValidationErrorKind::MaxLength { limit } => Problem::TooLong { limit: *limit },
        ValidationErrorKind::Enum { .. } => Problem::NotOneOf,
        ValidationErrorKind::FalseSchema => Problem::NotAllowedHere,
        ValidationErrorKind::UniqueItems => Problem::Repeated,
        other => Problem::Other { keyword: other.keyword().to_owned() },
    }
}

fn keys_at(schema: &Json, place: &str) -> Vec<String> {
    let properties = schema.pointer(place).and_then(|here| here.get("properties"));
    properties.and_then(Json::as_object).into_iter().flat_map(|map| map.keys().cloned()).collect()
}

/// `form: x` is one mistake, not a missing `from` and an unknown `form`. If two unknown keys are
/// similar to one known key, only the first gets the suggestion.
fn join_misspelled_keys(faults: &mut Vec<Fault>) {
    let mut joined: Vec<usize> = Vec::new();
    let mut taken: Vec<(NodeId, String)> = Vec::new();
    for i in 0..faults.len() {
        let Problem::MissingKeys { keys, .. } = &faults[i].problem else { continue };
        let (here, missing) = (faults[i].node, keys[0].clone());
        let like = |(at, fault): (usize, &Fault)| match &fault.problem {
            Problem::UnknownKey { key, key_node, .. }
                if fault.node == here
                    && !joined.contains(&at)
                    && closest(&missing, [key.as_str()]).is_some() =>
            {
                Some((at, *key_node))
            }
            _ => None,
        };
        if let Some((at, node)) = faults.iter().enumerate().find_map(like) {
            joined.push(at);
            taken.push((here, missing));
            if let Problem::MissingKeys { lookalike, .. } = &mut faults[i].problem {
                *lookalike = Some(node);
            }
        }
    }
    let mut at = 0;
    faults.retain(|_| {
        at += 1;
        !joined.contains(&(at - 1))
    });
    for fault in faults {
        if let Problem::UnknownKey { meant, .. } = &mut fault.problem
            && let Some(wanted) = meant.clone()
        {
            let claim = (fault.node, wanted);
            if taken.contains(&claim) {
                *meant = None;
            } else {
                taken.push(claim);
            }
        }
    }
}

/// A mapping without three keys has one fault, not three.
fn join_missing_keys(faults: &mut Vec<Fault>) {
    let mut joined: Vec<Fault> = Vec::new();
    for fault in faults.drain(..) {
        let Problem::MissingKeys { keys, lookalike: None } = &fault.problem else {
            joined.push(fault);
            continue;
        };
        let same = joined.iter_mut().find_map(|earlier| match &mut earlier.problem {
            Problem::MissingKeys { keys, lookalike: None } if earlier.node == fault.node => {
                Some(keys)
            }
            _ => None,
        });
        match same {
            Some(earlier) => earlier.extend(keys.iter().cloned()),
            None => joined.push(fault),
        }
    }
    *faults = joined;
}
