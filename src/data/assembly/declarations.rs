//! Loads the files of `blocked-edges/` as the service does.

use std::sync::Arc;

use crate::domain::version::{self, Version};
use crate::domain::{Arena, HashMap};
#[cfg(feature = "lsp")]
use crate::graph::UpdateGraph;
use crate::graph::{Declaration, DeclarationId, MatchingRule, Risk, RiskId};
use crate::graph_data::{Affected, BlockedEdge, Consumer, GraphData, Meaning, Text};
use crate::lineage::LineageNodeId;

use super::draft;
use super::edge_metadata::EdgeMetadata;
use super::pattern_matches::PatternId;
use super::release_index::ReleaseIndex;
use super::target_rules::{DeclaredPattern, TargetRules};

/// The declarations that the service loads, in the order of their files.
#[derive(Default)]
pub(super) struct LoadedDeclarations {
    pub(super) declarations: Arena<DeclarationId, Declaration>,
    pub(super) risks: Arena<RiskId, Risk>,
    pub(super) patterns: Arena<PatternId, String>,
    pub(super) risk_ids: HashMap<Risk, RiskId>,
    loaded: Vec<LoadedDeclaration>,
    pattern_ids: HashMap<String, PatternId>,
}

struct LoadedDeclaration {
    id: DeclarationId,
    to: Version,
    /// `to` in the notation of the service.
    text: String,
    pattern: PatternId,
    is_block: bool,
    /// None for a block, or if the service does not support risks.
    risk: Option<RiskId>,
}

impl LoadedDeclarations {
    pub(super) fn of(data: &GraphData, consumer: Consumer) -> Self {
        Self::extending(Arena::default(), HashMap::default(), data, consumer)
    }

    /// Loads the declarations of another state of the repository. Its list of patterns begins with
    /// the list of the first state, so that both can use the same matches.
    pub(super) fn of_other_state(first: &Self, data: &GraphData, consumer: Consumer) -> Self {
        Self::extending(first.patterns.clone(), first.pattern_ids.clone(), data, consumer)
    }

    fn extending(
        patterns: Arena<PatternId, String>,
        pattern_ids: HashMap<String, PatternId>,
        data: &GraphData,
        consumer: Consumer,
    ) -> Self {
        let mut declared = Self { patterns, pattern_ids, ..Self::default() };
        for file in loaded_files(data, consumer) {
            let id = declared.declarations.push(Declaration {
                name: file.edge.name.as_ref().map(|name| name.value.as_str().into()),
                to: file.to.span,
            });
            let (risks, risk_ids) = (&mut declared.risks, &mut declared.risk_ids);
            let risk = file.risk(consumer).map(|risk| {
                *risk_ids.entry(risk).or_insert_with_key(|risk| risks.push(risk.clone()))
            });
            declared.load(file, id, risk);
        }
        declared
    }

    /// Loads only the declarations for some targets. All of them are in a graph.
    #[cfg(feature = "lsp")]
    pub(super) fn of_targets(
        data: &GraphData,
        consumer: Consumer,
        graph: &UpdateGraph,
        is_meant: impl Fn(&Version) -> bool,
    ) -> Self {
        let mut declared = Self::default();
        let files = graph.declarations.ids().zip(loaded_files(data, consumer));
        for (id, file) in files.filter(|(_, file)| is_meant(&file.version)) {
            let risk = file.risk(consumer).and_then(|risk| {
                graph.risks.entries().find(|(_, known)| **known == risk).map(|(id, _)| id)
            });
            declared.load(file, id, risk);
        }
        declared
    }

    fn load(&mut self, file: LoadedFile<'_>, id: DeclarationId, risk: Option<RiskId>) {
        let LoadedFile { edge, from, version: to, meaning, .. } = file;
        // For a service of schema 1.0, a risk removes updates as a block does. But it does not
        // replace a block of the same target: both count.
        let is_block = edge.is_block() && meaning == Meaning::Block;
        let (pattern, text) = (self.pattern_id(&from.value), version::text_of(&to));
        self.loaded.push(LoadedDeclaration { id, to, text, pattern, is_block, risk });
    }

    fn pattern_id(&mut self, text: &str) -> PatternId {
        if let Some(id) = self.pattern_ids.get(text) {
            return *id;
        }
        let id = self.patterns.push(text.to_owned());
        self.pattern_ids.insert(text.to_owned(), id);
        id
    }

    /// What is declared for the updates to each release.
    pub(super) fn rules(
        &mut self,
        releases: &ReleaseIndex<'_>,
        edge_metadata: &EdgeMetadata,
    ) -> Arena<LineageNodeId, TargetRules> {
        let mut rules: Arena<LineageNodeId, TargetRules> =
            releases.nodes.iter().map(|_| TargetRules::default()).collect();
        for item in &self.loaded {
            let declared = DeclaredPattern {
                declaration: item.id,
                pattern: item.pattern,
                risk: item.risk,
                is_served: true,
            };
            let targets = releases.any_build(&item.text).iter().copied();
            let build = match (item.to.build.as_str(), item.to.pre.as_str()) {
                ("", "s390x") => "s390x",
                (build, _) => build,
            };
            for node in targets {
                let rules = &mut rules[node];
                if !item.is_block {
                    let is_served = item.to.build.is_empty() || releases.texts[node] == item.text;
                    rules.risks.push(DeclaredPattern { is_served, ..declared });
                } else if build.is_empty() || releases.nodes[node].version.build.as_str() == build {
                    rules.block = Some(declared);
                }
            }
        }
        for node in releases.nodes.ids() {
            let rules = &mut rules[node];
            // Like the service: a block replaces the release's own pattern, and a risk is added to
            // it.
            let own = edge_metadata.remove_pattern(node);
            if let Some(own) = own.filter(|_| rules.block.is_none()) {
                rules.metadata = Some(self.pattern_id(own));
            }
            let has_flags_or_groups = |id: PatternId| self.patterns[id].contains("(?");
            if rules.patterns().count() > 1 && rules.patterns().any(has_flags_or_groups) {
                let joined = self.removal_pattern(rules);
                rules.joined = joined.map(|joined| self.pattern_id(&joined));
            }
        }
        rules
    }

    /// The pattern that removes updates to a release, as the service writes it. None if nothing
    /// is declared.
    pub(super) fn removal_pattern(&self, rules: &TargetRules) -> Option<String> {
        let parts: Vec<&str> = rules.in_order().map(|id| self.patterns[id].as_str()).collect();
        (!parts.is_empty()).then(|| parts.join("|"))
    }
}

/// A file that the service loads.
pub(super) struct LoadedFile<'d> {
    pub(super) edge: &'d BlockedEdge,
    to: &'d Text,
    from: &'d Text,
    /// The release of whose updates it declares something.
    pub(super) version: Version,
    pub(super) meaning: Meaning,
}

impl LoadedFile<'_> {
    /// None for a block, or if the service does not support risks.
    fn risk(&self, consumer: Consumer) -> Option<Risk> {
        match self.meaning {
            _ if consumer == Consumer::Schema1_0 => None,
            Meaning::Block => None,
            Meaning::Risk => risk(self.edge),
            Meaning::DraftRisk => Some(draft::risk(self.edge)),
        }
    }
}

/// The files that the service loads, one for each declaration.
pub(super) fn loaded_files(
    data: &GraphData,
    consumer: Consumer,
) -> impl Iterator<Item = LoadedFile<'_>> {
    data.blocked_edges.iter().filter_map(move |edge| {
        let meaning = consumer.meaning(data, edge)?;
        let (to, from) = (edge.to.as_ref()?, edge.from.as_ref()?);
        Some(LoadedFile { edge, to, from, version: target(edge)?, meaning })
    })
}

/// The release of whose updates a file declares something.
fn target(edge: &BlockedEdge) -> Option<Version> {
    let trimmed = || version::parse(edge.to.as_ref()?.value.trim_ascii());
    edge.target.clone().or_else(trimmed)
}

/// The risk that a file declares. None if it declares a block.
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
