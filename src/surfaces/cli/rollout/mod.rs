//! `exitpath rollout`: how an update proceeds.

mod files;
mod payload;
mod pool;
mod status;

use std::io::Write;

use super::rollout_args::RolloutCommand;
use super::{Status, Stop};
use crate::report::Style;

pub(super) fn run(
    command: &RolloutCommand,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    match command {
        RolloutCommand::Payload(args) => payload::run(args, style, out),
        RolloutCommand::Status(args) => status::run(args, style, out),
        RolloutCommand::Pool(args) => pool::run(args, style, out),
    }
}
