//! Applies fixes, and leaves every other byte of the files unchanged.

mod entries;
mod interrupts;
mod key_lines;
mod scalars;
mod style;
mod template;
mod together;
mod unified_diff;
mod write;

pub(crate) use entries::{entry_edits, renamed};
pub(crate) use key_lines::KeyLines;
#[cfg(feature = "lsp")]
pub(crate) use scalars::scalar_like;
pub(crate) use scalars::{literal, scalar};
pub(crate) use template::template_edits;
pub(crate) use together::{FileEdit, write_together};
pub use unified_diff::unified_diff;
pub use write::replace;
pub(crate) use write::{create, write};

use std::collections::BTreeMap;

use crate::text::{Edit, Fix, SourceId, Sources};
use crate::yaml;

/// Applies fixes. Returns the new texts of files, and the indexes of the fixes that were applied.
///
/// Fixes are applied in order. A fix is skipped if it overlaps an earlier one or itself, or if it
/// would, with the earlier ones, write a key of a file twice.
pub fn apply<'f>(
    sources: &Sources,
    fixes: impl IntoIterator<Item = &'f Fix>,
) -> (BTreeMap<SourceId, String>, Vec<usize>) {
    let mut fixes = apart(sources, fixes);
    let applied = |fixes: Vec<(usize, &Fix)>| fixes.into_iter().map(|(at, _)| at).collect();
    loop {
        let texts = texts_with(sources, &fixes);
        let mut repeating = texts
            .iter()
            .filter(|(file, new)| repeated_keys(new) > repeated_keys(sources.get(**file).text()));
        let Some((file, _)) = repeating.next() else { return (texts, applied(fixes)) };
        let is_here =
            |(_, fix): &(usize, &Fix)| fix.edits.iter().any(|edit| edit.span.source == *file);
        match fixes.iter().rposition(is_here) {
            Some(last) => drop(fixes.remove(last)),
            None => return (texts, applied(fixes)),
        }
    }
}

/// The fixes that change something and do not overlap an earlier one, with their indexes.
fn apart<'f>(sources: &Sources, fixes: impl IntoIterator<Item = &'f Fix>) -> Vec<(usize, &'f Fix)> {
    let mut edits: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
    let mut apart = Vec::new();
    for (at, fix) in fixes.into_iter().enumerate() {
        let is_free = |edit: &Edit| {
            let here = edits.get(&edit.span.source);
            here.is_none_or(|here| here.iter().all(|other| !overlap(edit, other)))
        };
        let changes = |edit: &Edit| sources.slice(edit.span) != edit.text;
        if !fix.edits.iter().all(is_free)
            || !fix.edits.iter().any(changes)
            || overlap_each_other(&fix.edits)
        {
            continue;
        }
        apart.push((at, fix));
        for edit in &fix.edits {
            edits.entry(edit.span.source).or_default().push(edit);
        }
    }
    apart
}

fn texts_with(sources: &Sources, fixes: &[(usize, &Fix)]) -> BTreeMap<SourceId, String> {
    let mut edits: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
    for edit in fixes.iter().flat_map(|(_, fix)| &fix.edits) {
        edits.entry(edit.span.source).or_default().push(edit);
    }
    let texts = edits.into_iter().map(|(file, mut edits)| {
        edits.sort_by_key(|edit| edit.span);
        (file, edited(sources.get(file).text(), &edits))
    });
    texts.collect()
}

fn repeated_keys(text: &str) -> usize {
    yaml::parse(text).map_or(0, |document| document.duplicate_keys().count())
}

fn overlap_each_other(edits: &[Edit]) -> bool {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span);
    edits.windows(2).any(|pair| overlap(pair[0], pair[1]))
}

fn overlap(a: &Edit, b: &Edit) -> bool {
    // Two insertions at the same place have no order, so they overlap.
    a.span.start < b.span.end && b.span.start < a.span.end || a.span.start == b.span.start
}

fn edited(text: &str, edits: &[&Edit]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        new.push_str(&text[at..edit.span.start]);
        new.push_str(&edit.text);
        at = edit.span.end;
    }
    new.push_str(&text[at..]);
    new
}

#[cfg(test)]
mod tests {
    use super::apply;
    use crate::text::{Edit, Fix, Source, SourceId, Sources, Span};

    fn fix(start: usize, end: usize, text: &str) -> Fix {
        let edit = Edit { span: Span::new(SourceId::at(0), start..end), text: text.to_owned() };
        Fix { message: String::new(), edits: vec![edit] }
    }

    #[test]
    fn fixes_are_applied_in_place_and_overlapping_ones_wait() {
        let sources = Sources::new(vec![Source::new("f".into(), "to: v4.1.0\nform: x\n".into())]);
        let fixes = [fix(11, 15, "from"), fix(4, 10, "4.1.0"), fix(4, 5, "")];
        let (texts, taken) = apply(&sources, &fixes);
        assert_eq!(texts[&SourceId::at(0)], "to: 4.1.0\nfrom: x\n");
        assert_eq!(taken, [0, 1]);
    }

    /// Two misspelled keys can stand for the same key.
    #[test]
    fn fixes_that_write_the_same_key_are_not_applied_together() {
        let sources = Sources::new(vec![Source::new("f".into(), "form: x\nfrm: y\n".into())]);
        let (texts, taken) = apply(&sources, &[fix(0, 4, "from"), fix(8, 11, "from")]);
        assert_eq!(texts[&SourceId::at(0)], "from: x\nfrm: y\n");
        assert_eq!(taken, [0]);
    }

    #[test]
    fn a_fix_that_overlaps_itself_is_not_applied() {
        let sources = Sources::new(vec![Source::new("f".into(), "[a, a, b]".into())]);
        let edit = |range| Edit { span: Span::new(SourceId::at(0), range), text: String::new() };
        let edits = vec![edit(1..4), edit(2..5)];
        let (texts, taken) = apply(&sources, [&Fix { message: String::new(), edits }]);
        assert_eq!((texts.len(), taken), (0, Vec::new()));
    }
}
