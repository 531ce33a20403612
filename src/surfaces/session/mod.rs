//! What all commands share: opens a repository, reads it and the sources of its updates, assembles
//! its graph, and runs the rules.

mod base;
mod catalogs;
mod change_view;
mod changed_file;
mod check;
mod elsewhere;
mod fixing;
mod known_graph;
mod last_reading;
mod linter;
mod next_catalogs;
mod older_revisions;
mod past_catalogs;
mod proposal;
mod repository;
mod server_answers;
mod service_graph;
mod settings;
mod several_catalogs;
mod substitution;
mod update_sources;
mod what_if;

pub(crate) use base::{Base, BaseRequest};
pub(crate) use catalogs::{Beside, Catalogs, ReadCatalogs};
pub(crate) use change_view::ChangeView;
pub(crate) use changed_file::{ChangedFile, write_all};
#[cfg(feature = "lsp")]
pub(crate) use check::PreparedCheck;
pub(crate) use check::{CheckQuestion, CheckedFiles};
pub(crate) use elsewhere::Elsewhere;
pub(crate) use fixing::{CheckedCatalogs, CheckedRepository, Fixed, fix};
pub(crate) use known_graph::{KnownGraph, read_graph_file};
#[cfg(feature = "lsp")]
pub(crate) use last_reading::SETTINGS;
pub(crate) use last_reading::{LastReading, ReadAt};
#[cfg(feature = "lsp")]
pub(crate) use linter::LintedState;
pub(crate) use linter::{Linter, RuleGraphs};
pub(crate) use next_catalogs::MinorFolder;
pub(crate) use older_revisions::older_revisions;
pub(crate) use proposal::{Draft, Proposal, write_plan};
pub(crate) use repository::{
    Repository, absolute, described_metrics, nearest_repository, working_directory,
};
pub(crate) use service_graph::ServiceGraph;
pub(crate) use settings::{ConfigFrom, Settings, SettingsRequest};
pub(crate) use substitution::{Substituted, SubstitutionRequest};
pub(crate) use update_sources::{SourcesRequest, UpdateSources};
pub(crate) use what_if::WhatIf;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crate::graph_data::{self, GraphData};
use crate::lint::Config;
use crate::text::words::counted;
use crate::text::{Failure, printable};
use crate::tree::Blob;

use base::UnparsedBase;

#[derive(Debug)]
pub(crate) struct Session {
    pub repository: Repository,
    pub config: Config,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadRequest<'a> {
    /// None for the work tree.
    pub revision: Option<&'a str>,
    pub what_if: WhatIf<'a>,
    /// The state to compare with, if a change is checked.
    pub base: Option<BaseRequest<'a>>,
    /// None if no graph is needed.
    pub sources: Option<SourcesRequest<'a>>,
    /// Whether to keep the unparsed files, for fixes.
    pub keeps_files: bool,
    /// What is known from reading the same work tree before.
    pub last: Option<&'a LastReading>,
}

#[derive(Debug)]
pub(crate) struct LoadedRepository {
    pub data: GraphData,
    /// None if no base was requested.
    pub base: Option<Base>,
    /// None if no sources were requested.
    pub sources: Option<Arc<UpdateSources>>,
    /// The unparsed files. Empty unless requested.
    pub files: Vec<Blob>,
    pub notes: Vec<Note>,
}

/// A message for stderr.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub text: String,
    /// Whether it changes the meaning of the result, so that `--quiet` does not hide it.
    pub is_important: bool,
}

impl Note {
    pub(crate) fn new(text: &str, is_important: bool) -> Self {
        Self { text: printable(text).into_owned(), is_important }
    }
}

impl Session {
    /// Opens the repository that the command line names, or the nearest one at or above the working
    /// directory.
    pub(crate) fn open(
        folder: Option<&Path>,
        paths: &[PathBuf],
        revision: Option<&str>,
    ) -> Result<Self, Failure> {
        let repository = Repository::find(folder, paths, revision.is_some())?;
        let config = Config::read(&repository.root)?;
        Ok(Self { repository, config })
    }

    /// Reads the repository, its base, and its history in parallel.
    pub(crate) fn read(&self, request: &ReadRequest<'_>) -> Result<LoadedRepository, Failure> {
        let root = &self.repository.root;
        let last = request.last.filter(|_| request.revision.is_none());
        let last = last.map(|last| (last, ReadAt::now(root)));
        let earlier = last.as_ref().and_then(|(last, read_at)| last.take(read_at));
        let earlier_data = earlier.as_ref().map(|earlier| &earlier.data);
        let failed = |_| Failure::new("reading the base failed");
        let both = || -> Result<_, Failure> {
            thread::scope(|scope| {
                let base = request.base;
                let base = base.map(|base| scope.spawn(move || base.read(root, request.revision)));
                let files = graph_data::blobs(root, request.revision)?;
                let note = note_on_omitted(&files);
                let kept = if request.keeps_files { files.clone() } else { Vec::new() };
                let (data, on_what_if) = request.what_if.applied_to(files, earlier_data)?;
                let base = base.map(|base| base.join().map_err(failed)).transpose()?.transpose()?;
                Ok((data, base, kept, note.into_iter().chain(on_what_if).collect()))
            })
        };
        let known = earlier.as_ref().and_then(|earlier| earlier.sources.as_ref());
        let (both, sources) = match (&request.sources, known) {
            (None, _) => (both()?, None),
            (Some(_), Some(known)) => (both()?, Some(Arc::clone(known))),
            (Some(sources), None) => {
                let (both, sources) =
                    sources.read_during(root, request.revision, &self.config, both)?;
                (both?, Some(Arc::new(sources)))
            }
        };
        let (data, base, files, mut notes): (GraphData, _, _, Vec<Note>) = both;
        let data = data.describing(&self.config.metrics);
        let base = base.map(|base: UnparsedBase| {
            let (base, more) = base.parsed_beside(&data);
            notes.extend(more);
            base
        });
        if let (Some((last, read_at)), Some(sources)) = (last, &sources)
            && read_at == ReadAt::now(root)
        {
            last.keep(read_at, &data, sources);
        }
        Ok(LoadedRepository { data, base, sources, files, notes })
    }
}

/// A note about files of the work tree that a sparse checkout omits.
fn note_on_omitted(files: &[Blob]) -> Option<Note> {
    let count = files.iter().filter(|file| file.is_omitted).count();
    let text = || {
        let files = counted(count, "file");
        format!("this is a sparse checkout: exitpath reads {files} that it omits from git's index")
    };
    (count > 0).then(|| Note { text: text(), is_important: false })
}
