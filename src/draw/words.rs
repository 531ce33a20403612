//! What is written in a picture, whatever its format. Escaping is each format's own.

use std::borrow::Cow;
use std::fmt::Write;

use crate::graph::Served;
use crate::text::printable;

use super::links::Links;
use super::picture::{Block, Bundle, Picture, Run};
use super::{Kind, Only, Request};

/// No version or name that anybody has used is longer.
const LONGEST: usize = 80;

/// How many names of risks an arrow shows, but around one release, where it shows all.
const MOST_NAMES: usize = 3;

/// What a picture shows, in a line.
pub(super) fn title(served: &Served<'_>, request: &Request) -> String {
    let channel = &served.whole.channels[served.channel.0 as usize];
    let mut title = format!("{} for {}", plain(channel), plain(served.arch));
    if let Some(node) = request.around {
        let _ = write!(title, ": around {}", plain(&served.version(node)));
    }
    match request.only {
        Only::All => {}
        Only::Conditional => title += ", conditional updates only",
        Only::Touching(_) => title += ", a part",
    }
    title
}

/// What was folded and what was left out, in sentences.
pub(super) fn notes(picture: &Picture, request: &Request, links: &Links) -> Vec<String> {
    let drawn = |kind: &Kind| -> usize {
        let bundles = picture.bundles().filter(|bundle| bundle.kind == *kind);
        bundles.map(|bundle| bundle.updates).sum()
    };
    let updates = picture.kinds().into_iter().map(|kind| {
        let noun = format!("{} update", adjective(kind));
        counted(drawn(&kind), &noun)
    });
    let releases = counted(picture.shown(), "release");
    let what: Vec<String> = [releases].into_iter().chain(updates).collect();
    let mut notes = vec![format!(
        "{}, in {} and {}.",
        what.join(", "),
        counted(picture.blocks.len(), "box"),
        counted(picture.arrows.len(), "arrow"),
    )];
    let left_out = picture.versions.len() - picture.shown();
    if left_out > 0 {
        let why = if request.around.is_some() { "not next to it" } else { "without such updates" };
        notes.push(format!("Left out: {} {why}.", counted(left_out, "release")));
    }
    let blocked = links.total(Kind::Blocked);
    if blocked > 0 && !request.blocked {
        notes.push(format!(
            "Left out: {} that no cluster sees.",
            counted(blocked, "blocked update")
        ));
    }
    if links.doubted > 0 {
        notes.push(format!(
            "Left out: {} that there probably are not.",
            counted(links.doubted, "uncertain update")
        ));
    }
    if picture.bundles().any(|bundle| bundle.risks.len() > most_names(picture)) {
        notes.push(
            "Where many risks meet, some are only counted; a picture around one release names all."
                .to_owned(),
        );
    }
    notes
}

/// What updates of a kind are called.
pub(super) fn adjective(kind: Kind) -> &'static str {
    match kind {
        Kind::Open => "open",
        Kind::Conditional => "conditional",
        Kind::Blocked => "blocked",
    }
}

/// What a kind means, for the legend.
pub(super) fn meaning(kind: Kind) -> String {
    let meaning = match kind {
        Kind::Open => "offered to every cluster",
        Kind::Conditional => "offered to clusters that none of its risks affects",
        Kind::Blocked => "no cluster sees it",
    };
    format!("{}: {meaning}", adjective(kind))
}

/// `4.17.0–4.17.9`.
pub(super) fn run(picture: &Picture, run: &Run) -> String {
    let version = |place: usize| plain(&picture.versions[place]);
    let (first, last) = (version(run.start), version(run.end - 1));
    if run.len() == 1 { first } else { format!("{first}–{last}") }
}

/// What is said of a block's releases below their versions.
pub(super) fn remarks(block: &Block) -> Vec<String> {
    let all = block.releases.len();
    let mut remarks = Vec::new();
    if all > 1 {
        remarks.push(counted(all, "release"));
    }
    let some = |some: usize, end: &str| match all {
        1 => format!("no update {end}"),
        _ if some == all => format!("none has an update {end}"),
        _ => format!("{some} without an update {end}"),
    };
    if block.without_updates > 0 {
        remarks.push(some(block.without_updates, "that leads on"));
    }
    if let Some(without) = block.without_hop.filter(|without| *without > block.without_updates) {
        remarks.push(some(without, "to a newer minor"));
    }
    remarks
}

/// What is said of updates: where from, where to if not to all of the block, how many.
pub(super) fn head(picture: &Picture, block: &Block, bundle: &Bundle) -> String {
    let is_inside = block.releases.contains(&bundle.origins.start);
    let mut head = if is_inside {
        "among these".to_owned()
    } else {
        format!("from {}", run(picture, &bundle.origins))
    };
    if !is_inside && bundle.targets != block.releases {
        let _ = write!(head, " to {}", run(picture, &bundle.targets));
    }
    if is_inside || bundle.pairs > 1 {
        // No arrow tells what becomes of those inside.
        let noun = match bundle.kind {
            kind if is_inside => format!("{} update", adjective(kind)),
            _ => "update".to_owned(),
        };
        let _ = write!(head, ": {}", counted(bundle.updates, &noun));
        if bundle.updates < bundle.pairs {
            let _ = write!(head, " of {}", counted(bundle.pairs, "pair"));
        }
    }
    let doubt = match bundle.uncertain {
        0 => String::new(),
        all if all == bundle.updates => " (uncertain)".to_owned(),
        some => format!(" ({some} uncertain)"),
    };
    head + &doubt
}

/// The names of risks, as many as the picture shows.
pub(super) fn risks(picture: &Picture, bundle: &Bundle) -> Vec<String> {
    let most = most_names(picture);
    let mut names: Vec<String> = bundle.risks.iter().take(most).map(|name| name_of(name)).collect();
    if bundle.risks.len() > names.len() {
        names.push(format!("and {} more", bundle.risks.len() - names.len()));
    }
    if !bundle.is_uniform && bundle.risks.len() > 1 {
        names[0] = format!("some of {}", names[0]);
    }
    names
}

fn name_of(risk: &str) -> String {
    let name = plain(risk);
    if name.is_empty() { "a risk without a name".to_owned() } else { name }
}

fn most_names(picture: &Picture) -> usize {
    if picture.is_around { usize::MAX } else { MOST_NAMES }
}

/// Foreign text on one line, nothing unprintable in it, and not without end.
pub(super) fn plain(text: &str) -> String {
    let line: Cow<'_, str> = if text.chars().nth(LONGEST).is_some() {
        text.chars().take(LONGEST - 1).chain(['…']).collect::<String>().into()
    } else {
        text.into()
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    printable(&words.join(" ")).into_owned()
}

/// A number with its noun: `1 box`, `1,793 releases`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let plural = match number {
        1 => "",
        _ if noun.ends_with('x') => "es",
        _ => "s",
    };
    format!("{grouped} {noun}{plural}")
}

/// How arrows are to be read in formats where a line has one start.
pub(super) const ORIGINS: &str = "An arrow starts at the newest box of the releases that it is \
    from; its text names them all.";
