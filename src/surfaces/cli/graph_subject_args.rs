//! The flags of commands about a graph: of a repository, a file, or a service. clap prints the doc
//! comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Architectures;
use crate::graph_data::Consumer;
use crate::session::KnownGraph;
use crate::text::Failure;

use super::channels_args::ServiceArgs;
use super::source_args::GraphSourceArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct GraphSubjectArgs {
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(value_name = "REPO", conflicts_with_all = ["repo", "graph", "service"])]
    pub(super) path: Option<PathBuf>,
    #[command(flatten)]
    pub(super) source: GraphSourceArgs,
    #[command(flatten)]
    service: ServiceArgs,
}

impl GraphSubjectArgs {
    /// Reads the graph: of these channels and the first architecture if it is a service's, or else
    /// of all architectures.
    pub(super) fn read(
        &self,
        channels: &[String],
        architectures: Architectures<'_>,
        consumer: Consumer,
        as_answer: bool,
    ) -> Result<KnownGraph, Failure> {
        match self.service.graph(channels, architectures.of_responses, &self.source)? {
            Some(known) => Ok(known),
            None => self.source.read(self.path.as_deref(), architectures, consumer, as_answer),
        }
    }

    /// What the graph is of: a revision, a file, a service, or the work tree.
    pub(super) fn in_words(&self) -> String {
        let GraphSourceArgs { rev, graph, what_if, .. } = &self.source;
        let file = graph.as_ref().map(|file| file.display().to_string());
        let place = self.service.service.clone().or(file).or_else(|| rev.clone());
        place.unwrap_or_else(|| "the work tree".to_owned()) + &what_if.request().in_words()
    }

    /// The repository's folder. Fails if the graph is not that of a repository.
    pub(super) fn root(&self) -> Result<PathBuf, Failure> {
        if self.service.service.is_some() || self.source.graph.is_some() {
            return Err(Failure::new("only a repository has a past"));
        }
        self.source.root(self.path.as_deref())
    }

    /// The git revision to read. None for the work tree.
    pub(super) fn revision(&self) -> Option<&str> {
        self.source.rev.as_deref()
    }

    /// Reads the graph of a commit of the repository.
    pub(super) fn read_commit(
        &self,
        commit: &str,
        architectures: Architectures<'_>,
    ) -> Result<KnownGraph, Failure> {
        self.source.read_commit(self.path.as_deref(), commit, architectures)
    }

    /// The full name of a commit of the repository.
    pub(super) fn commit(&self, revision: &str) -> Result<String, Failure> {
        self.source.commit(self.path.as_deref(), revision)
    }

    /// Reads the graph before a change: at the merge base with `base`. Returns this commit, too.
    pub(super) fn read_base(
        &self,
        base: &str,
        architectures: Architectures<'_>,
    ) -> Result<(String, KnownGraph), Failure> {
        self.source.read_base(self.path.as_deref(), base, architectures)
    }
}
