//! The files and the risks that a change renames.
//!
//! Like git, this looks at paths that only one side has, first for the same text and then for
//! similar text. It does not run git, which would run the filters that a repository configures.

use std::collections::BTreeMap;

use crate::domain::HashMap;

use super::GraphData;

/// What a change renames.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renames {
    /// The files.
    after: BTreeMap<String, String>,
    before: BTreeMap<String, String>,
    /// The risks.
    names: BTreeMap<String, String>,
}

/// If one side has more candidates, similar texts are not compared.
const MOST_COMPARED: usize = 1_000;

/// The most lines to compare in search of similar texts. Real changes need less than a hundredth of
/// this.
const MOST_LINES: usize = 50_000_000;

/// A file that only one side has.
struct Candidate<'d> {
    path: &'d str,
    text: &'d str,
}

impl Renames {
    /// The renames between two states of a repository.
    pub(crate) fn between(before: &GraphData, after: &GraphData) -> Self {
        let (mut gone, mut new) = (only_in(before, after), only_in(after, before));
        let mut renames = Self::default();
        renames.add_exact(&mut gone, &mut new);
        if gone.len() <= MOST_COMPARED && new.len() <= MOST_COMPARED {
            renames.add_similar(&gone, &new);
        }
        renames.add_names(before, after);
        renames
    }

    /// A risk has another name if its files have it, and no file has the old one.
    fn add_names(&mut self, before: &GraphData, after: &GraphData) {
        let (old_names, new_names) = (names(before), names(after));
        let has =
            |names: &HashMap<&str, &str>, name: &str| names.values().any(|known| *known == name);
        for (path, new) in &new_names {
            let Some(old) = old_names.get(self.path_before(path)) else { continue };
            if old != new && !has(&new_names, old) && !has(&old_names, new) {
                self.names.insert((*old).to_owned(), (*new).to_owned());
            }
        }
    }

    /// A text about the state before the change, with the names that risks have after it.
    pub(crate) fn with_new_names(&self, text: &str) -> String {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut renamed = String::with_capacity(text.len());
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            renamed.push_str(self.names.get(word).map_or(word, String::as_str));
            let other = after.find(is_word).unwrap_or(after.len());
            renamed.push_str(&after[..other]);
            rest = &after[other..];
        }
        renamed
    }

    /// The path after the change of a file that exists before it.
    pub(crate) fn path_after<'p>(&'p self, path: &'p str) -> &'p str {
        self.after.get(path).map_or(path, String::as_str)
    }

    /// The path before the change of a file that exists after it.
    pub(crate) fn path_before<'p>(&'p self, path: &'p str) -> &'p str {
        self.before.get(path).map_or(path, String::as_str)
    }

    fn add(&mut self, before: &str, after: &str) {
        self.after.insert(before.to_owned(), after.to_owned());
        self.before.insert(after.to_owned(), before.to_owned());
    }

    fn add_exact(&mut self, gone: &mut Vec<Candidate<'_>>, new: &mut Vec<Candidate<'_>>) {
        let mut by_text: HashMap<&str, Vec<&str>> = HashMap::default();
        for one in gone.iter().rev() {
            by_text.entry(one.text).or_default().push(one.path);
        }
        for one in new.iter() {
            if let Some(path) = by_text.get_mut(one.text).and_then(Vec::pop) {
                self.add(path, one.path);
            }
        }
        gone.retain(|one| !self.after.contains_key(one.path));
        new.retain(|one| !self.before.contains_key(one.path));
    }

    fn add_similar(&mut self, gone: &[Candidate<'_>], new: &[Candidate<'_>]) {
        let lines_of_gone: Vec<HashMap<&str, usize>> =
            gone.iter().map(|one| lines(one.text)).collect();
        let (mut pairs, mut left) = (Vec::new(), MOST_LINES);
        for (to, one) in new.iter().enumerate() {
            let own = lines(one.text);
            for (from, other) in gone.iter().enumerate() {
                let Some(rest) = left.checked_sub(own.len()) else { return };
                left = rest;
                let longer = one.text.len().max(other.text.len());
                let shared = shared_bytes(&own, &lines_of_gone[from]);
                if 2 * shared >= longer {
                    pairs.push((shared * 1_000 / longer.max(1), from, to));
                }
            }
        }
        // The most similar pairs come first, and equal pairs are sorted by path.
        pairs.sort_by_key(|(score, from, to)| (std::cmp::Reverse(*score), *to, *from));
        let (mut is_taken, mut has_origin) = (vec![false; gone.len()], vec![false; new.len()]);
        for (_, from, to) in pairs {
            if !is_taken[from] && !has_origin[to] {
                (is_taken[from], has_origin[to]) = (true, true);
                self.add(gone[from].path, new[to].path);
            }
        }
    }
}

/// The files that only one side has, without empty files.
fn only_in<'d>(one: &'d GraphData, other: &GraphData) -> Vec<Candidate<'d>> {
    let candidates = one.files.iter().map(|file| {
        let source = one.sources.get(file.id);
        Candidate { path: source.path(), text: source.text() }
    });
    candidates.filter(|one| !one.text.is_empty() && other.at_path(one.path).is_none()).collect()
}

/// The names of risks, by the paths of their files.
fn names(data: &GraphData) -> HashMap<&str, &str> {
    let named = data.blocked_edges.iter().filter_map(|edge| Some((edge, edge.name.as_ref()?)));
    named.map(|(edge, name)| (data.path(edge.file), name.value.as_str())).collect()
}

/// How often each line of a text occurs.
fn lines(text: &str) -> HashMap<&str, usize> {
    let mut lines = HashMap::default();
    for line in text.split_inclusive('\n') {
        *lines.entry(line).or_default() += 1;
    }
    lines
}

fn shared_bytes(one: &HashMap<&str, usize>, other: &HashMap<&str, usize>) -> usize {
    let shared = one.iter().map(|(line, count)| {
        let both = other.get(line).copied().unwrap_or_default().min(*count);
        both * line.len()
    });
    shared.sum()
}

#[cfg(test)]
mod tests {
    use super::{GraphData, Renames};
    use crate::tree::Blob;

    fn data(files: &[(&str, &str)]) -> GraphData {
        let mut blobs: Vec<Blob> = files
            .iter()
            .map(|(path, text)| {
                Blob::new(format!("blocked-edges/{path}"), Ok(text.as_bytes().to_vec()))
            })
            .collect();
        blobs.sort_by(|a, b| a.path.cmp(&b.path));
        GraphData::from_blobs(blobs)
    }

    fn renamed(before: &[(&str, &str)], after: &[(&str, &str)], path: &str) -> String {
        let renames = Renames::between(&data(before), &data(after));
        let path = format!("blocked-edges/{path}");
        let new = renames.path_after(&path).to_owned();
        assert_eq!(renames.path_before(&new), path);
        new["blocked-edges/".len()..].to_owned()
    }

    const A: &str = "to: 4.1.1\nfrom: .*\nname: A\nurl: https://example.com/a\n";

    #[test]
    fn a_renamed_file_has_the_same_or_similar_text() {
        let similar = A.replace("4.1.1", "4.1.2");
        assert_eq!(renamed(&[("a.yaml", A)], &[("b.yaml", A)], "a.yaml"), "b.yaml");
        assert_eq!(renamed(&[("a.yaml", A)], &[("b.yaml", &similar)], "a.yaml"), "b.yaml");
        assert_eq!(renamed(&[("a.yaml", A)], &[("b.yaml", "to: 4.2.0\n")], "a.yaml"), "a.yaml");
        assert_eq!(renamed(&[("a.yaml", A)], &[("a.yaml", ""), ("b.yaml", A)], "a.yaml"), "a.yaml");
    }

    #[test]
    fn the_most_similar_file_is_the_renamed_one() {
        let similar = A.replace("4.1.1", "4.1.2");
        let less = similar.replace("name: A", "name: B");
        let after = [("b.yaml", less.as_str()), ("c.yaml", similar.as_str())];
        assert_eq!(renamed(&[("a.yaml", A)], &after, "a.yaml"), "c.yaml");
        let both = [("b.yaml", similar.as_str()), ("c.yaml", A)];
        assert_eq!(
            renamed(&[("a.yaml", A)], &both, "a.yaml"),
            "c.yaml",
            "the same text comes first"
        );
    }
}
