//! `exitpath digest`: what changed for clusters since a day or a commit.

use std::io::Write;

use crate::change::Digest;
use crate::report::{ChangeReport, ComparedRevisions, DigestReport, Style};
use crate::session::{BaseRequest, ChangeView, LoadedRepository, ReadRequest, Session};
use crate::text::{Failure, printable};

use super::common_args::CommonArgs;
use super::digest_args::DigestArgs;
use super::moment::named_commit;
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
    let (since, until) = (named_commit(root, &args.since)?, named_commit(root, &args.until)?);
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
    let view = ChangeView::of(&sources, (&before.data, &after), &session.config.supported, None);
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
