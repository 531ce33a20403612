//! Releases that join or leave channels.

use std::collections::BTreeSet;

use crate::change::{
    AlteredUpdate, Blame, ComparedChannelId, Comparison, Fate, Move, Seen, UpdateGroup, VersionId,
};
use crate::domain::{ChannelName, HashMap, Minor, version};
use crate::text::words::{counted, grouped, listed, releases};

use super::ChangeItem;

pub(in crate::surfaces::report::change) fn moves(
    comparison: &Comparison,
    groups: &[UpdateGroup<'_>],
) -> Vec<ChangeItem> {
    let mut alike: Vec<Vec<&Move>> = Vec::new();
    let mut places = HashMap::default();
    for one in &comparison.moves {
        let kind = (&one.joins, &one.leaves, one.is_new, one.is_gone);
        let place = *places.entry(kind).or_insert_with(|| {
            alike.push(Vec::new());
            alike.len() - 1
        });
        alike[place].push(one);
    }
    let items = |moves: Vec<&Move>| match moves.as_slice() {
        few if few.len() <= FEW => {
            few.iter().map(|one| one_move(comparison, one, groups)).collect()
        }
        many => vec![many_moves(comparison, many)],
    };
    alike.into_iter().flat_map(items).collect()
}

/// If more releases than this move in the same way, they share an item.
const FEW: usize = 5;

fn many_moves(comparison: &Comparison, moves: &[&Move]) -> ChangeItem {
    let versions: Vec<&str> =
        moves.iter().map(|one| comparison.versions[one.release].as_str()).collect();
    let (sign, summary) = summary(comparison, moves[0], &releases(&versions), true);
    ChangeItem { sign, summary, details: Vec::new() }
}

/// What a release does. Others may move in the same way.
fn summary(comparison: &Comparison, one: &Move, them: &str, are_many: bool) -> (char, String) {
    let names = |channels: &[ComparedChannelId]| {
        let names: Vec<&str> = channels.iter().map(|c| comparison.channels[*c].as_str()).collect();
        listed(&names, "and")
    };
    let verb = |one: &'static str, many: &'static str| if are_many { many } else { one };
    let (is, joins_them, leaves_them) =
        (verb("is", "are"), verb("joins", "join"), verb("leaves", "leave"));
    let its = verb("its", "their");
    match (one.joins.as_slice(), one.leaves.as_slice()) {
        (joins, []) if one.is_new => ('+', format!("{them} {is} new, in {}", names(joins))),
        (joins, []) => ('+', format!("{them} {joins_them} {}", names(joins))),
        ([], leaves) if one.is_gone => {
            ('-', format!("{them} {leaves_them} {}, {its} last channels", names(leaves)))
        }
        ([], leaves) => ('-', format!("{them} {leaves_them} {}", names(leaves))),
        (joins, leaves) => {
            let (joins, leaves) = (names(joins), names(leaves));
            ('~', format!("{them} {joins_them} {joins} and {leaves_them} {leaves}"))
        }
    }
}

/// A note on a release of an older minor that joins a channel without an update to the channel's
/// minor. It may take days until there is one.
fn no_update_to_minor(
    comparison: &Comparison,
    one: &Move,
    channel: ComparedChannelId,
) -> Option<String> {
    let minor_of = |id: VersionId| version::parse(&comparison.versions[id]).map(|v| Minor::of(&v));
    let name = comparison.channels[channel].as_str();
    let minor = ChannelName::parse(name)?.minor;
    if minor_of(one.release)? >= minor {
        return None;
    }
    let leads = comparison.altered.iter().any(|change| {
        change.from == one.release
            && change.channels.contains(&channel)
            && comparison.seen[change.after].is_served()
            && minor_of(change.to) == Some(minor)
    });
    (!leads).then(|| format!("it has no update to {minor} in {name} yet"))
}

pub(super) fn one_move(
    comparison: &Comparison,
    one: &Move,
    groups: &[UpdateGroup<'_>],
) -> ChangeItem {
    let version = &comparison.versions[one.release];
    let (sign, summary) = summary(comparison, one, version, false);
    let mut details = Vec::new();
    for group in groups.iter().filter(|group| group.blame == Blame::Moved(one.release)) {
        let changes = || group.changes.iter().copied();
        for (is_target, leads) in [(true, "to it"), (false, "on from it")] {
            let of_end = |change: &&AlteredUpdate| (change.to == one.release) == is_target;
            let pairs = |is_wanted: &dyn Fn(&AlteredUpdate) -> bool| {
                let found = changes().filter(of_end).filter(|change| is_wanted(change));
                found.map(|change| (change.from, change.to)).collect::<BTreeSet<_>>().len()
            };
            let all = pairs(&|_| true);
            if all == 0 {
                continue;
            }
            let is_conditional = |change: &AlteredUpdate| {
                let seen = if group.fate == Fate::Lost { change.before } else { change.after };
                matches!(comparison.seen[seen], Seen::Conditional(_))
            };
            let conditional = match pairs(&is_conditional) {
                0 => String::new(),
                n if n == all => ", conditional".to_owned(),
                n => format!(", {} of them conditional", grouped(n)),
            };
            let lead = match (group.fate, all) {
                (Fate::Lost, _) => "led",
                (_, 1) => "leads",
                _ => "lead",
            };
            let channels: BTreeSet<ComparedChannelId> = changes()
                .filter(of_end)
                .flat_map(|change| change.channels.iter().copied())
                .collect();
            let names: Vec<&str> =
                channels.iter().map(|id| comparison.channels[*id].as_str()).collect();
            let place = listed(&names, "and");
            details
                .push(format!("{} {lead} {leads} in {place}{conditional}", counted(all, "update")));
        }
    }
    let missing =
        one.joins.iter().filter_map(|channel| no_update_to_minor(comparison, one, *channel));
    details.extend(missing);
    ChangeItem { sign, summary, details }
}
