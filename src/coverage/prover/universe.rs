//! What clusters can have of the metrics that queries ask for.
//!
//! The series of a metric fall into kinds: series of one kind are selected by the same selectors, and
//! the dictionary says the same of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::promql::{CLUSTER_ID, Expr, Matcher, Query, Selector};

use super::super::dictionary::{
    CountKind, Dictionary, LabelKind, LabelValues, Metric, SeriesCount, ValueKind, Values,
};
use super::eras::{Lack, States};
use super::names::{Label, LabelSet, Names};
use super::number::Number;
use super::steps::named_labels;
use super::texts::{Group, Texts};

/// The metric that says which capabilities a cluster has, and its label.
const CAPABILITIES: (&str, &str) = ("cluster_version_capability", "name");

/// The most combinations of labels of a metric that are looked at.
const MOST: usize = 512;

/// The most kinds that the same selectors select, and that are told apart.
const MOST_ALIKE: usize = 2;

/// The most selectors.
const MOST_SELECTORS: usize = 60;

/// What clusters can have.
pub(super) struct Universe {
    pub(super) names: Names,
    pub(super) metrics: Vec<Known>,
    /// Metrics that are there together or not at all.
    pub(super) conditions: Vec<States>,
    /// The metrics that the dictionary does not know.
    pub(super) unknown: Vec<String>,
}

/// A metric.
pub(super) struct Known {
    pub(super) name: String,
    pub(super) kinds: Vec<Kind>,
    /// For the series that no selector selects: what they are to the dictionary.
    unseen: Vec<Role>,
    /// The texts of each label that queries name.
    pub(super) texts: Vec<Rc<Texts>>,
    /// The least and the most series of a cluster with the metric.
    least: usize,
    most: usize,
    /// How many labels have a series of each value in `always`, and at most one in `single`.
    demands: usize,
    limits: usize,
    /// The labels that tell its series apart.
    pub(super) per: LabelSet,
    /// The condition on which clusters have it, and its place among the metrics with that condition.
    pub(super) condition: usize,
    pub(super) member: usize,
    /// The selectors, as places in `Kind::selected`.
    selectors: Vec<Vec<Matcher>>,
}

/// A kind of series that at least one selector selects.
pub(super) struct Kind {
    /// For each selector, whether it selects the series.
    pub(super) selected: Vec<bool>,
    /// For each label that queries name, the groups that its text can be in.
    pub(super) groups: Vec<Rc<[Group]>>,
    pub(super) value: Number,
    /// Whether a cluster has at most one such series at a moment.
    pub(super) is_single: bool,
    role: Role,
    /// The capability that the series is about.
    pub(super) capability: Option<String>,
}

/// What a series is to the dictionary.
#[derive(Clone, Debug, Default, PartialEq)]
struct Role {
    /// The demands for a series that it meets.
    meets: Vec<usize>,
    /// The limits to one series that hold for it.
    limited_by: Vec<usize>,
}

/// Whether a kind is there at a moment. None: that is open.
pub(super) type There = Option<bool>;

impl Universe {
    /// The error says what there is too much of.
    pub(super) fn of(queries: &[&Query], dictionary: &Dictionary) -> Result<Self, String> {
        let mut selectors: BTreeMap<&str, Vec<Vec<Matcher>>> = BTreeMap::new();
        for (_, node) in queries.iter().flat_map(|query| query.nodes()) {
            let Expr::Selector(selector) = &node.expr else { continue };
            let name = selector.metric().ok_or("a selector that names no metric")?;
            let known = selectors.entry(name).or_default();
            let matchers = matchers(selector);
            if !known.contains(&matchers) {
                known.push(matchers);
            }
        }
        if selectors.values().map(Vec::len).sum::<usize>() > MOST_SELECTORS {
            return Err("the many selectors".into());
        }
        let metrics = selectors.keys().filter_map(|name| dictionary.metric(name));
        let capabilities: Vec<String> =
            metrics.clone().filter_map(|metric| metric.capability().map(str::to_owned)).collect();
        let asks = selectors.contains_key(CAPABILITIES.0) && !capabilities.is_empty();
        let mut names = named_labels(queries);
        names.extend(metrics.flat_map(|metric| metric.deciding_labels().map(str::to_owned)));
        names.extend(asks.then(|| CAPABILITIES.1.to_owned()));
        let names = names.into_iter().filter(|name| is_label(name) && name != "__name__").collect();
        let names = Names::new(names).ok_or("the many labels")?;
        let mut universe =
            Self { names, metrics: Vec::new(), conditions: Vec::new(), unknown: Vec::new() };
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (name, selectors) in selectors {
            let known = dictionary.metric(name);
            if known.is_none() {
                universe.unknown.push(name.to_owned());
            }
            let metric = known.cloned().unwrap_or_else(|| Metric::unknown(std::iter::empty()));
            // Metrics with the same condition are there together.
            let is_alone = metric.is_always_present() || known.is_none();
            let capability = metric.capability().unwrap_or_default();
            let condition =
                if is_alone { name.to_owned() } else { format!("{} {capability}", metric.present) };
            let next = universe.conditions.len();
            let condition = *places.entry(condition).or_insert(next);
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
            };
            let found = finder.find(condition, member)?;
            universe.metrics.push(found);
        }
        for states in &mut universe.conditions {
            states.close();
        }
        Ok(universe)
    }

    /// The metric, and the place of the selector in `Kind::selected`.
    pub(super) fn selector(&self, selector: &Selector) -> Option<(usize, usize)> {
        let name = selector.metric()?;
        let metric = self.metrics.iter().position(|metric| metric.name == name)?;
        let matchers = matchers(selector);
        let at = self.metrics[metric].selectors.iter().position(|known| *known == matchers)?;
        Some((metric, at))
    }

    /// The kind of series that is about a capability.
    pub(super) fn capability(&self, name: &str) -> Option<(usize, usize)> {
        self.metrics.iter().enumerate().find_map(|(at, metric)| {
            let is_it = |kind: &Kind| kind.capability.as_deref() == Some(name);
            Some((at, metric.kinds.iter().position(is_it)?))
        })
    }
}

fn is_label(name: &str) -> bool {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// The matchers without their places in the query.
fn matchers(selector: &Selector) -> Vec<Matcher> {
    let mut matchers = selector.matchers.clone();
    for matcher in &mut matchers {
        (matcher.range, matcher.label.range, matcher.value.range) = (0..0, 0..0, 0..0);
    }
    matchers.sort_by_cached_key(ToString::to_string);
    matchers.dedup();
    matchers
}

impl Known {
    /// Whether a cluster that has the metric can have these kinds of it at one moment.
    pub(super) fn is_possible(&self, there: &[There]) -> bool {
        let is_open = !self.unseen.is_empty() || there.contains(&None);
        let is_there = |at: &usize| there[*at] == Some(true);
        let present: Vec<usize> = (0..self.kinds.len()).filter(is_there).collect();
        let has_several = present.iter().any(|at| !self.kinds[*at].is_single);
        if present.len() > self.most || !is_open && !has_several && present.len() < self.least {
            return false;
        }
        let can_meet = |demand: usize| {
            let kinds = self.kinds.iter().zip(there);
            let seen = |(kind, there): (&Kind, &There)| {
                *there != Some(false) && kind.role.meets.contains(&demand)
            };
            kinds.into_iter().any(seen)
                || self.unseen.iter().any(|role| role.meets.contains(&demand))
        };
        let keeps = |limit: usize| {
            let limited = |at: &&usize| self.kinds[**at].role.limited_by.contains(&limit);
            present.iter().filter(limited).count() <= 1
        };
        (0..self.demands).all(can_meet) && (0..self.limits).all(keeps)
    }
}

/// Where the same selectors select many kinds, they count as one: to tell them apart takes long, and
/// seldom matters.
fn together(all: Vec<(Signature, Vec<Combination>)>) -> Vec<(Signature, Vec<Combination>)> {
    let mut merged: Vec<(Signature, Vec<Combination>)> = Vec::new();
    let count = |selected: &[bool]| all.iter().filter(|(one, _)| one.selected == selected).count();
    let are_many: Vec<bool> =
        all.iter().map(|(one, _)| count(&one.selected) > MOST_ALIKE).collect();
    for ((signature, combinations), is_one_of_many) in all.into_iter().zip(are_many) {
        let is_alike = |known: &Signature| {
            (&known.selected, known.value, &known.capability)
                == (&signature.selected, signature.value, &signature.capability)
        };
        match merged.iter_mut().find(|(known, _)| is_one_of_many && is_alike(known)) {
            None => merged.push((signature, combinations)),
            Some((known, same)) => {
                known.role.meets.extend(signature.role.meets);
                known.role.limited_by.clear();
                same.extend(combinations);
            }
        }
    }
    merged
}

struct Finder<'a> {
    name: &'a str,
    metric: &'a Metric,
    is_known: bool,
    dictionary: &'a Dictionary,
    selectors: &'a [Vec<Matcher>],
    names: &'a Names,
    /// The capabilities that other metrics depend on, if the metric is about capabilities.
    capabilities: &'a [String],
}

/// For each label, the group that its text is in.
type Combination = Vec<Group>;

/// What decides the kind of a series.
#[derive(PartialEq)]
struct Signature {
    selected: Vec<bool>,
    role: Role,
    value: Option<f64>,
    capability: Option<String>,
}

impl Finder<'_> {
    fn find(&self, condition: usize, member: usize) -> Result<Known, String> {
        let texts: Option<Vec<Rc<Texts>>> =
            self.names.iter().map(|(_, name)| self.texts(name).map(Rc::new)).collect();
        let too_many = || format!("the many texts that the labels of `{}` can have", self.name);
        let texts = texts.ok_or_else(too_many)?;
        let mut combinations: Vec<Combination> = vec![vec![0; self.names.len()]];
        for label in self.crossed() {
            if combinations.len() * texts[label].len() > MOST {
                return Err(too_many());
            }
            let with = |known: &Combination, group: Group| {
                let mut combination = known.clone();
                combination[label] = group;
                combination
            };
            combinations = combinations
                .iter()
                .flat_map(|known| (0..texts[label].len()).map(move |group| with(known, group)))
                .collect();
        }
        let mut by_signature: Vec<(Signature, Vec<Combination>)> = Vec::new();
        for combination in combinations {
            let signature = self.signature(&texts, &combination).ok_or_else(too_many)?;
            match by_signature.iter_mut().find(|(known, _)| *known == signature) {
                Some((_, same)) => same.push(combination),
                None => by_signature.push((signature, vec![combination])),
            }
        }
        let by_signature = together(by_signature);
        let metric = self.metric;
        let (least, most) = match metric.series {
            SeriesCount::Exactly(count) => (count, count),
            SeriesCount::Kind(CountKind::One) => (1, 1),
            SeriesCount::Kind(CountKind::Some) => (1, usize::MAX),
            SeriesCount::Kind(CountKind::Any) => (0, usize::MAX),
        };
        let per = metric.per.iter().map(String::as_str);
        let per = if self.is_known { self.names.set(per) } else { LabelSet::ALL };
        let mut found = Known {
            name: self.name.to_owned(),
            kinds: Vec::new(),
            unseen: Vec::new(),
            texts,
            least,
            most,
            demands: pairs(&metric.always).count(),
            limits: pairs(&metric.single).count(),
            per,
            condition,
            member,
            selectors: self.selectors.to_vec(),
        };
        let crossed: Vec<Label> = self.crossed().collect();
        for (signature, combinations) in by_signature {
            if signature.selected.contains(&true) {
                let kind = self.kind(signature, &combinations, &crossed, &found);
                found.kinds.push(kind);
            } else {
                found.unseen.push(signature.role);
            }
        }
        Ok(found)
    }

    fn matchers(&self, label: &str) -> impl Iterator<Item = &Matcher> {
        self.selectors.iter().flatten().filter(move |matcher| matcher.label.value == label)
    }

    /// The labels on which something depends.
    fn crossed(&self) -> impl Iterator<Item = Label> {
        let depends = |name: &str| {
            self.matchers(name).next().is_some()
                || self.metric.deciding_labels().any(|label| label == name)
                || !self.capabilities.is_empty() && name == CAPABILITIES.1
        };
        self.names.iter().filter(move |(_, name)| depends(name)).map(|(label, _)| label)
    }

    fn texts(&self, label: &str) -> Option<Texts> {
        let own = self.metric.own(label);
        // A cluster that hosts no others has no such label.
        let kind = if label == CLUSTER_ID {
            None
        } else if self.is_known {
            self.dictionary.values_of(self.metric, label)
        } else {
            Some(LabelKind::ANY)
        };
        let can_be_missing = own.is_none() || self.metric.is_optional(label);
        match kind {
            None => Some(Texts::listed([""])),
            Some(LabelKind::These(values)) => {
                let missing = can_be_missing.then_some("");
                Some(Texts::listed(values.iter().map(String::as_str).chain(missing)))
            }
            Some(LabelKind::Any(_)) => {
                let deciding = self.metric.deciding_values(label).map(String::as_str);
                let capabilities = self.capabilities.iter().map(String::as_str);
                let capabilities = capabilities.filter(|_| label == CAPABILITIES.1);
                let known = deciding.chain(capabilities);
                Texts::any(self.matchers(label), known, can_be_missing)
            }
        }
    }

    /// None: a pattern is too large.
    fn signature(&self, texts: &[Rc<Texts>], combination: &Combination) -> Option<Signature> {
        let text = |name: &str| {
            let label = self.names.find(name)?;
            // The other texts have no part in what the dictionary says.
            Some(texts[label].exact(combination[label]).map_or("\u{1}", |text| text))
        };
        let admits = |matcher: &Matcher| match self.names.find(&matcher.label.value) {
            Some(label) => texts[label].admits(matcher, combination[label]),
            None => matcher.admits(self.name, true).ok(),
        };
        let selects = |matchers: &Vec<Matcher>| {
            matchers.iter().try_fold(true, |all, matcher| Some(all && admits(matcher)?))
        };
        let selected: Option<Vec<bool>> = self.selectors.iter().map(selects).collect();
        let concerned = |values: &LabelValues| {
            let all = pairs(values).enumerate();
            let own = all.filter(|(_, (label, value))| text(label) == Some(value.as_str()));
            own.map(|(at, _)| at).collect()
        };
        let role = Role {
            meets: concerned(&self.metric.always),
            limited_by: concerned(&self.metric.single),
        };
        let value = self.metric.fixed_value(|label| text(label).unwrap_or_default().to_owned());
        let is_it = |name: &&String| text(CAPABILITIES.1) == Some(name.as_str());
        let capability = self.capabilities.iter().find(is_it).cloned();
        Some(Signature { selected: selected?, role, value, capability })
    }

    fn kind(
        &self,
        signature: Signature,
        combinations: &[Combination],
        crossed: &[Label],
        known: &Known,
    ) -> Kind {
        let groups: Vec<Rc<[Group]>> = (0..self.names.len())
            .map(|label| {
                if !crossed.contains(&label) {
                    return (0..known.texts[label].len()).collect();
                }
                let mut groups: Vec<Group> =
                    combinations.iter().map(|combination| combination[label]).collect();
                groups.sort_unstable();
                groups.dedup();
                groups.into()
            })
            .collect();
        let is_fixed = |name: &String| {
            self.names.find(name).is_some_and(|label| match *groups[label] {
                [group] => known.texts[label].exact(group).is_some(),
                _ => false,
            })
        };
        let is_single = self.is_known
            && (known.most == 1
                || !signature.role.limited_by.is_empty()
                || self.metric.per.iter().all(is_fixed));
        let value = signature.value.map_or_else(|| self.value(), Number::exactly);
        let Signature { selected, role, capability, .. } = signature;
        Kind { selected, groups, value, is_single, role, capability }
    }

    fn value(&self) -> Number {
        let usual = match &self.metric.values {
            _ if !self.is_known => return Number::any(),
            Values::These(values) => Number::one_of(values.iter().copied()),
            Values::Kind(ValueKind::One) => Number::exactly(1.0),
            Values::Kind(ValueKind::Flag) => Number::flag(),
            Values::Kind(ValueKind::Time) => Number::time(),
            Values::Kind(ValueKind::Count) => Number::count(),
            Values::Kind(ValueKind::Number) => Number::finite(),
        };
        let also = self.metric.also.iter().map(|value| Number::exactly(*value));
        also.fold(usual, Number::or)
    }
}

fn pairs(values: &LabelValues) -> impl Iterator<Item = (&String, &String)> {
    values.iter().flat_map(|(label, values)| values.iter().map(move |value| (label, value)))
}
