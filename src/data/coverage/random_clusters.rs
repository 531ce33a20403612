//! Random clusters that the dictionary allows, with all labels that a scrape adds.
//!
//! They share only the dictionary with the prover, so they can contradict it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::metrics::FIXED_TIME;
use crate::promql::{self, CLUSTER_ID, Expr, MatchOp, Query};

use super::classes::store;
use super::dictionary::{
    CAPABILITIES, CountKind, Dictionary, LabelKind, LabelValues, Metric, SeriesCount, ValueKind,
    Values,
};
use super::eras::{Lack, States};
use super::kinds::SeriesLabels;
use super::outcome::{Outcome, settings};
use super::population::{History, Population, Series};
use super::rarity::Rarity;

/// Random clusters for one query.
pub(super) struct RandomClusters<'d> {
    dictionary: &'d Dictionary,
    metrics: Vec<AskedMetric<'d>>,
    conditions: Vec<States>,
    /// The least number of series to make of each metric that can have so many. 0: any number.
    crowd: usize,
    dice: Dice,
}

/// A metric that the query asks for.
struct AskedMetric<'d> {
    name: String,
    metric: &'d Metric,
    /// The index of its condition, and its index among the metrics with that condition.
    place: (usize, usize),
    labels: Vec<LabelPlan>,
}

/// A label that a series of a metric can have.
struct LabelPlan {
    name: String,
    is_optional: bool,
    /// The texts that it can have.
    texts: Vec<String>,
    /// Whether it can also have other texts.
    is_open: bool,
}

/// A random cluster: its series of each metric. None if the cluster does not have the metric.
#[derive(Clone)]
pub(super) struct RandomCluster(Vec<Option<Vec<Drawn>>>);

/// A series that was drawn.
#[derive(Clone)]
struct Drawn {
    labels: SeriesLabels,
    value: f64,
    history: History,
    /// Whether the dictionary demands such a series.
    is_demanded: bool,
}

/// For each condition, the state of its metrics; and whether each capability is off.
struct Switches {
    states: Vec<usize>,
    is_off: BTreeMap<String, bool>,
}

impl<'d> RandomClusters<'d> {
    /// Prepares random clusters. None if a metric is not in the dictionary.
    pub(super) fn of(query: &Query, dictionary: &'d Dictionary) -> Option<Self> {
        let names: BTreeSet<&str> = query.metrics().collect();
        let texts = texts(query);
        let mut metrics: Vec<AskedMetric<'d>> = Vec::new();
        let mut conditions: Vec<States> = Vec::new();
        let mut by_condition: BTreeMap<String, usize> = BTreeMap::new();
        for name in names {
            let metric = dictionary.metric(name)?;
            let next = conditions.len();
            let at = *by_condition.entry(metric.condition_key(name)).or_insert(next);
            if at == next {
                conditions.push(States::new(Lack::of(metric)));
            }
            let member = conditions[at].add(metric);
            let labels = label_plans(metric, dictionary, &texts);
            metrics.push(AskedMetric {
                name: name.to_owned(),
                metric,
                place: (at, member),
                labels,
            });
        }
        conditions.iter_mut().for_each(States::close);
        let dice = Dice(0x9E37_79B9_7F4A_7C15);
        Some(Self { dictionary, metrics, conditions, crowd: 0, dice })
    }

    /// The next cluster, with this many series of each metric.
    pub(super) fn next_crowded(&mut self, crowd: usize) -> RandomCluster {
        self.crowd = crowd;
        let cluster = self.next();
        self.crowd = 0;
        cluster
    }

    /// The next cluster.
    pub(super) fn next(&mut self) -> RandomCluster {
        let switches = self.switches();
        let metrics = (0..self.metrics.len()).map(|at| {
            let (condition, member) = self.metrics[at].place;
            let state = switches.states[condition];
            let is_there = self.conditions[condition].all[state][member];
            is_there.then(|| self.series_of(at, &switches))
        });
        RandomCluster(metrics.collect())
    }

    fn switches(&mut self) -> Switches {
        let mut switches = Switches { states: Vec::new(), is_off: BTreeMap::new() };
        for condition in &self.conditions {
            let count = condition.all.len();
            let state = match &condition.lack {
                Lack::Never | Lack::Possible => self.dice.below(count),
                Lack::WithoutCapability(name) | Lack::OrWithoutCapability(name) => {
                    let coin = self.dice.is_one_in(2);
                    let is_off = *switches.is_off.entry(name.clone()).or_insert(coin);
                    let least = usize::from(matches!(condition.lack, Lack::WithoutCapability(_)));
                    if is_off { 0 } else { least + self.dice.below(count - least) }
                }
            };
            switches.states.push(state);
        }
        switches
    }

    fn series_of(&mut self, at: usize, switches: &Switches) -> Vec<Drawn> {
        let metric = self.metrics[at].metric;
        let mut wanted: Vec<SeriesLabels> =
            pairs(&metric.always).map(|(label, value)| single(label, value)).collect();
        if self.metrics[at].name == CAPABILITIES.0 {
            let off = switches.is_off.iter().filter(|(_, is_off)| **is_off);
            wanted.extend(off.map(|(name, _)| single(CAPABILITIES.1, name)));
        }
        let (least, most) = bounds(metric);
        let count = least + self.dice.below(4.min(most - least + 1));
        let count = count.max(self.crowd.min(most));
        let mut series: Vec<Drawn> = Vec::new();
        for tried in 0..count.max(wanted.len()) + 8 + 3 * self.crowd {
            let demanded = wanted.get(tried);
            if demanded.is_none() && series.len() >= count {
                break;
            }
            let labels = self.labels(at, demanded);
            if series.iter().all(|other| can_be_both(metric, &labels, &other.labels)) {
                let value = self.value(at, &labels, switches);
                let old = self.value(at, &labels, switches);
                let is_steady = old.total_cmp(&value).is_eq() || !self.dice.is_one_in(4);
                let history = if is_steady { History::Steady } else { History::Was(old) };
                let is_demanded = demanded.is_some();
                series.push(Drawn { labels, value, history, is_demanded });
            }
        }
        // Up to two series that ended, which others have replaced.
        for _ in 0..self.dice.below(3) {
            let labels = self.predecessor(at, &series);
            if series.iter().all(|other| other.labels != labels) {
                let value = self.value(at, &labels, switches);
                series.push(Drawn { labels, value, history: History::Ended, is_demanded: false });
            }
        }
        series
    }

    /// The labels of a series that ended. They often differ from those of another series in one
    /// label.
    fn predecessor(&mut self, at: usize, series: &[Drawn]) -> SeriesLabels {
        let new = self.labels(at, None);
        if series.is_empty() || self.dice.is_one_in(3) {
            return new;
        }
        let mut labels = series[self.dice.below(series.len())].labels.clone();
        let names: BTreeSet<&String> = labels.keys().chain(new.keys()).collect();
        let names: Vec<String> = names.into_iter().cloned().collect();
        if let Some(changed) = names.get(self.dice.below(names.len())) {
            match new.get(changed) {
                Some(text) => labels.insert(changed.clone(), text.clone()),
                None => labels.remove(changed),
            };
        }
        labels
    }

    /// The populations of a cluster.
    pub(super) fn populations(&self, cluster: &RandomCluster) -> Vec<Population> {
        let pairs = self.metrics.iter().zip(&cluster.0);
        let populations = pairs.map(|(asked, series)| {
            let lacking = if series.is_none() { vec![asked.name.clone()] } else { Vec::new() };
            let series = series.iter().flatten().map(|one| {
                let (labels, value) = (one.labels.clone(), one.value);
                Arc::new(Series::new(&asked.name, labels, value, one.history, FIXED_TIME))
            });
            Population { series: series.collect(), lacking, rarity: Rarity::Rare }
        });
        populations.collect()
    }

    /// The outcome of a query on a cluster.
    pub(super) fn outcome(&self, query: &Query, cluster: &RandomCluster) -> Option<Outcome> {
        let store = store(self.populations(cluster).iter());
        Outcome::of(&promql::evaluate(query, &store, &settings()))
    }

    /// A cluster with the same outcome, and as few series, labels, and changes as possible.
    pub(super) fn simplest(
        &self,
        mut cluster: RandomCluster,
        query: &Query,
        wanted: &Outcome,
    ) -> RandomCluster {
        let is_like = |cluster: &RandomCluster| {
            self.outcome(query, cluster).is_some_and(|outcome| outcome.is_like(wanted))
        };
        for at in 0..cluster.0.len() {
            let metric = self.metrics[at].metric;
            for nth in (0..cluster.0[at].as_ref().map_or(0, Vec::len)).rev() {
                let mut accept = |change: &dyn Fn(&mut Vec<Drawn>)| {
                    let mut changed = cluster.clone();
                    changed.0[at].iter_mut().for_each(change);
                    let is_allowed = changed.0[at].iter().all(|series| is_allowed(metric, series));
                    let is_accepted = is_allowed && is_like(&changed);
                    if is_accepted {
                        cluster = changed;
                    }
                    is_accepted
                };
                if accept(&|series| drop(series.remove(nth))) {
                    continue;
                }
                accept(&|series| {
                    if let History::Was(_) = series[nth].history {
                        series[nth].history = History::Steady;
                    }
                });
                for label in self.dictionary.scrape_labels() {
                    accept(&|series| drop(series[nth].labels.remove(label)));
                }
                for label in metric.own_labels().filter(|label| metric.is_optional(label)) {
                    accept(&|series| drop(series[nth].labels.remove(label)));
                }
            }
        }
        cluster
    }

    fn labels(&mut self, at: usize, demanded: Option<&SeriesLabels>) -> SeriesLabels {
        let mut labels = SeriesLabels::new();
        for plan in &self.metrics[at].labels {
            if plan.is_optional && self.dice.is_one_in(4) {
                continue;
            }
            let known = self.dice.below(plan.texts.len() + if plan.is_open { 2 } else { 0 });
            let text = plan.texts.get(known).filter(|text| !plan.is_open || !text.is_empty());
            let (text, crowd) = (text.cloned(), 8 * self.crowd);
            let text = match text {
                // Many series need many texts, including texts that match a pattern.
                Some(text) if plan.is_open && crowd > 0 && self.dice.is_one_in(2) => {
                    format!("{text}-{}", self.dice.below(crowd))
                }
                Some(text) => text,
                None => format!("{}-{}", plan.name, self.dice.below(3 + crowd)),
            };
            labels.insert(plan.name.clone(), text);
        }
        labels.extend(demanded.into_iter().flatten().map(|(l, v)| (l.clone(), v.clone())));
        labels.retain(|_, text| !text.is_empty());
        labels
    }

    fn value(&mut self, at: usize, labels: &SeriesLabels, switches: &Switches) -> f64 {
        let AskedMetric { name, metric, .. } = &self.metrics[at];
        let text = |label: &str| labels.get(label).cloned().unwrap_or_default();
        if name == CAPABILITIES.0
            && let Some(is_off) = switches.is_off.get(&text(CAPABILITIES.1))
        {
            return if *is_off { 0.0 } else { 1.0 };
        }
        if let Some(value) = metric.fixed_value(text) {
            return value;
        }
        if !metric.also.is_empty() && self.dice.is_one_in(5) {
            return metric.also[self.dice.below(metric.also.len())];
        }
        let among = |dice: &mut Dice, values: &[f64]| values[dice.below(values.len())];
        match &metric.values {
            Values::These(values) => among(&mut self.dice, values),
            Values::Kind(ValueKind::One) => 1.0,
            Values::Kind(ValueKind::Flag) => among(&mut self.dice, &[0.0, 1.0]),
            Values::Kind(ValueKind::Time) => among(&mut self.dice, &[0.0, 1.6e9, 1.79e9]),
            Values::Kind(ValueKind::Count) => {
                among(&mut self.dice, &[0.0, 1.0, 2.0, 3.0, 7.0, 60.0, 250.0, 1e6])
            }
            Values::Kind(ValueKind::Number) => {
                among(&mut self.dice, &[0.0, 1.0, -1.0, 0.5, 2.0, -7.25, 1e3, 1e12])
            }
        }
    }
}

/// The labels that a series of a metric can have.
fn label_plans(
    metric: &Metric,
    dictionary: &Dictionary,
    texts: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<LabelPlan> {
    let named = texts.keys().map(String::as_str);
    let own = metric.own_labels().filter(|label| !label.ends_with('*'));
    let all: BTreeSet<&str> = named.chain(own).chain(dictionary.scrape_labels()).collect();
    let all = all.into_iter().filter(|label| *label != CLUSTER_ID && *label != "__name__");
    let plans = all.filter_map(|label| {
        let is_optional = metric.own(label).is_none() || metric.is_optional(label);
        let (texts, is_open) = match dictionary.values_of(metric, label)? {
            LabelKind::These(values) => (values.clone(), false),
            LabelKind::Any(_) => {
                let of_query = texts.get(label).into_iter().flatten();
                (metric.deciding_values(label).chain(of_query).cloned().collect(), true)
            }
        };
        Some(LabelPlan { name: label.to_owned(), is_optional, texts, is_open })
    });
    plans.collect()
}

/// The least and the most series that a cluster with the metric has.
fn bounds(metric: &Metric) -> (usize, usize) {
    match metric.series {
        SeriesCount::Exactly(count) => (count, count),
        SeriesCount::Kind(CountKind::One) => (1, 1),
        SeriesCount::Kind(CountKind::Some) => (1, usize::MAX - 1),
        SeriesCount::Kind(CountKind::Any) => (0, usize::MAX - 1),
    }
}

/// Whether a cluster can have these series of a metric.
fn is_allowed(metric: &Metric, series: &[Drawn]) -> bool {
    let now: Vec<&Drawn> = series.iter().filter(|one| one.history != History::Ended).collect();
    let pairs_of = |all: Vec<&Drawn>, is_fine: &dyn Fn(&Drawn, &Drawn) -> bool| {
        all.iter()
            .enumerate()
            .all(|(at, one)| all[at + 1..].iter().all(|other| is_fine(one, other)))
    };
    let has = |(label, value): (&String, &String)| {
        now.iter().any(|one| one.is_demanded && one.labels.get(label) == Some(value))
    };
    now.len() >= bounds(metric).0
        && pairs(&metric.always).all(has)
        && pairs_of(now.clone(), &|one, other| can_be_both(metric, &one.labels, &other.labels))
        && pairs_of(series.iter().collect(), &|one, other| one.labels != other.labels)
}

/// Whether one cluster can have both series at the same time.
fn can_be_both(metric: &Metric, one: &SeriesLabels, other: &SeriesLabels) -> bool {
    let differs = |label: &String| one.get(label) != other.get(label);
    let is_limited = |(label, value): (&String, &String)| {
        let has = |labels: &SeriesLabels| labels.get(label) == Some(value);
        has(one) && has(other)
    };
    metric.per.iter().any(differs) && !pairs(&metric.single).any(is_limited)
}

fn pairs(values: &LabelValues) -> impl Iterator<Item = (&String, &String)> {
    values.iter().flat_map(|(label, values)| values.iter().map(move |value| (label, value)))
}

fn single(label: &str, value: &str) -> SeriesLabels {
    SeriesLabels::from([(label.to_owned(), value.to_owned())])
}

/// The labels that a query names, each with texts that its matchers tell apart.
fn texts(query: &Query) -> BTreeMap<String, BTreeSet<String>> {
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, node) in query.nodes() {
        match &node.expr {
            Expr::Selector(selector) => {
                for matcher in &selector.matchers {
                    let value = &matcher.value.value;
                    let known = texts.entry(matcher.label.value.clone()).or_default();
                    match matcher.op {
                        MatchOp::Equal | MatchOp::NotEqual => known.extend([value.clone()]),
                        MatchOp::Regex | MatchOp::NotRegex => {
                            known.extend(promql::regex::samples(value));
                        }
                    }
                }
            }
            Expr::Aggregation(aggregation) => {
                for label in aggregation.grouping.iter().flat_map(|grouping| &grouping.labels) {
                    texts.entry(label.value.clone()).or_default();
                }
            }
            _ => {}
        }
    }
    texts
}

/// A generator of pseudorandom numbers, which are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % count.max(1)
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}
