//! Finds and reads catalogs of operators, from folders, a revision of folders, or a stream.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::catalog::declared::Inferred;
use crate::catalog::simulation::Published;
use crate::catalog::{Loaded, Loading, NEEDLES, Package, packages};
use crate::domain::HashSet;
use crate::rules::CatalogSubject;
use crate::text::words::{counted, list_all, listed};
use crate::text::{Condensed, Failure, printable};
use crate::tree::{self, Contents, ListedFile};

use super::next_catalogs::{Following, MinorFolder, following};
use super::past_catalogs::PastCatalog;
use super::several_catalogs;
use super::{Note, absolute, working_directory};

/// The catalogs that the command line names.
#[derive(Debug)]
pub(crate) struct Catalogs {
    /// The folder that paths in reports are relative to.
    pub root: PathBuf,
    /// The root relative to the working directory, ending in `/`. Empty if they are the same.
    pub prefix: String,
    inputs: Vec<Input>,
    /// The inputs as people name them.
    names: Vec<String>,
}

/// Files of the work tree that are read in addition to the named catalogs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Beside<'p> {
    /// Other catalogs of the cluster. They are read as catalogs, after the named ones.
    pub with: &'p [PathBuf],
    /// What `opm render` prints for the images of templates.
    pub rendered: &'p [PathBuf],
    /// The catalogs of later versions of OpenShift. They are not checked.
    pub next: &'p [MinorFolder],
}

/// With more paths than this, git lists everything instead.
const MOST_PATHS: usize = 1_000;

#[derive(Clone, Debug)]
enum Input {
    /// A folder, relative to the root and ending in `/`. Empty for the root.
    Folder(String),
    /// One file that is a complete catalog, relative to the root.
    File(String),
    /// Standard input: the output of `opm render`.
    Stream,
}

/// The catalogs of one state of the files, with their packages.
#[derive(Debug)]
pub(crate) struct ReadCatalogs {
    pub loaded: Loaded,
    /// The packages of each catalog.
    pub packages: Vec<Vec<Package>>,
    /// How many catalogs the command line names. They are the first ones.
    pub named: usize,
    /// How many further catalogs of the same cluster there are.
    with: usize,
    /// For each named catalog, the catalog of the next OpenShift.
    following: Vec<Option<Following>>,
    pub notes: Vec<Note>,
}

impl ReadCatalogs {
    /// What rules need to know of each catalog.
    pub(crate) fn subjects(&self) -> Vec<CatalogSubject<'_>> {
        let (own, others) = self.packages.split_at(self.named.min(self.packages.len()));
        let others = others.get(..self.with).unwrap_or(others);
        let catalogs = self.loaded.catalogs.iter().zip(own).zip(&self.following);
        let subjects = catalogs.map(|((catalog, own), following)| {
            let next = following.as_ref().and_then(|one| one.catalog(&self.loaded, &self.packages));
            CatalogSubject::new(catalog, own, others)
                .with_next(next)
                .with_sources(&self.loaded.sources)
        });
        subjects.collect()
    }
}

impl Catalogs {
    /// Opens the catalogs at paths. `-` is standard input.
    pub(crate) fn open(paths: &[PathBuf], has_revision: bool) -> Result<Self, Failure> {
        if paths.iter().any(|path| path.as_os_str().is_empty()) {
            return Err(Failure::new("the path of a catalog is empty"));
        }
        let here = working_directory()?;
        let folders = paths.iter().filter(|path| path.as_os_str() != "-");
        let folders: Vec<PathBuf> = folders.map(|path| absolute(&here, path)).collect();
        let root = common_root(&here, &folders, has_revision);
        let mut inputs = Vec::new();
        for path in paths {
            inputs.push(if path.as_os_str() == "-" {
                Input::Stream
            } else {
                input(&root, path, &absolute(&here, path), has_revision)?
            });
        }
        if inputs.iter().filter(|input| matches!(input, Input::Stream)).count() > 1 {
            return Err(Failure::new("standard input can be read once"));
        }
        let prefix = match root.strip_prefix(&here) {
            Ok(below) if below.as_os_str().is_empty() => String::new(),
            Ok(below) => format!("{}/", below.to_string_lossy()),
            Err(_) => String::new(),
        };
        let names = paths.iter().map(|path| path.display().to_string()).collect();
        Ok(Self { root, prefix, inputs, names })
    }

    /// Splits folders that hold several catalogs into those, with a note about it. None if each
    /// folder is one catalog.
    pub(crate) fn split(&self, read: &ReadCatalogs) -> Option<(Self, Note)> {
        let (mut inputs, mut names, mut split) = (Vec::new(), Vec::new(), Vec::new());
        let all = self.inputs.iter().zip(&self.names).zip(&read.loaded.catalogs);
        for ((input, name), catalog) in all {
            let found = match input {
                Input::Folder(prefix) => several_catalogs::folders(prefix, catalog, &read.loaded),
                Input::File(_) | Input::Stream => Vec::new(),
            };
            let (Input::Folder(prefix), false) = (input, found.is_empty()) else {
                inputs.push(input.clone());
                names.push(name.clone());
                continue;
            };
            let count = counted(found.len(), "catalog");
            split.push(format!("{name} holds {count} ({})", listed(&found, "and")));
            for folder in found {
                names.push(format!("{}/{folder}", name.trim_end_matches('/')));
                inputs.push(Input::Folder(format!("{prefix}{folder}/")));
            }
        }
        let note = Note { text: list_all(&split, "and"), is_important: true };
        let (root, prefix) = (self.root.clone(), self.prefix.clone());
        (!split.is_empty()).then_some((Self { root, prefix, inputs, names }, note))
    }

    /// The prefix of the paths of each catalog, and the shortest name that tells it from the
    /// others.
    pub(crate) fn named(&self) -> impl Iterator<Item = (String, String)> {
        let last = |name: &String| {
            let folder = Path::new(name).file_name();
            folder.map_or_else(|| name.clone(), |folder| folder.to_string_lossy().into_owned())
        };
        let short: Vec<String> = self.names.iter().map(last).collect();
        let is_unique = short.iter().collect::<HashSet<_>>().len() == short.len();
        let names = if is_unique { short } else { self.names.clone() };
        let path = |input: &Input| match input {
            Input::Folder(path) | Input::File(path) => path.clone(),
            Input::Stream => "<stdin>".to_owned(),
        };
        self.inputs.iter().map(path).zip(names)
    }

    /// A note about `exitpath.toml` if the catalogs are in several repositories.
    pub(crate) fn note_on_config(&self, paths: &[PathBuf]) -> Result<Option<Note>, Failure> {
        let here = working_directory()?;
        let folders = paths.iter().filter(|path| path.as_os_str() != "-");
        let roots: BTreeSet<PathBuf> =
            folders.map(|path| root_of(&here, &absolute(&here, path))).collect();
        let ignored = roots.iter().filter(|root| **root != self.root);
        let ignored: Vec<String> = ignored
            .map(|root| root.join("exitpath.toml"))
            .filter(|file| file.is_file())
            .map(|file| file.display().to_string())
            .collect();
        let text = format!(
            "the catalogs are of several repositories, so their settings do not count: {}",
            listed(&ignored, "and")
        );
        Ok((!ignored.is_empty()).then_some(Note { text, is_important: true }))
    }

    /// Whether one of the catalogs is standard input.
    pub(crate) fn has_stream(&self) -> bool {
        self.inputs.iter().any(|input| matches!(input, Input::Stream))
    }

    /// The first catalog without files.
    pub(crate) fn without_files(&self, read: &ReadCatalogs) -> Option<&str> {
        let mut catalogs = self.names.iter().zip(&read.loaded.catalogs);
        catalogs.find(|(_, catalog)| catalog.files.is_empty()).map(|(name, _)| name.as_str())
    }

    /// Reads the catalogs of the work tree or of a revision.
    pub(crate) fn read(&self, revision: Option<&str>) -> Result<ReadCatalogs, Failure> {
        self.read_with(revision, Beside::default())
    }

    /// Reads the catalogs, and additional files of the work tree.
    pub(crate) fn read_with(
        &self,
        revision: Option<&str>,
        beside: Beside<'_>,
    ) -> Result<ReadCatalogs, Failure> {
        self.read_all(revision, beside, &BTreeMap::new())
    }

    /// Reads the catalogs of the work tree, with other texts for some files, by path.
    pub(crate) fn read_edited(
        &self,
        beside: Beside<'_>,
        texts: &BTreeMap<String, String>,
    ) -> Result<ReadCatalogs, Failure> {
        self.read_all(None, beside, texts)
    }

    fn read_all(
        &self,
        revision: Option<&str>,
        beside: Beside<'_>,
        texts: &BTreeMap<String, String>,
    ) -> Result<ReadCatalogs, Failure> {
        let mut notes = Vec::new();
        let (rendered, mut more) = (self.beside(beside.rendered)?, self.beside(beside.with)?);
        let next: Vec<PathBuf> = beside.next.iter().map(|next| next.folder.clone()).collect();
        let following = following(&self.names, beside.next, beside.with.len())?;
        more.extend(self.beside(&next)?);
        let mut listed = self.list_folders(&rendered, &mut notes)?;
        listed.extend(if let Some(revision) = revision {
            self.list_revision(revision)?
        } else {
            let mut files = self.list_folders(&self.inputs, &mut notes)?;
            self.add_unsaved(&mut files, texts);
            files
        });
        listed.extend(self.list_folders(&more, &mut notes)?);
        let files: Vec<ListedFile> = listed.iter().flatten().cloned().collect();
        let contents = Contents::of(&self.root, &files, &NEEDLES);
        let mut loading = Loading::default();
        let mut start = 0;
        let inputs = rendered.iter().chain(&self.inputs).chain(&more);
        for (at, (input, files)) in inputs.zip(&listed).enumerate() {
            if at == rendered.len() {
                loading.take_as_rendered();
            }
            let prefix = match input {
                Input::Stream => {
                    read_stream(&mut loading);
                    continue;
                }
                Input::Folder(folder) => folder,
                Input::File(_) => "",
            };
            let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
            loading.add(prefix, &paths, |at| match edited(texts, prefix, paths[at]) {
                Some(text) => Ok(text),
                None => contents.read(start + at),
            });
            start += files.len();
        }
        let loaded = loading.finish();
        notes.extend(notes_on_inferred(&loaded));
        let packages = loaded.catalogs.iter().map(|catalog| packages(&catalog.declared)).collect();
        let (named, with) = (self.inputs.len(), beside.with.len());
        Ok(ReadCatalogs { loaded, packages, named, with, following, notes })
    }

    /// Finds these folders or files of the work tree.
    fn beside(&self, paths: &[PathBuf]) -> Result<Vec<Input>, Failure> {
        let here = working_directory()?;
        paths.iter().map(|path| more_input(&self.root, path, &absolute(&here, path))).collect()
    }

    /// Lists the files of each input in the work tree.
    fn list_folders(
        &self,
        inputs: &[Input],
        notes: &mut Vec<Note>,
    ) -> Result<Vec<Vec<ListedFile>>, Failure> {
        let mut list = |input: &Input| match input {
            Input::Stream => Ok(Vec::new()),
            Input::Folder(folder) => {
                let (files, links) = tree::files_below(&self.root.join(folder))?;
                notes.extend(note_on_links(folder, &links));
                Ok(files)
            }
            Input::File(file) => Ok(vec![ListedFile::named(&self.root.join(file), file.clone())]),
        };
        inputs.iter().map(&mut list).collect()
    }

    /// Adds the files below the folders that only an editor has yet.
    fn add_unsaved(&self, listed: &mut [Vec<ListedFile>], texts: &BTreeMap<String, String>) {
        for (input, files) in self.inputs.iter().zip(listed) {
            let Input::Folder(folder) = input else { continue };
            for path in texts.keys().filter_map(|path| path.strip_prefix(folder.as_str())) {
                if files.iter().all(|file| file.path != path) {
                    let on_disk = self.root.join(folder).join(path);
                    files.push(ListedFile::named(&on_disk, path.to_owned()));
                }
            }
        }
    }

    /// Lists the files of each input at a revision.
    fn list_revision(&self, revision: &str) -> Result<Vec<Vec<ListedFile>>, Failure> {
        let paths = self.inputs.iter().filter_map(Input::path_for_git);
        let mut paths: Vec<&str> = paths.collect();
        // The length of a command line is limited.
        if paths.len() > MOST_PATHS {
            paths = vec!["."];
        }
        if paths.is_empty() {
            return Ok(self.inputs.iter().map(|_| Vec::new()).collect());
        }
        let files = tree::files_of_revision(&self.root, revision, &paths)?;
        let of_input = |input: &Input| match input {
            Input::Stream => Vec::new(),
            Input::Folder(folder) => files.iter().filter_map(|file| file.below(folder)).collect(),
            Input::File(path) => files.iter().filter(|file| file.path == *path).cloned().collect(),
        };
        Ok(self.inputs.iter().map(of_input).collect())
    }

    /// Reads the catalogs at the merge base of two revisions.
    pub(crate) fn read_base(
        &self,
        base: &str,
        revision: Option<&str>,
        beside: Beside<'_>,
    ) -> Result<ReadCatalogs, Failure> {
        let base = tree::base(&self.root, base, revision)?;
        self.read_with(Some(&base.commit), beside)
    }

    /// Everything that earlier revisions published: at the merge base with `base`, and in the whole
    /// history.
    pub(crate) fn published(
        &self,
        base: Option<&str>,
        has_history: bool,
        revision: Option<&str>,
    ) -> Result<(Published, Vec<Note>), Failure> {
        let (mut published, mut missing) = (Published::default(), Vec::new());
        if let Some(base) = base {
            for catalog in &self.read_base(base, revision, Beside::default())?.loaded.catalogs {
                published.add(&catalog.declared);
            }
        }
        if has_history {
            for input in &self.inputs {
                let (Input::Folder(path) | Input::File(path)) = input else { continue };
                let past = PastCatalog { root: &self.root, revision, path };
                let files = past.publish(&mut published)?;
                missing.extend(files.into_iter().map(|file| format!("{path}{file}")));
            }
        }
        Ok((published, note_on_missing(&missing).into_iter().collect()))
    }
}

impl Input {
    /// The path that git lists. None for a stream.
    fn path_for_git(&self) -> Option<&str> {
        match self {
            Self::Stream => None,
            Self::Folder(folder) if folder.is_empty() => Some("."),
            Self::Folder(path) | Self::File(path) => Some(path),
        }
    }
}

fn read_stream(loading: &mut Loading) {
    let text = tree::condense(std::io::stdin().lock().by_ref(), &NEEDLES);
    loading.add("", &["<stdin>"], |_| text.clone());
}

/// The edited text of a file, complete with its bulk. None if the file is not edited.
fn edited(texts: &BTreeMap<String, String>, prefix: &str, path: &str) -> Option<Condensed> {
    if texts.is_empty() {
        return None;
    }
    let text = texts.get(&format!("{prefix}{path}"))?;
    Some(Condensed { bytes: text.clone().into_bytes(), cuts: Vec::new() })
}

/// The folder of a catalog relative to the root.
fn input(root: &Path, shown: &Path, path: &Path, has_revision: bool) -> Result<Input, Failure> {
    let failed = |why: &str| Failure::new(format!("{} {why}", shown.display()));
    let relative = path
        .strip_prefix(root)
        .map_err(|_| failed("belongs to another repository").hint("check one after the other"))?;
    let relative = relative.to_string_lossy().replace('\\', "/");
    match path.metadata() {
        Ok(meta) if meta.is_dir() && relative.is_empty() => Ok(Input::Folder(String::new())),
        Ok(meta) if meta.is_dir() => Ok(Input::Folder(format!("{relative}/"))),
        Ok(meta) if meta.is_file() => Ok(Input::File(relative)),
        Ok(_) => Err(failed("is neither a folder nor a file")),
        Err(_) if has_revision => Ok(Input::Folder(format!("{relative}/"))),
        Err(_) => Err(Failure::new(format!("there is no folder {}", shown.display()))),
    }
}

/// A folder or a file with more bundles. It may be outside the root.
fn more_input(root: &Path, shown: &Path, path: &Path) -> Result<Input, Failure> {
    let failed = |why: &str| Failure::new(format!("{} {why}", shown.display()));
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    match path.metadata() {
        Ok(meta) if meta.is_dir() => Ok(Input::Folder(format!("{name}/"))),
        Ok(meta) if meta.is_file() => Ok(Input::File(name)),
        Ok(_) => Err(failed("is neither a folder nor a file")),
        Err(_) => Err(failed("does not exist")),
    }
}

/// The root of the first catalog or, if the catalogs are in several repositories, a folder above
/// all of them. With a revision, all of them must be in one repository.
fn common_root(here: &Path, catalogs: &[PathBuf], has_revision: bool) -> PathBuf {
    let Some(first) = catalogs.first() else { return here.to_owned() };
    let root = root_of(here, first);
    if has_revision || catalogs.iter().all(|catalog| catalog.starts_with(&root)) {
        return root;
    }
    let has_all = |folder: &&Path| catalogs.iter().all(|catalog| catalog.starts_with(folder));
    let mut above = [here].into_iter().chain(first.ancestors().skip(1));
    above.find(has_all).map_or(root, Path::to_owned)
}

/// The nearest folder at or above a catalog that has a config or is a git repository. Otherwise,
/// the working directory or, if the catalog is not in it, the catalog.
fn root_of(here: &Path, catalog: &Path) -> PathBuf {
    let is_root =
        |folder: &&Path| folder.join("exitpath.toml").is_file() || folder.join(".git").exists();
    let found = catalog.ancestors().find(is_root);
    let default = || {
        if catalog.starts_with(here) {
            return here;
        }
        if catalog.is_dir() { catalog } else { catalog.parent().unwrap_or(catalog) }
    };
    found.unwrap_or_else(default).to_owned()
}

/// Notes about what exitpath inferred because templates do not contain it.
fn notes_on_inferred(loaded: &Loaded) -> Vec<Note> {
    let inferred = loaded.catalogs.iter().flat_map(|catalog| &catalog.declared.inferred);
    let note = |one: &Inferred| {
        let path = printable(loaded.sources.path(one.span.source)).into_owned();
        Note { text: format!("{path}: {}", printable(&one.words)), is_important: false }
    };
    inferred.map(note).collect()
}

fn note_on_links(folder: &str, links: &[String]) -> Option<Note> {
    let first = links.first()?;
    let count = counted(links.len(), "symbolic link");
    let text = format!("opm reads no links: skipped {count}, such as {folder}{first}");
    Some(Note { text, is_important: false })
}

fn note_on_missing(files: &[String]) -> Option<Note> {
    let first = files.first()?;
    let more =
        if files.len() > 1 { format!(" and {} more", files.len() - 1) } else { String::new() };
    let text = format!(
        "this clone lacks earlier contents of {first}{more}: installs that only these published are not \
         simulated"
    );
    Some(Note { text: printable(&text).into_owned(), is_important: true })
}
