//! `exitpath promote`: which releases the bot promotes, and what holds back the others.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

use crate::authoring::{self, Promotion, PromotionQuestion};
use crate::domain::version;
use crate::graph_data::{Channel, Consumer, not_loaded};
use crate::report::{PromotionsReport, Style};
use crate::session::{self, ReadRequest, Session};
use crate::text::{Failure, MAX_FILE, printable};

use super::common_args::CommonArgs;
use super::file_text::file_text;
use super::promote_args::PromoteArgs;
use super::{Status, Stop, print};

pub(super) fn run(
    args: &PromoteArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let revision = args.rev.as_deref();
    let session = Session::open(args.repo.as_deref(), &[], revision)?;
    let errata = args.errata.as_deref().map(public_errata).transpose()?.unwrap_or_default();
    let read = session.read(&ReadRequest {
        revision,
        sources: Some(args.releases.request()),
        ..ReadRequest::default()
    })?;
    print::not_loaded(&not_loaded(&read.data, Consumer::Schema1_1), err)?;
    print::notes(&read.notes, common, err)?;
    let data = &read.data;
    for name in &args.channel {
        let mut names = data.channels.iter().map(Channel::name);
        if !names.any(|known| known == name) {
            return Err(
                Failure::unknown_channel(name, data.channels.iter().map(Channel::name)).into()
            );
        }
    }
    let sources = read.sources.as_ref().ok_or_else(|| Failure::new("there is no history"))?;
    if let Some(note) = sources.note_on_history() {
        writeln!(err, "exitpath: {}", printable(note))?;
    }
    let outlook = sources.outlook(data, &session.config.supported);
    let now = args.at.unwrap_or_else(now);
    let question = PromotionQuestion {
        data,
        graph: &outlook.graph,
        ages: &outlook.ages,
        now,
        public_errata: &errata,
        channels: &args.channel,
    };
    let promotions = question.promotions();
    let is_later = |one: &Promotion<'_>| one.since.is_some_and(|since| since > now);
    if promotions.iter().any(is_later) {
        writeln!(
            err,
            "exitpath: some releases joined their feeders after this time: `--rev` reads an older revision"
        )?;
    }
    let unknown = errata.iter().filter(|one| data.releases.named(one).is_none());
    for release in unknown {
        writeln!(err, "exitpath: no channel has {}, whose erratum is public", printable(release))?;
    }
    let waits = promotions.iter().any(Promotion::waits_for_erratum);
    if args.errata.is_none() && waits && !common.quiet {
        writeln!(
            err,
            "exitpath: only the network knows which errata are public: `--errata FILE` lists the releases"
        )?;
    }
    let promoted = promotions.iter().filter(|one| one.is_promoted());
    let promoted: Vec<(&Channel, &str)> = promoted.map(|one| (one.channel, one.version)).collect();
    if args.write && !promoted.is_empty() {
        session::write_plan(&session.repository.root, &authoring::promote(data, &promoted)?)?;
    }
    let report = PromotionsReport { promotions: &promotions, now, is_written: args.write };
    args.report.print(&report, style, out)?;
    Ok(Status::failed_if(promotions.iter().any(Promotion::is_stopped)))
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |now| i64::try_from(now.as_secs()).unwrap_or(i64::MAX))
}

/// The releases in a file. `#` begins a comment.
fn public_errata(file: &Path) -> Result<BTreeSet<String>, Failure> {
    let text = file_text(file, MAX_FILE)?;
    let lines = text.lines().enumerate().map(|(nth, line)| (nth, line.split('#').next()));
    let mut releases = BTreeSet::new();
    for (nth, line) in lines {
        let line = line.unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if version::parse(line).is_none() {
            let place = format!("{}:{}", file.display(), nth + 1);
            return Err(Failure::new(format!("{place}: `{line}` is not a version")));
        }
        releases.insert(line.to_owned());
    }
    Ok(releases)
}
