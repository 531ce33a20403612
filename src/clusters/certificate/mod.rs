//! What can be guaranteed of a graph, with the evidence: for `simulate --certificate`.
//!
//! A reader who does not trust this program can check the certificate with
//! `contrib/check-certificate.py`.

mod channels;
mod queries;
mod support;

use crate::analysis::{Contradictions, Goal, Simulation};
use crate::graph_data::GraphData;
use crate::lineage::Supported;

pub(crate) use channels::CertifiedChannel;
pub(crate) use queries::QueryProof;
pub(crate) use support::SupportedMinor;

/// What a certificate is asked about.
#[derive(Debug)]
pub(crate) struct CertificateRequest<'r> {
    /// The graph, with the channels and architectures in question.
    pub simulation: &'r Simulation<'r>,
    /// The same channels before a change.
    pub base: Option<&'r Simulation<'r>>,
    pub supported: &'r Supported,
    /// The goals of G1: the newest patch, and the channel's minor.
    pub goals: Vec<Goal>,
    /// The repository, for its queries. None for a graph file.
    pub data: Option<&'r GraphData>,
}

/// What is guaranteed, with the evidence.
#[derive(Debug)]
pub(crate) struct Certificate<'r> {
    pub request: CertificateRequest<'r>,
    pub support: Vec<SupportedMinor>,
    pub channels: Vec<CertifiedChannel<'r>>,
    pub queries: Vec<QueryProof>,
    /// Risks of the stranding sets that never affect the same cluster.
    pub contradictions: Contradictions,
}

/// One of the statements of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// Unconditional updates lead to the goals from wherever clusters can get to.
    AlwaysAPath,
    /// The sets of risks that strand releases are exactly these.
    ExactlyTheseSets,
    /// The change takes no supported release's last unconditional path.
    NoPathLost,
    /// Each query answers exactly one sample, 0 or 1.
    EachQueryAnswers,
}

impl Statement {
    pub(crate) const ALL: [Self; 4] =
        [Self::AlwaysAPath, Self::ExactlyTheseSets, Self::NoPathLost, Self::EachQueryAnswers];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AlwaysAPath => "G1",
            Self::ExactlyTheseSets => "G2",
            Self::NoPathLost => "G3",
            Self::EachQueryAnswers => "G4",
        }
    }
}

impl<'r> Certificate<'r> {
    pub(crate) fn of(request: CertificateRequest<'r>) -> Self {
        let support = support::minors(request.simulation, request.supported);
        let channels = channels::certified(&request, &support);
        let sets = channels.iter().flat_map(CertifiedChannel::sets);
        let names = &request.simulation.names;
        let contradictions = Contradictions::within(request.simulation.graph, names, sets);
        let queries = request.data.map(queries::proofs).unwrap_or_default();
        Self { request, support, channels, queries, contradictions }
    }

    /// Whether a statement holds. None if it was not examined.
    pub(crate) fn holds(&self, statement: Statement) -> Option<bool> {
        let guarantees = || self.channels.iter().filter_map(|one| one.guarantee.as_ref());
        let failures = || guarantees().flat_map(|one| &one.aims).flat_map(|aim| &aim.failures);
        match statement {
            Statement::AlwaysAPath => Some(failures().next().is_none()),
            Statement::ExactlyTheseSets => Some(failures().all(|failure| failure.are_all)),
            Statement::NoPathLost => {
                self.request.base?;
                Some(self.channels.iter().all(|channel| channel.lost.is_empty()))
            }
            Statement::EachQueryAnswers => {
                self.request.data?;
                Some(self.queries.iter().all(QueryProof::holds))
            }
        }
    }

    /// The number of supported releases.
    pub(crate) fn supported(&self) -> usize {
        self.support.iter().map(|minor| minor.releases.len()).sum()
    }
}
