//! Hostile input gets a clear message: no panic, no hang, no raw escape sequence, no silence.
//!
//! No test looks at a clock, because machines can be busy. Without its limit, each large input here
//! takes so long that the test does not end.

use std::fmt::Write;

use exitpath::Terminal;
use exitpath::testing::domain::Named;
use exitpath::testing::report::{CheckReport, Printed};
use exitpath::testing::text::is_printable;
use proptest::prelude::*;
use serde_json::Value;

use crate::clusters::diff::fixture;
use crate::{Run, Scratch, exitpath, exitpath_in, git};

fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("version", "1.1.0\n");
    scratch.write("raw/metadata.json", "{}\n");
    scratch.write("channels/stable-4.14.yaml", "name: stable-4.14\nversions:\n- 4.14.3\n");
    scratch.write("blocked-edges/4.14.3.yaml", "to: 4.14.3\nfrom: ^4[.]13[.].*$\n");
    scratch
}

fn check(scratch: &Scratch) -> Run {
    exitpath(["check", scratch.path().to_str().unwrap(), "--format", "json"])
}

/// The rules of the findings in one file.
fn rules_that_fire_on(run: &Run, path: &str) -> Vec<String> {
    let report: Value =
        serde_json::from_str(&run.out).unwrap_or_else(|e| panic!("{e}: {}", run.err));
    let findings = report["findings"].as_array().unwrap().clone();
    let here = findings.iter().filter(|finding| finding["path"] == path);
    here.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

/// Writes one file, and expects a finding of one rule for it.
fn expect_rule(name: &str, content: impl AsRef<[u8]>, rule: &str) {
    let scratch = repository(name);
    scratch.write("blocked-edges/x.yaml", content);
    let run = check(&scratch);
    assert_eq!(rules_that_fire_on(&run, "blocked-edges/x.yaml"), [rule], "{name}");
    assert_eq!(run.status, 1, "{name}");
}

#[test]
fn malformed_files_are_reported() {
    expect_rule("latin1", b"to: 4.14.3 # caf\xe9\n", "unreadable-file");
    expect_rule("nul", b"to: 4.14.3\nfrom: \0\n", "yaml-syntax");
    expect_rule("empty", "", "empty-file");
    expect_rule("comments", "# nothing\n", "empty-file");
    expect_rule("escape", "to: 4.14.3\nfrom: \u{1b}[31m\n", "yaml-syntax");
    expect_rule("deep-flow", "[".repeat(20_000), "yaml-syntax");
    expect_rule("deep-closed", "[".repeat(20_000) + &"]".repeat(20_000), "yaml-syntax");
    expect_rule("deep-json", "{\"a\":".repeat(20_000), "yaml-syntax");
    // The service's parser sees a line break where ours sees a comment that goes on.
    let scratch = repository("deep-hidden");
    scratch.write("blocked-edges/x.yaml", format!("# \u{85}{}", "{\"a\":".repeat(20_000)));
    let rules = rules_that_fire_on(&check(&scratch), "blocked-edges/x.yaml");
    assert_eq!(rules, ["empty-file", "unusual-line-break"]);
    expect_rule("deep-block", (0..50_000).map(|_| "- ").collect::<String>(), "yaml-syntax");
    let steps: String = (0..2_000).map(|i| " ".repeat(i) + "a:\n").collect();
    expect_rule("deep-steps", steps, "yaml-syntax");
    expect_rule("self", "&a [*a]\n", "yaml-syntax");
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..12 {
        let earlier = vec![format!("*a{}", i - 1); 9].join(", ");
        writeln!(bomb, "a{i}: &a{i} [{earlier}]").unwrap();
    }
    expect_rule("bomb", bomb, "yaml-syntax");
    let mut keys = "? &a0 [x, x, x, x, x, x, x, x, x]\n:\n".to_owned();
    for i in 1..12 {
        let earlier = vec![format!("*a{}", i - 1); 9].join(", ");
        writeln!(keys, "? &a{i} [{earlier}]\n:").unwrap();
    }
    expect_rule("bomb-of-keys", keys, "yaml-syntax");
    expect_rule("garbage", "\u{202e}\u{200b}: {\n", "yaml-syntax");
}

#[test]
fn a_message_of_typos_is_one_finding() {
    let scratch = repository("typos");
    for (name, message) in [
        ("ARisk", "The kubelet stops.".to_owned()),
        ("BRisk", "The kubelet hangs.".to_owned()),
        ("CRisk", "kublet ".repeat(100_000)),
    ] {
        let file = format!("blocked-edges/4.14.3-{name}.yaml");
        let risk = "to: 4.14.3\nfrom: 4[.]13[.].*\nurl: https://issues.example.com/browse/";
        let rest = "matchingRules:\n- type: Always\n";
        scratch.write(&file, format!("{risk}{name}\nname: {name}\nmessage: {message}\n{rest}"));
    }
    let run = check(&scratch);
    let rules = rules_that_fire_on(&run, "blocked-edges/4.14.3-CRisk.yaml");
    assert!(rules.iter().filter(|rule| *rule == "misspelled-word").count() == 1, "{rules:?}");
}

fn risk_with_query(query: &str) -> String {
    format!(
        "to: 4.14.3\nfrom: ^4[.]13[.].*$\nurl: https://x.example.com/a\nname: ExampleRisk\nmessage: It breaks.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      {query}\n"
    )
}

#[test]
fn hostile_queries_are_reported() {
    for (name, query) in [
        ("deep-query", "(".repeat(100_000)),
        ("long-query", "x+".repeat(500_000) + "x"),
        ("open-query", "x{".repeat(5_000)),
        ("chain-query", "x^".repeat(5_000) + "x"),
    ] {
        let scratch = repository(name);
        scratch.write("blocked-edges/4.14.3-ExampleRisk.yaml", risk_with_query(&query));
        let run = check(&scratch);
        let mut rules = rules_that_fire_on(&run, "blocked-edges/4.14.3-ExampleRisk.yaml");
        rules.retain(|rule| rule == "invalid-promql");
        assert_eq!(rules.len(), 1, "{name}");
    }
}

/// Comparing values with patterns is expensive, so it is limited.
#[test]
fn a_query_with_costly_patterns_is_fast() {
    let matchers = "a=\"x\",a=~\"(x|[a-z0-9]{999}|\\\\pL{999})\",".repeat(6);
    let selector = format!("max(x{{_id=\"\",{matchers}}})");
    let scratch = repository("costly");
    let query = vec![selector.as_str(); 45].join(" or ");
    scratch.write("blocked-edges/4.14.3-ExampleRisk.yaml", risk_with_query(&query));
    let run = check(&scratch);
    assert!(!run.out.contains("invalid-promql"), "{}", run.out);
}

#[test]
fn a_file_over_the_size_limit_is_not_read() {
    let scratch = repository("huge");
    let file = std::fs::File::create(scratch.path().join("channels/huge-1.yaml")).unwrap();
    file.set_len(100 << 20).unwrap();
    assert_eq!(rules_that_fire_on(&check(&scratch), "channels/huge-1.yaml"), ["unreadable-file"]);
}

#[test]
fn findings_of_one_file_are_limited() {
    let scratch = repository("mistakes");
    let keys: Vec<String> = (0..20_000).map(|i| format!("k{i}: x\n")).collect();
    scratch.write("channels/many-1.yaml", keys.concat());
    let twice = "- 4.14.3\n".repeat(40_000);
    scratch.write("channels/twice-1.yaml", format!("name: twice-1\nversions:\n{twice}"));
    let run = check(&scratch);
    assert!(rules_that_fire_on(&run, "channels/many-1.yaml").len() <= 500);
    assert_eq!(rules_that_fire_on(&run, "channels/twice-1.yaml"), ["repeated-version"]);
    scratch.write("channels/many-1.yaml", "?\n".repeat(2 << 20));
    scratch.write("channels/twice-1.yaml", "-\n".repeat(2 << 20));
    let run = check(&scratch);
    for file in ["channels/many-1.yaml", "channels/twice-1.yaml"] {
        assert_eq!(rules_that_fire_on(&run, file), ["unreadable-file"]);
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_not_opened() {
    use std::os::unix::fs::symlink;
    let scratch = repository("no-file");
    let at = |name: &str| scratch.path().join("channels").join(name);
    std::fs::create_dir(at("folder-1.yaml")).unwrap();
    symlink("/etc/passwd", at("absolute-1.yaml")).unwrap();
    symlink("../../../../../etc/passwd", at("outside-1.yaml")).unwrap();
    symlink("loop-1.yaml", at("loop-1.yaml")).unwrap();
    symlink("..", at("parent-1.yaml")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(at("pipe-1.yaml")).status().unwrap();
    assert!(pipe.success());
    let run = check(&scratch);
    for name in ["folder", "absolute", "outside", "loop", "parent", "pipe"] {
        assert_eq!(
            rules_that_fire_on(&run, &format!("channels/{name}-1.yaml")),
            ["unreadable-file"],
            "{name}"
        );
    }
    assert!(!run.out.contains("root:"), "nothing outside the repository is read");
}

#[cfg(unix)]
#[test]
fn other_files_are_read_as_carefully() {
    use std::os::unix::fs::symlink;
    let outside = Scratch::new("outside");
    let secret = outside.write("metadata.json", "{\"v1\": \"secret\"}");
    let scratch = repository("beside");
    std::fs::remove_dir_all(scratch.path().join("raw")).unwrap();
    symlink(outside.path(), scratch.path().join("raw")).unwrap();
    let root = scratch.path().to_str().unwrap();
    let run = exitpath(["check", root, "--fix", "--format", "json"]);
    assert_eq!(rules_that_fire_on(&run, "raw/metadata.json"), ["unreadable-file"]);
    assert!(!run.out.contains("secret"));
    assert_eq!(std::fs::read_to_string(secret).unwrap(), "{\"v1\": \"secret\"}");

    let config = scratch.path().join("exitpath.toml");
    symlink("/etc/passwd", &config).unwrap();
    let linked = check(&scratch);
    assert_eq!((linked.status, linked.err.contains("root:")), (2, false), "{}", linked.err);
    std::fs::remove_file(&config).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&config).status().unwrap().success());
    assert_eq!(check(&scratch).status, 2, "a pipe is not waited for");
    std::fs::remove_file(&config).unwrap();
    scratch.write("exitpath.toml", "baseline = \"../outside.json\"");
    assert_eq!(check(&scratch).status, 2);
}

#[test]
fn a_bad_file_hides_no_findings_of_another() {
    let scratch = repository("hides");
    scratch.write("channels/broken-1.yaml", "name: [\n");
    scratch.write("channels/wrong-1.yaml", "name: wrong-1\nversions:\n- 4.1\n");
    let run = check(&scratch);
    assert_eq!(rules_that_fire_on(&run, "channels/broken-1.yaml"), ["yaml-syntax"]);
    assert_eq!(rules_that_fire_on(&run, "channels/wrong-1.yaml"), ["invalid-version"]);
}

#[test]
fn an_empty_folder_is_not_a_repository() {
    let scratch = Scratch::new("empty-folder");
    let run = check(&scratch);
    assert_eq!(run.status, 2);
    assert!(run.err.contains("no graph-data repository in"), "{}", run.err);
}

proptest! {
    #![proptest_config(crate::cases(150))]

    /// For any file and file name, no format prints what could harm a terminal or a web page.
    #[test]
    fn output_of_every_format_is_harmless(
        text in "(to|from|name|message|url|versions|[a-z:\u{1b}\u{7}\u{9b}\u{202e}\u{2028}<>&|`*@\"'%\\[\\]{} -]|: |\n|- |4\\.14){0,40}",
        name in "[a-z<>&\"'|`*@%,: \u{1b}\u{202e}-]{1,12}",
    ) {
        let scratch = repository("harm");
        scratch.write(&format!("channels/{name}.yaml"), &text);
        scratch.write(&format!("blocked-edges/{name}.yaml"), &text);
        let root = scratch.path().to_str().unwrap().to_owned();
        for format in CheckReport::formats().into_iter().map(Named::name) {
            let run = exitpath(["check", &root, "--format", format]);
            prop_assert!(run.status < 2, "{}", run.err);
            let harmful = run.out.chars().find(|c| *c != '\n' && !is_printable(*c));
            prop_assert!(harmful.is_none(), "{format}: {harmful:?} in {:?}", run.out);
        }
    }
}

/// GitHub would run a name after a line feed as a workflow command.
#[test]
fn no_line_of_output_starts_with_a_name_from_a_file() {
    let scratch = fixture("line-feeds");
    let risk = |to: &str, name: &str| {
        format!(
            "to: \"{to}\"\nfrom: 4[.]13[.].*\nurl: \"https://x.example.com/\\n::error::pwned##[error]\"\n\
             name: \"{name}\"\nmessage: \"It breaks.\\n::error::pwned##[error]\"\nmatchingRules:\n- type: Always\n"
        )
    };
    let channel = |name: &str, versions: &str| format!("name: \"{name}\"\nversions: {versions}\n");
    let name = "stable-4.14\\n::error::pwned##[error]";
    scratch.write("blocked-edges/4.14.1-Old.yaml", risk("4.14.1", "Old\\n::error::pwned##[error]"));
    scratch.write("channels/old-4.14.yaml", channel(name, "[4.13.8, 4.14.1]"));
    git(scratch.path(), &["add", "-A"]);
    git(scratch.path(), &["commit", "-q", "-m", "names"]);
    std::fs::remove_file(scratch.path().join("blocked-edges/4.14.1-Old.yaml")).unwrap();
    for target in ["4.14.1", "4.14.2", "4.14.3", "4.14.3\\n::error::pwned##[error]"] {
        let path = format!("blocked-edges/{}-Evil.yaml", target.replace("\\n::error::", "-"));
        scratch.write(&path, risk(target, "Evil\\n::error::pwned##[error]"));
    }
    // Words before which lines wrap.
    let wide = format!("Wide{}", " ::error::pwned##[error]".repeat(30));
    scratch.write("blocked-edges/4.14.3-Wide.yaml", risk("4.14.3", &wide));
    scratch.write("channels/old-4.14.yaml", channel(name, "[4.13.8, 4.13.9, 4.14.2, 4.14.3]"));
    let versions = "[\"4.14.3\\n::error::pwned##[error]\", \"4.14.3\\n\", \"4.14.2\"]";
    scratch.write("channels/new-4.14.yaml", channel("new-4.14", versions));
    scratch.write(
        "channels/feeder\n::error::pwned##[error]-4.14.yaml",
        channel("::error::pwned##[error]\\n", "[4.14.2]"),
    );
    let root = scratch.path().to_str().unwrap();
    let releases = scratch.path().join("releases.json");
    let ask = |arguments: &[&str]| {
        let sources = ["--repo", root, "--releases", releases.to_str().unwrap()];
        let run = exitpath(arguments.iter().copied().chain(sources));
        assert!(run.status < 2, "{arguments:?}: {}", run.err);
        // Lines wrap at other places if the width is known.
        let narrow = Terminal { width: Some(50), ..Terminal::default() };
        let wrapped = exitpath_in(narrow, arguments.iter().copied().chain(sources));
        let lines = run.out.lines().chain(run.err.lines()).chain(wrapped.out.lines());
        for line in lines {
            // GitHub ignores leading spaces.
            let begins = line.trim_start();
            let harms = begins.starts_with("::error::") || begins.starts_with("pwned");
            assert!(!harms, "{arguments:?}: {line}\n{}", run.out);
            // GitHub also runs the older form, anywhere in a line.
            assert!(!line.contains("##["), "{arguments:?}: {line}\n{}", run.out);
        }
        run.out
    };
    for format in CheckReport::formats().into_iter().map(Named::name) {
        assert!(ask(&["check", "--format", format]).contains("pwned"), "{format}");
        assert!(
            ask(&["check", "--base", "HEAD", "--format", format]).contains("pwned"),
            "{format}"
        );
    }
    for format in ["human", "json", "markdown"] {
        let simulate = ["simulate", "--supported", "*", "--goal", "minor", "--format", format];
        let own = ["--channel", "stable-4.14\n::error::pwned##[error]"];
        assert!(ask(&simulate).contains("Evil"), "{format}");
        ask(&[&simulate[..], &own].concat());
    }
    for format in ["human", "json", "markdown", "edges"] {
        assert!(ask(&["diff", "HEAD", "--format", format]).contains("Evil"), "{format}");
    }
    assert!(ask(&["graph", "--format", "edges"]).contains("Evil\\n::error::pwned##"));
    assert!(ask(&["graph", "--format", "json"]).contains("Evil"));
    ask(&["check", "--statistics"]);
    assert!(ask(&["graph", "--format", "human"]).contains("· ::error::pwned"));
    for format in ["human", "dot", "mermaid", "svg"] {
        let channel = "stable-4.14\n::error::pwned##[error]";
        let drawing = ask(&["graph", "--format", format, "--channel", channel]);
        assert!(drawing.contains(if format == "human" { "pwned" } else { "Evil" }), "{format}");
    }
    ask(&["simulate", "--supported", "*", "--explain", "4.13.8"]);
    for format in ["human", "json"] {
        let way = ["path", "4.13.8", "4.14.2", "--channel", "stable-4.14", "--format", format];
        assert!(ask(&way).contains("Evil\\n::error::pwned##"), "{format}");
    }
    // The config is hostile, too.
    for config in [
        "\"a\\n::error::pwned##[error]\" = 1",
        "[rules]\n\"a\\n::error::pwned##[error]\" = \"off\"",
        "fail-on = \"\"\"a\n::error::pwned##[error]\"\"\"",
    ] {
        scratch.write("exitpath.toml", config);
        let run = exitpath(["check", root]);
        assert_eq!(run.status, 2, "{config}");
        assert!(!run.err.contains("\n::error::"), "{}", run.err);
        assert!(run.err.contains("a\\n::error::pwned##\\u{5b}error]"), "{}", run.err);
    }
}

/// It would take forever to compare each of them with each other.
#[test]
fn many_patterns_versions_and_messages_are_fast() {
    let scratch = repository("multiplies");
    let versions: String = (0..40_000).fold(String::new(), |mut text, patch| {
        let _ = writeln!(text, "- 4.13.{patch}");
        text
    });
    scratch.write(
        "channels/candidate-4.14.yaml",
        format!("name: candidate-4.14\nversions:\n{versions}- 4.14.3\n"),
    );
    let nested = (0..7).fold("4[.]13".to_owned(), |inner, _| format!("({inner}){{2,9}}"));
    let patterns = [
        vec!["4[.]13[.]1"; 100_000].join("|"),
        vec!["9[.]9"; 80].join("|"),
        format!("{nested}b"),
        format!("4[.]13[.]({})", vec!["[0-25]"; 300].join("|")),
        "(.{900}){900}".to_owned(),
    ];
    let said = "4.13.1 or later ".repeat(100_000);
    for (i, from) in patterns.iter().enumerate() {
        let message = if i == 0 { said.as_str() } else { "It breaks." };
        let text = format!(
            "to: 4.14.{i}\nfrom: {from}\nurl: https://example.com/bugs/1\nname: Risk{i}\nmessage: {message}\nmatchingRules:\n- type: Always\n"
        );
        scratch.write(&format!("blocked-edges/4.14.{i}-Risk{i}.yaml"), text);
    }
    let run = check(&scratch);
    assert!(run.status < 2, "{}", run.err);
}

/// One of these patterns takes a moment. All of them together take too long.
#[test]
fn patterns_share_one_budget() {
    let scratch = repository("costly-patterns");
    let versions: Vec<String> = (0..3_000).map(|patch| format!("- 4.13.{patch}\n")).collect();
    let head = "name: stable-4.14\nversions:\n- 4.14.3\n";
    scratch.write("channels/stable-4.14.yaml", head.to_owned() + &versions.concat());
    let block = |at: usize, from: &str| {
        let to = format!("4.14.{at}");
        scratch.write(&format!("blocked-edges/{to}.yaml"), format!("to: {to}\nfrom: {from}\n"));
    };
    for at in 0..300 {
        block(at, &format!(r"(?:[\w.+-]{{1,40}}){{20}}x{at}"));
    }
    for at in 300..330 {
        let branches: Vec<String> = (0..5_000).map(|i| format!("4[.]13[.]{i}{at}")).collect();
        block(at, &branches.join("|"));
    }
    let report: Value = serde_json::from_str(&check(&scratch).out).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let costly = findings.iter().filter(|finding| finding["rule"] == "costly-from");
    let costly: Vec<&str> = costly.map(|finding| finding["path"].as_str().unwrap()).collect();
    assert!(costly.len() > 250 && costly.len() < 330, "{}", costly.len());
    assert!(costly.contains(&"blocked-edges/4.14.329.yaml"), "the most costly ones are omitted");
}
