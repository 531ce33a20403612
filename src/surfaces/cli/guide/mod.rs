//! `exitpath guide`: how to write a part of the data, for people and assistants.

use std::io::Write;

use crate::domain::Named;

use super::guide_args::GuideArgs;
use super::{Status, Stop};

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

pub(super) fn run(args: &GuideArgs, out: &mut dyn Write) -> Result<Status, Stop> {
    let text = match args.topic {
        Topic::Risk => include_str!("risk.md"),
    };
    out.write_all(text.as_bytes())?;
    Ok(Status::Clean)
}
