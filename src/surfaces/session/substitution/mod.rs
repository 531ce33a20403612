//! Reads a catalog or a template with substitutions.

mod comparison;
mod rewriting;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::catalog::declared::{BundleBlob, Declared};
use crate::catalog::substitution::{
    Requests, SubstitutedPackage, SubstitutionFault, like_opm, template_fault,
};
use crate::catalog::{Loaded, Package, first_schema, guessed_bundle, packages};
use crate::domain::HashMap;
use crate::go;
use crate::text::Failure;
use crate::text::words::counted;

use super::{Beside, Catalogs, Note};

/// What to substitute, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubstitutionRequest<'r> {
    pub catalog: &'r Path,
    /// Files with the bundles of images that a template names.
    pub rendered: &'r [PathBuf],
    pub revision: Option<&'r str>,
    /// Whether a catalog without substitutions is acceptable.
    pub can_be_nothing: bool,
}

/// A catalog with its substitutions.
#[derive(Debug)]
pub(crate) struct Substituted {
    /// The first catalog has all bundles. The others have the rendered images.
    pub loaded: Loaded,
    pub packages: Vec<SubstitutedPackage>,
    pub faults: Vec<SubstitutionFault>,
    pub notes: Vec<Note>,
    catalogs: Catalogs,
    /// The catalog without the bundles of images.
    alone: Declared,
    /// The bundle of each image, and whether it is guessed.
    images: BTreeMap<String, (BundleBlob, bool)>,
}

impl Substituted {
    pub(crate) fn read(request: SubstitutionRequest<'_>) -> Result<Self, Failure> {
        let path = request.catalog.to_owned();
        let catalogs = Catalogs::open(&[path], request.revision.is_some())?;
        let beside = Beside { with: request.rendered, ..Beside::default() };
        let read = catalogs.read_with(request.revision, beside)?;
        let (mut loaded, mut notes) = (read.loaded, read.notes);
        let alone = loaded.catalogs.first().map(|catalog| catalog.declared.clone());
        let alone = alone.unwrap_or_default();
        let images = images(&alone, &loaded);
        let guessed = images.values().filter(|(_, is_guessed)| *is_guessed).count();
        if guessed > 0 {
            let text = format!(
                "no image is pulled: the names and versions of {} are those in the tags of their \
                 images; `--rendered FILE` adds what `opm render` prints",
                counted(guessed, "bundle")
            );
            notes.push(Note { text, is_important: false });
        }
        let mut added: Vec<BundleBlob> =
            images.values().map(|(bundle, _)| bundle.clone()).collect();
        added.sort_by_key(|bundle| bundle.span);
        let mut packages = Vec::new();
        let mut faults = Vec::new();
        if let Some(catalog) = loaded.catalogs.first_mut() {
            catalog.declared.bundles.append(&mut added);
            let requests = Requests::of(&catalog.declared);
            if requests.is_empty() && !request.can_be_nothing {
                return Err(nothing());
            }
            packages = SubstitutedPackage::of(&catalog.declared, &requests);
            faults = requests.faults;
        }
        Ok(Self { loaded, packages, faults, notes, catalogs, alone, images })
    }

    /// Whether it is a template with substitutions.
    pub(crate) fn is_template(&self) -> bool {
        !self.alone.substitutions.is_empty()
    }

    /// How many substitutions the template requests.
    pub(crate) fn requested(&self) -> usize {
        self.alone.substitutions.len()
    }

    /// The first image in the template whose bundle is unknown.
    pub(crate) fn unknown_image(&self) -> Option<&str> {
        let images = self.alone.substitutions.iter().map(|one| one.image.value.as_str());
        images.filter(|image| !image.is_empty()).find(|image| !self.images.contains_key(*image))
    }

    /// What opm renders for the template. The error is opm's message.
    pub(crate) fn of_opm(&self) -> Result<Vec<Package>, go::Error> {
        if !self.is_template() {
            let source = self.loaded.catalogs.first().and_then(|catalog| catalog.files.first());
            let schema = source.and_then(|id| first_schema(self.loaded.sources.get(*id)));
            if let Some(words) = template_fault(schema.as_deref()) {
                return Err(words.into());
            }
        }
        let images = self.images.iter();
        let images = images.map(|(image, (bundle, _))| (image.clone(), bundle.clone())).collect();
        like_opm(self.alone.clone(), images).map(|declared| packages(&declared))
    }
}

fn nothing() -> Failure {
    Failure::new("there is nothing to substitute").hint(
        "a rebuild has the annotation `olm.substitutesFor` in its ClusterServiceVersion, or a \
         template lists it in `substitutions`",
    )
}

/// The bundle of each image in a template, rendered or guessed.
fn images(alone: &Declared, loaded: &Loaded) -> BTreeMap<String, (BundleBlob, bool)> {
    let rendered = loaded.catalogs.iter().skip(1).flat_map(|catalog| &catalog.declared.bundles);
    let mut by_image: HashMap<&str, &BundleBlob> = HashMap::default();
    for bundle in rendered {
        by_image.entry(&bundle.image.value).or_insert(bundle);
    }
    let bases: HashMap<&str, &BundleBlob> =
        alone.bundles.iter().map(|bundle| (bundle.name.value.as_str(), bundle)).collect();
    let mut images = BTreeMap::new();
    for one in &alone.substitutions {
        let image = &one.image.value;
        let base = bases.get(one.base.value.as_str()).copied();
        let found = by_image.get(image.as_str()).map(|bundle| ((*bundle).clone(), false));
        let guessed = || guessed_bundle(one, base).map(|bundle| (bundle, true));
        if let Some(bundle) = found.or_else(guessed).filter(|_| !image.is_empty()) {
            images.insert(image.clone(), bundle);
        }
    }
    images
}
