//! The forms that nearly all files have. The faults of such a file are known, so its schema does
//! not have to be compiled for it, which takes longer than reading all files of a repository.
//!
//! A schema decides about every other file. The test `plain_forms` compares these forms with the
//! schemas.

use crate::domain::{FastHash, HashSet, version};
use crate::yaml::{Document, MappingEntry, NodeId, Value, ValueKind};

use super::fault::{Fault, Problem};

/// Whether a node certainly has no fault, except possibly versions that are listed twice.
type Form = fn(&Document, NodeId) -> bool;

/// A mapping with these keys only, each once.
struct Keys {
    required: &'static [(&'static str, Form)],
    optional: &'static [(&'static str, Form)],
}

pub(super) fn block(document: &Document) -> Option<Vec<Fault>> {
    faultless(is_block(document))
}

pub(super) fn block_or_risk(document: &Document) -> Option<Vec<Fault>> {
    let risk = Keys {
        required: &[
            ("to", is_version),
            ("from", is_text),
            ("url", is_page),
            ("name", is_risk_name),
            ("message", is_text),
            ("matchingRules", are_rules),
        ],
        optional: &[("fixedIn", is_version), ("autoExtend", is_text)],
    };
    faultless(is_block(document) || risk.are_those_of(document, document.root()))
}

/// A channel, which may list versions twice.
pub(super) fn channel(document: &Document) -> Option<Vec<Fault>> {
    let keys = Keys {
        required: &[("name", is_text), ("versions", are_versions)],
        optional: &[
            ("description", is_text),
            ("feeder", is_feeder),
            ("tombstones", are_different_versions),
        ],
    };
    if !keys.are_those_of(document, document.root()) {
        return None;
    }
    let versions = document.top("versions")?;
    let repeated = || Fault {
        node: versions,
        pointer: "/versions".to_owned(),
        part: "versions".to_owned(),
        problem: Problem::Repeated,
    };
    Some(if are_different(document, versions) { Vec::new() } else { vec![repeated()] })
}

pub(super) fn build_suggestions(document: &Document) -> Option<Vec<Fault>> {
    let keys = Keys {
        required: &[("default", are_ranges)],
        optional: &[
            ("amd64", are_ranges),
            ("arm64", are_ranges),
            ("multi", are_ranges),
            ("ppc64le", are_ranges),
            ("s390x", are_ranges),
        ],
    };
    faultless(keys.are_those_of(document, document.root()))
}

/// Releases with metadata.
pub(super) fn raw_metadata(document: &Document) -> Option<Vec<Fault>> {
    let Value::Mapping(entries) = document.node(document.root()).value else { return None };
    let releases = document.entries_of(entries);
    let is_distinct = || document.duplicate_keys().next().is_none();
    faultless(releases.iter().all(|entry| is_release(document, *entry)) && is_distinct())
}

/// Whether it is a version with metadata.
fn is_release(document: &Document, entry: MappingEntry) -> bool {
    is_version(document, entry.key)
        && matches!(document.node(entry.value).value, Value::Mapping(_))
        && document.entries(entry.value).iter().all(|one| is_metadata(document, *one))
}

fn faultless(has_form: bool) -> Option<Vec<Fault>> {
    has_form.then(Vec::new)
}

fn is_block(document: &Document) -> bool {
    let keys = Keys { required: &[("to", is_version), ("from", is_text)], optional: &[] };
    keys.are_those_of(document, document.root())
}

/// Whether an entry is a known key with a list of versions.
fn is_metadata(document: &Document, entry: MappingEntry) -> bool {
    let is_text = is_text(document, entry.key) && is_text(document, entry.value);
    let versions = scalar(document, entry.value).map(|text| text.split(','));
    is_text && versions.is_some_and(|mut versions| versions.all(version::is_valid))
}

impl Keys {
    fn are_those_of(&self, document: &Document, node: NodeId) -> bool {
        let Value::Mapping(entries) = document.node(node).value else { return false };
        let mut seen = 0_u32;
        let mut next = 0;
        let is_known = |entry: &MappingEntry| {
            // Most files have the keys in this order.
            let at = scalar(document, entry.key).and_then(|name| self.place(name, next));
            at.is_some_and(|at| {
                let is_first = seen >> at & 1 == 0;
                seen |= 1 << at;
                next = at + 1;
                is_first && (self.get(at).1)(document, entry.value)
            })
        };
        let all_required = (1 << self.required.len()) - 1;
        document.entries_of(entries).iter().all(is_known) && seen & all_required == all_required
    }

    /// The index of a key. The search begins at an index.
    fn place(&self, name: &str, from: usize) -> Option<usize> {
        let count = self.required.len() + self.optional.len();
        let mut places = (from..count).chain(0..from.min(count));
        places.find(|place| self.get(*place).0 == name)
    }

    fn get(&self, place: usize) -> &(&'static str, Form) {
        match place.checked_sub(self.required.len()) {
            None => &self.required[place],
            Some(place) => &self.optional[place],
        }
    }
}

/// The text of a scalar that is not an alias.
fn scalar(document: &Document, node: NodeId) -> Option<&str> {
    match &document.node(node).value {
        Value::Scalar(scalar) => Some(document.text_of(*scalar)),
        _ => None,
    }
}

fn is_text(document: &Document, node: NodeId) -> bool {
    let is_empty = scalar(document, node).is_none_or(str::is_empty);
    !is_empty && document.kind(node) == ValueKind::Text
}

/// Whether a node is a version. No version is a number or another type.
fn is_version(document: &Document, node: NodeId) -> bool {
    scalar(document, node).is_some_and(version::is_valid)
}

/// Whether a node is a list of versions, which may be empty.
fn are_versions(document: &Document, node: NodeId) -> bool {
    let Value::Sequence(items) = document.node(node).value else { return false };
    document.items_of(items).iter().all(|item| is_version(document, *item))
}

fn are_different_versions(document: &Document, node: NodeId) -> bool {
    are_versions(document, node) && are_different(document, node)
}

/// Whether all items of a list of scalars are different.
fn are_different(document: &Document, node: NodeId) -> bool {
    let items = document.items(node);
    let mut seen = HashSet::with_capacity_and_hasher(items.len(), FastHash::default());
    items.iter().all(|item| scalar(document, *item).is_some_and(|text| seen.insert(text)))
}

fn are_rules(document: &Document, node: NodeId) -> bool {
    let Value::Sequence(items) = document.node(node).value else { return false };
    let items = document.items_of(items);
    !items.is_empty() && items.iter().all(|item| is_rule(document, *item))
}

fn is_page(document: &Document, node: NodeId) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/?#=&+:".contains(&byte);
    let page = scalar(document, node).and_then(|text| text.strip_prefix("https://"));
    page.and_then(|page| page.split_once('/')).is_some_and(|(host, path)| {
        !host.is_empty()
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-')
            && path.bytes().all(is_plain)
            && path.starts_with(|first: char| first.is_ascii_alphanumeric())
    })
}

fn is_risk_name(document: &Document, node: NodeId) -> bool {
    scalar(document, node).is_some_and(|name| {
        name.len() <= 256
            && name.starts_with(|first: char| first.is_ascii_uppercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }) && is_text(document, node)
}

fn is_rule(document: &Document, node: NodeId) -> bool {
    let always = Keys {
        required: &[("type", |document, node| is(document, node, "Always"))],
        optional: &[],
    };
    let query = Keys {
        required: &[
            ("type", |document, node| is(document, node, "PromQL")),
            ("promql", |document, node| {
                let keys = Keys { required: &[("promql", is_query)], optional: &[] };
                keys.are_those_of(document, node)
            }),
        ],
        optional: &[],
    };
    always.are_those_of(document, node) || query.are_those_of(document, node)
}

fn is_query(document: &Document, node: NodeId) -> bool {
    let has_visible = |text: &str| text.bytes().any(|byte| byte.is_ascii_graphic());
    is_text(document, node) && scalar(document, node).is_some_and(has_visible)
}

fn is_feeder(document: &Document, node: NodeId) -> bool {
    let keys = Keys {
        required: &[("name", is_text)],
        optional: &[
            ("filter", is_text),
            ("delay", is_delay),
            ("errata", |document, node| is(document, node, "public")),
        ],
    };
    keys.are_those_of(document, node)
}

/// Whether a node is a number of whole hours, days, or weeks.
fn is_delay(document: &Document, node: NodeId) -> bool {
    let delay = scalar(document, node);
    let hours = delay.and_then(|delay| delay.strip_prefix("PT")?.strip_suffix('H'));
    let days = delay.and_then(|delay| delay.strip_prefix('P')?.strip_suffix(['D', 'W']));
    hours.or(days).is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn are_ranges(document: &Document, node: NodeId) -> bool {
    let keys = Keys {
        required: &[
            ("minor_min", is_version),
            ("minor_max", is_version),
            ("minor_block_list", are_different_versions),
            ("z_min", is_version),
            ("z_max", is_version),
            ("z_block_list", are_different_versions),
        ],
        optional: &[],
    };
    keys.are_those_of(document, node)
}

/// Whether a node is exactly this text.
fn is(document: &Document, node: NodeId, text: &str) -> bool {
    scalar(document, node) == Some(text) && document.kind(node) == ValueKind::Text
}
