//! The flags of `channels`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::domain::{Arch, Format};
use crate::report::ChannelsReport;
use crate::session::{KnownGraph, ServiceGraph};
use crate::text::Failure;

use super::access_args::AccessArgs;
use super::choice::format_of;
use super::output::OutputArgs;
use super::source_args::GraphSourceArgs;

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
    /// With --as crd and --service: the objects that an earlier run printed. If the service does
    /// not answer, they stay as they are.
    #[arg(long, value_name = "FILE", requires = "service")]
    pub(super) known: Option<PathBuf>,
    /// With --as crd: first print the CustomResourceDefinition that Kubernetes needs for the
    /// objects.
    #[arg(long)]
    pub(super) with_definition: bool,
    /// How to print the list. json is what the service answers.
    #[arg(long, value_name = "FORMAT", value_parser = format_of::<ChannelsReport>())]
    pub(super) format: Option<Format>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
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

impl ServiceArgs {
    /// The graph of the service. None: the flags name no service.
    pub(super) fn graph(
        &self,
        channels: &[String],
        arch: Arch,
        other: &GraphSourceArgs,
    ) -> Result<Option<KnownGraph>, Failure> {
        let Some(url) = &self.service else { return Ok(None) };
        if let Some(flag) = other.given() {
            return Err(Failure::new(format!("`{flag}` has no effect with `--service`")));
        }
        let (token_file, ca) = (self.access.token_file(), self.access.ca());
        let limit = self.access.limit();
        ServiceGraph { url, channels, arch, token_file, ca, limit }.read().map(Some)
    }
}
