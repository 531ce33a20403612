//! Versions, as the operator and `oc` parse them, with the words of their library.

use std::cmp::Ordering;

use crate::domain::{Version, version};
use crate::promql::quoted;

/// The version of a text, or what the operator and `oc` say is wrong with it.
pub fn parse_version(text: &str) -> Result<Version, String> {
    if text.is_empty() {
        return Err("Version string empty".into());
    }
    let parts: Vec<&str> = text.splitn(3, '.').collect();
    let [major, minor, rest] = parts[..] else {
        return Err("No Major.Minor.Patch elements found".into());
    };
    number("major", major)?;
    number("minor", minor)?;
    let (rest, build) = rest.split_once('+').map_or((rest, None), |(a, b)| (a, Some(b)));
    let (patch, pre) = rest.split_once('-').map_or((rest, None), |(a, b)| (a, Some(b)));
    number("patch", patch)?;
    for part in pre.into_iter().flat_map(|pre| pre.split('.')) {
        pre_release(part)?;
    }
    for part in build.into_iter().flat_map(|build| build.split('.')) {
        if part.is_empty() {
            return Err("Build meta data is empty".into());
        }
        if !part.bytes().all(is_alphanumeric) {
            return Err(format!("Invalid character(s) found in build meta data {}", quoted(part)));
        }
    }
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

fn number(name: &str, text: &str) -> Result<(), String> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {name} number {}", quoted(text)));
    }
    if has_leading_zeros(text) {
        let mut name = name.to_owned();
        name[..1].make_ascii_uppercase();
        return Err(format!("{name} number must not contain leading zeroes {}", quoted(text)));
    }
    unsigned(text)
}

fn pre_release(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("Prerelease is empty".into());
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        if has_leading_zeros(text) {
            return Err(format!(
                "Numeric PreRelease version must not contain leading zeroes {}",
                quoted(text)
            ));
        }
        return unsigned(text);
    }
    if !text.bytes().all(is_alphanumeric) {
        return Err(format!("Invalid character(s) found in prerelease {}", quoted(text)));
    }
    Ok(())
}

fn unsigned(digits: &str) -> Result<(), String> {
    let why = match digits.parse::<u64>() {
        Ok(_) => return Ok(()),
        Err(_) if digits.is_empty() => "invalid syntax",
        Err(_) => "value out of range",
    };
    Err(format!("strconv.ParseUint: parsing {}: {why}", quoted(digits)))
}

fn has_leading_zeros(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}
