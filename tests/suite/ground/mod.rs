//! Folders, revisions, and positions.

pub(crate) mod git_safety;
pub(crate) mod positions;
pub(crate) mod sparse_checkouts;
pub(crate) mod trees;
