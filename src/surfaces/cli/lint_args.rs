//! The flags that `check` and `catalog check` share. clap prints the doc comments in this file as
//! help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::{FailOn, Format};
use crate::report::CheckReport;
use crate::session::ConfigFrom;

use super::choice::{choice, format_of};

/// Which rules run, what fails the check, and how it is reported.
#[derive(Debug, ClapArgs)]
pub(super) struct LintArgs {
    /// How to print the report.
    #[arg(long, value_name = "FORMAT", value_parser = format_of::<CheckReport>(), default_value = "human")]
    pub(super) format: Format,
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
    /// Whose exitpath.toml and baseline decide with --base: those of the base, which the change
    /// cannot edit, or those of the change.
    #[arg(long, value_name = "STATE", value_parser = choice::<ConfigFrom>(), default_value = "base", hide_default_value = true, requires = "base")]
    pub(super) config_from: ConfigFrom,
    /// Write all current findings to the baseline file. Default: exitpath-baseline.json.
    #[arg(long, conflicts_with = "rev")]
    pub(super) write_baseline: bool,
    #[command(flatten)]
    pub(super) fixes: FixArgs,
}

/// Whether findings are fixed.
#[derive(Debug, ClapArgs)]
pub(super) struct FixArgs {
    /// Fix findings that have only one possible fix.
    #[arg(long, conflicts_with_all = ["rev", "write_baseline"])]
    pub(super) fix: bool,
    /// With --fix: show the changes instead of making them.
    #[arg(long, requires = "fix")]
    pub(super) diff: bool,
}
