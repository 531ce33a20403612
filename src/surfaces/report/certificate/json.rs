//! The certificate itself.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use crate::analysis::{AimProof, ChannelGraph, Failing, LostPath, MemberId, RiskNameId};
use crate::certificate::{CertifiedChannel, QueryProof, Statement, SupportedMinor};
use crate::coverage::Dictionary;
use crate::domain::Named;
use crate::report::json::write_json_line;
use crate::text::sha256;

use super::{CertificateReport, NOT_COVERED};

#[derive(Serialize)]
struct CertificateJson<'a> {
    version: u8,
    made_by: &'static str,
    subject: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a str>,
    updates: UpdatesJson<'a>,
    goals: Vec<&'static str>,
    /// Whether each statement holds. None: it was not examined.
    holds: BTreeMap<&'static str, Option<bool>>,
    support: SupportJson<'a>,
    channels: Vec<ChannelJson<'a>>,
    /// None for a graph file, which has no queries to prove.
    dictionary: Option<DictionaryJson<'a>>,
    queries: Vec<QueryJson<'a>>,
    not_loaded: &'a [String],
    not_covered: &'static [&'static str],
}

#[derive(Serialize)]
struct UpdatesJson<'a> {
    from: &'a str,
    all: usize,
    predicted: usize,
}

#[derive(Serialize)]
struct SupportJson<'a> {
    rule: &'a str,
    minors: Vec<MinorJson<'a>>,
}

#[derive(Serialize)]
struct MinorJson<'a> {
    minor: String,
    why: &'a str,
    whole: bool,
    releases: &'a [String],
}

#[derive(Serialize)]
struct ChannelJson<'a> {
    channel: &'a str,
    arches: Vec<&'static str>,
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a str>,
    lost: Vec<[&'a str; 2]>,
    aims: Vec<AimJson<'a>>,
}

#[derive(Serialize)]
struct AimJson<'a> {
    goal: &'static str,
    minor: String,
    /// For each target of a step, the releases that take it.
    paths: BTreeMap<&'a str, Vec<&'a str>>,
    failures: Vec<FailureJson<'a>>,
}

#[derive(Serialize)]
struct FailureJson<'a> {
    release: &'a str,
    sets: Vec<Vec<&'a str>>,
    complete: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    impossible: Vec<ImpossibleJson<'a>>,
}

/// A set that no cluster can have at once.
#[derive(Serialize)]
struct ImpossibleJson<'a> {
    set: Vec<&'a str>,
    why: String,
    reproduce: String,
}

/// Which clusters a query was proved for.
#[derive(Serialize)]
struct DictionaryJson<'a> {
    digest: String,
    /// The metrics that the repository adds or overrides.
    added: &'a BTreeSet<String>,
}

#[derive(Serialize)]
struct QueryJson<'a> {
    risks: &'a BTreeSet<String>,
    query: &'a str,
    digest: String,
    verdict: &'static str,
    note: &'a str,
    /// The series of a cluster on which the query goes wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reproduce: Option<String>,
}

pub(super) fn write(report: &CertificateReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let certificate = report.certificate;
    let statements = Statement::ALL.into_iter();
    let document = CertificateJson {
        version: 1,
        made_by: concat!("exitpath ", env!("CARGO_PKG_VERSION")),
        subject: &report.subject,
        base: report.base.as_deref(),
        updates: UpdatesJson {
            from: &report.updates_from,
            all: report.all_updates,
            predicted: report.predicted,
        },
        goals: certificate.request.goals.iter().map(|goal| goal.name()).collect(),
        holds: statements.map(|one| (one.name(), certificate.holds(one))).collect(),
        support: SupportJson {
            rule: &report.supported,
            minors: certificate.support.iter().map(MinorJson::of).collect(),
        },
        channels: certificate.channels.iter().map(|one| report.channel(one)).collect(),
        dictionary: certificate.request.data.map(|data| DictionaryJson {
            digest: Dictionary::built_in_digest(),
            added: data.queries.dictionary().added(),
        }),
        queries: certificate.queries.iter().map(QueryJson::of).collect(),
        not_loaded: report.not_loaded,
        not_covered: NOT_COVERED,
    };
    write_json_line(&document, out)
}

impl<'r> CertificateReport<'r> {
    fn channel<'a>(&'a self, channel: &'a CertifiedChannel<'r>) -> ChannelJson<'a> {
        let lost = channel.base.iter().flat_map(|(graph, _)| {
            let pair = |one: &LostPath| [graph.version(one.release), graph.version(one.target)];
            channel.lost.iter().map(pair)
        });
        let aims = channel.guarantee.iter().flat_map(|guarantee| &guarantee.aims);
        let graph = channel.graph.as_ref().map(|(graph, _)| *graph);
        ChannelJson {
            channel: channel.name,
            arches: channel.architectures.iter().map(Named::name).collect(),
            digest: channel.graph.as_ref().map(|(_, digest)| digest.as_str()),
            base: channel.base.as_ref().map(|(_, digest)| digest.as_str()),
            lost: lost.collect(),
            aims: graph
                .iter()
                .flat_map(|graph| aims.clone().map(|aim| self.aim(channel.name, graph, aim)))
                .collect(),
        }
    }

    fn aim<'a>(&'a self, channel: &str, graph: &'a ChannelGraph, aim: &'a AimProof) -> AimJson<'a> {
        let version = |at: MemberId| graph.version(at);
        let mut paths: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (from, to) in &aim.next {
            paths.entry(version(*to)).or_default().push(version(*from));
        }
        let failure = |failure: &'a Failing| FailureJson {
            release: version(failure.release),
            sets: failure.sets.iter().map(|set| self.names(set)).collect(),
            complete: failure.are_all,
            impossible: failure
                .sets
                .iter()
                .filter_map(|set| self.impossible(channel, set))
                .collect(),
        };
        AimJson {
            goal: aim.goal.name(),
            minor: aim.minor.to_string(),
            paths,
            failures: aim.failures.iter().map(failure).collect(),
        }
    }

    fn impossible<'a>(&'a self, channel: &str, set: &[RiskNameId]) -> Option<ImpossibleJson<'a>> {
        let why = self.why_impossible(set)?;
        let reproduce = format!("exitpath simulate --channel {channel}");
        Some(ImpossibleJson { set: self.names(set), why, reproduce })
    }

    pub(super) fn names(&self, set: &[RiskNameId]) -> Vec<&'r str> {
        let names = &self.certificate.request.simulation.names;
        set.iter().map(|id| names.name(*id)).collect()
    }
}

impl<'a> MinorJson<'a> {
    fn of(minor: &'a SupportedMinor) -> Self {
        Self {
            minor: minor.minor.to_string(),
            why: &minor.why,
            whole: minor.is_whole,
            releases: &minor.releases,
        }
    }
}

impl<'a> QueryJson<'a> {
    fn of(query: &'a QueryProof) -> Self {
        let coverage = query.coverage.as_ref();
        Self {
            risks: &query.risks,
            query: &query.query,
            digest: sha256(&query.query),
            verdict: coverage.map_or("invalid", |coverage| coverage.verdict.name()),
            note: query.note(),
            witness: coverage
                .and_then(|coverage| coverage.witnesses.first())
                .map(|witness| witness.series.as_slice()),
            reproduce: query.risks.first().map(|risk| format!("exitpath risk show {risk}")),
        }
    }
}
