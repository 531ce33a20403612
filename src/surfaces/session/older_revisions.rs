//! Older states of a repository, newest first.

use std::path::Path;

use crate::text::Failure;
use crate::tree;

/// The paths that the update service reads.
const SERVED: [&str; 4] = ["blocked-edges", "channels", "raw", "version"];

/// The newest commits that changed what the service reads.
pub(crate) fn older_revisions(
    root: &Path,
    revision: Option<&str>,
    most: usize,
) -> Result<Vec<String>, Failure> {
    let mut commits = tree::commits_of(root, revision, &SERVED)?;
    commits.truncate(most);
    Ok(commits)
}
