//! What earlier revisions of a catalog published.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;

use crate::catalog::simulation::Published;
use crate::catalog::{
    Loaded, Loading, NEEDLES, annotated_bundle, bundle_folder, is_ignore_file, wanted,
};
use crate::domain::HashSet;
use crate::tree::{self, Contents, ListedFile, PastFile, TreeError};

/// How many parts of a catalog are in memory at once.
const TOGETHER: usize = 512;
const BYTES: u64 = 1 << 30;
/// How many commits are listed at once.
const COMMITS: usize = 64;

/// A catalog in the history of its repository.
#[derive(Clone, Copy, Debug)]
pub(super) struct PastCatalog<'a> {
    pub root: &'a Path,
    /// The newest revision to include. None for `HEAD`.
    pub revision: Option<&'a str>,
    /// The path relative to the root. It is empty for the root, and that of a folder ends in `/`.
    pub path: &'a str,
}

impl PastCatalog<'_> {
    /// Adds everything that opm would have served at any commit. Returns the files whose content is
    /// missing from this clone at some commit.
    pub(super) fn publish(self, published: &mut Published) -> Result<BTreeSet<String>, TreeError> {
        let PastParts { parts, missing, .. } = self.parts()?;
        let mut rest = parts.as_slice();
        while !rest.is_empty() {
            let (together, later) = rest.split_at(first_together(rest));
            rest = later;
            for loaded in read(self.root, together) {
                for catalog in &loaded.catalogs {
                    published.add(&catalog.declared);
                }
            }
        }
        Ok(missing)
    }

    fn parts(self) -> Result<PastParts, TreeError> {
        let path = if self.path.is_empty() { "." } else { self.path };
        let past = tree::past_files(self.root, self.revision, &[path])?;
        let mut parts = PastParts::default();
        if past.iter().any(|past| is_ignore_file(&past.file.path)) {
            let commits = tree::commits_of(self.root, self.revision, &[path])?;
            let all: Vec<(String, Vec<String>)> =
                commits.into_iter().map(|commit| (commit, vec![path.to_owned()])).collect();
            self.add_states(&all, &mut parts)?;
            return Ok(parts);
        }
        let bundles: HashSet<&str> =
            past.iter().filter_map(|past| annotated_bundle(&past.file.path)).collect();
        let mut touched: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for PastFile { file, commit } in &past {
            match bundle_folder(&file.path).filter(|folder| bundles.contains(folder)) {
                Some(folder) => {
                    let folder = if folder.is_empty() { "." } else { folder };
                    touched.entry(commit).or_default().push(folder.to_owned());
                }
                None => parts.add(self.below(std::slice::from_ref(file))),
            }
        }
        let states = touched.into_iter().map(|(commit, mut folders)| {
            folders.sort();
            folders.dedup();
            (commit.to_owned(), folders)
        });
        self.add_states(&states.collect::<Vec<_>>(), &mut parts)?;
        Ok(parts)
    }

    /// Adds what opm reads at these commits, for some folders of each.
    fn add_states(
        self,
        commits: &[(String, Vec<String>)],
        parts: &mut PastParts,
    ) -> Result<(), TreeError> {
        for commits in commits.chunks(COMMITS) {
            let states: Vec<Result<Vec<ListedFile>, TreeError>> = commits
                .par_iter()
                .map(|(commit, folders)| {
                    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
                    let files = tree::files_of_revision(self.root, commit, &folders)?;
                    Ok(self.wanted(&self.below(&files)))
                })
                .collect();
            for state in states {
                parts.add_state(state?);
            }
        }
        Ok(())
    }

    /// The files, with their paths relative to the catalog.
    fn below(self, files: &[ListedFile]) -> Vec<ListedFile> {
        files.iter().filter_map(|file| file.below(self.path)).collect()
    }

    /// The files that opm reads.
    fn wanted(self, files: &[ListedFile]) -> Vec<ListedFile> {
        let of_ignored: Vec<ListedFile> =
            files.iter().filter(|file| is_ignore_file(&file.path)).cloned().collect();
        let contents = Contents::of(self.root, &of_ignored, &NEEDLES);
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let wanted = wanted(&paths, |at| {
            let place = of_ignored.iter().position(|file| file.path == paths[at]);
            contents.read(place.unwrap_or_default())
        });
        wanted.into_iter().map(|at| files[at].clone()).collect()
    }
}

/// The distinct parts of a catalog in its history. A part is a file on its own, or all files of a
/// bundle.
#[derive(Debug, Default)]
struct PastParts {
    parts: Vec<Vec<ListedFile>>,
    known: HashSet<String>,
    /// The files whose content is missing.
    missing: BTreeSet<String>,
}

impl PastParts {
    fn add_state(&mut self, files: Vec<ListedFile>) {
        let bundles: HashSet<String> = files
            .iter()
            .filter_map(|file| annotated_bundle(&file.path).map(str::to_owned))
            .collect();
        let mut by_bundle: BTreeMap<String, Vec<ListedFile>> = BTreeMap::new();
        for file in files {
            match bundle_folder(&file.path).and_then(|folder| bundles.get(folder)) {
                Some(folder) => by_bundle.entry(folder.clone()).or_default().push(file),
                None => self.add(vec![file]),
            }
        }
        for files in by_bundle.into_values() {
            self.add(files);
        }
    }

    fn add(&mut self, files: Vec<ListedFile>) {
        let missing = files.iter().filter(|file| file.object().is_none());
        self.missing.extend(missing.map(|file| file.path.clone()));
        let objects: Vec<&str> = files.iter().filter_map(ListedFile::object).collect();
        if !objects.is_empty() && self.known.insert(objects.join(" ")) {
            self.parts.push(files);
        }
    }
}

/// How many of the first parts to read together, which is at least one.
fn first_together(parts: &[Vec<ListedFile>]) -> usize {
    let mut bytes = 0_u64;
    let fits = |part: &&Vec<ListedFile>| {
        bytes += part.iter().map(ListedFile::size).sum::<u64>();
        bytes <= BYTES
    };
    parts.iter().take(TOGETHER).take_while(fits).count().max(1)
}

fn read(root: &Path, parts: &[Vec<ListedFile>]) -> Vec<Loaded> {
    let files: Vec<ListedFile> = parts.iter().flatten().cloned().collect();
    let contents = Contents::of(root, &files, &NEEDLES);
    let starts = parts.iter().scan(0, |next, part| {
        let start = *next;
        *next += part.len();
        Some((start, part))
    });
    let starts: Vec<(usize, &Vec<ListedFile>)> = starts.collect();
    let load = |(start, part): (usize, &Vec<ListedFile>)| {
        let paths: Vec<&str> = part.iter().map(|file| file.path.as_str()).collect();
        let mut loading = Loading::default();
        loading.add("", &paths, |at| contents.read(start + at));
        loading.finish()
    };
    starts.into_par_iter().map(load).collect()
}
