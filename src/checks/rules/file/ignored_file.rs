//! A data file that the service skips because of its name or folder.

use crate::graph_data::{FileKind, Location};
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Subject, shortened};
use crate::yaml::Document;

pub(super) static RULE: Rule = Rule {
    code: "EP006",
    name: "ignored-file",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::File,
    severity: Severity::Error,
    summary: "a data file that the service never loads, because of its name or folder",
    explanation: "\
The service loads a file only if it is directly in `blocked-edges/` or `channels/` and
its extension contains `yaml`. It silently skips a file named `.yml`, a file without an
extension, and a file in a subfolder, in the top folder, or in a folder with a misspelled name:
the block in such a file has no effect, and the channel in it does not exist.

This rule ignores files that hold something else (`README.md`, `OWNERS`).",
    bad: "blocked-edges/4.14.3.yml",
    good: "blocked-edges/4.14.3.yaml",
    check: Check::File(check),
};

const DATA_FOLDERS: [&str; 4] =
    ["blocked-edges", "build-suggestions", "channels", "internal-channels"];

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    if subject.file.kind != FileKind::Stray {
        return;
    }
    let location = Location::of(subject.path());
    if !looks_like_data(&location, subject.document()) {
        return;
    }
    if !DATA_FOLDERS.contains(&location.folder) {
        findings.push(elsewhere(subject, &location));
        return;
    }
    let place = Place::File(subject.file.id);
    let is_backup =
        ["bak", "orig", "rej", "swp", "tmp"].contains(&location.extension().unwrap_or_default());
    let stem: Vec<&str> = location.name.split('.').filter(|part| !is_yaml(part)).collect();
    let (why, help) = if is_backup {
        (
            "its name does not end in `.yaml`",
            "delete it if it is a copy that a program left behind".to_owned(),
        )
    } else if location.direct {
        let stem = if stem.concat().is_empty() { "NAME".to_owned() } else { stem.join(".") };
        let help = format!("rename it to `{stem}.yaml`, or move it out of `{}/`", location.folder);
        ("its name does not end in `.yaml`", help)
    } else {
        let help =
            format!("move it to `{}/{}`, or out of that folder", location.folder, location.name);
        ("subfolders are not searched", help)
    };
    let finding = Finding::on(&RULE, place, format!("this file is never loaded: {why}")).help(help);
    findings.push(finding);
}

/// The finding for a file outside of the data folders.
fn elsewhere(subject: &Subject<'_>, location: &Location<'_>) -> Finding {
    let folder = subject.document().and_then(folder_of).unwrap_or(location.folder);
    let why = match location.folder {
        "" => "it is in no folder".to_owned(),
        other => format!("the service does not know the folder `{}/`", shortened(other)),
    };
    let name = location
        .name
        .strip_suffix(".yml")
        .map_or(location.name.to_owned(), |stem| format!("{stem}.yaml"));
    Finding::on(&RULE, Place::File(subject.file.id), format!("this file is never loaded: {why}"))
        .help(format!("move it to `{folder}/{}`", shortened(&name)))
}

/// The folder in which the service would read a document.
fn folder_of(document: &Document) -> Option<&'static str> {
    let has = |keys: &[&str]| keys.iter().all(|key| document.top(key).is_some());
    let [edges, suggestions, channels, _] = DATA_FOLDERS;
    [(edges, &["to", "from"][..]), (channels, &["name", "versions"]), (suggestions, &["default"])]
        .into_iter()
        .find_map(|(folder, keys)| has(keys).then_some(folder))
}

fn looks_like_data(location: &Location<'_>, document: Option<&Document>) -> bool {
    let folder = document.and_then(folder_of);
    match location.folder {
        data if DATA_FOLDERS.contains(&data) => {
            location.extension().is_some_and(is_yaml) || folder.is_some()
        }
        "" => folder.is_some_and(|folder| folder != "build-suggestions"),
        _ => folder.is_some(),
    }
}

fn is_yaml(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "yml" | "yaml")
}
