//! Applies fixes, and leaves every other byte of the files unchanged.

mod entries;
mod style;
mod template;
mod unified_diff;
mod write;

pub(crate) use entries::entry_edits;
pub(crate) use template::template_edits;
pub use unified_diff::unified_diff;
pub use write::replace;
pub(crate) use write::{create, write};

use std::collections::BTreeMap;

use crate::rules::{Edit, Fix};
use crate::text::{SourceId, Sources};

/// Applies fixes: returns the new texts of files, and how many fixes were applied.
///
/// Fixes are applied in order. A fix that overlaps an earlier one, or itself, is skipped.
#[must_use]
pub fn apply<'f>(
    sources: &Sources,
    fixes: impl IntoIterator<Item = &'f Fix>,
) -> (BTreeMap<SourceId, String>, usize) {
    let mut edits: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
    let mut applied = 0;
    for fix in fixes {
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
        applied += 1;
        for edit in &fix.edits {
            edits.entry(edit.span.source).or_default().push(edit);
        }
    }
    let texts = edits.into_iter().map(|(file, mut edits)| {
        edits.sort_by_key(|edit| edit.span);
        (file, edited(sources.get(file).text(), &edits))
    });
    (texts.collect(), applied)
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
    use crate::rules::{Edit, Fix};
    use crate::text::{Source, SourceId, Sources, Span};

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
        assert_eq!(taken, 2);
    }

    #[test]
    fn a_fix_that_overlaps_itself_is_not_applied() {
        let sources = Sources::new(vec![Source::new("f".into(), "[a, a, b]".into())]);
        let edit = |range| Edit { span: Span::new(SourceId::at(0), range), text: String::new() };
        let edits = vec![edit(1..4), edit(2..5)];
        let (texts, taken) = apply(&sources, [&Fix { message: String::new(), edits }]);
        assert_eq!((texts.len(), taken), (0, 0));
    }
}
