//! Templates and folders of bundles become catalogs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use exitpath::testing::catalog::{
    BundleVersion, Package, load_texts, objections, packages, verdict,
};

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

fn texts_of(fixture: &str) -> BTreeMap<String, String> {
    let root = Path::new("fixtures/catalogs").join(fixture);
    let files = files_below(&root).into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned(), text)
    });
    files.collect()
}

fn texts(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

/// An entry in one line: what it replaces, skips, and its range.
fn entries(package: &Package, channel: &str) -> Vec<String> {
    let channel = package.channel(channel).unwrap_or_else(|| panic!("no channel {channel}"));
    let line = |name: &str, replaces: &str, skips: &[String]| {
        let short = |name: &str| name.rsplit_once(".v").map_or(name, |(_, short)| short).to_owned();
        let mut line = short(name);
        if !replaces.is_empty() {
            line.push_str(&format!(" replaces {}", short(replaces)));
        }
        if !skips.is_empty() {
            let skips: Vec<String> = skips.iter().map(|skip| short(skip)).collect();
            line.push_str(&format!(" skips {}", skips.join(" ")));
        }
        line
    };
    channel.entries.iter().map(|entry| line(&entry.name, &entry.replaces, &entry.skips)).collect()
}

/// The words of all faults, each with the text at its place.
fn faults(files: &BTreeMap<String, String>) -> Vec<String> {
    let loaded = load_texts(files);
    let faults = loaded.catalogs[0].declared.faults.iter();
    faults.map(|fault| fault.words.clone()).collect()
}

fn exitpath(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_exitpath")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout) + &text(output.stderr))
}

#[test]
fn folders_of_bundles_are_a_catalog() {
    let loaded = load_texts(&texts_of("bundle-folders"));
    let declared = &loaded.catalogs[0].declared;
    assert_eq!(verdict(&objections(declared)), None);
    let packages = packages(declared);
    let [package] = packages.as_slice() else { panic!("{packages:?}") };
    assert_eq!((package.name.as_str(), package.default_channel.as_str()), ("lighthouse", "stable"));
    assert_eq!(
        entries(package, "stable"),
        [
            "1.0.0",
            "1.1.0 replaces 1.0.0",
            "1.1.1 replaces 1.0.0 skips 1.1.0",
            "1.2.0 replaces 1.1.1 skips 1.1.0",
        ]
    );
    assert_eq!(
        entries(package, "candidate"),
        ["1.1.0 replaces 1.0.0", "1.1.1 replaces 1.0.0 skips 1.1.0"]
    );
    let head = package.channel("stable").unwrap().entries.last().unwrap();
    assert!(head.skip_range.is_some());
    let bundle = package.bundle("lighthouse.v1.2.0").unwrap();
    assert_eq!(bundle.version.as_ref().unwrap().text(), "1.2.0");
    assert_eq!(bundle.provides.len(), 1);
    assert_eq!(bundle.requires.len(), 2);
    let rebuilt = declared.bundles.iter().filter_map(|bundle| bundle.substitutes_for());
    assert_eq!(rebuilt.map(|base| base.value.as_str()).collect::<Vec<_>>(), ["lighthouse.v1.1.0"]);
    let properties = &declared.bundles[3].properties;
    assert!(format!("{properties:?}").contains("MaxOpenShift"), "{properties:?}");
}

#[test]
fn places_are_in_the_files_of_the_bundle() {
    let loaded = load_texts(&texts_of("bundle-folders"));
    let declared = &loaded.catalogs[0].declared;
    for channel in &declared.channels {
        let shown = loaded.sources.slice(channel.name.span);
        assert!(shown.contains(&channel.name.value), "{shown}");
        for entry in &channel.entries {
            for text in entry.skips.iter().chain([&entry.name, &entry.replaces, &entry.skip_range])
            {
                let shown = loaded.sources.slice(text.span);
                assert!(shown.contains(&text.value), "{shown:?} is not {:?}", text.value);
            }
        }
    }
}

#[test]
fn a_bundle_that_lacks_something_says_so() {
    const CSV: &str = "kind: ClusterServiceVersion\nmetadata: {name: a.v1.0.0}\n\
                       spec: {version: 1.0.0}\n";
    const NAMED: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: a\n  \
         operators.operatorframework.io.bundle.channels.v1: stable\n";
    let whole = [("1/manifests/a.yaml", CSV), ("1/metadata/annotations.yaml", NAMED)];
    let with = |more: &[(&str, &str)]| {
        let mut files = texts(&whole);
        files.extend(texts(more));
        faults(&files)
    };
    assert_eq!(with(&[]), [""; 0]);
    let nameless = "annotations:\n  operators.operatorframework.io.bundle.package.v1: a\n";
    for (more, expected) in [
        (vec![("2/manifests/b.yaml", CSV)], "has no file `metadata/annotations.yaml`"),
        (vec![("2/metadata/annotations.yaml", NAMED)], "no ClusterServiceVersion in `manifests`"),
        (vec![("1/manifests/b.yaml", CSV)], "more than one ClusterServiceVersion"),
        (vec![("1/metadata/annotations.yaml", nameless)], "bundle.channels.v1`"),
        (
            vec![("2/manifests/b.yaml", CSV), ("2/metadata/annotations.yaml", "annotations: {}\n")],
            "bundle.package.v1`",
        ),
        (
            vec![("1/manifests/a.yaml", "kind: ClusterServiceVersion\nspec: {version: 1.0}\n")],
            "json: cannot unmarshal number into Go struct field",
        ),
        (vec![("1/metadata/properties.yaml", "properties: {}\n")], "cannot unmarshal object"),
        (vec![("1/metadata/dependencies.yaml", "dependencies: [1]\n")], "cannot unmarshal number"),
    ] {
        let found = with(&more);
        assert!(found.iter().any(|words| words.contains(expected)), "{more:?}: {found:?}");
    }
}

#[test]
fn a_catalog_with_a_folder_of_a_bundle_is_a_catalog() {
    let mut files = texts_of("bundle-folders");
    files.insert("catalog.yaml".to_owned(), "schema: olm.package\nname: a\n".to_owned());
    let loaded = load_texts(&files);
    let declared = &loaded.catalogs[0].declared;
    assert_eq!(declared.packages.len(), 1);
    assert!(declared.faults.len() >= 8);
}

#[test]
fn installs_of_bundle_folders_move() {
    let (status, shown) =
        exitpath(&["catalog", "path", "fixtures/catalogs/bundle-folders", "lighthouse.v1.0.0"]);
    assert_eq!(status, Some(0), "{shown}");
    assert!(shown.contains("lighthouse.v1.2.0"), "{shown}");
}

#[test]
fn a_basic_template_is_complete_without_its_images() {
    let loaded = load_texts(&texts_of("basic-template"));
    let declared = &loaded.catalogs[0].declared;
    assert_eq!(verdict(&objections(declared)), None);
    assert!(objections(declared).is_empty(), "{:?}", objections(declared));
    let packages = packages(declared);
    let [package] = packages.as_slice() else { panic!("{packages:?}") };
    assert_eq!(
        entries(package, "stable"),
        ["1.0.0", "1.1.0 replaces 1.0.0", "lighthouse.nightly replaces 1.1.0"]
    );
    let version = |name| package.bundle(name).unwrap().version.as_ref().map(BundleVersion::text);
    assert_eq!(version("lighthouse.v1.1.0").as_deref(), Some("1.1.0"));
    assert_eq!(version("lighthouse.nightly"), None);
    let [inferred] = declared.inferred.as_slice() else { panic!("{:?}", declared.inferred) };
    assert!(inferred.words.contains("3 bundles"), "{}", inferred.words);
}

#[test]
fn a_template_beside_a_catalog_is_no_part_of_it() {
    let mut files = texts_of("basic-template");
    files.insert("z.yaml".to_owned(), "schema: olm.package\nname: other\n".to_owned());
    let loaded = load_texts(&files);
    let declared = &loaded.catalogs[0].declared;
    assert_eq!((declared.packages.len(), declared.channels.len(), declared.others), (1, 0, 1));
}

#[test]
fn a_template_of_substitutions_keeps_them() {
    let loaded = load_texts(&texts_of("substitutes-template"));
    let declared = &loaded.catalogs[0].declared;
    assert_eq!(verdict(&objections(declared)), None);
    assert_eq!(packages(declared)[0].bundles.len(), 2);
    let [substitution] = declared.substitutions.as_slice() else { panic!("one substitution") };
    assert_eq!(substitution.base.value, "lighthouse.v1.1.0");
    assert_eq!(loaded.sources.slice(substitution.base.span), "lighthouse.v1.1.0");
}

/// The edges are written by hand: only the highest patch of a minor has some.
#[test]
fn a_semver_template_makes_the_channels_of_opm() {
    let loaded = load_texts(&texts_of("semver-template"));
    let declared = &loaded.catalogs[0].declared;
    assert_eq!(verdict(&objections(declared)), None);
    let packages = packages(declared);
    let [package] = packages.as_slice() else { panic!("{packages:?}") };
    assert_eq!(package.name, "lighthouse");
    assert_eq!(package.default_channel, "stable-v2.0");
    let names: Vec<&str> = package.channels.iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "candidate-v1",
            "candidate-v1.0",
            "candidate-v1.1",
            "candidate-v1.2",
            "candidate-v2",
            "candidate-v2.0",
            "candidate-v2.1",
            "stable-v1",
            "stable-v1.0",
            "stable-v1.1",
            "stable-v2",
            "stable-v2.0",
        ]
    );
    let v1 = [
        "1.0.0",
        "1.0.1 skips 1.0.0",
        "1.1.0",
        "1.1.1 replaces 1.0.1 skips 1.0.0 1.1.0",
        "1.2.0 replaces 1.1.1 skips 1.0.0 1.0.1 1.1.0",
    ];
    assert_eq!(entries(package, "candidate-v1"), v1);
    assert_eq!(entries(package, "candidate-v1.0"), v1[..2]);
    assert_eq!(entries(package, "candidate-v1.1"), v1[2..4]);
    assert_eq!(entries(package, "candidate-v1.2"), v1[4..]);
    let v2 =
        ["2.0.0-beta.1", "2.0.0 skips 2.0.0-beta.1", "2.1.0 replaces 2.0.0 skips 2.0.0-beta.1"];
    assert_eq!(entries(package, "candidate-v2"), v2);
    assert_eq!(entries(package, "candidate-v2.1"), v2[2..]);
    assert_eq!(entries(package, "stable-v1"), ["1.0.1", "1.1.1 replaces 1.0.1"]);
    assert_eq!(entries(package, "stable-v1.1"), ["1.1.1 replaces 1.0.1"]);
    assert_eq!(entries(package, "stable-v2"), ["2.0.0"]);
}

#[test]
fn a_semver_template_is_read_strictly() {
    let of = |text: &str| faults(&texts(&[("a.yaml", &format!("schema: olm.semver\n{text}"))]));
    let image = "Stable: {Bundles: [{Image: 'a/b:v1.0.0'}]}\n";
    assert_eq!(of(image), [""; 0]);
    for (text, expected) in [
        ("Beta: {}\n", "json: unknown field \"Beta\""),
        ("DefaultChannelTypePreference: major\n", "schema attribute mismatch"),
        ("DefaultChannelTypePreference: patch\n", "unknown DefaultChannelTypePreference"),
        ("GenerateMajorChannels: 1\n", "cannot unmarshal number"),
        ("Fast: {Bundles: [{Image: 'a/b:latest'}]}\n", "is unknown"),
        ("Fast: {Bundles: [{Image: 'a/b@sha256:00'}]}\n", "is unknown"),
        ("Fast: {Bundles: [{Image: 'a/b:v1.0.0'}, {Image: 'a/b:1.0.0'}]}\n", "duplicate bundle"),
        ("Fast: {Bundles: {}}\n", "cannot unmarshal object"),
    ] {
        let found = of(&format!("{image}{text}"));
        assert!(found.iter().any(|words| words.contains(expected)), "{text}: {found:?}");
    }
    assert!(of("")[0].contains("no bundles specified"));
}

#[test]
fn many_bundles_take_little_time() {
    let mut template =
        "schema: olm.semver\nGenerateMajorChannels: true\nStable:\n  Bundles:\n".to_owned();
    for at in 0..10_000 {
        template.push_str(&format!("  - Image: a/b:v1.{}.{}\n", at / 10, at % 10));
    }
    let loaded = load_texts(&texts(&[("a.yaml", &template)]));
    assert_eq!(loaded.catalogs[0].declared.bundles.len(), 10_000);
    let mut files = BTreeMap::new();
    for at in 1..=10_000 {
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: a.v1.0.{at}}}\nspec: {{version: 1.0.{at}, \
             replaces: a.v1.0.{}}}\n",
            at - 1
        );
        let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: a\n  \
                           operators.operatorframework.io.bundle.channels.v1: stable\n";
        files.insert(format!("{at}/manifests/a.yaml"), csv);
        files.insert(format!("{at}/metadata/annotations.yaml"), annotations.to_owned());
    }
    let loaded = load_texts(&files);
    assert_eq!(loaded.catalogs[0].declared.bundles.len(), 10_000);
}

/// A bundle in a folder: its name, and the lines of its `spec`.
fn bundle_folder(name: &str, spec: &str) -> [(String, String); 2] {
    let csv =
        format!("kind: ClusterServiceVersion\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n");
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: a\n  \
                       operators.operatorframework.io.bundle.channels.v1: stable\n";
    [
        (format!("{name}/manifests/a.yaml"), csv),
        (format!("{name}/metadata/annotations.yaml"), annotations.to_owned()),
    ]
}

#[test]
fn an_index_has_only_what_the_head_of_bundle_folders_leads_to() {
    let bundles = [
        ("a.v1", "version: 1.0.0"),
        ("a.v2", "version: 2.0.0, replaces: a.v1"),
        ("a.v3", "version: 3.0.0, replaces: a.v1, skips: [a.v2]"),
        ("a.old", "version: 0.9.0"),
    ];
    let files = bundles.iter().flat_map(|(name, spec)| bundle_folder(name, spec));
    let loaded = load_texts(&files.collect());
    let declared = &loaded.catalogs[0].declared;
    let entries: Vec<&str> =
        declared.channels[0].entries.iter().map(|entry| entry.name.value.as_str()).collect();
    assert_eq!(entries, ["a.v1", "a.v2", "a.v3"]);
    assert_eq!(declared.bundles.len(), 3);
    assert!(declared.inferred[0].words.contains("1 bundle"), "{:?}", declared.inferred);
}
