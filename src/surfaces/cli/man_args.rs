//! The flags of `exitpath man`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use super::output::OutputArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct ManArgs {
    #[command(flatten)]
    pub(super) output: OutputArgs,
}
