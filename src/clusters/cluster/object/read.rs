//! Reads the objects that the operator reads.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::{Alert, ClusterVersion};
use crate::objects::{self, text_at};
use crate::text::Failure;

/// An object `ClusterVersion`.
pub(crate) fn cluster_version(object: &Json) -> Result<ClusterVersion, Failure> {
    let (kind, api) = (text_at(object, "/kind"), text_at(object, "/apiVersion"));
    let fault = |what: &str, found: &str, key: &str, expected: &str| {
        let found = match found {
            "" => format!("it has no `{key}`"),
            found => format!("it is of the {what} `{found}`"),
        };
        Err(Failure::new(format!("{found}, expected `{expected}`")))
    };
    if kind != "ClusterVersion" {
        return fault("kind", kind, "kind", "ClusterVersion");
    }
    if api != "config.openshift.io/v1" {
        return fault("API", api, "apiVersion", "config.openshift.io/v1");
    }
    typed(object)
}

/// The alerts in an answer of `/api/v1/alerts` or `/api/v1/rules`, or in a plain list.
pub fn read_alerts(text: &str) -> Result<Vec<Alert>, Failure> {
    let json = objects::json(text)?;
    alerts(&json).unwrap_or_else(|| Err(Failure::new("it has no `data.alerts`")))
}

/// The alerts in an answer of Prometheus. None if it is not such an answer.
pub(crate) fn alerts(json: &Json) -> Option<Result<Vec<Alert>, Failure>> {
    if let Some(groups) = json.pointer("/data/groups").and_then(Json::as_array) {
        let rules = groups.iter().filter_map(|group| group["rules"].as_array()).flatten();
        let alerts = rules.filter_map(|rule| rule["alerts"].as_array()).flatten();
        return Some(alerts.map(typed).collect());
    }
    let list = json.pointer("/data/alerts").unwrap_or(json);
    list.is_array().then(|| typed(list))
}

fn typed<T: DeserializeOwned>(json: &Json) -> Result<T, Failure> {
    T::deserialize(json).map_err(|error| Failure::new(error.to_string()))
}
