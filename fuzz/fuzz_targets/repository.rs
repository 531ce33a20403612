//! A small repository in one text: a line `=== PATH` begins each file.

use exitpath::testing::tree::Blob;

/// More files than this are no better input.
const MOST_FILES: usize = 8;

/// The files of a text. None if it names a file that a repository does not have, or one twice.
pub fn files(input: &[u8]) -> Option<Vec<Blob>> {
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    for line in input.split_inclusive(|b| *b == b'\n') {
        match line.strip_prefix(b"=== ") {
            Some(path) => {
                let path = std::str::from_utf8(path).ok()?.trim_end_matches('\n');
                files.push((path, Vec::new()));
            }
            None => files.last_mut()?.1.extend(line),
        }
    }
    files.sort();
    let is_new = files.windows(2).all(|pair| pair[0].0 != pair[1].0);
    if !is_new || files.len() > MOST_FILES || !files.iter().all(|(path, _)| is_data(path)) {
        return None;
    }
    Some(files.into_iter().map(|(path, text)| Blob::new(path.to_owned(), Ok(text))).collect())
}

fn is_data(path: &str) -> bool {
    const FOLDERS: [&str; 4] =
        ["blocked-edges", "build-suggestions", "channels", "internal-channels"];
    let is_name = |name: &str| !name.is_empty() && !name.contains(['/', '\0']);
    matches!(path, "raw/metadata.json" | "version")
        || path.split_once('/').is_some_and(|(folder, name)| {
            FOLDERS.contains(&folder) && is_name(name) && name.ends_with(".yaml")
        })
}
