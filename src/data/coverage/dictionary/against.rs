//! Where series of real clusters contradict the dictionary.

#![allow(clippy::float_cmp, reason = "the values are exact")]

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::Minor;
use crate::go::quoted;
use crate::promql::{Labels, in_decimal};
use crate::text::words::listed;

use super::Dictionary;
use super::metric::{CountKind, LabelKind, Metric, SeriesCount, ValueKind, Values};

/// A contradiction between a cluster and the dictionary.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Discrepancy {
    pub(crate) metric: String,
    /// The kind of contradiction, as a name for programs.
    pub(crate) kind: &'static str,
    /// The label that the contradiction is about.
    pub(crate) label: Option<String>,
    /// What is different, as words after the name of the metric.
    pub(crate) words: String,
    /// A series that shows the contradiction.
    pub(crate) series: Option<String>,
}

/// A series at one moment.
pub(crate) type SeriesSample = (Labels, f64);

const NAME: &str = "__name__";

/// Compares the series of clusters with the dictionary. Each hosted cluster counts as a cluster of
/// its own.
pub(crate) fn discrepancies(dictionary: &Dictionary, samples: &[SeriesSample]) -> Vec<Discrepancy> {
    let mut clusters: BTreeMap<&str, Vec<&SeriesSample>> = BTreeMap::new();
    for sample in samples {
        clusters.entry(sample.0.get(&dictionary.hosted)).or_default().push(sample);
    }
    clusters.entry("").or_default();
    let has_own_version =
        clusters.iter().any(|(id, samples)| id.is_empty() && version(samples).is_some());
    let mut found = BTreeMap::new();
    for (id, samples) in &clusters {
        // The series of a management cluster besides those of its hosted clusters need not be
        // complete.
        let is_whole = version(samples).is_some() || id.is_empty() && !has_own_version;
        let minors = version(samples).into_iter().collect();
        let dictionary = dictionary.on(&minors);
        let off = capabilities_off(samples);
        let mut series: BTreeMap<&str, Vec<&SeriesSample>> = BTreeMap::new();
        for sample in samples {
            series.entry(sample.0.get(NAME)).or_default().push(sample);
        }
        for (name, metric) in dictionary.metrics() {
            let of_it = series.get(name).map_or(&[][..], Vec::as_slice);
            let is_off = metric.capability.as_ref().is_some_and(|name| off.contains(name.as_str()));
            let mut look = Look { dictionary: &dictionary, name, metric, found: &mut found };
            look.at(of_it, is_off, is_whole);
        }
    }
    found.into_values().map(FoundDiscrepancy::told).collect()
}

/// The minor version of a cluster.
fn version(samples: &[&SeriesSample]) -> Option<Minor> {
    let current = samples.iter().find(|(labels, _)| {
        labels.get(NAME) == "cluster_version" && labels.get("type") == "current"
    });
    let version = current?.0.get("version");
    let mut parts = version.split('.');
    Minor::parse(&format!("{}.{}", parts.next()?, parts.next()?))
}

fn capabilities_off<'s>(samples: &[&'s SeriesSample]) -> BTreeSet<&'s str> {
    let off = samples.iter().filter(|(labels, value)| {
        labels.get(NAME) == "cluster_version_capability" && *value == 0.0
    });
    off.map(|(labels, _)| labels.get("name")).collect()
}

/// A contradiction, and the number of series that show it.
struct FoundDiscrepancy {
    one: Discrepancy,
    count: usize,
}

impl FoundDiscrepancy {
    fn told(self) -> Discrepancy {
        let Self { mut one, count } = self;
        if count > 1 {
            one.words = format!("{} (in {count} series)", one.words);
        }
        one
    }
}

/// One metric, and what was found about it so far.
struct Look<'l> {
    dictionary: &'l Dictionary,
    name: &'l str,
    metric: &'l Metric,
    found: &'l mut BTreeMap<(String, String), FoundDiscrepancy>,
}

impl Look<'_> {
    fn at(&mut self, series: &[&SeriesSample], is_off: bool, is_whole: bool) {
        let Some(first) = series.first() else {
            let is_missing = self.metric.is_always_present()
                && !self.metric.is_absent()
                && self.metric.since.is_none()
                && self.metric.until.is_none();
            if is_whole && is_missing && !is_off {
                let words = "has no series, and the dictionary says that every cluster has it";
                self.report("missing-metric", None, words.into(), None);
            }
            return;
        };
        if self.metric.is_absent() || is_off {
            let why =
                if is_off { "the capability is off" } else { "this version does not have it" };
            let words = format!("has series, and the dictionary says that {why}");
            self.report("unexpected-metric", None, words, Some(first));
        }
        for sample in series {
            self.look_at_labels(sample);
            self.look_at_value(sample);
        }
        self.look_at_count(series);
    }

    fn look_at_labels(&mut self, sample: &SeriesSample) {
        let (labels, _) = sample;
        for (label, value) in labels.iter().filter(|(label, _)| *label != NAME) {
            match self.metric.own(label) {
                Some(LabelKind::These(known)) if !known.iter().any(|known| known == value) => {
                    let words =
                        format!("has {label}={}, and the dictionary does not", quoted(value));
                    self.report("unknown-value", Some(label), words, Some(sample));
                }
                Some(_) => {}
                None if self.dictionary.values_of(self.metric, label).is_some()
                    || label == self.dictionary.hosted => {}
                None => {
                    let words = format!("has the label `{label}`, and the dictionary does not");
                    self.report("unknown-label", Some(label), words, Some(sample));
                }
            }
        }
        let metric = self.metric;
        let needed = metric.own_labels().filter(|label| !label.ends_with('*'));
        for label in needed.filter(|label| !metric.is_optional(label)) {
            if labels.get(label).is_empty() {
                let words = format!("lacks the label `{label}`");
                self.report("missing-label", Some(label), words, Some(sample));
            }
        }
    }

    fn look_at_value(&mut self, sample: &SeriesSample) {
        let (labels, value) = sample;
        let is_count = *value >= 0.0 && value.fract() == 0.0;
        let is_allowed = match &self.metric.values {
            Values::These(values) => values.contains(value),
            Values::Kind(ValueKind::One) => *value == 1.0,
            Values::Kind(ValueKind::Flag) => *value == 0.0 || *value == 1.0,
            Values::Kind(ValueKind::Time | ValueKind::Count) => is_count,
            Values::Kind(ValueKind::Number) => true,
        };
        if !is_allowed && !self.metric.also.contains(value) {
            let words = format!("has the value {}", in_decimal(*value));
            self.report("unknown-number", None, words, Some(sample));
        }
        let fixed = self.metric.fixed_value(|label| labels.get(label).to_owned());
        if let Some(fixed) = fixed.filter(|fixed| fixed != value) {
            let (is, said) = (in_decimal(*value), in_decimal(fixed));
            let words = format!("is {is}, and the dictionary says {said} with these labels");
            self.report("unknown-number", None, words, Some(sample));
        }
    }

    fn look_at_count(&mut self, series: &[&SeriesSample]) {
        let metric = self.metric;
        let count = series.len();
        let most = match metric.series {
            SeriesCount::Exactly(count) => Some(count),
            SeriesCount::Kind(CountKind::One) => Some(1),
            SeriesCount::Kind(CountKind::Some | CountKind::Any) => None,
        };
        if let Some(most) = most.filter(|most| *most != count) {
            let words = format!("has {count} series of one cluster, and not {most}");
            self.report("count", None, words, series.first().copied());
        }
        // Series of an open metric can differ in labels that are not listed.
        if !metric.is_open() && metric.own_labels().all(|label| label != "*") {
            let mut seen: BTreeMap<Vec<&str>, &SeriesSample> = BTreeMap::new();
            for sample in series {
                let key = metric.per.iter().map(|label| sample.0.get(label)).collect();
                if seen.insert(key, sample).is_some() && count > 1 && most.is_none() {
                    let labels: Vec<String> =
                        metric.per.iter().map(|label| format!("`{label}`")).collect();
                    let words =
                        format!("has several series that agree in {}", listed(&labels, "and"));
                    self.report("count", None, words, Some(sample));
                }
            }
        }
        for (label, value) in pairs(&metric.single) {
            let mut with = series.iter().filter(|(labels, _)| labels.get(label) == value);
            if with.clone().count() > 1 {
                let words = format!("has several series with {label}={}", quoted(value));
                self.report("count", Some(label), words, with.next_back().copied());
            }
        }
        // Hosted clusters do not have some of these, for example control plane nodes.
        let is_hosted =
            series.iter().any(|(labels, _)| !labels.get(&self.dictionary.hosted).is_empty());
        let is_demanded = !is_hosted || metric.is_demanded_when_hosted();
        for (label, value) in pairs(&metric.always).filter(|_| is_demanded) {
            if !series.iter().any(|(labels, _)| labels.get(label) == value) {
                let words = format!(
                    "has no series with {label}={}, and the dictionary says that it always has",
                    quoted(value)
                );
                self.report("missing-series", Some(label), words, None);
            }
        }
    }

    fn report(
        &mut self,
        kind: &'static str,
        label: Option<&str>,
        words: String,
        sample: Option<&SeriesSample>,
    ) {
        let key = (self.name.to_owned(), words.clone());
        let one = || Discrepancy {
            metric: self.name.to_owned(),
            kind,
            label: label.map(str::to_owned),
            words,
            series: sample.map(|(labels, _)| written(self.name, labels)),
        };
        let found = self.found.entry(key);
        found.or_insert_with(|| FoundDiscrepancy { one: one(), count: 0 }).count += 1;
    }
}

/// The name and the labels of a series, as a query writes them.
fn written(name: &str, labels: &Labels) -> String {
    let own = labels.iter().filter(|(label, _)| *label != NAME);
    let own: Vec<String> = own.map(|(label, value)| format!("{label}={}", quoted(value))).collect();
    if own.is_empty() { name.to_owned() } else { format!("{name}{{{}}}", own.join(",")) }
}

fn pairs(values: &super::LabelValues) -> impl Iterator<Item = (&str, &String)> {
    values.iter().flat_map(|(label, values)| values.iter().map(move |value| (&**label, value)))
}
