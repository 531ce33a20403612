//! `exitpath rollout status`.

use std::io::Write;

use crate::cli::rollout_args::RolloutStatusArgs;
use crate::cli::{Status, Stop};
use crate::payload::Payload;
use crate::report::{StatusReport, Style};
use crate::rollout::UpdateStatus;
use crate::text::Failure;

use super::payload;

pub(super) fn run(
    args: &RolloutStatusArgs,
    style: Style,
    out: &mut dyn Write,
) -> Result<Status, Stop> {
    let objects = super::files::objects(&args.files)?;
    let read = args.payload.as_deref().map(|folder| payload::read(folder, &args.scope.scope()));
    let payload = read.transpose()?;
    if payload.is_some() && objects.operators.is_empty() {
        return Err(Failure::new("the files have no ClusterOperator to compare with the payload")
            .hint("add them: `oc get clusterversion,clusteroperators -o yaml`")
            .into());
    }
    let declared = payload.iter().flat_map(Payload::operators);
    let declared = declared.map(|(_, manifest)| manifest.name.as_str());
    let known: Vec<&str> = objects.operators.keys().map(String::as_str).chain(declared).collect();
    if let Some((name, _)) = args.waited.iter().find(|(name, _)| !known.contains(&name.as_str())) {
        return Err(Failure::unknown("ClusterOperator", name, known.into_iter()).into());
    }
    let waited = |name: &str| {
        let known = args.waited.iter().rev().find(|(operator, _)| operator == name);
        known.map_or(0, |(_, seconds)| *seconds)
    };
    let status = UpdateStatus::of(&objects, payload.as_ref(), args.to.as_deref(), &waited);
    let report = StatusReport::of(&objects, status);
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(report.waits()))
}
