//! From the files of a payload to its manifests.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde_json::Value as Json;

use super::manifest::Manifest;
use super::payload::{Payload, Unread};
use super::scope::{Annotations, Scope};
use super::slot::Slot;
use crate::text::words::{listed, quoted};
use crate::text::{Failure, Source, SourceId, Sources, Span, fnv_hash};
use crate::yaml::{self, Document, NodeId, ValueKind};

/// The most manifests. Real payloads have about a thousand.
const MOST_MANIFESTS: usize = 100_000;

/// The files of a payload.
#[derive(Debug, Default)]
pub struct Files {
    pub metadata: Option<Json>,
    pub images: Option<Json>,
    /// The names of the files with manifests, in order, and their texts. The error says why a file
    /// cannot be read.
    pub manifests: Vec<(String, Result<String, Failure>)>,
}

impl Payload {
    /// Reads what one kind of cluster applies. The error says why the files are not a payload.
    pub fn read(files: Files, scope: &Scope) -> Result<Self, Failure> {
        if files.metadata.is_none()
            && files.manifests.iter().all(|(name, _)| Slot::of(name).is_none())
        {
            return Err("it has neither `release-metadata` nor a manifest such as \
                        `0000_10_config-operator_01.yaml`"
                .into());
        }
        let text = |json: &Option<Json>, pointer: &str| {
            let value = json.as_ref().and_then(|json| json.pointer(pointer));
            value.and_then(Json::as_str).map(str::to_owned)
        };
        let mut payload = Self {
            version: text(&files.metadata, "/version"),
            version_of_images: text(&files.images, "/metadata/name"),
            ..Self::default()
        };
        let major = payload.version.as_deref().and_then(|version| version.split('.').next());
        let read: Vec<(Source, File)> = files
            .manifests
            .into_par_iter()
            .enumerate()
            .map(|(at, (name, text))| read_file(name, text, SourceId::at(at), scope, major))
            .collect();
        let mut sources = Vec::new();
        let mut profiles: BTreeSet<String> = BTreeSet::new();
        for (source, file) in read {
            sources.push(source);
            payload.omitted += file.omitted;
            payload.unread.extend(file.unread);
            profiles.extend(file.profiles);
            for manifest in file.manifests {
                payload.manifests.push(manifest);
            }
        }
        payload.sources = Sources::new(sources);
        if payload.manifests.len() > MOST_MANIFESTS {
            return Err(Failure::new(format!("it has more than {MOST_MANIFESTS} manifests")));
        }
        if payload.manifests.is_empty() && payload.omitted > 0 {
            return Err(nothing_for(scope, &profiles).into());
        }
        Ok(payload)
    }
}

fn nothing_for(scope: &Scope, profiles: &BTreeSet<String>) -> String {
    let known: Vec<&String> = profiles.iter().collect();
    if known.is_empty() {
        return "no manifest says for which profile it is, so clusters apply none".to_owned();
    }
    let Scope { profile, feature_set } = scope;
    let known = listed(&quoted(&known), "and");
    format!(
        "no manifest is for the profile `{profile}` and the feature set `{feature_set}`; its \
         profiles are {known}"
    )
}

/// The content of a file.
#[derive(Default)]
struct File {
    manifests: Vec<Manifest>,
    omitted: usize,
    profiles: BTreeSet<String>,
    unread: Option<Unread>,
}

fn read_file(
    name: String,
    text: Result<String, Failure>,
    id: SourceId,
    scope: &Scope,
    major: Option<&str>,
) -> (Source, File) {
    match text {
        Ok(text) => {
            let file = manifests(&name, &text, id, scope, major);
            (Source::new(name, text), file)
        }
        Err(why) => {
            let unread = Unread { at: Span { source: id, start: 0, end: 0 }, why: why.to_string() };
            (Source::new(name, String::new()), File { unread: Some(unread), ..File::default() })
        }
    }
}

fn manifests(name: &str, text: &str, id: SourceId, scope: &Scope, major: Option<&str>) -> File {
    let mut file = File::default();
    let mut objects: BTreeSet<[String; 4]> = BTreeSet::new();
    for (start, part) in yaml::parts(text) {
        let document = match yaml::parse(part) {
            Ok(document) => document,
            Err(error) => {
                let at = start + error.offset;
                let at = Span { source: id, start: at, end: at };
                file.unread = Some(Unread { at, why: "it is not valid YAML".to_owned() });
                return file;
            }
        };
        // A document with comments only is not a manifest.
        if document.kind(document.root()) == ValueKind::Null {
            continue;
        }
        let metadata = document.top("metadata");
        let annotations = Annotations::of(&document, metadata);
        let mut manifest = manifest(&document, metadata, &annotations);
        let named = metadata.and_then(|id| document.get(id, "name"));
        let range = named.map_or(0..0, |id| document.node(id).range());
        let place = Span { source: id, start: start + range.start, end: start + range.end };
        if let Some(why) = refusal(&manifest, &mut objects) {
            file.unread = Some(Unread { at: place, why });
            return file;
        }
        file.profiles.extend(annotations.profiles().map(str::to_owned));
        if !annotations.is_in(scope, major) {
            file.omitted += 1;
            continue;
        }
        name.clone_into(&mut manifest.file);
        manifest.hash = fnv_hash(part.trim().as_bytes());
        manifest.place = Some(place);
        file.manifests.push(manifest);
    }
    file
}

/// Why the operator refuses a file with this manifest.
fn refusal(manifest: &Manifest, objects: &mut BTreeSet<[String; 4]>) -> Option<String> {
    if manifest.kind.is_empty() || manifest.name.is_empty() {
        return Some("a manifest has no kind or no name".to_owned());
    }
    let is_new = objects.insert(manifest.object().map(str::to_owned));
    (!is_new).then(|| format!("it has {} twice", manifest.title()))
}

fn manifest(
    document: &Document,
    metadata: Option<NodeId>,
    annotations: &Annotations<'_>,
) -> Manifest {
    let text = |mapping: Option<NodeId>, key: &str| {
        let value = mapping.and_then(|id| document.get(id, key));
        value.and_then(|id| document.text(id)).unwrap_or_default().to_owned()
    };
    let root = Some(document.root());
    let api = text(root, "apiVersion");
    let mut manifest = Manifest {
        group: api.split_once('/').map_or("", |(group, _)| group).to_owned(),
        kind: text(root, "kind"),
        namespace: text(metadata, "namespace"),
        name: text(metadata, "name"),
        gates: annotations.gates(),
        is_deleted: annotations.deletes(),
        ..Manifest::default()
    };
    if manifest.is_cluster_operator() {
        let versions = document.top("status").and_then(|id| document.get(id, "versions"));
        let versions = versions.map(|id| document.items(id)).unwrap_or_default().iter();
        manifest.versions =
            versions.map(|id| (text(Some(*id), "name"), text(Some(*id), "version"))).collect();
    }
    if manifest.kind == "CustomResourceDefinition" && !manifest.is_deleted {
        let spec = document.top("spec");
        let names = spec.and_then(|id| document.get(id, "names"));
        manifest.defines = Some((text(spec, "group"), text(names, "kind")));
    }
    manifest
}
