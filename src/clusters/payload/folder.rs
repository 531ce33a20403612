//! The files of a payload, in the folder that `oc adm release extract --to` writes.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::text::{Failure, MAX_FILE};
use crate::tree;

use super::read::Files;

/// The most files. Real payloads have about a thousand files, and 20 MiB.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: usize = 512 << 20;

/// The files of a folder. The error says why they cannot be read.
pub(crate) fn payload_files(folder: &Path) -> Result<Files, Failure> {
    let mut files = Files {
        metadata: json_file(folder, "release-metadata")?,
        images: json_file(folder, "image-references")?,
        manifests: Vec::new(),
    };
    let mut bytes = 0;
    for name in names(folder)? {
        let text = match tree::read_text_up_to(&folder.join(&name), MAX_FILE) {
            Ok(Some(text)) => Ok(text),
            Ok(None) => Err(Failure::new("it is gone")),
            Err(why) => Err(why),
        };
        bytes += text.as_ref().map_or(0, String::len);
        if bytes > MOST_BYTES {
            return Err(Failure::new(format!("it has more than {} MiB", MOST_BYTES >> 20)));
        }
        files.manifests.push((name, text));
    }
    Ok(files)
}

/// The names of the files with manifests, in the operator's order.
fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        let Some(name) = name.to_str() else { continue };
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        if matches!(extension, "yaml" | "yml" | "json") {
            names.push(name.to_owned());
        }
        if names.len() > MOST_FILES {
            return Err(Failure::new(format!("it has more than {MOST_FILES} files")));
        }
    }
    names.sort();
    Ok(names)
}

fn json_file(folder: &Path, name: &str) -> Result<Option<Json>, Failure> {
    let text = tree::read_text(&folder.join(name)).map_err(|why| why.at(format!("`{name}`")))?;
    let Some(text) = text else { return Ok(None) };
    let json = serde_json::from_str(&text);
    Ok(Some(json.map_err(|error| format!("`{name}` is not valid JSON: {error}"))?))
}
