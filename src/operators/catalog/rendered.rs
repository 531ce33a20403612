//! What `opm render` prints for the images that templates name.

use crate::domain::HashMap;

use super::declared::{BundleBlob, Declared};

/// Bundles by their images.
#[derive(Clone, Debug, Default)]
pub(super) struct Rendered(HashMap<String, BundleBlob>);

impl Rendered {
    /// The first bundle of each image counts.
    pub(super) fn add(&mut self, declared: &Declared) {
        for bundle in declared.bundles.iter().filter(|bundle| !bundle.image.value.is_empty()) {
            self.0.entry(bundle.image.value.clone()).or_insert_with(|| bundle.clone());
        }
    }

    pub(super) fn bundle(&self, image: &str) -> Option<&BundleBlob> {
        self.0.get(image)
    }
}
