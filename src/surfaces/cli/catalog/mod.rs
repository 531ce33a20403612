//! `exitpath catalog`: catalogs of operators.

mod bridge;
mod check;
mod diff;
mod explain;
mod fail_forward;
mod found;
mod graph;
mod path;
mod simulate;
mod substitute;
mod switch;

pub(super) use found::Opened;

use std::io::Write;

use crate::report::Style;

use super::catalog_args::CatalogCommand;
use super::common_args::CommonArgs;
use super::{Status, Stop};

pub(super) fn run(
    command: &CatalogCommand,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    match command {
        CatalogCommand::Check(args) => check::run(args, common, style, out, err),
        CatalogCommand::Simulate(args) => simulate::run(args, common, style, out, err),
        CatalogCommand::Path(args) => path::run(args, common, style, out, err),
        CatalogCommand::Switch(args) => switch::run(args, common, style, out, err),
        CatalogCommand::Explain(args) => explain::run(args, common, style, out, err),
        CatalogCommand::Graph(args) => graph::run(args, common, style, out, err),
        CatalogCommand::FailForward(args) => fail_forward::run(args, common, style, out, err),
        CatalogCommand::Diff(args) => diff::run(args, common, style, out, err),
        CatalogCommand::Substitute(args) => substitute::run(args, common, style, out, err),
        CatalogCommand::Bridge(args) => bridge::run(args, common, style, out, err),
    }
}
