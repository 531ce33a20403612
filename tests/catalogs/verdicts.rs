//! opm's verdicts and the ranges of OLM, compared with what the real programs answer.

use std::collections::BTreeMap;

use exitpath::testing::catalog::{Range, Version, load_texts, objections, verdict};
use serde_json::Value as Json;

use crate::shared::vectors::compare;

#[test]
fn olm_vectors_validate() {
    compare("olm_vectors_validate", "olm-vectors/opm-validate.jsonl", |case, _| {
        let files = case["input"]["files"].as_object().into_iter().flatten();
        let files: BTreeMap<String, String> =
            files.map(|(path, text)| (path.clone(), text.as_str().unwrap().to_owned())).collect();
        let loaded = load_texts(&files);
        let found = objections(&loaded.catalogs[0].declared);
        let ours = verdict(&found);
        let expected = &case["expected"];
        let theirs = expected.get("error").and_then(Json::as_str);
        let is_equal = match (&ours, theirs) {
            (None, None) => true,
            (Some(ours), Some(theirs)) => {
                ours.trim_end() == theirs.trim_end()
                    || expected.get("tree").is_some_and(|tree| sorted(ours) == tree_text(tree))
            }
            _ => false,
        };
        (!is_equal).then(|| format!("\n  ours: {ours:?}\n  opm:  {theirs:?}"))
    });
}

/// The lines of a verdict, sorted among those below the same heading.
fn sorted(verdict: &str) -> Vec<String> {
    let mut path: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for line in verdict.lines() {
        let text = line.trim_start_matches([' ', '│', '├', '└', '─']);
        let depth = (line.chars().count() - text.chars().count()) / 4;
        path.truncate(depth);
        path.push(text.trim_end_matches(':').to_owned());
        lines.push(path.join("\u{1}"));
    }
    lines.sort();
    lines
}

fn tree_text(tree: &Json) -> Vec<String> {
    fn collect(tree: &Json, path: &str, lines: &mut Vec<String>) {
        let message = tree["message"].as_str().unwrap().trim_end_matches(':');
        let path =
            if path.is_empty() { message.to_owned() } else { format!("{path}\u{1}{message}") };
        lines.push(path.clone());
        for child in tree["children"].as_array().into_iter().flatten() {
            collect(child, &path, lines);
        }
    }
    let mut lines = Vec::new();
    collect(tree, "", &mut lines);
    lines.sort();
    lines
}

#[test]
fn olm_vectors_ranges() {
    compare("olm_vectors_ranges", "olm-vectors/range-match.jsonl", |case, _| {
        let text = case["input"]["range"].as_str().unwrap();
        let expected = &case["expected"];
        let range = match Range::parse(text) {
            Ok(range) => range,
            Err(words) => {
                let is_equal = expected["error"].as_str() == Some(words.to_string().as_str());
                return (!is_equal).then(|| format!("{words:?}, not {expected}"));
            }
        };
        let Some(matches) = expected["matches"].as_object() else {
            return Some(format!("accepted, but {expected}"));
        };
        let wrong = matches.iter().find(|(version, is_in)| {
            let version = Version::parse(version).unwrap();
            Some(range.contains(&version)) != is_in.as_bool()
        });
        wrong.map(|(version, is_in)| format!("{text}: {version} should be {is_in}"))
    });
}
