//! `exitpath check`: checks a repository, or update graphs.

mod fixes;
mod graphs;
mod output;
mod repository;
mod request;

use std::io::Write;

use crate::report::Style;

use super::args::{CheckArgs, CommonArgs};
use super::{Status, Stop};

pub(super) fn run(
    args: &CheckArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    match graphs::named(args)? {
        Some(graphs) => graphs::run(&graphs, args, common, style, out, err),
        None => repository::run(args, common, style, out, err),
    }
}
