//! Decodes an answer's JSON to the types that the operator expects, with its errors for other
//! types.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use super::super::object::{Condition, ObjectRisk, ObjectRule, PromQlRule, parse_version};
use super::{ConditionalEdges, Node, ServiceAnswer};
use crate::domain::Version;
use crate::go;

/// Remembers the first value of a wrong type. It is reported only after everything is read.
struct Decoder {
    error: Option<String>,
}

/// Where a value is: the operator's type that contains it, and the keys that lead to it.
#[derive(Clone, Copy)]
struct AnswerPlace<'a> {
    owner: &'a str,
    keys: &'a str,
}

pub(super) fn answer(json: &Json) -> Result<ServiceAnswer, go::Error> {
    let mut decoder = Decoder { error: None };
    let answer = decoder.answer(json);
    decoder.error.map_or(Ok(answer), |words| Err(words.into()))
}

impl Decoder {
    fn answer(&mut self, json: &Json) -> ServiceAnswer {
        let fields = match json {
            Json::Object(fields) => fields,
            Json::Null => return ServiceAnswer::default(),
            other => {
                let found = kind(other);
                self.save(format!(
                    "json: cannot unmarshal {found} into Go value of type cincinnati.graph"
                ));
                return ServiceAnswer::default();
            }
        };
        let place = |keys| AnswerPlace { owner: "graph", keys };
        let nodes = self.list(field(fields, "Nodes"), place("Nodes"), "[]cincinnati.node");
        let nodes = nodes.iter().map(|node| self.node(node)).collect();
        let edges = self.list(field(fields, "Edges"), place("Edges"), "[]cincinnati.edge");
        let edges = edges.iter().filter_map(|edge| self.edge(edge)).collect();
        let place = place("conditionalEdges");
        let groups = field(fields, "conditionalEdges");
        let groups = self.list(groups, place, "[]cincinnati.conditionalEdges");
        let conditional_edges = groups.iter().map(|group| self.group(group)).collect();
        ServiceAnswer { nodes, edges, conditional_edges }
    }

    fn node(&mut self, json: &Json) -> Node {
        let place = AnswerPlace { owner: "graph", keys: "Nodes" };
        let fields = self.fields(json, place, "cincinnati.node");
        let place = |keys| AnswerPlace { owner: "node", keys };
        let version = match field(fields, "version") {
            None => Version::new(0, 0, 0),
            Some(text) => {
                let text = self.text(Some(text), place("Nodes.version"));
                parse_version(&text).unwrap_or_else(|words| {
                    self.save(words.to_string());
                    Version::new(0, 0, 0)
                })
            }
        };
        let payload = self.text(field(fields, "payload"), place("Nodes.payload"));
        let metadata = match field(fields, "metadata") {
            Some(Json::Object(metadata)) => {
                metadata.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
            }
            None | Some(Json::Null) => BTreeMap::new(),
            Some(other) => {
                self.wrong(other, place("Nodes.metadata"), "map[string]interface {}");
                BTreeMap::new()
            }
        };
        Node { version, payload, metadata }
    }

    fn edge(&mut self, json: &Json) -> Option<(i64, i64)> {
        let place = AnswerPlace { owner: "graph", keys: "Edges" };
        let numbers = self.list(Some(json), place, "[]int");
        let mut fields = Vec::new();
        let found = numbers.len();
        for number in numbers {
            fields.push(match number {
                Json::Null => 0,
                Json::Number(written) => written.as_i64().unwrap_or_else(|| {
                    self.wrong_value(&format!("number {written}"), place, "int");
                    0
                }),
                other => {
                    self.wrong(other, place, "int");
                    0
                }
            });
        }
        if let [from, to] = fields[..] {
            return Some((from, to));
        }
        self.save(format!("expected 2 fields, found {found}"));
        None
    }

    fn group(&mut self, json: &Json) -> ConditionalEdges {
        let place = AnswerPlace { owner: "graph", keys: "conditionalEdges" };
        let fields = self.fields(json, place, "cincinnati.conditionalEdges");
        let place = |keys| AnswerPlace { owner: "conditionalEdges", keys };
        let edges = field(fields, "edges");
        let edges =
            self.list(edges, place("conditionalEdges.edges"), "[]cincinnati.conditionalEdge");
        let edges = edges.iter().map(|edge| self.conditional_edge(edge)).collect();
        let risks = match field(fields, "risks") {
            None | Some(Json::Null) => None,
            list => {
                let place = place("conditionalEdges.risks");
                let risks = self.list(list, place, "[]v1.ConditionalUpdateRisk");
                Some(risks.iter().map(|risk| self.risk(risk)).collect())
            }
        };
        ConditionalEdges { edges, risks }
    }

    fn conditional_edge(&mut self, json: &Json) -> (String, String) {
        let place = AnswerPlace { owner: "conditionalEdges", keys: "conditionalEdges.edges" };
        let fields = self.fields(json, place, "cincinnati.conditionalEdge");
        let place = |keys| AnswerPlace { owner: "conditionalEdge", keys };
        let from = self.text(field(fields, "from"), place("conditionalEdges.edges.from"));
        let to = self.text(field(fields, "to"), place("conditionalEdges.edges.to"));
        (from, to)
    }

    fn risk(&mut self, json: &Json) -> ObjectRisk {
        let place = AnswerPlace { owner: "conditionalEdges", keys: "conditionalEdges.risks" };
        let fields = self.fields(json, place, "v1.ConditionalUpdateRisk");
        let place = |keys| AnswerPlace { owner: "ConditionalUpdateRisk", keys };
        let rules = field(fields, "matchingRules");
        let at = place("conditionalEdges.risks.matchingRules");
        let rules = self.list(rules, at, "[]v1.ClusterCondition");
        let conditions = field(fields, "conditions");
        let at = place("conditionalEdges.risks.conditions");
        let conditions = self.list(conditions, at, "[]v1.Condition");
        ObjectRisk {
            url: self.text(field(fields, "url"), place("conditionalEdges.risks.url")),
            name: self.text(field(fields, "name"), place("conditionalEdges.risks.name")),
            message: self.text(field(fields, "message"), place("conditionalEdges.risks.message")),
            matching_rules: rules.iter().map(|rule| self.rule(rule)).collect(),
            conditions: conditions.iter().map(|one| self.condition(one)).collect(),
        }
    }

    fn rule(&mut self, json: &Json) -> ObjectRule {
        let keys = "conditionalEdges.risks.matchingRules";
        let place = AnswerPlace { owner: "ConditionalUpdateRisk", keys };
        let fields = self.fields(json, place, "v1.ClusterCondition");
        let place = |keys| AnswerPlace { owner: "ClusterCondition", keys };
        let at = place("conditionalEdges.risks.matchingRules.type");
        let kind = self.text(field(fields, "type"), at);
        let promql = field(fields, "promql").filter(|promql| !promql.is_null()).map(|promql| {
            let at = place("conditionalEdges.risks.matchingRules.promql");
            let fields = self.fields(promql, at, "v1.PromQLClusterCondition");
            let keys = "conditionalEdges.risks.matchingRules.promql.promql";
            let at = AnswerPlace { owner: "PromQLClusterCondition", keys };
            PromQlRule { promql: self.text(field(fields, "promql"), at) }
        });
        ObjectRule { kind, promql }
    }

    fn condition(&mut self, json: &Json) -> Condition {
        let keys = "conditionalEdges.risks.conditions";
        let place = AnswerPlace { owner: "ConditionalUpdateRisk", keys };
        let fields = self.fields(json, place, "v1.Condition");
        let mut text = |key: &str| {
            let keys = format!("conditionalEdges.risks.conditions.{key}");
            self.text(field(fields, key), AnswerPlace { owner: "Condition", keys: &keys })
        };
        Condition {
            kind: text("type"),
            status: text("status"),
            last_transition_time: text("lastTransitionTime"),
            reason: text("reason"),
            message: text("message"),
        }
    }

    fn fields<'a>(
        &mut self,
        json: &'a Json,
        place: AnswerPlace<'_>,
        expected: &str,
    ) -> &'a Map<String, Json> {
        static NONE: std::sync::LazyLock<Map<String, Json>> = std::sync::LazyLock::new(Map::new);
        match json {
            Json::Object(fields) => return fields,
            Json::Null => {}
            other => self.wrong(other, place, expected),
        }
        &NONE
    }

    fn list<'a>(
        &mut self,
        json: Option<&'a Json>,
        place: AnswerPlace<'_>,
        expected: &str,
    ) -> &'a [Json] {
        match json {
            Some(Json::Array(items)) => return items,
            None | Some(Json::Null) => {}
            Some(other) => self.wrong(other, place, expected),
        }
        &[]
    }

    fn text(&mut self, json: Option<&Json>, place: AnswerPlace<'_>) -> String {
        match json {
            Some(Json::String(text)) => return text.clone(),
            None | Some(Json::Null) => {}
            Some(other) => self.wrong(other, place, "string"),
        }
        String::new()
    }

    fn wrong(&mut self, found: &Json, place: AnswerPlace<'_>, expected: &str) {
        self.wrong_value(kind(found), place, expected);
    }

    fn wrong_value(&mut self, found: &str, place: AnswerPlace<'_>, expected: &str) {
        let AnswerPlace { owner, keys } = place;
        self.save(format!(
            "json: cannot unmarshal {found} into Go struct field {owner}.{keys} of type {expected}"
        ));
    }

    fn save(&mut self, words: String) {
        self.error.get_or_insert(words);
    }
}

/// The value of a key. The case of the key does not matter.
fn field<'a>(fields: &'a Map<String, Json>, key: &str) -> Option<&'a Json> {
    fields.get(key).or_else(|| {
        fields.iter().find(|(other, _)| other.eq_ignore_ascii_case(key)).map(|(_, value)| value)
    })
}

fn kind(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "bool",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}
