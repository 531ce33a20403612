//! What is wrong with a payload.

use std::collections::{BTreeMap, BTreeSet};

use super::manifest::{Manifest, ManifestId};
use super::payload::Payload;
use super::slot::Slot;
use super::steps::{Order, Steps};
use crate::domain::Severity;
use crate::text::Span;
use crate::text::words::{counted, listed};

/// Something that is wrong with a payload.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub name: &'static str,
    pub severity: Severity,
    /// None if the problem is about the whole payload.
    pub at: Option<Span>,
    pub message: String,
    pub help: String,
}

/// The problems of a payload, in the order of its files. Clusters already have what `older`
/// defines.
pub(crate) fn problems(payload: &Payload, older: Option<&Payload>, steps: &Steps) -> Vec<Problem> {
    let mut problems = unread(payload);
    problems.extend(names(payload));
    problems.extend(definitions(payload, older, steps));
    problems.extend(repeated(payload));
    problems.extend(operators(payload));
    problems.sort_by_key(|problem| problem.at.map_or((1, None), |at| (0, Some(at))));
    problems.extend(versions(payload));
    problems.extend(levels(payload));
    problems
}

fn unread(payload: &Payload) -> Vec<Problem> {
    let problem = |unread: &super::Unread| Problem {
        name: "unreadable-manifest",
        severity: Severity::Error,
        at: Some(unread.at),
        message: format!("the operator does not load the file: {}", unread.why),
        help: "One such file is enough for the operator to refuse the whole payload.".to_owned(),
    };
    payload.unread.iter().map(problem).collect()
}

/// File names that the operator understands differently than people do. There is one problem for
/// each file.
fn names(payload: &Payload) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for manifest in payload.manifests.iter().filter(|manifest| seen.insert(&manifest.file)) {
        let at = manifest.place.map(|place| Span { start: 0, end: 0, ..place });
        match Slot::of(&manifest.file) {
            None => problems.push(Problem {
                name: "unplaced-manifest",
                severity: Severity::Warning,
                at,
                message: "the operator finds no run level and no component in the name".to_owned(),
                help: "It applies the manifest between the files before and after it, and does \
                       not apply the components around it side by side. Name the file \
                       `0000_LEVEL_COMPONENT_NAME`, with letters, digits, and single hyphens in \
                       the component."
                    .to_owned(),
            }),
            Some(slot) => problems.extend(cut_component(manifest, slot).map(|meant| Problem {
                name: "cut-component",
                severity: Severity::Warning,
                at,
                message: format!(
                    "the operator takes `{}` for the component, not `{meant}`",
                    slot.component
                ),
                help: format!(
                    "A component ends at the first underscore. So all components at level {} \
                     whose names begin with `{}_` are applied one after the other. Write \
                     `{}`.",
                    slot.level,
                    slot.component,
                    meant.replace('_', "-")
                ),
            })),
        }
    }
    problems
}

/// The component that was probably meant: words with underscores before the number of the file.
fn cut_component<'m>(manifest: &'m Manifest, slot: Slot<'_>) -> Option<&'m str> {
    let rest = manifest.file.strip_prefix("0000_")?.split_once('_')?.1;
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    let mut end = 0;
    for word in rest.split('_') {
        if is_number(word) {
            let meant = rest.get(..end)?.trim_end_matches('_');
            return (meant != slot.component).then_some(meant);
        }
        end += word.len() + 1;
    }
    None
}

/// Custom resources that are applied before the definition of their kind.
fn definitions(payload: &Payload, older: Option<&Payload>, steps: &Steps) -> Vec<Problem> {
    let kinds = |payload: &'_ Payload| -> BTreeMap<(String, String), ManifestId> {
        let entries = payload.manifests.entries().rev();
        entries.filter_map(|(id, manifest)| Some((manifest.defines.clone()?, id))).collect()
    };
    let older_kinds = older.map(kinds).unwrap_or_default();
    let own = kinds(payload);
    let mut problems = Vec::new();
    for (id, manifest) in payload.manifests.entries().filter(|(_, one)| !one.is_deleted) {
        let kind = (manifest.group.clone(), manifest.kind.clone());
        let Some(definition) = own.get(&kind).filter(|_| !older_kinds.contains_key(&kind)) else {
            continue;
        };
        let when = steps.order(id, *definition);
        if when == Order::After {
            continue;
        }
        problems.push(early_resource(payload, manifest, *definition, when, older.is_some()));
    }
    problems
}

fn early_resource(
    payload: &Payload,
    manifest: &Manifest,
    definition: ManifestId,
    order: Order,
    is_new: bool,
) -> Problem {
    let file = &payload.manifests[definition].file;
    let kind = &manifest.kind;
    let severity = match (is_new, order) {
        (false, _) => Severity::Info,
        (true, Order::Before) => Severity::Error,
        (true, _) => Severity::Warning,
    };
    let unless = if is_new { "" } else { " It does not matter if clusters have the kind already." };
    let (message, help) = match order {
        Order::Before => (
            format!("the {kind} is applied before the kind `{kind}` is defined, in {file}"),
            format!(
                "The definition waits for this manifest, and this manifest for the definition, so \
                 the update never ends.{unless} Put the definition at a lower level, or earlier \
                 in the component."
            ),
        ),
        Order::SideBySide | Order::After => (
            format!("the {kind} can be applied before the kind `{kind}` is defined, in {file}"),
            format!(
                "Components of one level are applied side by side. Then the first pass fails, and \
                 the operator tries again.{unless} Put the definition at a lower level."
            ),
        ),
    };
    Problem { name: "early-resource", severity, at: manifest.place, message, help }
}

/// Objects for which one cluster has several manifests.
fn repeated(payload: &Payload) -> Vec<Problem> {
    let mut first: BTreeMap<[&str; 4], &Manifest> = BTreeMap::new();
    let mut problems = Vec::new();
    for manifest in payload.manifests.iter().filter(|manifest| !manifest.name.is_empty()) {
        let Some(earlier) = first.get(&manifest.object()) else {
            first.insert(manifest.object(), manifest);
            continue;
        };
        if earlier.excludes(manifest) {
            continue;
        }
        problems.push(Problem {
            name: "repeated-manifest",
            severity: Severity::Warning,
            at: manifest.place,
            message: format!("{} is also in {}", manifest.title(), earlier.file),
            help: "In each pass, the operator writes one and then the other. Remove one, or give \
                   them annotations for different clusters."
                .to_owned(),
        });
    }
    problems
}

fn operators(payload: &Payload) -> Vec<Problem> {
    let lacking = payload.operators().filter(|(_, manifest)| manifest.versions.is_empty());
    let problem = |(_, manifest): (ManifestId, &Manifest)| Problem {
        name: "operator-without-versions",
        severity: Severity::Error,
        at: manifest.place,
        message: format!("the ClusterOperator {} declares no versions", manifest.name),
        help: "The operator cannot tell when it is updated, and the update fails here. List the \
               versions in `status.versions`."
            .to_owned(),
    };
    lacking.map(problem).collect()
}

fn versions(payload: &Payload) -> Option<Problem> {
    let (version, images) = (payload.version.as_ref()?, payload.version_of_images.as_ref()?);
    (version != images).then(|| Problem {
        name: "two-versions",
        severity: Severity::Error,
        at: None,
        message: format!("release-metadata says {version}, and image-references says {images}"),
        help: "The operator does not load such a payload.".to_owned(),
    })
}

/// Levels without a ClusterOperator, so that the operator cannot tell when they are finished.
fn levels(payload: &Payload) -> Option<Problem> {
    let slots = |is_wanted: fn(&Manifest) -> bool| -> BTreeSet<&str> {
        let manifests = payload.manifests.iter().filter(|manifest| is_wanted(manifest));
        manifests.filter_map(|manifest| Slot::of(&manifest.file)).map(|slot| slot.level).collect()
    };
    let with_operator = slots(Manifest::is_waited_for);
    let without: Vec<&str> =
        slots(|_| true).into_iter().filter(|level| !with_operator.contains(level)).collect();
    (!without.is_empty()).then(|| Problem {
        name: "level-without-operator",
        severity: Severity::Info,
        at: None,
        message: format!(
            "no ClusterOperator is at {}: {}",
            counted(without.len(), "level"),
            listed(&without, "and")
        ),
        help: "The operator goes on to the next level as soon as it has applied the manifests."
            .to_owned(),
    })
}
