//! The flags of commands that change files of a repository. clap prints the doc comments in this
//! file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::report::EditsReport;

use super::report_args::ReportArgs;
use super::source_args::ReleaseArgs;

/// What happens to the new texts of files.
#[derive(Debug, ClapArgs)]
pub(super) struct EditArgs {
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Show what would change, and write nothing.
    #[arg(long, conflicts_with_all = ["diff", "commit"])]
    pub(super) dry_run: bool,
    /// Print the changes as a difference. They are neither checked nor written.
    #[arg(long, conflicts_with_all = ["commit", "format", "output", "releases", "no_cache"])]
    pub(super) diff: bool,
    /// Commit the files, if they have no other changes. No hook and no filter runs, and the commit
    /// has no signature.
    #[arg(long)]
    pub(super) commit: bool,
    /// The text of the commit message after its first line.
    #[arg(long, value_name = "TEXT", requires = "commit")]
    pub(super) because: Option<String>,
    #[command(flatten)]
    pub(super) releases: ReleaseArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<EditsReport<'static>>,
}
