//! The series of a metric that one cluster can have.

use std::sync::Arc;

use crate::promql::{Labels, Point};

use super::dictionary::{CountKind, LabelValues, Metric, SeriesCount, ValueKind, Values};
use super::kinds::{Kinds, SeriesKind, SeriesLabels};
use super::rarity::Rarity;

/// A series.
#[derive(Debug)]
pub(super) struct Series {
    metric: String,
    labels: SeriesLabels,
    history: History,
    value: f64,
    pub(super) stored: (Labels, Vec<Point>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum History {
    Steady,
    /// The series had another value half an hour ago.
    Was(f64),
    /// The series ended half an hour ago.
    Ended,
    /// The series began when another one ended.
    Began,
}

/// The series that one cluster has of some metrics.
#[derive(Clone, Debug)]
pub(super) struct Population {
    pub(super) series: Vec<Arc<Series>>,
    /// The metrics that the cluster does not have.
    pub(super) lacking: Vec<String>,
    pub(super) rarity: Rarity,
}

/// The labels that tell the pods of an exporter apart.
const POD: [&str; 2] = ["pod", "instance"];

/// The length of series in minutes. They have one sample each minute.
const LENGTH: usize = 121;
const SINCE: usize = 30;

/// A minute in milliseconds.
const MINUTE: i64 = 60_000;
const CHANGED: i64 = 30 * MINUTE;

impl Series {
    pub(super) fn new(
        metric: &str,
        labels: SeriesLabels,
        value: f64,
        history: History,
        now: i64,
    ) -> Self {
        let pairs = labels.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let stored = Labels::new(pairs.chain([("__name__", metric)]));
        let (before, ended) = (now - CHANGED, now - CHANGED + MINUTE);
        let points = match history {
            History::Steady | History::Began => vec![Point { time: now, value }],
            History::Was(old) => {
                vec![Point { time: before, value: old }, Point { time: now, value }]
            }
            History::Ended => vec![Point { time: before, value }, Point::stale(ended)],
        };
        Self { metric: metric.to_owned(), labels, history, value, stored: (stored, points) }
    }

    fn is_there_now(&self) -> bool {
        self.history != History::Ended
    }

    pub(super) fn metric(&self) -> &str {
        &self.metric
    }

    pub(super) fn has(&self, metric: &str, label: &str, value: &str) -> bool {
        self.metric == metric && self.labels.get(label).is_some_and(|known| known == value)
    }

    /// The name and the labels, as a query writes them.
    pub(super) fn name(&self) -> String {
        let labels =
            self.labels.iter().map(|(name, value)| format!("{name}={}", crate::go::quoted(value)));
        let labels = labels.collect::<Vec<_>>().join(",");
        if labels.is_empty() { self.metric.clone() } else { format!("{}{{{labels}}}", self.metric) }
    }

    /// The series as a line of a `.series` file.
    pub(super) fn line(&self) -> String {
        let value = crate::promql::in_decimal(self.value);
        let values = match self.history {
            History::Steady => value,
            History::Was(old) => {
                let old = crate::promql::in_decimal(old);
                format!("{old}x{} {value}x{}", LENGTH - SINCE - 1, SINCE - 1)
            }
            History::Ended => format!("{value}x{} stale _x{}", LENGTH - SINCE - 1, SINCE - 1),
            History::Began => format!("_x{} {value}x{}", LENGTH - SINCE, SINCE - 1),
        };
        format!("{} {values}", self.name())
    }
}

/// The values to try for a kind of series, the most usual first.
fn values(metric: &Metric, kind: &SeriesKind, constants: &[f64]) -> Vec<(f64, Rarity)> {
    let labels = kind.examples.first();
    let label =
        |name: &str| labels.and_then(|labels| labels.get(name)).cloned().unwrap_or_default();
    if let Some(value) = metric.fixed_value(label) {
        return vec![(value, Rarity::Common)];
    }
    let around = || {
        let above = constants.iter().filter(|c| **c > 1.0);
        above.flat_map(|c| [*c, c + 1.0])
    };
    let mut values: Vec<f64> = match &metric.values {
        Values::These(values) => values.clone(),
        Values::Kind(ValueKind::One) => vec![1.0],
        Values::Kind(ValueKind::Flag) => vec![1.0, 0.0],
        Values::Kind(ValueKind::Time) => vec![1.79e9, 1.78e9],
        Values::Kind(ValueKind::Count) => [1.0, 0.0, 2.0].into_iter().chain(around()).collect(),
        Values::Kind(ValueKind::Number) => {
            [1.0, 0.0, 2.0, -1.0].into_iter().chain(around()).collect()
        }
    };
    values.truncate(if kind.sight.values { 9 } else { 1 });
    let rare = metric.also.iter().filter(|_| kind.sight.values);
    let values = values.into_iter().map(|value| (value, Rarity::Common));
    values.chain(rare.map(|value| (*value, Rarity::Rare))).collect()
}

/// The populations of one kind that have at least one series.
fn options(
    name: &str,
    metric: &Metric,
    kind: &SeriesKind,
    constants: &[f64],
    now: i64,
) -> Vec<Population> {
    let values: Vec<(f64, Rarity)> = values(metric, kind, constants)
        .into_iter()
        .map(|(value, rarity)| (value, rarity.max(kind.rarity)))
        .collect();
    let series = |example: usize, value: f64, history: History| {
        let labels = kind.examples.get(example).cloned().unwrap_or_default();
        Arc::new(Series::new(name, labels, value, history, now))
    };
    let mut options = Vec::new();
    for (value, rarity) in &values {
        options.push(population(vec![series(0, *value, History::Steady)], *rarity));
    }
    if kind.examples.len() > 1 {
        options.push(population(vec![series(1, values[0].0, History::Steady)], kind.rarity));
    }
    if kind.is_seen_twice {
        options.push(population(vec![series(0, values[0].0, History::Ended)], Rarity::Rare));
    }
    if kind.sight.values && kind.sight.window > 0.0 {
        for (old, new) in values.iter().zip(values.iter().skip(1)) {
            for (old, new) in [(old.0, new.0), (new.0, old.0)] {
                options.push(population(vec![series(0, new, History::Was(old))], Rarity::Rare));
            }
        }
    }
    if kind.sight.window > 0.0
        && !metric.outlives_pods()
        && (kind.sight.values || POD.iter().any(|l| kind.sight.labels.shows(l)))
    {
        // A range also sees the series of a pod that was replaced.
        for (old, new) in values.iter().zip(values.iter().cycle().skip(1)) {
            let with_pod = |pod: &str, value, history| {
                let mut labels = kind.examples.first().cloned().unwrap_or_default();
                for label in POD {
                    labels.insert(label.into(), pod.into());
                }
                Arc::new(Series::new(name, labels, value, history, now))
            };
            let both = vec![
                with_pod("old", old.0, History::Ended),
                with_pod("new", new.0, History::Began),
            ];
            options.push(population(both, Rarity::Passing));
        }
    }
    if kind.examples.len() > 1 {
        for (one, rarity) in &values {
            for (other, other_rarity) in &values {
                let both =
                    vec![series(0, *one, History::Steady), series(1, *other, History::Steady)];
                options.push(population(both, kind.twice.max(*rarity).max(*other_rarity)));
            }
        }
    }
    options
}

fn population(series: Vec<Arc<Series>>, rarity: Rarity) -> Population {
    Population { series, lacking: Vec::new(), rarity }
}

/// All populations of a metric, the most usual first. None if there are too many.
pub(super) fn populations(
    name: &str,
    metric: &Metric,
    kinds: &Kinds,
    constants: &[f64],
    now: i64,
    most: usize,
) -> Option<Vec<Population>> {
    let limit = match metric.series {
        SeriesCount::Exactly(count) => count,
        SeriesCount::Kind(CountKind::One) => 1,
        SeriesCount::Kind(_) => usize::MAX,
    };
    let mut all = vec![population(Vec::new(), Rarity::Common)];
    for kind in &kinds.seen {
        let mut options = options(name, metric, kind, constants, now);
        // Of equally rare populations, the first counts as the most usual. If clusters have only
        // one series, the usual cluster has one of the first kind, so "none" comes last.
        let at = if limit == 1 { options.len() } else { 0 };
        options.insert(at, population(Vec::new(), Rarity::Common));
        if all.len() * options.len() > most * 8 {
            return None;
        }
        let pairs =
            all.iter().flat_map(|known| options.iter().map(move |option| joined(known, option)));
        all = pairs
            .filter(|both| {
                count_now(&both.series) <= limit
                    && has_single(&both.series, &metric.single)
                    && are_apart(&both.series, &metric.per)
            })
            .collect();
    }
    all.retain(|population| is_complete(population, metric, kinds, limit));
    for population in &mut all {
        if lacks_usual(population, metric) {
            population.rarity = population.rarity.max(Rarity::Rare);
        }
        complete(population, name, metric, kinds, now);
    }
    all.sort_by_key(|population| population.rarity);
    (all.len() <= most).then_some(all)
}

pub(super) fn joined(one: &Population, other: &Population) -> Population {
    Population {
        series: one.series.iter().chain(&other.series).cloned().collect(),
        lacking: one.lacking.iter().chain(&other.lacking).cloned().collect(),
        rarity: one.rarity.max(other.rarity),
    }
}

fn count_now(series: &[Arc<Series>]) -> usize {
    series.iter().filter(|series| series.is_there_now()).count()
}

/// Whether the series differ in the labels that must tell them apart.
fn are_apart(series: &[Arc<Series>], per: &[String]) -> bool {
    let now: Vec<&Arc<Series>> = series.iter().filter(|series| series.is_there_now()).collect();
    let differ = |one: &Series, other: &Series| {
        per.iter().any(|label| one.labels.get(label) != other.labels.get(label))
    };
    let pairs = now.iter().enumerate();
    let mut pairs = pairs.flat_map(|(at, one)| now[at + 1..].iter().map(move |other| (one, other)));
    per.is_empty() || pairs.all(|(one, other)| differ(one, other))
}

/// Whether there is at most one series of each label value that allows only one.
fn has_single(series: &[Arc<Series>], single: &LabelValues) -> bool {
    single
        .iter()
        .all(|(label, values)| values.iter().all(|value| count_now_with(series, label, value) <= 1))
}

fn count_now_with(series: &[Arc<Series>], label: &str, value: &String) -> usize {
    let has = |series: &&Arc<Series>| series.labels.get(label) == Some(value);
    series.iter().filter(|series| series.is_there_now()).filter(has).count()
}

/// Whether a series is missing that most clusters have.
fn lacks_usual(population: &Population, metric: &Metric) -> bool {
    let has = |label: &String, value: &String| {
        population.series.iter().any(|series| series.labels.get(label) == Some(value))
    };
    metric.usual.iter().any(|(label, values)| values.iter().any(|value| !has(label, value)))
}

/// Adds series that no selector selects, if the metric always has some. A witness must be a cluster
/// that can exist.
fn complete(population: &mut Population, name: &str, metric: &Metric, kinds: &Kinds, now: i64) {
    let add = |population: &mut Population, labels: &SeriesLabels| {
        let label = |name: &str| labels.get(name).cloned().unwrap_or_default();
        let value = metric.fixed_value(label).unwrap_or_else(|| usual_value(metric));
        let series = Series::new(name, labels.clone(), value, History::Steady, now);
        population.series.push(Arc::new(series));
    };
    for (label, value) in
        metric.always.iter().flat_map(|(l, values)| values.iter().map(move |v| (l, v)))
    {
        let has = |labels: &SeriesLabels| labels.get(label) == Some(value);
        if population.series.iter().any(|series| series.is_there_now() && has(&series.labels)) {
            continue;
        }
        if let Some(labels) = kinds.unseen.iter().find(|labels| has(labels)) {
            add(population, labels);
        }
    }
    let is_any = matches!(metric.series, SeriesCount::Kind(CountKind::Any));
    if !is_any && !population.series.iter().any(|series| series.is_there_now()) {
        let apart = |labels: &&SeriesLabels| population.series.iter().all(|s| s.labels != **labels);
        if let Some(labels) = kinds.unseen.iter().find(apart) {
            add(population, labels);
        }
    }
}

fn usual_value(metric: &Metric) -> f64 {
    match &metric.values {
        Values::These(values) => values.first().copied().unwrap_or(1.0),
        Values::Kind(ValueKind::Time) => 1.79e9,
        Values::Kind(_) => 1.0,
    }
}

/// Whether a cluster can have these series if no selector selects its other series.
fn is_complete(population: &Population, metric: &Metric, kinds: &Kinds, limit: usize) -> bool {
    let now = || population.series.iter().filter(|series| series.is_there_now());
    let least = match metric.series {
        SeriesCount::Kind(CountKind::Any) => 0,
        SeriesCount::Kind(_) => 1,
        SeriesCount::Exactly(_) => limit,
    };
    let is_met = |label: &String, value: &String| {
        let has = |labels: &SeriesLabels| labels.get(label) == Some(value);
        now().any(|series| has(&series.labels)) || kinds.unseen.iter().any(has)
    };
    (now().count() >= least || !kinds.unseen.is_empty())
        && metric
            .always
            .iter()
            .all(|(label, values)| values.iter().all(|value| is_met(label, value)))
}
