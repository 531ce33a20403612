//! What `oc` finds when it runs.

use serde_json::Value as Json;

use crate::cluster::object::{Alert, ClusterVersion};

/// What `oc` finds when it runs.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The cluster's `ClusterVersion`. None if it has none.
    pub cluster_version: Option<&'a ClusterVersion>,
    /// The cluster's answer when `recommend` asks for alerts.
    pub alerts: Alerts<'a>,
    /// The other objects and alerts of the cluster.
    pub inside: Inside<'a>,
    /// The commands that environment variables enable.
    pub switches: Switches,
    /// The release of `oc`.
    pub level: ClientLevel,
}

/// What `status` sees of a cluster.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inside<'a> {
    /// The objects of the cluster, including the ClusterVersion.
    pub objects: &'a [Json],
    /// The alerts of the cluster. None if they are unknown.
    pub alerts: Option<&'a [Alert]>,
    /// The time, in milliseconds since 1970. None means the newest time in the objects.
    pub time: Option<i64>,
}

/// What a cluster answers when `oc` asks for its alerts.
#[cfg_attr(
    not(feature = "testing"),
    expect(dead_code, reason = "no command plays the mocks of `oc`")
)]
#[derive(Clone, Copy, Debug)]
pub enum Alerts<'a> {
    /// The cluster has these alerts.
    Of(&'a [Alert]),
    /// `oc` gets no answer, because the cluster has no route to the server that knows its alerts.
    Unavailable,
    /// `oc` gets no answer, because the object is from the file that `--mock-clusterversion` names,
    /// and there is no file with alerts beside it.
    NotMocked,
    /// `oc` does not ask, because the operator itself turns alerts into risks.
    LeftToOperator,
}

/// The commands that environment variables enable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a variable of its own")]
pub struct Switches {
    /// `accept`, enabled by `OC_ENABLE_CMD_UPGRADE_ACCEPT_RISKS`.
    pub accept_risks: bool,
    /// `rollback`, enabled by `OC_ENABLE_CMD_UPGRADE_ROLLBACK`.
    pub rollback: bool,
    /// `recommend`, enabled by `OC_ENABLE_CMD_UPGRADE_RECOMMEND` in the releases of `oc` that need
    /// it.
    pub recommend: bool,
    /// `status`, enabled by `OC_ENABLE_CMD_UPGRADE_STATUS` in the releases of `oc` that need it.
    pub status: bool,
}

impl Switches {
    /// All commands are enabled.
    pub const ALL: Self =
        Self { accept_risks: true, rollback: true, recommend: true, status: true };
}

/// Releases of `oc`, grouped by the texts that they print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClientLevel {
    /// 4.15 and older.
    UpTo4_15,
    /// 4.16 and 4.17: they say "Updates with known issues", and have `status` behind a switch.
    From4_16,
    /// 4.18 and 4.19: they also have `recommend`, behind a switch.
    From4_18,
    /// 4.20 and newer: `recommend` looks at alerts, and has `--accept`. `recommend` and `status`
    /// need no switch.
    #[default]
    From4_20,
}

impl ClientLevel {
    /// The level of `oc` of this minor version.
    pub fn of_minor(major: u64, minor: u64) -> Self {
        match (major, minor) {
            (..4, _) | (4, ..=15) => Self::UpTo4_15,
            (4, 16..=17) => Self::From4_16,
            (4, 18..=19) => Self::From4_18,
            _ => Self::From4_20,
        }
    }
}
