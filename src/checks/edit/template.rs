//! Edits that put the result of substitutions into their template.

use crate::text::{Edit, Source, SourceId, Span};
use crate::yaml::{self, Document, MappingEntry, Value};

use super::style::{Item, List};

/// The edits that add bundles, as JSON, to the entries of a template, and that empty its
/// substitutions. None if the text is not such a template in a single document.
pub(crate) fn template_edits(
    source: &Source,
    id: SourceId,
    bundles: Vec<String>,
) -> Option<Vec<Edit>> {
    let text = source.text();
    let document = yaml::parse_first(text).ok()?;
    let entries = document.items(field(&document, "entries")?.value);
    let entries = entries.iter().map(|item| document.node(*item).range());
    let (at, added) = List::of(text, entries.collect())
        .insertion(bundles.into_iter().map(Item::Inline).collect());
    let substitutions = field(&document, "substitutions")?;
    let key = document.node(substitutions.key).range().end;
    let value = document.node(substitutions.value).range();
    let colon = key + text.get(key..value.start)?.find(':')? + 1;
    let end = value.start + text.get(value)?.trim_end().len();
    let edit = |range, text: &str| Edit { span: Span::new(id, range), text: text.to_owned() };
    Some(vec![edit(at..at, &added), edit(colon..end, " []")])
}

fn field(document: &Document, name: &str) -> Option<MappingEntry> {
    let is_named = |field: &&MappingEntry| match &document.node(field.key).value {
        Value::Scalar(key) => document.text_of(*key).eq_ignore_ascii_case(name),
        _ => false,
    };
    document.entries(document.root()).iter().find(is_named).copied()
}
