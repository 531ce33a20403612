//! Nodes: what they report, and what the operator concludes from that.

use std::collections::BTreeMap;

/// The part of a node that the operator looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    pub name: String,
    pub labels: BTreeMap<String, String>,
    /// In seconds since 1970. None is the zero time, which is before all others.
    pub created: Option<i64>,
    /// Whether it is cordoned.
    pub unschedulable: bool,
    /// The statuses of its conditions by type, such as `Ready`.
    pub conditions: BTreeMap<String, String>,
    /// Whether it has the taint `UpdateInProgress`.
    pub has_update_taint: bool,
    pub current_config: Option<String>,
    pub desired_config: Option<String>,
    /// The state of the daemon: `Done`, `Working`, `Rebooting`, `Degraded`, or `Unreconcilable`.
    pub state: Option<String>,
    /// Why it is degraded.
    pub reason: Option<String>,
    pub current_image: Option<String>,
    pub desired_image: Option<String>,
    #[allow(clippy::struct_field_names, reason = "the kind has this name")]
    pub machine_config_node: Option<MachineConfigNode>,
}

/// The status of a node's MachineConfigNode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineConfigNode {
    pub conditions: Vec<NodeCondition>,
    pub desired_config: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeCondition {
    pub kind: String,
    pub status: String,
    pub message: String,
}

impl Node {
    /// Whether pods can be scheduled on it.
    pub fn is_ready(&self) -> bool {
        let may_be = |kind: &str, good: &str| self.conditions.get(kind).is_none_or(|s| s == good);
        !self.unschedulable
            && may_be("Ready", "True")
            && may_be("DiskPressure", "False")
            && may_be("NetworkUnavailable", "False")
    }

    /// Whether it has the config and the image that it was told to have.
    pub fn is_done(&self) -> bool {
        let configs_agree = agree(self.current_config.as_ref(), self.desired_config.as_ref());
        let images_agree = match (&self.current_image, &self.desired_image) {
            (None, None) => true,
            (current, desired) => agree(current.as_ref(), desired.as_ref()),
        };
        configs_agree && images_agree && self.state.as_deref() == Some("Done")
    }

    /// Whether the daemon gave up on the config that it was told to apply.
    pub fn is_failing(&self) -> bool {
        let text = |config: &Option<String>| config.clone().unwrap_or_default();
        text(&self.current_config) != text(&self.desired_config) && self.gave_up()
    }

    /// Whether it counts against `maxUnavailable`. A node counts even if it was told to change and
    /// has not started yet.
    pub fn is_unavailable(&self) -> bool {
        !self.is_ready() || !self.is_done() && !self.is_failing()
    }

    /// Whether the annotations say that it is degraded, whatever its configs are.
    pub fn is_degraded(&self) -> bool {
        self.desired_config.as_ref().is_some_and(|config| !config.is_empty()) && self.gave_up()
    }

    /// Whether it was told to have this config. A desired image is a leftover of image mode, and
    /// must be removed first.
    pub fn is_told(&self, target: &str) -> bool {
        self.desired_config.as_deref().unwrap_or_default() == target && self.desired_image.is_none()
    }

    /// Whether it has this config.
    pub fn is_updated_to(&self, target: &str) -> bool {
        self.is_done() && self.is_told(target)
    }

    fn gave_up(&self) -> bool {
        matches!(self.state.as_deref(), Some("Degraded" | "Unreconcilable"))
    }
}

/// Whether two annotations agree. An empty annotation agrees with nothing.
fn agree(current: Option<&String>, desired: Option<&String>) -> bool {
    current == desired && current.is_some_and(|value| !value.is_empty())
}
