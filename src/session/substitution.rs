//! Reads a catalog or a template with substitutions, and writes their result into its files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::catalog::declared::{BundleBlob, ChannelBlob, Declared, EntryBlob};
use crate::catalog::package::{Channel, Entry};
use crate::catalog::substitution::{Fault, Requests, SubstitutedPackage, like_opm, template_fault};
use crate::catalog::{
    Loaded, Loading, Package, Places, document_as_json, first_schema, guessed_bundle, packages,
};
use crate::edit;
use crate::rules::{Edit, Fix};
use crate::text::words::counted;
use crate::text::{Condensed, SourceId};
use crate::tree::read_text_up_to;

use super::{Catalogs, ChangedFile, Failure, Note};

/// What to substitute in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SubstitutionRequest<'r> {
    pub catalog: &'r Path,
    /// Files with the bundles of images that a template names.
    pub rendered: &'r [PathBuf],
    pub revision: Option<&'r str>,
}

/// A catalog with its substitutions.
#[derive(Debug)]
pub(crate) struct Substituted {
    /// The first catalog has all bundles. The others are what was rendered.
    pub loaded: Loaded,
    pub packages: Vec<SubstitutedPackage>,
    pub faults: Vec<Fault>,
    pub notes: Vec<Note>,
    catalogs: Catalogs,
    /// The catalog without the bundles of images.
    alone: Declared,
    /// The bundles of images, and whether they are guessed.
    images: HashMap<String, (BundleBlob, bool)>,
}

/// Larger files are not rewritten.
const LARGEST: u64 = 1 << 30;

impl Substituted {
    pub(crate) fn read(request: SubstitutionRequest<'_>) -> Result<Self, Failure> {
        let path = request.catalog.to_owned();
        let catalogs = Catalogs::open(&[path], request.revision.is_some())?;
        let read = catalogs.read_with(request.revision, request.rendered)?;
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
            if requests.is_empty() {
                return Err(nothing());
            }
            packages = SubstitutedPackage::of(&catalog.declared, &requests);
            faults = requests.faults;
        }
        Ok(Self { loaded, packages, faults, notes, catalogs, alone, images })
    }

    /// Whether a template asks for the substitutions.
    pub(crate) fn is_template(&self) -> bool {
        !self.alone.substitutions.is_empty()
    }

    /// What opm makes of a template, or what it says.
    pub(crate) fn of_opm(&self) -> Result<Vec<Package>, String> {
        if !self.is_template() {
            let source = self.loaded.catalogs.first().and_then(|catalog| catalog.files.first());
            let schema = source.and_then(|id| first_schema(self.loaded.sources.get(*id)));
            if let Some(words) = template_fault(schema.as_deref()) {
                return Err(words);
            }
        }
        let images = self.images.iter();
        let images = images.map(|(image, (bundle, _))| (image.clone(), bundle.clone())).collect();
        like_opm(self.alone.clone(), images).map(|declared| packages(&declared))
    }

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
            return Err(refused("standard input is no file"));
        }
        let file = self.catalogs.root.join(&path);
        let old = read_text_up_to(&file, LARGEST).map_err(|why| refused(&why))?;
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

    /// The edits of a file that is read as a whole.
    fn edits(&self, file: &Loaded, wanted: &Wanted<'_>, id: SourceId) -> Option<Vec<Edit>> {
        let source = file.sources.get(SourceId::at(0));
        let mut edits = Vec::new();
        let mut seen = HashSet::new();
        for blob in &declared(file).channels {
            let name = name_of(blob);
            if let Some(channel) = wanted.get(&name).filter(|_| seen.insert(name)) {
                edits.extend(edit::entry_edits(blob, channel, source));
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

    /// The bundles of the images that a template names, in its order.
    fn added_bundles(&self, id: SourceId) -> Vec<&BundleBlob> {
        let substitutions = self.alone.substitutions.iter().filter(|one| one.span.source == id);
        let bundle = |image: &String| self.images.get(image).map(|(bundle, _)| bundle);
        substitutions.filter_map(|one| bundle(&one.image.value)).collect()
    }

    /// A rendered bundle as it is in its file, with all of its bulk.
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

const STYLE: &str = "exitpath does not know how to edit a file that is written like this";

/// The channels to change, by package and name.
type Wanted<'w> = BTreeMap<(&'w str, &'w str), &'w Channel>;

fn nothing() -> Failure {
    Failure::new("there is nothing to substitute").hint(
        "a rebuild has the annotation `olm.substitutesFor` in its ClusterServiceVersion, or a \
         template lists it in `substitutions`",
    )
}

fn name_of(blob: &ChannelBlob) -> (&str, &str) {
    (&blob.package.value, &blob.name.value)
}

/// The bundle of each image that a template names: rendered, or guessed.
fn images(alone: &Declared, loaded: &Loaded) -> HashMap<String, (BundleBlob, bool)> {
    let rendered = loaded.catalogs.iter().skip(1).flat_map(|catalog| &catalog.declared.bundles);
    let mut by_image: HashMap<&str, &BundleBlob> = HashMap::new();
    for bundle in rendered {
        by_image.entry(&bundle.image.value).or_insert(bundle);
    }
    let bases: HashMap<&str, &BundleBlob> =
        alone.bundles.iter().map(|bundle| (bundle.name.value.as_str(), bundle)).collect();
    let mut images = HashMap::new();
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

fn is_different(before: &Channel, after: &Channel) -> bool {
    let edges = |entry: &Entry| (entry.replaces.clone(), entry.skips.clone());
    before.entries.len() != after.entries.len()
        || before.entries.iter().zip(&after.entries).any(|(old, new)| edges(old) != edges(new))
}

/// A file with all of its bulk.
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

/// Whether a rewritten file says what is wanted, and nothing else is different.
fn is_as_wanted(
    before: &Declared,
    after: &Declared,
    wanted: &Wanted<'_>,
    added: &[&BundleBlob],
) -> bool {
    let bundles = |all: &[BundleBlob]| -> Vec<String> { all.iter().map(without_places).collect() };
    let mut expected = bundles(&before.bundles);
    expected.extend(added.iter().map(|bundle| without_places(bundle)));
    let others = |declared: &Declared| {
        let packages = declared.packages.iter();
        let packages: Vec<_> = packages
            .map(|blob| (blob.name.value.clone(), blob.default_channel.value.clone()))
            .collect();
        let (faults, oddities) = (declared.faults.len(), declared.oddities.len());
        (packages, declared.deprecations.len(), declared.others, faults, oddities)
    };
    let channels = before.channels.iter().zip(&after.channels);
    before.channels.len() == after.channels.len()
        && channels.into_iter().all(|(old, new)| {
            let expected = wanted.get(&name_of(old));
            let expected =
                expected.map_or_else(|| lines(old), |channel| expected_lines(old, channel));
            name_of(old) == name_of(new) && lines(new) == expected
        })
        && bundles(&after.bundles) == expected
        && others(before) == others(after)
        && after.substitutions.is_empty()
}

fn without_places(bundle: &BundleBlob) -> String {
    let properties = bundle.properties.iter().map(|property| &property.kind.value);
    let properties: Vec<&String> = properties.collect();
    let (package, name, image) = (&bundle.package.value, &bundle.name.value, &bundle.image.value);
    format!("{package} {name} {image} {} {properties:?}", bundle.related_images.len())
}

/// An entry: its name, `replaces`, `skips` in a fixed order, and `skipRange`.
type Line<'l> = (&'l str, &'l str, Vec<&'l str>, &'l str);

fn lines(blob: &ChannelBlob) -> Vec<Line<'_>> {
    blob.entries.iter().map(line).collect()
}

fn line(entry: &EntryBlob) -> Line<'_> {
    let mut skips: Vec<&str> = entry.skips.iter().map(|skip| skip.value.as_str()).collect();
    skips.sort_unstable();
    (&entry.name.value, &entry.replaces.value, skips, &entry.skip_range.value)
}

/// The entries that a channel should have. A `skipRange` stays as it was written.
fn expected_lines<'l>(old: &'l ChannelBlob, channel: &'l Channel) -> Vec<Line<'l>> {
    let known: HashMap<&str, &str> = old
        .entries
        .iter()
        .map(|entry| (entry.name.value.as_str(), entry.skip_range.value.as_str()))
        .collect();
    let line = |entry: &'l Entry| -> Line<'l> {
        let mut skips: Vec<&str> = entry.skips.iter().map(String::as_str).collect();
        skips.sort_unstable();
        let own = || entry.skip_range.as_ref().map_or("", |range| range.text());
        let range = known.get(entry.name.as_str()).copied().unwrap_or_else(own);
        (&entry.name, &entry.replaces, skips, range)
    };
    channel.entries.iter().map(line).collect()
}
