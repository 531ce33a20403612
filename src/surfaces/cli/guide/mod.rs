//! `exitpath guide`: how to write a part of the data, for people and assistants.

use std::io::Write;

use super::guide_args::{GuideArgs, Topic};
use super::{Status, Stop};

pub(super) fn run(args: &GuideArgs, out: &mut dyn Write) -> Result<Status, Stop> {
    let text = match args.topic {
        Topic::Risk => include_str!("risk.md"),
    };
    out.write_all(text.as_bytes())?;
    Ok(Status::Clean)
}
