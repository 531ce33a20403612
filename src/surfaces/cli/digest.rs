//! `exitpath digest`: what changed for clusters since a day or a commit.

use std::io::Write;
use std::path::Path;

use crate::change::Digest;
use crate::domain::time::day;
use crate::report::{ChangeReport, ComparedRevisions, DigestEnd, DigestReport, Style};
use crate::session::{BaseRequest, ChangeView, LoadedRepository, ReadRequest, Session};
use crate::text::{Failure, printable};
use crate::tree;

use super::common_args::CommonArgs;
use super::digest_args::DigestArgs;
use super::values::moment_if_any;
use super::{Status, Stop, print};

pub(super) fn run(
    args: &DigestArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let session = Session::open(args.repo.as_deref(), &[], Some(&args.until))?;
    let root = &session.repository.root;
    let (since, until) = (end(root, &args.since)?, end(root, &args.until)?);
    if since.time > until.time {
        return Err(Failure::new("the digest begins after its end").into());
    }
    let read = session.read(&ReadRequest {
        revision: Some(&until.commit),
        base: Some(BaseRequest { revision: &since.commit, is_merge_base: false }),
        sources: Some(args.releases.request()),
        ..ReadRequest::default()
    })?;
    let LoadedRepository { data: after, base: Some(before), sources: Some(sources), notes, .. } =
        read
    else {
        return Err(Failure::new("reading the past failed").into());
    };
    print::notes(&notes, common, err)?;
    let view = ChangeView::of(&sources, &before.data, &after, &session.config.supported, None);
    let change = view.change(&before.data, &after, &[]);
    if let Some(why) = &change.unchecked {
        writeln!(err, "exitpath: no release was checked for exit paths: {}", printable(why))?;
    }
    let revisions =
        ComparedRevisions { base: &since.commit, base_commit: &since.commit, head: &until.commit };
    let digest = Digest::of(&before.data, &after, &change);
    let change = ChangeReport::new(&change, &[], revisions, &view.provenance);
    let report = DigestReport { digest: &digest, change: &change, since: &since, until: &until };
    args.report.print(&report, style, out)?;
    Ok(Status::Clean)
}

/// In seconds. The newest commit may be of the day before.
const DAY: i64 = 24 * 60 * 60;

/// The commit that a text names: a revision, or the last commit of the mainline before a moment.
fn end(root: &Path, text: &str) -> Result<DigestEnd, Failure> {
    let commit = if let Some(before) = moment_if_any(text) {
        let newest = tree::date(root, "HEAD")?;
        if before > newest.saturating_add(DAY) {
            let what = format!("{text} is after the newest commit, of {}", day(newest));
            return Err(Failure::new(what));
        }
        tree::commit_before(root, before)?
            .ok_or_else(|| Failure::new(format!("there is no commit before {text}")))?
    } else {
        tree::commit(root, text)?
    };
    let time = tree::date(root, &commit)?;
    Ok(DigestEnd { commit, time })
}
