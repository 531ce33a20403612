//! A repository that stays in memory while somebody edits it. Each answer is the one that `check`
//! gives for the same texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::graph_data::{self, DataFile, GraphData, Renames, WANTED};
use crate::lint::{Outcome, Selection};
use crate::session::{
    ChangeView, CheckQuestion, CheckedFiles, ConfigFrom, Linter, Note, PreparedCheck, RuleGraphs,
    Session, Settings, SettingsRequest, SourcesRequest,
};
use crate::text::{Failure, Source};
use crate::tree::{self, Blob};

/// Which repository, and what is compared.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub root: PathBuf,
    /// Findings are those that are new since the merge base with this revision.
    pub base: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Workspace {
    question: Question,
    check: PreparedCheck,
    /// The files as they are on the disk.
    files: Vec<Blob>,
    /// The texts that an editor has not saved, by path.
    unsaved: BTreeMap<String, String>,
    data: GraphData,
    /// What the checked-out revision and the settings were when this was read.
    read_at: ReadAt,
    /// What the present texts mean. None if nobody has asked since the last edit.
    checked: Option<Checked>,
    /// The last commit, if anybody has asked about it.
    head: Option<GraphData>,
    /// How many releases the edits strand, if anybody has asked since the last edit.
    stranded: Option<Option<usize>>,
}

/// The findings of a repository, and the graphs that they are about.
#[derive(Debug)]
pub(crate) struct Checked {
    pub outcome: Outcome,
    pub graphs: RuleGraphs,
}

/// What decides about everything, and changes seldom.
#[derive(Debug, PartialEq, Eq)]
struct ReadAt {
    commit: Option<String>,
    settings: Option<String>,
}

impl ReadAt {
    fn now(root: &Path) -> Self {
        Self {
            commit: tree::commit(root, "HEAD").ok(),
            settings: tree::read_text(&root.join("exitpath.toml")).ok().flatten(),
        }
    }
}

impl Workspace {
    /// Reads a repository. The notes are those of `check`.
    pub(crate) fn open(question: Question) -> Result<(Self, Vec<Note>), Failure> {
        let read_at = ReadAt::now(&question.root);
        let (check, CheckedFiles { data, files }, notes) = prepared(&question)?;
        let unsaved = BTreeMap::new();
        let workspace = Self {
            question,
            check,
            files,
            unsaved,
            data,
            read_at,
            checked: None,
            head: None,
            stranded: None,
        };
        Ok((workspace, notes))
    }

    /// The text of a file.
    pub(crate) fn source(&self, path: &str) -> Option<&Source> {
        Some(self.data.sources.get(self.data.at_path(path)?.id))
    }

    pub(crate) fn data(&self) -> &GraphData {
        &self.data
    }

    /// How many releases the change since the last commit strands, or since the base if there is
    /// one. None if nobody can tell, or if nothing changed.
    pub(crate) fn newly_stranded(&mut self) -> Option<usize> {
        let root = &self.question.root;
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
        let stranded = *self.stranded.get_or_insert_with(|| {
            let states = (before, &self.data);
            let view = ChangeView::of(sources?, states, &request.config.supported, None);
            let change = view.change(before, &self.data, &[]);
            let exits = &change.exits;
            let certain = exits.stranded.iter().filter(|entry| entry.is_certain);
            let versions = certain.map(|entry| {
                let (channel, stranded) = entry.of(&exits.after);
                channel.graph.version(stranded.release)
            });
            Some(versions.collect::<BTreeSet<_>>().len())
        });
        stranded
    }

    /// Takes the unsaved text of a file, or its text on the disk again if there is none.
    pub(crate) fn edit(&mut self, path: &str, text: Option<&str>) {
        match text {
            Some(text) => self.unsaved.insert(path.to_owned(), text.to_owned()),
            None => self.unsaved.remove(path),
        };
        self.read_again();
    }

    /// Reads the files that changed on the disk. If somebody checked out another revision or edited
    /// the settings, everything is read.
    pub(crate) fn reload(&mut self) -> Result<(), Failure> {
        let read_at = ReadAt::now(&self.question.root);
        if read_at != self.read_at {
            let (check, CheckedFiles { data, files }, _) = prepared(&self.question)?;
            (self.check, self.data, self.files, self.read_at) = (check, data, files, read_at);
            self.head = None;
        } else {
            self.files = graph_data::blobs(&self.question.root, None)?;
        }
        self.read_again();
        Ok(())
    }

    fn read_again(&mut self) {
        let files = tree::with_unsaved(&self.files, &self.unsaved, WANTED);
        self.data = self.data.another(files);
        if let Some(base) = &mut self.check.base {
            base.renames = Renames::between(&base.data, &self.data);
            base.recall_former_risks(&self.question.root, &self.data);
        }
        self.checked = None;
        self.stranded = None;
    }

    /// Finds what is wrong with the present texts, unless that is known.
    pub(crate) fn check(&mut self) {
        if self.checked.is_some() {
            return;
        }
        let (linter, data) = (self.check.linter(), &self.data);
        let graphs = linter.graphs(data);
        let mut outcome = linter.lint(data, &graphs, linter.change(data, &graphs).as_ref());
        outcome.omit_excess(&data.sources);
        self.checked = Some(Checked { outcome, graphs });
    }

    /// None if [`check`](Self::check) was not called since the last edit.
    pub(crate) fn checked(&self) -> Option<&Checked> {
        self.checked.as_ref()
    }
}

/// Reads all that a check needs.
fn prepared(question: &Question) -> Result<(PreparedCheck, CheckedFiles, Vec<Note>), Failure> {
    let Question { root, base } = question;
    let session = Session::open(Some(root), &[], None)?;
    let settings = Settings::read(&SettingsRequest {
        root,
        baseline: None,
        writes_baseline: false,
        base: base.as_deref(),
        revision: None,
        config_from: ConfigFrom::default(),
    })?;
    let mut notes: Vec<Note> = settings.note(ConfigFrom::default()).into_iter().collect();
    let question = CheckQuestion {
        revision: None,
        base: base.as_deref(),
        settings,
        selection: Selection::default(),
        builds_graph: true,
        releases: SourcesRequest { named: &[], uses_cache: true },
        server: None,
        keeps_files: true,
    };
    let (check, files) = session.prepare(question, &mut notes)?;
    Ok((check, files, notes))
}
