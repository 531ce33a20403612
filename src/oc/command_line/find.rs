//! Finds the command that arguments name, as the library cobra does.

use super::super::{Level, Situation};
use super::flags::{Flag, Kind, Kind::List, Kind::Switch, Kind::Text};

/// A command of `oc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Command {
    /// `oc adm upgrade`.
    Upgrade,
    /// `oc adm upgrade channel`.
    Channel,
    /// `oc adm upgrade recommend`.
    Recommend,
    /// `oc adm upgrade accept`.
    Accept,
    /// `oc adm upgrade rollback`.
    Rollback,
    /// `oc adm upgrade status`.
    Status,
}

const UPGRADE: &[Flag] = &[
    ("to", Text),
    ("to-image", Text),
    ("to-latest", Switch),
    ("to-multi-arch", Switch),
    ("clear", Switch),
    ("force", Switch),
    ("allow-explicit-upgrade", Switch),
    ("allow-upgrade-with-warnings", Switch),
    ("include-not-recommended", Switch),
    ("allow-not-recommended", Switch),
];

/// The first three came first.
const RECOMMEND: &[Flag] = &[
    ("show-outdated-releases", Switch),
    ("version", Text),
    ("mock-clusterversion", Text),
    ("quiet", Switch),
    ("accept", List),
];

impl Command {
    /// Its words, as its messages name it.
    pub(in super::super) fn path(self) -> &'static str {
        match self {
            Self::Upgrade => "oc adm upgrade",
            Self::Channel => "oc adm upgrade channel",
            Self::Recommend => "oc adm upgrade recommend",
            Self::Accept => "oc adm upgrade accept",
            Self::Rollback => "oc adm upgrade rollback",
            Self::Status => "oc adm upgrade status",
        }
    }

    pub(super) fn flags(self, level: Level) -> &'static [Flag] {
        match self {
            Self::Upgrade => UPGRADE,
            Self::Channel => &[("allow-explicit-channel", Switch)],
            Self::Recommend if level < Level::From4_20 => &RECOMMEND[..3],
            Self::Recommend => RECOMMEND,
            Self::Accept => &[("replace", Switch), ("clear", Switch)],
            Self::Rollback => &[],
            Self::Status => &[("details", Text)],
        }
    }

    /// The command below `oc adm upgrade` that has a name. A command that is switched off is
    /// unknown.
    fn named(name: &str, situation: &Situation<'_>) -> Option<Self> {
        let switches = situation.switches;
        let has_recommend = match situation.level {
            Level::UpTo4_15 | Level::From4_16 => false,
            Level::From4_18 => switches.recommend,
            Level::From4_20 => true,
        };
        match name {
            "channel" => Some(Self::Channel),
            "status" => Some(Self::Status),
            "recommend" if has_recommend => Some(Self::Recommend),
            "accept" if switches.accept_risks => Some(Self::Accept),
            "rollback" if switches.rollback => Some(Self::Rollback),
            _ => None,
        }
    }
}

/// The command that arguments name, and the arguments without its words. `None` if it is none
/// below `oc adm upgrade`.
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

/// The place of the first argument that is neither a flag nor the value of one. A flag that is not
/// known here is taken to have a value, so `oc adm --x upgrade` names nothing.
fn first_word(args: &[&str], known: &[Flag]) -> Option<usize> {
    let is_switch =
        |name: &str| known.iter().any(|(flag, kind)| *flag == name && *kind == Kind::Switch);
    let mut at = 0;
    while at < args.len() {
        let arg = args[at];
        let takes_value = match arg.strip_prefix("--") {
            Some("") => return None,
            Some(name) => !arg.contains('=') && !is_switch(name),
            None => arg.starts_with('-') && arg.len() == 2 && !arg.contains('='),
        };
        if takes_value {
            // The value is the last argument: no word follows.
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
