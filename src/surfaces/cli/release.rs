//! `exitpath release open`, `ga`, and `end`: the files for a phase of a minor version.

use std::io::Write;

use crate::authoring::{Plan, end_minor, make_generally_available, open_minor};
use crate::domain::Minor;
use crate::graph_data::GraphData;
use crate::report::Style;
use crate::text::Failure;

use super::common_args::CommonArgs;
use super::editing::{self, Output};
use super::release_args::ReleaseCommand;
use super::{Status, Stop};

/// What plans the files of a phase.
type Planning = fn(&GraphData, Minor) -> Result<Plan, Failure>;

pub(super) fn run(
    command: &ReleaseCommand,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let (args, plan): (_, Planning) = match command {
        ReleaseCommand::Open(args) => (args, open_minor),
        ReleaseCommand::Ga(args) => (args, make_generally_available),
        ReleaseCommand::End(args) => (args, end_minor),
    };
    let output = Output { common, style, out, err };
    editing::run(&args.edit, None, output, |data| plan(data, args.minor))
}
