//! `exitpath compare`: the answers of a running service, compared with the repository.

mod answers;

use std::io::Write;

use crate::compare::{Differences, TheirAnswer};
use crate::domain::{Arch, Architectures};
use crate::graph_data::Consumer;
use crate::report::{Cause, ComparedAnswer, ComparisonReport, Outcome, Style};
use crate::session::{KnownGraph, Note, ReadRequest, Session, older_revisions};
use crate::text::Failure;

use super::common_args::CommonArgs;
use super::compare_args::CompareArgs;
use super::{Status, Stop, print};
use answers::{Answers, NoAnswer, Wanted};

pub(super) fn run(
    args: &CompareArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let session = Session::open(args.repo.as_deref(), &[], args.rev.as_deref())?;
    let (answers, notes) = Answers::of(args)?;
    print::notes(&notes, common, err)?;
    let wanted = answers.architectures(args);
    let known = read(args, &session, args.rev.as_deref(), &wanted)?;
    print::known_graph(&known, common, err)?;
    let mut compared = Vec::new();
    let mut read_answers = Vec::new();
    for wanted in answers.wanted(args, &known.graph)? {
        let Wanted { channel, arch } = wanted.clone();
        match answers.answer(&wanted) {
            Ok(answer) => {
                let (differences, updates) = answer.differences(&known.graph, &channel);
                let outcome = Outcome::Compared { differences, updates };
                compared.push(ComparedAnswer { channel, arch, outcome });
                read_answers.push((wanted, answer));
            }
            Err(NoAnswer { why, is_final }) => {
                compared.push(ComparedAnswer { channel, arch, outcome: Outcome::Missing(why) });
                if is_final {
                    let text = "the service does not answer: exitpath stops asking";
                    print::notes(&[Note { text: text.into(), is_important: true }], common, err)?;
                    break;
                }
            }
        }
    }
    if compared.is_empty() {
        return Err(Failure::new("there is no answer to compare").into());
    }
    let cause = cause(args, &session, &compared, &read_answers, &wanted);
    let report = ComparisonReport { answers: &compared, cause };
    args.report.print(&report, style, out)?;
    Ok(match (report.has_missing(), report.has_differences()) {
        (true, _) => Status::CouldNotRun,
        (false, differs) => Status::failed_if(differs),
    })
}

fn read(
    args: &CompareArgs,
    session: &Session,
    revision: Option<&str>,
    architectures: &[Arch],
) -> Result<KnownGraph, Failure> {
    let sources = Some(args.releases.request());
    let request = ReadRequest { revision, sources, ..ReadRequest::default() };
    let of_responses = architectures.first().copied().unwrap_or_default();
    let architectures = Architectures { all: architectures, of_responses };
    KnownGraph::of_repository(session, &request, architectures, Consumer::Schema1_1)
}

/// Why the answers differ, as far as it can be told.
fn cause(
    args: &CompareArgs,
    session: &Session,
    compared: &[ComparedAnswer],
    answers: &[(Wanted, TheirAnswer)],
    architectures: &[Arch],
) -> Option<Cause> {
    let differing = compared.iter().filter_map(ComparedAnswer::differences);
    let differing: Vec<&Differences> = differing.filter(|found| !found.are_none()).collect();
    let total: usize = differing.iter().map(|found| found.count()).sum();
    if total == 0 {
        return None;
    }
    if differing.iter().all(|found| found.lack_everything) {
        return Some(Cause::NoChannel);
    }
    if differing.iter().all(|found| found.lack_only_releases()) {
        return Some(Cause::NotScraped);
    }
    let root = &session.repository.root;
    // Without git, there are no older revisions.
    let commits = older_revisions(root, args.rev.as_deref(), args.look_back).unwrap_or_default();
    let mut nearest = (total, None);
    for commit in commits {
        // A revision that cannot be read explains nothing.
        let Ok(known) = read(args, session, Some(&commit), architectures) else { continue };
        let counts = answers
            .iter()
            .map(|(wanted, answer)| answer.differences(&known.graph, &wanted.channel).0.count());
        let left: usize = counts.sum();
        if left < nearest.0 {
            nearest = (left, Some(commit));
        }
        if left == 0 {
            break;
        }
    }
    let (left, commit) = nearest;
    Some(commit.map_or(Cause::Unknown, |commit| Cause::OlderRevision { commit, left, total }))
}
