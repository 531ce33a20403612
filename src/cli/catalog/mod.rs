//! `exitpath catalog`: catalogs of operators.

mod check;

use std::io::Write;

use crate::report::Style;

use super::args::CommonArgs;
use super::catalog_args::CatalogCommand;
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
    }
}
