//! The commands, and the flags of each.

use super::super::{ClientLevel, Situation};
use super::flags::Flag;
use super::flags::FlagKind::{List, Switch, Text};

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

pub(super) const UPGRADE: &[Flag] = &[
    Flag { name: "to", kind: Text },
    Flag { name: "to-image", kind: Text },
    Flag { name: "to-latest", kind: Switch },
    Flag { name: "to-multi-arch", kind: Switch },
    Flag { name: "clear", kind: Switch },
    Flag { name: "force", kind: Switch },
    Flag { name: "allow-explicit-upgrade", kind: Switch },
    Flag { name: "allow-upgrade-with-warnings", kind: Switch },
    Flag { name: "include-not-recommended", kind: Switch },
    Flag { name: "allow-not-recommended", kind: Switch },
];

/// The first releases of the command had only the first three flags.
const RECOMMEND: &[Flag] = &[
    Flag { name: "show-outdated-releases", kind: Switch },
    Flag { name: "version", kind: Text },
    Flag { name: "mock-clusterversion", kind: Text },
    Flag { name: "quiet", kind: Switch },
    Flag { name: "accept", kind: List },
];

impl Command {
    /// The words of the command, as messages name it.
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

    pub(super) fn flags(self, level: ClientLevel) -> &'static [Flag] {
        match self {
            Self::Upgrade => UPGRADE,
            Self::Channel => &[Flag { name: "allow-explicit-channel", kind: Switch }],
            Self::Recommend if level < ClientLevel::From4_20 => &RECOMMEND[..3],
            Self::Recommend => RECOMMEND,
            Self::Accept => {
                &[Flag { name: "replace", kind: Switch }, Flag { name: "clear", kind: Switch }]
            }
            Self::Rollback => &[],
            Self::Status => &[
                Flag { name: "details", kind: Text },
                Flag { name: "mock-clusterversion", kind: Text },
            ],
        }
    }

    /// The subcommand of `oc adm upgrade` with this name. A disabled command is unknown.
    pub(super) fn named(name: &str, situation: &Situation<'_>) -> Option<Self> {
        let switches = situation.switches;
        let has_recommend = match situation.level {
            ClientLevel::UpTo4_15 | ClientLevel::From4_16 => false,
            ClientLevel::From4_18 => switches.recommend,
            ClientLevel::From4_20 => true,
        };
        let has_status = match situation.level {
            ClientLevel::UpTo4_15 => false,
            ClientLevel::From4_16 | ClientLevel::From4_18 => switches.status,
            ClientLevel::From4_20 => true,
        };
        match name {
            "channel" => Some(Self::Channel),
            "status" if has_status => Some(Self::Status),
            "recommend" if has_recommend => Some(Self::Recommend),
            "accept" if switches.accept_risks => Some(Self::Accept),
            "rollback" if switches.rollback => Some(Self::Rollback),
            _ => None,
        }
    }
}
