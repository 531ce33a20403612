//! What other files of a risk say.

use crate::domain::version::{self, Version};
use crate::domain::{HashMap, Minor};
use crate::edit::{literal, scalar};
use crate::graph_data::BlockedEdge;

use super::super::risks::files_of;
use super::releases::value_of;
use super::{Completion, CompletionKind, WrittenFile};

/// The names of risks: first the one in the name of the file.
pub(super) fn names(asked: &WrittenFile<'_>) -> Vec<Completion> {
    let stem = asked.path.rsplit('/').next().and_then(|name| name.strip_suffix(".yaml"));
    let stem = stem.unwrap_or_default();
    let own =
        stem.rsplit('-').next().filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase()));
    let own = own.map(|name| Completion::new(CompletionKind::Risk, name, "in the file's name"));
    let alike = names_of_files_like(asked, stem);
    let alike = alike.map(|name| Completion::new(CompletionKind::Risk, name, "in files like this"));
    let mut known: Vec<(&str, Vec<&BlockedEdge>)> = asked.data.declarations_by_risk().collect();
    // People continue the risks of the newest releases.
    known.sort_by_key(|(_, files)| {
        std::cmp::Reverse(files.iter().filter_map(|edge| edge.release).max())
    });
    let item = |(name, files): (&str, Vec<&BlockedEdge>)| {
        let message = files.first().and_then(|edge| edge.message.as_ref());
        Completion::new(CompletionKind::Risk, name, "risk")
            .about(message.map_or("", |message| message.value.as_str()))
    };
    own.into_iter().chain(alike).chain(known.into_iter().map(item)).collect()
}

/// The names in files whose names end like that of this one, after the version.
fn names_of_files_like<'a>(
    asked: &'a WrittenFile<'_>,
    stem: &str,
) -> impl Iterator<Item = &'a str> {
    let own = without_version(stem).to_owned();
    let is_alike = move |edge: &&BlockedEdge| {
        if asked.data.path(edge.file) == asked.path {
            return false;
        }
        let name = asked.data.path(edge.file).rsplit('/').next();
        let stem = name.and_then(|name| name.strip_suffix(".yaml"));
        !own.is_empty() && stem.map(without_version) == Some(own.as_str())
    };
    let alike = asked.data.blocked_edges.iter().filter(is_alike);
    alike.filter_map(|edge| edge.name.as_ref()).map(|name| name.value.as_str())
}

/// The name of a file without the version at its start.
fn without_version(stem: &str) -> &str {
    let is_of_version = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let rest = stem.trim_start_matches(is_of_version);
    let pre_release = ["ec", "fc", "rc"].iter().find_map(|word| rest.strip_prefix(word));
    pre_release.map_or(rest, |rest| rest.trim_start_matches(is_of_version))
}

/// The patterns of the risk, those of the nearest target first; then those of other risks, the
/// usual ones first.
pub(super) fn patterns(asked: &WrittenFile<'_>) -> Vec<Completion> {
    let known = nearest(asked, |edge| edge.from.as_ref().map(|from| from.value.to_string()));
    let mut counts: HashMap<String, usize> = HashMap::default();
    let target = target(asked).map(|target| Minor::of(&target));
    for edge in &asked.data.blocked_edges {
        let is_alike = edge.target.as_ref().map(Minor::of) == target;
        if let Some(from) = &edge.from {
            *counts.entry(from.value.to_string()).or_default() += if is_alike { 100 } else { 1 };
        }
    }
    let mut others: Vec<(String, usize)> = counts.into_iter().collect();
    others.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let others = others.into_iter().map(|(text, _)| text);
    known.into_iter().chain(others).map(|text| item(&text)).collect()
}

/// How deep a text of several lines is indented.
const INDENT: usize = 2;

/// The texts of a key in the other files of the risk.
pub(super) fn texts(asked: &WrittenFile<'_>, key: &str) -> Vec<Completion> {
    let known = nearest(asked, |edge| {
        let text = match key {
            "url" => edge.url.as_ref(),
            "message" => edge.message.as_ref(),
            _ => edge.auto_extend.as_ref(),
        };
        text.map(|text| text.value.to_string())
    });
    let mut items: Vec<Completion> = known
        .iter()
        .map(|text| match text.trim_end() {
            line if !line.contains('\n') => item(line),
            _ => Completion::new(CompletionKind::Value, literal(text, INDENT), "several lines"),
        })
        .collect();
    if key == "url" {
        let usual =
            ["https://issues.redhat.com/browse/OCPBUGS-", "https://access.redhat.com/solutions/"];
        items.extend(usual.map(item));
    }
    items
}

fn item(text: &str) -> Completion {
    Completion::new(CompletionKind::Value, scalar(text), "")
}

fn target(asked: &WrittenFile<'_>) -> Option<Version> {
    version::parse(&value_of(asked.text, "to")?)
}

/// What the files of the risk say, the file with the nearest target first. The file itself does not
/// count.
fn nearest(asked: &WrittenFile<'_>, value: impl Fn(&BlockedEdge) -> Option<String>) -> Vec<String> {
    let name = value_of(asked.text, "name").or_else(|| {
        let stem = asked.path.rsplit('/').next()?.strip_suffix(".yaml")?;
        Some(stem.rsplit('-').next()?.to_owned())
    });
    let mut files = files_of(asked.data, &name.unwrap_or_default());
    files.retain(|edge| asked.data.path(edge.file) != asked.path);
    let target = target(asked);
    let distance = |edge: &BlockedEdge| {
        let (own, other) = (target.as_ref()?, edge.target.as_ref()?);
        let minors = own.minor.abs_diff(other.minor) + 100 * own.major.abs_diff(other.major);
        Some((minors, own.patch.abs_diff(other.patch)))
    };
    files.sort_by_key(|edge| distance(edge).unwrap_or((u64::MAX, 0)));
    files.into_iter().filter_map(value).collect()
}
