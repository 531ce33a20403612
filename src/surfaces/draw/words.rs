//! The texts of a picture, before a format escapes them.

use std::borrow::Cow;
use std::fmt::Write;

use crate::graph::Served;
use crate::text::printable;
use crate::text::words::{counted, grouped};

use super::links::Links;
use super::picture::{Bundle, Legend, Picture, ReleaseGroup, Run, UpdateKind};
use super::request::{PictureRequest, UpdateFilter};

/// The most characters of a version or a name. Real ones are shorter.
const LONGEST: usize = 80;

/// How many names of risks an arrow shows. Around one release, it shows all.
const MOST_NAMES: usize = 3;

pub(super) fn title(served: &Served<'_>, request: &PictureRequest) -> String {
    let channel = &served.whole.channels[served.channel];
    let mut title = format!("{} for {}", safe_line(channel), served.arch);
    if let Some(node) = request.around {
        let _ = write!(title, ": around {}", safe_line(&served.version(node)));
    }
    match request.only {
        UpdateFilter::All => {}
        UpdateFilter::Conditional => title += ", conditional updates only",
        UpdateFilter::FromStranded(_) => title += ", updates from stranded releases",
    }
    title
}

/// What was folded and what was omitted, in sentences.
pub(super) fn notes(picture: &Picture, request: &PictureRequest, links: &Links) -> Vec<String> {
    let drawn = |kind: &UpdateKind| -> usize {
        let bundles = picture.bundles().filter(|bundle| bundle.kind == *kind);
        bundles.map(|bundle| bundle.updates).sum()
    };
    let updates = picture.kinds().into_iter().map(|kind| {
        let noun = format!("{} update", adjective(kind));
        counted(drawn(&kind), &noun)
    });
    let releases = counted(picture.shown_releases(), "release");
    let what: Vec<String> = [releases].into_iter().chain(updates).collect();
    let mut notes = vec![format!(
        "{}, in {} and {}.",
        what.join(", "),
        counted(picture.groups.len(), "box"),
        counted(picture.arrows.len(), "arrow"),
    )];
    let omitted = picture.versions.len() - picture.shown_releases();
    if omitted > 0 {
        let why = if request.around.is_some() {
            "without updates from or to it"
        } else {
            "without such updates"
        };
        notes.push(format!("Omitted: {} {why}.", counted(omitted, "release")));
    }
    let blocked = links.total(UpdateKind::Blocked);
    if blocked > 0 && !request.blocked {
        notes.push(format!("Omitted: {}.", counted(blocked, "blocked update")));
    }
    if links.doubted > 0 {
        let updates = counted(links.doubted, "update");
        let verb = if links.doubted == 1 { "does" } else { "do" };
        notes.push(format!("Omitted: {updates} that probably {verb} not exist."));
    }
    if picture.bundles().any(|bundle| bundle.risks.len() > most_names(picture)) {
        notes.push(
            "An arrow with many risks names only some of them. A picture around one release names all."
                .to_owned(),
        );
    }
    notes
}

pub(super) fn adjective(kind: UpdateKind) -> &'static str {
    match kind {
        UpdateKind::Open => "open",
        UpdateKind::Conditional => "conditional",
        UpdateKind::Blocked => "blocked",
    }
}

/// A line of the legend.
pub(super) fn meaning(picture: &Picture, kind: UpdateKind) -> String {
    let meaning = match (picture.legend, kind) {
        (Legend::Catalog, UpdateKind::Open) => return "the update that OLM chooses".to_owned(),
        (Legend::Catalog, _) => return "an update that OLM never chooses".to_owned(),
        (_, UpdateKind::Open) => "offered to every cluster",
        (_, UpdateKind::Conditional) => "offered to clusters that none of its risks affects",
        (_, UpdateKind::Blocked) => "no cluster sees it",
    };
    format!("{}: {meaning}", adjective(kind))
}

/// What a thick border means. None if no box has one.
pub(super) fn meaning_of_mark(request: &PictureRequest) -> Option<&'static str> {
    match (&request.only, request.around) {
        (UpdateFilter::FromStranded(_), _) => {
            Some("stranded: no exit path if conditional updates are removed")
        }
        (_, Some(_)) => Some("the release in the middle"),
        (_, None) => None,
    }
}

/// A range such as `4.17.0–4.17.9`.
pub(super) fn version_range(picture: &Picture, run: &Run) -> String {
    let version = |place: usize| safe_line(&picture.versions[place]);
    let (first, last) = (version(run.start), version(run.end - 1));
    if run.len() == 1 { first } else { format!("{first}–{last}") }
}

/// The lines below the versions of a group.
pub(super) fn remarks(group: &ReleaseGroup) -> Vec<String> {
    let all = group.releases.len();
    let mut remarks = Vec::new();
    if all > 1 {
        remarks.push(counted(all, "release"));
    }
    let from = |some: usize| match all {
        1 => String::new(),
        _ if some == all => " from these".to_owned(),
        _ => format!(" from {} of these", grouped(some)),
    };
    if group.without_updates > 0 {
        remarks.push(format!("no updates{}", from(group.without_updates)));
    }
    if let Some(without) = group.without_hop.filter(|without| *without > group.without_updates) {
        remarks.push(format!("no update leads{} to a newer minor", from(without)));
    }
    remarks
}

/// The line about a bundle: its origins, its targets if they are not the whole group, and how many
/// updates it has.
pub(super) fn updates_line(picture: &Picture, group: &ReleaseGroup, bundle: &Bundle) -> String {
    let is_inside = group.releases.contains(&bundle.origins.start);
    let mut line = if is_inside {
        "among these".to_owned()
    } else {
        format!("from {}", version_range(picture, &bundle.origins))
    };
    if !is_inside && bundle.targets != group.releases {
        let _ = write!(line, " to {}", version_range(picture, &bundle.targets));
    }
    if is_inside || bundle.pairs > 1 {
        // No arrow shows the kind of updates inside a group.
        let noun = match bundle.kind {
            kind if is_inside => format!("{} update", adjective(kind)),
            _ => "update".to_owned(),
        };
        let _ = write!(line, ": {}", counted(bundle.updates, &noun));
        if bundle.updates < bundle.pairs {
            let _ = write!(line, " of {}", counted(bundle.pairs, "pair"));
        }
    }
    let doubt = match bundle.uncertain {
        0 => String::new(),
        all if all == bundle.updates => " (uncertain)".to_owned(),
        some => format!(" ({} uncertain)", grouped(some)),
    };
    line + &doubt
}

/// The names of a bundle's risks, as many as the picture shows.
pub(super) fn risk_names(picture: &Picture, bundle: &Bundle) -> Vec<String> {
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
    let name = safe_line(risk);
    if name.is_empty() { "a risk without a name".to_owned() } else { name }
}

fn most_names(picture: &Picture) -> usize {
    if picture.is_around { usize::MAX } else { MOST_NAMES }
}

/// Text from a file on one line, printable, and of limited length.
pub(super) fn safe_line(text: &str) -> String {
    let line: Cow<'_, str> = if text.chars().nth(LONGEST).is_some() {
        text.chars().take(LONGEST - 1).chain(['…']).collect::<String>().into()
    } else {
        text.into()
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    printable(&words.join(" ")).into_owned()
}

/// How to read arrows in formats where a line can have only one start.
pub(super) const ORIGINS: &str =
    "An arrow starts at the box of its newest origins. Its text names all origins.";
