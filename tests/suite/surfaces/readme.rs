//! README shows real output, and the pages of the rules come from the rules.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Scratch, exitpath, golden};

const COMMAND: &str = "<!-- $ exitpath ";
const FIXTURE: &str = "<!-- fixtures/";

/// README, and all pages in `docs`.
fn pages() -> Vec<PathBuf> {
    let folder = fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().path());
    folder.filter(|path| path.is_file()).chain(["README.md".into()]).collect()
}

/// Replaces the block after each `<!-- $ exitpath … -->` by the current output, and the one after
/// `<!-- fixtures/… -->` by that file.
fn with_fresh_output(text: &str) -> String {
    let mut fresh = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(fresh, "{line}");
        if let Some(file) = line.strip_prefix(FIXTURE).and_then(|rest| rest.strip_suffix(" -->")) {
            let fence = lines.next().expect("a block follows");
            lines.by_ref().find(|line| *line == "```").expect("the block ends");
            let text = fs::read_to_string(Path::new("fixtures").join(file)).unwrap();
            let _ = writeln!(fresh, "{fence}\n{}\n```", text.trim_end());
            continue;
        }
        let Some(command) = line.strip_prefix(COMMAND).and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        assert_eq!(lines.next(), Some("```console"), "a block follows `{command}`");
        lines.by_ref().find(|line| *line == "```").expect("the block ends");
        let mut words = words(command);
        // `diff` needs a git repository: a copy of the folder becomes one. `risk list` would show
        // the days of this repository.
        let copy = match words[0].as_str() {
            "diff" => Some(crate::clusters::diff::fixture("readme")),
            "risk" if words[1] == "list" => {
                Some(Scratch::copy_of("readme", Path::new("fixtures/graph-data")))
            }
            _ => None,
        };
        if let Some(copy) = &copy {
            for word in words.iter_mut().filter(|word| *word == "fixtures/graph-data") {
                *word = copy.path().display().to_string();
            }
        }
        let run = exitpath(words);
        let _ = writeln!(fresh, "```console\n$ exitpath {command}\n{}\n```", run.out.trim_end());
    }
    fresh
}

/// The words of a command, of which some are in single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for (nth, part) in command.split('\'').enumerate() {
        if nth % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// README and the pages that show output.
#[test]
fn readme_shows_real_output() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        golden(&page, &with_fresh_output(&text));
    }
}

#[test]
fn readme_is_short() {
    let lines = fs::read_to_string("README.md").unwrap().lines().count();
    assert!(lines < 250, "{lines} lines");
}

/// Links from a page to files of the project.
#[test]
fn every_link_leads_to_a_file() {
    for page in pages().into_iter().chain(["CONTRIBUTING.md".into()]) {
        let text = fs::read_to_string(&page).unwrap();
        // Output of the program has no links.
        let prose: String = text.split("```").step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let target = link.0.split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") {
                let file = page.parent().unwrap().join(target);
                assert!(file.exists(), "{} links to {target}", page.display());
            }
        }
    }
}

/// One page for each rule, and a list of them.
#[test]
fn each_rule_has_a_page() {
    let folder = Path::new("docs/rules");
    let list = exitpath(["rules", "--format", "markdown"]).out;
    golden(folder.join("README.md"), &list);
    let mut pages = vec!["README.md".to_owned()];
    for rule in exitpath::testing::rules::RULES {
        let page = format!("{}.md", rule.name);
        assert!(list.contains(&format!("({page})")), "{page}");
        golden(folder.join(&page), &exitpath(["explain", rule.name, "--format", "markdown"]).out);
        pages.push(page);
    }
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort_unstable();
    pages.sort_unstable();
    assert_eq!(files, pages, "no page of a rule that is gone");
}

#[test]
fn the_documented_config_is_valid_and_has_every_key() {
    let text = fs::read_to_string("docs/check.md").unwrap();
    let (_, rest) = text.split_once("```toml\n").unwrap();
    let (config, _) = rest.split_once("```").unwrap();
    exitpath::testing::lint::Config::parse(config).unwrap();
    let schema: serde_json::Value = exitpath::testing::schema::CONFIG.json().clone();
    for key in schema["properties"].as_object().unwrap().keys() {
        assert!(config.contains(key.as_str()), "{key}");
    }
    let value: toml::Value = toml::from_str(config).unwrap();
    let json = serde_json::to_value(value).unwrap();
    assert!(exitpath::testing::schema::CONFIG.validator().is_valid(&json));
}
