//! Loads the files of `blocked-edges/` as the service does.

use std::collections::HashMap;
use std::sync::Arc;

use crate::domain::Arena;
use crate::domain::version::{self, Version};
use crate::graph::{Declaration, DeclarationId, MatchingRule, Risk, RiskId};
use crate::graph_data::{Affected, BlockedEdge, GraphData, Text, Verdict};

use super::consumer::Consumer;
use super::edge_metadata::EdgeMetadata;
use super::release_index::ReleaseIndex;
use super::target_rules::{DeclaredPattern, TargetRules};

/// The declarations that the service loads, in the order of their files.
pub(super) struct LoadedDeclarations {
    pub(super) declarations: Arena<DeclarationId, Declaration>,
    pub(super) risks: Arena<RiskId, Risk>,
    pub(super) patterns: Vec<String>,
    loaded: Arena<DeclarationId, LoadedDeclaration>,
    index_of: HashMap<String, usize>,
}

struct LoadedDeclaration {
    to: Version,
    /// `to` in the notation of the service.
    text: String,
    pattern: usize,
    is_block: bool,
    /// None for a block, and for a service without risks.
    risk: Option<RiskId>,
}

impl LoadedDeclarations {
    pub(super) fn of(data: &GraphData, consumer: Consumer) -> Self {
        Self::extending(Vec::new(), HashMap::new(), data, consumer)
    }

    /// Loads the declarations of another state of the repository. Its patterns begin with those of
    /// the first state, so that each pattern is matched only once.
    pub(super) fn of_other_state(first: &Self, data: &GraphData, consumer: Consumer) -> Self {
        Self::extending(first.patterns.clone(), first.index_of.clone(), data, consumer)
    }

    fn extending(
        patterns: Vec<String>,
        index_of: HashMap<String, usize>,
        data: &GraphData,
        consumer: Consumer,
    ) -> Self {
        let (declarations, risks) = (Arena::default(), Arena::default());
        let loaded = Arena::default();
        let mut declared = Self { declarations, risks, patterns, loaded, index_of };
        let mut known: HashMap<Risk, RiskId> = HashMap::new();
        for edge in &data.blocked_edges {
            if data.file(edge.file).verdict != Verdict::Loads {
                continue;
            }
            let (Some(to), Some(from)) = (&edge.to, &edge.from) else { continue };
            let trimmed = || version::parse(to.value.trim_ascii());
            let Some(version) = edge.target.clone().or_else(trimmed) else { continue };
            let is_block = edge.is_block();
            let risk = risk(edge).filter(|_| consumer == Consumer::Schema1_1).map(|risk| {
                *known.entry(risk).or_insert_with_key(|risk| declared.risks.push(risk.clone()))
            });
            declared.declarations.push(Declaration {
                name: edge.name.as_ref().map(|name| name.value.as_str().into()),
                to: to.span,
                from: from.span,
            });
            let pattern = declared.index_of_pattern(&from.value);
            let text = version.to_string();
            declared.loaded.push(LoadedDeclaration { to: version, text, pattern, is_block, risk });
        }
        declared
    }

    fn index_of_pattern(&mut self, text: &str) -> usize {
        if let Some(index) = self.index_of.get(text) {
            return *index;
        }
        self.index_of.insert(text.to_owned(), self.patterns.len());
        self.patterns.push(text.to_owned());
        self.patterns.len() - 1
    }

    /// What is declared for the updates to each release.
    pub(super) fn rules(
        &mut self,
        releases: &ReleaseIndex<'_>,
        edge_metadata: &EdgeMetadata,
    ) -> Vec<TargetRules> {
        let mut rules: Vec<TargetRules> =
            std::iter::repeat_with(TargetRules::default).take(releases.nodes.len()).collect();
        for (id, item) in self.loaded.entries() {
            let declared =
                DeclaredPattern { declaration: id, pattern: item.pattern, is_served: true };
            let targets = releases.any_build(&item.text).iter().copied();
            let build = match (item.to.build.as_str(), item.to.pre.as_str()) {
                ("", "s390x") => "s390x",
                (build, _) => build,
            };
            for node in targets {
                let rules = &mut rules[node as usize];
                if !item.is_block {
                    let is_served =
                        item.to.build.is_empty() || releases.texts[node as usize] == item.text;
                    rules.risks.push(DeclaredPattern { is_served, ..declared });
                } else if build.is_empty()
                    || releases.nodes[node as usize].version.build.as_str() == build
                {
                    rules.block = Some(declared);
                }
            }
        }
        for (rules, own) in rules.iter_mut().zip(edge_metadata.remove_patterns()) {
            // Like the service: a block replaces the release's own pattern, a risk adds to it.
            if let Some(own) = own.filter(|_| rules.block.is_none()) {
                rules.metadata = Some(self.index_of_pattern(own));
            }
            let has_flags_or_groups = |at: usize| self.patterns[at].contains("(?");
            if rules.patterns().count() > 1 && rules.patterns().any(has_flags_or_groups) {
                let joined = self.removal_pattern(rules);
                rules.joined = joined.map(|joined| self.index_of_pattern(&joined));
            }
        }
        rules
    }

    /// The pattern that removes updates to a release, as the service writes it. None: nothing
    /// is declared.
    pub(super) fn removal_pattern(&self, rules: &TargetRules) -> Option<String> {
        let parts: Vec<&str> = rules.in_order().map(|at| self.patterns[at].as_str()).collect();
        (!parts.is_empty()).then(|| parts.join("|"))
    }

    pub(super) fn risk_of(&self, declaration: DeclarationId) -> Option<RiskId> {
        self.loaded[declaration].risk
    }
}

/// The risk that a file declares. None: it declares a block.
fn risk(edge: &BlockedEdge) -> Option<Risk> {
    let Affected::MatchingRules(rules) = &edge.affected else { return None };
    let text =
        |text: &Option<Text>| -> Arc<str> { text.as_ref().map_or("", |text| &text.value).into() };
    let rules = rules.iter().map(|rule| MatchingRule {
        kind: text(&rule.kind),
        promql: rule.query.as_ref().map(|query| query.value.as_str().into()),
    });
    Some(Risk {
        url: text(&edge.url),
        name: text(&edge.name),
        message: text(&edge.message),
        matching_rules: rules.collect(),
    })
}
