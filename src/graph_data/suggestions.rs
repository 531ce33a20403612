//! Build suggestions: from which releases the next release of a minor can be updated to.

use crate::domain::version::{self, Version};
use crate::domain::{Arch, Minor, Named};
use crate::text::{SourceId, Sources, Span, Spanned};
use crate::yaml::{self, Document, NodeId};

use super::{DataFile, Kind, Location};

/// One file of `build-suggestions/`.
#[derive(Clone, Debug)]
pub struct BuildSuggestions {
    /// The file.
    pub file: SourceId,
    /// The minor that the file is named for.
    pub minor: Minor,
    /// The ranges, of every architecture that has its own, in the order written.
    pub entries: Vec<Ranges>,
}

/// The ranges of one architecture, or of all that have none of their own.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// `default`, or an architecture.
    pub arch: String,
    /// The releases of the minor before.
    pub minor: VersionRange,
    /// The releases of this minor.
    pub z: VersionRange,
}

/// A range of versions without some.
#[derive(Clone, Debug, Default)]
pub struct VersionRange {
    /// The oldest.
    pub min: Option<Bound>,
    /// The newest.
    pub max: Option<Bound>,
    /// Those left out.
    pub blocked: Vec<Bound>,
}

/// A version, and where it stands.
pub(crate) type Bound = Spanned<Version>;

impl BuildSuggestions {
    pub(super) fn read(file: &DataFile, sources: &Sources) -> Option<Self> {
        if file.kind != Kind::BuildSuggestions {
            return None;
        }
        let name = Location::of(sources.get(file.id).path()).name;
        let minor = Minor::parse(name.strip_suffix(".yaml")?)?;
        Some(Self::of(minor, file.id, file.document()?))
    }

    /// Reads a text that a minor's file once had; places in it lead nowhere.
    #[must_use]
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
        Self { file, minor, entries: entries.collect() }
    }

    /// The ranges for an architecture: its own, or those of all that have none.
    #[must_use]
    pub fn for_arch(&self, arch: Arch) -> Option<&Ranges> {
        let named = |name: &str| self.entries.iter().find(|ranges| ranges.arch == name);
        named(arch.name()).or_else(|| named("default"))
    }
}

impl VersionRange {
    /// The two ends, as far as they are written.
    pub fn ends(&self) -> impl Iterator<Item = &Bound> {
        self.min.iter().chain(&self.max)
    }

    /// Whether a version is in it. A range with no end at all holds nothing.
    #[must_use]
    pub fn holds(&self, version: &Version) -> bool {
        self.ends().next().is_some()
            && self.min.as_ref().is_none_or(|min| min.value <= *version)
            && self.max.as_ref().is_none_or(|max| *version <= max.value)
            && self.blocked.iter().all(|blocked| blocked.value != *version)
    }
}

fn bound(file: SourceId, document: &Document, node: NodeId) -> Option<Bound> {
    let value = version::parse(document.text(node)?)?;
    Some(Spanned { value, span: Span::new(file, document.node(node).range.clone()) })
}
