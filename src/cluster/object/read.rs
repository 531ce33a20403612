//! Reads the objects that the operator reads.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::{Alert, ClusterVersion};
use crate::objects::{self, ObjectError, text_at};

/// An object `ClusterVersion`.
pub(crate) fn cluster_version(object: &Json) -> Result<ClusterVersion, ObjectError> {
    let (kind, api) = (text_at(object, "/kind"), text_at(object, "/apiVersion"));
    let fault = |what: &str, found: &str, key: &str, expected: &str| {
        let found = match found {
            "" => format!("it has no `{key}`"),
            found => format!("it is of the {what} `{found}`"),
        };
        Err(ObjectError(format!("{found}, expected `{expected}`")))
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
pub fn read_alerts(text: &str) -> Result<Vec<Alert>, ObjectError> {
    let json = objects::json(text)?;
    alerts(&json).unwrap_or_else(|| Err(ObjectError("it has no `data.alerts`".into())))
}

/// The alerts in an answer of Prometheus. None if it is not such an answer.
pub(crate) fn alerts(json: &Json) -> Option<Result<Vec<Alert>, ObjectError>> {
    if let Some(groups) = json.pointer("/data/groups").and_then(Json::as_array) {
        let rules = groups.iter().filter_map(|group| group["rules"].as_array()).flatten();
        let alerts = rules.filter_map(|rule| rule["alerts"].as_array()).flatten();
        return Some(alerts.map(typed).collect());
    }
    let list = json.pointer("/data/alerts").unwrap_or(json);
    list.is_array().then(|| typed(list))
}

fn typed<T: DeserializeOwned>(json: &Json) -> Result<T, ObjectError> {
    T::deserialize(json).map_err(|error| ObjectError(error.to_string()))
}
