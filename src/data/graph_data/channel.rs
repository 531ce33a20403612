//! Channels, public and internal.

use std::sync::OnceLock;

use crate::domain::ChannelName;
use crate::domain::version::{self, Version};
use crate::text::{SourceId, Sources, Span};
use crate::yaml::ValueKind;

use super::{DataFile, FileKind, Location, ReleaseId, ReleasePairs, Releases, Text, Walk};

/// One file of `channels/` or `internal-channels/`.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The file.
    pub file: SourceId,
    /// Whether it is in `channels/`, so clusters can use it.
    pub public: bool,
    /// The file's name without `.yaml`.
    pub stem: String,
    /// The channel's name.
    pub name: Option<Text>,
    /// What the channel is for.
    pub description: Option<Text>,
    /// The items of `versions` that are text, in the order written.
    pub versions: Vec<ListedVersion>,
    /// The releases in `versions`, oldest first, each once.
    pub releases: Vec<ReleaseId>,
    /// The items of `tombstones`: releases that are not promoted any further.
    pub tombstones: Vec<ListedVersion>,
    /// Where its releases come from.
    pub feeder: Option<Feeder>,
}

/// A version in a list.
#[derive(Clone, Debug)]
pub struct ListedVersion {
    /// The text as written.
    pub text: Text,
    /// None if the text is not a version.
    pub version: Option<Version>,
    /// The release. None if no channel contains it, or if the text is not a version.
    pub release: Option<ReleaseId>,
}

/// The instructions for the promotion bot.
#[derive(Clone, Debug)]
pub struct Feeder {
    /// The key `feeder`.
    pub key: Span,
    /// The channel that releases come from.
    pub name: Option<Text>,
    /// The pattern that must match the whole version of a promoted release.
    pub filter: Option<Text>,
    /// How long a release must be in the feeder before it is promoted.
    pub delay: Option<Text>,
    /// Whether a release waits for its erratum.
    pub errata: Option<Text>,
    /// Whether promotion must wait: for `delay` or for `errata`.
    pub waits: bool,
    read_filter: OnceLock<ReadFilter>,
}

/// A filter, and why it cannot be compiled, if it cannot.
#[derive(Clone, Debug)]
struct ReadFilter {
    filter: Filter,
    fault: Option<Box<regex_syntax::Error>>,
}

/// Which releases a feeder lets through.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Everything,
    /// The filter is a pattern. None if the pattern is not simple enough, and so matches nothing.
    Matching(Option<Walk>),
}

impl Filter {
    /// Reads a filter, which must match the whole version of a release. Without a text, it lets
    /// everything through.
    pub(crate) fn of(text: Option<&str>) -> Self {
        let whole = |text| Walk::of(&format!("^(?:{text})$"));
        text.map_or(Self::Everything, |text| Self::Matching(whole(text)))
    }

    pub(crate) fn allows(&self, version: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Matching(walk) => {
                walk.as_ref().is_some_and(|whole| whole.explain(version).is_some())
            }
        }
    }
}

impl Feeder {
    pub(crate) fn filter(&self) -> &Filter {
        &self.read_filter().filter
    }

    /// Whether the filter is a regular expression. Without one, nothing is promoted.
    pub(crate) fn is_usable(&self) -> bool {
        self.fault().is_none()
    }

    /// Why the filter is not a regular expression.
    pub(crate) fn fault(&self) -> Option<&regex_syntax::Error> {
        self.read_filter().fault.as_deref()
    }

    fn read_filter(&self) -> &ReadFilter {
        self.read_filter.get_or_init(|| {
            let text = self.filter.as_ref().map(|filter| filter.value.as_str());
            let fault = text.and_then(|text| regex_syntax::parse(text).err());
            ReadFilter { filter: Filter::of(text), fault: fault.map(Box::new) }
        })
    }
}

impl Channel {
    pub(super) fn read(file: &DataFile, sources: &Sources) -> Option<Self> {
        if !matches!(file.kind, FileKind::Channel | FileKind::InternalChannel) {
            return None;
        }
        let document = file.document()?;
        let list = |key| -> Vec<ListedVersion> {
            let items = document.top(key).map_or(&[][..], |node| document.items(node));
            // A repository has tens of thousands of members, so these lists get exactly the
            // capacity that they need.
            let mut members = Vec::with_capacity(items.len());
            let texts = items.iter().filter_map(|item| file.text_of(*item));
            members.extend(texts.map(|text| ListedVersion {
                version: version::parse(&text.value),
                text,
                release: None,
            }));
            members
        };
        let name = Location::of(sources.get(file.id).path()).name;
        Some(Self {
            file: file.id,
            public: file.kind == FileKind::Channel,
            stem: name.strip_suffix(".yaml").unwrap_or(name).to_owned(),
            name: file.text("name"),
            description: file.entry("description").and_then(|entry| {
                let is_text = document.kind(entry.value) == ValueKind::Text;
                is_text.then(|| file.text_of(entry.value)).flatten()
            }),
            versions: list("versions"),
            releases: Vec::new(),
            tombstones: list("tombstones"),
            feeder: file.entry("feeder").map(|entry| {
                let node = |key| document.get(entry.value, key);
                Feeder {
                    key: file.span(entry.key),
                    name: node("name").and_then(|node| file.text_of(node)),
                    filter: node("filter").and_then(|node| file.text_of(node)),
                    delay: node("delay").and_then(|node| file.text_of(node)),
                    errata: node("errata").and_then(|node| file.text_of(node)),
                    waits: node("delay").or(node("errata")).is_some(),
                    read_filter: OnceLock::new(),
                }
            }),
        })
    }

    /// Finds the release of each version.
    pub(super) fn find_releases(&mut self, releases: &Releases) {
        self.set_releases(|member| releases.named(&member.text.value));
    }

    /// Like [`find_releases`](Self::find_releases), if those of another state are known.
    pub(super) fn move_releases(&mut self, pairs: &ReleasePairs, releases: &Releases) {
        self.set_releases(|member| {
            let moved = member.release.and_then(|before| pairs.after[before]);
            moved.or_else(|| releases.named(&member.text.value))
        });
    }

    fn set_releases(&mut self, find: impl Fn(&ListedVersion) -> Option<ReleaseId>) {
        for member in self.versions.iter_mut().chain(&mut self.tombstones) {
            member.release = find(member).filter(|_| member.version.is_some());
        }
        self.releases = self.versions.iter().filter_map(|member| member.release).collect();
        self.releases.sort_unstable();
        self.releases.dedup();
    }

    /// Whether it contains a release.
    pub fn holds(&self, release: ReleaseId) -> bool {
        self.releases.binary_search(&release).is_ok()
    }

    /// Those of some releases, oldest first, that it does not contain.
    pub(crate) fn lacking(&self, releases: &[ReleaseId]) -> impl Iterator<Item = ReleaseId> {
        let mut own = self.releases.iter().peekable();
        releases.iter().copied().filter(move |release| {
            while own.next_if(|own| *own < release).is_some() {}
            own.peek() != Some(&release)
        })
    }

    /// The name of the channel or, without one, of its file.
    pub fn name(&self) -> &str {
        self.name.as_ref().map_or(&self.stem, |name| &name.value)
    }

    /// The parts of the name: phase and minor.
    pub fn parts(&self) -> Option<ChannelName<'_>> {
        ChannelName::parse(self.name())
    }
}
