//! `exitpath risk`: looks at risks, and changes their files.

mod ask;
mod edit;
mod exposure;
mod list;
mod new;
mod show;

use std::io::Write;

use crate::report::Style;

use super::common_args::CommonArgs;
use super::editing::Output;
use super::risk_args::RiskCommand;
use super::{Status, Stop};

pub(super) fn run(
    command: &RiskCommand,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let output = Output { common, style, out, err };
    match command {
        RiskCommand::List(list) => list::run(list, output),
        RiskCommand::Show(show) => show::run(show, common, style, output.out, output.err),
        RiskCommand::Exposure(exposure) => exposure::run(exposure, output),
        RiskCommand::New(new) => new::run(new, output),
        RiskCommand::Extend(extend) => edit::extend(extend, output),
        RiskCommand::Fix(fix) => edit::fix(fix, output),
        RiskCommand::Spread(spread) => edit::spread(spread, output),
        RiskCommand::Rename(rename) => edit::rename(rename, output),
        RiskCommand::Drop(drop) => edit::drop(drop, output),
    }
}
