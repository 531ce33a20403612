//! `exitpath promote`, `digest`, `release`, and `graph --root-version`.

use std::path::Path;

use exitpath::testing::schema;
use serde_json::{Value, json};

use crate::shared::scratch::git_command;
use crate::{Run, Scratch, exitpath, git};

fn list(versions: &[&str]) -> String {
    let lines = versions.iter().map(|version| format!("- {version}\n"));
    lines.collect()
}

/// Commits everything, at a time.
pub(crate) fn commit(folder: &Path, time: &str) {
    git(folder, &["add", "-A"]);
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let mut command = git_command();
    command.arg("-C").arg(folder).args(identity).args(["commit", "-qm", time]);
    command.env("GIT_AUTHOR_DATE", time).env("GIT_COMMITTER_DATE", time);
    assert!(command.status().unwrap().success());
}

const RISK: &str = "to: 4.18.0\nfrom: 4[.]17[.].*\nurl: https://a.example/b\nname: SlowDisks\nmessage: Slow.\nmatchingRules:\n- type: Always\n";

/// A repository whose internal channels got 4.18.1 on January 10, and 4.18.2 on January 11.
fn repository(name: &str) -> Scratch {
    let repository = Scratch::new(name);
    let folder = repository.path();
    git(folder, &["init", "-q"]);
    let fed = |channel: &str, feeder: &str, versions: &[&str]| {
        let folder = if channel.contains('-') { "channels" } else { "internal-channels" };
        let text = format!("{feeder}name: {channel}\nversions:\n{}", list(versions));
        repository.write(&format!("{folder}/{channel}.yaml"), text);
    };
    let whole = |fast: &[&str], candidate: &[&str]| {
        let feeder = |name: &str, what: &str| {
            format!("feeder:\n  {what}\n  filter: 4[.]18[.][0-9].*\n  name: {name}\n")
        };
        fed("candidate", "", candidate);
        fed("fast", &feeder("candidate", "errata: public"), fast);
        fed("stable", &feeder("fast", "delay: P1W"), &["4.18.0"]);
        fed("candidate-4.17", "", &["4.17.0", "4.17.1"]);
        fed("candidate-4.18", "", candidate);
        fed("fast-4.18", &feeder("fast", "delay: PT0H"), &["4.18.0"]);
    };
    repository.write("version", "1.1.0\n");
    repository.write("blocked-edges/.gitkeep", "");
    repository.write("build-suggestions/.gitkeep", "");
    whole(&["4.18.0"], &["4.18.0"]);
    commit(folder, "2026-01-01T00:00:00Z");
    whole(&["4.18.0", "4.18.1"], &["4.18.0", "4.18.1"]);
    commit(folder, "2026-01-10T06:00:00Z");
    whole(&["4.18.0", "4.18.1"], &["4.18.0", "4.18.1", "4.18.2"]);
    commit(folder, "2026-01-11T00:00:00Z");
    repository
}

fn promote(repository: &Scratch, arguments: &[&str]) -> Run {
    let root = repository.path().to_str().unwrap();
    let usual = ["promote", "--repo", root, "--no-cache", "--at", "2026-01-12T00:00:00Z"];
    exitpath(usual.into_iter().chain(arguments.iter().copied()))
}

#[test]
fn the_bot_waits_for_delays_and_errata() {
    let repository = repository("promote");
    let run = promote(&repository, &[]);
    let wanted = "\
fast, from candidate
  ~ 4.18.2: waits for its erratum (in candidate since 2026-01-11)

fast-4.18, from fast
  + 4.18.1: the delay is over (in fast since 2026-01-10)

stable, from fast
  ~ 4.18.1: waits until 2026-01-17 06:00 UTC (in fast since 2026-01-10)

1 release to promote, 2 are held back, at 2026-01-12 00:00 UTC
";
    assert_eq!((run.out.as_str(), run.status), (wanted, 0), "{}", run.err);
    assert!(run.err.contains("only the network knows which errata are public"), "{}", run.err);
    let errata = repository.write("errata.txt", "# of January\n4.18.2 # RHBA\n");
    let errata = errata.to_str().unwrap();
    let run = promote(&repository, &["--errata", errata, "--channel", "fast", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(schema::PROMOTIONS.validator().is_valid(&report), "{report}");
    assert_eq!(report["promotions"][0]["why"], "erratum");
    let wrong = repository.write("wrong.txt", "4.18.2\nfoo\n");
    let run = promote(&repository, &["--errata", wrong.to_str().unwrap()]);
    assert!(run.err.contains(":2: `foo` is not a version"), "{}", run.err);
}

#[test]
fn a_risk_of_the_release_before_stops_a_promotion() {
    let repository = repository("promote-risk");
    repository.write("blocked-edges/4.18.0-SlowDisks.yaml", RISK);
    let run = promote(&repository, &["--channel", "fast-4.18"]);
    let words =
        "✗ 4.18.1: `SlowDisks` is on 4.18.0: extend it to 4.18.1, or say in which release it is";
    assert!(run.out.contains(words), "{}", run.out);
    assert_eq!(run.status, 1);
    let root = repository.path().to_str().unwrap();
    let fix = exitpath(["risk", "fix", "SlowDisks", "4.18.2", "--repo", root]);
    assert!(fix.status < 2, "{}", fix.err);
    let run = promote(&repository, &["--channel", "fast-4.18"]);
    assert!(run.out.contains("is not fixed until 4.18.2: extend it to 4.18.1"), "{}", run.out);
    let extend = exitpath(["risk", "extend", "SlowDisks", "4.18.1", "--repo", root]);
    assert!(extend.status < 2, "{}", extend.err);
    let run = promote(&repository, &["--channel", "fast-4.18", "--write"]);
    assert!(run.out.contains("1 release promoted"), "{}", run.out);
    let text = std::fs::read_to_string(repository.path().join("channels/fast-4.18.yaml")).unwrap();
    assert!(text.ends_with("name: fast-4.18\nversions:\n- 4.18.0\n- 4.18.1\n"), "{text}");
}

#[test]
fn a_digest_has_the_news() {
    let repository = repository("digest");
    let folder = repository.path();
    repository.write("blocked-edges/4.18.0-SlowDisks.yaml", RISK);
    commit(folder, "2026-01-12T00:00:00Z");
    repository.write(
        "blocked-edges/4.18.1-SlowDisks.yaml",
        RISK.replace("to: 4.18.0", "to: 4.18.1\nfixedIn: 4.18.2"),
    );
    repository.write(
        "channels/candidate-4.17.yaml",
        "name: candidate-4.17\nversions:\n- 4.17.0\n- 4.17.1\ntombstones:\n- 4.17.1\n",
    );
    commit(folder, "2026-01-20T00:00:00Z");
    let root = folder.to_str().unwrap();
    let digest = |arguments: &[&str]| {
        let usual = ["digest", "--repo", root, "--no-cache"];
        let run = exitpath(usual.into_iter().chain(arguments.iter().copied()));
        assert_eq!(run.status, 0, "{}", run.err);
        run.out
    };
    let out = digest(&["--since", "2026-01-13"]);
    let wanted = "\
From 2026-01-12 to 2026-01-20

Risks
  `SlowDisks` is not fixed yet, and also on 4.18.1
  `SlowDisks` is fixed in 4.18.2

Tombstones
  4.17.1 goes no further than `candidate-4.17`
";
    assert_eq!(out, wanted);
    let out = digest(&["--since", "HEAD~4", "--until", "HEAD~1", "--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert!(schema::DIGEST.validator().is_valid(&report), "{report}");
    let releases = json!([
        {"channel": "stable", "releases": []},
        {"channel": "fast", "releases": ["4.18.1"]},
        {"channel": "candidate", "releases": ["4.18.2"]},
    ]);
    assert_eq!(report["releases"], releases);
    assert_eq!(
        report["risks"][0],
        json!({"name": "SlowDisks", "what": "declared", "releases": ["4.18.0"]})
    );
    let markdown = digest(&["--since", "HEAD~4", "--format", "markdown"]);
    assert!(
        markdown.contains("\n## Releases\n\n- fast: 4.18.1\n- candidate: 4.18.2\n"),
        "{markdown}"
    );
    let atom = digest(&["--since", "HEAD~4", "--format", "atom"]);
    let feed = roxmltree::Document::parse(&atom).unwrap();
    let entries = feed
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2005/Atom", "entry")));
    assert!(entries.count() >= 4, "{atom}");
    let run = exitpath(["digest", "--repo", root, "--since", "HEAD", "--until", "HEAD~1"]);
    assert!(run.err.contains("begins after its end"), "{}", run.err);
}

#[test]
fn a_minor_version_goes_through_its_phases() {
    let repository = repository("phases");
    let root = repository.path().to_str().unwrap();
    let release = |phase: &str, minor: &str| {
        exitpath(["release", phase, minor, "--repo", root, "--no-cache"])
    };
    let text = |path: &str| std::fs::read_to_string(repository.path().join(path)).unwrap();
    let run = release("open", "4.19");
    assert!(run.status < 2, "{}", run.err);
    let wanted = "feeder:\n  delay: PT0H\n  filter: 4[.](18|19)[.][0-9].*\n  name: candidate\nname: candidate-4.19\nversions: []\n";
    assert_eq!(text("channels/candidate-4.19.yaml"), wanted);
    assert!(text("build-suggestions/4.19.yaml").contains("minor_min: 4.18.0-rc.0"));
    assert!(
        release("open", "4.19").err.contains("there is already a file build-suggestions/4.19.yaml")
    );
    assert!(
        release("open", "4.25")
            .err
            .contains("no channel has a release of the minor version before 4.25")
    );
    // Its first pre-releases and its first release.
    let candidate = list(&["4.18.0", "4.18.1", "4.18.2", "4.19.0-rc.0", "4.19.0-rc.1", "4.19.0"]);
    repository.write(
        "internal-channels/candidate.yaml",
        format!("name: candidate\nversions:\n{candidate}"),
    );
    repository.write(
        "channels/candidate-4.19.yaml",
        wanted.replace("versions: []\n", &format!("versions:\n{candidate}")),
    );
    let fast = text("internal-channels/fast.yaml");
    repository.write("internal-channels/fast.yaml", format!("{fast}- 4.19.0\n"));
    let pre = RISK.replace("SlowDisks", "PreRelease").replace("4.18.0", "4.17.0-rc.0");
    repository.write("blocked-edges/4.17.0-rc.0-PreRelease.yaml", pre);
    let run = release("ga", "4.19");
    assert!(run.status < 2, "{}", run.err);
    let wanted = "feeder:\n  delay: PT0H\n  filter: 4[.]19[.][0-9].*\n  name: stable\nname: stable-4.19\nversions:\n- 4.19.0\n";
    assert_eq!(text("channels/stable-4.19.yaml"), wanted);
    assert!(text("internal-channels/stable.yaml").ends_with("- 4.18.0\n- 4.19.0\n"));
    assert!(
        text("blocked-edges/4.19.0-rc.1-PreRelease.yaml")
            .starts_with("to: 4.19.0-rc.1\nfrom: .*\nfixedIn: 4.19.0\n")
    );
    assert!(!text("blocked-edges/4.19.0-rc.0-PreRelease.yaml").contains("fixedIn"));
    assert!(!repository.path().join("channels/eus-4.19.yaml").exists());
    // The next minor takes only its own releases once this one has ended.
    let next = wanted.replace("4.19", "4.20").replace("4[.]19", "4[.](19|20)");
    repository.write("channels/stable-4.20.yaml", next);
    let run = release("end", "4.19");
    assert!(run.status < 2, "{}", run.err);
    assert_eq!(text("channels/stable-4.19.yaml"), "name: stable-4.19\nversions:\n- 4.19.0\n");
    assert!(text("channels/stable-4.20.yaml").contains("filter: 4[.]20[.][0-9].*\n"));
    assert!(release("end", "4.19").err.contains("4.19 has ended already"));
}

#[test]
fn a_graph_can_begin_at_a_release() {
    let graph = |root: &str| {
        let fixture = [
            "graph",
            "--repo",
            "fixtures/graph-data",
            "--releases",
            "fixtures/graphs/releases.json",
        ];
        let rest = ["--channel", "candidate-4.14", "--format", "edges", "--root-version", root];
        exitpath(fixture.into_iter().chain(rest))
    };
    let whole = exitpath([
        "graph",
        "--repo",
        "fixtures/graph-data",
        "--releases",
        "fixtures/graphs/releases.json",
        "--channel",
        "candidate-4.14",
        "--format",
        "edges",
    ]);
    let part = graph("4.14.1");
    assert!(!part.out.is_empty() && part.out.lines().all(|line| whole.out.contains(line)));
    assert!(part.out.lines().all(|line| !line.starts_with("4.13")), "{}", part.out);
    assert!(part.out.len() < whole.out.len());
    assert!(graph("4.14.99").err.contains("`candidate-4.14` has no release `4.14.99`"));
}
