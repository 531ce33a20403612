//! The blob around a place of a catalog or a template, however broken it is.

use std::ops::Range;

/// A document of a catalog, or an item of a template.
pub(super) struct Blob<'t> {
    /// The bytes of the document or, for an item, of the document around it.
    pub document: Range<usize>,
    pub kind: BlobKind,
    /// Its lines, without the indentation of an item.
    lines: Vec<&'t str>,
    is_in_template: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BlobKind {
    Package,
    Channel,
    Bundle,
    Deprecations,
    /// A template whose `entries` are the blobs of a catalog.
    Template,
    /// A template that lists images. Its keys begin with a capital letter, or not, as its `schema`
    /// does.
    SemverTemplate {
        is_capitalized: bool,
    },
    Unknown,
}

impl<'t> Blob<'t> {
    pub(super) fn around(text: &'t str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset);
        let document = document_around(text, offset);
        let whole = Self::of(&text[document.clone()], document.clone());
        if whole.kind != BlobKind::Template {
            return whole;
        }
        let item = item_around(&text[document.clone()], offset - document.start);
        item.map_or(whole, |lines| Self {
            kind: kind_of(&lines),
            document,
            lines,
            is_in_template: true,
        })
    }

    fn of(text: &'t str, document: Range<usize>) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        Self { kind: kind_of(&lines), document, lines, is_in_template: false }
    }

    /// The package that it is about.
    pub(super) fn package(&self) -> Option<&'t str> {
        value(&self.lines, if self.kind == BlobKind::Package { "name" } else { "package" })
    }

    /// The keys that lead to a place, counted from the blob instead of from the document.
    pub(super) fn own_keys<'k>(&self, keys: &'k [&'t str]) -> &'k [&'t str] {
        if self.is_in_template { keys.get(1..).unwrap_or_default() } else { keys }
    }
}

/// The bytes of the document of a file that holds a place. Each document is a mapping of its own.
fn document_around(text: &str, offset: usize) -> Range<usize> {
    let start = text[..offset].rfind("\n---").and_then(|at| {
        let rest = text[at + 1..].find('\n')?;
        Some(at + rest + 2)
    });
    let start = start.filter(|start| *start <= offset).unwrap_or(0);
    let end = text[offset..].find("\n---").map_or(text.len(), |at| offset + at + 1);
    start..end
}

/// The lines of the item of `entries` that holds a place of a template, without indentation.
fn item_around(template: &str, offset: usize) -> Option<Vec<&str>> {
    let entries = template.lines().position(|line| line.starts_with("entries:"))?;
    let mut of_list = template.lines().skip(entries + 1);
    let first = of_list.find(|line| line.trim_start().starts_with('-'))?;
    let indent = first.len() - first.trim_start().len();
    let begins = |line: &&str| line.get(indent..).is_some_and(|rest| rest.starts_with('-'));
    let end = offset + template[offset..].find('\n').unwrap_or(template.len() - offset);
    let before = template[..end].lines().skip(entries + 1);
    let item = before.enumerate().filter(|(_, line)| begins(line)).last()?.0;
    let mut lines = template.lines().skip(entries + 1 + item);
    let rest = lines.clone().skip(1).take_while(|line| !begins(line));
    let lines = lines.next().into_iter().chain(rest);
    Some(lines.filter_map(|line| line.get(indent + 2..)).collect())
}

fn kind_of(lines: &[&str]) -> BlobKind {
    let capitalized = value(lines, "Schema");
    match value(lines, "schema").or(capitalized) {
        Some("olm.package") => BlobKind::Package,
        Some("olm.channel") => BlobKind::Channel,
        Some("olm.bundle") => BlobKind::Bundle,
        Some("olm.deprecations") => BlobKind::Deprecations,
        Some("olm.template.basic" | "olm.template.substitutes") => BlobKind::Template,
        Some("olm.semver") => BlobKind::SemverTemplate { is_capitalized: capitalized.is_some() },
        _ => BlobKind::Unknown,
    }
}

/// The value of a key in the outermost mapping.
fn value<'t>(lines: &[&'t str], key: &str) -> Option<&'t str> {
    let line = lines.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    Some(line.trim().trim_matches(['"', '\''])).filter(|value| !value.is_empty())
}
