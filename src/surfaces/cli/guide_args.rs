//! The flags of `exitpath guide`. clap prints the doc comments in this file as help.

use clap::Args as ClapArgs;

use crate::domain::Named;

use super::choice::choice;
use super::output::OutputArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct GuideArgs {
    /// What the guide is about: risk.
    #[arg(value_name = "TOPIC", value_parser = choice::<Topic>())]
    pub(super) topic: Topic,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// What a guide is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Risk,
}

impl Named for Topic {
    const ALL: &'static [Self] = &[Self::Risk];

    fn name(self) -> &'static str {
        match self {
            Self::Risk => "risk",
        }
    }
}
