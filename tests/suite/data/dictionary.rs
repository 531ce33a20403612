//! What `clusters/metrics.toml` says, and whether series are so.

#![allow(clippy::float_cmp, reason = "the values are exact")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use promql::{Labels, in_json};
use serde::Deserialize;

pub(crate) type Minor = (u32, u32);

#[derive(Deserialize)]
pub(crate) struct Dictionary {
    pub(crate) scrape: Vec<String>,
    pub(crate) hosted: String,
    /// The exporters whose series have no label of their pod.
    pub(crate) outlives_pods: Vec<String>,
    /// The exporters whose metrics can have labels that are not listed.
    pub(crate) open: Vec<String>,
    pub(crate) metrics: BTreeMap<String, Metric>,
}

pub(crate) type LabelValues = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metric {
    pub(crate) about: String,
    pub(crate) from: String,
    pub(crate) source: Option<String>,
    pub(crate) values: Values,
    #[serde(default)]
    pub(crate) also: Vec<f64>,
    pub(crate) zero_where: Option<LabelValues>,
    pub(crate) one_where: Option<LabelValues>,
    pub(crate) labels: BTreeMap<String, LabelKind>,
    #[serde(default)]
    pub(crate) optional: Vec<String>,
    pub(crate) series: Count,
    #[serde(default)]
    pub(crate) per: Vec<String>,
    #[serde(default)]
    pub(crate) always: LabelValues,
    #[serde(default)]
    pub(crate) usual: LabelValues,
    #[serde(default)]
    pub(crate) single: LabelValues,
    pub(crate) present: String,
    pub(crate) without: Option<String>,
    pub(crate) capability: Option<String>,
    pub(crate) since: Option<String>,
    pub(crate) until: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Values {
    Kind(String),
    These(Vec<f64>),
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum LabelKind {
    Any(String),
    These(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Count {
    Kind(String),
    Exactly(usize),
}

impl Dictionary {
    pub(crate) fn read() -> Self {
        toml::from_str(&fs::read_to_string("clusters/metrics.toml").unwrap()).unwrap()
    }

    /// Whether a metric can have a label that is not listed.
    fn can_have_more(&self, metric: &Metric, label: &str) -> bool {
        self.open.contains(&metric.from) && !["pod", "instance", "_id"].contains(&label)
    }

    /// The labels that the scrape adds to a metric.
    pub(crate) fn scrape_of(&self, metric: &Metric) -> impl Iterator<Item = &String> {
        let is_dropped = self.outlives_pods.contains(&metric.from);
        self.scrape
            .iter()
            .filter(move |label| !is_dropped || !["pod", "instance"].contains(&&***label))
    }
}

impl Metric {
    /// What is wrong with the value of a series.
    pub(crate) fn wrong_value(&self, labels: &Labels, value: f64) -> Option<String> {
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

    pub(crate) fn own(&self, label: &str) -> Option<&LabelKind> {
        let exact = self.labels.get(label);
        exact.or_else(|| {
            if label == "_id" {
                return None;
            }
            let mut labels = self.labels.iter();
            let fits = |name: &str| name.strip_suffix('*').is_some_and(|s| label.starts_with(s));
            labels.find(|(name, _)| fits(name)).map(|(_, kind)| kind)
        })
    }

    /// What is wrong with the labels of a series.
    pub(crate) fn wrong_labels(
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
                    dictionary.scrape_of(self).any(|known| known == label)
                        || dictionary.can_have_more(self, label)
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
    pub(crate) fn wrong_set(&self, set: &[&Labels], cluster: &Facts) -> Vec<String> {
        let mut wrong = Vec::new();
        let off = self.capability.as_ref().filter(|name| cluster.off.contains(name.as_str()));
        let misses = |at: &Option<String>, misses: fn(&Minor, &Minor) -> bool| {
            let (at, has) = (at.as_deref().and_then(minor_of), cluster.minor);
            at.zip(has).is_some_and(|(at, has)| misses(&has, &at))
        };
        let is_too_old = misses(&self.since, Minor::lt);
        let is_too_new = misses(&self.until, Minor::gt);
        if let Some(first) = set.first() {
            let mut forbid = |why: String| wrong.push(format!("{why}, but there is {first}"));
            if let Some(capability) = off {
                forbid(format!("the capability {capability} is off"));
            }
            if is_too_old || is_too_new {
                forbid(format!("{:?} does not have it", cluster.minor.unwrap_or_default()));
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
pub(crate) struct Facts {
    /// Nothing where the cluster does not say it.
    pub(crate) minor: Option<Minor>,
    /// The capabilities that are off.
    pub(crate) off: BTreeSet<String>,
}

/// The minor of a version, such as 4.14 of `4.14.3-rc.1`.
pub(crate) fn minor_of(version: &str) -> Option<Minor> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// What the series of one cluster at one moment say about it.
pub(crate) fn facts(samples: &[&(Labels, f64)]) -> Facts {
    let of = |name: &'static str| {
        samples.iter().filter(move |(labels, _)| labels.get("__name__") == name)
    };
    let mut current = of("cluster_version").filter(|(labels, _)| labels.get("type") == "current");
    let version = current.next().map(|(labels, _)| labels.get("version")).unwrap_or_default();
    let off = of("cluster_version_capability").filter(|(_, value)| *value == 0.0);
    let off = off.map(|(labels, _)| labels.get("name").to_owned()).collect();
    Facts { minor: minor_of(version), off }
}
