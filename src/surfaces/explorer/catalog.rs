//! The page of an operator's channels: where OLM moves installs, and which never get to the head.

use std::cmp::Ordering;

use crate::catalog::simulation::{ChannelMoves, Install};
use crate::domain::HashMap;
use crate::moves::NodeId;
use crate::text::printable;

use super::causes::CauseJson;
use super::channels::{ChannelJson, runs};
use super::document::{DocumentJson, StateJson};
use super::updates::{GIVEN, Incoming, Lists};
use super::versions::VersionJson;
use super::{Start, page, updates};

/// The only architecture of a catalog.
const ANY: u8 = 1;

/// The page of the channels of a package. It begins with the named channel.
pub(crate) fn catalog_page(channels: &[ChannelMoves<'_>], first: Option<&str>) -> String {
    let package = channels.first().map_or("", |channel| channel.package.name.as_str());
    let installs: Vec<&Install<'_>> = distinct(channels);
    let numbers: HashMap<&str, usize> =
        installs.iter().enumerate().map(|(number, install)| (install.name, number)).collect();
    let mut lists = Lists::default();
    let of_channels = channels.iter().map(|moves| channel(moves, &numbers, &mut lists)).collect();
    let document = DocumentJson {
        title: format!("Package {}", printable(package)),
        start: Start::at_channel(first),
        catalog: true,
        arches: vec!["all architectures"],
        versions: installs.iter().map(|install| version(install)).collect(),
        causes: CauseJson::of_catalog(),
        lists: lists.into_list(),
        states: vec![StateJson { channels: of_channels, ..StateJson::default() }],
        ..DocumentJson::default()
    };
    page::of_document(&document)
}

/// The installs of all channels, each once, lowest version first.
fn distinct<'c>(channels: &'c [ChannelMoves<'_>]) -> Vec<&'c Install<'c>> {
    let mut installs: Vec<&Install<'_>> =
        channels.iter().flat_map(|channel| &channel.installs).collect();
    installs.sort_by(|one, other| by_version(one, other));
    installs.dedup_by_key(|install| install.name);
    installs
}

fn by_version(one: &Install<'_>, other: &Install<'_>) -> Ordering {
    let order = match (one.version, other.version) {
        (Some(one), Some(other)) => one.compare(other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    };
    order.then_with(|| one.name.cmp(other.name))
}

fn version(install: &Install<'_>) -> VersionJson {
    let minor = install.version.map(|version| &version.version);
    let column = minor.map_or_else(
        || "no version".to_owned(),
        |version| format!("{}.{}", version.major(), version.minor()),
    );
    VersionJson::named(printable(install.name).into_owned(), column)
}

fn channel(
    moves: &ChannelMoves<'_>,
    numbers: &HashMap<&str, usize>,
    lists: &mut Lists,
) -> ChannelJson {
    let number = |node: NodeId| numbers[moves.name(node)];
    let mut incoming: Vec<Vec<Incoming>> = vec![Vec::new(); numbers.len()];
    for from in moves.installs.ids() {
        let next = moves.moves.next(from);
        for to in next.iter().filter(|to| **to != from) {
            incoming[number(*to)].push((number(from), CHOSEN, GIVEN));
        }
        let edges = moves.edges.iter().filter(|edge| edge.from == from && edge.to != from);
        for edge in edges.filter(|edge| !next.contains(&edge.to)) {
            incoming[number(edge.to)].push((number(from), NEVER_CHOSEN, GIVEN));
        }
    }
    let updates = incoming.into_iter().enumerate().filter(|(_, list)| !list.is_empty());
    let updates = updates.map(|(to, mut list)| {
        list.sort_unstable();
        list.dedup();
        (ANY, to, lists.number(updates::runs(&list)))
    });
    let members: Vec<usize> = moves.installs.ids().map(number).collect();
    ChannelJson {
        name: printable(&moves.channel.name).into_owned(),
        checked: runs(members.clone()),
        members: vec![(ANY, runs(members))],
        heads: Some(moves.heads.iter().map(|head| number(*head)).collect()),
        updates: updates.collect(),
        ..ChannelJson::default()
    }
}

/// The numbers of the causes of a catalog's updates.
const CHOSEN: usize = 0;
const NEVER_CHOSEN: usize = 1;
