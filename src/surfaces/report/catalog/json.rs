//! Writes the report as JSON; `exitpath schema catalog-simulation` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::catalog::simulation::{ChannelEdit, ChannelMoves, ChannelSimulation};
use crate::catalog::version::BundleVersion;
use crate::moves::NodeId;
use crate::report::json::write_json;

use super::CatalogReport;

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    policy: &'a str,
    packages: Vec<PackageJson<'a>>,
    too_large: Vec<TooLargeJson<'a>>,
}

#[derive(Serialize)]
struct PackageJson<'a> {
    package: &'a str,
    channels: Vec<ChannelJson<'a>>,
}

#[derive(Serialize)]
struct TooLargeJson<'a> {
    package: &'a str,
    channel: &'a str,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "these are the keys of the JSON")]
struct ChannelJson<'a> {
    channel: &'a str,
    entries: usize,
    gone: bool,
    heads: Vec<&'a str>,
    installs: Vec<InstallJson<'a>>,
    stuck: Vec<StuckJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unblock_all: Option<EditJson<'a>>,
    unreachable_head: Vec<&'a str>,
}

#[derive(Serialize)]
struct InstallJson<'a> {
    name: &'a str,
    next: Vec<&'a str>,
}

#[derive(Serialize)]
struct StuckJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unblock: Option<EditJson<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "edit", rename_all = "kebab-case")]
enum EditJson<'a> {
    AddSkips { entry: &'a str, names: &'a [String] },
    SetSkipRange { entry: &'a str, range: &'a str },
    RemoveSkip { entry: &'a str, name: &'a str },
}

pub(super) fn write(report: CatalogReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let simulation = report.simulation;
    let mut packages: Vec<PackageJson<'_>> = Vec::new();
    for channel in &simulation.channels {
        let package = channel.moves.package.name.as_str();
        if packages.last().is_none_or(|last| last.package != package) {
            packages.push(PackageJson { package, channels: Vec::new() });
        }
        if let Some(last) = packages.last_mut() {
            last.channels.push(written(channel));
        }
    }
    let too_large = simulation.too_large.iter();
    let report = ReportJson {
        version: 1,
        policy: crate::domain::Named::name(report.resolver),
        packages,
        too_large: too_large.map(|(package, channel)| TooLargeJson { package, channel }).collect(),
    };
    write_json(&report, out)
}

fn written<'a>(channel: &'a ChannelSimulation<'a>) -> ChannelJson<'a> {
    let moves = &channel.moves;
    let stuck = channel.stuck.iter().zip(&channel.edits.single);
    let stuck = stuck.map(|(stuck, edit)| StuckJson {
        name: moves.name(stuck.install),
        version: moves.installs[stuck.install].version.map(BundleVersion::text),
        why: stuck.why.word(),
        by: stuck.why.by(),
        unblock: edit.as_ref().map(EditJson::of),
    });
    ChannelJson {
        channel: &moves.channel.name,
        entries: moves.channel.entries.len(),
        gone: channel.is_gone,
        heads: moves.heads.iter().map(|head| moves.name(*head)).collect(),
        installs: moves.installs.ids().map(|node| install(moves, node)).collect(),
        stuck: stuck.collect(),
        unblock_all: channel.edits.whole.as_ref().map(EditJson::of),
        unreachable_head: channel.far.iter().map(|node| moves.name(*node)).collect(),
    }
}

fn install<'a>(moves: &ChannelMoves<'a>, node: NodeId) -> InstallJson<'a> {
    let next = moves.moves.next(node).iter().map(|next| moves.name(*next));
    InstallJson { name: moves.name(node), next: next.collect() }
}

impl<'a> EditJson<'a> {
    fn of(edit: &'a ChannelEdit) -> Self {
        match edit {
            ChannelEdit::AddSkips { entry, names } => Self::AddSkips { entry, names },
            ChannelEdit::SetSkipRange { entry, range } => Self::SetSkipRange { entry, range },
            ChannelEdit::RemoveSkip { entry, name } => Self::RemoveSkip { entry, name },
        }
    }
}
