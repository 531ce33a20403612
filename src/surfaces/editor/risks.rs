//! The files of risks.

use crate::graph_data::{BlockedEdge, FileKind, GraphData};
use crate::text::Span;

/// The declarations of a risk, by the order of files.
pub(super) fn files_of<'d>(data: &'d GraphData, name: &str) -> Vec<&'d BlockedEdge> {
    let has_name = |edge: &&BlockedEdge| edge.name.as_ref().is_some_and(|own| *own.value == *name);
    data.blocked_edges.iter().filter(has_name).collect()
}

/// Where the files of `risk-tests/` name a risk.
pub(super) fn names_in_tests<'d>(
    data: &'d GraphData,
    name: &'d str,
) -> impl Iterator<Item = Span> + 'd {
    let tests = data.files.iter().filter(|file| file.kind == FileKind::RiskTest);
    tests.filter_map(move |file| {
        let document = file.document()?;
        let node = document.top("risk")?;
        (document.text(node) == Some(name)).then(|| file.span(node))
    })
}
