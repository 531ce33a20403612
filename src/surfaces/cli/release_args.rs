//! The flags of `exitpath release`. clap prints the doc comments in this file as help.

use clap::{Args as ClapArgs, Subcommand};

use crate::domain::Minor;

use super::deferred::Deferred;
use super::edit_args::EditArgs;
use super::examples;
use super::values::minor;

#[derive(Debug, Subcommand)]
pub(super) enum ReleaseCommand {
    /// Open a minor version: its candidate channel, and the ranges for its builds.
    #[command(after_help = examples::RELEASE_OPEN)]
    Open(Deferred<MinorArgs>),
    /// Make a minor version generally available: its channels, and the fix of the risks that only
    /// its pre-releases have.
    #[command(after_help = examples::RELEASE_GA)]
    Ga(Deferred<MinorArgs>),
    /// End the maintenance of a minor version: stop promotions to its stable channel.
    #[command(after_help = examples::RELEASE_END)]
    End(Deferred<MinorArgs>),
}

#[derive(Debug, ClapArgs)]
pub(super) struct MinorArgs {
    /// The minor version, such as 4.20.
    #[arg(value_name = "MINOR", value_parser = minor)]
    pub(super) minor: Minor,
    #[command(flatten)]
    pub(super) edit: EditArgs,
}
