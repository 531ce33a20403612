//! Texts that several commands print.

use super::command_line::{Command, Flags};
use super::console::OcError;
use crate::cluster::object::{ClusterVersion, Condition, condition};
use crate::go::quoted;

/// The message of most commands if there is no `ClusterVersion`.
pub(super) const NO_CLUSTER_VERSION: &str = "No cluster version information available - you must \
    be connected to an OpenShift version 4 server to fetch the current version";

/// The same message, as the smaller commands print it.
pub(super) const NO_CLUSTER_VERSION_LOWER: &str = "no cluster version information available - you \
    must be connected to an OpenShift version 4 server to fetch the current version";

/// The message if there are no updates.
pub(super) const NO_UPDATES: &str = "No updates available. You may still upgrade to a specific \
    release image with --to-image or wait for new updates to be available.\n";

/// A message whose further lines are indented below the first.
pub(super) fn indented(message: &str) -> String {
    message.replace('\n', "\n  ")
}

/// The two lines that explain a condition, without the last line feed.
pub(super) fn reason_and_message(condition: &Condition) -> String {
    format!("  Reason: {}\n  Message: {}", condition.reason, indented(&condition.message))
}

/// A condition: a heading with its status, its reason and message, and a blank line.
pub(super) fn block(condition: &Condition) -> String {
    let Condition { kind, status, .. } = condition;
    format!("{kind}={status}:\n\n{}\n\n", reason_and_message(condition))
}

/// The warning if the operator does not report a condition.
pub(super) fn no_current(kind: &str) -> String {
    format!("warning: No current {kind} info, see `oc describe clusterversion` for more details.\n")
}

/// A condition of the cluster, if `is_it` accepts its status.
pub(super) fn stated<'a>(
    cluster: &'a ClusterVersion,
    kind: &str,
    is_it: impl Fn(&str) -> bool,
) -> Option<&'a Condition> {
    condition(&cluster.status.conditions, kind).filter(|found| is_it(&found.status))
}

/// The current and the available channels. Empty without a channel. `upstream` is the word for the
/// update service.
pub(super) fn channel(cluster: &ClusterVersion, upstream: &str) -> String {
    let (spec, known) = (&cluster.spec, &cluster.status.desired.channels);
    if spec.channel.is_empty() {
        return String::new();
    }
    let upstream = if spec.upstream.is_empty() {
        format!("{upstream} is unset, so the cluster will use an appropriate default.")
    } else {
        format!("{upstream}: {}", spec.upstream)
    };
    let known = if known.is_empty() {
        String::new()
    } else {
        format!(" (available channels: {})", known.join(", "))
    };
    format!("{upstream}\nChannel: {}{known}\n", spec.channel)
}

/// Refuses arguments of a command that takes none, as if they were an unknown command.
pub(super) fn no_arguments(command: Command, flags: &Flags) -> Result<(), OcError> {
    if flags.arguments.is_empty() {
        return Ok(());
    }
    let words = quoted(&flags.arguments.join(" "));
    Err(OcError::usage(command.path(), &format!("unknown command {words}")))
}
