//! The columns of a picture, and the releases in each.

use petgraph::graph::NodeIndex;

use crate::graph::Served;

use super::picture::Run;

/// A picture with more columns is wider than a screen and has too many arrows.
const MOST_COLUMNS: usize = 6;

/// The releases of one minor, or of several if there are too many minors.
#[derive(Debug)]
pub(super) struct ColumnReleases {
    pub name: String,
    pub releases: Run,
}

/// Divides the members of a channel into columns.
pub(super) fn columns(served: &Served<'_>) -> Vec<ColumnReleases> {
    let minor = |place: usize| {
        let version = &served.whole.release(served.members[place]).version;
        format!("{}.{}", version.major, version.minor)
    };
    let mut ends = ends_of_minors(served);
    ends.dedup();
    let minors_per_column = ends.len().div_ceil(MOST_COLUMNS).max(1);
    let mut start = 0;
    let mut columns = Vec::new();
    for ends in ends.chunks(minors_per_column) {
        let end = ends.last().copied().unwrap_or(start);
        let (first, last) = (minor(start), minor(end - 1));
        let name = if first == last { first } else { format!("{first}–{last}") };
        columns.push(ColumnReleases { name, releases: start..end });
        start = end;
    }
    columns
}

/// For each member, the place after the last release of its own minor.
pub(super) fn ends_of_minors(served: &Served<'_>) -> Vec<usize> {
    let minor = |node: &NodeIndex| {
        let version = &served.whole.release(*node).version;
        (version.major, version.minor)
    };
    let mut ends = Vec::with_capacity(served.members.len());
    for releases in served.members.chunk_by(|a, b| minor(a) == minor(b)) {
        let end = ends.len() + releases.len();
        ends.resize(end, end);
    }
    ends
}
