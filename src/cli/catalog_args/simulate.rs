//! The flags of `exitpath catalog simulate`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::cli::report_args::ReportArgs;
use crate::report::CatalogReport;

use super::shared::{CatalogSourceArgs, ResolverArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogSimulateArgs {
    #[command(flatten)]
    pub(crate) source: CatalogSourceArgs,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    /// Simulate this package only.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    /// Simulate this channel only.
    #[arg(long, value_name = "CHANNEL")]
    pub(crate) channel: Option<String>,
    #[command(flatten)]
    pub(crate) report: ReportArgs<CatalogReport<'static>>,
}
