//! `oc adm upgrade recommend`: shows which updates are good for a cluster, and the issues of each.

mod alerts;
mod cluster_issues;
mod listing;
mod one_version;
mod review;
mod targets;
mod upgradeable;

use super::command_line::{Command, Flags};
use super::console::{Console, OcError};
use super::texts::{NO_CLUSTER_VERSION, NO_UPDATES, channel, no_arguments};
use super::{ClientLevel, Situation};
use crate::cluster::object::parse_version;
use crate::go::quoted;
use review::Review;
use targets::Targets;

pub(super) fn run(
    flags: &Flags,
    situation: &Situation<'_>,
    console: &mut Console,
) -> Result<(), OcError> {
    no_arguments(Command::Recommend, flags)?;
    let mock = flags.text("mock-clusterversion");
    if !mock.is_empty() && situation.cluster_version.is_none() {
        return Err(OcError::new(format!("open {mock}: no such file or directory")));
    }
    check_arguments(flags)?;
    // If the object comes from a file, no cluster is necessary.
    let cluster = match situation.cluster_version.filter(|_| !mock.is_empty()) {
        Some(from_file) => from_file,
        None => console.read(situation, NO_CLUSTER_VERSION)?,
    };
    let mut review = Review::new(flags, console);
    cluster_issues::failing_and_progressing(cluster, &mut review);
    // Older releases of the command looked only at the object.
    if situation.level >= ClientLevel::From4_20 {
        alerts::review(situation.alerts, mock, &mut review);
    }
    cluster_issues::retrieved_updates(cluster, &mut review);
    review.say(channel(cluster, "Upstream update service"));
    let mut targets = Targets::of(cluster, &mut review);
    upgradeable::apply(cluster, &mut targets, &mut review);
    let version = flags.text("version");
    if !version.is_empty() {
        return one_version::show(version, &targets, review);
    }
    if targets.by_minor.is_empty() {
        review.say(NO_UPDATES);
    }
    let shows_outdated = flags.is_on("show-outdated-releases");
    for (&minor, targets) in targets.by_minor.iter().rev() {
        review.say(listing::of_minor(minor, targets, shows_outdated));
    }
    Ok(())
}

fn check_arguments(flags: &Flags) -> Result<(), OcError> {
    let version = flags.text("version");
    if version.is_empty() {
        if flags.is_on("quiet") {
            return Err(OcError::new("--quiet can only be set when --version is set"));
        }
        return Ok(());
    }
    if flags.is_on("show-outdated-releases") {
        let words = "when --version is set, --show-outdated-releases is unnecessary";
        return Err(OcError::new(words));
    }
    parse_version(version).map_err(|fault| {
        OcError::new(format!("cannot parse SemVer target {}: {fault}", quoted(version)))
    })?;
    Ok(())
}
