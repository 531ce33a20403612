//! The data as one archive, which disconnected sites and the policy engine fetch.

use crate::graph_data::{GraphData, Location, NoDocument};

use super::rendered::gzip;

/// The files that the service reads, besides those in `FOLDERS`.
const FILES: [&str; 2] = ["version", "raw/metadata.json"];
const FOLDERS: [&str; 2] = ["blocked-edges", "channels"];

/// The path of a file that cannot be read.
#[derive(Clone, Debug)]
pub(super) struct UnreadableFile(pub(super) String);

/// A compressed archive of the files that the service reads. It fails if a file cannot be read,
/// because an archive without that file could lack a block.
pub(super) fn archive(data: &GraphData, license: Option<&[u8]>) -> Result<Vec<u8>, UnreadableFile> {
    let mut archive = tar::Builder::new(Vec::new());
    if let Some(license) = license {
        add("LICENSE", license, &mut archive)?;
    }
    for file in data.files_by_path().filter(|file| is_served(data.path(file.id))) {
        let path = data.path(file.id);
        if let Err(NoDocument::Unreadable(_) | NoDocument::NotUtf8(..)) = &file.document {
            return Err(UnreadableFile(path.to_owned()));
        }
        add(path, data.sources.get(file.id).text().as_bytes(), &mut archive)?;
    }
    let archive = archive.into_inner().map_err(|error| UnreadableFile(error.to_string()))?;
    Ok(gzip(&archive))
}

/// Adds a file below `./`, as in the archive of the real service.
fn add(
    path: &str,
    content: &[u8],
    archive: &mut tar::Builder<Vec<u8>>,
) -> Result<(), UnreadableFile> {
    let mut header = tar::Header::new_ustar();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_entry_type(tar::EntryType::Regular);
    let path = format!("./{path}");
    let name = &mut header.as_old_mut().name;
    let added = match name.get_mut(..path.len()) {
        Some(place) => {
            place.copy_from_slice(path.as_bytes());
            header.set_cksum();
            archive.append(&header, content)
        }
        // The library splits a long name into several parts, and drops the `./`.
        None => archive.append_data(&mut header, &path, content),
    };
    added.map_err(|_| UnreadableFile(path))
}

fn is_served(path: &str) -> bool {
    let Location { folder, direct, .. } = Location::of(path);
    let is_yaml = Location::of(path).extension() == Some("yaml");
    FILES.contains(&path) || FOLDERS.contains(&folder) && direct && is_yaml
}
