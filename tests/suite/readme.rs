//! README shows real output, and its table of rules comes from the rules.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::{exitpath, golden};

const README: &str = "README.md";
const COMMAND: &str = "<!-- $ exitpath ";
const RULES: (&str, &str) = ("<!-- rules -->", "<!-- /rules -->");

/// Replaces the block after each `<!-- $ exitpath … -->` by the current output.
fn with_fresh_output(text: &str) -> String {
    let mut fresh = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(fresh, "{line}");
        let Some(command) = line.strip_prefix(COMMAND).and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        assert_eq!(lines.next(), Some("```console"), "a block follows `{command}`");
        lines.by_ref().find(|line| *line == "```").expect("the block ends");
        // `diff` needs a repository with a change.
        let changed = command.starts_with("diff ").then(crate::diff::changed);
        let more = changed.as_ref().map(|scratch| {
            let root = scratch.path().display().to_string();
            ["--releases".to_owned(), format!("{root}/releases.json"), "--repo".to_owned(), root]
        });
        let run = exitpath(command.split(' ').map(str::to_owned).chain(more.into_iter().flatten()));
        let _ = writeln!(fresh, "```console\n$ exitpath {command}\n{}\n```", run.out.trim_end());
    }
    fresh
}

fn with_fresh_rules(text: &str) -> String {
    let (before, rest) = text.split_once(RULES.0).expect("README has a place for the rules");
    let (_, after) = rest.split_once(RULES.1).expect("and an end of it");
    let table = exitpath(["rules", "--format", "markdown"]).out;
    format!("{before}{}\n{table}{}{after}", RULES.0, RULES.1)
}

#[test]
fn readme_shows_real_output() {
    let text = fs::read_to_string(README).unwrap();
    golden(README, &with_fresh_rules(&with_fresh_output(&text)));
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
fn the_readme_config_is_valid_and_has_every_key() {
    let text = fs::read_to_string(README).unwrap();
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
