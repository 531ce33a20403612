//! The glossary of CONTRIBUTING.md says which words exitpath does not use. Nothing uses them.

use std::fs;
use std::path::Path;

use regex::Regex;

use crate::files_below;

/// Where these words mean something else.
const IDIOMS: &str = r"(?x)
    \b(the\ same|another|some\ other|the\ other|their\ own|a\ safe|by|in\ a|in\ no)\ way\b
    | \bway\ (around|of\ delivery)\b
    | \bhand-side\b | \bby\ hand\b
";

/// The column `not` of the glossary.
fn unwanted() -> Vec<String> {
    let text = fs::read_to_string("CONTRIBUTING.md").unwrap();
    let (_, table) = text.split_once("| say | for | not |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.trim_matches('|').rsplit('|').next().unwrap().trim());
    let cells: Vec<String> = cells.flat_map(|cell| cell.split(", ")).map(str::to_owned).collect();
    cells.into_iter().filter(|cell| !cell.is_empty()).collect()
}

/// Identifiers as words: `NotJudged` and `not_judged` are `not judged`.
fn in_words(line: &str) -> String {
    let mut words = String::new();
    let mut last = ' ';
    for c in line.chars() {
        if c.is_uppercase() && last.is_lowercase() {
            words.push(' ');
        }
        words.extend(if c == '_' { ' '.to_lowercase() } else { c.to_lowercase() });
        last = c;
    }
    words
}

#[test]
fn no_text_uses_a_word_that_the_glossary_rules_out() {
    let unwanted = unwanted();
    assert!(unwanted.len() > 15, "the glossary has no column `not`: {unwanted:?}");
    let unwanted = Regex::new(&format!(r"\b({})\b", unwanted.join("|"))).unwrap();
    let idioms = Regex::new(IDIOMS).unwrap();
    let mut found = Vec::new();
    for folder in ["src", "crates", "schemas", "docs", "clusters"] {
        for path in files_below(Path::new(folder)) {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            for (number, line) in (1..).zip(text.lines()) {
                let words = in_words(line);
                let words = idioms.replace_all(&words, "");
                if let Some(word) = unwanted.find(&words) {
                    found.push(format!(
                        "{}:{number}: {}: {}",
                        path.display(),
                        word.as_str(),
                        line.trim()
                    ));
                }
            }
        }
    }
    assert!(found.is_empty(), "say it in the words of the glossary:\n{}", found.join("\n"));
}
