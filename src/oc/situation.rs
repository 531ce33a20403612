//! What `oc` finds when it runs.

use serde_json::Value as Json;

use crate::cluster::object::{Alert, ClusterVersion};

/// What `oc` finds when it runs.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The object of the cluster. None: the cluster has none.
    pub cluster_version: Option<&'a ClusterVersion>,
    /// What the cluster answers when `recommend` asks for alerts.
    pub alerts: Alerts<'a>,
    /// What else is in the cluster.
    pub inside: Inside<'a>,
    /// The commands that the environment switches on.
    pub switches: Switches,
    /// Which `oc` it is.
    pub level: Level,
}

/// What is in a cluster, as far as `status` looks at it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inside<'a> {
    /// Its objects, also the ClusterVersion.
    pub objects: &'a [Json],
    /// Its alerts. None: nobody said which there are.
    pub alerts: Option<&'a [Alert]>,
    /// The time, in milliseconds since 1970. None: the newest time in the objects.
    pub time: Option<i64>,
}

/// What a cluster answers to the question which alerts it has.
#[cfg_attr(
    not(feature = "testing"),
    expect(dead_code, reason = "no command plays the mocks of `oc`")
)]
#[derive(Clone, Copy, Debug)]
pub enum Alerts<'a> {
    /// These.
    Of(&'a [Alert]),
    /// Nothing: it has no route to the server that knows.
    Unavailable,
    /// Nothing: the object is from the file that `--mock-clusterversion` names, and there is no
    /// file with alerts beside it.
    NotMocked,
    /// `oc` does not ask. The operator makes risks of alerts itself.
    LeftToOperator,
}

/// The commands that variables of the environment switch on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a variable of its own")]
pub struct Switches {
    /// `accept`: `OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS`.
    pub accept_risks: bool,
    /// `rollback`: `OC_ENABLE_CMD_UPGRADE_ROLLBACK`.
    pub rollback: bool,
    /// `recommend`, where it needs a switch: `OC_ENABLE_CMD_UPGRADE_RECOMMEND`.
    pub recommend: bool,
    /// `status`, where it needs a switch: `OC_ENABLE_CMD_UPGRADE_STATUS`.
    pub status: bool,
}

impl Switches {
    /// All of them.
    pub const ALL: Self =
        Self { accept_risks: true, rollback: true, recommend: true, status: true };
}

/// The releases of `oc`, as far as they print different texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// 4.15 and older.
    UpTo4_15,
    /// 4.16 and 4.17: "Updates with known issues"; and `status`, behind a switch.
    From4_16,
    /// 4.18 and 4.19: `recommend`, behind a switch.
    From4_18,
    /// 4.20 and newer: `recommend` looks at alerts, and takes `--accept`. Neither it nor `status`
    /// needs a switch.
    #[default]
    From4_20,
}

impl Level {
    /// The level of an `oc` of a minor version.
    pub fn of_minor(major: u64, minor: u64) -> Self {
        match (major, minor) {
            (..4, _) | (4, ..=15) => Self::UpTo4_15,
            (4, 16..=17) => Self::From4_16,
            (4, 18..=19) => Self::From4_18,
            _ => Self::From4_20,
        }
    }
}
