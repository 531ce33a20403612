//! The flags of `exitpath catalog switch`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::cli::report_args::ReportArgs;
use crate::report::SwitchReport;

use super::shared::{CatalogSourceArgs, ResolverArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogSwitchArgs {
    #[command(flatten)]
    pub(crate) source: CatalogSourceArgs,
    /// Look at installs whose Subscriptions leave these channels. Default: each channel. May be
    /// repeated.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(crate) from_channel: Vec<String>,
    /// The channels that they switch to. Default: each other channel. May be repeated.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(crate) channel: Vec<String>,
    /// Look at this package only.
    #[arg(long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs<SwitchReport<'static>>,
}
