//! Gives a risk another name.

use crate::authoring::{self, Plan};
use crate::text::{Failure, Span};
use crate::workspace::Workspace;

use super::cursor::{Cursor, Subject};

/// The place of a name that can be changed, and the name.
pub(crate) fn renamable(
    workspace: &Workspace<'_>,
    path: &str,
    offset: usize,
) -> Option<(Span, String)> {
    let cursor = Cursor::at(workspace.data(), path, offset)?;
    match cursor.subject() {
        Subject::RiskName(name) => Some((cursor.span(), name.to_owned())),
        _ => None,
    }
}

/// The files with another name for the risk at a place.
pub(crate) fn rename(
    workspace: &Workspace<'_>,
    path: &str,
    offset: usize,
    name: &str,
) -> Result<Plan, Failure> {
    let (_, old) = renamable(workspace, path, offset)
        .ok_or_else(|| Failure::new("only the names of risks can be changed"))?;
    if old == name {
        return Ok(Plan::nothing());
    }
    authoring::rename(workspace.data(), &old, name)
}
