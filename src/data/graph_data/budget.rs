//! Limits how much of a repository is read. Every value takes memory, and a small file can have
//! millions.

use crate::text::SourceId;
use crate::tree::{Blob, Unreadable};
use crate::yaml::most_values;

use super::GraphData;

/// The most values of a file, and of all files. The real data has 7,000 and 190,000.
const MOST_OF_A_FILE: usize = 200_000;
const MOST_VALUES: usize = 1_000_000;

/// Removes the contents that exceed the budget, in the order of the files. Does not count again
/// what was counted in another state of the repository.
pub(super) fn limit(blobs: &mut [Blob], other: Option<&GraphData>) {
    let mut values = 0;
    for (place, blob) in blobs.iter_mut().enumerate() {
        let Ok(content) = &blob.content else { continue };
        let same = other.and_then(|other| {
            let file = other.at_path_near(&blob.path, SourceId::at(place))?;
            let is_same = other.sources.get(file.id).text().as_bytes() == content;
            file.most_values.filter(|_| is_same)
        });
        let own = same.unwrap_or_else(|| most_values(content));
        if own > MOST_OF_A_FILE {
            blob.content = Err(Unreadable::TooManyValues);
        } else if values + own > MOST_VALUES {
            blob.content = Err(Unreadable::TooManyFiles);
        } else {
            values += own;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_OF_A_FILE, MOST_VALUES, limit};
    use crate::tree::{Blob, Unreadable};

    #[test]
    fn the_files_over_the_budget_are_named() {
        let text = "-\n".repeat(MOST_OF_A_FILE / 4 - 1);
        let blob = |text: &str| Blob::new(String::new(), Ok(text.as_bytes().to_vec()));
        let mut blobs: Vec<Blob> =
            (0..=MOST_VALUES / MOST_OF_A_FILE).map(|_| blob(&text)).collect();
        blobs.insert(0, blob(&format!("{text}-\n")));
        blobs.push(blob(""));
        limit(&mut blobs, None);
        let last = blobs.len() - 2;
        for (at, blob) in blobs.iter().enumerate() {
            let expected = match at {
                0 => Some(Unreadable::TooManyValues),
                at if at == last => Some(Unreadable::TooManyFiles),
                _ => None,
            };
            assert_eq!(blob.content.clone().err(), expected, "{at}");
        }
    }
}
