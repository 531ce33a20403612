//! The sample clusters are what `clusters/metrics.toml` says that clusters are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use exitpath::testing::domain::Named;
use exitpath::testing::metrics::{FIXED_TIME, SampleCluster, Series};
use promql::{Dialect, Labels, Settings, Value, evaluate, parse};

use crate::data::dictionary::{Dictionary, facts};

/// A sample, and the start of the metrics that it lacks although clusters always have them: its
/// kube-state-metrics cannot be scraped.
const LACKING: (&str, &str) = ("disconnected", "kube_");

/// The series at the moment of the query.
fn now(series: &Series) -> Vec<(Labels, f64)> {
    let query = parse("{__name__=~\".+\"}").unwrap();
    match evaluate(&query, &series.store, &Settings::at(FIXED_TIME, Dialect::Three)).unwrap() {
        Value::Vector(samples) => samples,
        other => panic!("{other:?}"),
    }
}

/// The samples have the series that queries ask for most. No sample has the others.
fn has_some_sample(name: &str) -> bool {
    static NAMES: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let all = SampleCluster::ALL.iter().map(|sample| sample.series(None).store);
        all.flat_map(|store| {
            let names = store.iter().map(|(labels, _)| labels.get("__name__").to_owned());
            names.collect::<Vec<_>>()
        })
        .collect()
    });
    NAMES.contains(name)
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
        assert!(facts.minor.is_some(), "{}: no current version", sample.name());
        for (name, metric) in dictionary.metrics.iter().filter(|(name, _)| has_some_sample(name)) {
            let set: Vec<&Labels> = samples
                .iter()
                .map(|(labels, _)| labels)
                .filter(|labels| labels.get("__name__") == name)
                .collect();
            if sample.name() == LACKING.0 && name.starts_with(LACKING.1) {
                faults.extend(set.first().map(|first| format!("there is {first} after all")));
                continue;
            }
            let mut wrong = metric.wrong_set(&set, &facts);
            // The nodes of a hosted control plane are elsewhere.
            wrong.retain(|wrong| id.is_empty() || !wrong.contains("role=\"master\""));
            faults
                .extend(wrong.iter().map(|wrong| format!("{name} of the cluster {id:?}: {wrong}")));
        }
    }
    faults
}

#[test]
fn sample_clusters_are_what_the_dictionary_says() {
    let dictionary = Dictionary::read();
    for (name, metric) in &dictionary.metrics {
        assert!(!metric.about.is_empty() && !metric.from.is_empty(), "{name} has no words");
        assert!(metric.source.as_ref().is_some_and(|source| source.contains('/')), "{name}");
        let of_list = metric.optional.iter().chain(&metric.per).chain(metric.always.keys());
        let of_list = of_list.chain(metric.single.keys()).chain(metric.usual.keys());
        let without = metric.without.as_deref();
        assert_eq!(metric.present == "always", without.is_none(), "metrics.{name}");
        assert!(without.is_none_or(|how| ["common", "rare"].contains(&how)), "metrics.{name}");
        for label in of_list {
            let is_known =
                metric.own(label).is_some() || dictionary.scrape_of(metric).any(|l| l == label);
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
