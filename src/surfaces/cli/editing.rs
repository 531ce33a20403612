//! What commands do that change files of a repository: they show what the new texts do, and write
//! them.

use std::collections::BTreeSet;
use std::io::Write;

use crate::authoring::Plan;
use crate::domain::{Arch, FailOn, Severity};
use crate::graph_data::{GraphData, Matcher};
use crate::lint::Outcome;
use crate::origins::{KnownReleases, Reach, reached};
use crate::promql::Dialect;
use crate::report::{
    ChangeReport, CheckReport, ComparedRevisions, EditsReport, Listing, RiskReport, Style, Written,
};
use crate::risks::{Risks, sample_verdicts};
use crate::session::{Draft, Proposal, Session};
use crate::text::Failure;

use super::changes::{self, ChangedText};
use super::common_args::CommonArgs;
use super::edit_args::EditArgs;
use super::{Status, Stop, print};

/// Where a command prints.
pub(super) struct Output<'o> {
    pub(super) common: &'o CommonArgs,
    pub(super) style: Style,
    pub(super) out: &'o mut dyn Write,
    pub(super) err: &'o mut dyn Write,
}

/// Makes a plan, and does with it what the flags say. `new` is the name of a new risk.
pub(super) fn run(
    args: &EditArgs,
    new: Option<&str>,
    mut output: Output<'_>,
    plan: impl FnOnce(&GraphData) -> Result<Plan, Failure>,
) -> Result<Status, Stop> {
    let draft = draft(args, &mut output)?;
    let plan = plan(&draft.data)?;
    if args.diff {
        let changed = plan.files.iter().map(|file| ChangedText {
            path: &file.path,
            old: file.old.as_deref(),
            new: file.new.as_deref(),
        });
        changes::preview(changed, output.style, output.out)?;
        return Ok(Status::Clean);
    }
    let proposal = draft.proposal(plan);
    finish(args, &proposal, new, !args.dry_run, output)
}

/// Reads the repository.
pub(super) fn draft(args: &EditArgs, output: &mut Output<'_>) -> Result<Draft, Stop> {
    let session = Session::open(args.repo.as_deref(), &[], None)?;
    let draft = session.draft((!args.diff).then(|| args.releases.request()))?;
    print::notes(&draft.notes, output.common, output.err)?;
    Ok(draft)
}

/// Writes the files of a proposal if that is wanted, and prints what they do.
pub(super) fn finish(
    args: &EditArgs,
    proposal: &Proposal,
    new: Option<&str>,
    writes: bool,
    output: Output<'_>,
) -> Result<Status, Stop> {
    let Output { style, out, .. } = output;
    let graphs = proposal.graphs();
    let change = proposal.change(&graphs);
    let mut outcome = proposal.findings(&graphs, change.as_ref());
    let fail_on = FailOn::AtLeast(Severity::Error);
    let fails = has_errors(&outcome);
    let written = match (writes, args.commit) {
        (false, _) => Written::No,
        (true, true) if fails => Written::Refused,
        (true, false) => {
            proposal.write()?;
            Written::Files
        }
        (true, true) => Written::Commit(proposal.commit(args.because.as_deref())?),
    };
    outcome.omit_excess(&proposal.after.sources);
    let change_report = change.as_ref().zip(graphs.of_change()).map(|(change, view)| {
        let revisions = ComparedRevisions { base: "before", base_commit: "", head: "after" };
        ChangeReport::new(change, &[], revisions, &view.provenance)
    });
    let after = &proposal.after;
    let files = after.files.iter().filter(|file| file.kind.is_data());
    let check = CheckReport {
        sources: &after.sources,
        outcome: &outcome,
        remarks: &[],
        change: change_report.as_ref(),
        files: files.map(|file| after.path(file.id)).collect(),
        prefix: proposal.repository().prefix.clone(),
        fail_on,
        listing: Listing::Everything,
        catalogs: Vec::new(),
    };
    let risks = Risks::of(after);
    let definitions = new.and_then(|name| risks.get(name)).unwrap_or_default();
    let definitions =
        definitions.iter().map(|one| (one, sample_verdicts(one, Dialect::Three))).collect();
    let risk = RiskReport { data: after, definitions };
    let report = EditsReport {
        plan: &proposal.plan,
        written,
        patterns: new_patterns(proposal),
        risk: new.map(|_| &risk),
        check,
    };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(fails))
}

fn has_errors(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// The patterns of the new texts that the old ones did not have, with what they match.
fn new_patterns(proposal: &Proposal) -> Vec<(String, Vec<Reach>)> {
    let after = &proposal.after;
    let known = KnownReleases::of(&after.releases);
    let paths: BTreeSet<&str> = proposal.plan.files.iter().map(|file| file.path.as_str()).collect();
    let mut patterns = Vec::new();
    for edge in after.blocked_edges.iter().filter(|edge| paths.contains(after.path(edge.file))) {
        let Some(from) = &edge.from else { continue };
        if proposal.had_pattern(&from.value) || patterns.iter().any(|(p, _)| *p == *from.value) {
            continue;
        }
        let matcher = Matcher::of(&from.value);
        let origins = reached(&known, Arch::default(), &|one| matcher.is_match(one));
        patterns.push((from.value.to_string(), origins.reach(&known)));
    }
    patterns
}
