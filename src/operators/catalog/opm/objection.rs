//! One thing that opm says against a catalog.

use crate::text::Span;

use super::super::declared::{LoadCause, LoadFault};

/// An objection, with its place and opm's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    pub span: Span,
    /// Other places that belong to the objection.
    pub related: Vec<Span>,
    pub kind: ObjectionKind,
    /// What opm says. None if opm does not object.
    pub words: Option<String>,
    /// The stage at which opm objects.
    pub(super) stage: OpmStage,
    /// Who objects: opm, exitpath, or both.
    pub(super) voice: Objector,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OpmStage {
    /// opm reports it while it loads files.
    Loading,
    /// opm reports it while it builds the model. The first such objection ends the run.
    Conversion,
    /// opm reports it below these headings while it validates the model.
    Index(Vec<String>),
}

/// Who objects. opm misses some faults, and notices others only by their consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Objector {
    Both,
    OnlyOpm,
    OnlyOurs,
    Nobody,
}

/// The kind of document that something belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    Package,
    Channel,
    Bundle,
    Deprecation,
}

/// What is wrong. The names are those in the catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectionKind {
    /// A file that opm cannot load.
    Load(LoadCause),
    /// A document or entry without a name.
    Nameless(Owner),
    /// An entry of a channel without a name.
    NamelessEntry,
    /// A second document, or a second entry of a channel, with the same name. The related place is
    /// the first.
    Duplicate { what: &'static str, name: String },
    /// A package name that is not a DNS label.
    PackageName(String),
    /// A document without a package.
    WithoutPackage(Owner),
    /// A document of a package that does not exist.
    UnknownPackage { owner: Owner, package: String },
    /// A property whose value has the wrong type: the type of the property, and the reason.
    PropertyValue { property: String, cause: LoadCause },
    /// Not exactly one property `olm.package`.
    PackageProperties(usize),
    /// The property `olm.package` names another package.
    OtherPackage { package: String, named: String },
    /// Not a pull spec.
    Image { image: String, why: String },
    /// Neither an image nor bundle objects.
    NoImage,
    /// Not a version.
    Version { version: String, why: String },
    /// Not a release.
    Release { release: String, why: String },
    /// Build metadata together with a release.
    BuildAndRelease,
    /// The name of a bundle with a release does not say the release.
    Name { name: String, normalized: String },
    /// A bundle that no channel has.
    Unlisted(String),
    /// An entry without a bundle.
    NoBundle(String),
    /// The default channel does not exist.
    UnknownDefaultChannel { channel: String, channels: Vec<String> },
    /// There is no default channel.
    NoDefaultChannel,
    /// A package without channels.
    NoChannels,
    /// A channel without entries.
    EmptyChannel(String),
    /// Bundles with the same version.
    DuplicateVersion { version: String, bundles: Vec<String> },
    /// A channel without a head.
    NoHead(String),
    /// A channel with several heads.
    Heads { channel: String, heads: Vec<String> },
    /// The chain of a channel is a circle. The first entry is also the last.
    Cycle { channel: String, entries: Vec<String> },
    /// Entries that the chain from the head does not reach, and that nothing skips.
    Stranded { channel: String, entries: Vec<String> },
    /// An empty text among the skips.
    EmptySkip,
    /// A range that OLM cannot read.
    SkipRange { range: String, why: String },
    /// A deprecation without a schema.
    DeprecationSchema,
    /// A deprecation of a schema that cannot be deprecated.
    UnknownDeprecationSchema(String),
    /// A deprecation of something that does not exist.
    UnknownDeprecated { owner: Owner, name: String },
    /// The deprecation of a package with a name in it.
    DeprecatedPackageName(String),
    /// A deprecation without a message.
    DeprecationMessage,
}

/// One sentence of opm can be several objections here. They get opm's words only if the sentence
/// names at most this many.
pub(super) const MOST_NAMED: usize = 100;

impl Objection {
    pub(super) fn loading(fault: &LoadFault) -> Self {
        let LoadFault { span, cause, words } = fault.clone();
        let (kind, stage) = (ObjectionKind::Load(cause), OpmStage::Loading);
        let words = Some(words);
        Self { span, related: Vec::new(), kind, words, stage, voice: Objector::Both }
    }

    pub(super) fn conversion(
        span: Span,
        kind: ObjectionKind,
        words: impl Into<Option<String>>,
    ) -> Self {
        let words = words.into();
        let stage = OpmStage::Conversion;
        Self { span, related: Vec::new(), kind, words, stage, voice: Objector::Both }
    }

    pub(super) fn index(
        span: Span,
        kind: ObjectionKind,
        words: impl Into<Option<String>>,
        headings: &[String],
    ) -> Self {
        let words = words.into();
        let stage = OpmStage::Index(headings.to_vec());
        Self { span, related: Vec::new(), kind, words, stage, voice: Objector::Both }
    }

    pub(super) fn with_related(mut self, related: impl IntoIterator<Item = Span>) -> Self {
        self.related.extend(related);
        self
    }

    pub(super) fn only_ours(mut self) -> Self {
        self.voice = Objector::OnlyOurs;
        self
    }

    pub(super) fn only_opm(mut self) -> Self {
        self.voice = Objector::OnlyOpm;
        self
    }

    /// Whether it deserves a finding of its own. If not, another objection explains it.
    pub fn is_meant(&self) -> bool {
        matches!(self.voice, Objector::Both | Objector::OnlyOurs)
    }

    /// What opm says about it, if opm notices it.
    pub fn said(&self) -> Option<&str> {
        self.words.as_deref()
    }

    /// Marks it as a consequence of another objection.
    pub(super) fn hide(&mut self) {
        self.voice = match self.voice {
            Objector::Both | Objector::OnlyOpm => Objector::OnlyOpm,
            Objector::OnlyOurs | Objector::Nobody => Objector::Nobody,
        };
    }

    pub(super) fn is_nobodys(&self) -> bool {
        self.voice == Objector::Nobody
    }
}
