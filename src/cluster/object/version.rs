//! Versions, as the operator and `oc` parse them, with the words of their library.

use std::cmp::Ordering;

use crate::domain::{Version, version};
use crate::go::semver;

/// The version of a text, or what the operator and `oc` say is wrong with it.
pub fn parse_version(text: &str) -> Result<Version, String> {
    semver::Version::parse(text)?;
    Version::parse(text).map_err(|error| error.to_string())
}

/// Newest first. What is not a version comes last, in reverse order of the texts.
pub fn newest_first(a: &str, b: &str) -> Ordering {
    match (parse_version(a), parse_version(b)) {
        (Ok(a), Ok(b)) => version::without_build(&b).cmp(&version::without_build(&a)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => b.cmp(a),
    }
}
