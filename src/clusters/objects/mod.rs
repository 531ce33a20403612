//! Objects of Kubernetes, as `oc get -o yaml` and `-o json` print them, and the files of a
//! must-gather that have them.

mod csv;
mod must_gather;
mod placed;

pub(crate) use csv::{PROPERTIES, is_copied_csv};
pub(crate) use must_gather::gathered;
pub(crate) use placed::{Documents, Object};

use serde_json::Value as Json;

use crate::text::Failure;
use crate::yaml;

/// The objects in a text, which can be one object, a list, or several documents.
pub(crate) fn read(text: &str) -> Result<Vec<Json>, Failure> {
    // Strings in JSON may contain lines of dashes.
    let parts = if is_json(text) { vec![(0, text)] } else { yaml::parts(text) };
    let mut objects = Vec::new();
    for (_, part) in parts {
        objects.extend(items(json(part)?));
    }
    Ok(objects)
}

/// Reads YAML or JSON. JSON is usually the larger of the two, so it has its own, faster parser,
/// which also keeps the text of numbers.
pub(crate) fn json(text: &str) -> Result<Json, Failure> {
    if is_json(text) {
        return serde_json::from_str(text)
            .map_err(|error| Failure::new(format!("it is not valid JSON: {error}")));
    }
    let document = yaml::parse(text).map_err(|error| not_yaml(text, error.offset))?;
    document.to_json().map_err(|_| Failure::new("its aliases expand to too much"))
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// The objects of a list, or the object itself. The items of a list such as `PodList` may omit
/// their kind.
fn items(mut json: Json) -> Vec<Json> {
    let kind = text_at(&json, "/kind").strip_suffix("List").unwrap_or_default().to_owned();
    let Some(items) = json.get_mut("items").and_then(Json::as_array_mut) else {
        return if json.is_null() { Vec::new() } else { vec![json] };
    };
    let mut items = std::mem::take(items);
    for item in items.iter_mut().filter(|item| item.is_object() && item["kind"].is_null()) {
        item["kind"] = kind.clone().into();
    }
    items
}

/// The text at a place such as `/metadata/name`. Empty if it is missing.
pub(crate) fn text_at<'j>(json: &'j Json, pointer: &str) -> &'j str {
    json.pointer(pointer).and_then(Json::as_str).unwrap_or_default()
}

fn not_yaml(text: &str, offset: usize) -> Failure {
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    let line = before.split(|byte| *byte == b'\n').count();
    Failure::new(format!("it is not valid YAML: the error is in line {line}"))
}
