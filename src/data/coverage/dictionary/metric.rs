//! What the dictionary says about one metric.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::promql::CLUSTER_ID;

use super::ALWAYS;

/// These words are in the condition of a metric that the cluster's Prometheus collects only with
/// some profiles.
const PROFILE: &str = "metrics collection profile";

/// The labels that tell the pods of an exporter apart.
pub(super) const POD: [&str; 2] = ["pod", "instance"];

/// A metric, as one healthy cluster has it at one moment. The header of `clusters/metrics.toml`
/// explains each key.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metric {
    about: String,
    pub(super) from: String,
    /// The source of this information. A repository may omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<String>,
    pub(in crate::data::coverage) values: Values,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::data::coverage) also: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zero_where: Option<LabelValues>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) one_where: Option<LabelValues>,
    pub(super) labels: BTreeMap<String, LabelKind>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::data::coverage) optional: Vec<String>,
    pub(in crate::data::coverage) series: SeriesCount,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::data::coverage) per: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(in crate::data::coverage) always: LabelValues,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(in crate::data::coverage) usual: LabelValues,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(in crate::data::coverage) single: LabelValues,
    pub(in crate::data::coverage) present: String,
    #[serde(default)]
    pub(super) without: Without,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) capability: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::data::coverage) since: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::data::coverage) until: Option<String>,
    /// What the dictionary says about its exporter.
    #[serde(skip)]
    pub(in crate::data::coverage) exporter: Exporter,
    /// Whether none of the minor versions to which the dictionary is narrowed has the metric.
    #[serde(skip)]
    pub(in crate::data::coverage) is_absent: bool,
    /// Whether nothing is known about it.
    #[serde(skip)]
    is_unknown: bool,
}

/// What is true for all metrics of an exporter.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::data::coverage) struct Exporter {
    /// Whether its series continue when its pod is replaced.
    pub(in crate::data::coverage) outlives_pods: bool,
    /// Whether its metrics can have more labels than are listed.
    pub(in crate::data::coverage) is_open: bool,
}

/// Values of labels, by the name of the label.
pub(in crate::data::coverage) type LabelValues = BTreeMap<String, Vec<String>>;

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub(in crate::data::coverage) enum Values {
    Kind(ValueKind),
    These(Vec<f64>),
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::data::coverage) enum ValueKind {
    One,
    Flag,
    Time,
    Count,
    Number,
}

/// The values of a label.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub(in crate::data::coverage) enum LabelKind {
    These(Vec<String>),
    Any(AnyText),
}

impl LabelKind {
    pub(in crate::data::coverage) const ANY: &Self = &Self::Any(AnyText::Any);
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(in crate::data::coverage) enum AnyText {
    #[serde(rename = "*")]
    Any,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub(in crate::data::coverage) enum SeriesCount {
    Kind(CountKind),
    Exactly(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::data::coverage) enum CountKind {
    One,
    Some,
    Any,
}

/// How many clusters lack a metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::data::coverage) enum Without {
    #[default]
    Common,
    Rare,
}

impl Metric {
    /// A key for the condition on which clusters have it. Clusters have all metrics with the same
    /// key, or none of them.
    pub(in crate::data::coverage) fn condition_key(&self, name: &str) -> String {
        if self.is_always_present() || self.is_unknown {
            return name.to_owned();
        }
        format!("{} {}", self.present, self.capability.as_deref().unwrap_or_default())
    }

    /// The capability that clusters need to have it.
    pub(in crate::data::coverage) fn capability(&self) -> Option<&str> {
        self.capability.as_deref()
    }

    /// Whether it depends on a capability.
    pub(in crate::data::coverage) fn needs_capability(&self) -> bool {
        self.capability.is_some()
    }

    /// Whether its lists are not empty, and short enough to try all that they allow.
    pub(crate) fn is_sound(&self) -> bool {
        let is_empty =
            |kind: &LabelKind| matches!(kind, LabelKind::These(values) if values.is_empty());
        let has_values = !matches!(&self.values, Values::These(values) if values.is_empty());
        let is_none = matches!(self.series, SeriesCount::Exactly(0));
        has_values && !is_none && !self.labels.values().any(is_empty) && self.is_small()
    }

    fn is_small(&self) -> bool {
        const MOST: usize = 100;
        let listed = self.labels.values().map(|kind| match kind {
            LabelKind::These(values) => values.len(),
            LabelKind::Any(_) => 0,
        });
        let decide = [&self.always, &self.usual, &self.single].into_iter();
        let decide = decide.chain(&self.zero_where).chain(&self.one_where);
        let deciding = decide.map(|values| values.values().map(Vec::len).sum::<usize>());
        let lists = [self.labels.len(), self.also.len(), self.optional.len(), self.per.len()];
        listed.chain(deciding).chain(lists).all(|length| length <= MOST)
    }

    /// Whether every cluster has it.
    pub(crate) fn is_always_present(&self) -> bool {
        self.present == ALWAYS
    }

    /// Whether a capability is its only condition.
    pub(in crate::data::coverage) fn has_capability_only(&self) -> bool {
        let name = self.capability.as_ref();
        name.is_some_and(|name| self.present == format!("the capability {name} is on"))
    }

    /// Whether a cluster needs the profile `full` to have it.
    pub(super) fn needs_profile(&self) -> bool {
        self.present.contains(PROFILE)
    }

    /// Whether none of the minor versions to which the dictionary is narrowed has the metric.
    pub(crate) fn is_absent(&self) -> bool {
        self.is_absent
    }

    /// Whether clusters with hosted control planes also have the series that `always` lists. Of
    /// other exporters, they lack some series, for example those of control plane nodes.
    pub(in crate::data::coverage) fn is_demanded_when_hosted(&self) -> bool {
        self.from == "cluster-version operator"
    }

    /// Whether its series continue when the pod of their exporter is replaced.
    pub(crate) fn outlives_pods(&self) -> bool {
        self.exporter.outlives_pods && !self.per.iter().any(|label| POD.contains(&label.as_str()))
    }

    /// Whether its series can have more labels than the dictionary lists.
    pub(crate) fn is_open(&self) -> bool {
        self.exporter.is_open
    }

    /// Whether its values are 0 and 1.
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.values, Values::Kind(ValueKind::Flag)) && self.also.is_empty()
    }

    /// Whether its values are whole numbers.
    pub(crate) fn is_whole(&self) -> bool {
        let is_whole = |values: &[f64]| values.iter().all(|value| value.fract() == 0.0);
        let own = match &self.values {
            Values::Kind(kind) => matches!(kind, ValueKind::Flag | ValueKind::Count),
            Values::These(values) => is_whole(values),
        };
        own && is_whole(&self.also)
    }

    /// The labels and values of series that every cluster with the metric has.
    pub(crate) fn always_there(&self) -> impl Iterator<Item = (&str, &str)> {
        self.always.iter().flat_map(|(label, values)| {
            values.iter().map(move |value| (label.as_str(), value.as_str()))
        })
    }

    /// What the metric means.
    pub(crate) fn about(&self) -> &str {
        &self.about
    }

    /// Its exporter.
    pub(crate) fn from(&self) -> &str {
        &self.from
    }

    /// The source of this information.
    pub(crate) fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    /// The condition on which a cluster has it. None if each cluster has it.
    pub(crate) fn condition(&self) -> Option<&str> {
        (!self.is_always_present()).then_some(&self.present)
    }

    /// The first and the last minor version with the metric.
    pub(crate) fn versions(&self) -> (Option<&str>, Option<&str>) {
        (self.since.as_deref(), self.until.as_deref())
    }

    /// Whether most clusters have it.
    pub(in crate::data::coverage) fn is_rarely_absent(&self) -> bool {
        self.is_always_present() || self.without == Without::Rare
    }

    pub(in crate::data::coverage) fn own(&self, label: &str) -> Option<&LabelKind> {
        self.labels.get(label).or_else(|| {
            if label == CLUSTER_ID {
                return None;
            }
            let fits = |name: &str| name.strip_suffix('*').is_some_and(|s| label.starts_with(s));
            self.labels.iter().find(|(name, _)| fits(name)).map(|(_, kind)| kind)
        })
    }

    /// The names of its own labels. A name that ends with `*` stands for many labels.
    pub(crate) fn own_labels(&self) -> impl Iterator<Item = &str> {
        self.labels.keys().map(String::as_str)
    }

    /// All values of one of its own labels, if the dictionary lists them.
    pub(crate) fn listed_values(&self, label: &str) -> Option<&[String]> {
        match self.own(label)? {
            LabelKind::These(values) => Some(values),
            LabelKind::Any(_) => None,
        }
    }

    pub(in crate::data::coverage) fn is_optional(&self, label: &str) -> bool {
        self.optional.iter().any(|name| {
            let fits = |start: &str| label.starts_with(start) && !self.labels.contains_key(label);
            name == label || name.strip_suffix('*').is_some_and(fits)
        })
    }

    /// The value of series with some labels, if the labels decide it.
    pub(in crate::data::coverage) fn fixed_value(
        &self,
        label: impl Fn(&str) -> String,
    ) -> Option<f64> {
        let is_there =
            |at: &LabelValues| at.iter().any(|(name, values)| values.contains(&label(name)));
        let zero = self.zero_where.as_ref().map(|at| if is_there(at) { 0.0 } else { 1.0 });
        zero.or_else(|| self.one_where.as_ref().map(|at| if is_there(at) { 1.0 } else { 0.0 }))
    }

    /// Whether a label decides the value of its series.
    pub(in crate::data::coverage) fn is_decided_by(&self, label: &str) -> bool {
        let decide = [self.zero_where.as_ref(), self.one_where.as_ref()].into_iter().flatten();
        decide.into_iter().any(|values| values.contains_key(label))
    }

    /// The labels that decide the value of a series, or whether it exists.
    pub(in crate::data::coverage) fn deciding_labels(&self) -> impl Iterator<Item = &str> {
        let decide = [self.zero_where.as_ref(), self.one_where.as_ref()].into_iter().flatten();
        let decide = decide.chain([&self.always, &self.usual, &self.single]);
        decide.flat_map(|values| values.keys().map(String::as_str))
    }

    /// The values of a label that decide something about a series.
    pub(in crate::data::coverage) fn deciding_values<'m>(
        &'m self,
        label: &'m str,
    ) -> impl Iterator<Item = &'m String> {
        let decide = [self.zero_where.as_ref(), self.one_where.as_ref()].into_iter().flatten();
        let decide = decide.chain([&self.always, &self.usual, &self.single]);
        decide.filter_map(move |values| values.get(label)).flatten()
    }

    /// A metric about which nothing is known: some clusters have it, with any series.
    pub(in crate::data::coverage) fn unknown(labels: impl Iterator<Item = String>) -> Self {
        let any = |label: String| (label, LabelKind::Any(AnyText::Any));
        let labels: BTreeMap<String, LabelKind> = labels.map(any).collect();
        let mut per: Vec<String> = labels.keys().cloned().collect();
        per.push("instance".into());
        Self {
            about: String::new(),
            from: String::new(),
            source: None,
            values: Values::Kind(ValueKind::Number),
            also: Vec::new(),
            zero_where: None,
            one_where: None,
            optional: labels.keys().cloned().collect(),
            labels,
            series: SeriesCount::Kind(CountKind::Any),
            per,
            always: LabelValues::new(),
            usual: LabelValues::new(),
            single: LabelValues::new(),
            present: "some clusters have it".into(),
            without: Without::Common,
            capability: None,
            since: None,
            until: None,
            exporter: Exporter::default(),
            is_absent: false,
            is_unknown: true,
        }
    }
}
