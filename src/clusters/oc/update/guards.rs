//! What prevents `oc` from requesting an update: a cluster that is busy or in trouble.

use super::super::command_line::Flags;
use super::super::console::{Console, OcError};
use super::super::texts::{reason_and_message, stated};
use crate::cluster::object::ClusterVersion;
use crate::go::quoted;

/// Fails, or only warns if a flag says to continue.
pub(super) fn check(
    flags: &Flags,
    cluster: &ClusterVersion,
    console: &mut Console,
) -> Result<(), OcError> {
    let obstacles = obstacles(cluster).join("\n\n");
    if obstacles.is_empty() {
        return Ok(());
    }
    if !flags.is_on("allow-upgrade-with-warnings") {
        return Err(OcError::new(format!(
            "{obstacles}\n\nIf you want to upgrade anyway, use --allow-upgrade-with-warnings."
        )));
    }
    console.warn(format!("warning: --allow-upgrade-with-warnings is bypassing: {obstacles}\n"));
    Ok(())
}

fn obstacles(cluster: &ClusterVersion) -> Vec<String> {
    let current = &cluster.status.desired;
    let nameless = "ClusterVersion status.desired has neither a version nor image; please open a \
        bug";
    let names = [current.version.as_str(), &current.image, nameless];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or(nameless);
    let failing = format!("the cluster is experiencing an error reconciling {}:", quoted(name));
    let guards = [
        (
            "Invalid",
            "the cluster version object is invalid, you must correct the invalid state first:",
        ),
        ("Failing", failing.as_str()),
        ("Progressing", "the cluster is already upgrading:"),
    ];
    let stated = guards.into_iter().filter_map(|(kind, words)| {
        let found = stated(cluster, kind, |status| status == "True")?;
        Some(format!("{words}\n\n{}", reason_and_message(found)))
    });
    stated.collect()
}
