//! Days and times on the command line.

use std::path::Path;

use crate::domain::time::{day, parse_time};
use crate::report::DigestEnd;
use crate::text::Failure;
use crate::tree;

/// The seconds since 1970 of `2026-01-31` or `2026-01-31T12:00:00Z`.
pub(super) fn moment(text: &str) -> Result<i64, String> {
    let time = parse_time(text).or_else(|| parse_time(&format!("{text}T00:00:00Z")));
    let expected =
        || format!("`{text}` is not a day like 2026-01-31 or a time like 2026-01-31T12:00:00Z");
    time.map(|time| time.div_euclid(1000)).ok_or_else(expected)
}

/// Whether a text is a day or a time, and not a git revision.
pub(super) fn is_moment(text: &str) -> bool {
    text.contains('-') && text.starts_with(|c: char| c.is_ascii_digit()) && moment(text).is_ok()
}

/// In seconds. The newest commit may be of the day before.
const DAY: i64 = 24 * 60 * 60;

/// The commit that a text names: a revision, or the last commit of the mainline before a moment.
pub(super) fn named_commit(root: &Path, text: &str) -> Result<DigestEnd, Failure> {
    let commit = if is_moment(text) {
        let before = moment(text).map_err(Failure::new)?;
        let newest = tree::date(root, "HEAD")?;
        if before > newest.saturating_add(DAY) {
            let what = format!("{text} is after the newest commit, of {}", day(newest));
            return Err(Failure::new(what));
        }
        tree::commit_before(root, before)?
            .ok_or_else(|| Failure::new(format!("there is no commit before {text}")))?
    } else {
        tree::commit(root, text)?
    };
    let time = tree::date(root, &commit)?;
    Ok(DigestEnd { commit, time })
}
