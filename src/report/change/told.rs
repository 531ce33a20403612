//! What happens to updates, releases and risks, in sentences that people and Markdown share.

use std::collections::{BTreeSet, HashMap};

use crate::comparison::{
    Altered, Blame, Comparison, Fate, Group, Move, PatternChange, RiskChange, Seen, Standing,
    TextChange,
};
use crate::report::counted;
use crate::report::words::{listed, releases};

use super::ChangeReport;

/// One thing that a change does.
pub(super) struct Told {
    /// How it strikes the eye: `+`, `-` or `~`.
    pub(super) sign: char,
    /// The thing in one sentence.
    pub(super) what: String,
    /// Where, for whom, and what else there is to it.
    pub(super) more: Vec<String>,
}

/// The whole in one line.
pub(in crate::report) fn verdict(report: &ChangeReport<'_>) -> String {
    let comparison = report.comparison;
    if report.is_idle() {
        return "nothing that clusters see changes".to_owned();
    }
    let mut parts = Vec::new();
    let stranded = ChangeReport::count(&report.exits.stranded);
    let freed = ChangeReport::count(&report.exits.freed);
    if stranded > 0 {
        parts.push(format!("{} newly stranded", counted(stranded, "release")));
    }
    if freed > 0 {
        parts.push(format!("{} freed", counted(freed, "release")));
    }
    let groups = comparison.groups();
    for fate in Fate::ALL {
        let is_declared =
            |group: &&Group| group.fate == fate && matches!(group.blame, Blame::Declared { .. });
        let places = groups.iter().filter(is_declared).flat_map(|group| &group.changes);
        let altered = places.map(|at| &comparison.altered[*at]);
        let pairs: BTreeSet<(u32, u32)> = altered.map(|one| (one.from, one.to)).collect();
        let done = match fate {
            Fate::Lost => "lost",
            Fate::Conditioned => "made conditional",
            Fate::Risks => "with other risks",
            Fate::Freed => "made unconditional",
            Fate::Gained => "gained",
        };
        if !pairs.is_empty() {
            parts.push(format!("{} {done}", counted(pairs.len(), "update")));
        }
    }
    match comparison.moves.as_slice() {
        [] => {}
        [only] => parts.push(one_move(comparison, only, &[]).what),
        several => {
            parts.push(format!("{} join or leave channels", counted(several.len(), "release")));
        }
    }
    match (parts.as_slice(), comparison.risks.as_slice()) {
        ([], [only]) => format!("no update changes; {}", risk(comparison, only).what),
        ([], several) => {
            format!("no update changes; {} are declared otherwise", counted(several.len(), "risk"))
        }
        _ => parts.join(", "),
    }
}

/// The releases that join or leave channels.
pub(super) fn moves(comparison: &Comparison, groups: &[Group]) -> Vec<Told> {
    comparison.moves.iter().map(|one| one_move(comparison, one, groups)).collect()
}

fn one_move(comparison: &Comparison, one: &Move, groups: &[Group]) -> Told {
    let version = &comparison.versions[one.release as usize];
    let names = |channels: &[u32]| {
        let names: Vec<&str> =
            channels.iter().map(|c| comparison.channels[*c as usize].as_str()).collect();
        listed(&names, "and")
    };
    let (sign, what) = match (one.joins.as_slice(), one.leaves.as_slice()) {
        (joins, []) if one.is_new => ('+', format!("{version} is new, in {}", names(joins))),
        (joins, []) => ('+', format!("{version} joins {}", names(joins))),
        ([], leaves) if one.is_gone => {
            ('-', format!("{version} is in no channel any more: it leaves {}", names(leaves)))
        }
        ([], leaves) => ('-', format!("{version} leaves {}", names(leaves))),
        (joins, leaves) => {
            ('~', format!("{version} joins {} and leaves {}", names(joins), names(leaves)))
        }
    };
    let mut more = Vec::new();
    for group in groups.iter().filter(|group| group.blame == Blame::Moved(one.release)) {
        let changes = || group.changes.iter().map(|at| &comparison.altered[*at]);
        for (is_target, leads) in [(true, "to it"), (false, "on from it")] {
            let of_end = |change: &&Altered| (change.to == one.release) == is_target;
            let pairs = |is_wanted: &dyn Fn(&Altered) -> bool| {
                let found = changes().filter(of_end).filter(|change| is_wanted(change));
                found.map(|change| (change.from, change.to)).collect::<BTreeSet<_>>().len()
            };
            let all = pairs(&|_| true);
            if all == 0 {
                continue;
            }
            let is_conditional = |change: &Altered| {
                let seen = if group.fate == Fate::Lost { change.before } else { change.after };
                matches!(comparison.seen[seen as usize], Seen::Conditional(_))
            };
            let conditional = match pairs(&is_conditional) {
                0 => String::new(),
                n if n == all => ", conditional".to_owned(),
                n => format!(", {n} of them conditional"),
            };
            let there = match (group.fate, all) {
                (Fate::Lost, _) => "led",
                (_, 1) => "leads",
                _ => "lead",
            };
            more.push(format!("{} {there} {leads} there{conditional}", counted(all, "update")));
        }
    }
    Told { sign, what, more }
}

/// What is declared otherwise.
pub(super) fn risks(comparison: &Comparison) -> Vec<Told> {
    comparison.risks.iter().map(|change| risk(comparison, change)).collect()
}

fn risk(comparison: &Comparison, change: &RiskChange) -> Told {
    let targets =
        |targets: &[String]| releases(&targets.iter().map(String::as_str).collect::<Vec<_>>());
    let name = change.name.as_deref();
    let what = match (change.standing, name) {
        (Standing::New, Some(name)) => {
            format!("{name} is a new risk, of updates to {}", targets(&change.added))
        }
        (Standing::New, None) => format!("updates to {} are blocked", targets(&change.added)),
        (Standing::Gone, Some(name)) => {
            format!("{name} is a risk no more, of updates to {}", targets(&change.dropped))
        }
        (Standing::Gone, None) => {
            format!("updates to {} are blocked no more", targets(&change.dropped))
        }
        (Standing::Changed, name) => {
            let subject = name.map_or("blocks are".to_owned(), |name| format!("{name} is"));
            match (change.added.as_slice(), change.dropped.as_slice()) {
                ([], []) => format!("{subject} declared otherwise"),
                (added, []) => format!("{subject} declared for updates to {}, too", targets(added)),
                ([], dropped) => {
                    format!("{subject} declared no more for updates to {}", targets(dropped))
                }
                (added, dropped) => format!(
                    "{subject} declared for updates to {}, and no more to {}",
                    targets(added),
                    targets(dropped)
                ),
            }
        }
    };
    let sign = match change.standing {
        Standing::New => '+',
        Standing::Gone => '-',
        Standing::Changed => '~',
    };
    let mut more: Vec<String> = Vec::new();
    let places: HashMap<&str, usize> =
        comparison.versions.iter().map(String::as_str).zip(0..).collect();
    let is_unserved = |target: &&str| {
        let core = target.split('+').next().unwrap_or(target);
        places.get(core).is_none_or(|at| !comparison.served[*at])
    };
    let unserved: Vec<&str> = change.added.iter().map(String::as_str).filter(is_unserved).collect();
    if !unserved.is_empty() {
        more.push(format!("no channel has {} yet", releases(&unserved)));
    }
    more.extend(change.patterns.iter().flat_map(pattern));
    more.extend(change.texts.iter().map(text));
    Told { sign, what, more }
}

fn text(change: &TextChange) -> String {
    /// Longer texts are not shown.
    const SHORT: usize = 80;
    let key = change.key;
    let targets = releases(&change.targets.iter().map(String::as_str).collect::<Vec<_>>());
    let is_short = change.before.len() <= SHORT && change.after.len() <= SHORT;
    match (key, change.for_all) {
        ("matchingRules", (false, true)) => {
            format!("affected some clusters, and affects every one now, for {targets}")
        }
        ("matchingRules", (true, false)) => {
            format!("affected every cluster, and affects some now, for {targets}")
        }
        ("matchingRules", _) => format!("asks clusters otherwise (`matchingRules`) for {targets}"),
        _ if change.before.is_empty() && is_short => {
            format!("`{key}` is now {} for {targets}", change.after)
        }
        _ if change.after.is_empty() && is_short => {
            format!("`{key}` was {}, and is gone for {targets}", change.before)
        }
        _ if is_short => {
            format!("`{key}` was {} and is {} for {targets}", change.before, change.after)
        }
        _ => format!("`{key}` is worded otherwise for {targets}"),
    }
}

fn pattern(change: &PatternChange) -> Vec<String> {
    let all = |list: &[String]| releases(&list.iter().map(String::as_str).collect::<Vec<_>>());
    let mut lines = vec![format!(
        "`from` was `{}` and is `{}` for {}",
        change.before,
        change.after,
        all(&change.targets)
    )];
    let (includes, excludes) = (all(&change.includes), all(&change.excludes));
    match (includes.as_str(), excludes.as_str()) {
        ("", "") if change.is_all => lines.push("both match the same releases".to_owned()),
        ("", "") => {}
        (_, "") => lines.push(format!("wider: now includes {includes}")),
        ("", _) => lines.push(format!("narrower: no longer includes {excludes}")),
        _ => {
            lines.push(format!("now includes {includes}"));
            lines.push(format!("no longer includes {excludes}"));
        }
    }
    lines
}

/// The updates that are otherwise for another reason than a release's move.
pub(super) fn updates(report: &ChangeReport<'_>, groups: &[Group]) -> Vec<Told> {
    let declared = groups.iter().filter(|group| matches!(group.blame, Blame::Declared { .. }));
    declared.map(|group| updates_of(report, group)).collect()
}

fn updates_of(report: &ChangeReport<'_>, group: &Group) -> Told {
    let comparison = report.comparison;
    let changes = || group.changes.iter().map(|at| &comparison.altered[*at]);
    let ends = |end: &dyn Fn(&Altered) -> u32| {
        let found: BTreeSet<u32> = changes().map(end).collect();
        let names: Vec<&str> =
            found.into_iter().map(|at| comparison.versions[at as usize].as_str()).collect();
        releases(&names)
    };
    let pairs: BTreeSet<(u32, u32)> = changes().map(|change| (change.from, change.to)).collect();
    let several = pairs.len() > 1;
    let is_blocked = |place: u32| comparison.seen[place as usize] == Seen::Blocked;
    let (added, dropped) = match &group.blame {
        Blame::Declared { added, dropped } => (names(added), names(dropped)),
        Blame::Moved(_) => (String::new(), String::new()),
    };
    let (are, have) = if several { ("are", "have") } else { ("is", "has") };
    let (sign, fate) = match group.fate {
        Fate::Lost => {
            let is_now_blocked = changes().all(|change| is_blocked(change.after));
            let fate = if is_now_blocked { "blocked" } else { "gone" };
            let risks = if dropped.is_empty() {
                String::new()
            } else {
                format!(", with the risk {dropped} before")
            };
            ('-', format!("{are} {fate}{risks}"))
        }
        Fate::Gained => {
            let was_blocked = changes().all(|change| is_blocked(change.before));
            let fate = if was_blocked { "blocked no more" } else { "new" };
            let risks =
                if added.is_empty() { String::new() } else { format!(", conditional: {added}") };
            ('+', format!("{are} {fate}{risks}"))
        }
        Fate::Conditioned => ('~', format!("{are} conditional now: {added}")),
        Fate::Freed => ('~', format!("{are} unconditional now: without {dropped}")),
        Fate::Risks => match (added.as_str(), dropped.as_str()) {
            (added, "") => ('~', format!("{have} more risks: {added}")),
            ("", dropped) => ('~', format!("{have} fewer risks: without {dropped}")),
            (added, dropped) => ('~', format!("{have} other risks: {added}, without {dropped}")),
        },
    };
    let what = format!("{} {fate}", counted(pairs.len(), "update"));
    let channels: BTreeSet<u32> = changes().flat_map(|change| change.channels.clone()).collect();
    let channels: Vec<&str> =
        channels.into_iter().map(|at| comparison.channels[at as usize].as_str()).collect();
    let architectures: BTreeSet<&str> = changes().flat_map(Altered::architectures).collect();
    let mut more = vec![
        format!("from {} to {}", ends(&|change| change.from), ends(&|change| change.to)),
        format!("in {}", listed(&channels, "and")),
    ];
    if architectures.len() < comparison.architectures.len() {
        let some: Vec<&str> = architectures.into_iter().collect();
        more.push(format!("for {} only", listed(&some, "and")));
    }
    let uncertain: BTreeSet<(u32, u32)> = changes()
        .filter(|change| !change.is_certain)
        .map(|change| (change.from, change.to))
        .collect();
    if !uncertain.is_empty() {
        more.push(format!("{} of them predicted without certainty", uncertain.len()));
    }
    Told { sign, what, more }
}

fn names(list: &[String]) -> String {
    listed(&list.iter().map(String::as_str).collect::<Vec<_>>(), "and")
}
