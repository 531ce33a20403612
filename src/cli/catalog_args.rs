//! The flags of `exitpath catalog`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::domain::FailOn;
use crate::report::CheckFormat;

use super::choice::choice;

/// Check and simulate catalogs of operators (file-based catalogs of OLM).
#[derive(Debug, Subcommand)]
pub(super) enum CatalogCommand {
    Check(CatalogCheckArgs),
}

/// Lint catalogs: all that opm refuses, and the installs that can never be updated.
///
/// Exit status: 0 (no finding is at or above --fail-on), 1 (at least one finding is), or 2 (the
/// command could not run).
#[derive(Debug, ClapArgs)]
pub(super) struct CatalogCheckArgs {
    /// The folder of a catalog, as for `opm validate`; one file with a whole catalog; or `-` for
    /// the output of `opm render`. Each is a catalog of its own.
    #[arg(value_name = "DIR", required = true)]
    pub(super) catalogs: Vec<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    /// Report only findings that are new since the merge base with REV, and installs that the
    /// change strands.
    #[arg(long, value_name = "REV", conflicts_with = "write_baseline", allow_hyphen_values = true)]
    pub(super) base: Option<String>,
    /// Print what `opm validate` prints, and nothing else.
    #[arg(long, conflicts_with_all = ["base", "format", "output"])]
    pub(super) opm_words: bool,
    /// How to print the report: human, concise, json, github, sarif, junit, or markdown.
    #[arg(long, value_name = "FORMAT", value_parser = choice::<CheckFormat>(), default_value = "human", hide_default_value = true, hide_possible_values = true)]
    pub(super) format: CheckFormat,
    /// Write the report to FILE. With FORMAT=FILE, write one more report. May be repeated.
    #[arg(long, value_name = "[FORMAT=]FILE")]
    pub(super) output: Vec<String>,
    /// Also list infos, not only their number, in the formats human and concise.
    #[arg(long)]
    pub(super) info: bool,
    /// List how many findings each rule has, not the findings, in the formats human and concise.
    #[arg(long, conflicts_with = "info")]
    pub(super) statistics: bool,
    /// The lowest severity that fails the check. Default: error.
    #[arg(long, value_name = "SEVERITY", value_parser = choice::<FailOn>())]
    pub(super) fail_on: Option<FailOn>,
    /// Run only these rules: codes, names, or families, separated by commas.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) select: Vec<String>,
    /// Skip these rules: codes, names, or families, separated by commas.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(super) ignore: Vec<String>,
    /// Hide the findings that are in this baseline file. With --write-baseline: the file to write.
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Write all current findings to the baseline file. Default: exitpath-baseline.json.
    #[arg(long, conflicts_with = "rev")]
    pub(super) write_baseline: bool,
}
