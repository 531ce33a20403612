//! `oc adm upgrade accept`: names the risks that the administrator accepts.

use std::collections::BTreeSet;

use super::command_line::{Command, Flags};
use super::console::{Console, OcError};
use super::texts::no_arguments;
use super::{Situation, patch};
use crate::cluster::object::AcceptedRisk;
use crate::go::quoted;

const NO_CLUSTER_VERSION: &str = "no cluster version information available - you must be \
    connected to an OpenShift server to fetch the current version";

/// The names to add, and those to remove, which end with a minus in the argument.
#[derive(Default)]
struct Names<'a> {
    added: BTreeSet<&'a str>,
    removed: BTreeSet<&'a str>,
}

pub(super) fn run(
    flags: &Flags,
    situation: &Situation<'_>,
    console: &mut Console,
) -> Result<(), OcError> {
    let names = names(flags)?;
    let cluster = console.read(situation, NO_CLUSTER_VERSION)?;
    let requested = cluster.spec.desired_update.as_ref();
    let before = requested.map_or(&[][..], |requested| &requested.accept_risks);
    let after = if flags.is_on("clear") {
        Vec::new()
    } else {
        names.applied_to(if flags.is_on("replace") { &[] } else { before })
    };
    if after == before {
        console.say("info: Accept risks are not changed\n");
        return Ok(());
    }
    console.send(patch::accepted_risks(&after));
    let after: Vec<&str> = after.iter().map(|risk| risk.name.as_str()).collect();
    console.say(format!("info: Accept risks are [{}]\n", after.join(", ")));
    Ok(())
}

fn usage(words: &str) -> OcError {
    OcError::usage(Command::Accept.path(), words)
}

/// Reads the names in the only argument.
fn names(flags: &Flags) -> Result<Names<'_>, OcError> {
    let is_replaced = flags.is_on("replace");
    if flags.is_on("clear") {
        if is_replaced {
            return Err(usage("--clear and --replace are mutually exclusive"));
        }
        no_arguments(Command::Accept, flags)?;
        return Ok(Names::default());
    }
    let list = match flags.arguments.as_slice() {
        [] => return Err(usage("no positional arguments given")),
        [only] => only,
        _ => return Err(usage("multiple positional arguments given")),
    };
    let mut names = Names::default();
    for name in list.split(',').map(str::trim) {
        if name.is_empty() || name == "-" {
            return Err(usage(&format!("illegal risk {}", quoted(name))));
        }
        match name.strip_suffix('-') {
            Some(name) => names.removed.insert(name),
            None => names.added.insert(name),
        };
    }
    let both: Vec<&str> = names.added.intersection(&names.removed).copied().collect();
    if !both.is_empty() {
        let both = both.join(",");
        return Err(usage(&format!("requested risks with both Risk and Risk-: {both}")));
    }
    if is_replaced && !names.removed.is_empty() {
        return Err(usage("The suffix '-' on risks is not allowed if --replace is specified"));
    }
    Ok(names)
}

impl Names<'_> {
    /// The risks that stay, in their previous order, and then the new ones, sorted by name.
    fn applied_to(&self, before: &[AcceptedRisk]) -> Vec<AcceptedRisk> {
        let stays = |risk: &&AcceptedRisk| !self.removed.contains(risk.name.as_str());
        let mut risks: Vec<AcceptedRisk> = before.iter().filter(stays).cloned().collect();
        for name in &self.added {
            if !risks.iter().any(|risk| risk.name == *name) {
                risks.push(AcceptedRisk { name: (*name).to_owned() });
            }
        }
        risks
    }
}
