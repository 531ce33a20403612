//! The command line: which command it names, and the flags of the command.

mod command;
mod find;
mod flags;

pub(super) use command::Command;
pub(super) use flags::Flags;

use super::Situation;
use super::console::OcError;

/// The command that arguments name.
pub(super) fn command(args: &[&str], situation: &Situation<'_>) -> Option<Command> {
    find::find(args, situation).map(|(command, _)| command)
}

/// The command that arguments name, and its flags.
pub(super) fn read(args: &[&str], situation: &Situation<'_>) -> Result<(Command, Flags), OcError> {
    let (command, rest) = find::find(args, situation).ok_or_else(|| {
        OcError::new("exitpath knows what `oc adm upgrade` does, and no other command of `oc`")
    })?;
    let path = command.path();
    let flags = flags::parse(command.flags(situation.level), &rest)
        .map_err(|fault| OcError::new(format!("{fault}\nSee '{path} --help' for usage.")))?;
    if flags.is_on(flags::HELP) {
        return Err(OcError::new(format!("exitpath does not have the help of `{path}`")));
    }
    Ok((command, flags))
}
