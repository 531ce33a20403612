//! Where a file says in which release its risk is fixed.

use std::collections::BTreeMap;

use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::edit::KeyLines;
use crate::text::Failure;

use super::risk_files::RiskFiles;

pub(super) const FIXED_IN: &str = "fixedIn";

/// Adds a `fixedIn` after the same key as in other files of the risk. If there is no such key, adds
/// it after `from`.
pub(super) fn insert_fixed_in(lines: &mut KeyLines<'_>, risk: &RiskFiles<'_>, fix: &Version) {
    let elsewhere = risk.files.iter().rev().find_map(|file| file.lines.before(FIXED_IN));
    let after = elsewhere.filter(|key| lines.has(key)).unwrap_or("from");
    lines.insert_after(after, &format!("{FIXED_IN}: {}\n", text_of(fix)));
}

/// At most one fix for each minor.
#[derive(Debug)]
pub(super) struct FixesByMinor(BTreeMap<Minor, Version>);

impl FixesByMinor {
    pub(super) fn of(fixes: &[Version]) -> Result<Self, Failure> {
        let mut by_minor = BTreeMap::new();
        for fix in fixes {
            if let Some(other) = by_minor.insert(Minor::of(fix), fix.clone()) {
                let what = format!(
                    "{other} and {fix} are of one minor version: only one can be the first release without the bug"
                );
                return Err(Failure::new(what));
            }
        }
        Ok(Self(by_minor))
    }

    /// Whether a release is the fix of its minor, or comes after it.
    pub(super) fn are_before(&self, release: &Version) -> bool {
        self.0.get(&Minor::of(release)).is_some_and(|fix| fix <= release)
    }

    /// Removes and returns the fix of a target's minor. The target must be the last release of its
    /// minor that has the risk. Fails if the fix does not come after the target.
    pub(super) fn take(&mut self, target: &Version) -> Result<Option<Version>, Failure> {
        let Some(fix) = self.0.remove(&Minor::of(target)) else { return Ok(None) };
        if fix <= *target {
            let what = format!("it cannot be fixed in {fix}: {target} gets the risk");
            return Err(Failure::new(what));
        }
        Ok(Some(fix))
    }

    /// Fails if a fix is left that belongs to no new file.
    pub(super) fn check_taken(&self) -> Result<(), Failure> {
        match self.0.values().next() {
            None => Ok(()),
            Some(fix) => {
                let what = format!(
                    "no new file is for a release of {}, so {fix} belongs in none",
                    Minor::of(fix)
                );
                Err(Failure::new(what)
                    .hint("`exitpath risk fix` writes a fix into an existing file"))
            }
        }
    }
}
