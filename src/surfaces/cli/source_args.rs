//! The flags that name the graph that a command is about. clap prints the doc comments in this file
//! as help.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;

use crate::domain::Architectures;
use crate::graph_data::Consumer;
use crate::session::{
    self, KnownGraph, LastReading, ReadRequest, Session, SourcesRequest, read_graph_file,
};
use crate::text::Failure;
use crate::tree;

#[derive(Clone, Debug, ClapArgs)]
pub(super) struct GraphSourceArgs {
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    /// Read a graph as the service returns it, instead of a repository.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["repo", "rev", "releases", "add", "without", "with"])]
    pub(super) graph: Option<PathBuf>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) what_if: WhatIfArgs,
}

impl GraphSourceArgs {
    /// A flag that names another source than a service, or changes it.
    pub(super) fn given(&self) -> Option<&'static str> {
        let WhatIfArgs { add, without, with } = &self.what_if;
        let flags = [
            (self.repo.is_some(), "--repo"),
            (self.rev.is_some(), "--rev"),
            (self.graph.is_some(), "--graph"),
            (!self.releases.releases.is_empty(), "--releases"),
            (!add.is_empty(), "--add"),
            (!without.is_empty(), "--without"),
            (!with.is_empty(), "--with"),
        ];
        flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
    }

    /// The same source without a change that flags make. None if no flag makes one.
    pub(super) fn without_what_if(&self) -> Option<Self> {
        let WhatIfArgs { add, without, with } = &self.what_if;
        let is_changed = !(add.is_empty() && without.is_empty() && with.is_empty());
        let what_if = WhatIfArgs { add: Vec::new(), without: Vec::new(), with: Vec::new() };
        is_changed.then(|| Self { what_if, ..self.clone() })
    }

    /// Reads the graph.
    pub(super) fn read(
        &self,
        folder: Option<&Path>,
        architectures: Architectures<'_>,
        consumer: Consumer,
        as_answer: bool,
    ) -> Result<KnownGraph, Failure> {
        if let Some(file) = &self.graph {
            return read_graph_file(file, architectures.of_responses, as_answer);
        }
        self.read_repository(folder, architectures, consumer, None)
    }

    /// Reads the graph of the repository. `last` is for a process that reads it again and again.
    pub(super) fn read_repository(
        &self,
        folder: Option<&Path>,
        architectures: Architectures<'_>,
        consumer: Consumer,
        last: Option<&LastReading>,
    ) -> Result<KnownGraph, Failure> {
        let revision = self.rev.as_deref();
        let session = self.session(folder, revision)?;
        let request = ReadRequest {
            revision,
            what_if: self.what_if.request(),
            sources: Some(self.releases.request()),
            last,
            ..ReadRequest::default()
        };
        KnownGraph::of_repository(&session, &request, architectures, consumer)
    }

    /// The full name of a commit of the repository.
    pub(super) fn commit(&self, folder: Option<&Path>, revision: &str) -> Result<String, Failure> {
        let session = self.session(folder, Some(revision))?;
        Ok(tree::commit(&session.repository.root, revision)?)
    }

    fn session(&self, folder: Option<&Path>, revision: Option<&str>) -> Result<Session, Failure> {
        let paths: Vec<PathBuf> = folder.into_iter().map(Path::to_owned).collect();
        Session::open(self.repo.as_deref(), &paths, revision)
    }

    /// Reads the graph before a change: at the merge base with `base`.
    /// Returns this commit, too.
    pub(super) fn read_base(
        &self,
        folder: Option<&Path>,
        base: &str,
        architectures: Architectures<'_>,
    ) -> Result<(String, KnownGraph), Failure> {
        let root = self.session(folder, Some(base))?.repository.root;
        let commit = tree::base(&root, base, self.rev.as_deref())?.commit;
        let known = self.read_commit(folder, &commit, architectures)?;
        Ok((commit, known))
    }

    /// Reads the graph of a commit.
    pub(super) fn read_commit(
        &self,
        folder: Option<&Path>,
        commit: &str,
        architectures: Architectures<'_>,
    ) -> Result<KnownGraph, Failure> {
        let session = self.session(folder, Some(commit))?;
        let request = ReadRequest {
            revision: Some(commit),
            sources: Some(self.releases.request()),
            ..ReadRequest::default()
        };
        KnownGraph::of_repository(&session, &request, architectures, Consumer::Schema1_1)
    }

    /// The repository's folder.
    pub(super) fn root(&self, folder: Option<&Path>) -> Result<PathBuf, Failure> {
        Ok(self.session(folder, self.rev.as_deref())?.repository.root)
    }
}

impl WhatIfArgs {
    pub(super) fn request(&self) -> session::WhatIf<'_> {
        session::WhatIf { add: &self.add, without: &self.without, with: &self.with }
    }
}

impl ReleaseArgs {
    /// The files and folders that are named.
    #[cfg(feature = "serve")]
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.releases.iter().filter(|path| path.as_os_str() != "history")
    }

    pub(super) fn request(&self) -> SourcesRequest<'_> {
        SourcesRequest { named: &self.releases, uses_cache: !self.no_cache }
    }
}

#[derive(Clone, Debug, ClapArgs)]
pub(super) struct WhatIfArgs {
    /// Add this file to `blocked-edges/` for this run. May be repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) add: Vec<PathBuf>,
    /// Remove the risk of this name for this run. May be repeated.
    #[arg(long, value_name = "RISK", value_delimiter = ',')]
    pub(super) without: Vec<String>,
    /// Add a declaration for this run: a block, or with a name a risk for all clusters. May be
    /// repeated.
    #[arg(long, value_name = "to=… from=… [name=…]")]
    pub(super) with: Vec<String>,
}

#[derive(Clone, Debug, ClapArgs)]
pub(super) struct ReleaseArgs {
    /// Where the updates come from: a Cincinnati graph (FILE.json), a folder with release metadata
    /// or with the scripts' cache (`.nodes`), or `history`. May be repeated.
    #[arg(long, value_name = "FILE|DIR|history")]
    pub(super) releases: Vec<PathBuf>,
    /// Read the whole history again instead of using the cache folder.
    #[arg(long)]
    pub(super) no_cache: bool,
}
