//! The sample clusters are what `clusters/metrics.toml` says that clusters are.

#![allow(clippy::float_cmp, reason = "the values are exact")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use exitpath::testing::domain::Named;
use exitpath::testing::metrics::{FIXED_TIME, SampleCluster, Series};
use exitpath::testing::promql::{Dialect, Labels, Settings, Value, evaluate, in_json, parse};
use serde::Deserialize;

/// A sample, and the start of the metrics that it lacks although clusters always have them: its
/// kube-state-metrics cannot be scraped.
const LACKING: (&str, &str) = ("disconnected", "kube_");

#[derive(Deserialize)]
struct Dictionary {
    scrape: Vec<String>,
    hosted: String,
    metrics: BTreeMap<String, Metric>,
}

type LabelValues = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Metric {
    about: String,
    from: String,
    values: Values,
    #[serde(default)]
    also: Vec<f64>,
    zero_where: Option<LabelValues>,
    one_where: Option<LabelValues>,
    labels: BTreeMap<String, LabelKind>,
    #[serde(default)]
    optional: Vec<String>,
    series: Count,
    #[serde(default)]
    per: Vec<String>,
    #[serde(default)]
    always: LabelValues,
    #[serde(default)]
    usual: LabelValues,
    #[serde(default)]
    single: LabelValues,
    present: String,
    without: Option<String>,
    capability: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Values {
    Kind(String),
    These(Vec<f64>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum LabelKind {
    Any(String),
    These(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Count {
    Kind(String),
    Exactly(usize),
}

impl Metric {
    /// What is wrong with the value of a series.
    fn wrong_value(&self, labels: &Labels, value: f64) -> Option<String> {
        let is_count = value >= 0.0 && value.fract() == 0.0;
        let is_allowed = match &self.values {
            Values::These(values) => values.contains(&value),
            Values::Kind(kind) => match kind.as_str() {
                "one" => value == 1.0,
                "flag" => value == 0.0 || value == 1.0,
                "time" => value == 0.0 || is_count && (1e9..4e9).contains(&value),
                "count" => is_count,
                "number" => value.is_finite(),
                other => panic!("the dictionary has values = \"{other}\""),
            },
        };
        if !is_allowed && !self.also.contains(&value) {
            return Some(format!("has the value {}", in_json(value)));
        }
        let there = |labels_of: &LabelValues| {
            labels_of.iter().any(|(label, values)| values.iter().any(|v| v == labels.get(label)))
        };
        let zero = self.zero_where.as_ref().map(|at| if there(at) { 0.0 } else { 1.0 });
        let one = self.one_where.as_ref().map(|at| if there(at) { 1.0 } else { 0.0 });
        let expected = zero.or(one).filter(|expected| *expected != value)?;
        Some(format!("is {}, and {} with these labels", in_json(value), in_json(expected)))
    }

    fn own(&self, label: &str) -> Option<&LabelKind> {
        let exact = self.labels.get(label);
        exact.or_else(|| {
            let mut labels = self.labels.iter();
            let fits = |name: &str| name.strip_suffix('*').is_some_and(|s| label.starts_with(s));
            labels.find(|(name, _)| fits(name)).map(|(_, kind)| kind)
        })
    }

    /// What is wrong with the labels of a series.
    fn wrong_labels(
        &self,
        labels: &Labels,
        dictionary: &Dictionary,
        is_hosted: bool,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        for (label, value) in labels.iter().filter(|(label, _)| *label != "__name__") {
            let is_known = match self.own(label) {
                Some(LabelKind::Any(any)) => any == "*",
                Some(LabelKind::These(values)) => {
                    if !values.iter().any(|known| known == value) {
                        wrong.push(format!("has {label}=\"{value}\", which is not a value of it"));
                    }
                    true
                }
                None => {
                    dictionary.scrape.iter().any(|known| known == label)
                        || is_hosted && label == dictionary.hosted
                }
            };
            if !is_known {
                wrong.push(format!("has the label {label}, which the dictionary does not know"));
            }
        }
        let own = self.labels.keys().filter(|label| !label.ends_with('*'));
        for label in own.filter(|label| !self.optional.contains(label)) {
            if labels.get(label).is_empty() {
                wrong.push(format!("lacks the label {label}"));
            }
        }
        if is_hosted && labels.get(&dictionary.hosted).is_empty() {
            wrong.push(format!("lacks the label {}", dictionary.hosted));
        }
        wrong
    }

    /// What is wrong with the series of one cluster at one moment.
    fn wrong_set(&self, set: &[&Labels], cluster: &Facts) -> Vec<String> {
        let mut wrong = Vec::new();
        let off = self.capability.as_ref().filter(|name| cluster.off.contains(name.as_str()));
        let minor = |at: &Option<String>| at.as_deref().map(parse_minor);
        let is_too_old = minor(&self.since).is_some_and(|since| cluster.minor < since);
        let is_too_new = minor(&self.until).is_some_and(|until| cluster.minor > until);
        if let Some(first) = set.first() {
            let mut forbid = |why: String| wrong.push(format!("{why}, but there is {first}"));
            if let Some(capability) = off {
                forbid(format!("the capability {capability} is off"));
            }
            if is_too_old || is_too_new {
                forbid(format!("4.{} does not have it", cluster.minor.1));
            }
        } else if self.present == "always" && off.is_none() && !is_too_old && !is_too_new {
            wrong.push("there is none, but clusters always have it".into());
        }
        let count = set.len();
        let (fits, expected) = match &self.series {
            Count::Exactly(exactly) => (count == *exactly, exactly.to_string()),
            Count::Kind(kind) => (kind != "one" || count == 1, kind.clone()),
        };
        if count > 0 && !fits {
            wrong.push(format!("there are {count}, and not {expected}"));
        }
        let mut seen = BTreeMap::new();
        for labels in set {
            let key: Vec<&str> = self.per.iter().map(|label| labels.get(label)).collect();
            if let Some(other) = seen.insert(key, labels) {
                wrong.push(format!(
                    "two differ in no label of {:?}: {other} and {labels}",
                    self.per
                ));
            }
        }
        for (label, values) in &self.single {
            for value in values {
                let count = set.iter().filter(|labels| labels.get(label) == value).count();
                if count > 1 {
                    wrong.push(format!("there are {count} with {label}=\"{value}\""));
                }
            }
        }
        for (label, values) in self.always.iter().filter(|_| count > 0) {
            for value in values {
                if !set.iter().any(|labels| labels.get(label) == value) {
                    wrong.push(format!("there is none with {label}=\"{value}\""));
                }
            }
        }
        wrong
    }
}

/// What decides which metrics a cluster has.
struct Facts {
    minor: (u32, u32),
    /// The capabilities that are off.
    off: BTreeSet<String>,
}

fn parse_minor(version: &str) -> (u32, u32) {
    let mut parts = version.split('.').map(|part| part.parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap())
}

/// The series at the moment of the query.
fn now(series: &Series) -> Vec<(Labels, f64)> {
    let query = parse("{__name__=~\".+\"}").unwrap();
    match evaluate(&query, &series.store, &Settings::at(FIXED_TIME, Dialect::Three)).unwrap() {
        Value::Vector(samples) => samples,
        other => panic!("{other:?}"),
    }
}

fn facts(samples: &[&(Labels, f64)]) -> Facts {
    let of = |name: &'static str| {
        samples.iter().filter(move |(labels, _)| labels.get("__name__") == name)
    };
    let mut current = of("cluster_version").filter(|(labels, _)| labels.get("type") == "current");
    let version = current.next().map(|(labels, _)| labels.get("version")).unwrap_or_default();
    let minor = version.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
    let off = of("cluster_version_capability").filter(|(_, value)| *value == 0.0);
    let off = off.map(|(labels, _)| labels.get("name").to_owned()).collect();
    Facts { minor: parse_minor(&minor), off }
}

/// What is wrong with a sample.
fn faults(sample: SampleCluster, dictionary: &Dictionary) -> Vec<String> {
    let series = sample.series(None);
    let is_hosted = series.cluster_id.is_some();
    let mut faults = Vec::new();
    for (labels, points) in series.store.iter() {
        let Some(metric) = dictionary.metrics.get(labels.get("__name__")) else {
            faults.push(format!("{labels}: the dictionary does not know the metric"));
            continue;
        };
        let mut wrong = metric.wrong_labels(labels, dictionary, is_hosted);
        let values = points.iter().filter(|point| !point.is_stale());
        let values: BTreeSet<u64> = values.map(|point| point.value.to_bits()).collect();
        let values = values.into_iter().map(f64::from_bits);
        wrong.extend(values.filter_map(|value| metric.wrong_value(labels, value)));
        faults.extend(wrong.iter().map(|wrong| format!("{labels} {wrong}")));
    }
    let samples = now(&series);
    let mut clusters: BTreeMap<&str, Vec<&(Labels, f64)>> = BTreeMap::new();
    for one in &samples {
        clusters.entry(one.0.get(&dictionary.hosted)).or_default().push(one);
    }
    if let Some(id) = &series.cluster_id
        && !clusters.contains_key(id.as_str())
    {
        faults.push(format!("no series has {}=\"{id}\", the ID of the cluster", dictionary.hosted));
    }
    for (id, samples) in &clusters {
        let facts = facts(samples);
        for (name, metric) in &dictionary.metrics {
            let set: Vec<&Labels> = samples
                .iter()
                .map(|(labels, _)| labels)
                .filter(|labels| labels.get("__name__") == name)
                .collect();
            if sample.name() == LACKING.0 && name.starts_with(LACKING.1) {
                faults.extend(set.first().map(|first| format!("there is {first} after all")));
                continue;
            }
            let wrong = metric.wrong_set(&set, &facts);
            faults
                .extend(wrong.iter().map(|wrong| format!("{name} of the cluster {id:?}: {wrong}")));
        }
    }
    faults
}

#[test]
fn sample_clusters_are_what_the_dictionary_says() {
    let text = fs::read_to_string("clusters/metrics.toml").unwrap();
    let dictionary: Dictionary = toml::from_str(&text).unwrap();
    for (name, metric) in &dictionary.metrics {
        assert!(!metric.about.is_empty() && !metric.from.is_empty(), "{name} has no words");
        let of_list = metric.optional.iter().chain(&metric.per).chain(metric.always.keys());
        let of_list = of_list.chain(metric.usual.keys()).chain(metric.single.keys());
        let without = metric.without.as_deref();
        assert_eq!(metric.present == "always", without.is_none(), "metrics.{name}");
        assert!(without.is_none_or(|how| ["common", "rare"].contains(&how)), "metrics.{name}");
        for label in of_list {
            let is_known = metric.own(label).is_some() || dictionary.scrape.contains(label);
            assert!(is_known, "metrics.{name} speaks of {label}, which is not a label of it");
        }
    }
    let mut wrong = Vec::new();
    for sample in SampleCluster::ALL {
        let name = sample.name();
        wrong.extend(
            faults(*sample, &dictionary)
                .into_iter()
                .map(|fault| format!("clusters/{name}.series: {fault}")),
        );
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}
