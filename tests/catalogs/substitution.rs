//! Rebuilds that take the place of bundles: the stories of the proposal, and random ones.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::catalog::substitution::{
    Chains, ChannelEffect, Contradiction, Requests, Substitutions, chains,
};
use exitpath::testing::catalog::substitution::{SubstitutedPackage, like_opm, template_fault};
use exitpath::testing::catalog::{
    ChannelEdit, ChannelMoves, EntryBlob, Loaded, Package, Resolver, Text, first_schema,
    load_texts, order, packages,
};
use serde_json::{Value as Json, json};

use crate::shared::vectors;

/// A catalog with the channels of one package. A line is an entry or a substitution:
/// `A1 replaces Z skips A`, `B range >=1.0.0 <2.0.0`, `A1 for A`. Versions go up from line to line.
fn catalog(channels: &[(&str, &[&str])], substitutions: &[&str]) -> Loaded {
    let mut text = "schema: olm.package\nname: p\ndefaultChannel: stable\n".to_owned();
    let (mut names, mut known): (Vec<&str>, BTreeSet<&str>) = Default::default();
    for (channel, entries) in channels {
        text += &format!("---\nschema: olm.channel\npackage: p\nname: {channel}\nentries:\n");
        for entry in *entries {
            let (name, edges) = entry.split_once(' ').unwrap_or((entry, ""));
            text += &format!("- name: {name}\n");
            if let Some((_, replaced)) = edges.split_once("replaces ") {
                text += &format!("  replaces: {}\n", replaced.split(' ').next().unwrap());
            }
            if let Some((_, skipped)) = edges.split_once("skips ") {
                text += &format!("  skips: [{}]\n", skipped.split(" range").next().unwrap());
            }
            if let Some((_, range)) = edges.split_once("range ") {
                text += &format!("  skipRange: '{range}'\n");
            }
            if known.insert(name) {
                names.push(name);
            }
        }
    }
    let bases: BTreeMap<&str, Vec<&str>> =
        substitutions.iter().fold(BTreeMap::new(), |mut all, one| {
            let (new, base) = one.split_once(" for ").unwrap();
            all.entry(new).or_insert_with(Vec::new).push(base);
            all
        });
    for (number, name) in names.iter().enumerate() {
        text += &format!(
            "---\nschema: olm.bundle\npackage: p\nname: {name}\nimage: example.com/{name}\n\
             properties:\n- type: olm.package\n  value: {{packageName: p, version: 1.0.{number}}}\n"
        );
        for base in bases.get(name).into_iter().flatten() {
            text += &format!(
                "- type: olm.csv.metadata\n  value:\n    annotations: {{olm.substitutesFor: {base}}}\n"
            );
        }
    }
    load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), text)]))
}

struct Story {
    package: Package,
    chains: Chains,
}

impl Story {
    fn of(channels: &[(&str, &[&str])], substitutions: &[&str]) -> Self {
        let loaded = catalog(channels, substitutions);
        let declared = &loaded.catalogs[0].declared;
        let requests = Requests::of(declared);
        let chains = requests
            .packages()
            .next()
            .map_or_else(Chains::default, |(_, requests)| chains(requests).unwrap());
        let package = packages(declared).remove(0);
        Self { package, chains }
    }

    fn one(entries: &[&str], substitutions: &[&str]) -> Self {
        Self::of(&[("stable", entries)], substitutions)
    }

    /// The package with all substitutions.
    fn applied(&self) -> Package {
        let substitutions = Substitutions::new(&self.package, &self.chains, []);
        let channels = self.package.channels.iter();
        let channels = channels.map(|channel| substitutions.apply(channel).unwrap()).collect();
        Package { channels, ..self.package.clone() }
    }

    /// The entries of a channel that have edges, by name: `B replaces A1 skips A`.
    fn entries(&self, channel: &str) -> Vec<String> {
        written(&self.applied(), channel)
    }

    fn effect<R>(&self, channel: &str, read: impl FnOnce(&ChannelEffect<'_>) -> R) -> R {
        let after = self.applied();
        let before = self.package.channel(channel).unwrap();
        let after = after.channel(channel).unwrap();
        read(&ChannelEffect::of(&self.package, before, after, &self.chains, Resolver::V0).unwrap())
    }

    /// Where each install moves: `A → B`, or `A stays`.
    fn moves(&self, channel: &str) -> Vec<String> {
        self.effect(channel, |effect| {
            let moves = &effect.after;
            let mut lines: Vec<String> = moves
                .installs
                .ids()
                .map(|node| match moves.moves.next(node).first() {
                    Some(next) => format!("{} → {}", moves.name(node), moves.name(*next)),
                    None => format!("{} stays", moves.name(node)),
                })
                .collect();
            lines.sort();
            lines
        })
    }

    fn stuck(&self, channel: &str) -> Vec<String> {
        self.effect(channel, |effect| {
            effect.stuck.iter().map(|stuck| effect.after.name(stuck.install).to_owned()).collect()
        })
    }
}

fn written(package: &Package, channel: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in &package.channel(channel).unwrap().entries {
        let mut line = entry.name.clone();
        if !entry.replaces.is_empty() {
            line += &format!(" replaces {}", entry.replaces);
        }
        let mut skips = entry.skips.clone();
        skips.sort();
        if !skips.is_empty() {
            line += &format!(" skips {}", skips.join(", "));
        }
        if line != entry.name {
            lines.push(line);
        }
    }
    lines.sort();
    lines
}

#[test]
fn a_rebuild_between_two_versions() {
    let story = Story::one(&["1.0.0", "P skips 1.0.0", "1.0.1 replaces 1.0.0"], &["P for 1.0.0"]);
    assert_eq!(story.entries("stable"), ["1.0.1 replaces P skips 1.0.0", "P skips 1.0.0"]);
    assert_eq!(story.moves("stable"), ["1.0.0 → 1.0.1", "1.0.1 stays", "P → 1.0.1"]);
}

#[test]
fn a_rebuild_is_rebuilt_after_the_next_version() {
    let story =
        Story::one(&["A", "A1 skips A", "A2 skips A1", "B replaces A"], &["A1 for A", "A2 for A1"]);
    assert_eq!(
        story.entries("stable"),
        ["A1 skips A", "A2 skips A, A1", "B replaces A2 skips A, A1"]
    );
    assert_eq!(story.moves("stable"), ["A → B", "A1 → B", "A2 → B", "B stays"]);
}

#[test]
fn the_head_is_rebuilt() {
    let story = Story::one(&["Z", "A replaces Z", "A1 replaces Z skips A"], &["A1 for A"]);
    assert_eq!(story.entries("stable"), written(&story.package, "stable"));
    assert_eq!(story.moves("stable"), ["A → A1", "A1 stays", "Z → A1"]);
}

#[test]
fn a_version_in_the_middle_is_rebuilt_and_nobody_goes_through_the_old_one() {
    let story =
        Story::one(&["Z", "A replaces Z", "A1 replaces Z skips A", "B replaces A"], &["A1 for A"]);
    assert!(story.entries("stable").contains(&"B replaces A1 skips A".to_owned()));
    assert_eq!(story.moves("stable"), ["A → B", "A1 → B", "B stays", "Z → A1"]);
    story.effect("stable", |effect| {
        assert!(effect.forced.is_empty() && effect.stranded.is_empty() && effect.stuck.is_empty());
        assert!(effect.gained.iter().all(|edge| !edge.is_shortcut));
    });
}

#[test]
fn no_migration_is_skipped() {
    let story = Story::one(&["Z", "A skips Z", "A1 skips Z, A", "B replaces A"], &["A1 for A"]);
    assert_eq!(story.entries("stable"), ["A skips Z", "A1 skips A, Z", "B replaces A1 skips A"]);
    assert_eq!(story.moves("stable"), ["A → B", "A1 → B", "B stays", "Z → A1"]);
}

#[test]
fn a_version_that_skips_the_rebuilt_one_skips_its_rebuild() {
    let story = Story::one(
        &["X", "A replaces X", "A1 replaces X skips A", "B replaces X skips A"],
        &["A1 for A"],
    );
    assert!(story.entries("stable").contains(&"B replaces X skips A, A1".to_owned()));
    assert_eq!(story.moves("stable"), ["A → B", "A1 → B", "B stays", "X → B"]);
}

#[test]
fn a_chain_of_rebuilds_below_a_later_version() {
    let story = Story::one(
        &["A", "B skips A", "C skips B", "D skips C", "T replaces B"],
        &["B for A", "C for B", "D for C"],
    );
    assert_eq!(
        story.entries("stable"),
        ["B skips A", "C skips A, B", "D skips A, B, C", "T replaces D skips B, C"]
    );
    assert_eq!(story.moves("stable"), ["A → D", "B → T", "C → T", "D → T", "T stays"]);
}

#[test]
fn an_install_that_nothing_skips_is_reported_as_stuck() {
    let story = Story::one(
        &[
            "X",
            "A replaces X",
            "B replaces X skips A",
            "C replaces X skips B",
            "D replaces X skips C",
            "S replaces X skips B",
        ],
        &["B for A", "C for B", "D for C"],
    );
    assert!(story.entries("stable").contains(&"S replaces X skips B, C, D".to_owned()));
    assert_eq!(story.stuck("stable"), ["A"]);
    story.effect("stable", |effect| {
        assert_eq!(effect.stranded, ["A"]);
        assert!(effect.edits.single[0].is_some(), "an edit unblocks it");
    });
}

#[test]
fn two_chains_at_once() {
    let entries = ["Z", "Z1 skips Z", "A replaces Z", "A1 replaces Z skips A", "B replaces A"];
    let expected = [
        "A replaces Z1 skips Z",
        "A1 replaces Z1 skips A, Z",
        "B replaces A1 skips A",
        "Z1 skips Z",
    ];
    for substitutions in [["Z1 for Z", "A1 for A"], ["A1 for A", "Z1 for Z"]] {
        let story = Story::one(&entries, &substitutions);
        assert_eq!(story.entries("stable"), expected);
        assert_eq!(story.moves("stable"), ["A → B", "A1 → B", "B stays", "Z → A1", "Z1 → A1"]);
    }
}

#[test]
fn a_rebuild_that_forgot_to_skip_its_base_gets_the_skip() {
    let story = Story::one(&["Z", "A replaces Z", "A1 replaces Z", "B replaces A"], &["A1 for A"]);
    assert!(story.entries("stable").contains(&"A1 replaces Z skips A".to_owned()));
    assert_eq!(story.moves("stable"), ["A → B", "A1 → B", "B stays", "Z → A1"]);
}

#[test]
fn a_rebuild_in_one_channel_reaches_the_head_of_another() {
    let story = Story::of(
        &[("fast", &["A", "B replaces A"]), ("stable", &["A", "A1 skips A"])],
        &["A1 for A"],
    );
    assert_eq!(story.entries("fast"), ["B replaces A1 skips A"]);
    assert_eq!(story.moves("fast"), ["A → B", "A1 → B", "B stays"]);
    story.effect("fast", |effect| assert!(effect.stranded.is_empty()));
}

#[test]
fn a_range_with_a_rebuilt_version_gets_skips_of_its_rebuilds() {
    // The rebuild is above the range, and so it needs a skip.
    let story = Story::one(
        &["X", "A replaces X", "B replaces X range >=1.0.0 <1.0.2", "A1 replaces X skips A"],
        &["A1 for A"],
    );
    assert!(story.entries("stable").contains(&"B replaces X skips A1".to_owned()));
    assert_eq!(story.moves("stable"), ["A → B", "A1 → B", "B stays", "X → B"]);
}

#[test]
fn a_rebuild_that_replaces_its_base_forces_installs_through_it() {
    let story = Story::one(&["Z", "A replaces Z", "A1 replaces A", "B replaces A"], &["A1 for A"]);
    assert_eq!(story.entries("stable"), ["A replaces Z", "A1 replaces A", "B replaces A1 skips A"]);
    story.effect("stable", |effect| {
        assert_eq!(effect.stuck.len(), 1);
        // The substitution would add a skip again that somebody removes.
        let skips = vec!["Z".to_owned()];
        let add = ChannelEdit::AddSkips { entry: "B".to_owned(), names: skips };
        assert_eq!(effect.edits.single, [Some(add)]);
    });
}

/// The entries update both the bundle and its rebuild.
#[test]
fn a_rebuild_that_is_applied_by_hand_is_left_alone() {
    let entries = [
        "Z",
        "A replaces Z",
        "A1 replaces Z skips A",
        "B replaces A1 skips A range >=1.0.0 <1.0.3",
        "C replaces B range >=1.0.0 <1.0.4",
    ];
    let loaded = catalog(&[("stable", &entries)], &["A1 for A"]);
    let declared = &loaded.catalogs[0].declared;
    let packages = SubstitutedPackage::of(declared, &Requests::of(declared));
    assert!(packages[0].losses.is_empty());
    assert_eq!(written(&packages[0].after, "stable"), written(&packages[0].before, "stable"));
}

#[test]
fn an_install_without_a_way_on_is_a_loss() {
    let loaded = catalog(
        &[("fast", &["A", "A1 skips A"]), ("stable", &["A", "B replaces A"])],
        &["A1 for A"],
    );
    let declared = &loaded.catalogs[0].declared;
    let packages = SubstitutedPackage::of(declared, &Requests::of(declared));
    let losses: Vec<_> =
        packages[0].losses.iter().map(|loss| (loss.channel.as_str(), loss.lost.clone())).collect();
    assert_eq!(losses, [("stable", vec!["A1".to_owned()])]);
}

/// An update that OLM never chose is not lost.
#[test]
fn only_moves_that_change_are_gained_or_lost() {
    let entries = ["A", "A1 skips A", "B replaces A", "C replaces B skips A range >=1.0.0 <1.0.3"];
    let story = Story::one(&entries, &["A1 for A"]);
    story.effect("stable", |effect| {
        let before = ChannelMoves::of(&story.package, effect.before, &[], Resolver::V0).unwrap();
        for lost in &effect.lost {
            let from = before.named(lost.from).unwrap();
            let next = before.moves.next(from).first().map(|next| before.name(*next));
            assert_eq!(next, Some(lost.to));
        }
    });
}

#[test]
fn contradictions_are_named() {
    let loaded = catalog(&[("stable", &["A", "A1", "A2"])], &["A1 for A", "A2 for A"]);
    let requests = Requests::of(&loaded.catalogs[0].declared);
    assert_eq!(requests.faults.len(), 1);
    let (_, of_package) = requests.packages().next().unwrap();
    let Err(contradictions) = chains(of_package) else { panic!("two substitutes") };
    assert!(
        matches!(&contradictions[..], [Contradiction::TwoSubstitutes { base, .. }] if base == "A")
    );
}

/// Every order of a few things.
fn permutations<T: Clone>(things: &[T]) -> Vec<Vec<T>> {
    if things.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..things.len() {
        let mut rest = things.to_vec();
        let first = rest.remove(at);
        for mut others in permutations(&rest) {
            others.insert(0, first.clone());
            all.push(others);
        }
    }
    all
}

#[test]
fn every_order_of_bundles_and_substitutions_gives_one_result() {
    let entries = [
        "Z",
        "A replaces Z",
        "A1 replaces Z skips A",
        "A2 replaces Z skips A1",
        "B replaces A skips Z",
        "C replaces B skips A",
    ];
    let mut results = BTreeSet::new();
    for entries in permutations(&entries) {
        for substitutions in permutations(&["A1 for A", "A2 for A1"]) {
            let story = Story::one(&entries, &substitutions);
            results.insert(story.entries("stable"));
        }
    }
    assert_eq!(results.len(), 1);
}

/// The rules as the proposal writes them: all pairs of a rebuild and what it stands for, and then
/// each entry with all pairs.
fn slow(package: &Package, pairs: &[(String, String)]) -> Vec<String> {
    let mut closure: BTreeSet<(String, String)> = pairs.iter().cloned().collect();
    loop {
        let more: Vec<(String, String)> = closure
            .iter()
            .flat_map(|(new, middle)| {
                let below = closure.iter().filter(move |(of, _)| of == middle);
                below.map(move |(_, base)| (new.clone(), base.clone()))
            })
            .filter(|pair| !closure.contains(pair))
            .collect();
        if more.is_empty() {
            break;
        }
        closure.extend(more);
    }
    let stands_for = |new: &str, base: &str| closure.contains(&(new.to_owned(), base.to_owned()));
    let is_own = |a: &str, b: &str| {
        a == b
            || stands_for(a, b)
            || stands_for(b, a)
            || closure.iter().any(|(new, base)| {
                // Two names of one chain are comparable, or it is no chain.
                (new == a && base == b) || (new == b && base == a)
            })
    };
    let is_last = |new: &str| closure.iter().all(|(_, base)| base != new);
    let mut after = package.clone();
    for channel in &mut after.channels {
        for entry in &mut channel.entries {
            let mut sources: BTreeSet<String> = entry.skips.iter().cloned().collect();
            for bundle in &package.bundles {
                let version = &bundle.version.as_ref().unwrap().version;
                if entry.skip_range.as_ref().is_some_and(|range| range.contains(version)) {
                    sources.insert(bundle.name.clone());
                }
            }
            let mut skips: BTreeSet<String> = entry.skips.iter().cloned().collect();
            for (new, base) in &closure {
                if sources.contains(base) && !is_own(&entry.name, base) {
                    skips.insert(new.clone());
                }
                if *new == entry.name && *base != entry.replaces {
                    skips.insert(base.clone());
                }
            }
            let old = entry.replaces.clone();
            let last = closure.iter().find(|(new, base)| *base == old && is_last(new));
            if let Some((last, _)) = last.filter(|_| !is_own(&entry.name, &old)) {
                skips.insert(old.clone());
                let between = closure.iter().filter(|(new, base)| *base == old && new != last);
                skips.extend(between.map(|(new, _)| new.clone()));
                entry.replaces.clone_from(last);
                skips.remove(last);
            } else if !entry.skips.contains(&entry.replaces) {
                skips.remove(&entry.replaces);
            }
            entry.skips = skips.into_iter().collect();
        }
    }
    written(&after, "stable")
}

/// Small random numbers, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// Random entries and substitutions that make chains.
fn random(random: &mut Random) -> (Vec<String>, Vec<String>) {
    let count = 3 + random.below(5);
    let name = |number: usize| format!("N{number}");
    let mut substitutions = Vec::new();
    let (mut used, mut entries) = (BTreeSet::new(), Vec::new());
    for number in 0..count {
        let mut line = name(number);
        if number > 0 && random.below(3) > 0 {
            line += &format!(" replaces {}", name(random.below(number)));
        }
        let skips: BTreeSet<String> =
            (0..random.below(3)).map(|_| name(random.below(count))).collect();
        let skips: Vec<String> = skips.into_iter().filter(|skip| *skip != name(number)).collect();
        if !skips.is_empty() {
            line += &format!(" skips {}", skips.join(", "));
        }
        if random.below(5) == 0 {
            line += &format!(" range >=1.0.0 <1.0.{}", random.below(count));
        }
        entries.push(line);
        if number > 0 && random.below(2) == 0 {
            let base = random.below(number);
            if used.insert(base) {
                substitutions.push(format!("{} for {}", name(number), name(base)));
            }
        }
    }
    (entries, substitutions)
}

#[test]
fn random_catalogs_agree_with_a_slow_reading_and_a_second_run_changes_nothing() {
    let mut numbers = Random(20);
    let mut changed = 0;
    for round in 0..3_000 {
        let (entries, substitutions) = random(&mut numbers);
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        let names: Vec<&str> = substitutions.iter().map(String::as_str).collect();
        let story = Story::one(&entries, &names);
        let once = story.applied();
        let pairs = names.iter().map(|one| one.split_once(" for ").unwrap());
        let pairs: Vec<(String, String)> =
            pairs.map(|(new, base)| (new.to_owned(), base.to_owned())).collect();
        let ours = written(&once, "stable");
        assert_eq!(ours, slow(&story.package, &pairs), "{round}: {entries:?} {names:?}");
        changed += usize::from(ours != written(&story.package, "stable"));
        let twice = Story { package: once, chains: story.chains.clone() };
        assert_eq!(twice.entries("stable"), ours, "{round}: {entries:?} {names:?}");
        let reversed: Vec<&str> = names.iter().rev().copied().collect();
        assert_eq!(Story::one(&entries, &reversed).entries("stable"), ours, "{round}");
        // What is lost says where the install goes now.
        story.effect("stable", |effect| {
            for lost in &effect.lost {
                let node = effect.after.named(lost.from).unwrap();
                let next = effect.after.moves.next(node).first();
                assert_eq!(lost.now, next.map(|next| effect.after.name(*next)), "{round}");
            }
        });
    }
    assert!(changed > 1_000, "{changed} of 3,000 changed");
}

/// What opm's template makes of a case, as the vectors write it.
fn rendered_like_opm(input: &Json) -> Json {
    let text = input["template"].as_str().unwrap().to_owned();
    let loaded = load_texts(&BTreeMap::from([("template".to_owned(), text)]));
    let schema = first_schema(loaded.sources.get(loaded.catalogs[0].files[0]));
    if let Some(words) = template_fault(schema.as_deref()) {
        return json!({"error": words});
    }
    let images = input["images"].as_object().unwrap().iter();
    // An image without a bundle is one that opm cannot render.
    let images = images.filter_map(|(image, text)| {
        let text = BTreeMap::from([("image".to_owned(), text.as_str()?.to_owned())]);
        let catalog = load_texts(&text).catalogs.into_iter().next()?;
        Some((image.clone(), catalog.declared.bundles.into_iter().next()?))
    });
    let declared = match like_opm(loaded.catalogs[0].declared.clone(), images.collect()) {
        Ok(declared) => declared,
        Err(words) => return json!({"error": words.to_string()}),
    };
    let texts =
        |texts: &[Text]| -> Vec<String> { texts.iter().map(|one| one.value.clone()).collect() };
    let entry = |entry: &EntryBlob| {
        let mut json = json!({"name": entry.name.value});
        for (key, value) in
            [("replaces", &entry.replaces.value), ("skipRange", &entry.skip_range.value)]
        {
            if !value.is_empty() {
                json[key] = json!(value);
            }
        }
        if !entry.skips.is_empty() {
            json["skips"] = json!(texts(&entry.skips));
        }
        json
    };
    let channels: Vec<Json> = declared
        .channels
        .iter()
        .map(|channel| {
            let entries: Vec<Json> = channel.entries.iter().map(entry).collect();
            json!({"name": channel.name.value, "entries": entries})
        })
        .collect();
    let bundles: Vec<&String> = declared.bundles.iter().map(|bundle| &bundle.name.value).collect();
    json!({"channels": channels, "bundles": bundles, "v0": moves_of(&packages(&declared))})
}

fn moves_of(packages: &[Package]) -> Vec<Json> {
    let mut channels = Vec::new();
    for package in packages {
        for channel in &package.channels {
            let moves = ChannelMoves::of(package, channel, &[], Resolver::V0).unwrap();
            let next: BTreeMap<&str, Option<&str>> = moves
                .installs
                .ids()
                .map(|node| {
                    let next = moves.moves.next(node).first();
                    (moves.name(node), next.map(|next| moves.name(*next)))
                })
                .collect();
            let order: Vec<&str> =
                order(package, channel).unwrap().iter().map(|entry| entry.name.as_str()).collect();
            channels.push(json!({"channel": channel.name, "order": order, "next": next}));
        }
    }
    channels
}

#[test]
fn olm_vectors_substitutes() {
    vectors::compare("olm_vectors_substitutes", "olm-vectors/substitutes.jsonl", |case, _| {
        let ours = rendered_like_opm(&case["input"]);
        (ours != case["expected"])
            .then(|| format!("\n  ours: {ours}\n  opm:  {}", case["expected"]))
    });
}

/// Nobody is stuck with our rules who is not stuck with opm's.
#[test]
fn our_substitutions_strand_no_more_installs_than_those_of_opm() {
    let Some((cases, _)) = vectors::cases("olm-vectors/substitutes.jsonl") else { return };
    let (mut compared, mut better) = (0, 0);
    for case in cases.iter().filter(|case| case["expected"].get("error").is_none()) {
        let (input, expected) = (&case["input"], &case["expected"]);
        let text = input["template"].as_str().unwrap().to_owned();
        let mut loaded = load_texts(&BTreeMap::from([("template".to_owned(), text)]));
        let declared = &mut loaded.catalogs[0].declared;
        for image in input["images"].as_object().unwrap().values() {
            let text = BTreeMap::from([("image".to_owned(), image.as_str().unwrap().to_owned())]);
            declared.bundles.append(&mut load_texts(&text).catalogs[0].declared.bundles);
        }
        let requests = Requests::of(declared);
        for package in SubstitutedPackage::of(declared, &requests) {
            for (before, after) in package.channels() {
                let effect = ChannelEffect::of(
                    &package.before,
                    before,
                    after,
                    &package.chains,
                    Resolver::V0,
                );
                let effect = effect.unwrap();
                let channels = expected["v0"].as_array().unwrap();
                let opm = channels.iter().find(|one| one["channel"] == before.name).unwrap();
                let next = opm["next"].as_object().unwrap();
                let head = opm["order"][0].as_str().unwrap();
                let is_stuck = |name: &str| next[name].is_null() && name != head;
                let ours: Vec<&str> =
                    effect.stuck.iter().map(|stuck| effect.after.name(stuck.install)).collect();
                assert!(ours.iter().all(|name| is_stuck(name)), "{}: {ours:?}", case["name"]);
                let opm = next.keys().filter(|name| is_stuck(name)).count();
                compared += 1;
                better += usize::from(ours.len() < opm);
            }
        }
    }
    eprintln!("{compared} channels: fewer stuck installs in {better}");
    assert!(better > 0);
}

#[test]
fn a_chain_that_grows_with_the_square_is_refused() {
    let entries: Vec<String> = (0..5_000).map(|number| format!("N{number}")).collect();
    let substitutions: Vec<String> =
        (1..5_000).map(|number| format!("N{number} for N{}", number - 1)).collect();
    let lines: Vec<&str> = entries.iter().map(String::as_str).collect();
    let pairs: Vec<&str> = substitutions.iter().map(String::as_str).collect();
    let story = Story::one(&lines, &pairs);
    let substitutions = Substitutions::new(&story.package, &story.chains, []);
    assert!(substitutions.apply(&story.package.channels[0]).is_err());
}
