//! Why a request is not answered.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::text::{Failure, printable};

/// What the protocol calls errors, with its numbers.
#[derive(Debug)]
pub(super) struct Refusal {
    pub code: i64,
    pub message: String,
}

impl Refusal {
    pub(super) const PARSE_ERROR: i64 = -32700;
    pub(super) const INVALID_REQUEST: i64 = -32600;
    pub(super) const METHOD_NOT_FOUND: i64 = -32601;
    pub(super) const INVALID_PARAMS: i64 = -32602;
    pub(super) const NOT_INITIALIZED: i64 = -32002;
    pub(super) const CANCELED: i64 = -32800;
    pub(super) const FAILED: i64 = -32803;

    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub(super) fn unknown_method(method: &str) -> Self {
        let method = printable(method);
        Self::new(Self::METHOD_NOT_FOUND, format!("there is no method `{method}`"))
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let (what, hint) = failure.words();
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        Self::new(Self::FAILED, format!("{what}{hint}"))
    }
}

pub(super) fn parsed<T: DeserializeOwned>(params: Option<&RawValue>) -> Result<T, Refusal> {
    let text = params.map_or("null", RawValue::get);
    serde_json::from_str(text).map_err(|error| {
        let why = error.to_string();
        Refusal::new(Refusal::INVALID_PARAMS, printable(&why))
    })
}
