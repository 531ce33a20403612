//! The flags of `exitpath catalog fail-forward`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::choice::choice;
use crate::cli::report_args::ReportArgs;
use crate::olm::Strategy;
use crate::report::FailForwardReport;

use super::shared::{CatalogSourceArgs, PlaceArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogFailForwardArgs {
    #[command(flatten)]
    pub(crate) source: CatalogSourceArgs,
    /// A namespace as YAML: OperatorGroup, Subscriptions, CSVs, and InstallPlans, as `oc get
    /// operatorgroups,subscriptions,csv,installplans -o yaml` prints them. `-` for standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "installed")]
    pub(crate) namespace: Option<PathBuf>,
    /// Which namespace of FILE, if it has several.
    #[arg(long = "in", value_name = "NAME", requires = "namespace")]
    pub(crate) within: Option<String>,
    /// Start with this entry, installed by one Subscription: its name or its version. --package and
    /// --channel say which one, if there are several. Default channel: that of the package.
    #[arg(long, value_name = "ENTRY")]
    pub(crate) installed: Option<String>,
    /// Something that happens. May be repeated.
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Vec<String>,
    /// A file with an event on each line. They happen after those of --event.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// The strategy: Default or TechPreviewUnsafeFailForward. Default: both, one after the other.
    #[arg(long, value_name = "STRATEGY", value_parser = choice::<Strategy>(), hide_possible_values = true)]
    pub(crate) strategy: Option<Strategy>,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs<FailForwardReport<'static>>,
}
