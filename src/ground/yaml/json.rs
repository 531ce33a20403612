//! A document as a JSON value, for schemas.

use serde_json::{Map, Number, Value as Json};

use super::{Document, NodeId, Style, Value, ValueKind};

/// The aliases of a document expand to too many nodes, or refer to themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpansionLimit;

/// The most nodes that aliases can add to a document.
const ALIASED_NODES: usize = 10_000;
const DEPTH: usize = 256;

impl Document {
    /// Converts to JSON, with the types of a YAML reader without a schema. An empty document is
    /// null.
    pub fn to_json(&self) -> Result<Json, ExpansionLimit> {
        let mut budget = self.nodes.len() + ALIASED_NODES;
        self.json_of(self.root, &mut budget, 0)
    }

    fn json_of(
        &self,
        id: NodeId,
        budget: &mut usize,
        depth: usize,
    ) -> Result<Json, ExpansionLimit> {
        *budget = budget.checked_sub(1).ok_or(ExpansionLimit)?;
        if depth > DEPTH {
            return Err(ExpansionLimit);
        }
        let node = self.node(id);
        Ok(match &node.value {
            Value::Scalar(scalar) => {
                scalar_json(self.text_of(*scalar), scalar.style, node.tagged_text)
            }
            Value::Sequence(items) => Json::Array(
                self.items_of(*items)
                    .iter()
                    .map(|item| self.json_of(*item, budget, depth + 1))
                    .collect::<Result<_, _>>()?,
            ),
            Value::Mapping(entries) => {
                let mut map = Map::new();
                for entry in self.entries_of(*entries) {
                    let text = self.text(entry.key);
                    if text.is_none() {
                        // The key is not in the result, but comparing keys walks it, so it counts.
                        self.json_of(entry.key, budget, depth + 1)?;
                    }
                    let key = text.unwrap_or_default().to_owned();
                    map.insert(key, self.json_of(entry.value, budget, depth + 1)?);
                }
                Json::Object(map)
            }
            Value::Alias(Some(target)) => self.json_of(*target, budget, depth + 1)?,
            Value::Alias(None) => return Err(ExpansionLimit),
        })
    }

    /// The node at a JSON pointer, or the last node on the path there that exists.
    pub fn at_pointer(&self, pointer: &str) -> NodeId {
        let mut id = self.root;
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let Some(next) = (match &self.resolved(id).value {
                Value::Mapping(_) => self.get(id, &step),
                Value::Sequence(items) => {
                    step.parse().ok().and_then(|i: usize| self.items_of(*items).get(i).copied())
                }
                _ => None,
            }) else {
                return id;
            };
            id = next;
        }
        id
    }
}

fn scalar_json(text: &str, style: Style, tagged_text: bool) -> Json {
    match scalar_kind(text, style, tagged_text) {
        ValueKind::Null => Json::Null,
        ValueKind::Boolean => {
            Json::Bool(["true", "yes", "on"].iter().any(|word| text.eq_ignore_ascii_case(word)))
        }
        ValueKind::Number => {
            number(text).map_or_else(|| Json::String(text.to_owned()), Json::Number)
        }
        _ => Json::String(text.to_owned()),
    }
}

pub(super) fn scalar_kind(text: &str, style: Style, tagged_text: bool) -> ValueKind {
    if style != Style::Plain || tagged_text {
        return ValueKind::Text;
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => ValueKind::Null,
        // `yes` and the like are text in YAML 1.2, but the maintainers' scripts read YAML 1.1.
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "false"
        | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => ValueKind::Boolean,
        text if number(text).is_some() => ValueKind::Number,
        _ => ValueKind::Text,
    }
}

/// A number of the core schema. Infinities and NaN, which JSON lacks, become 0.
fn number(text: &str) -> Option<Number> {
    let unsigned = text.trim_start_matches(['-', '+']);
    if text.len() > unsigned.len() + 1
        || !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
    {
        return None;
    }
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(0.into());
    }
    let radix =
        |prefix, radix| text.strip_prefix(prefix).and_then(|d| u64::from_str_radix(d, radix).ok());
    if let Some(value) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(value.into());
    }
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let value = text.strip_prefix('+').unwrap_or(text);
    if !plain || !unsigned.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    value.parse::<i64>().map(Number::from).ok().or_else(|| {
        value.parse::<f64>().ok().map(|f| Number::from_f64(f).unwrap_or_else(|| 0.into()))
    })
}
