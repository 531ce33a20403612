//! The report of `simulate --certificate`: the certificate itself, a page to sign, and a summary.

mod human;
mod json;
mod markdown;

use crate::analysis::phrases::conflict;
use crate::analysis::{AimProof, Failing, Goal, RiskNameId};
use crate::certificate::{Certificate, CertifiedChannel, Statement};
use crate::domain::Format;
use crate::report::printed::{Printed, Writer};
use crate::report::wrapped;
use crate::text::words::{counted, grouped};

/// A certificate, and what it is about.
#[derive(Debug)]
pub(crate) struct CertificateReport<'r> {
    pub certificate: &'r Certificate<'r>,
    /// The revision, a file, or a server.
    pub subject: String,
    /// The base, if there is one.
    pub base: Option<String>,
    /// Where the updates come from.
    pub updates_from: String,
    /// Which releases are supported, in words.
    pub supported: String,
    /// The number of all updates.
    pub all_updates: usize,
    /// The number of those that a prediction made.
    pub predicted: usize,
    /// What the service does not load, which makes its graph different from this one.
    pub not_loaded: &'r [String],
    /// The SHA-256 of the certificate's file.
    pub digest: String,
}

/// What no certificate covers.
const NOT_COVERED: &[&str] = &[
    "`Upgradeable` and admin acks, which hold clusters at a minor version",
    "the limits of installed operators (`exitpath catalog bridge`)",
    "preconditions of an update, and updates that fail",
    "signatures of releases, and images that cannot be pulled",
    "an update service that is down or serves something else than this graph",
    "clusters on releases that are not listed here, or in a channel that is not",
];

impl Printed for CertificateReport<'_> {
    fn writer(format: Format) -> Option<Writer<Self>> {
        let writer: Writer<Self> = match format {
            Format::Human => {
                |report, style, out| wrapped(style, out, |out| human::write(report, style, out))
            }
            Format::Json => |report, _, out| json::write(report, out),
            Format::Markdown => |report, _, out| markdown::write(report, out),
            _ => return None,
        };
        Some(writer)
    }
}

impl CertificateReport<'_> {
    /// A statement in one sentence, with its figures.
    fn sentence(&self, statement: Statement) -> String {
        let certificate = self.certificate;
        let holds = certificate.holds(statement);
        let releases = counted(certificate.supported(), "supported release");
        match (statement, holds) {
            (Statement::NoPathLost, None) => "not examined: no base was named".to_owned(),
            (_, None) => "not examined: this needs the repository".to_owned(),
            (Statement::AlwaysAPath, Some(true)) => format!(
                "from each of {releases}, and from each release that its clusters can get to, \
                 unconditional updates lead to the newest patch of its minor{}",
                self.and_minor()
            ),
            (Statement::AlwaysAPath, Some(false)) => {
                let failures = certificate.channels.iter().flat_map(failing).count();
                let verb = if failures == 1 { "has" } else { "have" };
                format!("{} {verb} no such path", counted(failures, "release"))
            }
            (Statement::ExactlyTheseSets, Some(true)) => {
                if certificate.holds(Statement::AlwaysAPath) == Some(true) {
                    "no set of risks strands a supported release".to_owned()
                } else {
                    "exactly the listed sets of risks strand these releases".to_owned()
                }
            }
            (Statement::ExactlyTheseSets, Some(false)) => {
                "more sets of risks may strand these releases than are listed".to_owned()
            }
            (Statement::NoPathLost, Some(true)) => {
                "no supported release loses its last unconditional path".to_owned()
            }
            (Statement::NoPathLost, Some(false)) => {
                let lost: usize = certificate.channels.iter().map(|one| one.lost.len()).sum();
                format!("{} lost", counted(lost, "path"))
            }
            (Statement::EachQueryAnswers, Some(_)) => {
                let all = certificate.queries.len();
                let proved = certificate.queries.iter().filter(|query| query.holds()).count();
                format!(
                    "{} of {} are proved to answer exactly one sample, 0 or 1, on every cluster",
                    grouped(proved),
                    counted(all, "query")
                )
            }
        }
    }

    fn and_minor(&self) -> &'static str {
        let goals = &self.certificate.request.goals;
        let is_asked = goals.contains(&Goal::Minor);
        if is_asked { ", and to the channel's minor" } else { "" }
    }

    /// How many updates there are, and how many of them are not served.
    fn updates(&self) -> String {
        let all = self.all_updates;
        match self.predicted {
            0 => format!("Updates: {}, all served", grouped(all)),
            some => format!(
                "Updates: {}, of which {} are predicted and not served",
                grouped(all),
                grouped(some)
            ),
        }
    }
}

impl CertificateReport<'_> {
    /// The paths that the change takes.
    fn lost(&self) -> impl Iterator<Item = TakenPath<'_>> {
        self.certificate.channels.iter().flat_map(|channel| {
            let graph = channel.base.as_ref().map(|(graph, _)| *graph);
            let pairs = channel.lost.iter().zip(graph.into_iter().cycle());
            pairs.map(move |(lost, graph)| TakenPath {
                channel,
                release: graph.version(lost.release),
                target: graph.version(lost.target),
            })
        })
    }

    /// Why no cluster can have all risks of a set at once, in words. None if a cluster may.
    fn why_impossible(&self, set: &[RiskNameId]) -> Option<String> {
        let (_, _, why) = self.certificate.contradictions.of(set)?;
        Some(conflict(why))
    }

    /// The queries that are not proved, each with its risks and what is known of it.
    fn unproved(&self) -> impl Iterator<Item = (Vec<&str>, &str)> {
        let queries = self.certificate.queries.iter().filter(|query| !query.holds());
        queries.map(|query| (query.risks.iter().map(String::as_str).collect(), query.note()))
    }
}

/// A path of a channel that a change takes.
struct TakenPath<'c> {
    channel: &'c CertifiedChannel<'c>,
    release: &'c str,
    target: &'c str,
}

/// A release without a path, and its goal.
#[derive(Clone, Copy)]
struct FailingRelease<'c> {
    channel: &'c CertifiedChannel<'c>,
    aim: &'c AimProof,
    failure: &'c Failing,
}

/// The releases of a channel without a path, each with its goal.
fn failing<'c>(channel: &'c CertifiedChannel<'_>) -> impl Iterator<Item = FailingRelease<'c>> {
    let aims = channel.guarantee.iter().flat_map(|guarantee| &guarantee.aims);
    aims.flat_map(move |aim| {
        aim.failures.iter().map(move |failure| FailingRelease { channel, aim, failure })
    })
}
