//! The flags of `exitpath catalog path`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::cli::report_args::ReportArgs;
use crate::report::CatalogPaths;

use super::shared::{CatalogSourceArgs, PlaceArgs, ResolverArgs};

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogPathArgs {
    #[command(flatten)]
    pub(crate) source: CatalogSourceArgs,
    /// What is installed: the name of an entry, or its version. Default with --from-channel: the
    /// head of that channel.
    #[arg(value_name = "FROM", required_unless_present = "from_channel")]
    pub(crate) from: Option<String>,
    /// Where it should get. Default: the head of the channel.
    #[arg(value_name = "TO")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) resolver: ResolverArgs,
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    /// The channel of FROM, if its Subscription switches to that of --channel.
    #[arg(long, value_name = "CHANNEL", requires = "channel")]
    pub(crate) from_channel: Option<String>,
    #[command(flatten)]
    pub(crate) report: ReportArgs<CatalogPaths<'static>>,
}
