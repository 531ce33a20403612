//! Releases that join or leave channels.

use std::collections::BTreeSet;

use crate::change::{
    AlteredUpdate, Blame, ComparedChannelId, Comparison, Fate, Move, Seen, UpdateGroup,
};
use crate::text::words::{counted, grouped, listed};

use super::ChangeItem;

pub(in crate::report::change) fn moves(
    comparison: &Comparison,
    groups: &[UpdateGroup<'_>],
) -> Vec<ChangeItem> {
    comparison.moves.iter().map(|one| one_move(comparison, one, groups)).collect()
}

pub(super) fn one_move(
    comparison: &Comparison,
    one: &Move,
    groups: &[UpdateGroup<'_>],
) -> ChangeItem {
    let version = &comparison.versions[one.release];
    let names = |channels: &[ComparedChannelId]| {
        let names: Vec<&str> = channels.iter().map(|c| comparison.channels[*c].as_str()).collect();
        listed(&names, "and")
    };
    let (sign, summary) = match (one.joins.as_slice(), one.leaves.as_slice()) {
        (joins, []) if one.is_new => ('+', format!("{version} is new, in {}", names(joins))),
        (joins, []) => ('+', format!("{version} joins {}", names(joins))),
        ([], leaves) if one.is_gone => {
            ('-', format!("{version} leaves {}, its last channels", names(leaves)))
        }
        ([], leaves) => ('-', format!("{version} leaves {}", names(leaves))),
        (joins, leaves) => {
            ('~', format!("{version} joins {} and leaves {}", names(joins), names(leaves)))
        }
    };
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
            let there = match (group.fate, all) {
                (Fate::Lost, _) => "led",
                (_, 1) => "leads",
                _ => "lead",
            };
            details.push(format!("{} {there} {leads} there{conditional}", counted(all, "update")));
        }
    }
    ChangeItem { sign, summary, details }
}
