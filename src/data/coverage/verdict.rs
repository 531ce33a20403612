//! The verdict on a query: its answers on one cluster of each class.

use std::ops::Range;

use crate::metrics::Series;
use crate::promql::{self, Expr, NodeId, Query, Type};
use crate::text::words::listed;

use super::dictionary::Dictionary;
use super::outcome::Outcome;
use super::prover::{Clusters, HOSTED_ID, PartOutcome, Proof, prove};
use super::rarity::Rarity;
use super::search::{self, search};
use super::trial::{contradiction, hosted_fault};
use super::witness::Witness;

/// Whether each cluster gets exactly one sample that is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProofVerdict {
    Proved,
    CanGoWrong,
    NotDecided,
}

impl ProofVerdict {
    /// The name in JSON.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::CanGoWrong => "can-go-wrong",
            Self::NotDecided => "not-decided",
        }
    }
}

/// What a query answers on clusters.
#[derive(Clone, Debug)]
pub(crate) struct Coverage {
    pub(crate) verdict: ProofVerdict,
    /// One witness for each kind of wrong answer, the most usual first.
    pub(crate) witnesses: Vec<Witness>,
    /// A sentence that explains the verdict.
    pub(crate) note: String,
    /// The bytes of the query that could not be decided.
    pub(crate) undecided: Option<Range<usize>>,
    /// The verdict for clusters with hosted control planes, if the proof is not valid for them.
    pub(crate) hosted: Option<Hosted>,
    /// Whether no cluster gets an answer other than those that were seen.
    pub(crate) is_complete: bool,
    /// Whether some cluster gets a 0.
    pub(crate) zero: bool,
    pub(crate) one: bool,
    /// The sides of `or` that no cluster needs.
    pub(crate) unused: Vec<NodeId>,
    /// The parts that have no sample on any cluster, although their operands do.
    pub(crate) empty: Vec<NodeId>,
}

/// The verdict for clusters with hosted control planes.
#[derive(Clone, Debug)]
pub(crate) struct Hosted {
    pub(crate) verdict: ProofVerdict,
    /// A sentence that explains the verdict.
    pub(crate) note: String,
}

impl Coverage {
    /// Finds out what a query answers on the clusters that a dictionary allows.
    pub(crate) fn of(query: &Query, dictionary: &Dictionary) -> Self {
        if query.node(query.root()).kind != Type::Vector {
            return Self::never_a_vector(query);
        }
        let proof = prove(&[query], dictionary, Clusters::SelfManaged);
        if proof.is_proved() {
            return Self::proved(query, &proof);
        }
        Self::searched(query, search(query, dictionary), &proof)
    }

    /// Prepares the result for people: tests a proof on random clusters, and adds the verdict for
    /// hosted clusters. `text` is the query.
    pub(crate) fn tried(self, query: &Query, text: &str, dictionary: &Dictionary) -> Self {
        if self.verdict != ProofVerdict::Proved {
            return self;
        }
        match contradiction(query, dictionary) {
            Some(but) => Self::contradicted(text, &but),
            None => self.with_hosted(text, dictionary),
        }
    }

    /// Adds the verdict for hosted clusters to a proof. `text` is the query.
    pub(crate) fn with_hosted(self, text: &str, dictionary: &Dictionary) -> Self {
        if self.verdict != ProofVerdict::Proved {
            return self;
        }
        let Some(hosted) = hosted(text, dictionary) else { return self };
        let note = "each self-managed cluster gets exactly one sample, 0 or 1".to_owned();
        Self { note, hosted: Some(hosted), ..self }
    }

    /// The coverage of a query that is not proved.
    fn searched(query: &Query, found: search::SearchResult, proof: &Proof) -> Self {
        let (verdict, note) = match found.witnesses.first() {
            Some(first) => (ProofVerdict::CanGoWrong, first.sentence()),
            None => (ProofVerdict::NotDecided, doubt(proof)),
        };
        let part = proof.obstacle().and_then(|obstacle| obstacle.part);
        let part = part.filter(|_| verdict == ProofVerdict::NotDecided);
        let is_complete = proof.gap.is_none();
        let can_be = proof.can_be.first().copied().unwrap_or_default();
        Self {
            verdict,
            witnesses: found.witnesses,
            undecided: part.map(|(_, id)| query.node(id).range.clone()),
            is_complete,
            zero: found.zero || is_complete && can_be.zero,
            one: found.one || is_complete && can_be.one,
            unused: unused(query, proof),
            empty: empty(query, proof),
            ..Self::without_witness(note)
        }
    }

    fn proved(query: &Query, proof: &Proof) -> Self {
        let can_be = proof.can_be.first().copied().unwrap_or_default();
        Self {
            verdict: ProofVerdict::Proved,
            is_complete: true,
            zero: can_be.zero,
            one: can_be.one,
            unused: unused(query, proof),
            empty: empty(query, proof),
            ..Self::without_witness("each cluster gets exactly one sample, 0 or 1".into())
        }
    }

    /// The coverage of a query whose proof is contradicted by a cluster.
    fn contradicted(text: &str, but: &str) -> Self {
        Self::without_witness(format!(
            "exitpath proves that each cluster gets one sample, 0 or 1, but {but}. This is a bug of exitpath. Please report it with the query: {text}"
        ))
    }

    /// The coverage of a query that is not examined.
    pub(crate) fn not_decided(why: &str) -> Self {
        Self::without_witness(format!("not decided because of {why}"))
    }

    fn without_witness(note: String) -> Self {
        Self {
            verdict: ProofVerdict::NotDecided,
            witnesses: Vec::new(),
            note,
            undecided: None,
            hosted: None,
            is_complete: false,
            zero: true,
            one: true,
            unused: Vec::new(),
            empty: Vec::new(),
        }
    }

    fn never_a_vector(query: &Query) -> Self {
        let words = "the result is not a vector".to_owned();
        let witness = Witness {
            outcome: Outcome::Error(words),
            rarity: Rarity::Common,
            series: Vec::new(),
            blame: query.node(query.root()).range.clone(),
            words: "of any kind".into(),
            lacking: Vec::new(),
        };
        Self {
            verdict: ProofVerdict::CanGoWrong,
            witnesses: vec![witness],
            is_complete: true,
            zero: false,
            one: false,
            ..Self::without_witness("clusters refuse an answer that is not a vector".into())
        }
    }

    /// The witness for an outcome that `is_it` accepts.
    pub(crate) fn witness(&self, is_it: impl Fn(&Outcome) -> bool) -> Option<&Witness> {
        self.witnesses.iter().find(|witness| is_it(&witness.outcome))
    }
}

/// The sides of `or` that no cluster needs.
fn unused(query: &Query, proof: &Proof) -> Vec<NodeId> {
    let needed = proof.needed.first();
    let is_needed = |id: NodeId| needed.is_none_or(|needed| needed[id.index()]);
    let ors = query.nodes().filter(|(id, node)| node.expr.is_or() && !is_needed(*id));
    if proof.gap.is_none() { ors.map(|(id, _)| id).collect() } else { Vec::new() }
}

/// The parts that have no sample on any cluster, although their operands do.
fn empty(query: &Query, proof: &Proof) -> Vec<NodeId> {
    let Some(found) = proof.found.first().filter(|_| proof.gap.is_none()) else {
        return Vec::new();
    };
    let has_samples = |id: &NodeId| found[id.index()] == PartOutcome::Samples;
    let operators = query.nodes().filter(|(_, node)| matches!(node.expr, Expr::Binary(_)));
    let empty = operators.filter(|(id, node)| {
        found[id.index()] == PartOutcome::Nothing && node.expr.operands().iter().all(has_samples)
    });
    empty.map(|(id, _)| id).collect()
}

/// The verdict for clusters with hosted control planes. None if the query is proved for them, too.
fn hosted(text: &str, dictionary: &Dictionary) -> Option<Hosted> {
    let mut asking = Series::default();
    asking.cluster_id = Some(HOSTED_ID.to_owned());
    let query = promql::parse(&asking.as_asked(text)).ok()?;
    let proof = prove(&[&query], dictionary, Clusters::Hosted);
    match hosted_fault(text) {
        Some((name, outcome)) => Some(Hosted {
            verdict: ProofVerdict::CanGoWrong,
            note: format!("on the sample cluster `{name}`, it {}", outcome.in_words()),
        }),
        None if proof.is_proved() => None,
        None => Some(Hosted { verdict: ProofVerdict::NotDecided, note: doubt(&proof) }),
    }
}

/// Why a query is not decided, although its answer was right on each cluster that was tried.
fn doubt(proof: &Proof) -> String {
    let unknown: Vec<String> = proof.unknown.iter().map(|name| format!("`{name}`")).collect();
    if !unknown.is_empty() {
        return format!("the dictionary of metrics does not know {}", listed(&unknown, "and"));
    }
    proof.obstacle().map_or_else(String::new, |obstacle| obstacle.words.clone())
}
