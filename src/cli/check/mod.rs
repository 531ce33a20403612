//! `exitpath check`: the presubmit, of a repository or of graphs.

mod asked;
mod fixes;
mod graphs;
mod output;
mod repository;

use std::io::Write;

use crate::report::Style;

use super::args::{Check, Common};
use super::{Status, Stop};

pub(super) fn run(
    args: &Check,
    common: &Common,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    match graphs::named(args)? {
        Some(graphs) => graphs::run(&graphs, args, common, style, out, err),
        None => repository::run(args, common, style, out, err),
    }
}
