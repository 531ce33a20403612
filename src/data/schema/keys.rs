//! What a schema says about the keys of a mapping, for people who write one.

use serde_json::Value;

use super::Schema;

/// A key of a mapping.
#[derive(Clone, Debug)]
pub(crate) struct SchemaKey<'s> {
    pub name: &'s str,
    /// Its description, or else its title.
    pub about: &'s str,
    /// The values that it can have, if they are listed.
    pub values: Vec<&'s str>,
    /// Whether its value is a mapping or a list.
    pub is_nested: bool,
}

/// The most references that are followed, so that no schema can cause an endless search.
const MOST_REFERENCES: usize = 16;

impl Schema {
    /// The keys of the mapping below these keys. Items of lists have the keys of their list.
    pub(crate) fn keys(&self, path: &[&str]) -> Vec<SchemaKey<'_>> {
        let mut place = self.json();
        for key in path {
            let Some(next) = self.property(place, key) else { return Vec::new() };
            place = next;
        }
        let Some(properties) = self.properties(place) else { return Vec::new() };
        let keys = properties.iter().map(|(name, value)| {
            let detailed = self.property(place, name).unwrap_or(value);
            self.key(name, value, detailed)
        });
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

    /// The definition of a list's items, or that of a value, if it is not a list.
    fn items<'s>(&'s self, place: &'s Value) -> &'s Value {
        let place = self.resolved(place);
        place.get("items").map_or(place, |items| self.resolved(items))
    }

    /// Follows references.
    fn resolved<'s>(&'s self, place: &'s Value) -> &'s Value {
        self.chain(place).last().unwrap_or(place)
    }

    /// A definition, and those that it refers to.
    fn chain<'s>(&'s self, place: &'s Value) -> impl Iterator<Item = &'s Value> {
        let next = |place: &&'s Value| {
            let reference = place.get("$ref")?.as_str()?;
            self.json().pointer(reference.strip_prefix('#')?)
        };
        std::iter::successors(Some(place), next).take(MOST_REFERENCES)
    }

    /// `value` is what the properties say of a key, and `detailed` what a condition says of it.
    fn key<'s>(&'s self, name: &'s str, value: &'s Value, detailed: &'s Value) -> SchemaKey<'s> {
        let both = || self.chain(value).chain(self.chain(detailed));
        let text = |key| both().find_map(|place| place.get(key)?.as_str());
        let definition = self.resolved(detailed);
        let values = definition.get("enum").and_then(Value::as_array);
        let is_nested = self.properties(detailed).is_some()
            || definition.get("type").is_some_and(|kind| kind == "array");
        SchemaKey {
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
        for (schema, path) in [(&BLOCKED_EDGES_1_1, &[][..]), (&CHANNEL, &["feeder"])] {
            let without = schema.keys(path).into_iter().find(|key| key.about.is_empty());
            assert_eq!(without.map(|key| key.name), None);
        }
        let rules = BLOCKED_EDGES_1_1.keys(&["matchingRules"]);
        assert!(rules.iter().any(|key| key.name == "promql" && key.is_nested));
        let types = BLOCKED_EDGES_1_1.keys(&["matchingRules"]);
        let types = types.iter().find(|key| key.name == "type");
        assert_eq!(types.map(|key| key.values.clone()), Some(vec!["Always", "PromQL"]));
    }
}
