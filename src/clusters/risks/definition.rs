//! Groups the declarations of a risk that are equal.

use std::collections::BTreeMap;

use crate::cluster::{Exposure, MatchingRule, Recommendation, RiskText};
use crate::domain::{RuleKind, Version};
use crate::graph_data::{Affected, BlockedEdge, DataFile, FileKind, GraphData, Text};
use crate::metrics::{QueryError, Source};
use crate::promql::{Limits, Value};

/// Declarations of a risk with the same rules, message, and URL.
#[derive(Clone, Debug)]
pub(crate) struct Definition<'d> {
    pub(crate) name: &'d str,
    pub(crate) message: &'d str,
    pub(crate) url: &'d str,
    /// The rules that clusters understand.
    pub(crate) rules: Vec<MatchingRule<'d>>,
    /// The declarations, sorted by target. There is at least one.
    pub(crate) edges: Vec<&'d BlockedEdge>,
}

/// The risks of a repository.
#[derive(Debug)]
pub(crate) struct Risks<'d> {
    by_name: BTreeMap<&'d str, Vec<Definition<'d>>>,
    /// The paths of files in the folder of declarations that cannot be read.
    unread: Vec<&'d str>,
}

impl<'d> Risks<'d> {
    pub(crate) fn of(data: &'d GraphData) -> Self {
        let mut by_name: BTreeMap<&str, Vec<Definition<'_>>> = BTreeMap::new();
        for edge in &data.blocked_edges {
            let Some(definition) = Definition::of(edge) else { continue };
            let definitions = by_name.entry(definition.name).or_default();
            match definitions.iter_mut().find(|known| known.says_the_same(&definition)) {
                Some(known) => known.edges.push(edge),
                None => definitions.push(definition),
            }
        }
        for definitions in by_name.values_mut() {
            for definition in &mut *definitions {
                definition.edges.sort_by_key(|edge| &edge.target);
            }
            definitions.sort_by_key(|definition| std::cmp::Reverse(definition.newest_target()));
        }
        let is_unread =
            |file: &&DataFile| file.kind == FileKind::BlockedEdge && file.document().is_none();
        let unread =
            data.files_by_path().filter(is_unread).map(|file| data.path(file.id)).collect();
        Self { by_name, unread }
    }

    /// The definitions of a risk. The one of its newest target is first, because clusters since
    /// 4.22 use that one if several differ.
    pub(crate) fn get(&self, name: &str) -> Option<&[Definition<'d>]> {
        self.by_name.get(name).map(Vec::as_slice)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'d str, &[Definition<'d>])> {
        self.by_name.iter().map(|(name, definitions)| (*name, definitions.as_slice()))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &'d str> {
        self.by_name.keys().copied()
    }

    /// A file that cannot be read, but whose name is like that of a declaration of this risk.
    pub(crate) fn unread_file(&self, name: &str) -> Option<&'d str> {
        let is_of_risk = |path: &&&str| {
            let stem = path.rsplit_once('.').map_or("", |(stem, _)| stem);
            stem.strip_suffix(name).is_some_and(|before| before.ends_with('-'))
        };
        self.unread.iter().find(is_of_risk).copied()
    }
}

impl<'d> Definition<'d> {
    fn of(edge: &'d BlockedEdge) -> Option<Self> {
        let Affected::MatchingRules(rules) = &edge.affected else { return None };
        let understood = rules.iter().filter_map(|rule| {
            Some(match rule.understood_kind()? {
                RuleKind::Always => MatchingRule::Always,
                RuleKind::PromQl => MatchingRule::PromQl(rule.query.as_ref()?.value.trim_end()),
            })
        });
        let text = |text: &'d Option<Text>| text.as_ref().map_or("", |text| text.value.as_str());
        Some(Self {
            name: &edge.name.as_ref()?.value,
            message: text(&edge.message),
            url: text(&edge.url),
            rules: understood.collect(),
            edges: vec![edge],
        })
    }

    fn says_the_same(&self, other: &Self) -> bool {
        self.rules == other.rules && self.message == other.message && self.url == other.url
    }

    fn newest_target(&self) -> Option<&'d Version> {
        self.edges.last().and_then(|edge| edge.target.as_ref())
    }

    /// The queries of its rules, in order.
    pub(crate) fn queries(&self) -> impl Iterator<Item = &'d str> {
        self.rules.iter().filter_map(|rule| match rule {
            MatchingRule::Always => None,
            MatchingRule::PromQl(query) => Some(*query),
        })
    }

    /// Whether it applies to a cluster. The error says why that is unknown.
    pub(crate) fn exposure(&self, source: &Source, limits: Limits) -> Result<Exposure, QueryError> {
        self.exposure_by(source.time(), |query| source.ask_within(query, limits))
    }

    /// Whether it applies to a cluster. `ask` answers the queries of the cluster, at a time in
    /// milliseconds since 1970.
    pub(crate) fn exposure_by(
        &self,
        time: i64,
        ask: impl Fn(&str) -> Result<Value, QueryError>,
    ) -> Result<Exposure, QueryError> {
        let rules = self.rules.iter().copied();
        Exposure::of_rules(rules, |query| Exposure::of_answer(ask(query), time))
    }

    /// The condition `Recommended` of an update with only this risk.
    pub(crate) fn recommendation(&self, exposure: &Exposure) -> Recommendation {
        let text = RiskText { name: self.name, message: self.message, url: self.url };
        Recommendation::of(text, exposure)
    }
}
