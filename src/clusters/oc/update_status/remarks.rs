//! Which objects are missing that `oc` would find in a cluster. Without them, the status looks
//! better or worse than it is.

use serde_json::Value as Json;

use super::super::situation::Inside;
use super::nodes::Versions;
use super::objects::{of_daemon, of_kind};
use super::operators::{machine_config_image, needs_image};

pub(super) fn remarks(
    inside: Inside<'_>,
    operators: usize,
    versions: &Versions<'_>,
) -> Vec<String> {
    let objects = inside.objects;
    let has = |kind: &str| of_kind(objects, kind).next().is_some();
    let mut remarks = Vec::new();
    let mut add = |text: String| remarks.push(text);
    if !has("MachineConfigPool") {
        add("the files have no MachineConfigPools: the status says nothing about nodes".to_owned());
    } else if !has("Node") {
        add("the files have no Nodes: the status says nothing about nodes".to_owned());
    } else {
        let unknown = unknown_configs(objects, versions);
        if unknown > 0 {
            add(format!(
                "the files lack MachineConfigs: the versions of {unknown} of the nodes are unknown, \
                 and these nodes are taken as outdated"
            ));
        }
    }
    if operators == 0 {
        add("no ClusterOperator has an annotation of a release, so `oc` counts none of them, and \
             takes the control plane as updated"
            .to_owned());
    }
    if needs_image(objects) && machine_config_image(objects).is_none() {
        add("the files have no Deployment `machine-config-operator`: its image is not compared"
            .to_owned());
    }
    if inside.alerts.is_none() {
        add("the files have no alerts: `Update Health` does not say which fire".to_owned());
    }
    remarks
}

/// The number of nodes whose MachineConfigs are not among the objects.
fn unknown_configs(objects: &[Json], versions: &Versions<'_>) -> usize {
    let is_unknown = |node: &&Json| {
        let configs = ["currentConfig", "desiredConfig"].map(|key| of_daemon(node, key));
        configs.iter().any(|name| !name.is_empty() && versions.of_config(name).is_none())
    };
    of_kind(objects, "Node").filter(is_unknown).count()
}
