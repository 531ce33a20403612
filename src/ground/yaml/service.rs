//! Reads YAML as the update service does: with its parser, into types.

use serde::de::{DeserializeOwned, Error as _};

/// The most steps that the parser may take: it looks at all open brackets at every byte.
const MOST_STEPS: usize = 1 << 28;

pub(crate) fn read_as_service<T: DeserializeOwned>(text: &str) -> Result<T, serde_yaml::Error> {
    let brackets = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if text.len().saturating_mul(brackets) > MOST_STEPS {
        return Err(serde_yaml::Error::custom("too many brackets"));
    }
    serde_yaml::from_str(text)
}
