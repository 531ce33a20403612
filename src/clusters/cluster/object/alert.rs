//! Alerts, as Prometheus lists them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::or_default;

/// An alert of `/api/v1/alerts`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    /// Its labels, such as `alertname` and `severity`.
    #[serde(default, deserialize_with = "or_default")]
    pub labels: BTreeMap<String, String>,
    /// Its texts, such as `summary` and `runbook_url`.
    #[serde(default, deserialize_with = "or_default")]
    pub annotations: BTreeMap<String, String>,
    /// `firing`, `pending`, or a similar word.
    #[serde(default, deserialize_with = "or_default")]
    pub state: String,
    /// The time since when it is active.
    #[serde(default, deserialize_with = "or_default")]
    pub active_at: String,
}

impl Alert {
    /// The value of a label. Empty if there is no such label.
    pub fn label(&self, name: &str) -> &str {
        self.labels.get(name).map_or("", String::as_str)
    }

    /// The value of an annotation. Empty if there is no such annotation.
    pub fn annotation(&self, name: &str) -> &str {
        self.annotations.get(name).map_or("", String::as_str)
    }
}
