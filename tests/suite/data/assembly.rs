//! The graphs of `assembly`, compared with a second implementation of the service. That one works
//! step by step, on strings.

#![allow(
    clippy::too_many_lines,
    clippy::needless_range_loop,
    reason = "the steps of the service, in its order and by its indices"
)]

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::assembly::{Consumer, assemble};
use exitpath::testing::domain::{Arch, Named};
use exitpath::testing::graph::cincinnati::{GraphFile, Readers, write_served, write_whole};
use exitpath::testing::graph::{Served, UpdateGraph};
use exitpath::testing::graph_data::{self, GraphData};
use exitpath::testing::lineage::{Lineage, Past, ReleaseSource};
use exitpath::testing::text::SourceId;
use exitpath::testing::tree::Blob;
use proptest::prelude::*;
use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{cases, real_data};

const KEY: &str = "io.openshift.upgrades.graph";

/// A graph as sets, so that order does not matter.
#[derive(Debug, Default, PartialEq, Eq)]
struct Facts {
    nodes: BTreeMap<String, BTreeMap<String, String>>,
    edges: BTreeSet<(String, String)>,
    conditional: BTreeMap<(String, String), Vec<String>>,
}

impl Facts {
    fn of(json: &Value) -> Self {
        let mut facts = Self::default();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let nodes = list(&json["nodes"]);
        for node in &nodes {
            let metadata = node["metadata"].as_object().cloned().unwrap_or_default();
            let metadata = metadata.iter().map(|(key, value)| (key.clone(), text(value)));
            facts.nodes.insert(text(&node["version"]), metadata.collect());
        }
        for edge in list(&json["edges"]) {
            let end = |i: usize| {
                let at = usize::try_from(edge[i].as_u64().unwrap()).unwrap();
                text(&nodes[at]["version"])
            };
            assert!(facts.edges.insert((end(0), end(1))), "an edge is listed twice");
        }
        for group in list(&json["conditionalEdges"]) {
            let names: Vec<String> =
                list(&group["risks"]).iter().map(ToString::to_string).collect();
            for edge in list(&group["edges"]) {
                let pair = (text(&edge["from"]), text(&edge["to"]));
                assert!(facts.conditional.insert(pair, names.clone()).is_none(), "listed twice");
            }
        }
        facts
    }
}

impl Facts {
    /// Panics with a few lines about the differences.
    fn assert_same(&self, other: &Self, what: &str) {
        fn differ<T: Ord + Clone>(
            a: impl Iterator<Item = T>,
            b: impl Iterator<Item = T>,
        ) -> Vec<T> {
            let (a, b): (BTreeSet<T>, BTreeSet<T>) = (a.collect(), b.collect());
            a.symmetric_difference(&b).take(5).cloned().collect()
        }
        assert_eq!(differ(self.nodes.iter(), other.nodes.iter()), [], "{what}: nodes");
        assert_eq!(
            differ(self.edges.iter(), other.edges.iter()),
            [] as [&(String, String); 0],
            "{what}: edges"
        );
        assert_eq!(
            differ(self.conditional.iter(), other.conditional.iter()),
            [],
            "{what}: conditional edges"
        );
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    to: String,
    from: String,
}

#[derive(Deserialize)]
struct Risk {
    to: String,
    from: String,
    url: String,
    name: String,
    message: String,
    #[serde(rename = "matchingRules")]
    matching_rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    promql: Option<Query>,
}

#[derive(Deserialize)]
struct Query {
    #[serde(default)]
    promql: String,
}

#[derive(Deserialize)]
struct Channel {
    name: String,
    versions: Vec<String>,
}

fn core(version: &str) -> &str {
    version.split('+').next().unwrap()
}

fn build(version: &str) -> &str {
    version.split_once('+').map_or("", |(_, build)| build)
}

/// The service, written from its description without regard to speed.
pub(crate) fn service(blobs: &[Blob], raw: &Value) -> Value {
    let text = |blob: &Blob| String::from_utf8(blob.content.clone().unwrap()).unwrap();
    let below = |folder: &str| {
        let mut files: Vec<&Blob> = blobs
            .iter()
            .filter(|blob| blob.path.starts_with(folder))
            .filter(|blob| Regex::new(r"[^/][.][^./]*ya+ml[^./]*$").unwrap().is_match(&blob.path))
            .filter(|blob| blob.path.matches('/').count() == 1)
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    };
    let is_version = |text: &str| semver::Version::parse(text.trim()).is_ok();
    let mut nodes: Vec<Value> = raw["nodes"].as_array().unwrap().clone();
    let version = |node: &Value| node["version"].as_str().unwrap().to_owned();
    let builds: BTreeSet<String> =
        nodes.iter().map(|node| build(&version(node)).to_owned()).collect();
    // The metadata of the releases, then that of the repository.
    let set = |nodes: &mut Vec<Value>, at: usize, key: &str, value: String| {
        if nodes[at]["metadata"].is_null() {
            nodes[at]["metadata"] = json!({});
        }
        nodes[at]["metadata"][key] = Value::from(value);
    };
    let get = |nodes: &Vec<Value>, at: usize, key: &str| {
        nodes[at]["metadata"][key].as_str().map(str::to_owned)
    };
    if let Some(file) = blobs.iter().find(|blob| blob.path == "raw/metadata.json")
        && let Ok(metadata) =
            serde_json::from_str::<BTreeMap<String, BTreeMap<String, String>>>(&text(file))
        && metadata.keys().all(|version| is_version(version))
    {
        for (release, pairs) in metadata {
            for at in 0..nodes.len() {
                if core(&version(&nodes[at])) != core(&release) {
                    continue;
                }
                for (key, value) in &pairs {
                    let value = match get(&nodes, at, key) {
                        Some(known) => format!("{known},{value}"),
                        None => value.clone(),
                    };
                    set(&mut nodes, at, key, value);
                }
            }
        }
    }
    let regex_key = format!("{KEY}.previous.remove_regex");
    for file in below("blocked-edges/") {
        let Ok(block) = serde_yaml::from_str::<Block>(&text(file)) else { continue };
        if !is_version(&block.to) || Regex::new(&block.from).is_err() {
            continue;
        }
        let pre = core(&block.to).split_once('-').map_or("", |(_, pre)| pre);
        let wanted: Vec<String> = if !build(&block.to).is_empty() {
            vec![block.to.clone()]
        } else if pre == "s390x" {
            vec![format!("{}+s390x", block.to)]
        } else {
            let with = |build: &String| match build.as_str() {
                "" => block.to.clone(),
                build => format!("{}+{build}", block.to),
            };
            builds.iter().map(with).collect()
        };
        for at in 0..nodes.len() {
            if wanted.contains(&version(&nodes[at])) {
                set(&mut nodes, at, &regex_key, block.from.clone());
            }
        }
    }
    let mut risks: Vec<Risk> = Vec::new();
    for file in below("blocked-edges/") {
        let Ok(risk) = serde_yaml::from_str::<Risk>(&text(file)) else { continue };
        if !is_version(&risk.to) || Regex::new(&risk.from).is_err() {
            continue;
        }
        for at in 0..nodes.len() {
            if core(&version(&nodes[at])) == core(&risk.to) {
                let value = match get(&nodes, at, &regex_key) {
                    Some(known) => format!("{known}|{}", risk.from),
                    None => risk.from.clone(),
                };
                set(&mut nodes, at, &regex_key, value);
            }
        }
        risks.push(risk);
    }
    let channels_key = format!("{KEY}.release.channels");
    let mut member_of: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for file in below("channels/") {
        let Ok(channel) = serde_yaml::from_str::<Channel>(&text(file)) else { continue };
        if !channel.versions.iter().all(|version| is_version(version)) {
            continue;
        }
        for at in 0..nodes.len() {
            let node = version(&nodes[at]);
            let names = [core(&node).to_owned(), node.clone()];
            if channel.versions.iter().any(|member| names.contains(member)) {
                member_of.entry(at).or_default().push(channel.name.clone());
            }
        }
    }
    for (at, mut names) in member_of {
        names.sort();
        names.sort_by_key(|name| name.split_once('-').unwrap().1.to_owned());
        set(&mut nodes, at, &channels_key, names.join(","));
    }

    let place = |name: &str| nodes.iter().position(|node| version(node) == name);
    // The origins of the updates to each node.
    let mut origins: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); nodes.len()];
    for edge in raw["edges"].as_array().unwrap() {
        let end = |i: usize| usize::try_from(edge[i].as_u64().unwrap()).unwrap();
        origins[end(1)].insert(end(0));
    }
    let named = |at: usize, key: &str| -> Vec<usize> {
        let Some(list) = get(&nodes, at, &format!("{KEY}.{key}")) else { return Vec::new() };
        let arch = get(&nodes, at, &format!("{KEY}.release.arch"));
        let name = |name: &str| match &arch {
            Some(arch) => format!("{}+{arch}", core(name)),
            None => name.to_owned(),
        };
        list.split(',').filter_map(|one| place(&name(one.trim()))).collect()
    };
    for at in 0..nodes.len() {
        origins[at].extend(named(at, "previous.add"));
    }
    for at in 0..nodes.len() {
        for to in named(at, "next.add") {
            origins[to].insert(at);
        }
    }
    let mut conditional: BTreeMap<(usize, usize), Vec<Value>> = BTreeMap::new();
    let mut of_core: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        of_core.entry(core(&version(node)).to_owned()).or_default().push(at);
    }
    for risk in &risks {
        let pattern = Regex::new(&risk.from).unwrap();
        for to in of_core.get(core(&risk.to)).into_iter().flatten() {
            let target = version(&nodes[*to]);
            if target != risk.to && core(&target) != risk.to {
                continue;
            }
            for from in &origins[*to] {
                if !pattern.is_match(&version(&nodes[*from])) {
                    continue;
                }
                let rules = risk.matching_rules.iter().map(|rule| {
                    let mut json = json!({"type": rule.kind});
                    let query = rule.promql.as_ref().map_or("", |query| &query.promql);
                    if !query.is_empty() {
                        json["promql"] = json!({"promql": query});
                    }
                    json
                });
                conditional.entry((*from, *to)).or_default().push(json!({
                    "url": risk.url, "name": risk.name, "message": risk.message,
                    "matchingRules": rules.collect::<Vec<_>>(),
                }));
            }
        }
    }
    for at in 0..nodes.len() {
        match get(&nodes, at, &format!("{KEY}.previous.remove")) {
            Some(all) if all.trim() == "*" => origins[at].clear(),
            _ => {
                let gone = named(at, "previous.remove");
                origins[at].retain(|from| !gone.contains(from));
            }
        }
    }
    for at in 0..nodes.len() {
        let Some(pattern) = get(&nodes, at, &regex_key) else { continue };
        let pattern = Regex::new(&pattern).unwrap();
        origins[at].retain(|from| !pattern.is_match(&version(&nodes[*from])));
    }
    for at in 0..nodes.len() {
        for to in named(at, "next.remove") {
            origins[to].remove(&at);
        }
    }
    let edges = origins.iter().enumerate();
    let edges: Vec<[usize; 2]> =
        edges.flat_map(|(to, from)| from.iter().map(move |from| [*from, to])).collect();
    let conditional: Vec<Value> = conditional
        .into_iter()
        .map(|((from, to), risks)| {
            let pair = json!({"from": version(&nodes[from]), "to": version(&nodes[to])});
            json!({"edges": [pair], "risks": risks})
        })
        .collect();
    json!({"nodes": nodes, "edges": edges, "conditionalEdges": conditional})
}

/// The policy engine: the part of the graph for a channel and an architecture.
fn policy(whole: &Value, channel: &str, arch: &str) -> Value {
    let nodes = whole["nodes"].as_array().unwrap();
    let list = |node: &Value, key: &str| -> Vec<String> {
        let list = node["metadata"][format!("{KEY}.release.{key}")].as_str().unwrap_or_default();
        list.split(',').map(|one| one.trim().to_owned()).collect()
    };
    let kept: Vec<usize> = (0..nodes.len())
        .filter(|at| list(&nodes[*at], "channels").contains(&channel.to_owned()))
        .filter(|at| list(&nodes[*at], "arch").contains(&arch.to_owned()))
        .collect();
    let strip =
        |version: &str| version.strip_suffix(&format!("+{arch}")).unwrap_or(version).to_owned();
    let version = |at: usize| nodes[at]["version"].as_str().unwrap();
    let names: Vec<&str> = kept.iter().map(|at| version(*at)).collect();
    let place = |end: &Value| {
        let at = usize::try_from(end.as_u64().unwrap()).unwrap();
        kept.iter().position(|kept| *kept == at)
    };
    let edges = whole["edges"].as_array().unwrap().iter();
    let edges: Vec<_> = edges.filter_map(|edge| place(&edge[0]).zip(place(&edge[1]))).collect();
    let groups = whole["conditionalEdges"].as_array().unwrap().iter().filter_map(|group| {
        let edge = &group["edges"][0];
        let (from, to) = (edge["from"].as_str().unwrap(), edge["to"].as_str().unwrap());
        let is_kept = |end: &str| names.contains(&end) && end.contains(arch);
        (is_kept(from) && is_kept(to)).then(
            || json!({"edges": [{"from": strip(from), "to": strip(to)}], "risks": group["risks"]}),
        )
    });
    let nodes = kept.iter().map(|at| {
        let mut node = nodes[*at].clone();
        node["version"] = strip(version(*at)).into();
        node["metadata"].as_object_mut().unwrap().remove(&format!("{KEY}.release.arch"));
        node
    });
    json!({
        "nodes": nodes.collect::<Vec<_>>(),
        "edges": edges,
        "conditionalEdges": groups.collect::<Vec<_>>(),
    })
}

fn whole_as_json(graph: &UpdateGraph) -> Value {
    let mut text = Vec::new();
    write_whole(graph, Readers { know_conditions: true }, &mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

pub(crate) fn graph_by_exitpath(blobs: Vec<Blob>, raw: &Value) -> UpdateGraph {
    let data = GraphData::from_blobs(blobs);
    let file = GraphFile::read(SourceId::at(0), &raw.to_string());
    assert_eq!(file.faults, []);
    let given = [ReleaseSource::Graph(file)];
    let lineage = Lineage::of(&given, Arch::Amd64, &data, Arch::ALL, &Past::default());
    assemble(&data, &lineage, Consumer::Schema1_1)
}

/// Both graphs must be the same, as a whole and for each channel and architecture.
fn compare(blobs: &[Blob], raw: &Value, what: &str) {
    let theirs = service(blobs, raw);
    let graph = graph_by_exitpath(blobs.to_vec(), raw);
    Facts::of(&whole_as_json(&graph)).assert_same(&Facts::of(&theirs), what);
    // A consumer of schema 1.0 gets no other updates than the unconditional ones. It has fewer if
    // today's service drops a file with more keys.
    let data = GraphData::from_blobs(blobs.to_vec());
    let given = [ReleaseSource::Graph(GraphFile::read(SourceId::at(0), &raw.to_string()))];
    let lineage = Lineage::of(&given, Arch::Amd64, &data, Arch::ALL, &Past::default());
    let old = Facts::of(&whole_as_json(&assemble(&data, &lineage, Consumer::Schema1_0)));
    let edges = Facts::of(&theirs).edges;
    assert!(old.edges.is_subset(&edges) && old.conditional.is_empty(), "{what}");
    for channel in &graph.channels {
        for arch in Arch::ALL.iter().copied() {
            let served = Served::of(&graph, graph.channel(channel).unwrap(), arch);
            let mut text = Vec::new();
            write_served(&served, Readers { know_conditions: true }, &mut text).unwrap();
            let ours = Facts::of(&serde_json::from_slice(&text).unwrap());
            let theirs = Facts::of(&policy(&theirs, channel, arch.name()));
            ours.assert_same(&theirs, &format!("{what}: {channel} {arch}"));
        }
    }
}

/// A raw graph of the service: every release that a file names, and random updates.
pub(crate) fn raw(
    versions: &BTreeSet<String>,
    architectures: &[&str],
    mut chance: impl FnMut() -> bool,
) -> Value {
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for arch in architectures {
        let start = nodes.len();
        let mut sorted: Vec<semver::Version> = versions
            .iter()
            .filter_map(|version| semver::Version::parse(core(version)).ok())
            .collect();
        sorted.sort();
        sorted.dedup();
        for (at, version) in sorted.iter().enumerate() {
            let (name, metadata) = if arch.is_empty() {
                (version.to_string(), json!({"url": "https://example.com"}))
            } else {
                let key = format!("{KEY}.release.arch");
                (format!("{version}+{arch}"), json!({key: arch}))
            };
            nodes.push(
                json!({"version": name, "payload": format!("image@{at}"), "metadata": metadata}),
            );
            edges.extend((0..at).filter(|_| chance()).map(|from| [start + from, start + at]));
        }
    }
    json!({"nodes": nodes, "edges": edges})
}

/// A stream of bits that is the same in every run with the same seed.
pub(crate) fn bits(seed: u64) -> impl FnMut() -> bool {
    let mut state = seed | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        !state.is_multiple_of(3)
    }
}

pub(crate) fn versions(blobs: &[Blob]) -> BTreeSet<String> {
    let texts = blobs.iter().filter_map(|blob| blob.content.as_ref().ok());
    let texts = texts.filter_map(|bytes| std::str::from_utf8(bytes).ok());
    let words =
        texts.flat_map(|text| text.split(|c: char| c.is_whitespace() || "'\",".contains(c)));
    words.filter(|word| semver::Version::parse(word).is_ok()).map(str::to_owned).collect()
}

fn blob(path: &str, text: impl Into<String>) -> Blob {
    Blob::new(path.to_owned(), Ok(text.into().into_bytes()))
}

#[test]
fn every_fixture_gives_the_graph_of_the_service() {
    let mut compared = 0;
    for folder in crate::files_below(std::path::Path::new("fixtures")) {
        let Some(root) = folder.parent().filter(|_| folder.ends_with("version")) else { continue };
        let blobs = graph_data::blobs(root, None).unwrap();
        let is_text = |blob: &Blob| {
            blob.content.as_ref().is_ok_and(|bytes| std::str::from_utf8(bytes).is_ok())
        };
        // A fixture that crashes the service has no graph to compare.
        let data = GraphData::from_blobs(blobs.clone());
        let stops = |verdict: &graph_data::LoadVerdict| *verdict == graph_data::LoadVerdict::Panics;
        let can_sort =
            |channel: &graph_data::Channel| !channel.public || channel.name().contains('-');
        // We match no costly pattern. The service does.
        if !blobs.iter().all(is_text)
            || root.ends_with("costly-from/bad")
            || data.files.iter().any(|file| stops(&file.verdict))
            || !data.channels.iter().all(can_sort)
        {
            continue;
        }
        let versions = versions(&blobs);
        for (architectures, seed) in [(&["amd64"][..], 7), (&["", "amd64", "s390x"], 11)] {
            compare(
                &blobs,
                &raw(&versions, architectures, bits(seed)),
                &root.display().to_string(),
            );
        }
        compared += 1;
    }
    assert!(compared > 150, "only {compared} repositories were compared");
}

/// Random repositories with every kind of declaration.
pub(crate) fn repository() -> impl Strategy<Value = Vec<Blob>> {
    let version = || {
        prop::sample::select(vec![
            "4.1.0",
            "4.1.1",
            "4.1.1-rc.0",
            "4.1.2",
            "4.2.0",
            "4.2.1",
            "4.2.1-s390x",
            "4.1.1+amd64",
            "4.2.0+s390x",
            "4.2.1+arm64",
        ])
    };
    let from = prop::sample::select(vec![
        ".*",
        "4[.]1[.].*",
        "^4[.]1[.][01][+].*$",
        "amd64",
        "4.1.1",
        "(?i)RC",
        "(?x)4 # no",
        "[+]s",
        "",
        "^4[.]1[.]1$",
        "nothing",
    ]);
    let name = prop::sample::select(vec!["RiskA", "RiskB", "RiskC"]);
    let rule = prop::sample::select(vec![
        "{type: Always}",
        "{type: PromQL, promql: {promql: vector(1)}}",
        "{promql: {promql: ''}}",
    ]);
    let edge = (version(), from, prop::option::weighted(0.7, (name, rule)));
    let edge = edge.prop_map(|(to, from, risk)| match risk {
        None => format!("to: {to}\nfrom: '{from}'\n"),
        Some((name, rule)) => format!(
            "to: {to}\nfrom: '{from}'\nurl: https://example.com\nname: {name}\nmessage: It breaks.\nmatchingRules:\n- {rule}\n"
        ),
    });
    let channel = prop::collection::vec(version(), 0..6);
    let metadata = (
        version(),
        prop::sample::select(vec![
            "previous.add",
            "previous.remove",
            "next.add",
            "next.remove",
            "previous.remove_regex",
        ]),
        prop::sample::select(vec!["4.1.0", "4.1.1, 4.2.1", "*", "nothing", "4.2.0+s390x"]),
    );
    (
        prop::collection::vec(edge, 0..7),
        prop::collection::vec(channel, 0..4),
        prop::collection::vec(metadata, 0..4),
    )
        .prop_map(|(edges, channels, metadata)| {
            let mut blobs = vec![blob("version", "1.1.0\n")];
            for (i, edge) in edges.into_iter().enumerate() {
                blobs.push(blob(&format!("blocked-edges/{i}.yaml"), edge));
            }
            for (i, versions) in channels.into_iter().enumerate() {
                let names = ["stable-4.2", "fast-4.10", "candidate-4.9", "eus-4.2"];
                let list: Vec<String> = versions.iter().map(|v| format!("- {v}\n")).collect();
                let list =
                    if list.is_empty() { " []\n".into() } else { format!("\n{}", list.concat()) };
                let text = format!("name: {}\nversions:{list}", names[i]);
                blobs.push(blob(&format!("channels/{}.yaml", names[i]), text));
            }
            let mut json = serde_json::Map::new();
            for (version, key, value) in metadata {
                // An update to an older release would stop the service.
                let value = if key.ends_with("add") { "4.1.0" } else { value };
                if (key == "next.add") || (key.ends_with("add") && core(version) == "4.1.0") {
                    continue;
                }
                json.entry(version).or_insert(json!({}))[format!("{KEY}.{key}")] = value.into();
            }
            blobs.push(blob("raw/metadata.json", Value::Object(json).to_string()));
            blobs.sort_by(|a, b| a.path.cmp(&b.path));
            blobs
        })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn random_repositories_give_the_graph_of_the_service(blobs in repository(), chance in any::<u64>(), few in any::<bool>()) {
        let mut versions = versions(&blobs);
        versions.insert("4.1.0".to_owned());
        let architectures: &[&str] = if few { &["amd64"] } else { &["", "amd64", "arm64", "s390x"] };
        // A pattern that the service cannot join stops it.
        let theirs = std::panic::catch_unwind(|| service(&blobs, &raw(&versions, architectures, bits(chance))));
        prop_assume!(theirs.is_ok());
        compare(&blobs, &raw(&versions, architectures, bits(chance)), "a random repository");
    }
}

#[test]
fn the_real_repository_gives_the_graph_of_the_service_in_all_years() {
    let Some(real) = real_data::history() else { return };
    for (revision, architectures) in [
        ("HEAD", &[Arch::Amd64][..]),
        ("HEAD~400", Arch::ALL),
        ("HEAD~2500", &[Arch::S390x]),
        ("HEAD~5000", &[Arch::Amd64, Arch::Multi]),
        ("HEAD~7500", &[Arch::Amd64]),
        ("HEAD~8600", &[Arch::Amd64, Arch::S390x]),
    ] {
        let blobs = graph_data::blobs(real, Some(revision)).unwrap();
        let data = GraphData::from_blobs(blobs.clone());
        let lineage = Lineage::predicted(&data, &Past::default(), architectures);
        let mut nodes = Vec::new();
        for node in &lineage.nodes {
            nodes.push(json!({"version": node.version.to_string(), "payload": "x", "metadata": node.metadata.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect::<BTreeMap<_, _>>()}));
        }
        let edges: Vec<[usize; 2]> =
            lineage.updates.iter().map(|u| [u.from.index(), u.to.index()]).collect();
        let raw = json!({"nodes": nodes, "edges": edges});
        let theirs = service(&blobs, &raw);
        let graph = graph_by_exitpath(blobs, &raw);
        Facts::of(&whole_as_json(&graph)).assert_same(&Facts::of(&theirs), revision);
    }
}
