//! A declaration of `blocked-edges/`: a block, or a risk.

use std::ops::Range;
use std::sync::Arc;

use crate::domain::version::{self, Version};
use crate::domain::{Named, RuleKind};
use crate::text::SourceId;
use crate::yaml::{Document, NodeId};

use super::{DataFile, FileKind, ReleaseId, ReleasePairs, Releases, Text};

/// One file of `blocked-edges/`. A value is None if it is missing or has the wrong type. The file
/// then has a [`Fault`](crate::schema::Fault).
#[derive(Clone, Debug)]
pub struct BlockedEdge {
    /// The file.
    pub file: SourceId,
    /// The target release, as written.
    pub to: Option<Text>,
    /// The target. None if `to` is not a version.
    pub target: Option<Version>,
    /// The release with the target's version. None if no channel has it.
    pub release: Option<ReleaseId>,
    /// The releases that may have an update to the target. Empty if there is no target.
    pub possible_origins: Range<ReleaseId>,
    /// The pattern of origins.
    pub from: Option<Text>,
    /// The risk's name. None if it is a block.
    pub name: Option<Text>,
    /// A page about the risk.
    pub url: Option<Text>,
    /// The text for administrators.
    pub message: Option<Text>,
    /// The first release without the risk.
    pub fixed_in: Option<Text>,
    /// Why the risk is extended to every later release.
    pub auto_extend: Option<Text>,
    /// Which clusters are affected.
    pub affected: Affected,
}

/// Which clusters a declaration affects.
#[derive(Clone, Debug)]
pub enum Affected {
    /// All clusters.
    Everyone,
    /// The first rule that has an answer decides.
    MatchingRules(Vec<MatchingRule>),
    /// The notation of the enhancement's first draft: clusters that match either property. The
    /// query returns 1 for affected clusters and 0 for others.
    Clusters {
        /// The key `clusters`.
        key: NodeId,
        /// A query.
        promql: Option<Text>,
        /// An infrastructure type.
        platform: Option<Text>,
    },
}

/// One entry of `matchingRules`.
#[derive(Clone, Debug)]
pub struct MatchingRule {
    /// `Always`, `PromQL`, or an invalid type.
    pub kind: Option<Text>,
    /// The query.
    pub query: Option<Text>,
}

impl BlockedEdge {
    pub(super) fn read(file: &DataFile, releases: &Releases) -> Option<Self> {
        if file.kind != FileKind::BlockedEdge {
            return None;
        }
        let document = file.document()?;
        let keys = ["to", "from", "name", "url", "message", "fixedIn", "autoExtend"];
        let texts = document.values(document.root(), keys).map(|node| file.text_of(node?));
        let [to, from, name, url, message, fixed_in, auto_extend] = texts;
        let target = to.as_ref().and_then(|to| version::parse(&to.value));
        let (release, possible_origins) = place_of(target.as_ref(), releases);
        Some(Self {
            file: file.id,
            release,
            possible_origins,
            target,
            to,
            from,
            name,
            url,
            message,
            fixed_in,
            auto_extend,
            affected: affected(file, document),
        })
    }

    /// The same declaration, among the releases of another state.
    pub(super) fn among(edge: &Arc<Self>, pairs: &ReleasePairs, releases: &Releases) -> Arc<Self> {
        let (release, possible_origins) = match edge.release.and_then(|id| pairs.after[id]) {
            Some(release) => (Some(release), releases.possible_origins_of(release)),
            None => place_of(edge.target.as_ref(), releases),
        };
        if (release, &possible_origins) == (edge.release, &edge.possible_origins) {
            return Arc::clone(edge);
        }
        Arc::new(Self { release, possible_origins, ..Self::clone(edge) })
    }

    /// The queries that clusters evaluate, without empty ones.
    pub fn queries(&self) -> impl Iterator<Item = &Text> {
        let rules = match &self.affected {
            Affected::MatchingRules(rules) => rules.as_slice(),
            _ => &[],
        };
        let rules = rules.iter().filter(|rule| rule.known_kind() == Some(RuleKind::PromQl));
        let draft = match &self.affected {
            Affected::Clusters { promql, .. } => promql.as_ref(),
            _ => None,
        };
        let all = rules.filter_map(|rule| rule.query.as_ref()).chain(draft);
        all.filter(|query| !query.value.trim().is_empty())
    }

    /// Whether the query of a node is that of the last rule.
    pub fn asks_last(&self, node: NodeId) -> bool {
        match &self.affected {
            Affected::MatchingRules(rules) => rules
                .last()
                .and_then(|rule| rule.query.as_ref())
                .is_some_and(|query| query.node == node),
            Affected::Everyone | Affected::Clusters { .. } => true,
        }
    }

    /// Whether it is in the notation of the enhancement's first draft: it has the key `clusters`,
    /// or only a URL about a problem of all clusters.
    pub fn is_draft(&self) -> bool {
        match &self.affected {
            Affected::Clusters { .. } => true,
            Affected::Everyone => self.url.is_some(),
            Affected::MatchingRules(_) => false,
        }
    }

    /// Whether it is a block: it removes updates for all clusters.
    pub fn is_block(&self) -> bool {
        match &self.affected {
            Affected::Everyone => self.name.is_none(),
            Affected::MatchingRules(_) => false,
            Affected::Clusters { promql, platform, .. } => promql.is_none() && platform.is_none(),
        }
    }
}

impl MatchingRule {
    /// Its type, if it is one that clusters know.
    pub fn known_kind(&self) -> Option<RuleKind> {
        RuleKind::named(&self.kind.as_ref()?.value)
    }

    /// Its type, if clusters understand the rule.
    pub fn understood_kind(&self) -> Option<RuleKind> {
        let query = self.query.as_ref().map(|query| query.value.as_str());
        self.known_kind().filter(|kind| kind.fits(query))
    }
}

impl Affected {
    /// Whether these are all clusters: the first rule that clusters understand decides.
    pub fn is_everyone(&self) -> bool {
        let Self::MatchingRules(rules) = self else { return true };
        rules.iter().find_map(MatchingRule::understood_kind) == Some(RuleKind::Always)
    }

    /// Whether clusters understand one of the rules. If not, they drop all updates with the risk.
    pub fn is_understood(&self) -> bool {
        let Self::MatchingRules(rules) = self else { return true };
        rules.iter().any(|rule| rule.understood_kind().is_some())
    }
}

/// The possible origins of the targets of some declarations, as ranges with gaps between them.
pub(super) fn possible_origins<'e>(
    edges: impl Iterator<Item = &'e BlockedEdge>,
) -> Vec<Range<ReleaseId>> {
    let mut ranges: Vec<&Range<ReleaseId>> =
        edges.map(|edge| &edge.possible_origins).filter(|range| !range.is_empty()).collect();
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<ReleaseId>> = Vec::new();
    for range in ranges {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range.clone()),
        }
    }
    merged
}

/// The release with a target's version, and the possible origins of the target.
fn place_of(
    target: Option<&Version>,
    releases: &Releases,
) -> (Option<ReleaseId>, Range<ReleaseId>) {
    let nothing = || ReleaseId::at(0)..ReleaseId::at(0);
    (
        target.and_then(|target| releases.find(target)),
        target.map_or_else(nothing, |target| releases.possible_origins(target)),
    )
}

fn affected(file: &DataFile, document: &Document) -> Affected {
    if let Some(list) = document.top("matchingRules") {
        let rules = document.items(list).iter().map(|rule| matching_rule(file, document, *rule));
        return Affected::MatchingRules(rules.collect());
    }
    match file.entry("clusters") {
        Some(entry) => {
            let text = |key| file.text_of(document.get(entry.value, key)?);
            Affected::Clusters {
                key: entry.key,
                promql: text("promql"),
                platform: text("platform"),
            }
        }
        None => Affected::Everyone,
    }
}

fn matching_rule(file: &DataFile, document: &Document, rule: NodeId) -> MatchingRule {
    let [kind, promql] = document.values(rule, ["type", "promql"]);
    let query = promql.and_then(|promql| document.get(promql, "promql"));
    MatchingRule {
        kind: kind.and_then(|kind| file.text_of(kind)),
        query: query.and_then(|query| file.text_of(query)),
    }
}
