//! The classes of clusters that queries can tell apart. A class has one choice for each part of the
//! series.

use std::collections::BTreeMap;

use crate::promql::{Expr, Query, Store};

use super::dictionary::{CAPABILITIES, Dictionary, Metric};
use super::eras::{Lack, States};
use super::kinds::{Kinds, SelectorSight};
use super::population::{Population, joined, populations};
use super::rarity::Rarity;
use super::sight::Sights;
use super::witness::in_words;

/// The most choices for one part.
const MOST_CHOICES: usize = 400;

/// The most evaluations of nodes of a query, on all clusters together.
pub(super) const MOST_NODES: usize = 60_000;

/// Real queries have fewer selectors. Each is compared with all others.
const MOST_SELECTORS: usize = 40;

/// The classes of clusters that these queries can tell apart.
pub(super) struct Classes {
    pub(super) parts: Vec<ClusterPart>,
    /// The metrics that are not in the dictionary. Anything is possible for them.
    pub(super) unknown: Vec<String>,
    /// Whether parts are missing, because there are too many selectors or choices, or because a
    /// selector names no metric. If so, no cluster can be made of a class.
    is_partial: bool,
}

/// Metrics that a cluster has together or not at all.
pub(super) struct ClusterPart {
    pub(super) metrics: Vec<String>,
    /// The populations that clusters can have, the most usual first.
    pub(super) choices: Vec<Population>,
}

/// A class: the index of a choice for each part.
pub(super) type Class = Vec<usize>;

impl Classes {
    pub(super) fn of(queries: &[&Query], dictionary: &Dictionary, now: i64) -> Self {
        let sights: Vec<Sights> = queries.iter().map(|query| Sights::of(query)).collect();
        let mut classes = Self { parts: Vec::new(), unknown: Vec::new(), is_partial: false };
        let Some(asked) = asked_by_metric(queries, &sights) else {
            classes.is_partial = true;
            return classes;
        };
        let capabilities = asked.keys().filter_map(|name| dictionary.metric(name));
        if asked.values().map(Vec::len).sum::<usize>() > MOST_SELECTORS
            || asked.contains_key(CAPABILITIES.0)
                && capabilities.into_iter().any(Metric::needs_capability)
        {
            classes.is_partial = true;
            return classes;
        }
        let context = Context { dictionary, constants: constants(queries), now };
        let mut by_condition: BTreeMap<String, Vec<AlikeMetric>> = BTreeMap::new();
        for (name, asked) in &asked {
            if let Some((condition, member)) = classes.member(name, asked, &context) {
                by_condition.entry(condition).or_default().push(member);
            }
        }
        for members in by_condition.into_values() {
            let choices = choices_of(&members);
            if choices.is_empty() || choices.len() > MOST_CHOICES {
                classes.is_partial = true;
            } else {
                let metrics = members.into_iter().map(|member| member.name).collect();
                classes.parts.push(ClusterPart { metrics, choices });
            }
        }
        classes
    }

    /// The populations of a metric, and the condition on which clusters have it.
    fn member(
        &mut self,
        name: &str,
        asked: &[SelectorSight<'_>],
        context: &Context<'_>,
    ) -> Option<(String, AlikeMetric)> {
        let known = context.dictionary.metric(name);
        if known.is_none() {
            self.unknown.push(name.to_owned());
        }
        let metric = known.cloned().unwrap_or_else(|| unknown_metric(asked));
        let Some(kinds) = Kinds::of(&metric, asked, context.dictionary) else {
            self.is_partial = true;
            return None;
        };
        let Context { constants, now, .. } = context;
        let choices = populations(name, &metric, &kinds, constants, *now, MOST_CHOICES);
        let Some(choices) = choices else {
            self.is_partial = true;
            return None;
        };
        Some((metric.condition_key(name), AlikeMetric { name: name.to_owned(), metric, choices }))
    }

    /// The number of classes.
    pub(super) fn count(&self) -> usize {
        self.parts.iter().fold(1, |count, part| count.saturating_mul(part.choices.len()))
    }

    /// At most `most` classes. If there are more, only those where at most two parts are unusual.
    pub(super) fn some(&self, most: usize) -> Vec<Class> {
        if self.is_partial {
            return Vec::new();
        }
        let usual = vec![0; self.parts.len()];
        if self.count() <= most {
            let mut all = vec![usual];
            for (at, part) in self.parts.iter().enumerate() {
                let with = |class: &Class, choice| {
                    let mut class = class.clone();
                    class[at] = choice;
                    class
                };
                let all_so_far = std::mem::take(&mut all);
                let others = (0..part.choices.len())
                    .flat_map(|choice| all_so_far.iter().map(move |class| (class, choice)));
                all = others.map(|(class, choice)| with(class, choice)).collect();
            }
            return all;
        }
        let single = |at: usize| (1..self.parts[at].choices.len()).map(move |choice| (at, choice));
        let singles: Vec<(usize, usize)> = (0..self.parts.len()).flat_map(single).collect();
        let mut some = vec![usual.clone()];
        let with = |changes: &[(usize, usize)]| {
            let mut class = usual.clone();
            for (part, choice) in changes {
                class[*part] = *choice;
            }
            class
        };
        some.extend(singles.iter().map(|change| with(&[*change])));
        let pairs = singles.iter().enumerate();
        let pairs = pairs
            .flat_map(|(at, one)| singles.iter().skip(at + 1).map(move |other| [*one, *other]));
        let pairs = pairs.filter(|[one, other]| one.0 != other.0);
        some.extend(pairs.take(most.saturating_sub(some.len())).map(|pair| with(&pair)));
        some.truncate(most);
        some
    }

    /// The populations of a class.
    pub(super) fn chosen<'c>(&'c self, class: &'c Class) -> impl Iterator<Item = &'c Population> {
        self.parts.iter().zip(class).map(|(part, choice)| &part.choices[*choice])
    }

    /// The series of a cluster of this class.
    pub(super) fn store(&self, class: &Class) -> Store {
        store(self.chosen(class))
    }

    /// The series of a cluster, as lines of a `.series` file.
    pub(super) fn series(&self, class: &Class) -> Vec<String> {
        let series = self.chosen(class).flat_map(|population| &population.series);
        series.map(|series| series.line()).collect()
    }

    /// Makes each part of a class as usual as possible, while `is_like` accepts the class and it
    /// does not become rarer.
    pub(super) fn simplest(
        &self,
        mut class: Class,
        mut is_like: impl FnMut(&Class) -> bool,
    ) -> Class {
        let rarity = self.rarity(&class);
        for part in 0..class.len() {
            let choice = std::mem::replace(&mut class[part], 0);
            if self.rarity(&class) > rarity || !is_like(&class) {
                class[part] = choice;
            }
        }
        class
    }

    /// What is special about the clusters of a class, as words after "a cluster". `is_like` says
    /// whether another class is equivalent.
    pub(super) fn words(&self, class: &Class, mut is_like: impl FnMut(&Class) -> bool) -> String {
        let usual = vec![0; class.len()];
        let chosen: Vec<&Population> = self.chosen(class).collect();
        if *class != usual {
            return in_words(&chosen, &self.chosen(&usual).collect::<Vec<_>>());
        }
        // A usual cluster is described only by the parts that matter.
        let mut matters = |part: usize| {
            (1..self.parts[part].choices.len()).any(|choice| {
                let mut other = class.clone();
                other[part] = choice;
                !is_like(&other)
            })
        };
        let parts = (0..class.len()).filter(|part| matters(*part));
        let relevant: Vec<&Population> = parts.map(|part| chosen[part]).collect();
        in_words(if relevant.is_empty() { &chosen } else { &relevant }, &[])
    }

    pub(super) fn rarity(&self, class: &Class) -> Rarity {
        self.chosen(class).map(|population| population.rarity).max().unwrap_or(Rarity::Common)
    }
}

/// The series of a cluster with these populations.
pub(super) fn store<'p>(populations: impl Iterator<Item = &'p Population>) -> Store {
    let mut store = Store::default();
    for series in populations.flat_map(|population| &population.series) {
        let (labels, points) = &series.stored;
        store.replace(labels.clone(), points.clone());
    }
    store
}

/// What the search knows besides the selectors: the dictionary, the numbers in the queries, and the
/// time.
struct Context<'d> {
    dictionary: &'d Dictionary,
    constants: Vec<f64>,
    now: i64,
}

/// The selectors of each metric. None if a selector does not name a metric.
fn asked_by_metric<'q>(
    queries: &[&'q Query],
    sights: &'q [Sights],
) -> Option<BTreeMap<&'q str, Vec<SelectorSight<'q>>>> {
    let mut asked: BTreeMap<&str, Vec<SelectorSight>> = BTreeMap::new();
    for (query, sights) in queries.iter().zip(sights) {
        for (id, node) in query.nodes() {
            let Expr::Selector(selector) = &node.expr else { continue };
            let sight = sights.get(id);
            asked.entry(selector.metric()?).or_default().push(SelectorSight { selector, sight });
        }
    }
    Some(asked)
}

/// One of the metrics with the same condition.
struct AlikeMetric {
    name: String,
    metric: Metric,
    choices: Vec<Population>,
}

/// The populations of all metrics with the same condition.
fn choices_of(members: &[AlikeMetric]) -> Vec<Population> {
    let mut choices: Vec<Population> = Vec::new();
    let mut states = States::new(Lack::Never);
    for member in members {
        states.add(&member.metric);
    }
    states.close();
    for state in &states.all {
        let mut together =
            vec![Population { series: Vec::new(), lacking: Vec::new(), rarity: Rarity::Common }];
        for (member, exists) in members.iter().zip(state) {
            let nothing = [lacking(member, Rarity::Common)];
            let own: &[Population] = if *exists { &member.choices } else { &nothing };
            if together.len() * own.len() > MOST_CHOICES * 2 {
                return Vec::new();
            }
            together = together
                .iter()
                .flat_map(|one| own.iter().map(move |other| joined(one, other)))
                .collect();
        }
        choices.extend(together);
    }
    if let Some(first) = members.first().filter(|first| !first.metric.is_always_present()) {
        let rarity = if first.metric.is_rarely_absent() { Rarity::Rare } else { Rarity::Common };
        let without = members.iter().map(|member| lacking(member, rarity));
        let without = without.reduce(|one, other| joined(&one, &other));
        let at = if rarity == Rarity::Common { 0 } else { choices.len() };
        choices.splice(at..at, without);
    }
    choices.sort_by_key(|choice| choice.rarity);
    choices
}

fn lacking(member: &AlikeMetric, rarity: Rarity) -> Population {
    Population { series: Vec::new(), lacking: vec![member.name.clone()], rarity }
}

fn unknown_metric(asked: &[SelectorSight<'_>]) -> Metric {
    let matchers = asked.iter().flat_map(|asked| &asked.selector.matchers);
    let labels = matchers.map(|matcher| matcher.label.value.clone());
    let seen = asked.iter().flat_map(|asked| match &asked.sight.labels {
        super::sight::SeenLabels::These(labels) => labels.iter().cloned().collect::<Vec<_>>(),
        super::sight::SeenLabels::Number | super::sight::SeenLabels::All => Vec::new(),
    });
    let hidden = ["__name__", crate::promql::CLUSTER_ID];
    Metric::unknown(labels.chain(seen).filter(|label| !hidden.contains(&label.as_str())))
}

/// The numbers in queries, because values may be compared with them.
fn constants(queries: &[&Query]) -> Vec<f64> {
    let numbers = queries.iter().flat_map(|query| query.nodes());
    let numbers = numbers.filter_map(|(_, node)| match node.expr {
        Expr::Number(number) if number.is_finite() => Some(number),
        _ => None,
    });
    let mut numbers: Vec<f64> = numbers.filter(|number| number.abs() > 1.0).take(9).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}
