//! The flags of `exitpath check`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::access_args::AccessArgs;
use super::lint_args::LintArgs;
use super::source_args::ReleaseArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct CheckArgs {
    /// The folder of a repository; or files in a repository, to report only findings that affect
    /// them (the whole repository is still read); or update graphs as the service returns them
    /// (FILE.json). Default: the nearest repository at or above the working directory.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// The repository's folder.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    /// Report only findings that are new since the merge base with REV.
    #[arg(long, value_name = "REV", conflicts_with = "write_baseline", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) lint: LintArgs,
    /// Also ask the Prometheus or Thanos at this address about the queries: which metrics, labels,
    /// and values it has, and what the queries answer.
    #[arg(long, value_name = "URL", group = "server", conflicts_with = "fix")]
    pub(super) url: Option<String>,
    #[command(flatten)]
    pub(super) access: AccessArgs,
    /// Check again after each save, and show what is new and what is gone. Ctrl-C ends it.
    #[cfg(feature = "lsp")]
    #[arg(long, conflicts_with_all = ["rev", "fix", "write_baseline", "output", "url", "statistics"])]
    pub(super) watch: bool,
    /// Do not build the update graph, and skip the rules that need it.
    #[arg(long)]
    pub(super) no_graph: bool,
}
