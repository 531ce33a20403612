//! opm's model: which entries and bundles belong together. It points into `Declared`.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::HashMap;

use super::super::declared::{BundleBlob, ChannelBlob, Declared, EntryBlob};
use super::super::version::BundleVersion;

/// The packages by name.
#[derive(Debug, Default)]
pub(super) struct Model<'d> {
    pub packages: BTreeMap<&'d str, ModelPackage<'d>>,
}

#[derive(Debug, Default)]
pub(super) struct ModelPackage<'d> {
    /// The index of its document in `Declared`.
    pub blob: usize,
    pub channels: BTreeMap<&'d str, ModelChannel<'d>>,
    /// The declared bundles by name.
    pub bundles: BTreeMap<&'d str, Bundle<'d>>,
    /// The entries of the channel read last.
    pub last_entries: BTreeSet<&'d str>,
    pub deprecation: Option<Deprecation>,
}

#[derive(Debug)]
pub(super) struct ModelChannel<'d> {
    pub blob: &'d ChannelBlob,
    /// By name.
    pub entries: HashMap<&'d str, &'d EntryBlob>,
    pub deprecation: Option<Deprecation>,
}

#[derive(Debug)]
pub(super) struct Bundle<'d> {
    pub blob: &'d BundleBlob,
    pub version: Option<BundleVersion>,
    pub deprecation: Option<Deprecation>,
}

/// Where the message of a deprecation is: the indexes of the document and of the entry in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deprecation(pub usize, pub usize);

impl Deprecation {
    pub(super) fn message(self, declared: &Declared) -> &super::super::declared::Text {
        &declared.deprecations[self.0].entries[self.1].message
    }
}
