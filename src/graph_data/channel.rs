//! A channel: which releases are served where.

use crate::domain::ChannelName;
use crate::domain::version::{self, Version};
use crate::text::{SourceId, Sources, Span};

use super::{DataFile, Kind, Location, ReleaseId, Releases, Text};

/// One file of `channels/` or `internal-channels/`.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The file.
    pub file: SourceId,
    /// Whether clusters can ask for it.
    pub public: bool,
    /// The file's name without `.yaml`.
    pub stem: String,
    /// The channel's name.
    pub name: Option<Text>,
    /// The members that are written as text, in the order written.
    pub versions: Vec<Member>,
    /// The releases that the members name, oldest first, each once.
    pub releases: Vec<ReleaseId>,
    /// The releases that are never promoted.
    pub tombstones: Vec<Member>,
    /// Where its releases come from.
    pub feeder: Option<Feeder>,
}

/// A version in a list.
#[derive(Clone, Debug)]
pub struct Member {
    /// As written.
    pub text: Text,
    /// As read; none for what is no version.
    pub version: Option<Version>,
    /// The release that it names; none of a tombstone that no channel holds.
    pub release: Option<ReleaseId>,
}

/// What the promotion bot is told.
#[derive(Clone, Debug)]
pub struct Feeder {
    /// The key `feeder`.
    pub key: Span,
    /// The channel that releases come from.
    pub name: Option<Text>,
    /// The pattern that a promoted release's whole version matches.
    pub filter: Option<Text>,
    /// How long a release waits in it before it goes on.
    pub delay: Option<Text>,
    /// Whether it says when a release may be promoted: `delay` or `errata`.
    pub waits: bool,
}

impl Channel {
    pub(super) fn read(file: &DataFile, sources: &Sources) -> Option<Self> {
        if !matches!(file.kind, Kind::Channel | Kind::InternalChannel) {
            return None;
        }
        let document = file.document()?;
        let list = |key| -> Vec<Member> {
            let items = document.top(key).map_or(&[][..], |node| document.items(node));
            let texts = items.iter().filter_map(|item| file.text_of(*item));
            texts
                .map(|text| Member { version: version::parse(&text.value), text, release: None })
                .collect()
        };
        let name = Location::of(sources.get(file.id).path()).name;
        Some(Self {
            file: file.id,
            public: file.kind == Kind::Channel,
            stem: name.strip_suffix(".yaml").unwrap_or(name).to_owned(),
            name: file.text("name"),
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
                    waits: node("delay").or(node("errata")).is_some(),
                }
            }),
        })
    }

    /// Tells each member which release it names.
    pub(super) fn know(&mut self, releases: &Releases) {
        for member in self.versions.iter_mut().chain(&mut self.tombstones) {
            member.release = member.version.as_ref().and_then(|version| releases.find(version));
        }
        self.releases = self.versions.iter().filter_map(|member| member.release).collect();
        self.releases.sort_unstable();
        self.releases.dedup();
    }

    /// Whether some member names a release.
    #[must_use]
    pub fn holds(&self, release: ReleaseId) -> bool {
        self.releases.binary_search(&release).is_ok()
    }

    /// Its name, or its file's where it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_ref().map_or(&self.stem, |name| &name.value)
    }

    /// Its name's parts, if it has the two.
    #[must_use]
    pub fn parts(&self) -> Option<ChannelName<'_>> {
        ChannelName::parse(self.name())
    }
}
