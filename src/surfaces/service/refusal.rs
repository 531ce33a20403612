//! What the service answers when it refuses a request, in the words of the real service.

use serde::Serialize;

use crate::text::printable_json;

use super::response::Response;

/// Why the service refuses a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// These parameters are missing.
    MissingParameters(&'static str),
    /// A parameter, its value, and the pattern that the value must match.
    InvalidParameter { name: &'static str, value: String, pattern: &'static str },
    /// The client does not send the token.
    Unauthorized,
    /// The header `Accept` has no type that the endpoint can send.
    NotAcceptable,
    /// A file of the data cannot be read.
    UnreadableFile(String),
}

#[derive(Serialize)]
struct ErrorJson<'e> {
    kind: &'e str,
    value: &'e str,
}

impl Refusal {
    pub(super) fn response(&self) -> Response {
        let (status, kind, value) = match self {
            Self::MissingParameters(names) => {
                let value = format!("mandatory client parameters missing: {names}");
                (400, "missing_params", value)
            }
            Self::InvalidParameter { name, value, pattern } => {
                let why = format!("{name} '{value}' does not match regex '{pattern}'");
                (400, "invalid_params", format!("invalid client parameters: {why}"))
            }
            Self::Unauthorized => {
                (401, "unauthorized", "the header Authorization lacks the token".to_owned())
            }
            Self::NotAcceptable => {
                (406, "invalid_content_type", "invalid Content-Type requested".to_owned())
            }
            Self::UnreadableFile(path) => {
                let value = format!("failed to open file: unable to open {path}");
                (500, "file_open_err", value)
            }
        };
        let json = serde_json::to_string(&ErrorJson { kind, value: &value }).unwrap_or_default();
        Response::text(status, "application/json", printable_json(&json).into_owned())
    }
}
