//! The flags of `exitpath guide`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use super::choice::choice;
use super::guide::Topic;
use super::output::OutputArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct GuideArgs {
    /// What the guide is about: risk.
    #[arg(value_name = "TOPIC", value_parser = choice::<Topic>())]
    pub(super) topic: Topic,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}
