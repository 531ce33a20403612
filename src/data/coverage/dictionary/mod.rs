//! What clusters can answer: `clusters/metrics.toml`, and what a repository adds to it.

mod against;
mod example;
mod metric;
mod narrowed;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::domain::Minor;
use crate::text::{Failure, sha256};

pub(crate) use against::{Discrepancy, discrepancies};
pub(crate) use metric::Metric;
pub(super) use metric::{CountKind, LabelKind, LabelValues, SeriesCount, ValueKind, Values};
use metric::{Exporter, POD, Without};

/// What is known about metrics.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dictionary {
    /// The labels that the scrape can add to series.
    scrape: Vec<String>,
    /// The label that tells hosted clusters apart.
    hosted: String,
    /// The exporters whose series continue when their pod is replaced.
    outlives_pods: Vec<String>,
    /// The exporters whose metrics can have more labels than the dictionary lists.
    open: Vec<String>,
    /// For each metrics collection profile, the minor version of OpenShift that introduced it.
    profiles: BTreeMap<String, String>,
    /// For each capability, the minor version of OpenShift that introduced it.
    capabilities: BTreeMap<String, String>,
    metrics: BTreeMap<String, Metric>,
    /// The names of the metrics that a repository adds or overrides.
    #[serde(skip)]
    added: BTreeSet<String>,
}

/// The text of the dictionary that is built into exitpath.
const BUILT_IN: &str = include_str!("../../../../clusters/metrics.toml");

const ALWAYS: &str = "always";

/// The exporter, in the dictionary, of metrics that rules record and no scrape collects.
const RULE: &str = "recording rule";

/// The metric that says which capabilities a cluster has, and the label with their names.
pub(super) const CAPABILITIES: (&str, &str) = ("cluster_version_capability", "name");

/// Why a cluster does not have a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absence<'d> {
    /// What the metric measures is not installed.
    NotInstalled,
    /// What the metric measures exists, but Prometheus does not collect it.
    NotScraped,
    /// A capability is off. Older minor versions do not have the capability, and always have the
    /// metric.
    Capability { name: &'d str, since: Option<Minor> },
}

impl Dictionary {
    /// The dictionary that is built into exitpath.
    pub(crate) fn built_in() -> &'static Self {
        static DICTIONARY: LazyLock<Dictionary> =
            LazyLock::new(|| Dictionary::read(BUILT_IN).unwrap_or_default());
        &DICTIONARY
    }

    /// The SHA-256 of the dictionary that is built into exitpath.
    pub(crate) fn built_in_digest() -> String {
        sha256(BUILT_IN)
    }

    /// Reads a dictionary. The error says what is wrong with the text.
    fn read(text: &str) -> Result<Self, Failure> {
        let mut read: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let unknown = read.metrics.iter().find(|(_, metric)| metric.source().is_none());
        if let Some((name, _)) = unknown {
            return Err(Failure::new(format!("metrics.{name} has no `source`")));
        }
        read.know_exporters();
        Ok(read)
    }

    /// The dictionary with metrics that a repository adds or overrides.
    pub(crate) fn with(&self, additions: &BTreeMap<String, Metric>) -> Self {
        let mut dictionary = self.clone();
        dictionary.metrics.extend(additions.clone());
        dictionary.added.extend(additions.keys().cloned());
        dictionary.know_exporters();
        dictionary
    }

    fn know_exporters(&mut self) {
        let Self { outlives_pods, open, metrics, .. } = self;
        for metric in metrics.values_mut() {
            let is_of = |exporters: &[String]| exporters.iter().any(|name| name == metric.from());
            let (outlives_pods, is_open) = (is_of(outlives_pods), is_of(open));
            metric.exporter = Exporter { outlives_pods, is_open };
        }
    }

    pub(crate) fn metric(&self, name: &str) -> Option<&Metric> {
        self.metrics.get(name)
    }

    /// Why a cluster may not have a metric. None if each cluster has it, or if it is unknown.
    pub(crate) fn absence(&self, name: &str) -> Option<Absence<'_>> {
        let metric = self.metrics.get(name).filter(|metric| !metric.is_always_present())?;
        Some(match &metric.capability {
            Some(name) => {
                let since = self.capabilities.get(name).and_then(|since| Minor::parse(since));
                Absence::Capability { name, since }
            }
            None if metric.needs_profile() => Absence::NotScraped,
            None => Absence::NotInstalled,
        })
    }

    /// The names of the metrics that a repository adds or overrides.
    pub(crate) fn added(&self) -> &BTreeSet<String> {
        &self.added
    }

    /// The names of all metrics.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.metrics.keys().map(String::as_str)
    }

    /// The names of all capabilities.
    pub(crate) fn capabilities(&self) -> impl Iterator<Item = &str> {
        self.capabilities.keys().map(String::as_str)
    }

    /// All metrics by their names.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = (&str, &Metric)> {
        self.metrics.iter().map(|(name, metric)| (name.as_str(), metric))
    }

    /// The values that a label of a metric can have. None if the metric has no such label.
    pub(super) fn values_of<'d>(
        &'d self,
        metric: &'d Metric,
        label: &str,
    ) -> Option<&'d LabelKind> {
        let can_have_more = metric.is_open() && label != self.hosted && !drops(metric, label);
        let can_have = can_have_more || self.is_of_scrape(metric, label);
        metric.own(label).or_else(|| can_have.then_some(LabelKind::ANY))
    }

    /// A dictionary of these metrics only, in which each scraped series has one of the scrape's
    /// labels.
    pub(super) fn with_job<'m>(&self, names: impl Iterator<Item = &'m str>) -> Self {
        const JOB: &str = "job";
        let names: BTreeSet<&str> = names.collect();
        let some = self.metrics.iter().filter(|(name, _)| names.contains(name.as_str()));
        let some = some.map(|(name, metric)| {
            let mut metric = metric.clone();
            if metric.from() != RULE && metric.own(JOB).is_none() && self.is_of_scrape(&metric, JOB)
            {
                metric.labels.insert(JOB.to_owned(), LabelKind::These(vec!["example".to_owned()]));
            }
            (name.clone(), metric)
        });
        Self { metrics: some.collect(), ..self.without_metrics() }
    }

    fn without_metrics(&self) -> Self {
        Self {
            scrape: self.scrape.clone(),
            hosted: self.hosted.clone(),
            outlives_pods: self.outlives_pods.clone(),
            open: self.open.clone(),
            profiles: self.profiles.clone(),
            capabilities: self.capabilities.clone(),
            metrics: BTreeMap::new(),
            added: self.added.clone(),
        }
    }

    /// The labels that the scrape adds.
    pub(super) fn scrape_labels(&self) -> impl Iterator<Item = &str> {
        self.scrape.iter().map(String::as_str)
    }

    /// Whether the scrape can add a label to the series of a metric.
    pub(crate) fn is_of_scrape(&self, metric: &Metric, label: &str) -> bool {
        !drops(metric, label) && self.scrape.iter().any(|known| known == label)
    }

    /// Whether the dictionary lists a label for a metric.
    pub(crate) fn lists_label(&self, metric: &Metric, label: &str) -> bool {
        metric.own(label).is_some() || label == self.hosted || self.is_of_scrape(metric, label)
    }
}

/// Whether the scrape drops a label of the exporter's pod.
fn drops(metric: &Metric, label: &str) -> bool {
    metric.exporter.outlives_pods && POD.contains(&label)
}
