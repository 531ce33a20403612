//! Catalogs of operators in an editor: the names of packages, channels, and bundles.

mod blob;
mod keys;

use std::ops::Range;

use crate::catalog::Package;
use crate::catalog::package::CatalogChannel;
use crate::edit::scalar_like;
use crate::report::in_markdown;
use crate::text::words::{counted, list_all};
use crate::workspace::CatalogWorkspace;

use blob::{Blob, BlobKind};

use super::completion::{Completion, CompletionKind, Completions, fitting};
use super::lines::{Slot, Writing, writing_at};

/// What can be written at a byte of a catalog in YAML.
pub(crate) fn complete_catalog(
    workspace: &CatalogWorkspace,
    text: &str,
    offset: usize,
) -> Option<Completions> {
    let blob = Blob::around(text, offset);
    let Range { start, end } = blob.document;
    let Writing { slot, keys, range, written } = writing_at(&text[start..end], offset - start)?;
    let range = range.start + start..range.end + start;
    let names = Names { workspace, package: blob.package(), like: &text[range.clone()] };
    let own_keys = blob.own_keys(&keys);
    let items = match (&slot, own_keys) {
        (Slot::Key { others }, parents) => keys::keys(blob.kind, parents, others),
        (Slot::Value, ["package"]) => names.packages(),
        (Slot::Value, ["defaultChannel"]) => names.channels(),
        (Slot::Value, ["name"]) => match blob.kind {
            BlobKind::Package => names.packages(),
            BlobKind::Channel => names.channels(),
            BlobKind::Bundle => names.bundles(),
            _ => Vec::new(),
        },
        (Slot::Value, ["entries", "name" | "replaces"]) | (Slot::Item, ["entries", "skips"]) => {
            names.bundles()
        }
        (Slot::Value, ["entries", "reference", "name"]) => {
            names.channels().into_iter().chain(names.bundles()).collect()
        }
        (Slot::Value, own_keys) => keys::values(blob.kind, own_keys, own_keys.len() < keys.len()),
        _ => Vec::new(),
    };
    Some(Completions::new(text, range, fitting(items, written)))
}

/// The names of a catalog. Those of one package, if it is known.
struct Names<'w> {
    workspace: &'w CatalogWorkspace,
    package: Option<&'w str>,
    /// What is written at the place: names get its quotes.
    like: &'w str,
}

impl<'w> Names<'w> {
    fn own(&self) -> impl Iterator<Item = &'w Package> {
        let wanted = self.package;
        let packages = self.workspace.packages();
        packages.filter(move |package| wanted.is_none_or(|wanted| package.name == wanted))
    }

    fn packages(&self) -> Vec<Completion> {
        let packages = self.workspace.packages();
        let item = |package: &Package| self.item(CompletionKind::Risk, &package.name, "package");
        packages.filter_map(item).collect()
    }

    /// None if this name is what is written: it may be only a part of the name that is meant.
    fn item(&self, kind: CompletionKind, name: &str, detail: &str) -> Option<Completion> {
        let is_written = self.like.trim_matches(['"', '\'']) == name;
        (!is_written).then(|| Completion::new(kind, scalar_like(self.like, name), detail))
    }

    fn channels(&self) -> Vec<Completion> {
        let channels = self.own().flat_map(|package| &package.channels);
        let item =
            |channel: &CatalogChannel| self.item(CompletionKind::Value, &channel.name, "channel");
        channels.filter_map(item).collect()
    }

    /// The bundles, the newest name first.
    fn bundles(&self) -> Vec<Completion> {
        let of_package = |package: &'w Package| {
            let bundles = package.bundles.iter().rev().map(|bundle| (&bundle.name, "bundle"));
            let entries = package.channels.iter().flat_map(|channel| &channel.entries);
            bundles.chain(entries.map(|entry| (&entry.name, "entry")))
        };
        let names = self.own().flat_map(of_package);
        names
            .filter_map(|(name, detail)| self.item(CompletionKind::Release, name, detail))
            .collect()
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
    let about_channel = || {
        let own = Blob::around(text, offset).package()?;
        about_channel(workspace.packages().find(|package| package.name == own)?, name)
    };
    let about = workspace.packages().find_map(|package| about_in(package, name));
    Some((about.or_else(about_channel)?, start..end))
}

fn about_channel(package: &Package, name: &str) -> Option<String> {
    let channel = package.channels.iter().find(|channel| channel.name == name)?;
    let entries: Vec<&str> = channel.entries.iter().map(|entry| entry.name.as_str()).collect();
    let default = if package.default_channel == name { "the default channel" } else { "channel" };
    Some(format!(
        "**{}**: {default} of {}, with {}\n\n{}",
        in_markdown(name),
        in_markdown(&package.name),
        counted(entries.len(), "entry"),
        in_markdown(&list_all(&entries, "and")),
    ))
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
