//! When risks were first declared, and first fixed.

use std::collections::BTreeMap;
use std::path::Path;

use crate::domain::{HashMap, HashSet};
use crate::git::Git;
use crate::text::MAX_FILE;

use super::NoHistory;

/// The times of risks, in seconds since 1970, by name. Removed risks are among them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RiskDates {
    /// When a file first had the name.
    pub(crate) declared: BTreeMap<String, i64>,
    /// When a file of the risk first said in which release it is fixed.
    pub(crate) fixed: BTreeMap<String, i64>,
}

/// How many files to keep in memory at a time.
const MOST_AT_ONCE: usize = 2_000;

impl RiskDates {
    /// Reads the mainline up to a revision (default: `HEAD`).
    pub(crate) fn read(root: &Path, revision: Option<&str>) -> Result<Self, NoHistory> {
        let git = Git::at(root);
        let location = git.locate(revision.unwrap_or("HEAD"))?;
        if location.is_shallow {
            return Err(NoHistory::Shallow);
        }
        let commits = git.commits(&location.commit)?;
        let mut changes = git.changes(&commits, &["blocked-edges"])?;
        changes
            .retain(|change| change.is_on_mainline && change.path.strip_suffix(".yaml").is_some());
        let mut seen = HashSet::default();
        let objects = changes.iter().map(|change| &change.object);
        let objects: Vec<String> =
            objects.filter(|object| seen.insert(object.as_str())).cloned().collect();
        let sizes = git.sizes(&objects)?;
        let small = objects.into_iter().zip(sizes).filter(|(_, size)| *size <= MAX_FILE);
        let small: Vec<String> = small.map(|(object, _)| object).collect();
        let mut said: HashMap<String, (String, bool)> = HashMap::default();
        for some in small.chunks(MOST_AT_ONCE) {
            let contents = git.contents(some)?;
            let read = some.iter().zip(contents).filter_map(|(object, content)| {
                Some((object.clone(), name_and_fix(&String::from_utf8_lossy(&content))?))
            });
            said.extend(read);
        }
        let mut dates = Self::default();
        for change in &changes {
            let Some((name, is_fixed)) = said.get(&change.object) else { continue };
            dates.declared.entry(name.clone()).or_insert(change.time);
            if *is_fixed {
                dates.fixed.entry(name.clone()).or_insert(change.time);
            }
        }
        Ok(dates)
    }
}

/// The name of the risk of a file, and whether it says in which release it is fixed.
fn name_and_fix(text: &str) -> Option<(String, bool)> {
    let value = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key))?;
        let value = line.split(" #").next().unwrap_or_default().trim();
        let value = value.trim_matches(['"', '\'']);
        (!value.is_empty()).then(|| value.to_owned())
    };
    Some((value("name:")?, value("fixedIn:").is_some()))
}
