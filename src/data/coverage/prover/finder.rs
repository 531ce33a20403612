//! Finds the kinds of series of a metric that selectors can tell apart.

use std::rc::Rc;

use crate::promql::{CLUSTER_ID, Matcher};

use super::super::dictionary::{
    CAPABILITIES, CountKind, Dictionary, LabelKind, LabelValues, Metric, SeriesCount, ValueKind,
    Values,
};
use super::known::{Clusters, HOSTED_ID, KnownMetric, Role, SelectedKind};
use super::names::{Label, LabelSet, Names};
use super::number::Number;
use super::texts::{TextGroup, Texts};
use super::vector::Unnamed;

/// The most combinations of labels of a metric to consider.
const MOST: usize = 512;

/// If the same selectors select more kinds than this, the kinds that differ only in their roles
/// are merged.
const MOST_ALIKE: usize = 2;

/// The `_id` of series of another hosted cluster, and of series of the management cluster.
const FOREIGN: [&str; 2] = ["another", ""];

pub(super) struct Finder<'a> {
    pub(super) name: &'a str,
    pub(super) metric: &'a Metric,
    pub(super) is_known: bool,
    pub(super) dictionary: &'a Dictionary,
    pub(super) selectors: &'a [Vec<Matcher>],
    pub(super) names: &'a Names,
    /// The capabilities that other metrics depend on, if this metric is about capabilities.
    pub(super) capabilities: &'a [String],
    pub(super) clusters: Clusters,
}

/// For each label, the group of its text.
type Combination = Vec<TextGroup>;

/// Series with equal signatures are of one kind.
#[derive(PartialEq)]
struct Signature {
    selected: Vec<bool>,
    role: Role,
    value: Option<f64>,
    capability: Option<String>,
    is_foreign: bool,
}

/// What a proof cannot handle, or not in reasonable time.
pub(super) struct Unprovable(pub(super) String);

impl Unprovable {
    pub(super) fn of(what: &str) -> Self {
        Self(what.to_owned())
    }
}

impl Signature {
    /// Whether another signature is the same, except possibly for its role.
    fn is_like(&self, other: &Self) -> bool {
        self.selected == other.selected
            && self.value == other.value
            && self.capability == other.capability
            && self.is_foreign == other.is_foreign
    }
}

impl Finder<'_> {
    pub(super) fn find(
        &self,
        condition: usize,
        member: usize,
        unnamed: Unnamed,
    ) -> Result<KnownMetric, Unprovable> {
        let texts: Option<Vec<Rc<Texts>>> =
            self.names.iter().map(|(_, name)| self.texts(name).map(Rc::new)).collect();
        let too_many =
            || Unprovable(format!("the many texts that the labels of `{}` can have", self.name));
        let texts = texts.ok_or_else(too_many)?;
        let mut combinations: Vec<Combination> = vec![vec![0; self.names.len()]];
        for label in self.crossed() {
            if combinations.len() * texts[label].len() > MOST {
                return Err(too_many());
            }
            let with = |known: &Combination, group: TextGroup| {
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
        let hosted = self.is_hosted().then_some(CLUSTER_ID);
        let per = metric.per.iter().map(String::as_str).chain(hosted);
        let per = if self.is_known { self.names.set(per) } else { LabelSet::ALL };
        let mut found = KnownMetric {
            name: self.name.to_owned(),
            kinds: Vec::new(),
            unseen: Vec::new(),
            texts,
            least,
            most,
            demands: self.demands().count(),
            limits: pairs(&metric.single).count(),
            per,
            condition,
            member,
            selectors: self.selectors.to_vec(),
            unnamed,
        };
        let crossed: Vec<Label> = self.crossed().collect();
        for (signature, combinations) in by_signature {
            if signature.selected.contains(&true) {
                let kind = self.kind(signature, &combinations, &crossed, &found);
                found.kinds.push(kind);
            } else if !signature.is_foreign {
                found.unseen.push(signature.role);
            }
        }
        Ok(found)
    }

    /// The labels and values of which the cluster always has a series.
    fn demands(&self) -> impl Iterator<Item = (&String, &String)> {
        let hold = self.clusters == Clusters::SelfManaged || self.metric.is_demanded_when_hosted();
        pairs(&self.metric.always).filter(move |_| hold)
    }

    fn matchers(&self, label: &str) -> impl Iterator<Item = &Matcher> {
        self.selectors.iter().flatten().filter(move |matcher| matcher.label.value == label)
    }

    /// The labels that decide something about a series.
    fn crossed(&self) -> impl Iterator<Item = Label> {
        let depends = |name: &str| {
            self.matchers(name).next().is_some()
                || self.metric.deciding_labels().any(|label| label == name)
                || !self.capabilities.is_empty() && name == CAPABILITIES.1
                || self.is_hosted() && name == CLUSTER_ID
        };
        self.names.iter().filter(move |(_, name)| depends(name)).map(|(label, _)| label)
    }

    fn is_hosted(&self) -> bool {
        self.clusters == Clusters::Hosted
    }

    fn texts(&self, label: &str) -> Option<Texts> {
        if label == CLUSTER_ID && self.is_hosted() {
            return Some(Texts::listed([HOSTED_ID].into_iter().chain(FOREIGN)));
        }
        let own = self.metric.own(label);
        // A cluster without hosted clusters does not have this label.
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

    /// The signature of a combination. None if a pattern is too large.
    fn signature(&self, texts: &[Rc<Texts>], combination: &Combination) -> Option<Signature> {
        let text = |name: &str| {
            let label = self.names.find(name)?;
            // The dictionary names no text of a larger group, so any unlisted text represents it.
            Some(texts[label].exact(combination[label]).map_or("\u{1}", |text| text))
        };
        let is_foreign = self.is_hosted() && text(CLUSTER_ID) != Some(HOSTED_ID);
        let admits = |matcher: &Matcher| match self.names.find(&matcher.label.value) {
            Some(label) => texts[label].admits(matcher, combination[label]),
            None => matcher.admits(self.name, true).ok(),
        };
        let selects = |matchers: &Vec<Matcher>| {
            matchers.iter().try_fold(true, |all, matcher| Some(all && admits(matcher)?))
        };
        let selected: Option<Vec<bool>> = self.selectors.iter().map(selects).collect();
        let is_it = |(label, value): &(&String, &String)| {
            text(label) == Some(value.as_str()) && !is_foreign
        };
        let places = |all: &mut dyn Iterator<Item = (&String, &String)>| {
            let own = all.enumerate().filter(|(_, pair)| is_it(pair));
            own.map(|(at, _)| at).collect()
        };
        let role = Role {
            meets: places(&mut self.demands()),
            limited_by: places(&mut pairs(&self.metric.single)),
        };
        let value = self.metric.fixed_value(|label| text(label).unwrap_or_default().to_owned());
        let is_about = |name: &&String| text(CAPABILITIES.1) == Some(name.as_str()) && !is_foreign;
        let capability = self.capabilities.iter().find(is_about).cloned();
        Some(Signature { selected: selected?, role, value, capability, is_foreign })
    }

    fn kind(
        &self,
        signature: Signature,
        combinations: &[Combination],
        crossed: &[Label],
        known: &KnownMetric,
    ) -> SelectedKind {
        let groups: Vec<Rc<[TextGroup]>> = (0..self.names.len())
            .map(|label| {
                if !crossed.contains(&label) {
                    return (0..known.texts[label].len()).collect();
                }
                let mut groups: Vec<TextGroup> =
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
            && !signature.is_foreign
            && (known.most == 1
                || !signature.role.limited_by.is_empty()
                || self.metric.per.iter().all(is_fixed));
        let value = signature.value.map_or_else(|| self.value(), Number::exactly);
        let Signature { selected, role, capability, is_foreign, .. } = signature;
        SelectedKind { selected, groups, value, is_single, role, is_foreign, capability }
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

/// Merges kinds that the same selectors select, if there are many: telling them apart takes long,
/// and seldom matters.
fn together(all: Vec<(Signature, Vec<Combination>)>) -> Vec<(Signature, Vec<Combination>)> {
    let mut merged: Vec<(Signature, Vec<Combination>)> = Vec::new();
    let count = |selected: &[bool]| all.iter().filter(|(one, _)| one.selected == selected).count();
    let are_many: Vec<bool> =
        all.iter().map(|(one, _)| count(&one.selected) > MOST_ALIKE).collect();
    for ((signature, combinations), is_one_of_many) in all.into_iter().zip(are_many) {
        match merged.iter_mut().find(|(known, _)| is_one_of_many && known.is_like(&signature)) {
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

fn pairs(values: &LabelValues) -> impl Iterator<Item = (&String, &String)> {
    values.iter().flat_map(|(label, values)| values.iter().map(move |value| (label, value)))
}
