//! From a command line's words to what is known: open a repository, read it with the sources of
//! its updates, assemble its graph, and judge it. Every command is a short program over this.

mod base;
mod change_view;
mod failure;
mod fixing;
mod judge;
mod known_graph;
mod repository;
mod update_sources;
mod what_if;

pub(crate) use base::{Base, BaseAsked};
pub(crate) use change_view::ChangeView;
pub(crate) use failure::Failure;
pub(crate) use fixing::{Fixed, fix};
pub(crate) use judge::Judge;
pub(crate) use known_graph::{KnownGraph, read_graph_file};
pub(crate) use repository::{Repository, absolute, here, nearest};
pub(crate) use update_sources::{SourcesAsked, UpdateSources};
pub(crate) use what_if::WhatIf;

use std::path::{Path, PathBuf};
use std::thread;

use crate::graph_data::{self, GraphData};
use crate::lint::Config;
use crate::tree::Blob;

use base::Unread;

/// An open repository.
#[derive(Debug)]
pub(crate) struct Session {
    /// Where it is, and which part of it is asked about.
    pub repository: Repository,
    /// Its `exitpath.toml`.
    pub config: Config,
}

/// What to read of a repository.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked<'a> {
    /// The git revision; the work tree without one.
    pub revision: Option<&'a str>,
    /// What to change before it is read.
    pub what_if: WhatIf<'a>,
    /// The start of the change that is asked about.
    pub base: Option<BaseAsked<'a>>,
    /// The sources of updates; none where the graph is not asked about.
    pub sources: Option<SourcesAsked<'a>>,
    /// Whether the files are kept as they were read, for fixes.
    pub keeps_files: bool,
}

/// A repository, read.
#[derive(Debug)]
pub(crate) struct Read {
    /// Its data.
    pub data: GraphData,
    /// The same where the change began, if that was asked for.
    pub base: Option<Base>,
    /// The sources of its updates, if these were asked for.
    pub sources: Option<UpdateSources>,
    /// Its files as they were read, if these are kept.
    pub files: Vec<Blob>,
    /// What people should know of what was read.
    pub notes: Vec<Note>,
}

/// Something that people should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    /// What it is.
    pub text: String,
    /// Whether it changes what the verdict means, so that `--quiet` does not hide it.
    pub is_important: bool,
}

impl Session {
    /// Opens the repository that a command line names, or the nearest from here upwards.
    pub(crate) fn open(
        folder: Option<&Path>,
        paths: &[PathBuf],
        revision: Option<&str>,
    ) -> Result<Self, Failure> {
        let repository = Repository::find(folder, paths, revision.is_some())?;
        let config = Config::read(&repository.root)?;
        Ok(Self { repository, config })
    }

    /// Reads what is asked for: the repository, its base, and its history, side by side.
    pub(crate) fn read(&self, asked: &Asked<'_>) -> Result<Read, Failure> {
        let root = &self.repository.root;
        let failed = |_| Failure::new("reading the base failed");
        let both = || -> Result<(GraphData, Option<Unread>, Vec<Blob>), Failure> {
            thread::scope(|scope| {
                let base = asked.base;
                let base = base.map(|base| scope.spawn(move || base.read(root, asked.revision)));
                let files = graph_data::blobs(root, asked.revision)?;
                let kept = if asked.keeps_files { files.clone() } else { Vec::new() };
                let data = asked.what_if.applied_to(files)?;
                let base = base.map(|base| base.join().map_err(failed)).transpose()?.transpose()?;
                Ok((data, base, kept))
            })
        };
        let (both, sources) = match &asked.sources {
            None => (both()?, None),
            Some(sources) => {
                let (both, sources) =
                    sources.read_beside(root, asked.revision, &self.config, both)?;
                (both?, Some(sources))
            }
        };
        let (data, base, files) = both;
        let (base, notes) = match base {
            None => (None, Vec::new()),
            Some(base) => {
                let (base, notes) = base.beside(&data);
                (Some(base), notes)
            }
        };
        Ok(Read { data, base, sources, files, notes })
    }
}
