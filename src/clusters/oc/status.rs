//! `oc adm upgrade` without a request: shows what the cluster does, and which updates it has.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::ClientLevel;
use super::command_line::Flags;
use super::console::Console;
use super::texts::{NO_UPDATES, block, channel, indented, no_current, reason_and_message, stated};
use crate::cluster::object::{
    ClusterVersion, Condition, ConditionalUpdate, Release, condition, newest_first,
};
use crate::go::tabwriter;

pub(super) fn print(
    flags: &Flags,
    level: ClientLevel,
    cluster: &ClusterVersion,
    console: &mut Console,
) {
    conditions(cluster, console);
    console.say(channel(cluster, "Upstream"));
    available(cluster, console);
    if flags.is_on("include-not-recommended") {
        not_recommended(level, cluster, console);
    } else {
        hint(cluster, console);
    }
}

/// Prints what the operator says about its work and about what prevents updates.
fn conditions(cluster: &ClusterVersion, console: &mut Console) {
    match stated(cluster, "Failing", |_| true) {
        None => console.warn(no_current("Failing")),
        Some(failing) if failing.status == "False" => {}
        Some(failing) => console.say(block(failing)),
    }
    match stated(cluster, "Progressing", |_| true) {
        Some(Condition { status, message, .. }) if !message.is_empty() => {
            let is_in_progress = status == "True";
            let prefix = if is_in_progress { "info: An upgrade is in progress. " } else { "" };
            console.say(format!("{prefix}{message}\n"));
        }
        _ => console.warn(no_current("Progressing")),
    }
    console.say("\n");
    let obstacles = [
        stated(cluster, "Upgradeable", |status| status == "False"),
        stated(cluster, "ReleaseAccepted", |status| status != "True"),
    ];
    for obstacle in obstacles.into_iter().flatten() {
        let Condition { kind, status, .. } = obstacle;
        console.say(format!("{kind}={status}\n\n{}\n\n", reason_and_message(obstacle)));
    }
}

/// The table of the recommended updates.
fn available(cluster: &ClusterVersion, console: &mut Console) {
    let failed = stated(cluster, "RetrievedUpdates", |status| status == "False");
    let mut updates: Vec<&Release> = cluster.status.available_updates.iter().collect();
    let what = if updates.is_empty() { "display" } else { "refresh" };
    if !updates.is_empty() {
        updates.sort_by(|a, b| newest_first(&a.version, &b.version));
        let mut rows = "  VERSION\tIMAGE\n".to_owned();
        for Release { version, image, .. } in updates {
            let _ = writeln!(rows, "  {version}\t{image}");
        }
        console.say(format!("\nRecommended updates:\n\n{}", tabwriter::aligned(&rows)));
    } else if failed.is_none() {
        console.say(NO_UPDATES);
    }
    if let Some(failed) = failed {
        let why = reason_and_message(failed);
        console.warn(format!("warning: Cannot {what} available updates:\n{why}\n\n"));
    }
}

/// The updates that are not recommended, in the order of the object.
fn discouraged(cluster: &ClusterVersion) -> impl Iterator<Item = (&ConditionalUpdate, &Condition)> {
    cluster.status.conditional_updates.iter().filter_map(|update| {
        let verdict = condition(&update.conditions, "Recommended")?;
        (verdict.status != "True").then_some((update, verdict))
    })
}

fn not_recommended(level: ClientLevel, cluster: &ClusterVersion, console: &mut Console) {
    let mut updates: Vec<_> = discouraged(cluster).collect();
    if updates.is_empty() {
        console.say(
            "\nNo updates which are not recommended based on your cluster configuration are \
             available.\n",
        );
        return;
    }
    updates.sort_by(|(a, _), (b, _)| by_version(a, b));
    let is_old = level == ClientLevel::UpTo4_15;
    let heading =
        if is_old { "Supported but not recommended updates" } else { "Updates with known issues" };
    console.say(format!("\n{heading}:\n"));
    for (ConditionalUpdate { release, .. }, verdict) in updates {
        let Condition { status, reason, message, .. } = verdict;
        let status = if is_old { format!("  Recommended: {status}\n") } else { String::new() };
        console.say(format!(
            "\n  Version: {}\n  Image: {}\n{status}  Reason: {reason}\n  Message: {}\n",
            release.version,
            release.image,
            indented(message.trim())
        ));
    }
}

fn by_version(a: &ConditionalUpdate, b: &ConditionalUpdate) -> Ordering {
    newest_first(&a.release.version, &b.release.version)
}

/// Prints that there are more updates, which the command shows only on request.
fn hint(cluster: &ClusterVersion, console: &mut Console) {
    if discouraged(cluster).next().is_none() {
        return;
    }
    let unclear = discouraged(cluster).find(|(_, verdict)| verdict.status != "False");
    let qualifier = unclear.map_or_else(String::new, |(_, verdict)| {
        let status = crate::go::quoted(&verdict.status);
        format!(", or where the recommended status is {status},")
    });
    console.say(format!(
        "\nAdditional updates which are not recommended{qualifier} for your cluster configuration \
         are available, to view those re-run the command with --include-not-recommended.\n"
    ));
}
