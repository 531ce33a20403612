//! Reads a folder of release metadata: documents from release images, or the cache `.nodes/` of the
//! repository's own scripts, in which file names are image digests.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::domain::version::{self, Version};
use crate::text::Failure;
use crate::text::words::counted;
use crate::tree::{self, WantedPaths};
use crate::yaml::read_as_service;

#[derive(Debug, Default)]
pub struct Documents {
    /// The releases, in order of file paths.
    pub(super) releases: Vec<ReleaseDocument>,
    /// Warnings about other files.
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct ReleaseDocument {
    pub(super) version: Version,
    pub(super) previous: Vec<Version>,
    pub(super) next: Vec<Version>,
    pub(super) metadata: BTreeMap<String, String>,
    /// The image's architecture, if the document has it.
    pub(super) arch: Option<String>,
    /// The image's digest, if the file name has it.
    pub(super) digest: Option<String>,
}

#[derive(Deserialize)]
struct RawDocument {
    kind: Option<String>,
    version: Option<String>,
    #[serde(default)]
    previous: Option<Vec<String>>,
    #[serde(default)]
    next: Option<Vec<String>>,
    #[serde(default)]
    metadata: Option<BTreeMap<String, serde_yaml::Value>>,
    #[serde(rename = "image-config-data")]
    image: Option<Image>,
}

#[derive(Deserialize)]
struct Image {
    architecture: Option<String>,
}

const EVERYTHING: WantedPaths = WantedPaths { folders: &["."], files: &[] };
const KIND: &str = "cincinnati-metadata-v0";

impl Documents {
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let blobs = tree::read_folder(folder, EVERYTHING)?;
        let mut documents = Self::default();
        let mut unreadable = Vec::new();
        for blob in blobs {
            let path = blob.path.trim_start_matches("./");
            let text = blob.content.ok().and_then(|bytes| String::from_utf8(bytes).ok());
            match text.as_deref().map(|text| document(path, text)) {
                Some(Ok(Some(release))) => documents.releases.push(release),
                Some(Ok(None)) => {}
                Some(Err(why)) => unreadable.push(format!("{path} ({why})")),
                None => unreadable.push(path.to_owned()),
            }
        }
        if documents.releases.is_empty() {
            let what = format!("there is no release metadata in {}", folder.display());
            return Err(Failure::new(what).hint(format!(
                "release metadata has `kind: {KIND}`, a `version`, and a list `previous`"
            )));
        }
        if let Some(first) = unreadable.first() {
            documents.notes.push(format!(
                "skipped {} without release metadata in {}: {first}",
                counted(unreadable.len(), "file"),
                folder.display()
            ));
        }
        Ok(documents)
    }
}

/// The release that a document describes. None if the document is about something else.
fn document(path: &str, text: &str) -> Result<Option<ReleaseDocument>, Failure> {
    let document: RawDocument =
        read_as_service(text).map_err(|error| Failure::new(error.to_string()))?;
    // For images that are not releases, the scripts keep empty documents.
    if document.kind.as_deref().is_some_and(|kind| kind != KIND) {
        return Ok(None);
    }
    let Some(text) = document.version else { return Ok(None) };
    let no_version = |text: &String| Failure::new(format!("`{text}` is not a version"));
    let parse = |text: &String| version::parse(text).ok_or_else(|| no_version(text));
    let list = |list: Option<Vec<String>>| -> Result<Vec<Version>, Failure> {
        list.unwrap_or_default().iter().map(parse).collect()
    };
    let metadata: BTreeMap<String, String> = document
        .metadata
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(key, value)| Some((key, value.as_str()?.to_owned())))
        .collect();
    let is_multi =
        metadata.get("release.openshift.io/architecture").is_some_and(|arch| arch == "multi");
    let arch = document.image.and_then(|image| image.architecture);
    Ok(Some(ReleaseDocument {
        version: parse(&text)?,
        previous: list(document.previous)?,
        next: list(document.next)?,
        metadata,
        arch: arch.or_else(|| is_multi.then(|| "multi".to_owned())),
        digest: digest(path),
    }))
}

/// The digest in a path: `sha256/0a1b…` is the image `sha256:0a1b…`.
fn digest(path: &str) -> Option<String> {
    let mut parts = path.rsplit('/');
    let (hash, algorithm) = (parts.next()?, parts.next()?);
    let is_hash = hash.len() >= 32 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    (is_hash && algorithm.starts_with("sha")).then(|| format!("{algorithm}:{hash}"))
}
