//! The flags of `exitpath risk`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::domain::Version;
use crate::origins::Spec;
use crate::report::{ExposureReport, RiskListReport, RiskReport};

use super::deferred::Deferred;
use super::edit_args::EditArgs;
use super::examples;
use super::metrics_args::PrometheusArgs;
use super::report_args::ReportArgs;
use super::values::release;

#[derive(Debug, Subcommand)]
pub(super) enum RiskCommand {
    /// List the risks: their targets, since when, and which releases wait for them.
    #[command(after_help = examples::RISK_LIST)]
    List(Deferred<RiskListArgs>),
    /// Show a risk: its text, its updates, its query, and what it means for the sample clusters.
    ///
    /// Exit status: 0 (a file declares the risk), or 2 (the command could not run).
    #[command(after_help = examples::RISK_SHOW)]
    Show(Deferred<RiskShowArgs>),
    /// Declare a risk: one file for each release that has the bug.
    ///
    /// Without flags, exitpath asks on the terminal. It shows what the query catches, and what the
    /// files change for clusters.
    ///
    /// Exit status: 0, 1 (the files have errors), or 2 (nothing is written).
    #[command(after_help = examples::RISK_NEW)]
    New(Deferred<RiskNewArgs>),
    /// Continue a risk on the next releases: those that wait, or those that you name.
    ///
    /// Exit status: 0, 1 (the files have errors), or 2 (nothing is written).
    #[command(after_help = examples::RISK_EXTEND)]
    Extend(Deferred<RiskExtendArgs>),
    /// Say in which releases a risk is fixed.
    ///
    /// `fixedIn` goes into the file of the newest release before the fix, one for each minor
    /// version.
    ///
    /// Exit status: 0, 1 (the files have errors), or 2 (nothing is written).
    #[command(after_help = examples::RISK_FIX)]
    Fix(Deferred<RiskFixArgs>),
    /// Change the URL, the message, the rules, or `from` in all files of a risk.
    ///
    /// Exit status: 0, 1 (the files have errors), or 2 (nothing is written).
    #[command(after_help = examples::RISK_SPREAD)]
    Spread(Deferred<RiskSpreadArgs>),
    /// Give a risk another name, in its files, their names, and its tests.
    ///
    /// Exit status: 0, 1 (the files have errors), or 2 (nothing is written).
    #[command(after_help = examples::RISK_RENAME)]
    Rename(Deferred<RiskRenameArgs>),
    /// Remove a risk, or its files for some releases.
    ///
    /// Exit status: 0, 1 (the files have errors), or 2 (nothing is written).
    #[command(after_help = examples::RISK_DROP)]
    Drop(Deferred<RiskDropArgs>),
    /// Show how many days it took from each risk to its first fix.
    #[command(after_help = examples::RISK_EXPOSURE)]
    Exposure(Deferred<RiskExposureArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskListArgs {
    /// Only risks for which releases wait.
    #[arg(long)]
    pub(super) waiting: bool,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<RiskListReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskExposureArgs {
    /// The names of risks. Default: all.
    #[arg(value_name = "RISK")]
    pub(super) names: Vec<String>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read the history of a git revision. Default: `HEAD`.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) report: ReportArgs<ExposureReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskShowArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) name: String,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) prometheus: PrometheusArgs,
    #[command(flatten)]
    pub(super) report: ReportArgs<RiskReport<'static>>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskNewArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) name: Option<String>,
    /// The releases with the bug: 4.18.20, or 4.18.20..4.18 for that and all later ones of 4.18.
    #[arg(long, value_name = "RELEASES", value_delimiter = ',')]
    pub(super) to: Vec<Spec>,
    /// Where clusters come from when the bug affects them: words of `exitpath from`, or a pattern.
    /// Default: the releases of this minor version and the one before that do not have the bug.
    #[arg(long, value_name = "ORIGINS")]
    pub(super) from: Vec<String>,
    /// A page about the risk.
    #[arg(long, value_name = "URL", conflicts_with = "template")]
    pub(super) url: Option<String>,
    /// The text for administrators.
    #[arg(long, value_name = "TEXT", conflicts_with = "template")]
    pub(super) message: Option<String>,
    /// The query that says which clusters are affected.
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["always", "template"])]
    pub(super) promql: Option<String>,
    /// Declare that all clusters are affected.
    #[arg(long, conflicts_with = "template")]
    pub(super) always: bool,
    /// A file of a risk to take the lines from. `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    pub(super) template: Option<PathBuf>,
    /// The first releases without the bug, one for each minor version.
    #[arg(long, value_name = "RELEASE", value_delimiter = ',', value_parser = release)]
    pub(super) fixed_in: Vec<Version>,
    /// Include pre-releases in ranges of releases and origins.
    #[arg(long)]
    pub(super) pre_releases: bool,
    #[command(flatten)]
    pub(super) edit: EditArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskExtendArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) name: String,
    /// The releases. Default: all that wait for the risk.
    #[arg(value_name = "RELEASES")]
    pub(super) targets: Vec<Spec>,
    /// Copy the file of this release. Default: that of the release before.
    #[arg(long, value_name = "RELEASE", value_parser = release)]
    pub(super) like: Option<Version>,
    #[command(flatten)]
    pub(super) values: RiskValueArgs,
    /// The first releases without the bug, one for each minor version.
    #[arg(long, value_name = "RELEASE", value_delimiter = ',', value_parser = release)]
    pub(super) fixed_in: Vec<Version>,
    /// Remove a `fixedIn` if a new target is that release or a later one, and so still has the bug.
    #[arg(long)]
    pub(super) reopen: bool,
    /// Include pre-releases in ranges of releases and origins.
    #[arg(long)]
    pub(super) pre_releases: bool,
    #[command(flatten)]
    pub(super) edit: EditArgs,
}

/// What the files of a risk should say.
#[derive(Debug, ClapArgs)]
pub(super) struct RiskValueArgs {
    /// A page about the risk.
    #[arg(long, value_name = "URL")]
    pub(super) url: Option<String>,
    /// The text for administrators.
    #[arg(long, value_name = "TEXT")]
    pub(super) message: Option<String>,
    /// The query that says which clusters are affected.
    #[arg(long, value_name = "QUERY", conflicts_with = "always")]
    pub(super) promql: Option<String>,
    /// Declare that all clusters are affected.
    #[arg(long)]
    pub(super) always: bool,
    /// Other origins: words of `exitpath from`, or a pattern. Default with `extend`: the origins of
    /// the release before. If the risk is not on this minor version yet, the default is the
    /// releases without the bug.
    #[arg(long, value_name = "ORIGINS")]
    pub(super) from: Vec<String>,
    /// The comment above `from`. The old one goes when the origins change.
    #[arg(long, value_name = "TEXT")]
    pub(super) comment: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskFixArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) name: String,
    /// The first releases without the bug, one for each minor version.
    #[arg(value_name = "RELEASE", required = true, value_parser = release)]
    pub(super) versions: Vec<Version>,
    /// Write it into the files for these releases. Default: into that of the newest release before
    /// the fix.
    #[arg(long, value_name = "RELEASES", value_delimiter = ',')]
    pub(super) to: Vec<Spec>,
    #[command(flatten)]
    pub(super) edit: EditArgs,
}

#[derive(Debug, ClapArgs)]
#[group(id = "new-values", required = true, multiple = true, args = ["like", "url", "message", "promql", "always", "from", "comment"])]
pub(super) struct RiskSpreadArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) name: String,
    /// Copy the lines of `url`, `message`, and `matchingRules` from the file of this release.
    #[arg(long, value_name = "RELEASE", value_parser = release, conflicts_with_all = ["url", "message", "promql", "always"])]
    pub(super) like: Option<Version>,
    #[command(flatten)]
    pub(super) values: RiskValueArgs,
    /// Change only the files for these releases.
    #[arg(long, value_name = "RELEASES", value_delimiter = ',')]
    pub(super) to: Vec<Spec>,
    /// Include pre-releases in ranges of origins.
    #[arg(long, requires = "from")]
    pub(super) pre_releases: bool,
    #[command(flatten)]
    pub(super) edit: EditArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskRenameArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) old: String,
    /// The new name.
    #[arg(value_name = "NAME")]
    pub(super) new: String,
    #[command(flatten)]
    pub(super) edit: EditArgs,
}

#[derive(Debug, ClapArgs)]
pub(super) struct RiskDropArgs {
    /// The name of the risk.
    #[arg(value_name = "RISK")]
    pub(super) name: String,
    /// Remove the files for these releases. Default: all files of the risk, and its tests.
    #[arg(value_name = "RELEASES")]
    pub(super) targets: Vec<Spec>,
    #[command(flatten)]
    pub(super) edit: EditArgs,
}
