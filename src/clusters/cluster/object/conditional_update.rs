//! Updates with risks, as a cluster lists them.

use serde::{Deserialize, Serialize};

use super::{Condition, Release, or_default};

/// An update with risks, as a cluster lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConditionalUpdate {
    /// The target.
    pub release: Release,
    /// The names of its risks. Only operators that support accepted risks fill this list.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub risk_names: Vec<String>,
    /// Its risks. None if the list is null.
    #[serde(default)]
    pub risks: Option<Vec<ObjectRisk>>,
    /// Its conditions. Only `Recommended` matters here.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// A risk, as a cluster lists it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectRisk {
    /// Whether it applies. Only operators that support accepted risks fill this list.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// A page about it.
    #[serde(default, deserialize_with = "or_default")]
    pub url: String,
    /// Its name.
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    /// What it causes.
    #[serde(default, deserialize_with = "or_default")]
    pub message: String,
    /// Which clusters it affects.
    #[serde(default, deserialize_with = "or_default")]
    pub matching_rules: Vec<ObjectRule>,
}

/// An entry of `matchingRules`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectRule {
    /// `Always`, `PromQL`, or an invalid type.
    #[serde(rename = "type", default, deserialize_with = "or_default")]
    pub kind: String,
    /// The query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promql: Option<PromQlRule>,
}

/// The query of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromQlRule {
    /// Its text.
    #[serde(default, deserialize_with = "or_default")]
    pub promql: String,
}
