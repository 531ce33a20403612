//! `exitpath risk show`: what a risk says, and what it means.

use std::io::Write;

use crate::graph_data::LoadVerdict;
use crate::report::{RiskReport, Style};
use crate::risks::{Risks, sample_verdicts};
use crate::session::{ReadRequest, Session};
use crate::text::{Failure, printable};

use crate::cli::common_args::CommonArgs;
use crate::cli::risk_args::RiskShowArgs;
use crate::cli::{Status, Stop, print};

pub(super) fn run(
    args: &RiskShowArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let session = Session::open(args.repo.as_deref(), &[], args.rev.as_deref())?;
    let read =
        session.read(&ReadRequest { revision: args.rev.as_deref(), ..ReadRequest::default() })?;
    print::notes(&read.notes, common, err)?;
    let risks = Risks::of(&read.data);
    let definitions =
        risks.get(&args.name).ok_or_else(|| Failure::unknown("risk", &args.name, risks.names()))?;
    if let Some(path) = risks.unread_file(&args.name) {
        writeln!(err, "exitpath: {} cannot be read, and is omitted", printable(path))?;
    }
    for edge in definitions.iter().flat_map(|definition| &definition.edges) {
        if read.data.file(edge.file).verdict != LoadVerdict::Loads {
            let path = printable(read.data.path(edge.file));
            writeln!(
                err,
                "exitpath: {path} does not load, so it has no effect; `exitpath check` explains why"
            )?;
        }
    }
    let dialect = args.prometheus.dialect();
    let definitions = definitions.iter().map(|one| (one, sample_verdicts(one, dialect)));
    let report = RiskReport { data: &read.data, definitions: definitions.collect() };
    args.report.print(&report, style, out)?;
    Ok(Status::Clean)
}
