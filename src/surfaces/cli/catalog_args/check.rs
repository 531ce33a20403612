//! The flags of `exitpath catalog check`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::lint_args::LintArgs;

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogCheckArgs {
    /// The folder of a catalog, as for `opm validate`; one file with a whole catalog; or `-` for
    /// the output of `opm render`. Each is a catalog of its own.
    #[arg(value_name = "DIR", required = true)]
    pub(crate) catalogs: Vec<PathBuf>,
    /// Another catalog of the cluster, which provides what bundles require. It is not checked. May
    /// be repeated.
    #[arg(long, value_name = "CATALOG")]
    pub(crate) with: Vec<PathBuf>,
    /// The catalog of the next minor version of OpenShift: report installs that lose their package,
    /// their channel, or their updates when a cluster is updated. Put its version in front, unless
    /// the folder's name says it (v4.21). Default: the one of the next version among the catalogs
    /// that are checked. May be repeated, once for each catalog.
    #[arg(long, value_name = "[MINOR=]DIR")]
    pub(crate) next_catalog: Vec<String>,
    /// What `opm render` prints for the images that a template names: a file or a folder. May be
    /// repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) rendered: Vec<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(crate) rev: Option<String>,
    /// Report only findings that are new since the merge base with REV, and installs that the
    /// change strands.
    #[arg(long, value_name = "REV", conflicts_with = "write_baseline", allow_hyphen_values = true)]
    pub(crate) base: Option<String>,
    /// List each mistake once, with the catalogs that have it, and the worst first: by severity,
    /// then by the number of installs. In the formats human and markdown.
    #[arg(long, conflicts_with = "statistics")]
    pub(crate) grouped: bool,
    /// Add what `opm validate` says of each finding, in the formats human and json.
    #[arg(long)]
    pub(crate) opm_words: bool,
    /// Print what `opm validate` prints, and nothing else.
    #[arg(long, conflicts_with_all = ["base", "fix", "format", "opm_words", "output"])]
    pub(crate) opm_verdict: bool,
    #[command(flatten)]
    pub(crate) lint: LintArgs,
}
