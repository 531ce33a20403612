//! Why each update is open, conditional or blocked.

use crate::domain::{Arena, HashMap};
use crate::graph::{DeclarationId, REMOVE_REGEX_KEY, Reason, ReasonId, State};
use crate::lineage::LineageNodeId;

use super::edge_metadata::EdgeMetadata;
use super::pattern_matches::{PatternId, PatternMatches};
use super::target_rules::TargetRules;

/// The id of the reason for open updates, which is always first.
fn open() -> ReasonId {
    ReasonId::at(0)
}

/// Finds the reasons of updates, and keeps each distinct one once.
pub(super) struct ReasonFinder<'a> {
    edge_metadata: &'a EdgeMetadata,
    matches: &'a PatternMatches,
    pub(super) reasons: Arena<ReasonId, Reason>,
    ids: HashMap<Reason, ReasonId>,
}

/// Finds the reasons of the updates to one release. Most origins match the same patterns, so
/// each combination of patterns is evaluated only once.
pub(super) struct TargetReasons<'f, 'a> {
    finder: &'f mut ReasonFinder<'a>,
    to: LineageNodeId,
    rules: &'f TargetRules,
    mask: Vec<(usize, u64)>,
    known: Vec<(Vec<u64>, ReasonId)>,
}

impl<'a> ReasonFinder<'a> {
    pub(super) fn new(edge_metadata: &'a EdgeMetadata, matches: &'a PatternMatches) -> Self {
        let reasons = Arena::from_iter([Reason::default()]);
        Self { edge_metadata, matches, reasons, ids: HashMap::default() }
    }

    pub(super) fn at_target<'f>(
        &'f mut self,
        to: LineageNodeId,
        rules: &'f TargetRules,
    ) -> TargetReasons<'f, 'a> {
        let mask = PatternMatches::mask(rules.patterns());
        TargetReasons { finder: self, to, rules, mask, known: Vec::new() }
    }

    /// The id of a reason, if the reason has an id already.
    pub(super) fn find(&self, reason: &Reason) -> Option<ReasonId> {
        let is_open = || *reason == Reason::default();
        self.ids.get(reason).copied().or_else(|| is_open().then(open))
    }

    /// The id of a reason. Gives the next id to a new reason.
    pub(super) fn id(&mut self, reason: &Reason) -> ReasonId {
        self.find(reason).unwrap_or_else(|| {
            let id = self.reasons.push(reason.clone());
            self.ids.insert(reason.clone(), id);
            id
        })
    }
}

impl TargetReasons<'_, '_> {
    pub(super) fn reason_for(&mut self, from: LineageNodeId) -> ReasonId {
        let edge_metadata = self.finder.edge_metadata;
        if !edge_metadata.removes_any() && self.mask.is_empty() {
            return open();
        }
        let removed_by = edge_metadata.removed_by(from, self.to);
        let matches = self.finder.matches;
        let found = |known: &[u64]| {
            let mut words = self.mask.iter().zip(known);
            words.all(|((word, mask), known)| matches.word(from, *word) & mask == *known)
        };
        if removed_by.is_none()
            && let Some((_, reason)) = self.known.iter().find(|(known, _)| found(known))
        {
            return *reason;
        }
        let words = self.mask.iter().map(|(word, mask)| matches.word(from, *word) & mask);
        let words: Vec<u64> = words.collect();
        let reason = self.reason_of(from, removed_by);
        let reason = self.finder.id(&reason);
        if removed_by.is_none() {
            self.known.push((words, reason));
        }
        reason
    }

    /// Like the service, looks for risks before it looks for blocks: an update with risks is
    /// conditional, not blocked.
    fn reason_of(&self, from: LineageNodeId, removed_by: Option<&'static str>) -> Reason {
        let matches = self.finder.matches;
        let applies = |pattern: PatternId| matches.matches(from, pattern);
        let mut declarations: Vec<DeclarationId> = Vec::new();
        let risks = self.rules.risks.iter().filter(|risk| applies(risk.pattern));
        let mut served_risks = Vec::new();
        for risk in risks {
            declarations.push(risk.declaration);
            if risk.is_served {
                served_risks.extend(risk.risk);
            }
        }
        let block = self.rules.block.filter(|block| applies(block.pattern));
        declarations.extend(block.map(|block| block.declaration));
        declarations.sort_unstable();
        let is_removed = match self.rules.joined {
            // The service joins patterns, which gives some of them another meaning.
            Some(joined) => applies(joined),
            None => !declarations.is_empty() || self.rules.metadata.is_some_and(applies),
        };
        let key =
            if is_removed && declarations.is_empty() { Some(REMOVE_REGEX_KEY) } else { removed_by };
        let state = match (served_risks.is_empty(), is_removed || removed_by.is_some()) {
            (false, _) => State::Conditional(served_risks),
            (true, true) => State::Blocked,
            (true, false) => State::Open,
        };
        match state {
            State::Open => Reason::default(),
            state => Reason { state, declarations, metadata_key: key },
        }
    }
}
