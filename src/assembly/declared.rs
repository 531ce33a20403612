//! What `blocked-edges/` declares, as the service takes it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::graph::{Declaration, DeclarationId, MatchingRule, Risk, RiskId};
use crate::graph_data::{Affected, BlockedEdge, GraphData, Verdict};
use crate::version::{self, Version};

use super::steering::Steering;
use super::{Consumer, Nodes};

/// The declarations that the service loads, in the order of their files.
pub(super) struct Declared {
    pub(super) declarations: Vec<Declaration>,
    pub(super) risks: Vec<Risk>,
    /// Every distinct pattern.
    pub(super) patterns: Vec<String>,
    items: Vec<Item>,
    place_of: HashMap<String, usize>,
}

struct Item {
    to: Version,
    /// `to` as the service writes it.
    text: String,
    pattern: usize,
    is_block: bool,
    /// What clusters are told; nothing of a block, nor by a service that knows no risks.
    risk: Option<RiskId>,
}

/// What is declared for the updates to one release.
#[derive(Default)]
pub(super) struct Rules {
    /// Every risk, in the order of the files.
    pub(super) risks: Vec<Hit>,
    /// The block: of several, the last.
    pub(super) block: Option<Hit>,
    /// A pattern that the release itself brings.
    pub(super) metadata: Option<usize>,
    /// All patterns as one, where that is not the same as each by itself.
    pub(super) joined: Option<usize>,
}

/// A declaration and its pattern.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub(super) declaration: DeclarationId,
    pub(super) pattern: usize,
    /// Whether clusters are told of the risk: one that names an architecture takes the update
    /// away for all of them, and explains it to one.
    pub(super) is_served: bool,
}

impl Declared {
    pub(super) fn of(data: &GraphData, consumer: Consumer) -> Self {
        Self::after(Vec::new(), HashMap::new(), data, consumer)
    }

    /// The same of another state of a repository. Its patterns begin with those of the first, so
    /// that releases are asked once about both.
    pub(super) fn beside(first: &Self, data: &GraphData, consumer: Consumer) -> Self {
        Self::after(first.patterns.clone(), first.place_of.clone(), data, consumer)
    }

    fn after(
        patterns: Vec<String>,
        place_of: HashMap<String, usize>,
        data: &GraphData,
        consumer: Consumer,
    ) -> Self {
        let (declarations, risks, items) = (Vec::new(), Vec::new(), Vec::new());
        let mut declared = Self { declarations, risks, patterns, items, place_of };
        let mut known: HashMap<Risk, RiskId> = HashMap::new();
        for edge in &data.blocked_edges {
            if data.file(edge.file).verdict != Verdict::Loads {
                continue;
            }
            let (Some(to), Some(from)) = (&edge.to, &edge.from) else { continue };
            let trimmed = || version::parse(to.value.trim_ascii());
            let Some(version) = edge.target.clone().or_else(trimmed) else { continue };
            let risk = risk(edge);
            let is_block = risk.is_none();
            let risk = risk.filter(|_| consumer == Consumer::Schema1_1).map(|risk| {
                *known.entry(risk).or_insert_with_key(|risk| {
                    declared.risks.push(risk.clone());
                    RiskId(u32::try_from(declared.risks.len() - 1).unwrap_or(u32::MAX))
                })
            });
            declared.declarations.push(Declaration {
                name: edge.name.as_ref().map(|name| name.value.as_str().into()),
                to: to.span,
                from: from.span,
            });
            let pattern = declared.pattern(&from.value);
            let text = version.to_string();
            declared.items.push(Item { to: version, text, pattern, is_block, risk });
        }
        declared
    }

    /// The place of a pattern among the distinct ones.
    fn pattern(&mut self, text: &str) -> usize {
        if let Some(place) = self.place_of.get(text) {
            return *place;
        }
        self.place_of.insert(text.to_owned(), self.patterns.len());
        self.patterns.push(text.to_owned());
        self.patterns.len() - 1
    }

    /// What is declared for each release.
    pub(super) fn rules(&mut self, releases: &Nodes<'_>, steering: &Steering) -> Vec<Rules> {
        let mut rules: Vec<Rules> =
            std::iter::repeat_with(Rules::default).take(releases.list.len()).collect();
        for (item, id) in self.items.iter().zip((0..).map(DeclarationId)) {
            let hit = Hit { declaration: id, pattern: item.pattern, is_served: true };
            let of_core = releases.of_core(&item.text).iter().copied();
            let build = match (item.to.build.as_str(), item.to.pre.as_str()) {
                ("", "s390x") => "s390x",
                (build, _) => build,
            };
            for node in of_core {
                let rules = &mut rules[node as usize];
                if !item.is_block {
                    let is_served =
                        item.to.build.is_empty() || releases.texts[node as usize] == item.text;
                    rules.risks.push(Hit { is_served, ..hit });
                } else if build.is_empty()
                    || releases.list[node as usize].version.build.as_str() == build
                {
                    rules.block = Some(hit);
                }
            }
        }
        for (rules, own) in rules.iter_mut().zip(steering.patterns()) {
            // A block replaces the pattern that a release brings; a risk is added to it.
            if let Some(own) = own.filter(|_| rules.block.is_none()) {
                rules.metadata = Some(self.pattern(own));
            }
            let changes_others = |at: usize| self.patterns[at].contains("(?");
            if rules.patterns().count() > 1 && rules.patterns().any(changes_others) {
                let joined = self.removal_pattern(rules);
                rules.joined = Some(self.pattern(&joined));
            }
        }
        rules
    }

    /// The pattern that takes away updates to a release, as the service writes it.
    pub(super) fn removal_pattern(&self, rules: &Rules) -> String {
        let parts: Vec<&str> = rules.pieces().map(|at| self.patterns[at].as_str()).collect();
        parts.join("|")
    }

    /// The risk that a declaration declares.
    pub(super) fn risk_of(&self, declaration: DeclarationId) -> Option<RiskId> {
        self.items[declaration.0 as usize].risk
    }
}

impl Rules {
    /// The patterns in the order in which the service joins them.
    pub(super) fn pieces(&self) -> impl Iterator<Item = usize> {
        let block = self.block.iter().chain(&self.risks).map(|hit| hit.pattern);
        self.metadata.into_iter().chain(block)
    }

    /// Every pattern that has a say.
    pub(super) fn patterns(&self) -> impl Iterator<Item = usize> {
        self.pieces().chain(self.joined)
    }
}

/// The risk that a file declares, as clusters are told of it; none of a block.
fn risk(edge: &BlockedEdge) -> Option<Risk> {
    let Affected::MatchingRules(rules) = &edge.affected else { return None };
    let text = |text: &Option<crate::text::Spanned<String>>| -> Arc<str> {
        text.as_ref().map_or("", |text| &text.value).into()
    };
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
