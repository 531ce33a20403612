//! What the keys of `appliesTo` mean: conditions for series.

use crate::promql::quoted;

use super::condition::{Comparison, Condition, Has, Selection};
use super::versions::{Of, Versions};

/// The cluster runs on one of some platforms.
pub(super) const PROVIDER: &str = "cluster_infrastructure_provider";

/// Each capability has a series in it.
const CAPABILITIES: &str = "cluster_version_capability";

/// The versions that the cluster has and had.
pub(super) const VERSIONS: &str = "cluster_version";

const STORED: &str = "apiserver_storage_objects";

pub(super) fn platforms(names: &[String]) -> Condition {
    Condition::has(Selection::of(PROVIDER, [is_one_of("type", names)]))
}

pub(super) fn born_in(versions: &Versions) -> Condition {
    let (is, is_not) = versions.patterns(Of::OpenShift);
    let is = is.map(|pattern| format!("version=~{}", quoted(&pattern)));
    let is_not = is_not.map(|pattern| format!("version!~{}", quoted(&pattern)));
    let matchers = [Some(r#"type="initial""#.to_owned()), is, is_not];
    Condition::has(Selection::of(VERSIONS, matchers.into_iter().flatten()))
}

/// The version that the cluster was installed with has three numbers, as all versions of OpenShift.
pub(super) fn has_version() -> Condition {
    const NUMBER: &str = "(0|[1-9][0-9]*)";
    let pattern = quoted(&format!("{NUMBER}[.]{NUMBER}[.]{NUMBER}([-+].+)?"));
    let matchers = [r#"type="initial""#.to_owned(), format!("version=~{pattern}")];
    Condition::has(Selection::of(VERSIONS, matchers))
}

/// One of some capabilities is on (1) or off (0).
pub(super) fn capabilities(names: &[String], value: f64) -> Condition {
    let sources = vec![Selection::of(CAPABILITIES, [is_one_of("name", names)])];
    Condition::Has(Has { sources, value: Some((Comparison::Equal, value)) })
}

/// An operator of Operator Lifecycle Manager: its name, and its versions.
pub(super) struct Operator {
    pub(super) name: String,
    pub(super) versions: Option<Versions>,
}

/// One of some operators is installed.
pub(super) fn operators(operators: &[Operator]) -> Condition {
    let mut together = Vec::new();
    let mut others = Vec::new();
    for operator in operators {
        let name = operator.name.replace('.', "[.]");
        let patterns = operator.versions.as_ref().map(|one| one.patterns(Of::Operators));
        let (is, is_not) = patterns.unwrap_or_default();
        let numbered = |pattern: String| format!("{name}[.]v?({pattern})");
        let is = is.map_or_else(|| format!("{name}[.].*"), numbered);
        match is_not {
            None => together.push(is),
            Some(not) => others.push([
                format!("name=~{}", quoted(&is)),
                format!("name!~{}", quoted(&numbered(not))),
            ]),
        }
    }
    let together = (!together.is_empty()).then(|| [format!("name=~{}", quoted(&together.join("|")))]);
    let has = |matchers: Vec<String>| Condition::has(Selection::of("csv_succeeded", matchers));
    let together = together.map(|matchers| has(matchers.into()));
    any(together.into_iter().chain(others.into_iter().map(|one| has(one.into()))).collect())
}

/// The cluster has a cluster operator, perhaps with a condition that is true.
pub(super) fn cluster_operator(name: &str, condition: Option<&str>) -> Condition {
    let matcher = format!("name={}", quoted(name));
    match condition {
        None => Condition::Has(Has {
            sources: ["cluster_operator_conditions", "cluster_operator_up"]
                .map(|metric| Selection::of(metric, [matcher.clone()]))
                .into(),
            value: None,
        }),
        Some(condition) => {
            let matchers = [matcher, format!("condition={}", quoted(condition))];
            let sources = vec![Selection::of("cluster_operator_conditions", matchers)];
            Condition::Has(Has { sources, value: Some((Comparison::Equal, 1.0)) })
        }
    }
}

/// The control plane is hosted.
pub(super) fn hosted() -> Condition {
    Condition::Has(Has {
        sources: vec![
            Selection::of("cluster_installer", [r#"invoker="hypershift""#.into()]),
            Selection::of("cluster:controlplane_topology:info", [r#"mode="External""#.into()]),
        ],
        value: None,
    })
}

/// What knows how many nodes there are.
pub(super) fn nodes() -> Vec<Selection> {
    let counted = Selection { is_counted: true, ..Selection::of("kube_node_info", []) };
    std::iter::once(counted).chain(objects("nodes")).collect()
}

/// What knows how many objects of a resource there are, such as `egressips.k8s.ovn.org`.
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
