//! The channels that a semver template makes, as opm links them.

use std::collections::{BTreeMap, BTreeSet};

use crate::text::{Span, Spanned};

use super::super::super::declared::{ChannelBlob, EntryBlob, Text};
use crate::go::semver::Version;

/// The most skips of a template. Each minor version skips all lower versions, so the skips can grow
/// quadratically.
const MOST_SKIPS: usize = 1_000_000;

/// What the versions of a channel have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChannelKind {
    Major,
    Minor,
}

/// A bundle of `Candidate`, `Fast`, or `Stable`.
pub(super) struct TemplateBundle {
    pub name: String,
    pub version: Version,
    /// The place of its image.
    pub span: Span,
}

/// The default channel, and what decides that it is.
struct DefaultChannel {
    name: String,
    /// The rank of its archetype.
    rank: usize,
    /// Its lowest version.
    lowest: Version,
    kind: ChannelKind,
}

/// `Candidate`, `Fast`, or `Stable`.
#[derive(Clone, Copy)]
pub(super) struct Archetype {
    /// Higher ones are more stable.
    pub rank: usize,
    pub name: &'static str,
}

/// The channels of one package while they are made, from `Candidate` to `Stable`.
pub(super) struct Generator {
    pub package: Text,
    pub kinds: Vec<ChannelKind>,
    /// The kind of the default channel.
    pub preferred: ChannelKind,
    pub channels: BTreeMap<String, ChannelBlob>,
    /// The default channel so far.
    default_channel: Option<DefaultChannel>,
    skips: usize,
    /// Whether some skips are omitted.
    pub is_too_large: bool,
}

impl Generator {
    pub(super) fn new(package: Text, kinds: Vec<ChannelKind>, preferred: ChannelKind) -> Self {
        Self {
            package,
            kinds,
            preferred,
            channels: BTreeMap::new(),
            default_channel: None,
            skips: 0,
            is_too_large: false,
        }
    }

    /// The name of the default channel.
    pub(super) fn default_channel(&self) -> Option<&str> {
        self.default_channel.as_ref().map(|channel| channel.name.as_str())
    }

    /// Adds the channels of an archetype. The members are sorted by version.
    pub(super) fn add(&mut self, archetype: Archetype, members: &[TemplateBundle]) {
        let is_same_major =
            |a: &TemplateBundle, b: &TemplateBundle| a.version.major() == b.version.major();
        for major in members.chunk_by(is_same_major) {
            let mut lower: BTreeSet<&str> = BTreeSet::new();
            let mut replaces: Option<&str> = None;
            let is_same_minor =
                |a: &TemplateBundle, b: &TemplateBundle| a.version.minor() == b.version.minor();
            for minor in major.chunk_by(is_same_minor) {
                let Some((highest, others)) = minor.split_last() else { continue };
                for member in others {
                    self.push(archetype, member, None, &BTreeSet::new());
                    lower.insert(&member.name);
                }
                self.push(archetype, highest, replaces, &lower);
                lower.insert(&highest.name);
                replaces = Some(&highest.name);
            }
        }
    }

    fn push(
        &mut self,
        archetype: Archetype,
        member: &TemplateBundle,
        replaces: Option<&str>,
        lower: &BTreeSet<&str>,
    ) {
        let Archetype { rank, name: archetype } = archetype;
        let at = |text: &str| Spanned { value: text.to_owned(), span: member.span };
        for kind in self.kinds.clone() {
            let (major, minor) = (member.version.major(), member.version.minor());
            let name = match kind {
                ChannelKind::Major => format!("{archetype}-v{major}"),
                ChannelKind::Minor => format!("{archetype}-v{major}.{minor}"),
            };
            if !self.channels.contains_key(&name) {
                self.consider(rank, kind, &name, &member.version);
            }
            self.skips += lower.len();
            self.is_too_large |= self.skips > MOST_SKIPS;
            let skipped =
                lower.iter().filter(|name| !self.is_too_large && Some(**name) != replaces);
            let entry = EntryBlob {
                span: member.span,
                name: at(&member.name),
                replaces: at(replaces.unwrap_or_default()),
                skips: skipped.map(|name| at(name)).collect(),
                skips_at: None,
                skip_range: at(""),
            };
            let channel = self.channels.entry(name.clone()).or_insert_with(|| ChannelBlob {
                span: member.span,
                package: self.package.clone(),
                name: at(&name),
                entries: Vec::new(),
                is_inferred: true,
            });
            channel.entries.push(entry);
        }
    }

    /// Makes a new channel the default if it ranks higher: by archetype, then by lowest version,
    /// then by preferred kind. opm ignores versions below 0.0.0.
    fn consider(&mut self, rank: usize, kind: ChannelKind, name: &str, version: &Version) {
        let is_better = match &self.default_channel {
            None => rank > 0 || version.precedence(&Version::default()).is_ge(),
            Some(best) => {
                let order = rank.cmp(&best.rank).then_with(|| version.precedence(&best.lowest));
                order.is_gt() || order.is_eq() && kind != best.kind && kind == self.preferred
            }
        };
        if is_better {
            let (name, lowest) = (name.to_owned(), version.clone());
            self.default_channel = Some(DefaultChannel { name, rank, lowest, kind });
        }
    }
}
