//! Catalogs of operators in an editor: the names of packages, channels, and bundles.

use std::ops::Range;

use crate::catalog::Package;
use crate::report::in_markdown;
use crate::text::words::{counted, list_all};
use crate::workspace::CatalogWorkspace;

use super::completion::{Completion, CompletionKind, Completions, fitting};
use super::lines::{Slot, Writing, writing_at};

/// The values of `schema`, with what each is.
const SCHEMAS: [(&str, &str); 6] = [
    ("olm.package", "An operator, and its default channel."),
    ("olm.channel", "A stream of updates: its entries, and what each replaces and skips."),
    ("olm.bundle", "One version of an operator: its image and its properties."),
    ("olm.deprecations", "Messages for packages, channels, and bundles that are deprecated."),
    ("olm.template.basic", "A template that `opm alpha render-template basic` reads."),
    ("olm.semver", "A template that `opm alpha render-template semver` reads."),
];

/// The keys of a document, and of an entry of a channel.
const OF_DOCUMENT: [&str; 7] =
    ["schema", "package", "name", "entries", "defaultChannel", "image", "properties"];
const OF_ENTRY: [&str; 4] = ["name", "replaces", "skips", "skipRange"];

/// What can be written at a byte of a catalog in YAML.
pub(crate) fn complete_catalog(
    workspace: &CatalogWorkspace,
    text: &str,
    offset: usize,
) -> Option<Completions> {
    let Range { start, end } = document_around(text, offset);
    let document = &text[start..end];
    let Writing { slot, keys, range, written } = writing_at(document, offset - start)?;
    let names = Names { workspace, package: package_of(document) };
    let items = match (&slot, keys.as_slice()) {
        (Slot::Key { others }, []) => keys_without(&OF_DOCUMENT, others),
        (Slot::Key { others }, ["entries"]) => keys_without(&OF_ENTRY, others),
        (Slot::Value, ["schema"]) => {
            let item = |(name, about): (&str, &str)| {
                Completion::new(CompletionKind::Value, name, "schema").about(about)
            };
            SCHEMAS.into_iter().map(item).collect()
        }
        (Slot::Value, ["package"]) => names.packages(),
        (Slot::Value, ["defaultChannel"]) => names.channels(),
        (Slot::Value, ["entries", "name" | "replaces"]) | (Slot::Item, ["entries", "skips"]) => {
            names.bundles()
        }
        _ => Vec::new(),
    };
    let range = range.start + start..range.end + start;
    Some(Completions::new(text, range, fitting(items, written)))
}

/// The bytes of the document of a file that holds a place. Each document is a mapping of its own.
fn document_around(text: &str, offset: usize) -> Range<usize> {
    let offset = text.floor_char_boundary(offset);
    let start = text[..offset].rfind("\n---").and_then(|at| {
        let rest = text[at + 1..].find('\n')?;
        Some(at + rest + 2)
    });
    let start = start.filter(|start| *start <= offset).unwrap_or(0);
    let end = text[offset..].find("\n---").map_or(text.len(), |at| offset + at + 1);
    start..end
}

/// The package that a document is about, however broken it is.
fn package_of(document: &str) -> Option<&str> {
    let value = |key: &str| {
        let line = document.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        Some(line.trim().trim_matches(['"', '\''])).filter(|value| !value.is_empty())
    };
    let is_package = value("schema") == Some("olm.package");
    value(if is_package { "name" } else { "package" })
}

fn keys_without(keys: &[&str], others: &[String]) -> Vec<Completion> {
    let missing = keys.iter().filter(|key| !others.iter().any(|other| other == *key));
    let kind = |key: &str| match key {
        "entries" | "properties" | "skips" => CompletionKind::KeyOfLines,
        _ => CompletionKind::Key,
    };
    missing.map(|key| Completion::new(kind(key), *key, "")).collect()
}

/// The names of a catalog. Those of one package, if it is known.
struct Names<'w> {
    workspace: &'w CatalogWorkspace,
    package: Option<&'w str>,
}

impl<'w> Names<'w> {
    fn own(&self) -> impl Iterator<Item = &'w Package> {
        let wanted = self.package;
        let packages = self.workspace.packages();
        packages.filter(move |package| wanted.is_none_or(|wanted| package.name == wanted))
    }

    fn packages(&self) -> Vec<Completion> {
        let packages = self.workspace.packages();
        let item =
            |package: &Package| Completion::new(CompletionKind::Risk, &package.name, "package");
        packages.map(item).collect()
    }

    fn channels(&self) -> Vec<Completion> {
        let channels = self.own().flat_map(|package| &package.channels);
        channels
            .map(|channel| Completion::new(CompletionKind::Value, &channel.name, "channel"))
            .collect()
    }

    /// The bundles, the newest name first.
    fn bundles(&self) -> Vec<Completion> {
        let of_package = |package: &'w Package| {
            let bundles = package.bundles.iter().rev().map(|bundle| (&bundle.name, "bundle"));
            let entries = package.channels.iter().flat_map(|channel| &channel.entries);
            bundles.chain(entries.map(|entry| (&entry.name, "entry")))
        };
        let names = self.own().flat_map(of_package);
        names.map(|(name, kind)| Completion::new(CompletionKind::Release, name, kind)).collect()
    }
}

/// What is known about the name at a byte of a catalog, and the range of the name.
pub(crate) fn about_name(
    workspace: &CatalogWorkspace,
    text: &str,
    offset: usize,
) -> Option<(String, Range<usize>)> {
    let offset = text.floor_char_boundary(offset);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._+".contains(c);
    let start = text[..offset].trim_end_matches(is_name).len();
    let end = offset + text[offset..].find(|c| !is_name(c)).unwrap_or(text.len() - offset);
    let name = &text[start..end];
    let about = workspace.packages().find_map(|package| about_in(package, name))?;
    Some((about, start..end))
}

fn about_in(package: &Package, name: &str) -> Option<String> {
    if package.name == name {
        let channels: Vec<&str> =
            package.channels.iter().map(|channel| channel.name.as_str()).collect();
        let bundles = counted(package.bundles.len(), "bundle");
        let channels = list_all(&channels, "and");
        let default = in_markdown(&package.default_channel);
        let (name, channels) = (in_markdown(name), in_markdown(&channels));
        return Some(format!(
            "**{name}**: package with {bundles}\n\nchannels: {channels}; default: {default}"
        ));
    }
    let mut lines = Vec::new();
    for channel in &package.channels {
        let Some(entry) = channel.entries.iter().find(|entry| entry.name == name) else { continue };
        let next = channel.entries.iter().filter(|other| {
            other.replaces == name || other.skips.iter().any(|skipped| skipped == name)
        });
        let next: Vec<&str> = next.map(|other| other.name.as_str()).collect();
        let replaces = Some(&entry.replaces).filter(|name| !name.is_empty());
        let replaces = replaces.map(|name| format!(", replaces {name}")).unwrap_or_default();
        let next = list_all(&next, "and");
        let next = Some(next).filter(|next| !next.is_empty());
        let next = next.map(|next| format!(", replaced or skipped by {next}")).unwrap_or_default();
        lines.push(in_markdown(&format!("channel {}{replaces}{next}", channel.name)));
    }
    (!lines.is_empty()).then(|| {
        format!(
            "**{}** of {}\n\n- {}",
            in_markdown(name),
            in_markdown(&package.name),
            lines.join("\n- ")
        )
    })
}
