//! Phrases that rules of several families put into their messages.

use std::collections::BTreeSet;

use crate::graph_data::{BlockedEdge, FileKind, GraphData, ReleaseId};

/// The key by which a baseline recognizes a finding about declarations: the names of their risks,
/// and the targets of blocks.
pub(in crate::checks::rules) fn subjects<'a>(
    edges: impl Iterator<Item = &'a BlockedEdge>,
) -> String {
    let subject = |edge: &'a BlockedEdge| edge.name.as_ref().or(edge.to.as_ref());
    let subjects: BTreeSet<&str> =
        edges.filter_map(subject).map(|subject| subject.value.as_str()).collect();
    subjects.into_iter().collect::<Vec<_>>().join(" ")
}

/// Releases in words, with neighbors joined as ranges: `4.17.0–4.17.9, 4.17.12`.
pub(in crate::checks::rules) fn ranges(data: &GraphData, releases: &[ReleaseId]) -> String {
    data.releases.in_ranges(releases)
}

/// The effect of an unusable value, as the end of a sentence.
pub(in crate::checks::rules) fn effect_of_bad_value(kind: FileKind, pointer: &str) -> &'static str {
    let key = pointer.split('/').nth(1).unwrap_or_default();
    match kind {
        FileKind::BlockedEdge if matches!(key, "fixedIn" | "autoExtend") => {
            "so the tools that extend and promote cannot use it"
        }
        FileKind::Channel if matches!(key, "tombstones" | "description") => {
            "so the tools that promote cannot use it"
        }
        FileKind::BlockedEdge => {
            "so the service drops this file and offers the updates to all clusters"
        }
        FileKind::Channel => {
            "so the service does not serve this channel, and its clusters find no updates"
        }
        FileKind::InternalChannel => "so nothing can be promoted from this channel",
        FileKind::BuildSuggestions => "so the build tools cannot use this file",
        _ => "so the service does not build a new graph",
    }
}
