//! `exitpath from`: patterns for origins, and what patterns match.

use std::collections::BTreeSet;
use std::process::Command;

use exitpath::testing::schema;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Run, Scratch, cases, exitpath, real_data};

/// A repository with releases of three minors.
fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let pre = ["4.16.0-ec.0", "4.16.0-rc.0", "4.16.0-rc.10", "4.17.0-rc.1", "4.16.5-Hotfix"];
    let patches = (0..=30).map(|patch| format!("4.16.{patch}"));
    let patches = patches.chain((0..=8).map(|patch| format!("4.17.{patch}")));
    let versions = patches.chain(["5.0.0".to_owned()]).chain(pre.map(str::to_owned));
    let list: Vec<String> = versions.map(|version| format!("- {version}")).collect();
    let list = list.join("\n");
    scratch.write("channels/candidate-5.0.yaml", format!("name: candidate-5.0\nversions:\n{list}"));
    scratch.write("version", "1.1.0\n");
    scratch.write("blocked-edges/.gitkeep", "");
    scratch
}

fn from(repository: &Scratch, arguments: &[&str]) -> Run {
    let repo = ["from", "--repo", repository.path().to_str().unwrap()];
    exitpath(repo.into_iter().chain(arguments.iter().copied()))
}

fn pattern(repository: &Scratch, arguments: &[&str]) -> String {
    let run = from(repository, &[arguments, &["--quiet"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    run.out.trim_end().to_owned()
}

/// The next pre-release of a minor that is not generally available must not be lost.
#[test]
fn a_pattern_for_coming_pre_releases_is_not_closed() {
    let scratch = Scratch::new("coming");
    scratch.write("version", "1.1.0\n");
    scratch.write("blocked-edges/.gitkeep", "");
    let write = |versions: &[&str]| {
        let list: Vec<String> = versions.iter().map(|version| format!("- {version}\n")).collect();
        let text = format!("name: candidate-5.0\nversions:\n{}", list.concat());
        scratch.write("channels/candidate-5.0.yaml", text);
    };
    let said = |pattern: &str| {
        let run = from(&scratch, &[pattern]);
        let same = "The same releases, and no others: ";
        let exact = run.out.split_once(same).map(|(_, exact)| exact.trim_end().to_owned());
        (run.out.contains("5.0: all known pre-releases"), exact)
    };
    write(&["5.0.0-ec.0", "5.0.0-ec.1"]);
    let closed = "5[.]0[.]0-ec[.][01][+].*".to_owned();
    assert_eq!(said("5[.]0[.]0-ec[.].*"), (true, None));
    assert_eq!(said("5[.]0[.]0-.*"), (true, None));
    assert_eq!(said("5[.]0[.]0-ec[.](0|1)[+].*"), (true, Some(closed.clone())));
    assert_eq!(said("^5[.]0[.]0-ec[.](0|1)[+].*$"), (true, Some(format!("^{closed}$"))));
    write(&["5.0.0-ec.0", "5.0.0-ec.1", "5.0.0"]);
    assert_eq!(said("5[.]0[.]0-ec[.].*"), (false, Some(closed)));
}

#[test]
fn patterns_are_those_that_people_write() {
    let repository = repository("patterns");
    let cases: [(&[&str], &str); 12] = [
        (&["4.16.3"], "4[.]16[.]3[+].*"),
        (&["4.16.3", "4.16.4"], "4[.]16[.][34][+].*"),
        (&["4.16..4.17.4"], "4[.](16[.][0-9]+|17[.][0-4])[+].*"),
        (&["4.16..4.17.4", "--pre-releases"], "4[.](16[.].*|17[.][0-4])[-+].*"),
        (&["4.16.12..4.16"], "4[.]16[.](1[2-9]|[2-9][0-9])[+].*"),
        (&["4.16..4.16.23", "--except", "4.16.7"], "4[.]16[.]([0-689]|1[0-9]|2[0-3])[+].*"),
        (&["4.16..4.16.28"], "4[.]16[.](1?[0-9]|2[0-8])[+].*"),
        (&["4.16..4.17", "--pre-releases"], "4[.].*"),
        (&["4.16..5.0", "--pre-releases"], ".*"),
        (&["4.16", "--arch", "arm64"], "4[.]16[.][0-9]+[+]arm64"),
        (&["4.16.0-rc.0..4.16.1"], "4[.]16[.]([01]|0-rc[.]1?0)[+].*"),
        (&["..4.17.0-rc.1"], "4[.](16[.][0-9]+|17[.]0-rc[.]1)[+].*"),
    ];
    for (arguments, wanted) in cases {
        assert_eq!(pattern(&repository, arguments), wanted, "{arguments:?}");
    }
}

#[test]
fn a_pattern_is_explained() {
    let repository = repository("explained");
    let run = from(&repository, &["4.16.1"]);
    assert!(run.out.contains("\n  4.16: 4.16.1; no later patch; no pre-release\n"), "{}", run.out);
    let run = from(&repository, &["4.16[.]1"]);
    let words = "\n  4.16: 4.16.1 and 4.16.10–4.16.19; no later patch; no pre-release\n";
    assert!(run.out.contains(words), "{}", run.out);
    let exact = "\nThe same releases, and no others: 4[.]16[.]1[0-9]?[+].*\n";
    assert!(run.out.ends_with(exact), "{}", run.out);
    let run = from(&repository, &["9[.]9"]);
    assert!(run.out.contains("matches no release of the channels"), "{}", run.out);
}

#[test]
fn an_exception_must_be_one() {
    let repository = repository("exception");
    let run = from(&repository, &["4.16..4.16.9", "--except", "4.16.3,4.17.2"]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(run.err.contains("`4.17.2` is not among the origins"), "{}", run.err);
}

#[test]
fn the_json_has_each_release() {
    let repository = repository("json");
    let run = from(&repository, &["4.17..4.17.1", "--pre-releases", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    assert!(schema::FROM.validator().is_valid(&report), "{report}");
    let minor = json!({"minor": "4.17", "releases": ["4.17.0", "4.17.1"],
                       "pre_releases": ["4.17.0-rc.1"], "later": "none"});
    assert_eq!(report["minors"], json!([minor]));
}

#[test]
fn what_names_no_origins_is_an_error() {
    let repository = repository("wrong-origins");
    let cases: [(&[&str], &str); 10] = [
        (&["4.99"], "no channel has a release of 4.99"),
        (&["4.16.0-rc.3"], "no channel has 4.16.0-rc.3"),
        (&["4.16.99"], "4.16.99 is more than 50 patches after the newest, 4.16.30"),
        (&["4.17..4.16"], "`4.17..4.16` begins after its end"),
        (&[".."], "`..` has no end"),
        (&["4.16", "--except", "4.16"], "the exceptions name all of them"),
        (&["4.16.3+amd64"], "use `--arch amd64`"),
        (&["newest"], "`newest` is not a version (4.18.3) or a minor version (4.18)"),
        (&["4[.]16[.](3"], "the service does not accept `4[.]16[.](3`: unclosed group"),
        (&["4[.]16[.].*", "--pre-releases"], "have no effect on a pattern"),
    ];
    for (arguments, why) in cases {
        let run = from(&repository, arguments);
        assert!(run.status == 2 && run.err.contains(why), "{arguments:?}: {}", run.err);
    }
    let empty = Scratch::new("no-releases");
    empty.write("channels/.gitkeep", "");
    empty.write("blocked-edges/.gitkeep", "");
    empty.write("version", "1.1.0\n");
    let run = from(&empty, &["4.16"]);
    assert!(run.status == 2 && run.err.contains("the channels have no releases"), "{}", run.err);
}

proptest! {
    #![proptest_config(cases(60))]

    /// A pattern that is made is explained as the same pattern: it matches what was wanted.
    #[test]
    fn making_and_explaining_a_pattern_agree(
        ends in (0..40_u64, 0..40_u64),
        minors in (16..18_u64, 16..18_u64),
        except in prop::collection::btree_set(0..31_u64, 0..4),
        pre_releases in any::<bool>(),
    ) {
        let repository = repository("agree");
        let mut bounds = [(minors.0, ends.0), (minors.1, ends.1)];
        bounds.sort_unstable();
        let [(minor, first), (last_minor, last)] = bounds;
        let wanted = format!("4.{minor}.{first}..4.{last_minor}.{last}");
        // An exception that is none is an error.
        let is_in_range = |patch: &u64| bounds[0] <= (16, *patch) && (16, *patch) <= bounds[1];
        let except: BTreeSet<u64> = except.into_iter().filter(is_in_range).collect();
        let mut arguments = vec![wanted.clone()];
        for patch in &except {
            arguments.extend(["--except".to_owned(), format!("4.16.{patch}")]);
        }
        if pre_releases {
            arguments.push("--pre-releases".to_owned());
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let made = from(&repository, &[&arguments[..], &["--format", "json"]].concat());
        if made.err.contains("name all of them") {
            return Ok(());
        }
        let made: Value = serde_json::from_str(&made.out).unwrap();
        let text = made["pattern"].as_str().unwrap();
        let again = from(&repository, &[text, "--format", "json"]);
        let again: Value = serde_json::from_str(&again.out).unwrap();
        prop_assert_eq!(&again["minors"], &made["minors"]);
        let regex = regex::Regex::new(text).unwrap();
        for (minor, patch) in (16..18).flat_map(|minor| (0..60).map(move |patch| (minor, patch))) {
            let is_in_range = bounds[0] <= (minor, patch) && (minor, patch) <= bounds[1];
            let is_wanted = is_in_range && !(minor == 16 && except.contains(&patch));
            let served = format!("4.{minor}.{patch}+s390x");
            prop_assert_eq!(regex.is_match(&served), is_wanted, "{} {}", text, served);
        }
    }
}

#[test]
fn real_patterns_can_be_written_exactly() {
    let Some(real) = real_data::history() else { return };
    let git = Command::new("git")
        .arg("-C")
        .arg(real)
        .args(["grep", "-h", "^from: ", "HEAD", "--", "blocked-edges"])
        .output();
    let lines = String::from_utf8(git.unwrap().stdout).unwrap();
    let patterns = lines.lines().filter_map(|line| line.strip_prefix("from: "));
    let patterns: BTreeSet<&str> =
        patterns.filter(|pattern| !pattern.contains(['#', '"', '\''])).collect();
    for given in &patterns {
        let explain = |pattern: &str| -> Value {
            let repo = ["from", "--repo", real.to_str().unwrap(), "--rev", "HEAD"];
            let run = exitpath(repo.into_iter().chain(["--format", "json", pattern]));
            serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{pattern}: {}", run.err))
        };
        let report = explain(given);
        if let Some(exact) = report["exact"].as_str() {
            assert_eq!(explain(exact)["minors"], report["minors"], "{given}: {exact}");
        }
    }
    assert!(patterns.len() > 100, "{}", patterns.len());
}
