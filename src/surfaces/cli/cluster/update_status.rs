//! `exitpath cluster FILES -- adm upgrade status`: what `oc` prints of an update in progress. It
//! looks at the objects only, so the update service is not asked.

use std::io::Write;

use crate::oc;
use crate::session::Note;
use crate::text::{printable, printable_lines};

use super::super::cluster_args::ClusterArgs;
use super::super::common_args::CommonArgs;
use super::super::{Status, Stop, print};
use super::object::Described;

/// None if the arguments ask for something else.
pub(super) fn run(
    args: &ClusterArgs,
    common: &CommonArgs,
    described: &Described,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Option<Status>, Stop> {
    if args.oc.is_empty() {
        return Ok(None);
    }
    let cluster = &described.cluster;
    let alerts = described.alerts.as_deref();
    let minor = super::operator_minor(args, &cluster.status.desired.version)?;
    let level = super::client(args, minor);
    // A newer `oc` works with an older cluster, and older ones do not have the command.
    let level = if args.operator.is_some() { level } else { level.max(oc::ClientLevel::From4_20) };
    let situation = oc::Situation {
        cluster_version: Some(cluster),
        alerts: alerts.map_or(oc::Alerts::Unavailable, oc::Alerts::Of),
        inside: oc::Inside { objects: &described.objects, alerts, time: args.metrics.time() },
        switches: oc::Switches::ALL,
        level,
    };
    if !oc::is_update_status(&args.oc, &situation) {
        return Ok(None);
    }
    let output = oc::run(&args.oc, &situation);
    let note = |text: &String| Note { text: printable(text).into_owned(), is_important: true };
    let notes: Vec<Note> = output.remarks.iter().map(note).collect();
    print::notes(&notes, common, err)?;
    write!(out, "{}", printable_lines(&output.stdout))?;
    write!(err, "{}", printable_lines(&output.stderr))?;
    Ok(Some(Status::failed_if(output.exit != 0)))
}
