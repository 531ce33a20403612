//! Reads objects from YAML or JSON, as `oc get -o yaml` and `-o json` write them.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::{Alert, ClusterVersion};
use crate::yaml;

/// Why a text is not the object that is needed, in one sentence without a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectError(pub String);

/// The object `ClusterVersion` of a text, which can also be a list with one.
pub fn read_cluster_version(text: &str) -> Result<ClusterVersion, ObjectError> {
    let json = json(text)?;
    let object = match json["kind"].as_str() {
        Some("List" | "ClusterVersionList") => {
            let items = json["items"].as_array().map_or(&[][..], Vec::as_slice);
            match items {
                [only] => only,
                [] => return Err(ObjectError("the list is empty".into())),
                several => several
                    .iter()
                    .find(|one| one["kind"] == "ClusterVersion")
                    .ok_or_else(|| ObjectError("the list has no ClusterVersion".into()))?,
            }
        }
        _ => &json,
    };
    let (kind, api) = (&object["kind"], &object["apiVersion"]);
    if kind != "ClusterVersion" {
        let found = kind.as_str().map_or_else(
            || "it has no `kind`".to_owned(),
            |kind| format!("it is of the kind `{kind}`"),
        );
        return Err(ObjectError(format!("{found}, expected `ClusterVersion`")));
    }
    if api != "config.openshift.io/v1" {
        let found = api.as_str().map_or_else(
            || "it has no `apiVersion`".to_owned(),
            |api| format!("it is of the API `{api}`"),
        );
        return Err(ObjectError(format!("{found}, expected `config.openshift.io/v1`")));
    }
    typed(object)
}

/// The alerts of an answer of `/api/v1/alerts`, or of a plain list.
pub fn read_alerts(text: &str) -> Result<Vec<Alert>, ObjectError> {
    let json = json(text)?;
    let list = json.pointer("/data/alerts").unwrap_or(&json);
    if !list.is_array() {
        return Err(ObjectError("it has no `data.alerts`".into()));
    }
    typed(list)
}

/// JSON is read as such: it is the larger of the two in practice, and numbers keep their text.
pub(crate) fn json(text: &str) -> Result<Json, ObjectError> {
    if text.trim_start().starts_with(['{', '[']) {
        return serde_json::from_str(text)
            .map_err(|error| ObjectError(format!("it is not valid JSON: {error}")));
    }
    let document = yaml::parse(text).map_err(|error| {
        let line = text.as_bytes()[..error.offset].split(|byte| *byte == b'\n').count();
        ObjectError(format!("it is not valid YAML: the error is in line {line}"))
    })?;
    document.to_json().map_err(|_| ObjectError("its aliases expand to too much".into()))
}

fn typed<T: DeserializeOwned>(json: &Json) -> Result<T, ObjectError> {
    T::deserialize(json).map_err(|error| ObjectError(error.to_string()))
}
