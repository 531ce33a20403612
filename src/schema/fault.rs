//! A schema's objections, tied to the nodes they are about.

use std::collections::HashMap;

use jsonschema::error::ValidationErrorKind;
use serde_json::Value as Json;

use crate::yaml::{Document, MappingEntry, NodeId};

use crate::text::closest;

use super::Schema;

/// How many objections to one file are looked at. A file with more is not data.
const MOST: usize = 10_000;

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
    /// Required keys that are not there.
    MissingKeys {
        /// The keys.
        keys: Vec<String>,
        /// For a single key: an unknown one beside it that was probably meant.
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
    NotOneOf,
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
pub(crate) fn faults(schema: &Schema, document: &Document, json: &Json) -> Vec<Fault> {
    let validator = schema.validator();
    if validator.is_valid(json) {
        return Vec::new();
    }
    let mut faults = Vec::new();
    for error in validator.iter_errors(json).take(MOST) {
        let pointer = error.instance_path().as_str();
        let place = error.schema_path().as_str();
        let node = document.at_pointer(pointer);
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
            let entries = document.entries(node);
            // A key that is no text at all goes by the empty name.
            let name = |entry: &MappingEntry| document.text(entry.key).unwrap_or_default();
            let written: HashMap<&str, NodeId> = entries.iter().map(|e| (name(e), e.key)).collect();
            for key in unexpected.iter().take(MOST) {
                let Some(key_node) = written.get(key.as_str()).copied() else { continue };
                // What stands there already cannot have been meant.
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
    join_misspelt_keys(&mut faults);
    join_missing_keys(&mut faults);
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

/// The keys that the schema knows at `place`.
fn keys_at(schema: &Json, place: &str) -> Vec<String> {
    let properties = schema.pointer(place).and_then(|here| here.get("properties"));
    properties.and_then(Json::as_object).into_iter().flat_map(|map| map.keys().cloned()).collect()
}

/// `form: x` is one mistake, not a missing `from` and an unknown `form`. And of
/// two keys that could both be meant for one, nobody knows which was.
fn join_misspelt_keys(faults: &mut Vec<Fault>) {
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

/// A mapping that lacks three keys has one fault, not three.
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
