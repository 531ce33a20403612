//! Well-known metrics: labels that have several values in one cluster, metrics with a single
//! series, and labels that people confuse.

/// For each metric, the labels that have several values at once in one cluster.
const PLURAL: &[(&str, &[&str])] = &[
    ("apiserver_storage_objects", &["resource"]),
    ("cluster_operator_conditions", &["name", "condition", "reason"]),
    ("cluster_operator_up", &["name"]),
    ("cluster_version", &["type"]),
    ("cluster_version_capability", &["name"]),
    ("csv_abnormal", &["name", "namespace"]),
    ("csv_succeeded", &["name", "namespace"]),
    ("kube_configmap_info", &["configmap", "namespace"]),
    ("kube_deployment_spec_replicas", &["deployment", "namespace"]),
    ("kube_node_info", &["node"]),
    ("kube_node_labels", &["node"]),
    ("kube_node_role", &["node", "role"]),
    ("kube_pod_container_info", &["container", "image", "namespace", "pod"]),
    ("kube_pod_info", &["namespace", "node", "pod"]),
    ("kube_secret_info", &["namespace", "secret"]),
    ("mcd_update_state", &["node"]),
    ("node_cpu_info", &["cpu", "instance", "node"]),
    ("node_uname_info", &["instance", "nodename"]),
];

/// The labels of a metric that have several values at once in one cluster.
pub(super) fn plural_labels(metric: &str) -> &'static [&'static str] {
    let found = PLURAL.iter().find(|(name, _)| *name == metric);
    found.map_or(&[], |(_, labels)| labels)
}

/// The metrics with a single series in a cluster. With a label and a value, there is a single
/// series with that value.
const SINGLE: &[(&str, Option<(&str, &str)>)] = &[
    ("cluster_feature_set", None),
    ("cluster_infrastructure_provider", None),
    ("cluster_installer", None),
    ("cluster_version", Some(("type", "current"))),
    ("cluster_version", Some(("type", "initial"))),
];

/// Whether a selector finds at most one series in a cluster. `value_of` returns the value that the
/// selector requires for a label.
pub(super) fn is_single<'a>(metric: &str, value_of: impl Fn(&str) -> Option<&'a str>) -> bool {
    let is_single = |of: &Option<(&str, &str)>| of.is_none_or(|(l, v)| value_of(l) == Some(v));
    SINGLE.iter().any(|(name, of)| *name == metric && is_single(of))
}

/// The kinds of objects whose metrics, `kube_<kind>_…`, have the object's name in a label that is
/// named like the kind.
const KINDS: &[&str] = &[
    "configmap",
    "cronjob",
    "daemonset",
    "deployment",
    "job",
    "namespace",
    "networkpolicy",
    "node",
    "persistentvolume",
    "persistentvolumeclaim",
    "pod",
    "poddisruptionbudget",
    "replicaset",
    "secret",
    "service",
    "statefulset",
    "storageclass",
];

/// The label that holds the object's name in a metric of Kubernetes objects, if it is not `name`.
pub fn label_for_name(metric: &str) -> Option<&'static str> {
    let kind = metric.strip_prefix("kube_")?.split('_').next()?;
    KINDS.iter().find(|known| **known == kind).copied()
}
