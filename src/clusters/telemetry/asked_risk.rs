//! The risks that a store is asked about.

use std::collections::BTreeMap;

use crate::cluster::MatchingRule;
use crate::graph::UpdateGraph;
use crate::risks::understood_rules;

/// A risk by its name, and the rules that say which clusters it affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AskedRisk {
    pub name: String,
    /// The different rules of its declarations. Nearly always, all have the same.
    pub variants: Vec<Vec<Rule>>,
}

/// A rule that says which clusters a risk affects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Always,
    PromQl(String),
}

impl AskedRisk {
    /// The risks of some graphs that do not affect every cluster, by name.
    pub(crate) fn of<'g>(graphs: impl IntoIterator<Item = &'g UpdateGraph>) -> Vec<Self> {
        let mut risks: BTreeMap<&str, Vec<Vec<Rule>>> = BTreeMap::new();
        for risk in graphs.into_iter().flat_map(|graph| graph.risks.iter()) {
            if risk.is_always() {
                continue;
            }
            let rules = understood_rules(risk).map(|rule| match rule {
                MatchingRule::Always => Rule::Always,
                MatchingRule::PromQl(query) => Rule::PromQl(query.to_owned()),
            });
            let rules: Vec<Rule> = rules.collect();
            if rules.is_empty() {
                continue;
            }
            let variants = risks.entry(&risk.name).or_default();
            if !variants.contains(&rules) {
                variants.push(rules);
            }
        }
        let named = risks.into_iter();
        named.map(|(name, variants)| Self { name: name.to_owned(), variants }).collect()
    }

    /// The different queries of its rules.
    pub(super) fn queries(&self) -> impl Iterator<Item = &str> {
        self.variants.iter().flatten().filter_map(|rule| match rule {
            Rule::Always => None,
            Rule::PromQl(query) => Some(query.as_str()),
        })
    }

    /// Whether all its declarations have the same rules.
    pub(super) fn has_one_definition(&self) -> bool {
        self.variants.len() == 1
    }
}
