//! Random catalogs: what exitpath says of them, compared with slow readings of the rules.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::catalog::{
    ChannelEdit, ChannelMoves, Edits, Installed, Package, Pool, Resolver, load_texts, next_install,
    objections, packages, verdict,
};
use exitpath::testing::draw::{Picture, UpdateKind};
use proptest::test_runner::{Config, RngSeed, TestRunner};

type Numbers = (u64, u64, u64);

/// An entry as a person would write it down.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    version: Numbers,
    replaces: Option<String>,
    skips: Vec<String>,
    /// Includes the first bound, excludes the second.
    skip_range: Option<(Numbers, Numbers)>,
}

const CASES: u32 = 10_000;

fn seed() -> u64 {
    std::env::var("EXITPATH_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

/// Runs a check on random channels. Names outside of the channel occur too.
fn on_random_channels(check: impl Fn(&[Entry])) {
    use proptest::prelude::*;
    let version = || (1_u64..3, 0_u64..3, 0_u64..2);
    let name = || (0_usize..9).prop_map(|n| format!("p.e{n}"));
    let entry = (
        version(),
        proptest::option::weighted(0.7, name()),
        proptest::collection::vec(name(), 0..3),
        proptest::option::weighted(0.25, (version(), version())),
    );
    let channel = proptest::collection::vec(entry, 1..8);
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed()),
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&channel, |entries| {
            let entries = (0..).zip(entries);
            let entries = entries.map(|(n, (version, replaces, skips, skip_range))| Entry {
                name: format!("p.e{n}"),
                version,
                replaces,
                skips,
                skip_range,
            });
            check(&entries.collect::<Vec<_>>());
            Ok(())
        })
        .unwrap();
}

fn numbers(version: &str) -> Numbers {
    let numbers: Vec<u64> = version.split('.').map(|number| number.parse().unwrap()).collect();
    (numbers[0], numbers[1], numbers[2])
}

fn written(entries: &[Entry]) -> String {
    let text = |version: Numbers| format!("{}.{}.{}", version.0, version.1, version.2);
    let mut yaml = "schema: olm.package\nname: p\ndefaultChannel: c\n---\n".to_owned();
    yaml += "schema: olm.channel\npackage: p\nname: c\nentries:\n";
    for entry in entries {
        yaml += &format!("- name: {}\n", entry.name);
        if let Some(replaces) = &entry.replaces {
            yaml += &format!("  replaces: {replaces}\n");
        }
        yaml += &format!("  skips: [{}]\n", entry.skips.join(", "));
        if let Some((low, high)) = entry.skip_range {
            yaml += &format!("  skipRange: '>={} <{}'\n", text(low), text(high));
        }
    }
    for (at, entry) in entries.iter().enumerate() {
        yaml += &format!("---\nschema: olm.bundle\npackage: p\nname: {}\nimage: a/b\n", entry.name);
        // Different versions for opm, the same for ranges.
        yaml += "properties:\n- type: olm.package\n  value: {packageName: p, version: ";
        yaml += &format!("\"{}+{at}\"}}\n", text(entry.version));
    }
    yaml
}

fn read(entries: &[Entry]) -> (Vec<Package>, Option<String>) {
    let files = BTreeMap::from([("catalog.yaml".to_owned(), written(entries))]);
    let loaded = load_texts(&files);
    let declared = &loaded.catalogs[0].declared;
    (packages(declared), verdict(&objections(declared)))
}

/// Who can be updated by whom, by reading each entry for each install.
fn updates(from: &Entry, to: &Entry) -> bool {
    to.replaces.as_ref() == Some(&from.name)
        || to.skips.contains(&from.name)
        || to.skip_range.is_some_and(|(low, high)| low <= from.version && from.version < high)
}

fn is_named(entries: &[Entry], name: &str) -> bool {
    entries.iter().any(|e| e.replaces.as_deref() == Some(name) || e.skips.iter().any(|s| s == name))
}

fn is_skipped(entries: &[Entry], name: &str) -> bool {
    entries.iter().any(|entry| entry.skips.iter().any(|skip| skip == name))
}

fn heads(entries: &[Entry]) -> Vec<&Entry> {
    entries.iter().filter(|entry| !is_named(entries, &entry.name)).collect()
}

/// The names on the chain from the head, in order. None if it comes back to one.
fn chain(entries: &[Entry], head: &Entry) -> Option<Vec<String>> {
    let mut chain = vec![head.name.clone()];
    let mut current = head;
    while let Some(name) = &current.replaces {
        let Some(next) = entries.iter().find(|entry| entry.name == *name) else { break };
        if chain.contains(name) {
            return None;
        }
        chain.push(name.clone());
        current = next;
    }
    Some(chain)
}

/// What opm says of the channel, by the rules of its model.
fn slow_verdict(entries: &[Entry]) -> Option<String> {
    let heads = heads(entries);
    let names = |entries: &[&Entry]| {
        let names: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    };
    let head = match heads.as_slice() {
        [] => return Some("no channel head found in graph".to_owned()),
        [head] => *head,
        several => {
            return Some(format!("multiple channel heads found in graph: {}", names(several)));
        }
    };
    let mut seen = vec![head.name.as_str()];
    let mut current = head;
    while let Some(name) = current.replaces.as_deref() {
        if is_skipped(entries, name) {
            break;
        }
        if let Some(at) = seen.iter().position(|known| *known == name) {
            let circle = [&seen[at..], &[name]].concat().join(" -> ");
            return Some(format!("detected cycle in replaces chain of upgrade graph: {circle}"));
        }
        seen.push(name);
        match entries.iter().find(|entry| entry.name == name) {
            Some(next) => current = next,
            None => break,
        }
    }
    let is_stranded =
        |e: &&Entry| !seen.contains(&e.name.as_str()) && !is_skipped(entries, &e.name);
    let stranded: Vec<&Entry> = entries.iter().filter(is_stranded).collect();
    (!stranded.is_empty())
        .then(|| format!("channel contains one or more stranded bundles: {}", names(&stranded)))
}

#[test]
fn verdicts_are_those_of_a_slow_reading() {
    let said = std::cell::Cell::new([0_usize; 2]);
    on_random_channels(|entries| {
        let (_, ours) = read(entries);
        let theirs = slow_verdict(entries);
        let mut counts = said.get();
        counts[usize::from(theirs.is_some())] += 1;
        said.set(counts);
        let theirs = theirs.map(|words| {
            format!(
                "invalid index:\n└── invalid package \"p\":\n    └── invalid channel \"c\":\n        └── {words}"
            )
        });
        assert_eq!(ours, theirs, "{}", written(entries));
    });
    let [valid, invalid] = said.get();
    assert!(valid > 300 && invalid > 300, "both occur: {valid} and {invalid}");
}

/// Where an install goes with OLM v0, by following each rule for each pair.
fn slow_next<'e>(entries: &'e [Entry], from: &Entry) -> Option<&'e str> {
    let heads = heads(entries);
    let [head] = heads.as_slice() else { return None };
    let order = chain(entries, head)?;
    let order = order.iter().filter(|name| !is_skipped(entries, name));
    let mut order = order.filter_map(|name| entries.iter().find(|entry| entry.name == *name));
    let target = order.find(|target| updates(from, target))?;
    (target.name != from.name).then_some(target.name.as_str())
}

#[test]
fn moves_are_those_of_a_slow_reading_and_of_the_resolver() {
    let updates_seen = std::cell::Cell::new(0_usize);
    on_random_channels(|entries| {
        let (packages, _) = read(entries);
        let package = &packages[0];
        let moves = ChannelMoves::of(package, &package.channels[0], &[], Resolver::V0).unwrap();
        let pool = Pool::new("catalog", &packages);
        let stuck: BTreeSet<&str> =
            moves.stuck().iter().map(|stuck| moves.name(stuck.install)).collect();
        for entry in entries {
            let node = moves.named(&entry.name).unwrap();
            let next = moves.moves.next(node).first().map(|next| moves.name(*next));
            assert_eq!(next, slow_next(entries, entry), "{}: {}", entry.name, written(entries));
            updates_seen.set(updates_seen.get() + usize::from(next.is_some()));
            let bundle = package.bundle(&entry.name).unwrap();
            let installed = Installed { package: Some("p"), bundle };
            let resolved =
                next_install(&pool, "p", "c", installed).ok().and_then(|found| found.next[0]);
            assert_eq!(next, resolved.map(|install| install.name), "{}", written(entries));
            let is_head = moves.heads.contains(&node);
            assert_eq!(stuck.contains(entry.name.as_str()), next.is_none() && !is_head);
        }
    });
    let count = updates_seen.get();
    assert!(count > 2_000, "installs move: {count}");
}

/// A drawing has an arrow for each edge, and the JSON of the command line lists the same ones.
#[test]
fn drawings_and_json_have_the_edges_of_the_simulation() {
    let all_of = |moves: &ChannelMoves<'_>| -> BTreeSet<(String, String, bool)> {
        let edges = moves.edges.iter().filter(|edge| edge.from != edge.to);
        let edges = edges.map(|edge| {
            let is_taken = moves.moves.next(edge.from).contains(&edge.to);
            (moves.name(edge.from).to_owned(), moves.name(edge.to).to_owned(), is_taken)
        });
        edges.collect()
    };
    on_random_channels(|entries| {
        let (packages, _) = read(entries);
        let moves = ChannelMoves::of(&packages[0], &packages[0].channels[0], &[], Resolver::V0);
        let moves = moves.unwrap();
        let picture = Picture::of_catalog(&moves, true);
        let drawn = picture.bundles().flat_map(|bundle| {
            let (names, to) = (&picture.versions, &picture.versions[bundle.targets.start]);
            let is_taken = bundle.kind == UpdateKind::Open;
            bundle.origins.clone().map(move |from| (names[from].clone(), to.clone(), is_taken))
        });
        assert_eq!(drawn.collect::<BTreeSet<_>>(), all_of(&moves), "{}", written(entries));
    });
    let folder = "fixtures/catalogs/skipped-twice";
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_exitpath"))
        .args(["catalog", "graph", folder])
        .output()
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let listed = json["edges"].as_array().unwrap().iter().map(|edge| {
        let text = |key: &str| edge[key].as_str().unwrap().to_owned();
        (text("from"), text("to"), edge["taken"].as_bool().unwrap())
    });
    let text = std::fs::read_to_string(format!("{folder}/catalog.yaml")).unwrap();
    let loaded = load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), text)]));
    let packages = packages(&loaded.catalogs[0].declared);
    let moves = ChannelMoves::of(&packages[0], &packages[0].channels[0], &[], Resolver::V0);
    assert_eq!(listed.collect::<BTreeSet<_>>(), all_of(&moves.unwrap()));
}

/// Each suggested edit is written into the channel, and read again.
#[test]
fn suggested_edits_free_installs_and_strand_none() {
    let suggested = std::cell::Cell::new(0_usize);
    on_random_channels(|entries| {
        let reaches = |entries: &[Entry], entry: &Entry| {
            let Some(head) = heads(entries).first().map(|head| head.name.clone()) else {
                return false;
            };
            let mut at = entry.name.clone();
            // A head that is not stable may be left again.
            let mut visits_head = at == head;
            for _ in entries {
                let from = entries.iter().find(|entry| entry.name == at).unwrap();
                let Some(next) = slow_next(entries, from) else { break };
                at = next.to_owned();
                visits_head |= at == head;
            }
            visits_head
        };
        let (packages, _) = read(entries);
        let moves = ChannelMoves::of(&packages[0], &packages[0].channels[0], &[], Resolver::V0);
        let moves = moves.unwrap();
        let stuck = moves.stuck();
        let edits = Edits::of(&moves, &stuck);
        let names: Vec<&str> = stuck.iter().map(|stuck| moves.name(stuck.install)).collect();
        let singles = edits.single.iter().zip(names.chunks(1));
        for (edit, unblocked) in singles.chain([(&edits.whole, names.as_slice())]) {
            let Some(edit) = edit else { continue };
            suggested.set(suggested.get() + 1);
            let mut edited = entries.to_vec();
            match edit {
                ChannelEdit::AddSkips { entry, names } => {
                    let entry = edited.iter_mut().find(|one| one.name == *entry).unwrap();
                    entry.skips.extend(names.iter().cloned());
                }
                ChannelEdit::SetSkipRange { entry, range } => {
                    let (low, high) = range.split_once(' ').unwrap();
                    let entry = edited.iter_mut().find(|one| one.name == *entry).unwrap();
                    entry.skip_range = Some((numbers(&low[2..]), numbers(&high[1..])));
                }
                ChannelEdit::RemoveSkip { entry, name } => {
                    let entry = edited.iter_mut().find(|one| one.name == *entry).unwrap();
                    entry.skips.retain(|skip| skip != name);
                }
            }
            for (before, after) in entries.iter().zip(&edited) {
                let must = unblocked.contains(&&*before.name) || reaches(entries, before);
                assert!(!must || reaches(&edited, after), "{edit:?}: {}", written(entries));
            }
        }
    });
    let count = suggested.get();
    assert!(count > 100, "edits are suggested: {count}");
}

/// What OLM v1 chooses: the highest version among an entry and what updates it. Later entries have
/// the higher build.
fn slow_next_v1<'e>(entries: &'e [Entry], from: &Entry) -> &'e str {
    let is_candidate = |to: &&Entry| updates(from, to) || to.name == from.name;
    &entries.iter().filter(is_candidate).max_by_key(|to| to.version).unwrap().name
}

#[test]
fn moves_of_olm_v1_are_those_of_a_slow_reading() {
    on_random_channels(|entries| {
        let (packages, _) = read(entries);
        let package = &packages[0];
        let moves = ChannelMoves::of(package, &package.channels[0], &[], Resolver::V1).unwrap();
        for entry in entries {
            let node = moves.named(&entry.name).unwrap();
            let next = moves.moves.next(node).first().map_or(&*entry.name, |to| moves.name(*to));
            assert_eq!(next, slow_next_v1(entries, entry), "{}: {}", entry.name, written(entries));
        }
    });
}
