//! Finds the command that arguments name, as the library cobra does.

use super::super::Situation;
use super::command::{Command, UPGRADE};
use super::flags::{Flag, FlagKind};

/// The command that the arguments name, and the arguments without its words. None for a command
/// outside `oc adm upgrade`.
pub(super) fn find<'a>(
    args: &[&'a str],
    situation: &Situation<'_>,
) -> Option<(Command, Vec<&'a str>)> {
    let mut rest = args.to_vec();
    for word in ["adm", "upgrade"] {
        let at = first_word(&rest, &[])?;
        if rest[at] != word {
            return None;
        }
        rest.remove(at);
    }
    let below =
        first_word(&rest, UPGRADE).and_then(|at| Some((at, Command::named(rest[at], situation)?)));
    if let Some((at, command)) = below {
        rest.remove(at);
        return Some((command, rest));
    }
    Some((Command::Upgrade, rest))
}

/// The index of the first argument that is neither a flag nor the value of one. An unknown flag is
/// assumed to have a value, so `oc adm --x upgrade` names no command.
fn first_word(args: &[&str], known: &[Flag]) -> Option<usize> {
    let is_switch =
        |name: &str| known.iter().any(|flag| flag.name == name && flag.kind == FlagKind::Switch);
    let mut at = 0;
    while at < args.len() {
        let arg = args[at];
        let takes_value = match arg.strip_prefix("--") {
            Some("") => return None,
            Some(name) => !arg.contains('=') && !is_switch(name),
            None => arg.starts_with('-') && arg.len() == 2 && !arg.contains('='),
        };
        if takes_value {
            // The value is the last argument, so no word follows.
            if args.len() - at <= 2 {
                return None;
            }
            at += 2;
            continue;
        }
        if !arg.is_empty() && !arg.starts_with('-') {
            return Some(at);
        }
        at += 1;
    }
    None
}
