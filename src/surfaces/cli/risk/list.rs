//! `exitpath risk list`: the risks of a repository, and which releases wait for them.

use std::cmp::Reverse;

use crate::authoring::risk_states;
use crate::cli::repository_data::repository_data;
use crate::cli::risk_args::RiskListArgs;
use crate::cli::{Status, Stop};
use crate::history::{NoHistory, RiskDates};
use crate::report::{ListedRisk, RiskListReport};
use crate::session::Session;
use crate::text::printable;

use crate::cli::editing::Output;

pub(super) fn run(args: &RiskListArgs, output: Output<'_>) -> Result<Status, Stop> {
    let Output { common, style, out, err } = output;
    let revision = args.rev.as_deref();
    let session = Session::open(args.repo.as_deref(), &[], revision)?;
    let data = repository_data(&session, revision, common, err)?;
    let dates = match RiskDates::read(&session.repository.root, revision) {
        Ok(dates) => dates,
        Err(NoHistory::NoRepository) => RiskDates::default(),
        Err(why) => {
            let why = why.to_string();
            writeln!(err, "exitpath: no dates: {}", printable(&why))?;
            RiskDates::default()
        }
    };
    let states = risk_states(&data).into_iter();
    let mut risks: Vec<ListedRisk<'_>> = states
        .map(|(name, minors)| ListedRisk { name, since: dates.declared.get(name).copied(), minors })
        .collect();
    let all = risks.len();
    risks.retain(|risk| !args.waiting || risk.waits());
    risks.sort_by_key(|risk| (Reverse(risk.waits()), Reverse(risk.since), risk.name));
    let report = RiskListReport { data: &data, risks, all };
    args.report.print(&report, style, out)?;
    Ok(Status::Clean)
}
