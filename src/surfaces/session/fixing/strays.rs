//! Finds where edits change something that they should not, for example because of an alias.

use crate::catalog::declared::{ChannelBlob, Declared, EntryBlob};
use crate::text::{Edit, SourceId, Sources, Span};

/// The files with a channel or an entry whose meaning changes although no edit is in it.
pub(super) fn strays(
    now: &Declared,
    sources: &Sources,
    after: &Declared,
    edits: &[&Edit],
) -> Vec<SourceId> {
    if now.channels.len() != after.channels.len() {
        return edits.iter().map(|edit| edit.span.source).collect();
    }
    let touches = |edit: &Edit, span: Span| touches(sources, edit, span);
    let channels = now.channels.iter().zip(&after.channels);
    let strays = channels.filter(|(now, after)| {
        let in_channel = edits.iter().filter(|edit| touches(edit, now.span));
        let (in_entries, beside): (Vec<&Edit>, Vec<&Edit>) = in_channel
            .copied()
            .partition(|edit| now.entries.iter().any(|one| touches(edit, one.span)));
        let is_edited = |entry: &EntryBlob| in_entries.iter().any(|edit| touches(edit, entry.span));
        let mut entries = now.entries.iter().zip(&after.entries);
        let is_kept = names(now) == names(after)
            && now.entries.len() == after.entries.len()
            && entries.all(|(now, after)| line(now) == line(after) || is_edited(now));
        !is_kept && beside.is_empty()
    });
    strays.map(|(now, _)| now.span.source).collect()
}

/// Whether an edit begins in the lines of a place.
fn touches(sources: &Sources, edit: &Edit, span: Span) -> bool {
    if edit.span.source != span.source || edit.span.start < span.start {
        return false;
    }
    let between = sources.get(span.source).text().get(span.end..edit.span.start);
    between.is_none_or(|between| !between.contains('\n'))
}

fn names(channel: &ChannelBlob) -> (&str, &str) {
    (&channel.package.value, &channel.name.value)
}

/// The values of an entry.
fn line(entry: &EntryBlob) -> (&str, &str, Vec<&str>, &str) {
    let skips = entry.skips.iter().map(|skip| skip.value.as_str()).collect();
    (&entry.name.value, &entry.replaces.value, skips, &entry.skip_range.value)
}
