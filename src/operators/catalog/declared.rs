//! What the files of a catalog declare, with places.

use serde_json::Value as Json;

use crate::domain::HashSet;
use crate::text::{Span, Spanned};

use super::package::Gvk;

/// All documents of a catalog, in the order of its files.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    pub packages: Vec<PackageBlob>,
    pub channels: Vec<ChannelBlob>,
    pub bundles: Vec<BundleBlob>,
    pub deprecations: Vec<DeprecationsBlob>,
    /// Documents with schemas that opm does not know.
    pub others: usize,
    /// What opm cannot read.
    pub faults: Vec<LoadFault>,
    /// What opm silently ignores.
    pub oddities: Vec<Oddity>,
    /// Which bundles take the place of which others, as a template says.
    pub substitutions: Vec<Substitution>,
    /// Facts that no file states, but that follow from names and tags.
    pub inferred: Vec<Inferred>,
    /// What templates render to. They count only if no file has documents that opm serves.
    pub(super) templates: Vec<Self>,
}

/// `olm.package`
#[derive(Clone, Debug)]
pub struct PackageBlob {
    pub span: Span,
    pub name: Text,
    pub default_channel: Text,
}

/// `olm.channel`
#[derive(Clone, Debug)]
pub struct ChannelBlob {
    pub span: Span,
    pub package: Text,
    pub name: Text,
    pub entries: Vec<EntryBlob>,
    /// Whether its entries are inferred from the versions or the folders of bundles, so that no
    /// file declares them.
    pub is_inferred: bool,
}

/// An entry of a channel.
#[derive(Clone, Debug)]
pub struct EntryBlob {
    pub span: Span,
    pub name: Text,
    pub replaces: Text,
    pub skips: Vec<Text>,
    /// The value of `skips`, if there is one.
    pub skips_at: Option<Span>,
    pub skip_range: Text,
}

/// `olm.bundle`
#[derive(Clone, Debug)]
pub struct BundleBlob {
    pub span: Span,
    pub package: Text,
    pub name: Text,
    pub image: Text,
    pub related_images: Vec<Text>,
    pub properties: Vec<Property>,
    /// Whether a template has only the image of the bundle. If so, its name and its version, if
    /// any, are inferred, and nothing else is known.
    pub is_inferred: bool,
}

impl BundleBlob {
    /// The name of the bundle that it substitutes for, as its ClusterServiceVersion says.
    pub fn substitutes_for(&self) -> Option<&Text> {
        let bases = self.properties.iter().filter_map(|property| match &property.value {
            PropertyValue::CsvMetadata(csv) | PropertyValue::BundleObject(csv) => {
                csv.substitutes_for.as_ref()
            }
            _ => None,
        });
        bases.into_iter().find(|base| !base.value.is_empty())
    }

    /// The values of `olm.maxOpenShiftVersion`.
    pub fn openshift_limits(&self) -> impl Iterator<Item = &Spanned<Json>> {
        self.properties.iter().filter_map(|property| match &property.value {
            PropertyValue::MaxOpenShift(value) => Some(value),
            _ => None,
        })
    }
}

/// A template's request that a bundle take the place of another one in the update graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Substitution {
    pub span: Span,
    /// The image of the bundle.
    pub image: Text,
    /// The name of the bundle that it substitutes for.
    pub base: Text,
}

/// Something that no file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// The place of the template or the bundle.
    pub span: Span,
    /// What was inferred, and from what, in a sentence without a period.
    pub words: String,
}

/// A property of a bundle.
#[derive(Clone, Debug)]
pub struct Property {
    pub span: Span,
    pub kind: Text,
    pub value: PropertyValue,
    /// Why opm cannot read it.
    pub fault: Option<LoadFault>,
}

#[derive(Clone, Debug)]
pub enum PropertyValue {
    /// `olm.package`
    Package {
        name: Text,
        version: Text,
        release: Text,
    },
    /// `olm.gvk`
    Provides(Gvk),
    /// `olm.gvk.required`
    RequiresGvk(Gvk),
    /// `olm.package.required`
    RequiresPackage {
        name: Text,
        range: Text,
    },
    /// `olm.label`
    Label(String),
    /// `olm.label.required`
    RequiresLabel(String),
    /// `olm.constraint`
    Constraint(Json),
    /// `olm.maxOpenShiftVersion`
    MaxOpenShift(Spanned<Json>),
    /// `olm.csv.metadata`
    CsvMetadata(CsvMetadata),
    /// `olm.bundle.object`
    BundleObject(CsvMetadata),
    /// `olm.deprecated`
    Deprecated,
    Other,
}

/// The parts of a ClusterServiceVersion that resolvers need.
#[derive(Clone, Debug, Default)]
pub struct CsvMetadata {
    /// The annotation `olm.substitutesFor`.
    pub substitutes_for: Option<Text>,
    /// The annotation `olm.skipRange`, which OLM ignores. Read only from `olm.csv.metadata`.
    pub skip_range: Option<Text>,
}

/// `olm.deprecations`
#[derive(Clone, Debug)]
pub struct DeprecationsBlob {
    pub span: Span,
    pub package: Text,
    pub entries: Vec<DeprecationBlob>,
}

#[derive(Clone, Debug)]
pub struct DeprecationBlob {
    pub schema: Text,
    pub name: Text,
    pub message: Text,
}

/// A text, and its place or, if it is absent, that of the value around it. An absent text is empty.
pub type Text = Spanned<String>;

/// Something that makes opm refuse a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadFault {
    pub span: Span,
    pub cause: LoadCause,
    /// What opm says.
    pub words: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadCause {
    /// Neither JSON nor YAML, with the reason.
    Syntax(String),
    /// A document that is not a mapping: what it is instead.
    NotAnObject(&'static str),
    /// A document without `schema`.
    NoSchema,
    /// Two keys of a document that differ only by case.
    RepeatedKey(String),
    /// A value of the wrong type: its key, the expected type, and the type found.
    WrongType { key: String, expected: &'static str, found: &'static str },
    /// A bundle object that is not base64.
    BundleObject,
    /// A file that cannot be read, with the reason.
    Unreadable(String),
    /// What is missing or wrong in a template or a bundle's folder, in a sentence without a period.
    Input(String),
}

/// Something that opm accepts, but that does not do what its author expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oddity {
    pub span: Span,
    pub kind: OddityKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OddityKind {
    /// A key that opm ignores. `owner` is what the key belongs to, and `known` has the keys that
    /// opm reads there. `fitting` has those of them that are absent and can have this value.
    UnknownKey {
        key: String,
        owner: &'static str,
        known: &'static [&'static str],
        fitting: Vec<&'static str>,
    },
    /// A key that occurs twice in its mapping.
    RepeatedKey,
    /// A schema that differs from a known one only by case or a typo.
    UnknownSchema { schema: String },
}

/// Whether a place is inside another.
pub(crate) fn is_within(inner: Span, outer: Span) -> bool {
    inner.source == outer.source && outer.start <= inner.start && inner.end <= outer.end
}

/// The document around a place. The documents must be sorted by place.
fn around<B>(blobs: &[B], span: fn(&B) -> Span, place: Span) -> Option<&B> {
    let begins_before = |blob: &B| {
        let document = span(blob);
        (document.source, document.start) <= (place.source, place.start)
    };
    let last = blobs.partition_point(begins_before).checked_sub(1)?;
    blobs.get(last).filter(|blob| is_within(place, span(blob)))
}

impl Declared {
    /// The package document around a place.
    pub fn package_around(&self, place: Span) -> Option<&PackageBlob> {
        around(&self.packages, |blob| blob.span, place)
    }

    /// The channel document around a place.
    pub fn channel_around(&self, place: Span) -> Option<&ChannelBlob> {
        around(&self.channels, |blob| blob.span, place)
    }

    /// The bundle document around a place.
    pub fn bundle_around(&self, place: Span) -> Option<&BundleBlob> {
        around(&self.bundles, |blob| blob.span, place)
    }

    /// The deprecations document around a place.
    pub fn deprecations_around(&self, place: Span) -> Option<&DeprecationsBlob> {
        around(&self.deprecations, |blob| blob.span, place)
    }

    /// The place of any document around a place.
    pub fn document_around(&self, place: Span) -> Option<Span> {
        let package = self.package_around(place).map(|blob| blob.span);
        let channel = || self.channel_around(place).map(|blob| blob.span);
        let bundle = || self.bundle_around(place).map(|blob| blob.span);
        let deprecations = || self.deprecations_around(place).map(|blob| blob.span);
        package.or_else(channel).or_else(bundle).or_else(deprecations)
    }

    /// Adds the documents of another file.
    pub(super) fn append(&mut self, mut other: Self) {
        self.packages.append(&mut other.packages);
        self.channels.append(&mut other.channels);
        self.bundles.append(&mut other.bundles);
        self.deprecations.append(&mut other.deprecations);
        self.others += other.others;
        self.faults.append(&mut other.faults);
        self.oddities.append(&mut other.oddities);
        self.substitutions.append(&mut other.substitutions);
        self.inferred.append(&mut other.inferred);
        self.templates.append(&mut other.templates);
    }

    /// Replaces templates by what they render to, unless there are documents that opm serves. If
    /// there are, opm takes templates for documents of unknown schemas.
    pub(super) fn adopt_templates(&mut self) {
        let templates = std::mem::take(&mut self.templates);
        let has_own = !self.packages.is_empty()
            || !self.channels.is_empty()
            || !self.bundles.is_empty()
            || !self.deprecations.is_empty();
        if has_own {
            return;
        }
        for template in templates {
            self.others = self.others.saturating_sub(1);
            self.append(template);
        }
        // Rendered bundles come from other files.
        self.bundles.sort_by_key(|bundle| bundle.span);
        let refused: HashSet<Span> = self.faults.iter().map(|fault| fault.span).collect();
        self.oddities.retain(|oddity| {
            oddity.kind != OddityKind::RepeatedKey || !refused.contains(&oddity.span)
        });
    }
}
