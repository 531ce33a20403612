//! Build suggestions: the origins that the next release of a minor lists.

use crate::domain::version::{self, Version};
use crate::domain::{Arch, Minor, Named, each_id};
use crate::text::{SourceId, Sources, Span, Spanned};
use crate::yaml::{self, Document, NodeId};

use super::{DataFile, FileKind, GraphData, Location, ReleaseId};

/// One file of `build-suggestions/`.
#[derive(Clone, Debug)]
pub struct BuildSuggestions {
    /// The minor in the file's name.
    pub minor: Minor,
    /// The default ranges, and those of each architecture with its own, in the order written.
    pub entries: Vec<Ranges>,
}

/// The ranges of one architecture, or the default.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// `default`, or an architecture.
    pub arch: String,
    /// The origins in the previous minor.
    pub minor: VersionRange,
    /// The origins in this minor.
    pub z: VersionRange,
}

/// A range of versions, with exceptions.
#[derive(Clone, Debug, Default)]
pub struct VersionRange {
    /// The oldest version.
    pub min: Option<Bound>,
    /// The newest version.
    pub max: Option<Bound>,
    /// The versions to skip.
    pub blocked: Vec<Bound>,
}

/// A version, with its place.
pub(crate) type Bound = Spanned<Version>;

impl GraphData {
    /// The releases that a future release can be updated from, if it is built with today's
    /// suggestions. None if there are none for its minor.
    pub(crate) fn suggested_origins(&self, target: &Version) -> Option<Vec<ReleaseId>> {
        let minor = Minor::of(target);
        let own = self.suggestions.iter().find(|suggestions| suggestions.minor == minor)?;
        let ranges = own.entries.iter().find(|entry| entry.arch == "default")?;
        let possible = each_id(self.releases.possible_origins(target));
        let is_listed = |id: &ReleaseId| {
            let version = &self.releases.get(*id).version;
            let range = if Minor::of(version) == minor { &ranges.z } else { &ranges.minor };
            range.holds(version)
        };
        Some(possible.filter(is_listed).collect())
    }
}

impl BuildSuggestions {
    pub(super) fn read(file: &DataFile, sources: &Sources) -> Option<Self> {
        if file.kind != FileKind::BuildSuggestions {
            return None;
        }
        let minor = Self::minor_of(sources.get(file.id).path())?;
        Some(Self::of(minor, file.id, file.document()?))
    }

    /// The minor that the file at a path is about.
    pub(crate) fn minor_of(path: &str) -> Option<Minor> {
        Minor::parse(Location::of(path).name.strip_suffix(".yaml")?)
    }

    /// Parses an earlier text of a minor's file. Its places cannot be reported.
    pub fn of_the_past(minor: Minor, text: &str) -> Option<Self> {
        Some(Self::of(minor, SourceId::at(usize::MAX), &yaml::parse(text).ok()?))
    }

    fn of(minor: Minor, file: SourceId, document: &Document) -> Self {
        let bound = |node: &NodeId| bound(file, document, *node);
        let entries = document.entries(document.root()).iter().filter_map(|entry| {
            let range = |prefix: &str| {
                let node = |key: &str| document.get(entry.value, &format!("{prefix}_{key}"));
                let blocked = node("block_list").map_or(&[][..], |list| document.items(list));
                VersionRange {
                    min: node("min").as_ref().and_then(bound),
                    max: node("max").as_ref().and_then(bound),
                    blocked: blocked.iter().filter_map(bound).collect(),
                }
            };
            let arch = document.text(entry.key)?.to_owned();
            Some(Ranges { arch, minor: range("minor"), z: range("z") })
        });
        Self { minor, entries: entries.collect() }
    }

    /// The ranges for an architecture: its own, or the default.
    pub fn for_arch(&self, arch: Arch) -> Option<&Ranges> {
        let named = |name: &str| self.entries.iter().find(|ranges| ranges.arch == name);
        named(arch.name()).or_else(|| named("default"))
    }
}

impl VersionRange {
    /// The bounds that are given.
    pub fn ends(&self) -> impl Iterator<Item = &Bound> {
        self.min.iter().chain(&self.max)
    }

    /// Whether it contains a version. A range without any end is empty.
    pub fn holds(&self, version: &Version) -> bool {
        self.ends().next().is_some()
            && self.min.as_ref().is_none_or(|min| min.value <= *version)
            && self.max.as_ref().is_none_or(|max| *version <= max.value)
            && self.blocked.iter().all(|blocked| blocked.value != *version)
    }
}

fn bound(file: SourceId, document: &Document, node: NodeId) -> Option<Bound> {
    let value = version::parse(document.text(node)?)?;
    Some(Spanned { value, span: Span::new(file, document.node(node).range()) })
}
