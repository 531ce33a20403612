//! The flags of `channels`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::report::ChannelsFormat;

use super::access_args::AccessArgs;
use super::choice::choice;

#[derive(Debug, ClapArgs)]
pub(super) struct ChannelsArgs {
    /// Show only this channel, with its whole text.
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Read a git revision instead of the work tree.
    #[arg(long, value_name = "REV", allow_hyphen_values = true)]
    pub(super) rev: Option<String>,
    #[command(flatten)]
    pub(super) service: ServiceArgs,
    /// What to show.
    #[arg(long = "as", value_name = "VIEW", value_enum, default_value_t = ChannelsView::List)]
    pub(super) view: ChannelsView,
    /// With --as crd and --service: the objects that an earlier run printed. If the service does not
    /// answer, they stay as they are.
    #[arg(long, value_name = "FILE", requires = "service")]
    pub(super) known: Option<PathBuf>,
    /// How to print the list: human, or json, as the service answers it.
    #[arg(long, value_name = "FORMAT", value_parser = choice::<ChannelsFormat>(), hide_possible_values = true)]
    pub(super) format: Option<ChannelsFormat>,
}

/// A running update service instead of a repository.
#[derive(Debug, ClapArgs)]
pub(super) struct ServiceArgs {
    /// Ask the update service at this address instead of reading a repository.
    #[arg(long, value_name = "URL", group = "server", conflicts_with_all = ["repo", "rev"])]
    pub(super) service: Option<String>,
    #[command(flatten)]
    pub(super) access: AccessArgs,
}

/// What `channels` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ChannelsView {
    /// The channels and what each is for.
    List,
    /// The objects that the operator of a cluster stores, as YAML.
    Crd,
}
