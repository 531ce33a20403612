//! The conditions of objects.

use serde::{Deserialize, Serialize};

use super::or_default;

/// A condition of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// What it is about, such as `Recommended`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `True`, `False`, or `Unknown`. A file may have other texts.
    pub status: String,
    /// When the status last changed. Empty if unknown.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "String::is_empty")]
    pub last_transition_time: String,
    /// The reason, which is one word.
    #[serde(default, deserialize_with = "or_default")]
    pub reason: String,
    /// The text for administrators.
    #[serde(default, deserialize_with = "or_default")]
    pub message: String,
}

impl Condition {
    /// A condition without the time of its last change.
    pub fn new(kind: &str, status: &str, reason: &str, message: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            status: status.to_owned(),
            last_transition_time: String::new(),
            reason: reason.to_owned(),
            message: message.to_owned(),
        }
    }
}

/// The condition of this type.
pub fn condition<'a>(conditions: &'a [Condition], kind: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.kind == kind)
}
