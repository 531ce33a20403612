//! The conditions that the keys of `appliesTo` mean.

use crate::go::quoted;

use super::condition::{Comparison, Condition, Has, Selection};
use super::versions::{Of, VersionPatterns, Versions};

/// The metric with the platform of a cluster.
pub(super) const PROVIDER: &str = "cluster_infrastructure_provider";

/// The metric with a series for each capability.
const CAPABILITIES: &str = "cluster_version_capability";

/// The metric with the current and earlier versions of a cluster.
pub(super) const VERSIONS: &str = "cluster_version";

const INITIAL: &str = r#"type="initial""#;

const STORED: &str = "apiserver_storage_objects";

pub(super) fn platforms(names: &[String]) -> Condition {
    Condition::has(Selection::of(PROVIDER, [is_one_of("type", names)]))
}

pub(super) fn born_in(versions: &Versions) -> Condition {
    let VersionPatterns { is, is_not } = versions.patterns(Of::OpenShift);
    let is = is.map(|pattern| format!("version=~{}", quoted(&pattern)));
    let is_not = is_not.map(|pattern| format!("version!~{}", quoted(&pattern)));
    let matchers = [Some(INITIAL.to_owned()), is, is_not];
    let selection = Selection::of(VERSIONS, matchers.into_iter().flatten());
    let near = near(versions, |version| {
        Selection::of(VERSIONS, [INITIAL.to_owned(), format!("version={}", quoted(version))])
    });
    Condition::near(selection, near)
}

/// The condition that the version with which the cluster was installed looks like one of OpenShift:
/// `4.14.3`, or `4.14.0-rc.1`.
pub(super) fn has_version() -> Condition {
    const NUMBER: &str = "(0|[1-9][0-9]*)";
    let pattern = quoted(&format!("{NUMBER}[.]{NUMBER}[.]({NUMBER}|0-(rc[.]1|.+))"));
    let matchers = [INITIAL.to_owned(), format!("version=~{pattern}")];
    Condition::has(Selection::of(VERSIONS, matchers))
}

/// Series for versions near the bounds of a range.
fn near(versions: &Versions, series: impl Fn(&str) -> Selection) -> Vec<Vec<Selection>> {
    let some = versions.neighbors().into_iter();
    some.map(|versions| versions.iter().map(|version| series(version)).collect()).collect()
}

/// The condition that one of some capabilities is on (1) or off (0).
pub(super) fn capabilities(names: &[String], value: f64) -> Condition {
    let sources = vec![Selection::of(CAPABILITIES, [is_one_of("name", names)])];
    Condition::Has(Has::of(sources, Some((Comparison::Equal, value))))
}

/// An operator of Operator Lifecycle Manager: its name, and its versions.
pub(super) struct Operator {
    pub(super) name: String,
    pub(super) versions: Option<Versions>,
}

/// The condition that one of some operators is installed.
pub(super) fn operators(operators: &[Operator]) -> Condition {
    let installs = |matchers: Vec<String>| Selection::of("csv_succeeded", matchers);
    let mut together = Vec::new();
    let mut others = Vec::new();
    let mut near_all = Vec::new();
    for Operator { name, versions } in operators {
        let pattern = name.replace('.', "[.]");
        let numbered = |versions: String| format!("{pattern}[.]v({versions})");
        let patterns = versions.as_ref().map(|one| one.patterns(Of::Operators));
        let VersionPatterns { is, is_not } = patterns.unwrap_or_default();
        let is = is.map_or_else(|| format!("{pattern}[.].*"), numbered);
        let beside = versions.as_ref().map_or_else(Vec::new, |versions| {
            near(versions, |version| {
                installs(vec![format!("name={}", quoted(&format!("{name}.v{version}")))])
            })
        });
        match is_not {
            None => {
                together.push(is);
                near_all.extend(beside);
            }
            Some(not) => {
                let not = format!("name!~{}", quoted(&numbered(not)));
                let selection = installs(vec![format!("name=~{}", quoted(&is)), not]);
                others.push(Condition::near(selection, beside));
            }
        }
    }
    if !together.is_empty() {
        let selection = installs(vec![format!("name=~{}", quoted(&together.join("|")))]);
        others.push(Condition::near(selection, near_all));
    }
    any(others)
}

/// The condition that the cluster has a ClusterOperator, optionally with a condition that is true.
pub(super) fn cluster_operator(name: &str, condition: Option<&str>) -> Condition {
    let matcher = format!("name={}", quoted(name));
    match condition {
        None => {
            let metrics = ["cluster_operator_conditions", "cluster_operator_up"];
            let sources = metrics.map(|metric| Selection::of(metric, [matcher.clone()]));
            Condition::Has(Has::of(sources.into(), None))
        }
        Some(condition) => {
            let matchers = [matcher, format!("condition={}", quoted(condition))];
            let sources = vec![Selection::of("cluster_operator_conditions", matchers)];
            Condition::Has(Has::of(sources, Some((Comparison::Equal, 1.0))))
        }
    }
}

/// The condition that the control plane is hosted.
pub(super) fn hosted() -> Condition {
    let sources = vec![
        Selection::of("cluster_installer", [r#"invoker="hypershift""#.into()]),
        Selection::of("cluster:controlplane_topology:info", [r#"mode="External""#.into()]),
    ];
    Condition::Has(Has::of(sources, None))
}

/// The series that show the number of nodes.
pub(super) fn nodes() -> Vec<Selection> {
    let counted = Selection { is_counted: true, ..Selection::of("kube_node_info", []) };
    std::iter::once(counted).chain(objects("nodes")).collect()
}

/// The series that show the number of objects of a resource, such as `egressips.k8s.ovn.org`.
pub(super) fn objects(resource: &str) -> Vec<Selection> {
    let (plural, group) = resource.split_once('.').unwrap_or((resource, ""));
    let with_group = [format!("resource={}", quoted(plural)), format!("group={}", quoted(group))];
    vec![
        Selection::of(STORED, [format!("resource={}", quoted(resource))]),
        Selection::of("apiserver_resource_objects", with_group),
    ]
}

pub(super) fn any(mut conditions: Vec<Condition>) -> Condition {
    if conditions.len() == 1 { conditions.remove(0) } else { Condition::Any(conditions) }
}

pub(super) fn all(mut conditions: Vec<Condition>) -> Condition {
    if conditions.len() == 1 { conditions.remove(0) } else { Condition::All(conditions) }
}

fn is_one_of(label: &str, values: &[String]) -> String {
    match values {
        [one] => format!("{label}={}", quoted(one)),
        several => format!("{label}=~{}", quoted(&several.join("|"))),
    }
}
