//! Finds what edits change where they should change nothing, for example because of an alias.

use crate::catalog::declared::{ChannelBlob, Declared, EntryBlob};
use crate::text::{Edit, SourceId, Span};

/// The files with channels or entries that say something else, although no edit is there.
pub(super) fn strays(now: &Declared, after: &Declared, edits: &[&Edit]) -> Vec<SourceId> {
    let is_in = |span: Span| edits.iter().any(|edit| touches(edit, span));
    if now.channels.len() != after.channels.len() {
        return edits.iter().map(|edit| edit.span.source).collect();
    }
    let channels = now.channels.iter().zip(&after.channels);
    let strays = channels.filter(|(now, after)| {
        let entries = || now.entries.iter().zip(&after.entries);
        let in_entry = |edit: &&&Edit| now.entries.iter().any(|entry| touches(edit, entry.span));
        let beside =
            edits.iter().filter(|edit| touches(edit, now.span)).any(|edit| !in_entry(&edit));
        let is_kept = names(now) == names(after)
            && now.entries.len() == after.entries.len()
            && entries().all(|(now, after)| line(now) == line(after) || is_in(now.span));
        !is_kept && !beside
    });
    strays.map(|(now, _)| now.span.source).collect()
}

/// Whether an edit is inside a place, or at its end.
fn touches(edit: &Edit, span: Span) -> bool {
    edit.span.source == span.source && span.start <= edit.span.start && edit.span.start <= span.end
}

fn names(channel: &ChannelBlob) -> (&str, &str) {
    (&channel.package.value, &channel.name.value)
}

/// What an entry says.
fn line(entry: &EntryBlob) -> (&str, &str, Vec<&str>, &str) {
    let skips = entry.skips.iter().map(|skip| skip.value.as_str()).collect();
    (&entry.name.value, &entry.replaces.value, skips, &entry.skip_range.value)
}
