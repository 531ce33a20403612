//! What clusters can have of the metrics in the queries.
//!
//! The series of a metric fall into kinds: the same selectors select all series of a kind, and the
//! dictionary says the same of them.

use std::collections::BTreeMap;

use crate::promql::{CLUSTER_ID, Expr, Matcher, Query, Selector};

use super::super::dictionary::{CAPABILITIES, Dictionary, Metric};
use super::super::eras::{Lack, States};
use super::finder::{Finder, Unprovable};
use super::known::{Clusters, KnownMetric, SelectedKind};
use super::names::Names;
use super::steps::named_labels;
use super::vector::Unnamed;

/// The most selectors.
const MOST_SELECTORS: usize = 60;

/// The metrics in the queries, and what clusters can have of them.
pub(super) struct Universe {
    pub(super) names: Names,
    pub(super) metrics: Vec<KnownMetric>,
    /// For each condition, the combinations in which its metrics can exist.
    pub(super) conditions: Vec<States>,
    /// The metrics that are not in the dictionary.
    pub(super) unknown: Vec<String>,
}

impl Universe {
    /// Collects what clusters can have.
    pub(super) fn of(
        queries: &[&Query],
        dictionary: &Dictionary,
        clusters: Clusters,
    ) -> Result<Self, Unprovable> {
        let mut selectors: BTreeMap<&str, Vec<Vec<Matcher>>> = BTreeMap::new();
        for (_, node) in queries.iter().flat_map(|query| query.nodes()) {
            let Expr::Selector(selector) = &node.expr else { continue };
            let name = selector
                .metric()
                .ok_or_else(|| Unprovable::of("a selector that names no metric"))?;
            let known = selectors.entry(name).or_default();
            let matchers = matchers(selector);
            if !known.contains(&matchers) {
                known.push(matchers);
            }
        }
        if selectors.values().map(Vec::len).sum::<usize>() > MOST_SELECTORS {
            return Err(Unprovable::of("the many selectors"));
        }
        let metrics = selectors.keys().filter_map(|name| dictionary.metric(name));
        let capabilities: Vec<String> =
            metrics.clone().filter_map(|metric| metric.capability().map(str::to_owned)).collect();
        let asks = selectors.contains_key(CAPABILITIES.0) && !capabilities.is_empty();
        let mut names = named_labels(queries);
        names.extend(metrics.flat_map(|metric| metric.deciding_labels().map(str::to_owned)));
        names.extend(asks.then(|| CAPABILITIES.1.to_owned()));
        names.extend((clusters == Clusters::Hosted).then(|| CLUSTER_ID.to_owned()));
        let names = names.into_iter().filter(|name| is_label(name) && name != "__name__").collect();
        let names = Names::new(names).ok_or_else(|| Unprovable::of("the many labels"))?;
        let mut universe =
            Self { names, metrics: Vec::new(), conditions: Vec::new(), unknown: Vec::new() };
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        let all: Vec<Option<&Metric>> =
            selectors.keys().map(|name| dictionary.metric(name)).collect();
        for (at, (name, selectors)) in selectors.into_iter().enumerate() {
            let known = all[at];
            if known.is_none() {
                universe.unknown.push(name.to_owned());
            }
            let metric = known.cloned().unwrap_or_else(|| Metric::unknown(std::iter::empty()));
            let next = universe.conditions.len();
            let condition = *places.entry(metric.condition_key(name)).or_insert(next);
            if condition == next {
                universe.conditions.push(States::new(Lack::of(&metric)));
            }
            let member = universe.conditions[condition].add(&metric);
            let capabilities: &[String] = if name == CAPABILITIES.0 { &capabilities } else { &[] };
            let finder = Finder {
                name,
                metric: &metric,
                is_known: known.is_some(),
                dictionary,
                selectors: &selectors,
                names: &universe.names,
                capabilities,
                clusters,
            };
            let unnamed = unnamed(at, &all, dictionary, &universe.names);
            let found = finder.find(condition, member, unnamed)?;
            universe.metrics.push(found);
        }
        for states in &mut universe.conditions {
            states.close();
        }
        Ok(universe)
    }

    /// The index of the metric, and the index of the selector in `SelectedKind::selected`.
    pub(super) fn selector(&self, selector: &Selector) -> Option<(usize, usize)> {
        let name = selector.metric()?;
        let metric = self.metrics.iter().position(|metric| metric.name == name)?;
        let matchers = matchers(selector);
        let at = self.metrics[metric].selectors.iter().position(|known| *known == matchers)?;
        Some((metric, at))
    }

    /// The metric and the kind of the series that is about a capability.
    pub(super) fn capability(&self, name: &str) -> Option<(usize, usize)> {
        self.metrics.iter().enumerate().find_map(|(at, metric)| {
            let is_it = |kind: &SelectedKind| kind.capability.as_deref() == Some(name);
            Some((at, metric.kinds.iter().position(is_it)?))
        })
    }
}

fn is_label(name: &str) -> bool {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// The matchers of a selector, without their places in the query.
fn matchers(selector: &Selector) -> Vec<Matcher> {
    let mut matchers = selector.matchers.clone();
    for matcher in &mut matchers {
        (matcher.range, matcher.label.range, matcher.value.range) = (0..0, 0..0, 0..0);
    }
    matchers.sort_by_cached_key(ToString::to_string);
    matchers.dedup();
    matchers
}

/// What is known about the labels of a metric that no query names.
fn unnamed(
    metric: usize,
    all: &[Option<&Metric>],
    dictionary: &Dictionary,
    names: &Names,
) -> Unnamed {
    let Some(known) = all[metric] else { return Unnamed { metric, is_certain: false, apart: 0 } };
    let certain = |metric: &Metric| -> Vec<String> {
        let own = metric.own_labels().filter(|label| {
            !label.ends_with('*') && !metric.is_optional(label) && names.find(label).is_none()
        });
        own.map(str::to_owned).collect()
    };
    let lacks = |metric: &Metric, labels: &[String]| {
        labels.iter().any(|label| dictionary.values_of(metric, label).is_none())
    };
    let own = certain(known);
    let others = all.iter().enumerate().filter_map(|(at, other)| Some((at, (*other)?)));
    let apart = others.filter(|(_, other)| lacks(other, &own) || lacks(known, &certain(other)));
    Unnamed {
        metric,
        is_certain: !own.is_empty(),
        apart: apart.fold(0, |set, (at, _)| set | 1 << at),
    }
}
