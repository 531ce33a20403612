//! The manifests of a release.

use super::manifest::{Manifest, ManifestId};
use crate::domain::Arena;
use crate::text::{Sources, Span};

/// The manifests of a release that one kind of cluster applies.
#[derive(Debug, Default)]
pub struct Payload {
    pub version: Option<String>,
    /// The version in the list of images.
    pub version_of_images: Option<String>,
    /// In the order of the operator.
    pub manifests: Arena<ManifestId, Manifest>,
    /// How many manifests other kinds of clusters apply.
    pub omitted: usize,
    pub unread: Vec<Unread>,
    pub sources: Sources,
}

/// A file that cannot be read.
#[derive(Clone, Debug)]
pub struct Unread {
    pub at: Span,
    pub why: String,
}

impl Payload {
    /// The manifests of ClusterOperators, in order.
    pub fn operators(&self) -> impl Iterator<Item = (ManifestId, &Manifest)> {
        self.manifests.entries().filter(|(_, manifest)| manifest.is_waited_for())
    }
}
