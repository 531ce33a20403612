//! Build suggestions: from which releases the next release of a minor can be updated to.

use crate::text::{SourceId, Sources, Spanned};
use crate::version::{self, Version};
use crate::yaml::NodeId;

use super::{DataFile, Kind, Location, Minor};

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
pub type Bound = Spanned<Version>;

impl BuildSuggestions {
    pub(super) fn read(file: &DataFile, sources: &Sources) -> Option<Self> {
        if file.kind != Kind::BuildSuggestions {
            return None;
        }
        let document = file.document()?;
        let name = Location::of(sources.get(file.id).path()).name;
        let minor = Minor::parse(name.strip_suffix(".yaml")?)?;
        let entries = document.entries(document.root()).iter().filter_map(|entry| {
            let range = |prefix: &str| {
                let node = |key: &str| document.get(entry.value, &format!("{prefix}_{key}"));
                let blocked = node("block_list").map_or(&[][..], |list| document.items(list));
                VersionRange {
                    min: node("min").and_then(|node| bound(file, node)),
                    max: node("max").and_then(|node| bound(file, node)),
                    blocked: blocked.iter().filter_map(|node| bound(file, *node)).collect(),
                }
            };
            let arch = document.text(entry.key)?.to_owned();
            Some(Ranges { arch, minor: range("minor"), z: range("z") })
        });
        Some(Self { file: file.id, minor, entries: entries.collect() })
    }
}

impl VersionRange {
    /// The two ends, as far as they are written.
    pub fn ends(&self) -> impl Iterator<Item = &Bound> {
        self.min.iter().chain(&self.max)
    }
}

fn bound(file: &DataFile, node: NodeId) -> Option<Bound> {
    let text = file.spanned_text(node)?;
    Some(Spanned { value: version::parse(&text.value)?, span: text.span })
}
