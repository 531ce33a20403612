//! How good completion is, as a number: words are cut from real files, and asked for.

use std::collections::BTreeMap;

use serde_json::json;

use super::client::{Client, position};
use crate::checks::real_data;
use crate::{Scratch, git};

/// A word of a file: its bytes, and what it is.
type Cut = (std::ops::Range<usize>, &'static str);

/// How many words are cut.
const WORDS: usize = 300;

/// Numbers that look random, and are the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// The keys, the short values, the versions, and the words of queries of a file.
fn words(text: &str) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    // The indentation and the key of a text of several lines.
    let mut block: Option<(usize, &str)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let line = line.trim_end();
        let indent = line.len() - line.trim_start().len();
        let content = line.trim_start_matches([' ', '-']);
        if let Some((outer, key)) = block {
            if line.is_empty() || indent > outer {
                if key == "promql" {
                    cuts.extend(
                        in_query(line).into_iter().map(|word| (shifted(word, at), "query")),
                    );
                }
                continue;
            }
            block = None;
        }
        if content.starts_with('#') {
            continue;
        }
        let offset = at + line.len() - content.len();
        let Some((key, value)) = content.split_once(':').filter(|(key, _)| !key.contains(' '))
        else {
            if line.trim_start().starts_with("- ")
                && content.starts_with(|c: char| c.is_ascii_digit())
            {
                cuts.push((offset..offset + content.len(), "version"));
            }
            continue;
        };
        cuts.push((offset..offset + key.len(), "key"));
        let written = value.trim();
        if written.starts_with(['|', '>']) {
            block = Some((line.len() - content.len(), key));
        } else if ["to", "from", "fixedIn", "name", "url", "type"].contains(&key)
            && !written.is_empty()
        {
            let from = offset + key.len() + 1 + value.len() - value.trim_start().len();
            cuts.push((from..from + written.len(), "value"));
        }
    }
    cuts
}

fn shifted(range: std::ops::Range<usize>, by: usize) -> std::ops::Range<usize> {
    range.start + by..range.end + by
}

/// The words of a line of a query, without numbers.
fn in_query(line: &str) -> Vec<std::ops::Range<usize>> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ':';
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(from) = line[at..].find(is_word) {
        let start = at + from;
        let end = line[start..].find(|c| !is_word(c)).map_or(line.len(), |to| start + to);
        if !line[start..].starts_with(|c: char| c.is_ascii_digit()) {
            words.push(start..end);
        }
        at = end;
    }
    words
}

#[test]
fn nine_of_ten_words_are_among_the_first_five() {
    let Some(history) = real_data::history() else { return };
    let clone = Scratch::new("language-server-completion");
    let real = clone.path().join("graph-data");
    git(clone.path(), &["clone", "--quiet", history.to_str().unwrap(), real.to_str().unwrap()]);
    let files = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(real.join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut paths: Vec<String> = names.map(|name| format!("{folder}/{name}")).collect();
        paths.sort();
        paths
    };
    let (declarations, channels) = (files("blocked-edges"), files("channels"));
    let mut client = Client::new(&real);
    let mut numbers = Numbers(1);
    let (mut found, mut reciprocal) = (0, 0.0);
    let mut missed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for _ in 0..WORDS {
        let files = if numbers.below(5) == 0 { &channels } else { &declarations };
        let path = &files[numbers.below(files.len())];
        let text = std::fs::read_to_string(real.join(path)).unwrap();
        let cuts = words(&text);
        let (range, kind) = cuts[numbers.below(cuts.len())].clone();
        let word = &text[range.clone()];
        let rest = format!("{}{}", &text[..range.start], &text[range.end..]);
        client.open(path, &rest);
        let place = position(&rest, range.start);
        let params = json!({ "textDocument": { "uri": client.uri(path) }, "position": place });
        let answer = client.ask("textDocument/completion", params);
        client.close(path);
        let labels = answer["items"].as_array().into_iter().flatten();
        let rank = labels.map(|item| &item["label"]).position(|label| label == word);
        match rank {
            Some(rank) => {
                found += usize::from(rank < 5);
                reciprocal += 1.0 / f64::from(u32::try_from(rank + 1).unwrap());
            }
            None => missed.entry(kind).or_default().push(format!("{path}: {word}")),
        }
    }
    let words = f64::from(u32::try_from(WORDS).unwrap());
    assert!(found * 10 >= WORDS * 9, "{found} of {WORDS} are among the first five: {missed:#?}");
    assert!(reciprocal / words >= 0.8, "mean reciprocal rank {}", reciprocal / words);
}
