//! `exitpath risk exposure`: how long clusters could get each bug.

use crate::cli::risk_args::RiskExposureArgs;
use crate::cli::{Status, Stop};
use crate::history::{NoHistory, RiskDates};
use crate::report::{ExposedRisk, ExposureReport};
use crate::session::Session;
use crate::text::Failure;

use crate::cli::editing::Output;

pub(super) fn run(args: &RiskExposureArgs, output: Output<'_>) -> Result<Status, Stop> {
    let Output { style, out, .. } = output;
    let revision = args.rev.as_deref();
    let session = Session::open(args.repo.as_deref(), &[], revision)?;
    let dates =
        RiskDates::read(&session.repository.root, revision).map_err(|why| without_dates(&why))?;
    if let Some(name) = args.names.iter().find(|name| !dates.declared.contains_key(*name)) {
        let names = dates.declared.keys().map(String::as_str);
        return Err(Failure::unknown("risk", name, names).into());
    }
    let is_named = |name: &String| args.names.is_empty() || args.names.contains(name);
    let declared = dates.declared.iter().filter(|(name, _)| is_named(name));
    let risks = declared.filter_map(|(name, declared)| {
        let fixed = *dates.fixed.get(name)?;
        Some(ExposedRisk { name, declared: *declared, fixed })
    });
    let mut risks: Vec<ExposedRisk<'_>> = risks.collect();
    risks.sort_by_key(|risk| (risk.declared, risk.fixed, risk.name));
    let unfixed = dates.declared.keys().filter(|name| is_named(name)).count() - risks.len();
    args.report.print(&ExposureReport { risks, unfixed }, style, out)?;
    Ok(Status::Clean)
}

fn without_dates(why: &NoHistory) -> Failure {
    let hint =
        matches!(why, NoHistory::Shallow).then(|| "`git fetch --unshallow` gets them".to_owned());
    Failure::new(format!("there are no dates: {why}")).hint_if_any(hint)
}
