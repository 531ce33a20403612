//! A plan for files of a repository: what it does to clusters, which findings it causes, and how it
//! is written.

use std::path::Path;
use std::sync::Arc;

use crate::authoring::{Plan, PlannedFile};
use crate::change::GraphChange;
use crate::edit::{FileEdit, write_together};
use crate::git::{Committed, Git, GitError};
use crate::graph_data::{GraphData, Renames};
use crate::lint::{Outcome, Request};
use crate::text::{Failure, printable};
use crate::tree::{self, Blob};

use super::linter::Linter;
use super::{
    Base, LoadedRepository, Note, ReadRequest, Repository, RuleGraphs, Session, SourcesRequest,
    UpdateSources,
};

/// A repository whose files the user wants to change.
#[derive(Debug)]
pub(crate) struct Draft {
    pub session: Session,
    pub data: GraphData,
    pub notes: Vec<Note>,
    files: Vec<Blob>,
    sources: Option<Arc<UpdateSources>>,
}

/// A repository with a plan.
#[derive(Debug)]
pub(crate) struct Proposal {
    pub plan: Plan,
    pub after: GraphData,
    repository: Repository,
    request: Request,
    base: Base,
    sources: Option<Arc<UpdateSources>>,
}

impl Session {
    /// Reads the work tree for changes. Without `sources`, their effect on clusters is not
    /// computed.
    pub(crate) fn draft(self, sources: Option<SourcesRequest<'_>>) -> Result<Draft, Failure> {
        let root = &self.repository.root;
        if tree::is_merging(root) {
            return Err(Failure::new("a merge is in progress").hint("commit it or abort it first"));
        }
        let read =
            self.read(&ReadRequest { sources, keeps_files: true, ..ReadRequest::default() })?;
        let LoadedRepository { data, files, sources, notes, .. } = read;
        if let Some(omitted) = files.iter().find(|file| file.is_omitted) {
            let what = format!("a sparse checkout omits {}", printable(&omitted.path));
            return Err(Failure::new(what).hint("`git sparse-checkout disable` brings all files"));
        }
        Ok(Draft { session: self, data, notes, files, sources })
    }
}

impl Draft {
    pub(crate) fn proposal(self, plan: Plan) -> Proposal {
        let Self { session, data, files, sources, .. } = self;
        let Session { repository, config } = session;
        let after = data.another(plan.applied_to(files)).describing(&config.metrics);
        let mut base = Base {
            commit: tree::commit(&repository.root, "HEAD").unwrap_or_default(),
            renames: Renames::between(&data, &after),
            data,
            expectations: Vec::new(),
            former_risks: GraphData::from_blobs(Vec::new()),
        };
        base.recall_former_risks(&repository.root, &after);
        let request = Request { config, ..Request::default() };
        Proposal { plan, after, repository, request, base, sources }
    }
}

impl Proposal {
    pub(crate) fn repository(&self) -> &Repository {
        &self.repository
    }

    /// Whether the repository had a pattern before the plan.
    pub(crate) fn had_pattern(&self, pattern: &str) -> bool {
        self.base.data.patterns.get(pattern).is_some()
    }

    fn linter(&self) -> Linter<'_> {
        Linter {
            repository: &self.repository,
            request: &self.request,
            base: Some(&self.base),
            sources: self.sources.as_deref(),
        }
    }

    pub(crate) fn graphs(&self) -> RuleGraphs {
        self.linter().graphs(&self.after)
    }

    pub(crate) fn change<'p>(&'p self, graphs: &'p RuleGraphs) -> Option<GraphChange<'p>> {
        let view = graphs.of_change()?;
        Some(view.change(&self.base.data, &self.after, &[]))
    }

    /// The findings that the plan causes.
    pub(crate) fn findings(
        &self,
        graphs: &RuleGraphs,
        change: Option<&GraphChange<'_>>,
    ) -> Outcome {
        self.linter().lint(&self.after, graphs, change)
    }

    /// The edits that restore the files.
    fn undoing(&self) -> Vec<FileEdit<'_>> {
        let root = &self.repository.root;
        let edit = |file| {
            let FileEdit { path, old, new, .. } = edit_of(root, file);
            FileEdit { path, old: new, new: old, like: None }
        };
        self.plan.files.iter().map(edit).collect()
    }

    /// Writes the files: all, or none.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        write_plan(&self.repository.root, &self.plan)
    }

    /// Writes and commits the files, if each is as the last commit has it. `because` is the text
    /// after the first line of the message.
    pub(crate) fn commit(&self, because: Option<&str>) -> Result<String, Failure> {
        let git = Git::at(&self.repository.root);
        let files: Vec<Committed<'_>> = self.plan.files.iter().map(committed).collect();
        if let Some(what) = tree::unfinished(&self.repository.root) {
            let what = format!("cannot commit: a {what} is in progress");
            return Err(Failure::new(what).hint("finish it or abort it first; nothing is written"));
        }
        let refused = |error| Failure::new(format!("cannot commit: {}", words_of(error)));
        git.check_can_commit().map_err(|error| {
            let lacks_name =
                matches!(&error, GitError::Failed(words) if words.contains("identity"));
            let hint = lacks_name.then_some("set `user.name` and `user.email` with `git config`");
            refused(error).hint_if_any(hint.map(str::to_owned))
        })?;
        if let Some(path) = git.first_uncommitted(&files).map_err(refused)? {
            let what = format!("{} has changes that are not committed", printable(&path));
            return Err(Failure::new(what).hint("commit or stash them first; nothing is written"));
        }
        self.write()?;
        let message = match because {
            Some(because) => format!("{}\n\n{}", self.plan.subject, because.trim()),
            None => self.plan.subject.clone(),
        };
        git.commit_files(&files, &message).map_err(|error| {
            let undone = write_together(&self.undoing());
            match undone {
                Ok(()) => refused(error).hint("nothing is written"),
                Err(_) => refused(error).hint("the files are written: `git status` lists them"),
            }
        })
    }
}

/// Writes the files of a plan: all, or none.
pub(crate) fn write_plan(root: &Path, plan: &Plan) -> Result<(), Failure> {
    write_together(&edits(root, &plan.files))
}

fn edits<'f>(root: &Path, files: &'f [PlannedFile]) -> Vec<FileEdit<'f>> {
    files.iter().map(|file| edit_of(root, file)).collect()
}

fn edit_of<'f>(root: &Path, file: &'f PlannedFile) -> FileEdit<'f> {
    FileEdit {
        path: root.join(&file.path),
        old: file.old.as_deref(),
        new: file.new.as_deref(),
        like: file.moved_from.as_ref().map(|path| root.join(path)),
    }
}

fn committed(file: &PlannedFile) -> Committed<'_> {
    Committed {
        path: &file.path,
        old: file.old.as_deref(),
        moved_from: file.moved_from.as_deref(),
        is_removed: file.new.is_none(),
    }
}

fn words_of(error: GitError) -> String {
    tree::TreeError::from(error).to_string()
}
