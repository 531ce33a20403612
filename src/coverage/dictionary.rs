//! What clusters can answer: `clusters/metrics.toml`, and what a repository adds to it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::domain::Minor;

/// The metrics that are known.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dictionary {
    /// The labels that the scrape adds to every series.
    scrape: Vec<String>,
    /// The label that tells hosted clusters apart. A proof is about other clusters.
    #[allow(dead_code, reason = "for readers of the file")]
    hosted: String,
    /// The minor version of OpenShift that first has a capability.
    capabilities: BTreeMap<String, String>,
    metrics: BTreeMap<String, Metric>,
}

/// A metric, as one working cluster has it at one moment. The head of `clusters/metrics.toml`
/// explains each key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metric {
    #[allow(dead_code, reason = "for readers of the file")]
    about: String,
    #[allow(dead_code, reason = "for readers of the file")]
    from: String,
    pub(super) values: Values,
    #[serde(default)]
    pub(super) also: Vec<f64>,
    zero_where: Option<LabelValues>,
    one_where: Option<LabelValues>,
    labels: BTreeMap<String, LabelKind>,
    #[serde(default)]
    pub(super) optional: Vec<String>,
    pub(super) series: SeriesCount,
    #[serde(default)]
    pub(super) per: Vec<String>,
    #[serde(default)]
    pub(super) always: LabelValues,
    #[serde(default)]
    pub(super) usual: LabelValues,
    #[serde(default)]
    pub(super) single: LabelValues,
    pub(super) present: String,
    #[serde(default)]
    without: Without,
    capability: Option<String>,
    pub(super) since: Option<String>,
    pub(super) until: Option<String>,
}

/// Values of labels, by the name of the label.
pub(super) type LabelValues = BTreeMap<String, Vec<String>>;

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Values {
    Kind(ValueKind),
    These(Vec<f64>),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ValueKind {
    One,
    Flag,
    Time,
    Count,
    Number,
}

/// The values of a label.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum LabelKind {
    These(Vec<String>),
    Any(AnyText),
}

impl LabelKind {
    pub(super) const ANY: &Self = &Self::Any(AnyText::Any);
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) enum AnyText {
    #[serde(rename = "*")]
    Any,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum SeriesCount {
    Kind(CountKind),
    Exactly(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CountKind {
    One,
    Some,
    Any,
}

/// How many clusters do not have a metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Without {
    #[default]
    Common,
    Rare,
}

const ALWAYS: &str = "always";
/// In the condition of a metric that the cluster's Prometheus does not collect otherwise.
const PROFILE: &str = "metrics collection profile";

/// Why a cluster does not have a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence<'d> {
    /// What it measures is not there.
    NotInstalled,
    /// What it measures is there, but nobody collects it.
    NotScraped,
    /// A capability is off. Older minors do not have the capability, and always have the metric.
    Capability { name: &'d str, since: Option<Minor> },
}

impl Dictionary {
    /// The dictionary of exitpath.
    pub(crate) fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Dictionary> = LazyLock::new(|| {
            let read = toml::from_str(include_str!("../../clusters/metrics.toml"));
            read.unwrap_or_else(|_| Dictionary {
                scrape: Vec::new(),
                hosted: String::new(),
                capabilities: BTreeMap::new(),
                metrics: BTreeMap::new(),
            })
        });
        &BUILT_IN
    }

    /// With the metrics that a repository adds, or describes in another way.
    pub(crate) fn with(&self, additions: &BTreeMap<String, Metric>) -> Self {
        let mut dictionary = self.clone();
        dictionary.metrics.extend(additions.clone());
        dictionary
    }

    pub(crate) fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.get(name)
    }

    /// Why a cluster may not have a metric. None: each cluster has it, or it is unknown.
    pub(crate) fn absence(&self, name: &str) -> Option<Absence<'_>> {
        let metric = self.metrics.get(name).filter(|metric| !metric.is_always_present())?;
        Some(match &metric.capability {
            Some(name) => {
                let since = self.capabilities.get(name).and_then(|since| Minor::parse(since));
                Absence::Capability { name, since }
            }
            None if metric.present.contains(PROFILE) => Absence::NotScraped,
            None => Absence::NotInstalled,
        })
    }

    /// The names of all metrics.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.metrics.keys().map(String::as_str)
    }

    /// The values that a label of a metric can have. None: the metric has no such label.
    pub(super) fn values_of<'d>(
        &'d self,
        metric: &'d Metric,
        label: &str,
    ) -> Option<&'d LabelKind> {
        let is_of_scrape = self.scrape.iter().any(|known| known == label);
        metric.own(label).or_else(|| is_of_scrape.then_some(LabelKind::ANY))
    }
}

impl Metric {
    /// Whether its values are too many to try those that a query can tell apart.
    pub(super) fn has_many_values(&self) -> bool {
        matches!(self.values, Values::Kind(ValueKind::Time | ValueKind::Number))
    }

    /// Whether a series can take the place of one with other labels.
    pub(super) fn can_replace_labels(&self) -> bool {
        matches!(self.series, SeriesCount::Kind(CountKind::One)) || !self.single.is_empty()
    }

    /// The capability without which clusters do not have it.
    pub(super) fn capability(&self) -> Option<&str> {
        self.capability.as_deref()
    }

    /// Whether clusters without some capability do not have it.
    pub(super) fn needs_capability(&self) -> bool {
        self.capability.is_some()
    }

    /// Whether its lists are short enough to try what they allow, and none of them is empty.
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

    /// Whether most clusters have it.
    pub(super) fn is_rarely_absent(&self) -> bool {
        self.is_always_present() || self.without == Without::Rare
    }

    pub(super) fn own(&self, label: &str) -> Option<&LabelKind> {
        self.labels.get(label).or_else(|| {
            let fits = |name: &str| name.strip_suffix('*').is_some_and(|s| label.starts_with(s));
            self.labels.iter().find(|(name, _)| fits(name)).map(|(_, kind)| kind)
        })
    }

    /// The names of its own labels; one that ends with `*` stands for many.
    pub(crate) fn own_labels(&self) -> impl Iterator<Item = &str> {
        self.labels.keys().map(String::as_str)
    }

    /// All values of one of its own labels, if they are listed.
    pub(crate) fn listed_values(&self, label: &str) -> Option<&[String]> {
        match self.own(label)? {
            LabelKind::These(values) => Some(values),
            LabelKind::Any(_) => None,
        }
    }

    pub(super) fn is_optional(&self, label: &str) -> bool {
        self.optional.iter().any(|name| {
            name == label || name.strip_suffix('*').is_some_and(|start| label.starts_with(start))
        })
    }

    /// The value that series with some labels have, if the labels decide it.
    pub(super) fn fixed_value(&self, label: impl Fn(&str) -> String) -> Option<f64> {
        let is_there =
            |at: &LabelValues| at.iter().any(|(name, values)| values.contains(&label(name)));
        let zero = self.zero_where.as_ref().map(|at| if is_there(at) { 0.0 } else { 1.0 });
        zero.or_else(|| self.one_where.as_ref().map(|at| if is_there(at) { 1.0 } else { 0.0 }))
    }

    /// Whether a label decides the value of series.
    pub(super) fn is_decided_by(&self, label: &str) -> bool {
        let decide = [self.zero_where.as_ref(), self.one_where.as_ref()].into_iter().flatten();
        decide.into_iter().any(|values| values.contains_key(label))
    }

    /// The labels that decide something about a series: its value, or whether it is there.
    pub(super) fn deciding_labels(&self) -> impl Iterator<Item = &str> {
        let decide = [self.zero_where.as_ref(), self.one_where.as_ref()].into_iter().flatten();
        let decide = decide.chain([&self.always, &self.usual, &self.single]);
        decide.flat_map(|values| values.keys().map(String::as_str))
    }

    /// The values of a label that decide something about a series.
    pub(super) fn deciding_values<'m>(
        &'m self,
        label: &'m str,
    ) -> impl Iterator<Item = &'m String> {
        let decide = [self.zero_where.as_ref(), self.one_where.as_ref()].into_iter().flatten();
        let decide = decide.chain([&self.always, &self.usual, &self.single]);
        decide.filter_map(move |values| values.get(label)).flatten()
    }

    /// A metric of which nothing is known: any series, on some clusters.
    pub(super) fn unknown(labels: impl Iterator<Item = String>) -> Self {
        let any = |label: String| (label, LabelKind::Any(AnyText::Any));
        let labels: BTreeMap<String, LabelKind> = labels.map(any).collect();
        let mut per: Vec<String> = labels.keys().cloned().collect();
        per.push("instance".into());
        Self {
            about: String::new(),
            from: String::new(),
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
        }
    }
}
