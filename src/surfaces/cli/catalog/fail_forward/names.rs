//! Short names of entries.

use crate::text::Failure;

/// The name that is meant: itself, the only one with this version, or the only one that ends in it
/// (`v2` for `lamp.v2`).
pub(super) fn resolved(
    wanted: &str,
    names: &[&str],
    version: &dyn Fn(&str) -> Option<String>,
) -> Result<String, Failure> {
    if names.contains(&wanted) {
        return Ok(wanted.to_owned());
    }
    let ending = format!(".{wanted}");
    let bare = wanted.trim_start_matches('v');
    let ends = names.iter().filter(|name| name.ends_with(&ending));
    let has_version = names.iter().filter(|name| version(name).as_deref() == Some(bare));
    for found in [ends.collect::<Vec<_>>(), has_version.collect()] {
        match found.as_slice() {
            [only] => return Ok((**only).to_owned()),
            [] => {}
            [first, second, ..] => {
                return Err(Failure::new(format!(
                    "`{wanted}` can be {first} or {second}: write the whole name"
                )));
            }
        }
    }
    Err(Failure::unknown("entry", wanted, names.iter().copied()))
}
