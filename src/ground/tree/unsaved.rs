//! Texts that an editor has not saved yet, in place of files.

use std::collections::BTreeMap;

use super::{Blob, MAX_DEPTH, MAX_FILE, MOST_BYTES, Unreadable, WantedPaths, misplaced};

/// The files of a folder with unsaved texts in their place. A text that has no file yet becomes
/// one, if the folder would list it.
pub(crate) fn with_unsaved(
    files: &[Blob],
    unsaved: &BTreeMap<String, String>,
    wanted: WantedPaths,
) -> Vec<Blob> {
    let mut files = files.to_vec();
    for (path, text) in unsaved {
        let blob = Blob::new(path.clone(), content_of(text));
        match files.binary_search_by(|file| file.path.as_str().cmp(path)) {
            Ok(place) => files[place].content = blob.content,
            Err(place) if is_listed(path, wanted) => files.insert(place, blob),
            Err(_) => {}
        }
    }
    limit(&mut files);
    files
}

fn content_of(text: &str) -> Result<Vec<u8>, Unreadable> {
    let size = text.len() as u64;
    if size > MAX_FILE { Err(Unreadable::TooLarge(size)) } else { Ok(text.as_bytes().to_vec()) }
}

/// Omits the content of files that exceed the limit of a repository, as the reader of a folder
/// does.
fn limit(files: &mut [Blob]) {
    let mut bytes = 0;
    for file in files {
        bytes += file.content.as_ref().map_or(0, |content| content.len() as u64);
        if bytes > MOST_BYTES {
            file.content = Err(Unreadable::TooManyFiles);
        }
    }
}

/// Whether a folder with a file at this path lists it.
pub(crate) fn is_listed(path: &str, wanted: WantedPaths) -> bool {
    let Some((folder, rest)) = path.split_once('/') else {
        return wanted.files.contains(&path) || misplaced::may_hold_data(path, false, wanted);
    };
    let is_folder =
        wanted.folders.contains(&folder) || misplaced::may_hold_data(folder, true, wanted);
    let depth = rest.matches('/').count();
    is_folder && depth <= MAX_DEPTH || wanted.files.contains(&path)
}
