//! Writes the result of substitutions into the files of a catalog.

use std::collections::BTreeMap;

use crate::catalog::declared::{BundleBlob, Declared};
use crate::catalog::package::{CatalogChannel, Entry};
use crate::catalog::{Loaded, Loading, Places, document_as_json};
use crate::domain::HashSet;
use crate::edit;
use crate::text::{Condensed, Edit, Failure, Fix, SourceId};
use crate::tree::read_text_up_to;

use super::super::ChangedFile;
use super::Substituted;
use super::comparison::{Wanted, is_as_wanted, name_of};

/// The size of the largest file that is rewritten.
const LARGEST: u64 = 1 << 30;

const STYLE: &str = "exitpath does not know how to edit a file that is written like this";

impl Substituted {
    /// The files with the results of the substitutions.
    pub(crate) fn rewritten(&self) -> Result<Vec<ChangedFile>, Failure> {
        if let Some((image, _)) = self.images.iter().find(|(_, (_, is_guessed))| *is_guessed) {
            let what = format!("the bundle in the image {image} is only guessed from its tag");
            let hint = format!("add what `opm render {image}` prints: `--rendered FILE`");
            return Err(Failure::new(what).hint(&hint));
        }
        let places = Places::of(&self.alone);
        let mut wanted: BTreeMap<SourceId, Wanted<'_>> = BTreeMap::new();
        for package in &self.packages {
            for (before, after) in package.channels() {
                let name = package.before.name.as_str();
                let Some(blob) = places.channel(name, &before.name) else { continue };
                if is_different(before, after) {
                    let of_file = wanted.entry(blob.span.source).or_default();
                    of_file.insert((name, &after.name), after);
                }
            }
        }
        let templates = self.alone.substitutions.iter().map(|one| one.span.source);
        for id in templates {
            wanted.entry(id).or_default();
        }
        wanted.iter().map(|(id, wanted)| self.rewritten_file(*id, wanted)).collect()
    }

    fn rewritten_file(&self, id: SourceId, wanted: &Wanted<'_>) -> Result<ChangedFile, Failure> {
        let path = self.loaded.sources.path(id).to_owned();
        let shown = format!("{}{path}", self.catalogs.prefix);
        let refused = |why: &str| {
            let hint = "`--format channels` prints the channels as they should be";
            Failure::new(format!("cannot rewrite {shown}: {why}")).hint(hint)
        };
        if path == "<stdin>" {
            return Err(refused("standard input cannot be written"));
        }
        let file = self.catalogs.root.join(&path);
        let old = read_text_up_to(&file, LARGEST).map_err(|why| refused(&why.to_string()))?;
        let old = old.ok_or_else(|| refused("it is gone"))?;
        let before = whole(&path, &old);
        let declared = declared(&before);
        let known: HashSet<(&str, &str)> = declared.channels.iter().map(name_of).collect();
        if wanted.keys().any(|name| !known.contains(name)) {
            return Err(refused(
                "its channels are made of the folders of bundles, which are published and cannot \
                 change",
            ));
        }
        if !declared.faults.is_empty() {
            return Err(refused("opm cannot read all of it; `exitpath catalog check` says why"));
        }
        let edits = self.edits(&before, wanted, id).ok_or_else(|| refused(STYLE))?;
        let fix = Fix { message: String::new(), edits };
        let (mut texts, _) = edit::apply(&before.sources, [&fix]);
        let Some(new) = texts.remove(&SourceId::at(0)) else { return Err(refused(STYLE)) };
        let added = self.added_bundles(id);
        if !is_as_wanted(declared, self::declared(&whole(&path, &new)), wanted, &added) {
            return Err(refused(STYLE));
        }
        Ok(ChangedFile { path: shown, file, old, new })
    }

    /// The edits of a file, which is read completely.
    fn edits(&self, file: &Loaded, wanted: &Wanted<'_>, id: SourceId) -> Option<Vec<Edit>> {
        let source = file.sources.get(SourceId::at(0));
        let mut edits = Vec::new();
        let mut seen = HashSet::default();
        for blob in &declared(file).channels {
            let name = name_of(blob);
            if let Some(channel) = wanted.get(&name).filter(|_| seen.insert(name)) {
                edits.extend(edit::entry_edits(blob, channel, source)?);
            }
        }
        if self.alone.substitutions.iter().any(|one| one.span.source == id) {
            let added = self.added_bundles(id);
            let bundles: Option<Vec<String>> =
                added.iter().map(|bundle| self.bundle_as_json(bundle)).collect();
            edits.extend(edit::template_edits(source, SourceId::at(0), bundles?)?);
        }
        Some(edits)
    }

    /// The bundles of the images in a template, in its order.
    fn added_bundles(&self, id: SourceId) -> Vec<&BundleBlob> {
        let substitutions = self.alone.substitutions.iter().filter(|one| one.span.source == id);
        let bundle = |image: &String| self.images.get(image).map(|(bundle, _)| bundle);
        substitutions.filter_map(|one| bundle(&one.image.value)).collect()
    }

    /// A rendered bundle as it is in its file, complete with its bulk.
    fn bundle_as_json(&self, bundle: &BundleBlob) -> Option<String> {
        let path = self.loaded.sources.path(bundle.span.source).to_owned();
        let text = read_text_up_to(&self.catalogs.root.join(&path), LARGEST).ok()??;
        let file = whole(&path, &text);
        let image = |blob: &&BundleBlob| blob.image.value == bundle.image.value;
        let blob = declared(&file).bundles.iter().find(image)?;
        let json = document_as_json(file.sources.get(SourceId::at(0)), blob.span)?;
        Some(json.to_string())
    }
}

fn is_different(before: &CatalogChannel, after: &CatalogChannel) -> bool {
    let edges = |entry: &Entry| (entry.replaces.clone(), entry.skips.clone());
    before.entries.len() != after.entries.len()
        || before.entries.iter().zip(&after.entries).any(|(old, new)| edges(old) != edges(new))
}

/// Reads a file completely, with its bulk.
fn whole(path: &str, text: &str) -> Loaded {
    let mut loading = Loading::default();
    loading
        .add("", &[path], |_| Ok(Condensed { bytes: text.as_bytes().to_vec(), cuts: Vec::new() }));
    loading.finish()
}

fn declared(loaded: &Loaded) -> &Declared {
    static NOTHING: std::sync::LazyLock<Declared> = std::sync::LazyLock::new(Declared::default);
    loaded.catalogs.first().map_or(&NOTHING, |catalog| &catalog.declared)
}
