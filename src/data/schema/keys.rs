//! What a schema says about the keys of a mapping, for people who write one.

use serde_json::Value;

use super::Schema;

/// A key of a mapping.
#[derive(Clone, Debug)]
pub(crate) struct Key<'s> {
    pub name: &'s str,
    /// Its description, or else its title.
    pub about: &'s str,
    /// The values that it can have, if they are listed.
    pub values: Vec<&'s str>,
    /// Whether its value is a mapping or a list.
    pub is_nested: bool,
}

/// References that lead to references end here, so that no schema can cause an endless search.
const MOST_REFERENCES: usize = 16;

impl Schema {
    /// The keys of the mapping below these keys. Items of lists have the keys of their list.
    pub(crate) fn keys(&self, path: &[&str]) -> Vec<Key<'_>> {
        let mut place = self.json();
        for key in path {
            let Some(next) = self.property(place, key) else { return Vec::new() };
            place = next;
        }
        let Some(properties) = self.properties(place) else { return Vec::new() };
        let keys = properties.iter().map(|(name, value)| self.key(name, value));
        keys.collect()
    }

    /// The definition of a key. Where a condition decides about it, the one with a reference.
    fn property<'s>(&'s self, place: &'s Value, key: &str) -> Option<&'s Value> {
        let mut definitions = Vec::new();
        self.collect(self.items(place), key, MOST_REFERENCES, &mut definitions);
        let detailed = definitions.iter().find(|definition| definition.get("$ref").is_some());
        detailed.or(definitions.first()).copied()
    }

    fn collect<'s>(
        &'s self,
        place: &'s Value,
        key: &str,
        depth: usize,
        found: &mut Vec<&'s Value>,
    ) {
        found.extend(place.get("properties").and_then(|properties| properties.get(key)));
        if depth == 0 {
            return;
        }
        let all = place.get("allOf").and_then(Value::as_array).into_iter().flatten();
        for part in all.chain(place.get("then")).chain(place.get("else")) {
            self.collect(self.resolved(part), key, depth - 1, found);
        }
    }

    /// The properties of a mapping, or of the items of a list.
    fn properties<'s>(&'s self, place: &'s Value) -> Option<&'s serde_json::Map<String, Value>> {
        self.items(place).get("properties")?.as_object()
    }

    /// The definition of a list's items, or that of a value that is no list.
    fn items<'s>(&'s self, place: &'s Value) -> &'s Value {
        let place = self.resolved(place);
        place.get("items").map_or(place, |items| self.resolved(items))
    }

    /// Follows references.
    fn resolved<'s>(&'s self, mut place: &'s Value) -> &'s Value {
        for _ in 0..MOST_REFERENCES {
            let reference = place.get("$ref").and_then(Value::as_str);
            let target = reference.and_then(|reference| reference.strip_prefix('#'));
            let Some(target) = target.and_then(|target| self.json().pointer(target)) else { break };
            place = target;
        }
        place
    }

    fn key<'s>(&'s self, name: &'s str, value: &'s Value) -> Key<'s> {
        let definition = self.resolved(value);
        let text = |key| value.get(key).or_else(|| definition.get(key)).and_then(Value::as_str);
        let values = definition.get("enum").and_then(Value::as_array);
        let is_nested = self.properties(value).is_some()
            || definition.get("type").is_some_and(|kind| kind == "array");
        Key {
            name,
            about: text("description").or_else(|| text("title")).unwrap_or_default(),
            values: values.into_iter().flatten().filter_map(Value::as_str).collect(),
            is_nested,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BLOCKED_EDGES_1_1, CHANNEL, RISK_TEST};

    #[test]
    fn keys_below_lists_and_references_are_found() {
        let names = |schema: &'static super::Schema, path: &[&str]| -> Vec<&str> {
            schema.keys(path).iter().map(|key| key.name).collect()
        };
        assert!(names(&BLOCKED_EDGES_1_1, &[]).contains(&"matchingRules"));
        assert_eq!(names(&BLOCKED_EDGES_1_1, &["matchingRules", "promql"]), ["promql"]);
        assert!(names(&CHANNEL, &["feeder"]).contains(&"delay"));
        assert!(names(&RISK_TEST, &["tests"]).contains(&"cluster"));
        assert!(names(&CHANNEL, &["no", "such"]).is_empty());
        let types = BLOCKED_EDGES_1_1.keys(&["matchingRules"]);
        let types = types.iter().find(|key| key.name == "type");
        assert_eq!(types.map(|key| key.values.clone()), Some(vec!["Always", "PromQL"]));
    }
}
