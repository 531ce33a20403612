//! Reads all files of a catalog.

use rayon::prelude::*;

use crate::text::{Condensed, Source, SourceId, Sources};
use crate::tree::Unreadable;

use super::bundles;
use super::declared::Declared;
use super::ignore::{FILE_NAME, Ignored};
use super::read;
use super::read::{Commented, Contents};
use super::rendered::Rendered;

/// Catalogs with the texts of their files.
#[derive(Debug, Default)]
pub struct Loaded {
    pub sources: Sources,
    pub catalogs: Vec<LoadedCatalog>,
}

/// What the files of a catalog have.
#[derive(Debug, Default)]
pub struct LoadedCatalog {
    pub declared: Declared,
    /// The files that are read.
    pub files: Vec<SourceId>,
    /// The documents with comments for exitpath.
    pub commented: Vec<Commented>,
}

/// Catalogs while they are read, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Loading {
    sources: Vec<Source>,
    catalogs: Vec<LoadedCatalog>,
    /// The bundles in the images that templates name.
    rendered: Rendered,
}

impl Loading {
    /// Reads the files at `paths`, relative to the catalog, that no `.indexignore` omits.
    /// `read_file` gets an index. In reports, the paths begin with `prefix`.
    pub(crate) fn add(
        &mut self,
        prefix: &str,
        paths: &[&str],
        read_file: impl Fn(usize) -> Result<Condensed, Unreadable> + Sync,
    ) {
        let wanted = wanted(paths, &read_file);
        let first = self.sources.len();
        let named: Vec<(usize, &str)> = wanted.iter().map(|at| (*at, paths[*at])).collect();
        if let Some(tree) = bundles::read(prefix, &named, first, &read_file) {
            let files = (first..first + tree.sources.len()).map(SourceId::at).collect();
            self.sources.extend(tree.sources);
            let (declared, commented) = (tree.declared, tree.commented);
            self.catalogs.push(LoadedCatalog { declared, files, commented });
            return;
        }
        let files: Vec<(Source, Contents)> = wanted
            .par_iter()
            .enumerate()
            .map(|(id, at)| {
                let path = format!("{prefix}{}", paths[*at]);
                read_one(SourceId::at(first + id), &path, read_file(*at), &self.rendered)
            })
            .collect();
        let mut catalog = LoadedCatalog::default();
        for (source, mut file) in files {
            catalog.files.push(SourceId::at(self.sources.len()));
            self.sources.push(source);
            catalog.declared.append(file.declared);
            catalog.commented.append(&mut file.commented);
        }
        catalog.declared.adopt_templates();
        self.catalogs.push(catalog);
    }

    /// Takes the catalogs added so far as the content of the images that templates name. They are
    /// no longer catalogs of their own.
    pub(crate) fn take_as_rendered(&mut self) {
        for catalog in self.catalogs.drain(..) {
            self.rendered.add(&catalog.declared);
        }
    }

    pub(crate) fn finish(self) -> Loaded {
        Loaded { sources: Sources::new(self.sources), catalogs: self.catalogs }
    }
}

/// Whether opm reads patterns of ignored files from this file.
pub(crate) fn is_ignore_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(FILE_NAME)
}

/// The indexes of the paths that opm reads: those that no `.indexignore` omits.
pub(crate) fn wanted(
    paths: &[&str],
    read_file: impl Fn(usize) -> Result<Condensed, Unreadable>,
) -> Vec<usize> {
    let patterns = (0..).zip(paths).filter(|(_, path)| is_ignore_file(path)).map(|(at, path)| {
        let mut folder: Vec<String> = path.split('/').map(str::to_owned).collect();
        folder.pop();
        let text = read_file(at).map(|text| text.bytes).unwrap_or_default();
        (folder, String::from_utf8_lossy(&text).into_owned())
    });
    let ignored = Ignored::new(patterns.collect());
    let is_read = |path: &str| !ignored.matches(&path.split('/').collect::<Vec<_>>());
    let files = (0..paths.len()).filter(|at| !is_ignore_file(paths[*at]));
    files.filter(|at| is_read(paths[*at])).collect()
}

/// The first bytes of a catalog in the old format.
const SQLITE: &[u8] = b"SQLite format 3\0";

fn read_one(
    id: SourceId,
    path: &str,
    content: Result<Condensed, Unreadable>,
    rendered: &Rendered,
) -> (Source, Contents) {
    let empty = |why: Unreadable| {
        let source = Source::new(path.to_owned(), String::new());
        (source, read::unreadable(id, &why))
    };
    let Condensed { bytes, cuts } = match content {
        Ok(content) => content,
        Err(why) => return empty(why),
    };
    if bytes.starts_with(SQLITE) {
        let why = "it is a SQLite database: `opm migrate` makes a file-based catalog of it";
        return empty(Unreadable::Io(why.to_owned()));
    }
    match String::from_utf8(bytes) {
        Ok(text) => {
            let source = Source::condensed(path.to_owned(), text, cuts);
            let contents = read::read(&source, id, rendered);
            (source, contents)
        }
        Err(_) => empty(Unreadable::Io("it is not UTF-8 text".to_owned())),
    }
}
