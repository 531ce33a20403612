//! What `oc adm upgrade` prints for a cluster, and the patches that it sends.
//!
//! This room does no I/O: a [`Situation`] goes in, an [`Output`] comes out. The texts and their
//! order are those of `oc`, bugs included, so that administrators see what their terminal would
//! show.

mod accept;
mod channel;
mod command_line;
mod console;
mod patch;
mod recommend;
mod reference;
mod rollback;
mod situation;
mod status;
mod texts;
mod update;
mod update_status;

pub use console::Output;
pub use situation::{Alerts, ClientLevel, Inside, Situation, Switches};

use command_line::Command;
use console::{Console, OcError};

/// Runs `oc`. `args` are the words after `oc`.
pub fn run<S: AsRef<str>>(args: &[S], situation: &Situation<'_>) -> Output {
    let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
    let mut console = Console::default();
    let ended = attempt(&args, situation, &mut console);
    console.end(ended)
}

/// Whether the arguments ask for `oc adm upgrade status`, which does not look at offered updates.
/// This does not depend on whether this release of `oc` has the command.
pub(crate) fn is_update_status<S: AsRef<str>>(args: &[S], situation: &Situation<'_>) -> bool {
    let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
    let newest = Situation { level: ClientLevel::default(), ..*situation };
    command_line::command(&args, &newest) == Some(Command::Status)
}

fn attempt(args: &[&str], situation: &Situation<'_>, console: &mut Console) -> Result<(), OcError> {
    let (command, flags) = command_line::read(args, situation)?;
    match command {
        Command::Upgrade => update::run(&flags, situation, console),
        Command::Channel => channel::run(&flags, situation, console),
        Command::Recommend => recommend::run(&flags, situation, console),
        Command::Accept => accept::run(&flags, situation, console),
        Command::Rollback => rollback::run(&flags, situation, console),
        Command::Status => update_status::run(&flags, situation, console),
    }
}
