//! Finds and reads catalogs of operators: folders, a revision of them, or a stream.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::catalog::declared::Inferred;
use crate::catalog::simulation::Published;
use crate::catalog::{Loaded, Loading, NEEDLES, Package, packages};
use crate::lint::Config;
use crate::rules::CatalogSubject;
use crate::text::printable;
use crate::text::words::counted;
use crate::tree::{self, Contents, ListedFile};

use super::past_catalogs::PastCatalog;
use super::{Failure, Note, absolute, working_directory};

/// The catalogs that the command line names, and the config that applies to them.
#[derive(Debug)]
pub(crate) struct Catalogs {
    /// The folder that paths in reports are relative to.
    pub root: PathBuf,
    /// The root relative to the working directory, ending in `/`. Empty if they are the same.
    pub prefix: String,
    pub config: Config,
    inputs: Vec<Input>,
}

#[derive(Debug)]
enum Input {
    /// A folder, relative to the root and ending in `/`. Empty for the root.
    Folder(String),
    /// One file that is a whole catalog, relative to the root.
    File(String),
    /// What `opm render` writes.
    Stream,
}

/// Catalogs of one state, with their packages.
#[derive(Debug)]
pub(crate) struct ReadCatalogs {
    pub loaded: Loaded,
    /// Those of each catalog.
    pub packages: Vec<Vec<Package>>,
    pub notes: Vec<Note>,
}

impl ReadCatalogs {
    /// What rules need to know of each catalog.
    pub(crate) fn subjects(&self) -> Vec<CatalogSubject<'_>> {
        let catalogs = self.loaded.catalogs.iter().zip(&self.packages);
        catalogs.map(|(catalog, packages)| CatalogSubject::new(catalog, packages)).collect()
    }
}

impl Catalogs {
    /// Opens the catalogs at paths. `-` is standard input.
    pub(crate) fn open(paths: &[PathBuf], has_revision: bool) -> Result<Self, Failure> {
        let here = working_directory()?;
        let folders = || paths.iter().filter(|path| path.as_os_str() != "-");
        let root = match folders().next() {
            Some(first) => root_of(&here, &absolute(&here, first)),
            None => here.clone(),
        };
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
        let config = Config::read(&root)?;
        let prefix = match root.strip_prefix(&here) {
            Ok(below) if below.as_os_str().is_empty() => String::new(),
            Ok(below) => format!("{}/", below.to_string_lossy()),
            Err(_) => String::new(),
        };
        Ok(Self { root, prefix, config, inputs })
    }

    /// Reads the catalogs of the work tree or of a revision.
    pub(crate) fn read(&self, revision: Option<&str>) -> Result<ReadCatalogs, Failure> {
        let mut loading = Loading::default();
        let mut notes = Vec::new();
        for input in &self.inputs {
            match (input, revision) {
                (Input::Stream, _) => self.read_stream(&mut loading),
                (Input::Folder(folder), Some(revision)) => {
                    let path = if folder.is_empty() { "." } else { folder };
                    let files = tree::files_of_revision(&self.root, revision, &[path])?;
                    let files: Vec<ListedFile> =
                        files.iter().filter_map(|file| file.below(folder)).collect();
                    self.read_files(folder, &files, &mut loading);
                }
                (Input::Folder(folder), None) => {
                    let (files, links) = tree::files_below(&self.root.join(folder))?;
                    notes.extend(note_on_links(folder, &links));
                    self.read_files(folder, &files, &mut loading);
                }
                (Input::File(file), Some(revision)) => {
                    let mut files = tree::files_of_revision(&self.root, revision, &[file])?;
                    files.retain(|listed| listed.path == *file);
                    self.read_files("", &files, &mut loading);
                }
                (Input::File(file), None) => {
                    let files = [ListedFile::named(&self.root.join(file), file.clone())];
                    self.read_files("", &files, &mut loading);
                }
            }
        }
        let loaded = loading.finish();
        notes.extend(notes_on_inferred(&loaded));
        let packages = loaded.catalogs.iter().map(|catalog| packages(&catalog.declared)).collect();
        Ok(ReadCatalogs { loaded, packages, notes })
    }

    /// Reads the catalogs at the merge base of two revisions.
    pub(crate) fn read_base(
        &self,
        base: &str,
        revision: Option<&str>,
    ) -> Result<ReadCatalogs, Failure> {
        let base = tree::base(&self.root, base, revision)?;
        self.read(Some(&base.commit))
    }

    /// What earlier revisions published: the merge base with `base`, and the whole history.
    pub(crate) fn published(
        &self,
        base: Option<&str>,
        has_history: bool,
        revision: Option<&str>,
    ) -> Result<Published, Failure> {
        let mut published = Published::default();
        if let Some(base) = base {
            for catalog in &self.read_base(base, revision)?.loaded.catalogs {
                published.add(&catalog.declared);
            }
        }
        if has_history {
            for input in &self.inputs {
                let (Input::Folder(path) | Input::File(path)) = input else { continue };
                PastCatalog { root: &self.root, revision, path }.publish(&mut published)?;
            }
        }
        Ok(published)
    }

    fn read_files(&self, prefix: &str, files: &[ListedFile], loading: &mut Loading) {
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let contents = Contents::of(&self.root, files, &NEEDLES);
        loading.add(prefix, &paths, |at| contents.read(at));
    }

    #[allow(clippy::unused_self, reason = "it reads one of the inputs")]
    fn read_stream(&self, loading: &mut Loading) {
        let text = tree::condense(std::io::stdin().lock().by_ref(), &NEEDLES);
        loading.add("", &["<stdin>"], |_| text.clone());
    }
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

/// The nearest folder at or above a catalog that has a config or is a git repository. Otherwise, the
/// working directory or, if the catalog is not in it, the catalog.
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

/// What templates do not say, and exitpath guesses.
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
