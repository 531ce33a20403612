//! Versions as the operator and `oc` parse them, with the errors of their library.

use std::cmp::Ordering;

use crate::domain::{Version, version};
use crate::go::{self, semver};

/// Parses a version. The error is that of the operator and `oc`.
pub fn parse_version(text: &str) -> Result<Version, go::Error> {
    semver::Version::parse(text)?;
    Version::parse(text).map_err(|error| error.to_string().into())
}

/// Compares versions so that the newest is first. Texts that are not versions are last, in reverse
/// order.
pub fn newest_first(a: &str, b: &str) -> Ordering {
    match (parse_version(a), parse_version(b)) {
        (Ok(a), Ok(b)) => version::without_build(&b).cmp(&version::without_build(&a)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => b.cmp(a),
    }
}
