//! `oc adm upgrade`: shows updates, requests one, or cancels a request.

mod arguments;
mod clear;
mod guards;
mod multi_arch;
mod request;
mod target;

use super::Situation;
use super::command_line::{Command, Flags};
use super::console::{Console, OcError};
use super::status;
use super::texts::{NO_CLUSTER_VERSION, no_arguments};

/// The warning about `--force`.
const FORCE: &str = "warning: --force overrides cluster verification of your supplied release \
    image and waives any update precondition failures. Only use this if you are testing unsigned \
    release images or you are working around a known bug in the cluster-version operator and you \
    have verified the authenticity of the provided image yourself.\n";

pub(super) fn run(
    flags: &Flags,
    situation: &Situation<'_>,
    console: &mut Console,
) -> Result<(), OcError> {
    no_arguments(Command::Upgrade, flags)?;
    arguments::check(flags, console)?;
    let cluster = console.read(situation, NO_CLUSTER_VERSION)?;
    let names_target = !flags.text("to").is_empty() || !flags.text("to-image").is_empty();
    if flags.is_on("clear") {
        clear::run(cluster, console);
        Ok(())
    } else if flags.is_on("to-multi-arch") {
        multi_arch::run(flags, cluster, console)
    } else if flags.is_on("to-latest") || names_target {
        request::run(flags, cluster, console)
    } else {
        status::print(flags, situation.level, cluster, console);
        Ok(())
    }
}
