//! Catalogs as the templates of opm generate them, of the sizes of real ones.

use std::collections::BTreeMap;

use exitpath::testing::catalog::{
    ChannelEdit, ChannelMoves, Edits, Package, Resolver, load_texts, objections, packages, verdict,
};

/// The number of patches of each minor, from 1.26 on: 74 entries.
const PATCHES: [usize; 7] = [18, 12, 13, 7, 15, 4, 5];
/// The OpenShift versions that a package is published for.
const CATALOGS: usize = 11;

#[derive(Clone, Copy, PartialEq)]
enum Template {
    /// The highest patch of each minor replaces and skips the highest one of the minor before.
    Old,
    /// The highest patch of each minor skips all lower versions, except the one that it replaces.
    Repaired,
}

fn catalog(template: Template) -> String {
    let name = |minor: usize, patch: usize| format!("example.v1.{}.{patch}", minor + 26);
    let mut entries = String::new();
    let mut bundles = String::new();
    let mut lower: Vec<String> = Vec::new();
    for (minor, patches) in PATCHES.into_iter().enumerate() {
        let replaced = minor.checked_sub(1).map(|minor| name(minor, PATCHES[minor] - 1));
        let own: Vec<String> = (0..patches - 1).map(|patch| name(minor, patch)).collect();
        for patch in 0..patches {
            let entry = name(minor, patch);
            entries += &format!("- name: {entry}\n");
            bundles += &format!(
                "---\nschema: olm.bundle\npackage: example\nname: {entry}\nimage: example.com/a\n\
                 properties:\n- type: olm.package\n  value: {{packageName: example, version: 1.{}.{patch}}}\n",
                minor + 26
            );
        }
        if let Some(replaced) = &replaced {
            entries += &format!("  replaces: {replaced}\n");
        }
        let skips = match template {
            Template::Old => own.iter().chain(&replaced).cloned().collect::<Vec<_>>(),
            Template::Repaired => {
                let lower = lower.iter().chain(&own);
                lower.filter(|name| Some(*name) != replaced.as_ref()).cloned().collect()
            }
        };
        entries += &format!("  skips: [{}]\n", skips.join(", "));
        lower.extend((0..patches).map(|patch| name(minor, patch)));
    }
    format!(
        "schema: olm.package\nname: example\ndefaultChannel: stable-v1\n---\nschema: olm.channel\n\
         package: example\nname: stable-v1\nentries:\n{entries}{bundles}"
    )
}

/// The packages of each catalog. opm accepts all of them.
fn published(template: Template) -> Vec<Package> {
    (0..CATALOGS).flat_map(|_| packages_of(catalog(template))).collect()
}

/// The packages of a catalog that opm accepts.
fn packages_of(text: String) -> Vec<Package> {
    let loaded = load_texts(&BTreeMap::from([("catalog.yaml".to_owned(), text)]));
    let declared = &loaded.catalogs[0].declared;
    assert_eq!(verdict(&objections(declared)), None);
    packages(declared)
}

/// Where each install of the only channel goes.
fn targets(package: &Package) -> BTreeMap<String, Option<String>> {
    let moves = ChannelMoves::of(package, &package.channels[0], &[], Resolver::V0).unwrap();
    let target = |node| moves.moves.next(node).first().map(|next| moves.name(*next).to_owned());
    moves.installs.ids().map(|node| (moves.name(node).to_owned(), target(node))).collect()
}

#[test]
fn a_skip_range_takes_the_place_of_68_skips_and_moves_nobody_else() {
    let text = catalog(Template::Old);
    let before = packages_of(text.clone()).remove(0);
    let moves = ChannelMoves::of(&before, &before.channels[0], &[], Resolver::V0).unwrap();
    let stuck = moves.stuck();
    let Some(ChannelEdit::SetSkipRange { entry, range }) = Edits::of(&moves, &stuck).whole else {
        panic!("a range is shorter");
    };
    assert_eq!((entry.as_str(), range.as_str()), ("example.v1.32.4", ">=1.26.0 <1.32.4"));
    let line = format!("- name: {entry}\n");
    let edited = text.replacen(&line, &format!("{line}  skipRange: '{range}'\n"), 1);
    let after = targets(&packages_of(edited).remove(0));
    let stuck: Vec<&str> = stuck.iter().map(|stuck| moves.name(stuck.install)).collect();
    for (name, target) in targets(&before) {
        let expected = if stuck.contains(&name.as_str()) { Some(entry.clone()) } else { target };
        assert_eq!(after[&name], expected, "{name}");
    }
}

#[test]
fn the_old_template_strands_68_of_74_entries_and_the_repaired_one_none() {
    for package in published(Template::Old) {
        let channel = &package.channels[0];
        assert_eq!(channel.entries.len(), 74);
        let moves = ChannelMoves::of(&package, channel, &[], Resolver::V0).unwrap();
        let stuck = moves.stuck();
        assert_eq!(stuck.len(), 68);
        assert!(Edits::of(&moves, &stuck).whole.is_some(), "one edit unblocks all");
        let others = ChannelMoves::of(&package, channel, &[], Resolver::V1).unwrap();
        assert_eq!(others.stuck().len(), 0, "OLM v1 installs skipped entries");
    }
    for package in published(Template::Repaired) {
        let moves = ChannelMoves::of(&package, &package.channels[0], &[], Resolver::V0).unwrap();
        assert_eq!(moves.stuck().len(), 0);
        assert_eq!(moves.far_from_head().len(), 0);
    }
}
