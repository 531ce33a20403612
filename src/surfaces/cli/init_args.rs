//! The flags of `exitpath init`. clap prints the doc comments in this file as help.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::domain::Named;

use super::choice::choice;

#[derive(Debug, ClapArgs)]
pub(super) struct InitArgs {
    /// What to set up: pre-commit, github, prow, settings, helix, or neovim. Default: all.
    #[arg(value_name = "PLACE", value_parser = choice::<Place>())]
    pub(super) places: Vec<Place>,
    /// The repository's folder. Default: the nearest repository at or above the working directory.
    #[arg(long, value_name = "DIR")]
    pub(super) repo: Option<PathBuf>,
    /// Write the files that are in the repository. None is written if one of them has another text.
    #[arg(long, requires = "places")]
    pub(super) write: bool,
}

/// Where exitpath runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    PreCommit,
    GitHub,
    Prow,
    Settings,
    Helix,
    Neovim,
}

impl Named for Place {
    const ALL: &'static [Self] =
        &[Self::PreCommit, Self::GitHub, Self::Prow, Self::Settings, Self::Helix, Self::Neovim];

    fn name(self) -> &'static str {
        match self {
            Self::PreCommit => "pre-commit",
            Self::GitHub => "github",
            Self::Prow => "prow",
            Self::Settings => "settings",
            Self::Helix => "helix",
            Self::Neovim => "neovim",
        }
    }
}
