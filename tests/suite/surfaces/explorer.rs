//! `--format html`: the page to explore. `.ci/explorer` looks at it in a browser.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use flate2::read::DeflateDecoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::maintenance::commit;
use crate::{Scratch, exitpath, git};

const FIXTURE: &str = "fixtures/graph-data";

/// The data of a page, or of the service for a page.
pub(crate) fn explored(text: impl AsRef<str>) -> Value {
    let text = text.as_ref();
    let data = between(text, "<script type=\"application/octet-stream\" id=\"data\">", "</script>");
    let mut json = String::new();
    DeflateDecoder::new(bytes(data.unwrap_or(text)).as_slice()).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What base64 stands for.
fn bytes(base64: &str) -> Vec<u8> {
    let digits: Vec<u8> = base64.bytes().filter(|digit| *digit != b'=').collect();
    let bytes = digits.chunks(4).flat_map(|group| {
        let value = |digit: &u8| DIGITS.bytes().position(|known| known == *digit).unwrap();
        let bits = group.iter().fold(0, |bits, digit| bits << 6 | value(digit));
        let bits = bits << (6 * (4 - group.len()));
        (0..group.len() - 1).map(move |at| u8::try_from(bits >> (16 - 8 * at) & 255).unwrap())
    });
    bytes.collect()
}

fn base64(bytes: &[u8]) -> String {
    let digits = bytes.chunks(3).flat_map(|group| {
        let bits = (0..3).fold(0, |bits, at| {
            bits << 8 | usize::from(group.get(at).copied().unwrap_or_default())
        });
        (0..4).map(move |at| {
            if at > group.len() {
                '='
            } else {
                char::from(DIGITS.as_bytes()[bits >> (18 - 6 * at) & 63])
            }
        })
    });
    digits.collect()
}

fn page(arguments: &[&str]) -> String {
    exitpath(arguments.iter().copied().chain(["--format", "html"])).out
}

/// A browser runs only what the policy names, and the policy names only what is inside.
#[test]
fn the_page_allows_its_own_script_and_styles_only() {
    let page = page(&["graph", FIXTURE]);
    let policy = between(&page, "content-security-policy\" content=\"", "\"").unwrap();
    let script = page.rsplit_once("<script>").unwrap().1.split_once("</script>").unwrap().0;
    let styles = between(&page, "<style>", "</style>").unwrap();
    let digest = |text: &str| base64(&Sha256::digest(text));
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; \
             form-action 'none'",
            digest(script),
            digest(styles)
        )
    );
    for loaded in ["<link", "<img", " src=", "@import", "url("] {
        let own = page.replace("url(#head-", "");
        assert!(!own.contains(loaded), "{loaded}");
    }
}

/// The updates of a channel, read from a page as its script reads them, in the maintainers'
/// notation.
fn updates(page: &Value, state: &Value, channel: &str, arch: u64) -> BTreeSet<String> {
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let numbers = |list: &Value| list.as_array().unwrap().iter().map(number).collect::<Vec<_>>();
    let has_arch = |bits: &Value| bits.as_u64().unwrap() >> arch & 1 == 1;
    let version = |at: usize| page["versions"][at]["v"].as_str().unwrap();
    let channels = state["channels"].as_array().unwrap();
    let channel = channels.iter().find(|one| one["name"] == channel).unwrap();
    let group = channel["members"].as_array().unwrap().iter().find(|group| has_arch(&group[0]));
    let mut members = BTreeSet::new();
    let mut next = 0;
    for run in numbers(&group.unwrap()[1]).chunks(2) {
        members.extend(next + run[0]..next + run[0] + run[1]);
        next += run[0] + run[1];
    }
    let mut found = BTreeSet::new();
    for list in state["updates"].as_array().unwrap().iter().filter(|list| has_arch(&list[0])) {
        let to = number(&list[1]);
        let mut from = 0;
        for run in numbers(&page["lists"][number(&list[2])]).chunks(3) {
            from += run[0];
            let (cause, knowledge) = (&page["causes"][run[2] / 4], run[2] % 4);
            for from in from..from + run[1] {
                if knowledge == 3 || !(members.contains(&from) && members.contains(&to)) {
                    continue;
                }
                let risks = cause["r"].as_array().into_iter().flatten();
                let mut names: Vec<&str> = risks
                    .map(|risk| page["risks"][number(risk)]["name"].as_str().unwrap())
                    .collect();
                names.sort_unstable();
                let arrow = match names.as_slice() {
                    _ if cause["s"] == 2 => "-(SILENT-BLOCK)->".to_owned(),
                    [] => "->".to_owned(),
                    names => format!("-(risks: {})->", names.join(", ")),
                };
                let doubt = if knowledge == 2 { "  # uncertain" } else { "" };
                found.insert(format!("{} {arrow} {}{doubt}", version(from), version(to)));
            }
            from += run[1];
        }
    }
    found
}

#[test]
fn the_page_has_the_updates_that_clusters_get() {
    let page = explored(page(&["graph", FIXTURE]));
    let channels: Vec<String> = page["states"][0]["channels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|channel| channel["name"].as_str().unwrap().to_owned())
        .collect();
    assert!(channels.len() > 3, "{channels:?}");
    let mut compared = 0;
    for channel in &channels {
        for (at, arch) in ["amd64", "arm64"].iter().enumerate() {
            let graph = ["graph", FIXTURE, "--channel", channel, "--arch", arch];
            let printed = exitpath(graph.iter().copied().chain(["--format", "edges"])).out;
            let lines = printed.lines().filter(|line| line.contains('>'));
            let expected: BTreeSet<String> =
                lines.map(|line| line.trim_start_matches(' ').to_owned()).collect();
            let arch = u64::try_from(at).unwrap();
            assert_eq!(updates(&page, &page["states"][0], channel, arch), expected, "{channel}");
            compared += expected.len();
        }
    }
    assert!(compared > 20, "{compared}");
}

/// An answer of the service is whole for one channel, though its releases name others, too.
#[test]
fn a_page_about_an_answer_has_only_its_channel() {
    let scratch = Scratch::new("explorer-answer");
    let arguments = ["graph", FIXTURE, "--channel", "stable-4.14", "--format", "json"];
    let file = scratch.write("stable-4.14.json", exitpath(arguments).out);
    let page = explored(page(&["graph", "--graph", file.to_str().unwrap()]));
    let channels = page["states"][0]["channels"].as_array().unwrap();
    let names: Vec<&str> = channels.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["stable-4.14"]);
}

#[test]
fn the_flags_of_simulate_are_what_the_page_shows_first() {
    let simulate = ["simulate", FIXTURE, "--channel", "stable-4.14"];
    let first = |flags: &[&str]| {
        let page = explored(page(&[&simulate, flags].concat()));
        assert_eq!(page["states"][0]["channels"].as_array().unwrap().len(), 1);
        page["start"].as_str().unwrap().to_owned()
    };
    assert_eq!(first(&[]), "");
    assert_eq!(first(&["--remove", "always"]), "clusters=always");
    for flag in [["--goal", "any"], ["--sets", "2"], ["--explain", "4.14.2"]] {
        let run = exitpath(simulate.into_iter().chain(flag).chain(["--format", "html"]));
        assert_eq!(run.status, 2);
        assert!(run.err.contains(&format!("`{}` has no effect on a page", flag[0])), "{}", run.err);
    }
}

#[test]
fn a_page_of_a_change_has_both_states_and_a_page_of_the_past_has_many() {
    let scratch = Scratch::copy_of("explorer-past", Path::new(FIXTURE));
    let folder = scratch.path();
    git(folder, &["init", "-q"]);
    commit(folder, "2026-03-01T12:00:00Z");
    scratch.write("blocked-edges/4.14.2-New.yaml", "to: 4.14.2\nfrom: .*\nurl: https://a.example\nname: New\nmessage: New.\nmatchingRules:\n- type: Always\n");
    commit(folder, "2026-03-04T12:00:00Z");
    let repo = folder.to_str().unwrap();
    let labels = |page: &Value| -> Vec<String> {
        let states = page["states"].as_array().unwrap().iter();
        states.map(|state| state["label"].as_str().unwrap().to_owned()).collect()
    };
    let change = explored(page(&["diff", "HEAD~1", "HEAD", "--repo", repo]));
    assert_eq!(labels(&change), ["HEAD~1", "HEAD"]);
    assert_eq!(change["start"], "tab=changes");
    let new = |state: usize| {
        let found = updates(&change, &change["states"][state], "stable-4.14", 0);
        found.iter().filter(|update| update.contains("New")).count()
    };
    assert_eq!((new(0), new(1) > 0), (0, true));
    let past = explored(page(&["graph", repo, "--since", "2026-03-01"]));
    let labels = labels(&past);
    assert_eq!(labels.len(), 2, "{labels:?}");
    assert!(labels[0].starts_with("2026-03-01 ("), "{labels:?}");
    assert_eq!(labels[1], "the work tree");
    let without_page = exitpath(["graph", repo, "--since", "2026-03-01", "--format", "json"]);
    assert_eq!(without_page.status, 2);
    assert!(without_page.err.contains("`--since` is for pages"), "{}", without_page.err);
}

/// `tests/clients/explorer/catalogs.js` compares what the page says of them.
#[test]
fn the_page_of_a_catalog_has_all_channels_of_the_package() {
    let catalog = ["catalog", "graph", "fixtures/catalogs/channels"];
    let explore = |flags: &[&str]| explored(page(&[&catalog, flags].concat()));
    let whole = explore(&[]);
    let channels = whole["states"][0]["channels"].as_array().unwrap();
    let names: Vec<&str> = channels.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["candidate", "stable-1", "stable-2"]);
    assert_eq!(explore(&["--channel", "stable-1"])["start"], "channel=stable-1");
    let refused = exitpath(catalog.into_iter().chain(["--all-edges", "--format", "html"]));
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("`--all-edges` has no effect"), "{}", refused.err);
}

#[test]
fn the_same_graph_gives_the_same_page() {
    assert_eq!(page(&["graph", FIXTURE]), page(&["graph", FIXTURE]));
}

#[test]
fn the_page_of_all_real_channels_is_small() {
    let Some(folder) = crate::checks::real_data::history() else { return };
    let page = page(&["graph", "--repo", folder.to_str().unwrap(), "--rev", "HEAD"]);
    assert!(page.len() < 1_500_000, "{}", page.len());
    let page = explored(&page);
    assert!(page["states"][0]["channels"].as_array().unwrap().len() > 60);
}
