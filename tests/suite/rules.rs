//! Rules and their fixtures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

use exitpath::testing::graph_data::{self, GraphData};
use exitpath::testing::rules::{Check, Finding, RULES, Rule};
use exitpath::testing::tree::Blob;
use serde_json::Value;

use crate::fake_prometheus::FakePrometheus;
use crate::{Run, Scratch, exitpath, files_below, git, golden};

const FIXTURES: &str = "fixtures/rules";

/// Checks a rule's example, `bad` or `good`.
pub(crate) fn check_example(rule: &Rule, which: &str, options: &[&str]) -> Run {
    let example = format!("{FIXTURES}/{}/{which}", rule.name);
    // The releases of this repository's own history must not count, so each example gets a list.
    // Rules about exit paths need one with updates.
    let is_about_exits = matches!(rule.check, Check::Exits(..) | Check::UpdatesChange(_));
    let releases = if is_about_exits { "patches.json" } else { "none.json" };
    let releases = absolute(Path::new("fixtures/graphs").join(releases)).unwrap();
    let releases = ["--releases", releases.to_str().unwrap()];
    let has_no_releases = matches!(rule.check, Check::Graph(_)) || is_about_catalogs(rule);
    let options = [if has_no_releases { &[][..] } else { &releases[..] }, options].concat();
    let options = options.as_slice();
    match rule.check {
        Check::Change(_) | Check::UpdatesChange(_) => {
            check_change(&["check"], Path::new(&example), options)
        }
        Check::CatalogChange(_) => {
            let command = ["catalog", "check", "catalog"];
            check_change(&command, Path::new(&example), options)
        }
        Check::Objection(_) | Check::Catalog(_) => {
            exitpath([&["catalog", "check", &example], options].concat())
        }
        Check::Graph(_) => {
            exitpath([&["check", &format!("{example}/graph.json")], options].concat())
        }
        Check::Server(_) => {
            let server = server_of(rule);
            exitpath([&["check", &example, "--url", &server.url], options].concat())
        }
        _ => exitpath([&["check", &example], options].concat()),
    }
}

/// A server with the series that the examples of a rule are about.
fn server_of(rule: &Rule) -> FakePrometheus {
    FakePrometheus::of_file(&Path::new(FIXTURES).join(rule.name).join("server.series"))
}

/// Whether a rule is about catalogs of operators.
fn is_about_catalogs(rule: &Rule) -> bool {
    matches!(rule.check, Check::Objection(_) | Check::Catalog(_) | Check::CatalogChange(_))
}

/// Whether a rule compares two states.
fn is_about_changes(rule: &Rule) -> bool {
    matches!(rule.check, Check::Change(_) | Check::UpdatesChange(_) | Check::CatalogChange(_))
}

/// An example of a change is two repositories: `before` is committed, `after` is in the work tree.
/// `earlier`, if it exists, is committed before these.
fn check_change(command: &[&str], example: &Path, options: &[&str]) -> Run {
    let scratch = Scratch::copy_of("change", &example.join("after"));
    git(scratch.path(), &["init", "-q"]);
    for state in ["earlier", "before"] {
        let folder = absolute(example.join(state)).unwrap();
        if folder.exists() {
            let folder = format!("--work-tree={}", folder.display());
            git(scratch.path(), &[&folder, "add", "-A"]);
            commit(&scratch, &["-m", state]);
        }
    }
    // A change with expectations is committed, because they are in the commit message.
    let message = example.join("message.txt");
    let is_committed = message.exists();
    if is_committed {
        let message = absolute(message).unwrap();
        git(scratch.path(), &["add", "-A"]);
        commit(&scratch, &["-F", message.to_str().unwrap()]);
    }
    let base = if is_committed { "HEAD~1" } else { "HEAD" };
    // Run in the folder, so that no path contains its name.
    let output = Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .args([command, &["--base", base], options].concat())
        .current_dir(scratch.path())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = u8::try_from(output.status.code().unwrap()).unwrap();
    Run { status, out: text(output.stdout), err: text(output.stderr) }
}

/// Commits at a fixed time, so that the commit always has the same id.
fn commit(scratch: &Scratch, arguments: &[&str]) {
    let moment = "2026-01-01T00:00:00Z";
    let mut git = Command::new("git");
    git.arg("-C").arg(scratch.path()).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]);
    git.args(["commit", "-q"]).args(arguments);
    git.env("GIT_AUTHOR_DATE", moment).env("GIT_COMMITTER_DATE", moment);
    assert!(git.status().unwrap().success());
}

fn findings_of(run: &Run) -> Vec<Value> {
    assert!(run.status < 2, "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    report["findings"].as_array().unwrap().clone()
}

fn findings(rule: &Rule, which: &str) -> Vec<Value> {
    findings_of(&check_example(rule, which, &["--format", "json"]))
}

#[test]
fn every_rule_has_a_fixture_and_every_fixture_has_a_rule() {
    let rules: BTreeSet<String> = RULES.iter().map(|rule| rule.name.to_owned()).collect();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let folders: BTreeSet<String> =
        fs::read_dir(FIXTURES).unwrap().map(|e| name(e.unwrap())).collect();
    assert_eq!(rules, folders);
}

/// Shared code is in `shared.rs` of a family or in `src/rules/shared`, so that a change of one rule
/// cannot affect another.
#[test]
fn a_rule_file_serves_only_its_rule() {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let folder = |path: &Path| path.parent().unwrap().to_owned();
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let of_families = files_below(Path::new("src/rules")).into_iter().filter(|path| {
        let parent = folder(path);
        parent != Path::new("src/rules") && !parent.starts_with("src/rules/shared")
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
        for (before, foreign) in [("super::", &siblings), ("crate::rules::", &families)] {
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
fn every_rule_fires_on_its_bad_example_and_no_rule_on_its_good_one() {
    for rule in RULES {
        let bad = findings(rule, "bad");
        assert!(bad.iter().any(|f| f["rule"] == rule.name), "{} is silent on bad/", rule.name);
        if is_about_changes(rule) {
            assert!(bad.iter().all(|f| f["rule"] == rule.name), "{}: {bad:#?}", rule.name);
        }
        let good = findings(rule, "good");
        assert!(good.is_empty(), "{}: good/ is not: {good:#?}", rule.name);
    }
}

/// Rules about declarations run on one side of a change only. They must not look at tombstones,
/// feeders, or build suggestions.
#[test]
fn rules_about_declarations_do_not_look_at_channels() {
    for rule in RULES {
        let Check::Declarations(check) = rule.check else { continue };
        let folder = Path::new(FIXTURES).join(rule.name).join("bad");
        let blobs = graph_data::blobs(&folder, None).unwrap();
        let found = |blobs: Vec<Blob>| -> Vec<String> {
            let mut findings = Vec::new();
            check(&GraphData::from_blobs(blobs), &mut findings);
            let text = |one: &Finding| {
                format!("{} {:?} {:?} {}", one.message, one.severity, one.help, one.related.len())
            };
            findings.iter().map(text).collect()
        };
        let data = GraphData::from_blobs(blobs.clone());
        let releases = data.releases.iter().map(|(_, release)| format!("- {}\n", release.text));
        let tombstones: String = releases.collect();
        let more = [
            (
                "channels/zz-1.0.yaml",
                "name: zz-1.0\nversions: []\nfeeder:\n  name: zz\n  delay: P1W\n".to_owned(),
            ),
            (
                "internal-channels/zz.yaml",
                format!("name: zz\nversions: []\ntombstones:\n{tombstones}"),
            ),
            ("build-suggestions/4.14.yaml", "default:\n  minor_min: 4.13.1\n".to_owned()),
        ];
        let more = more.map(|(path, text)| Blob::new(path.to_owned(), Ok(text.into_bytes())));
        let mut all = blobs.clone();
        for blob in &mut all {
            let text = blob.content.clone().ok().and_then(|bytes| String::from_utf8(bytes).ok());
            if let Some(text) = text.filter(|_| blob.path.contains("channels/")) {
                blob.content = Ok(without_tombstones(&text).into_bytes());
            }
        }
        all.retain(|blob| more.iter().all(|new| new.path != blob.path));
        all.extend(more);
        all.sort_by(|a, b| a.path.cmp(&b.path));
        let is_same = GraphData::from_blobs(all.clone()).releases.are_those_of(&data.releases);
        assert!(is_same, "{}", rule.name);
        assert_eq!(found(blobs), found(all), "{}", rule.name);
    }
}

/// A channel's text without its list of tombstones.
fn without_tombstones(text: &str) -> String {
    let mut is_inside = false;
    let kept = text.lines().filter(|line| {
        is_inside = line.starts_with("tombstones:") || is_inside && line.starts_with("- ");
        !is_inside
    });
    kept.collect::<Vec<&str>>().join("\n") + "\n"
}

#[test]
fn human_output_is_as_expected() {
    for rule in RULES {
        let run = check_example(rule, "bad", &["--info"]);
        golden(format!("{FIXTURES}/{}/bad.txt", rule.name), &run.out);
    }
}

/// Fixes are compared file by file with `fixed/`. A second run finds nothing more to fix.
#[test]
fn fixes_change_only_what_they_say() {
    for rule in RULES {
        let folder = format!("{FIXTURES}/{}", rule.name);
        let findings_before = findings(rule, "bad");
        let fixed = Path::new(&folder).join("fixed");
        if !findings_before.iter().any(|finding| finding["fix"].is_object()) {
            assert!(!fixed.exists(), "{} has no fix, and {} exists", rule.name, fixed.display());
            continue;
        }
        let scratch = Scratch::copy_of(rule.name, Path::new(&format!("{folder}/bad")));
        let repository = scratch.path().to_str().unwrap();
        exitpath(["check", repository, "--fix"]);
        let relative = |path: &Path| path.strip_prefix(scratch.path()).unwrap().to_owned();
        for path in files_below(scratch.path()) {
            golden(fixed.join(relative(&path)), &fs::read_to_string(&path).unwrap());
        }
        let left = findings_of(&exitpath(["check", repository, "--format", "json"]));
        assert!(left.iter().all(|f| f["fix"].is_null()), "{}: more to fix: {left:#?}", rule.name);
        assert!(left.len() < findings_before.len(), "{}: --fix fixed nothing", rule.name);
    }
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

/// `explain` says so.
#[test]
fn a_comment_allows_the_findings_of_most_rules() {
    let mut wrong = Vec::new();
    for rule in RULES.iter().copied() {
        if matches!(
            rule.check,
            Check::Graph(_)
                | Check::Change(_)
                | Check::UpdatesChange(_)
                | Check::CatalogChange(_)
                | Check::Allow(_)
        ) {
            continue;
        }
        let scratch = Scratch::copy_of("allowed", &Path::new(FIXTURES).join(rule.name).join("bad"));
        let root = scratch.path().to_str().unwrap();
        let releases =
            if matches!(rule.check, Check::Exits(..)) { "patches.json" } else { "none.json" };
        let releases = absolute(Path::new("fixtures/graphs").join(releases)).unwrap();
        let findings = || -> Vec<Value> {
            let releases = releases.to_str().unwrap();
            let run = if is_about_catalogs(rule) {
                exitpath(["catalog", "check", root, "--format", "json"])
            } else if rule.needs_server() {
                let (server, releases) = (server_of(rule), ["--releases", releases]);
                let command = ["check", root, "--url", &server.url, "--format", "json"];
                exitpath([&command[..], &releases].concat())
            } else {
                exitpath(["check", root, "--releases", releases, "--format", "json"])
            };
            let report: Value = serde_json::from_str(&run.out).unwrap();
            let all = report["findings"].as_array().unwrap().iter();
            all.filter(|finding| finding["rule"] == rule.name).cloned().collect()
        };
        let before = findings();
        let file = scratch.path().join(before[0]["path"].as_str().unwrap());
        // A missing file cannot have a comment, and a comment in JSON would break the file.
        if !file.is_file() || file.ends_with("version") || file.ends_with("metadata.json") {
            if rule.is_allowed_by_comments() {
                wrong.push((rule.name, false));
            }
            continue;
        }
        let comment = format!("# exitpath: allow({}): it is a test\n", rule.name);
        let text = fs::read(&file).unwrap();
        fs::write(&file, [comment.as_bytes(), &text].concat()).unwrap();
        let is_allowed = findings().len() < before.len();
        if is_allowed != rule.is_allowed_by_comments() {
            wrong.push((rule.name, is_allowed));
        }
    }
    assert_eq!(wrong, []);
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
