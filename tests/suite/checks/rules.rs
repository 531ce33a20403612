//! Rules and their fixtures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use exitpath::testing::rules::RULES;
use serde_json::Value;

use crate::shared::rule_examples::{FIXTURES, findings_of};
use crate::{Scratch, exitpath, files_below};

#[test]
fn every_rule_has_a_fixture_and_every_fixture_has_a_rule() {
    let rules: BTreeSet<String> = RULES.iter().map(|rule| rule.name.to_owned()).collect();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let folders: BTreeSet<String> =
        fs::read_dir(FIXTURES).unwrap().map(|e| name(e.unwrap())).collect();
    assert_eq!(rules, folders);
}

/// Shared code is in `shared.rs` of a family or in `src/checks/rules/shared`, so that a change of
/// one rule cannot affect another.
#[test]
fn a_rule_file_serves_only_its_rule() {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let folder = |path: &Path| path.parent().unwrap().to_owned();
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let of_families = files_below(Path::new("src/checks/rules")).into_iter().filter(|path| {
        let parent = folder(path);
        parent != Path::new("src/checks/rules") && !parent.starts_with("src/checks/rules/shared")
    });
    let (rules, others): (Vec<PathBuf>, Vec<PathBuf>) =
        of_families.partition(|path| fs::read_to_string(path).unwrap().contains("static RULE:"));
    assert_eq!(rules.len(), RULES.len());
    for path in others {
        let is_shared = ["mod", "shared"].contains(&stem(&path).as_str());
        assert!(is_shared || folder(&path).ends_with("shared"), "{} has no rule", path.display());
    }
    let families: BTreeSet<String> = rules.iter().map(|path| stem(&folder(path))).collect();
    let mut faults = Vec::new();
    for path in &rules {
        let text = fs::read_to_string(path).unwrap();
        for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("pub")) {
            if !line.starts_with("pub(super) static RULE: Rule ") {
                faults.push(format!("{} exports `{line}`", path.display()));
            }
        }
        let siblings: BTreeSet<String> =
            rules.iter().filter(|one| folder(one) == folder(path)).map(|one| stem(one)).collect();
        for (before, foreign) in [("super::", &siblings), ("crate::checks::rules::", &families)] {
            for after in text.split(before).skip(1) {
                let used = after.split([';', '(']).next().unwrap_or_default();
                let used = used.split(|c| !is_name(c)).filter(|word| foreign.contains(*word));
                faults.extend(used.map(|word| format!("{} uses `{word}`", path.display())));
            }
        }
    }
    assert!(faults.is_empty(), "move what is shared out of these files:\n{}", faults.join("\n"));
}

#[test]
fn diff_previews_the_fix_and_changes_no_file() {
    let scratch = Scratch::copy_of("diff", Path::new("fixtures/rules/unknown-rule-type/bad"));
    let repository = scratch.path().to_str().unwrap().to_owned();
    let before: BTreeMap<_, _> = files_below(scratch.path())
        .into_iter()
        .map(|p| (p.clone(), fs::read(p).unwrap()))
        .collect();
    let shown = exitpath(["check", &repository, "--fix", "--diff"]);
    assert!(shown.out.contains("-- type: promql\n+- type: PromQL\n"), "{}", shown.out);
    assert_eq!(shown.status, 1, "nothing is fixed yet");
    for (path, content) in before {
        assert_eq!(fs::read(path).unwrap(), content, "--diff leaves the files alone");
    }
}

/// The order of a hash map differs for each map, also in one process.
#[test]
fn of_equally_similar_channels_the_first_by_name_is_suggested() {
    let scratch = Scratch::copy_of("ties", Path::new("fixtures/rules/useless-feeder/good"));
    for letter in ('a'..='i').rev() {
        let channel = format!("name: test{letter}\nversions: []\n");
        scratch.write(&format!("internal-channels/test{letter}.yaml"), channel);
    }
    let feeder = "feeder:\n  delay: PT0H\n  filter: 4[.]14[.].*\n  name: testz\n";
    scratch.write("internal-channels/last.yaml", format!("{feeder}name: last\nversions: []\n"));
    let root = scratch.path().to_str().unwrap();
    let check = || exitpath(["check", root, "--select", "useless-feeder", "--no-graph"]).out;
    let first = check();
    assert!(first.contains("did you mean `testa`?"), "{first}");
    for _ in 0..20 {
        assert_eq!(check(), first);
    }
}

/// Both patterns match 4.14.2, which can be updated to 4.14.3, but not to 4.14.1.
#[test]
fn a_risk_is_there_twice_only_if_an_origin_of_the_target_matches_both_patterns() {
    let scratch = Scratch::new("risk-twice");
    scratch.write(
        "channels/stable-4.14.yaml",
        "name: stable-4.14\nversions:\n- 4.13.0\n- 4.14.0\n- 4.14.1\n- 4.14.2\n- 4.14.3\n",
    );
    for to in ["4.14.1", "4.14.3"] {
        for minor in [13, 14] {
            let path = format!("blocked-edges/{to}-ExampleRisk-{minor}.yaml");
            scratch.write(&path, risk(to, &format!("4[.]14[.]2|4[.]{minor}[.]0")));
        }
    }
    let root = scratch.path().to_str().unwrap();
    let command = ["check", root, "--select", "duplicate-risk", "--no-graph", "--format", "json"];
    let findings = findings_of(&exitpath(command));
    let paths: Vec<&str> =
        findings.iter().map(|finding| finding["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["blocked-edges/4.14.3-ExampleRisk-14.yaml"]);
}

/// The service matches each architecture of a release alone.
#[test]
fn declarations_for_different_architectures_have_no_update_in_common() {
    let rules = "duplicate-risk,block-beside-risk";
    let found = |declared: &[(&str, String)]| {
        let scratch = Scratch::new("architectures");
        scratch.write(
            "channels/stable-4.14.yaml",
            "name: stable-4.14\nversions:\n- 4.14.0\n- 4.14.1\n",
        );
        for (name, text) in declared {
            scratch.write(&format!("blocked-edges/{name}.yaml"), text);
        }
        let root = scratch.path().to_str().unwrap();
        let releases = ["--releases", "fixtures/graphs/none.json"];
        let command = ["check", root, "--select", rules, "--format", "json"];
        let findings = findings_of(&exitpath([&command[..], &releases].concat()));
        let word = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
        let pairs = findings.iter().map(|one| (word(one, "rule"), word(one, "severity")));
        pairs.collect::<Vec<_>>()
    };
    let (amd64, arm64) = ("4[.]14[.].*[+]amd64", "4[.]14[.].*[+]arm64");
    let block = |from: &str| format!("to: 4.14.1\nfrom: {from}\n");
    let twice = ("duplicate-risk".to_owned(), "error".to_owned());
    let beside = |severity: &str| ("block-beside-risk".to_owned(), severity.to_owned());
    let risks =
        |first, second| found(&[("a", risk("4.14.1", first)), ("b", risk("4.14.1", second))]);
    assert_eq!(risks(amd64, arm64), []);
    assert_eq!(risks(amd64, "4[.]14[.].*"), [twice]);
    let both =
        |blocked, conditional| found(&[("a", block(blocked)), ("b", risk("4.14.1", conditional))]);
    assert_eq!(both(amd64, arm64), [beside("info")]);
    assert_eq!(both(amd64, "4[.]14[.].*"), [beside("error")]);
    let built = found(&[("a", block(arm64)), ("b", risk("4.14.1+amd64", "4[.]14[.].*"))]);
    assert_eq!(built, [beside("info")]);
}

#[test]
fn a_fix_with_an_architecture_ends_a_risk() {
    let example = Path::new("fixtures/rules/risk-not-extended/bad");
    let scratch = Scratch::copy_of("fix-with-architecture", example);
    let root = scratch.path().to_str().unwrap();
    let check = || {
        let command = ["check", root, "--select", "risk-not-extended", "--no-graph"];
        findings_of(&exitpath([&command[..], &["--format", "json"]].concat())).len()
    };
    assert_eq!(check(), 1);
    let declared = risk("4.14.3", "^4[.]13[.].*$") + "fixedIn: 4.14.4+amd64\n";
    scratch.write("blocked-edges/4.14.3-ExampleRisk.yaml", declared);
    assert_eq!(check(), 0);
}

fn risk(to: &str, from: &str) -> String {
    format!(
        "to: {to}\nfrom: {from}\nurl: https://issues.example.com/browse/BUG-1\nname: ExampleRisk\n\
         message: It breaks.\nmatchingRules:\n- type: Always\n"
    )
}
