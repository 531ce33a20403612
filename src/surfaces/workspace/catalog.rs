//! A catalog of operators that stays in memory while it is edited.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::catalog::Package;
use crate::lint::{CatalogState, Outcome, Request, Selection, lint_catalogs};
use crate::rules::Finding;
use crate::session::{Beside, Catalogs, ConfigFrom, ReadCatalogs, Settings, SettingsRequest};
use crate::text::{Failure, Sources};

/// The catalog in one folder. Each answer is the one that `catalog check` gives for the same texts.
pub(crate) struct CatalogWorkspace {
    folder: PathBuf,
    catalogs: Catalogs,
    request: Request,
    /// The texts that an editor has not saved, by path.
    unsaved: BTreeMap<String, String>,
    /// What was read last.
    read: Option<(ReadCatalogs, Outcome)>,
    /// Whether a text changed since the last reading.
    is_stale: bool,
}

impl fmt::Debug for CatalogWorkspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatalogWorkspace").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl CatalogWorkspace {
    pub(crate) fn open(folder: &Path) -> Result<Self, Failure> {
        let catalogs = Catalogs::open(&[folder.to_owned()], false)?;
        let settings = Settings::read(&SettingsRequest {
            root: &catalogs.root,
            baseline: None,
            writes_baseline: false,
            base: None,
            revision: None,
            config_from: ConfigFrom::default(),
        })?;
        let Settings { config, baseline, .. } = settings;
        let request = Request { config, baseline, selection: Selection::default(), asked: None };
        let (folder, unsaved) = (folder.to_owned(), BTreeMap::new());
        Ok(Self { folder, catalogs, request, unsaved, read: None, is_stale: true })
    }

    /// The folder that paths are relative to.
    pub(crate) fn root(&self) -> &Path {
        &self.catalogs.root
    }

    /// Uses this unsaved text in place of a file. Without a text, uses the file on the disk again.
    pub(crate) fn edit(&mut self, path: &str, text: Option<&str>) {
        match text {
            Some(text) => self.unsaved.insert(path.to_owned(), text.to_owned()),
            None => self.unsaved.remove(path),
        };
        self.is_stale = true;
    }

    /// Reads the files on the disk again at the next check.
    pub(crate) fn reload(&mut self) {
        self.is_stale = true;
    }

    /// Finds what is wrong with the present texts, unless that is known.
    pub(crate) fn check(&mut self) -> Result<(), Failure> {
        if !self.is_stale {
            return Ok(());
        }
        let read = self.catalogs.read_edited(Beside::default(), &self.unsaved)?;
        let mut outcome = {
            let subjects = read.subjects();
            let state = CatalogState { loaded: &read.loaded, subjects: &subjects };
            lint_catalogs(state, None, &self.request)
        };
        outcome.omit_excess(&read.loaded.sources);
        (self.read, self.is_stale) = (Some((read, outcome)), false);
        Ok(())
    }

    /// The findings of the last [`check`](Self::check).
    pub(crate) fn findings(&self) -> &[Finding] {
        self.read.as_ref().map_or(&[], |(_, outcome)| &outcome.findings)
    }

    pub(crate) fn sources(&self) -> Option<&Sources> {
        self.read.as_ref().map(|(read, _)| &read.loaded.sources)
    }

    /// The packages as they were when the catalog was last read. While somebody types, parts of a
    /// file cannot be read.
    pub(crate) fn packages(&self) -> impl Iterator<Item = &Package> {
        let read = self.read.iter();
        read.flat_map(|(read, _)| read.packages.iter().take(read.named).flatten())
    }
}
