//! What is written in a picture, whatever its format. Escaping is each format's own.

use std::borrow::Cow;

use crate::graph::Served;
use crate::text::printable;

use super::links::Links;
use super::picture::{Block, Bundle, Picture, Run};
use super::{Kind, Only, Request};

/// No version or name that anybody has used is longer.
const LONGEST: usize = 80;

/// What a picture shows, in a line.
pub(super) fn title(served: &Served<'_>, request: &Request) -> String {
    let channel = &served.whole.channels[served.channel.0 as usize];
    let mut title = format!("{} for {}", plain(channel), plain(served.arch));
    if let Some(node) = request.around {
        title += &format!(": around {}", plain(&served.version(node)));
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
    let drawn: usize = picture.bundles().map(|bundle| bundle.updates).sum();
    let shown: usize = picture.blocks.iter().map(|block| block.releases.len()).sum();
    let mut notes = vec![format!(
        "{} and {}, in {} and {}.",
        counted(shown, "release"),
        counted(drawn, "update"),
        counted(picture.blocks.len(), "box"),
        counted(picture.arrows.len(), "arrow"),
    )];
    let left_out = picture.versions.len() - shown;
    if left_out > 0 {
        let why = if request.around.is_some() { "not next to it" } else { "without such updates" };
        notes.push(format!("Left out: {} {why}.", counted(left_out, "release")));
    }
    let blocked = links.total(Kind::Blocked);
    if blocked > 0 && !request.blocked {
        notes.push(format!("Left out: {} that no cluster sees.", counted(blocked, "blocked update")));
    }
    if links.doubted > 0 {
        notes.push(format!(
            "Left out: {} that there probably are not.",
            counted(links.doubted, "uncertain update")
        ));
    }
    let is_cut = |bundle: &Bundle| picture.most_names.is_some_and(|most| bundle.risks.len() > most);
    if picture.bundles().any(is_cut) {
        notes.push("Where many risks meet, some are counted; a picture around one release names all.".to_owned());
    }
    notes
}

/// What a kind means, for the legend.
pub(super) fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::Open => "offered to every cluster",
        Kind::Conditional => "conditional: only for clusters that the risks do not affect",
        Kind::Blocked => "blocked: no cluster sees it",
    }
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
    let is_inside = block.releases.start <= bundle.origins.start
        && bundle.origins.end <= block.releases.end;
    let mut head = if is_inside && (bundle.origins.len() > 1 || bundle.targets.len() > 1) {
        "among these".to_owned()
    } else {
        format!("from {}", run(picture, &bundle.origins))
    };
    if !is_inside && bundle.targets != block.releases {
        head += &format!(" to {}", run(picture, &bundle.targets));
    }
    if bundle.pairs > 1 || bundle.updates > 1 {
        head += &format!(": {}", counted(bundle.updates, "update"));
        if bundle.updates < bundle.pairs {
            head += &format!(" of {}", counted(bundle.pairs, "pair"));
        }
    }
    match bundle.uncertain {
        0 => {}
        all if all == bundle.updates => head += " (uncertain)",
        some => head += &format!(" ({some} uncertain)"),
    }
    head
}

/// The names of risks, as many as the picture shows.
pub(super) fn risks(picture: &Picture, bundle: &Bundle) -> Vec<String> {
    let most = picture.most_names.unwrap_or(usize::MAX);
    let mut names: Vec<String> = bundle.risks.iter().take(most).map(|name| plain(name)).collect();
    if bundle.risks.len() > names.len() {
        names.push(format!("and {} more", bundle.risks.len() - names.len()));
    }
    if !bundle.is_uniform && bundle.risks.len() > 1 {
        names[0] = format!("some of {}", names[0]);
    }
    names
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
