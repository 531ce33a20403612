//! The flags of `exitpath graph`. clap prints the doc comments in this file as help.

use clap::{Args as ClapArgs, ValueEnum};

use crate::domain::{Arch, Format};
use crate::graph_data::Consumer;

use super::choice::{choice, format_of_graph};
use super::graph_subject_args::GraphSubjectArgs;
use super::output::OutputArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct GraphArgs {
    #[command(flatten)]
    pub(super) subject: GraphSubjectArgs,
    /// Print what clusters in this channel receive. A table and edges can have several channels.
    /// Default: the whole graph.
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',')]
    pub(super) channel: Vec<String>,
    /// The clusters' architecture. Default: amd64.
    #[arg(long, value_name = "ARCH", value_parser = choice::<Arch>(), hide_possible_values = true)]
    pub(super) arch: Option<Arch>,
    /// The schema version that the service or client supports. With 1.0.0, each risk is a block.
    #[arg(
        long,
        value_name = "VERSION",
        value_parser = choice::<Consumer>(),
        default_value = "1.1.0",
        hide_default_value = true
    )]
    pub(super) consumer: Consumer,
    /// How to print the graph. human is a table. json is what the service returns. edges has a line
    /// for each update. html is a page to explore all channels, or those that you name. The others
    /// are drawings. Default: human on a terminal, or else json.
    #[arg(long, value_name = "FORMAT", value_parser = format_of_graph(&[Format::Human, Format::Json, Format::Edges, Format::Html]))]
    pub(super) format: Option<Format>,
    /// Only the releases of the channel that can be reached from this one, also with conditional
    /// updates.
    #[arg(long, value_name = "VERSION", requires = "channel")]
    pub(super) root_version: Option<String>,
    /// With `--format html`: also the states since this day or git revision, for a slider.
    #[arg(long, value_name = "DAY|REV", allow_hyphen_values = true)]
    pub(super) since: Option<String>,
    /// Draw one release and the updates from and to it.
    #[arg(long, value_name = "VERSION")]
    pub(super) around: Option<String>,
    /// Draw these updates only.
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(super) only: Option<OnlyUpdates>,
    /// Also draw blocked updates.
    #[arg(long)]
    pub(super) blocked: bool,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OnlyUpdates {
    /// Conditional updates.
    Conditional,
    /// Updates from releases that `exitpath simulate` reports as stranded.
    Stranded,
}
