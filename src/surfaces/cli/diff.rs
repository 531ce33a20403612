//! `exitpath diff`: what a change does to clusters.

use std::io::Write;

use crate::change::Stated;
use crate::channel_list::ChannelList;
use crate::explorer::{Exploration, Explored, ExploredGraph, ExploredState, Start};
use crate::graph_data::{Consumer, not_loaded};
use crate::report::{ChangeReport, ComparedRevisions, Style};
use crate::session::{BaseRequest, ChangeView, LoadedRepository, ReadRequest, Session};
use crate::text::{Failure, printable};

use super::common_args::CommonArgs;
use super::diff_args::DiffArgs;
use super::{Status, Stop, print};

struct ComparedRange<'a> {
    base: BaseRequest<'a>,
    /// None for the work tree.
    head: Option<&'a str>,
}

pub(super) fn run(
    args: &DiffArgs,
    common: &CommonArgs,
    style: Style,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Status, Stop> {
    let ComparedRange { base, head } = compared_range(args)?;
    let flag_expectations = stated_by_flags(&args.expect)?;
    let session = Session::open(args.repo.as_deref(), &[], head)?;
    let what_if = args.what_if.request();
    let read = session.read(&ReadRequest {
        revision: head,
        what_if,
        base: Some(base),
        sources: Some(args.releases.request()),
        ..ReadRequest::default()
    })?;
    let LoadedRepository { data: after, base: Some(before), sources: Some(sources), notes, .. } =
        read
    else {
        return Err(Failure::new("reading the base failed").into());
    };
    print::not_loaded(&not_loaded(&after, Consumer::Schema1_1), err)?;
    print::notes(&notes, common, err)?;
    let policy = &session.config.supported;
    let view = ChangeView::of(&sources, &before.data, &after, policy, args.arch);
    for name in &args.channel {
        if !view.channels().any(|known| known == name) {
            return Err(Failure::unknown_channel(name, view.channels()).into());
        }
    }
    let change = view.change(&before.data, &after, &args.channel);
    if let Some(why) = &change.unchecked {
        writeln!(err, "exitpath: no release was checked for exit paths: {}", printable(why))?;
    }
    let expectations = [before.expectations.as_slice(), &flag_expectations].concat();
    let revisions = ComparedRevisions {
        base: base.revision,
        base_commit: &before.commit,
        head: &(head.unwrap_or("the work tree").to_owned() + &what_if.in_words()),
    };
    let clusters = args.fleet.counts(view.graph_after(), common, err)?;
    let mut report = ChangeReport::new(&change, &expectations, revisions, &view.provenance);
    report.clusters = clusters.as_ref();
    if !common.quiet {
        print::source_notes(&view.provenance, err)?;
        writeln!(err, "exitpath: updates are from {}", printable(&view.provenance.source))?;
    }
    let fails = args.exit_code && !report.is_idle() || !report.broken.is_empty();
    let states = [
        (&before.data, view.graph_before(), revisions.base),
        (&after, view.graph_after(), revisions.head),
    ];
    let states = states.map(|(data, graph, label)| ExploredState {
        label: label.to_owned(),
        graphs: vec![ExploredGraph { graph, channel: None }],
        supported: &view.after.supported,
        ages: &view.after.ages,
        data: Some(data),
        channels: ChannelList::of(data),
        notes: ExploredState::notes(&view.provenance),
    });
    let exploration = Exploration {
        title: format!("{} to {}", revisions.base, revisions.head),
        states: states.into(),
        channels: args.channel.clone(),
        start: Start { panel: Some("changes"), ..Start::default() },
        is_live: false,
    };
    args.report.print(&Explored { report, exploration }, style, out)?;
    // Skips freeing the graphs, because the process ends now.
    std::mem::forget(change);
    std::mem::forget((view, before, after));
    Ok(Status::failed_if(fails))
}

fn stated_by_flags(statements: &[String]) -> Result<Vec<Stated>, Failure> {
    let stated: Vec<Stated> = statements.iter().map(|text| Stated::by_flag(text)).collect();
    let unreadable = stated.iter().find_map(|one| Some((one, one.statement.as_ref().err()?)));
    match unreadable {
        None => Ok(stated),
        Some((one, why)) => {
            Err(why.clone().at(format!("`--expect '{}'` cannot be read", one.text)))
        }
    }
}

/// `A`, `A B`, `A..B` or `A...B`.
fn compared_range(args: &DiffArgs) -> Result<ComparedRange<'_>, Failure> {
    let (revision, end, is_merge_base) = match args.base.split_once("...") {
        Some((base, end)) => (base, Some(end), true),
        None => match args.base.split_once("..") {
            Some((base, end)) => (base, Some(end), false),
            None => (args.base.as_str(), None, false),
        },
    };
    if end.is_some() && args.head.is_some() {
        let what = format!("`{}` already names both revisions", args.base);
        return Err(Failure::new(what).hint("`diff A B`, `diff A..B`, or `diff A...B`"));
    }
    if revision.is_empty() {
        let what = format!("`{}` does not name a first revision", args.base);
        return Err(Failure::new(what).hint("`exitpath diff main`, for example"));
    }
    let head = args.head.as_deref().or(end.filter(|end| !end.is_empty()));
    Ok(ComparedRange { base: BaseRequest { revision, is_merge_base }, head })
}
