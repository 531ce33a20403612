//! Graphs of OKD. All its versions are pre-releases by SemVer, its graph names no architectures and
//! no channels, and its candidates are newer than its releases by SemVer.

use crate::{Run, Scratch, exitpath, git};

const GRAPH: &str = "fixtures/graphs/okd.json";

fn on_graph(command: &[&str]) -> Run {
    exitpath(command.iter().copied().chain(["--graph", GRAPH]))
}

#[test]
fn a_release_without_an_update_is_stranded() {
    let run = on_graph(&["simulate"]);
    assert_eq!(run.status, 1, "{}", run.out);
    assert!(run.out.contains("✗ 4.20.0-okd-scos.0 has no exit path\n"), "{}", run.out);
    assert!(run.out.contains("1 release stranded"), "the candidates do not count: {}", run.out);
}

#[test]
fn a_range_holds_releases_of_okd() {
    for (range, status) in [(">=4.20", 1), ("~4.19", 0), (">=4.20.0-okd-scos.1", 0)] {
        let run = on_graph(&["simulate", "--supported", range]);
        assert_eq!(run.status, status, "{range}: {}{}", run.out, run.err);
    }
}

#[test]
fn a_star_is_every_release() {
    let run = on_graph(&["simulate", "--supported", "*"]);
    assert!(run.out.contains("Checked: every release."), "{}", run.out);
    let candidate = "⚠ 4.20.0-okd-scos.ec.15 cannot reach the newest patch of its minor";
    assert!(run.out.contains(candidate), "{}", run.out);
    let run = on_graph(&["simulate", "--explain", "4.20.0-okd-scos.ec.15"]);
    assert!(run.out.contains("is not checked: it is a pre-release"), "{}", run.out);
}

#[test]
fn a_path_leads_to_a_release_and_not_to_a_candidate() {
    let run = on_graph(&["path", "4.19.0-okd-scos.18", "4.20"]);
    assert_eq!(run.status, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("4.19.0-okd-scos.19 → 4.20.0-okd-scos.0"), "{}", run.out);
    let run = on_graph(&["path", "4.20.0-okd-scos.0", "4.20.0-okd-scos.2"]);
    let why = "4.20.0-okd-scos.0 has no updates to other releases";
    assert!(run.status == 1 && run.out.contains(why), "{}{}", run.out, run.err);
}

#[test]
fn a_cluster_is_behind_the_newest_release_and_not_behind_a_candidate() {
    let cluster = ["cluster", "--version", "4.20.0-okd-scos.0", "--channel", "stable-scos-4"];
    let run = on_graph(&cluster);
    let missing = "stable-scos-4 has 4.20.0-okd-scos.2, but no update leads there";
    assert!(run.out.contains(missing), "{}{}", run.out, run.err);
    let newest = ["cluster", "--version", "4.20.0-okd-scos.2", "--channel", "stable-scos-4"];
    let run = on_graph(&newest);
    assert!(!run.out.contains("4.20.0-okd-scos.ec.15"), "{}", run.out);
}

#[test]
fn a_repository_with_its_graph_is_checked() {
    let repository = Scratch::new("okd");
    let releases: Vec<String> =
        (0..3).map(|number| format!("- 4.20.0-okd-scos.{number}\n")).collect();
    let versions = releases.concat();
    let channel = |name: &str, feeder: &str| {
        format!("name: {name}\nfeeder:\n  name: {feeder}\n  delay: PT0H\nversions:\n{versions}")
    };
    repository.write("version", "1.1.0\n");
    repository.write("raw/metadata.json", "{}\n");
    repository.write("blocked-edges/README.md", "\n");
    repository.write(
        "internal-channels/candidate.yaml",
        format!("name: candidate\nversions:\n{versions}"),
    );
    repository.write("channels/candidate-4.20.yaml", channel("candidate-4.20", "candidate"));
    repository.write("channels/fast-4.20.yaml", channel("fast-4.20", "candidate-4.20"));
    repository.write("channels/stable-4.20.yaml", channel("stable-4.20", "fast-4.20"));
    git(repository.path(), &["init", "--quiet"]);
    git(repository.path(), &["add", "."]);
    git(repository.path(), &["commit", "--quiet", "--message", "OKD"]);
    let graph = std::env::current_dir().unwrap().join(GRAPH);
    let path = repository.path().to_str().unwrap();
    let run = exitpath(["check", path, "--releases", graph.to_str().unwrap()]);
    assert_eq!(run.status, 1, "{}{}", run.out, run.err);
    let message = "`4.20.0-okd-scos.0` has no updates to other releases";
    assert!(run.out.replace("\n  │ ", " ").contains(message), "{}", run.out);
    assert!(!run.out.contains("unusual-prerelease"), "{}", run.out);
}
