//! Comments that allow a finding: `# exitpath: allow(rule-name): reason`.

use std::ops::Range;

use crate::catalog::{Commented, LoadedCatalog};
use crate::domain::Named;
use crate::graph_data::GraphData;
use crate::rules::{Finding, Place};
use crate::text::{SourceId, Sources, Span};
use crate::yaml::{Comment, Document, Value};

/// The most comments of a file. Further ones have no effect. A file with more is not real data.
const MAX_COMMENTS: usize = 200;

/// One rule that one comment names.
#[derive(Debug)]
pub(super) struct Allow {
    pub(super) span: Span,
    pub(super) rule: String,
    pub(super) has_reason: bool,
    pub(super) used: bool,
    /// Whether the change that is checked adds the comment.
    is_new: bool,
    scope: Scope,
}

/// Whether comments allow a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    No,
    Yes,
    /// Only comments that the change adds allow it.
    Newly,
}

#[derive(Debug)]
enum Scope {
    File(SourceId),
    Text(Span),
}

/// All comments of the repository's files. Comments in stray files have no effect.
pub(super) fn comments(data: &GraphData) -> Vec<Allow> {
    let files = data.files.iter().filter(|file| file.kind.is_data());
    files
        .flat_map(|file| {
            let text = data.sources.get(file.id).text();
            let document = file.document();
            let comments = document.map_or(&[][..], |document| document.comments());
            comments
                .iter()
                .filter_map(move |comment| Some((document?, comment)))
                .flat_map(move |(document, comment)| allows(document, file.id, 0, text, comment))
                .take(MAX_COMMENTS)
        })
        .collect()
}

/// The comments of a catalog. A comment before the content of the first document applies to the
/// file. Before that of another one, it applies to that document.
pub(super) fn comments_of_catalog(sources: &Sources, catalog: &LoadedCatalog) -> Vec<Allow> {
    let documents = catalog.commented.iter();
    documents
        .flat_map(|Commented { document, source, range }| {
            let file = sources.get(*source).text();
            let text = &file[range.clone()];
            let is_first = file[..range.start].trim().is_empty();
            let allows = document
                .comments()
                .iter()
                .flat_map(move |comment| allows(document, *source, range.start, text, comment));
            allows.take(MAX_COMMENTS).map(move |allow| match allow.scope {
                Scope::File(file) if !is_first => {
                    let scope = Scope::Text(Span::new(file, range.clone()));
                    Allow { scope, ..allow }
                }
                _ => allow,
            })
        })
        .collect()
}

/// Marks the comments that the text of the same file before the change does not have.
pub(super) fn mark_new<'t>(
    allows: &mut [Allow],
    sources: &Sources,
    text_before: impl Fn(&str) -> Option<&'t str>,
) {
    for allow in allows {
        let before = text_before(sources.path(allow.span.source)).unwrap_or_default();
        allow.is_new = !before.contains(sources.slice(allow.span));
    }
}

/// Whether a comment allows the finding. Marks the comment as used.
fn allowed(allows: &mut [Allow], finding: &Finding) -> Allowed {
    let mut allowed = Allowed::No;
    for allow in allows {
        let covers = match (&allow.scope, &finding.place) {
            (Scope::File(file), Place::Text(span)) => *file == span.source,
            (Scope::File(file), Place::File(at)) => file == at,
            (Scope::Text(scope), Place::Text(span)) => {
                scope.source == span.source && scope.range().contains(&span.start)
            }
            _ => false,
        };
        let names = finding.rule.is_called(&allow.rule) || finding.rule.family.name() == allow.rule;
        if covers && names {
            allow.used = true;
            let is_newly = allow.is_new && allowed != Allowed::Yes;
            allowed = if is_newly { Allowed::Newly } else { Allowed::Yes };
        }
    }
    allowed
}

/// Removes the findings that comments allow. Returns how many there are, and how many of these only
/// comments allow that the change adds.
pub(super) fn remove_allowed(allows: &mut [Allow], findings: &mut Vec<Finding>) -> (usize, usize) {
    let (mut all, mut newly) = (0, 0);
    findings.retain(|finding| {
        let allowed = allowed(allows, finding);
        all += usize::from(allowed != Allowed::No);
        newly += usize::from(allowed == Allowed::Newly);
        allowed == Allowed::No
    });
    (all, newly)
}

/// The comments of a document. `text` is the document, which begins at `offset` in the file.
fn allows(
    document: &Document,
    file: SourceId,
    offset: usize,
    text: &str,
    comment: &Comment,
) -> Vec<Allow> {
    let Some((rules, has_reason)) = parse(&text[comment.range.clone()]) else { return Vec::new() };
    let in_file = |range: &Range<usize>| Span::new(file, range.start + offset..range.end + offset);
    let span = in_file(&comment.range);
    let scope = scope_of(document, text, comment);
    rules
        .into_iter()
        .map(|rule| Allow {
            span,
            rule,
            has_reason,
            used: false,
            is_new: false,
            scope: match &scope {
                None => Scope::File(file),
                Some(range) => Scope::Text(in_file(range)),
            },
        })
        .collect()
}

/// The rules that a comment names, and whether it has a reason. If a comment for exitpath is
/// malformed, its whole text counts as the name of a rule, so that it is reported as unknown.
fn parse(comment: &str) -> Option<(Vec<String>, bool)> {
    let words = comment.trim_start_matches('#').trim_start().strip_prefix("exitpath:")?.trim();
    let Some((names, rest)) = words.strip_prefix("allow(").and_then(|rest| rest.split_once(')'))
    else {
        return Some((vec![words.to_owned()], true));
    };
    let reason = rest.trim_start().strip_prefix(':').unwrap_or_default();
    let names = names.split(',').map(|name| name.trim().to_owned()).collect();
    Some((names, !reason.trim().is_empty()))
}

/// The text that a comment applies to. None for the whole file.
fn scope_of(document: &Document, text: &str, comment: &Comment) -> Option<Range<usize>> {
    if comment.trailing {
        let line = text[..comment.range.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let starts = document.nodes().map(|(_, node)| node.range().start);
        let first = starts.filter(|start| (line..comment.range.start).contains(start)).min();
        let end = first.map_or(comment.range.start, |first| end_of_node_at(document, first));
        return Some(line..end);
    }
    let root = document.node(document.root()).range().start;
    if comment.range.start < root {
        return None;
    }
    let after = document
        .nodes()
        .map(|(_, node)| node.range().start)
        .filter(|s| *s > comment.range.start)
        .min();
    let start = after.unwrap_or(comment.range.end);
    Some(start..end_of_node_at(document, start))
}

/// The end of the list item that begins at `start`. Without one, the end of the value whose key
/// begins there.
fn end_of_node_at(document: &Document, start: usize) -> usize {
    let begins = |id| document.node(id).range().start == start;
    let mut item = None;
    let mut entry = None;
    for (_, node) in document.nodes() {
        match &node.value {
            Value::Sequence(items) => {
                let items = document.items_of(*items).iter().filter(|id| begins(**id));
                let ends = items.map(|id| document.node(*id).range().end);
                item = ends.max().max(item);
            }
            Value::Mapping(entries) => {
                let entries = document.entries_of(*entries).iter();
                let entries = entries.filter(|entry| begins(entry.key));
                let ends = entries.map(|entry| document.node(entry.value).range().end);
                entry = ends.max().max(entry);
            }
            _ => {}
        }
    }
    item.or(entry).unwrap_or(start).max(start + 1)
}

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::{parse, scope_of};
    use crate::yaml;

    #[test]
    fn comments_name_rules_and_a_reason() {
        let named = |comment| parse(comment).map(|(names, reason)| (names.join("+"), reason));
        assert_eq!(
            named("# exitpath: allow(vague-url): no page yet"),
            Some(("vague-url".into(), true))
        );
        assert_eq!(
            named("#exitpath: allow(EP203, risk-name)"),
            Some(("EP203+risk-name".into(), false))
        );
        assert_eq!(named("# exitpath: alow(x)"), Some(("alow(x)".into(), true)));
        assert_eq!(named("# see exitpath"), None);
    }

    fn scope(text: &str) -> &str {
        let document = yaml::parse(text).unwrap_or_else(|e| panic!("{e:?}"));
        let comment = &document.comments()[0];
        scope_of(&document, text, comment).map_or("the file", |range| text[range].trim())
    }

    #[test]
    fn a_comment_speaks_of_the_file_the_next_node_or_its_own_line() {
        assert_eq!(scope("# c\na: 1\nb: 2\n"), "the file");
        assert_eq!(scope("a: 1\n# c\nb:\n  x: 2\nd: 3\n"), "b:\n  x: 2");
        assert_eq!(scope("a:\n# c\n- 1\n- 2\n"), "1");
        assert_eq!(scope("a:\n- 0\n# c\n- k: 1\n  l: 2\n- 3\n"), "k: 1\n  l: 2");
        assert_eq!(scope("a: 1\nb: 2 # c\nd: 3\n"), "b: 2");
        assert_eq!(scope("a:\n- 1 # c\n- 2\n"), "- 1");
    }
}
