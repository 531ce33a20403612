//! A value of a document as opm sees it: YAML 1.1 turned into JSON.

use std::ops::Range;

use serde_json::{Map, Number, Value as Json};

use crate::go::{self, Scalar};
use crate::yaml::{self, Document, NodeId, Style};

use super::stream::Syntax;

/// A value with its place.
#[derive(Clone, Copy)]
pub(super) struct PlacedValue<'d> {
    document: &'d Document,
    id: NodeId,
    syntax: Syntax,
}

pub(super) enum JsonKind<'d> {
    Null,
    Boolean,
    Number,
    Text(&'d str),
    List,
    Mapping,
}

/// A key of a mapping and its value.
pub(super) struct Field<'d> {
    pub key: String,
    pub key_range: Range<usize>,
    pub value: PlacedValue<'d>,
}

/// The most values that aliases can add to a document.
const MOST_ALIASED: usize = 100_000;
const DEEPEST: usize = 256;

impl<'d> PlacedValue<'d> {
    pub(super) fn root(document: &'d Document, syntax: Syntax) -> Self {
        Self { document, id: document.root(), syntax }
    }

    fn at(self, id: NodeId) -> Self {
        Self { id, ..self }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.document.node(self.id).range()
    }

    /// The place to report if the value lacks something: its first key or item.
    pub(super) fn beginning(self) -> Range<usize> {
        let first = match self.kind() {
            JsonKind::Mapping => self.document.entries(self.id).first().map(|entry| entry.key),
            _ => None,
        };
        match (first, self.items().next()) {
            (Some(key), _) => self.at(key).range(),
            (None, Some(item)) => item.range(),
            (None, None) => self.range(),
        }
    }

    pub(super) fn kind(self) -> JsonKind<'d> {
        match &self.document.resolved(self.id).value {
            yaml::Value::Sequence(_) => JsonKind::List,
            yaml::Value::Mapping(_) => JsonKind::Mapping,
            yaml::Value::Alias(_) => JsonKind::Null,
            yaml::Value::Scalar(scalar) => match self.scalar() {
                Scalar::Null => JsonKind::Null,
                Scalar::Boolean(_) => JsonKind::Boolean,
                Scalar::Integer(_) | Scalar::Float(_) => JsonKind::Number,
                Scalar::Text => JsonKind::Text(self.document.text_of(*scalar)),
            },
        }
    }

    fn scalar(self) -> Scalar {
        let node = self.document.resolved(self.id);
        match &node.value {
            yaml::Value::Scalar(scalar)
                if scalar.style == Style::Plain && !node.is_tagged_text() =>
            {
                go::resolved(self.document.text_of(*scalar))
            }
            _ => Scalar::Text,
        }
    }

    pub(super) fn items(self) -> impl Iterator<Item = Self> {
        self.document.items(self.id).iter().map(move |item| self.at(*item))
    }

    /// The fields in the order in which Go's decoder sees them. opm sorts those of YAML. The last
    /// of repeated keys counts, and merged keys come first.
    pub(super) fn fields(self) -> Vec<Field<'d>> {
        let mut fields = Vec::new();
        let mut merges = MOST_ALIASED;
        self.collect(&mut fields, &mut merges, 0);
        if self.syntax == Syntax::Json {
            return fields;
        }
        // The sort is stable, so the last of repeated keys comes first among equals.
        fields.reverse();
        fields.sort_by(|a, b| a.key.cmp(&b.key));
        fields.dedup_by(|later, first| later.key == first.key);
        fields
    }

    /// Whether it is the key `<<`, which merges mappings.
    fn is_merge(self) -> bool {
        self.syntax == Syntax::Yaml
            && matches!(self.kind(), JsonKind::Text("<<"))
            && self.document.node(self.id).is_plain()
    }

    fn collect(self, fields: &mut Vec<Field<'d>>, merges: &mut usize, depth: usize) {
        let entries = self.document.entries(self.id);
        for entry in entries.iter().filter(|entry| self.at(entry.key).is_merge()) {
            let source = self.at(entry.value);
            let all: Vec<Self> = match source.kind() {
                JsonKind::Mapping => vec![source],
                _ => source.items().collect(),
            };
            // The first of several merged mappings counts.
            for mapping in all.into_iter().rev().filter(|_| depth < 8) {
                let size = 1 + self.document.entries(mapping.id).len();
                let Some(left) = merges.checked_sub(size) else { return };
                *merges = left;
                mapping.collect(fields, merges, depth + 1);
            }
        }
        for entry in entries {
            let key = self.at(entry.key);
            if !key.is_merge() {
                let value = self.at(entry.value);
                fields.push(Field { key: key.as_key(), key_range: key.range(), value });
            }
        }
    }

    fn as_key(self) -> String {
        match self.scalar() {
            Scalar::Boolean(value) => value.to_string(),
            Scalar::Integer(value) => value.to_string(),
            Scalar::Float(value) => go::json_number(value),
            Scalar::Null => "null".to_owned(),
            Scalar::Text => self.document.text(self.id).unwrap_or_default().to_owned(),
        }
    }

    /// The first key of any mapping that is itself a list or a mapping.
    pub(super) fn first_complex_key(self) -> Option<Self> {
        let keys = self.document.nodes().filter_map(|(_, node)| match &node.value {
            yaml::Value::Mapping(entries) => {
                Some(self.document.entries_of(*entries).iter().map(|entry| self.at(entry.key)))
            }
            _ => None,
        });
        keys.flatten().find(|key| matches!(key.kind(), JsonKind::List | JsonKind::Mapping))
    }

    /// The places of keys that repeat an earlier key of their mapping.
    pub(super) fn repeated_keys(self) -> Vec<Range<usize>> {
        let repeated = self.document.duplicate_keys();
        repeated.map(|(later, _)| self.at(later).range()).collect()
    }

    /// Whether aliases make the document too large.
    pub(super) fn is_too_large(self) -> bool {
        let is_alias = |node: &yaml::Node| matches!(node.value, yaml::Value::Alias(_));
        self.document.nodes().any(|(_, node)| is_alias(node)) && self.to_json().is_none()
    }

    /// The value as JSON. None if aliases make it too large.
    pub(super) fn to_json(self) -> Option<Json> {
        let mut left = self.document.nodes().len() + MOST_ALIASED;
        self.json(&mut left, 0)
    }

    fn json(self, left: &mut usize, depth: usize) -> Option<Json> {
        *left = left.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        Some(match self.kind() {
            JsonKind::Null => Json::Null,
            JsonKind::Text(text) => Json::String(text.to_owned()),
            JsonKind::Boolean => Json::Bool(self.scalar() == Scalar::Boolean(true)),
            JsonKind::Number => match self.scalar() {
                Scalar::Integer(value) => integer(value),
                Scalar::Float(value) => Number::from_f64(value).map_or(Json::Null, Json::Number),
                _ => Json::Null,
            },
            JsonKind::List => {
                let items = self.items().map(|item| item.json(left, depth + 1));
                Json::Array(items.collect::<Option<_>>()?)
            }
            JsonKind::Mapping => {
                let mut map = Map::new();
                for field in self.fields() {
                    map.insert(field.key, field.value.json(left, depth + 1)?);
                }
                Json::Object(map)
            }
        })
    }

    pub(super) fn word(self) -> &'static str {
        match self.kind() {
            JsonKind::Null => "null",
            JsonKind::Boolean => "bool",
            JsonKind::Number => "number",
            JsonKind::Text(_) => "string",
            JsonKind::List => "array",
            JsonKind::Mapping => "object",
        }
    }
}

fn integer(value: i128) -> Json {
    i64::try_from(value)
        .map(Json::from)
        .or_else(|_| u64::try_from(value).map(Json::from))
        .unwrap_or(Json::Null)
}
