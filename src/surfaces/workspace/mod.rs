//! A repository that stays in memory while it is edited. Each answer is the one that `check` gives
//! for the same texts.

mod catalog;

pub(crate) use catalog::CatalogWorkspace;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use crate::graph_data::{self, DataFile, GraphData, Renames, WANTED};
use crate::lint::Selection;
use crate::rules::Finding;
use crate::session::{
    ChangeView, CheckQuestion, CheckedFiles, ConfigFrom, LintedState, Linter, Note, PreparedCheck,
    ReadAt, SETTINGS, Session, Settings, SettingsRequest, SourcesRequest,
};
use crate::text::{Failure, Source};
use crate::tree::{self, Blob};

/// Reads all that a check needs. The notes are for the user.
pub(crate) type Prepare<'q> =
    dyn Fn(&mut Vec<Note>) -> Result<(PreparedCheck, CheckedFiles), Failure> + 'q;

pub(crate) struct Workspace<'q> {
    prepare: Box<Prepare<'q>>,
    check: PreparedCheck,
    /// The files as they are on the disk.
    files: Vec<Blob>,
    /// The texts that an editor has not saved, by path.
    unsaved: BTreeMap<String, String>,
    /// Whether there are edits that `data` does not have.
    is_behind: bool,
    data: GraphData,
    /// What the checked-out revision and the settings were when this was read.
    read_at: ReadAt,
    /// What the present texts mean. None if they were not checked since the last edit.
    checked: Option<LintedState>,
    /// The last texts that were checked with the same commit and settings, and what they mean.
    earlier: Option<(GraphData, LintedState)>,
    /// The last commit, read on demand.
    head: Option<GraphData>,
    /// How many releases the edits strand.
    stranded: NewlyStranded,
}

impl fmt::Debug for Workspace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspace").field("root", &self.root()).finish_non_exhaustive()
    }
}

/// How many releases the edits strand.
#[derive(Clone, Copy, Debug)]
enum NewlyStranded {
    /// It was not computed since the last edit.
    NotAsked,
    Known(usize),
}

impl<'q> Workspace<'q> {
    /// Reads a repository. `notes` gets what `check` would say about it.
    pub(crate) fn open(prepare: Box<Prepare<'q>>, notes: &mut Vec<Note>) -> Result<Self, Failure> {
        let (check, CheckedFiles { data, files }) = prepare(notes)?;
        Ok(Self {
            read_at: ReadAt::now(&check.session.repository.root),
            prepare,
            check,
            files,
            unsaved: BTreeMap::new(),
            is_behind: false,
            data,
            checked: None,
            earlier: None,
            head: None,
            stranded: NewlyStranded::NotAsked,
        })
    }

    /// Reads a repository for an editor. Findings are those that are new since the merge base with
    /// a revision, if there is one.
    pub(crate) fn of_editor(root: PathBuf, base: Option<String>) -> Result<Self, Failure> {
        let prepare = move |notes: &mut Vec<Note>| prepared(&root, base.as_deref(), notes);
        Self::open(Box::new(prepare), &mut Vec::new())
    }

    pub(crate) fn root(&self) -> &Path {
        &self.check.session.repository.root
    }

    /// The paths whose changes [`reload`](Self::reload) notices.
    pub(crate) fn watched(&self) -> Vec<PathBuf> {
        watched(self.root())
    }

    pub(crate) fn prepared(&self) -> &PreparedCheck {
        &self.check
    }

    /// The text of a file.
    pub(crate) fn source(&self, path: &str) -> Option<&Source> {
        Some(self.data.sources.get(self.data.at_path(path)?.id))
    }

    pub(crate) fn data(&self) -> &GraphData {
        &self.data
    }

    /// How many releases the change since the last commit strands, or since the base if there is
    /// one. None if that is unknown, or if nothing changed.
    pub(crate) fn newly_stranded(&mut self) -> Option<usize> {
        let root = self.root();
        let Linter { sources, request, base, .. } = self.check.linter();
        if base.is_none() && self.head.is_none() {
            self.head =
                graph_data::blobs(root, Some("HEAD")).ok().map(|blobs| self.data.another(blobs));
        }
        let before = base.map(|base| &base.data).or(self.head.as_ref())?;
        let is_same =
            |file: &DataFile| file.is_shared_with(before.at_path(self.data.path(file.id)));
        if before.files.len() == self.data.files.len() && self.data.files.iter().all(is_same) {
            return None;
        }
        if let NewlyStranded::Known(count) = self.stranded {
            return Some(count);
        }
        let view = ChangeView::of(sources?, before, &self.data, &request.config.supported, None);
        let change = view.change(before, &self.data, &[]);
        let exits = &change.exits;
        let certain = exits.stranded.iter().filter(|entry| entry.is_certain);
        let versions = certain.map(|entry| {
            let (channel, stranded) = entry.of(&exits.after);
            channel.graph.version(stranded.release)
        });
        let count = versions.collect::<BTreeSet<_>>().len();
        self.stranded = NewlyStranded::Known(count);
        Some(count)
    }

    /// Uses this unsaved text in place of a file. Without a text, uses the file on the disk again.
    pub(crate) fn edit(&mut self, path: &str, text: Option<&str>) {
        match text {
            Some(text) => self.unsaved.insert(path.to_owned(), text.to_owned()),
            None => self.unsaved.remove(path),
        };
        self.is_behind = true;
    }

    /// Reads the files that changed on the disk. If somebody checked out another revision or edited
    /// the settings, everything is read.
    pub(crate) fn reload(&mut self) -> Result<(), Failure> {
        let read_at = ReadAt::now(self.check.session.repository.root.as_path());
        if read_at == self.read_at {
            self.files = graph_data::blobs(self.root(), None)?;
        } else {
            let (check, CheckedFiles { data, files }) = (self.prepare)(&mut Vec::new())?;
            (self.check, self.data, self.files, self.read_at) = (check, data, files, read_at);
            (self.head, self.checked, self.earlier) = (None, None, None);
        }
        self.read_again();
        Ok(())
    }

    /// Reads the edits since the last call. Several edits of one file are read once.
    pub(crate) fn read_edits(&mut self) {
        if self.is_behind {
            self.read_again();
        }
    }

    fn read_again(&mut self) {
        self.is_behind = false;
        let files = tree::with_unsaved(&self.files, &self.unsaved, WANTED);
        let data = self.data.another(files);
        let before = std::mem::replace(&mut self.data, data);
        if let Some(checked) = self.checked.take() {
            self.earlier = Some((before, checked));
        }
        if let Some(base) = &mut self.check.base {
            base.renames = Renames::between(&base.data, &self.data);
            base.recall_former_risks(self.check.session.repository.root.as_path(), &self.data);
        }
        self.stranded = NewlyStranded::NotAsked;
    }

    /// Finds what is wrong with the present texts, unless that is known.
    pub(crate) fn check(&mut self) {
        self.read_edits();
        if self.checked.is_some() {
            return;
        }
        let mut checked = self.check.linter().check_after_edit(&self.data, self.earlier.take());
        checked.outcome.omit_excess(&self.data.sources);
        self.checked = Some(checked);
    }

    /// Empty if [`check`](Self::check) was not called since the last edit.
    pub(crate) fn findings(&self) -> &[Finding] {
        self.checked().map_or(&[], |checked| &checked.outcome.findings)
    }

    /// None if [`check`](Self::check) was not called since the last edit.
    pub(crate) fn checked(&self) -> Option<&LintedState> {
        self.checked.as_ref()
    }
}

/// The paths that decide about the findings of a repository.
pub(crate) fn watched(root: &Path) -> Vec<PathBuf> {
    let parts = WANTED.folders.iter().chain(WANTED.files).chain(&[SETTINGS]);
    let data = parts.map(|part| root.join(part));
    data.chain(tree::files_of_head(root)).collect()
}

/// Reads all that the usual check of a repository needs.
fn prepared(
    root: &Path,
    base: Option<&str>,
    notes: &mut Vec<Note>,
) -> Result<(PreparedCheck, CheckedFiles), Failure> {
    let session = Session::open(Some(root), &[], None)?;
    let settings = Settings::read(&SettingsRequest {
        root,
        baseline: None,
        writes_baseline: false,
        base,
        revision: None,
        config_from: ConfigFrom::default(),
    })?;
    let question = CheckQuestion {
        revision: None,
        base,
        settings,
        selection: Selection::default(),
        builds_graph: true,
        releases: SourcesRequest { named: &[], uses_cache: true },
        server: None,
        keeps_files: true,
    };
    session.prepare(question, notes)
}
