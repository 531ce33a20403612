//! The flags of `exitpath catalog substitute`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::report_args::ReportArgs;
use crate::report::SubstitutionReport;

use super::shared::ResolverArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogSubstituteArgs {
    /// The folder of a catalog, or of bundles; one file with a whole catalog or a template; or `-`
    /// for the output of `opm render`.
    #[arg(value_name = "DIR")]
    pub(crate) catalog: PathBuf,
    /// What `opm render` prints for the images that a template names: a file or a folder. May be
    /// repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) rendered: Vec<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, conflicts_with_all = ["diff", "write"])]
    pub(crate) rev: Option<String>,
    /// Show what `opm alpha render-template` makes of a template instead.
    #[arg(long, conflicts_with_all = ["diff", "write"])]
    pub(crate) like_opm: bool,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// Print the changes of the files instead of a report.
    #[arg(long, conflicts_with_all = ["write", "format", "output"])]
    pub(crate) diff: bool,
    /// Write the result into the files. Everything but the entries stays as it is. A template also
    /// gets the rebuilt bundles, and its substitutions are removed.
    #[arg(long, conflicts_with_all = ["format", "output"])]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs<SubstitutionReport<'static>>,
}
