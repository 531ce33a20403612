//! `catalog check --fix`: what it edits, what it leaves, and that a second run changes nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value as Json;

use crate::shared::real_data;
use crate::shared::run::{exitpath_at, words};
use crate::shared::scratch::Scratch;

fn exitpath(arguments: &[&str], folder: &Path) -> Output {
    exitpath_at(folder, &[&["catalog"], arguments].concat())
}

/// Fixes a file, and returns the lines that differ. The preview shows the same, and a second run
/// changes nothing.
fn fixed(name: &str, file: &str, text: &str) -> Vec<String> {
    let folder = Scratch::with(name, &[(file, text)]);
    let preview = exitpath(&["check", ".", "--fix", "--diff"], &folder);
    assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), text, "a preview changes nothing");
    exitpath(&["check", ".", "--fix"], &folder);
    let new = fs::read_to_string(folder.join(file)).unwrap();
    let again = exitpath(&["check", ".", "--fix", "--diff"], &folder);
    assert!(again.stdout.is_empty(), "{}", words(&again));
    exitpath(&["check", ".", "--fix"], &folder);
    assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), new);
    let diff = String::from_utf8(preview.stdout).unwrap();
    let is_change = |line: &&str| {
        line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---")
    };
    diff.lines().filter(is_change).map(str::to_owned).collect()
}

/// The other documents of a catalog whose bundles are A 1.0.0, B 1.1.0, and so on.
fn others(bundles: &[&str]) -> String {
    let mut text =
        "{\"schema\": \"olm.package\", \"name\": \"p\", \"defaultChannel\": \"stable\"}\n"
            .to_owned();
    for (minor, name) in bundles.iter().enumerate() {
        text += &format!(
            "{{\"schema\": \"olm.bundle\", \"package\": \"p\", \"name\": \"{name}\", \"image\": \
             \"example.com/p@sha256:{}\", \"properties\": [{{\"type\": \"olm.package\", \"value\": \
             {{\"packageName\": \"p\", \"version\": \"1.{minor}.0\"}}}}]}}\n",
            "0123456789abcdef".repeat(4)
        );
    }
    text
}

const NAMES: [&str; 4] = ["p.v1.0.0", "p.v1.1.0", "p.v1.2.0", "p.v1.3.0"];

/// A catalog in one JSON stream, with the entries of its channel.
fn json(entries: &str) -> String {
    format!(
        "{{\n  \"schema\": \"olm.channel\",\n  \"package\": \"p\",\n  \"name\": \"stable\",\n  \
         \"entries\": {entries}\n}}\n{}",
        others(&NAMES[..entries.matches("\"name\"").count()])
    )
}

/// A catalog in YAML documents, with the entries of its channel.
fn yaml(entries: &str) -> String {
    let count = entries.matches("- name:").count();
    let others = others(&NAMES[..count]).replace("}\n{", "}\n---\n{");
    format!(
        "---\n# Kept.\nschema: olm.channel\npackage: p\nname: stable\nentries:\n{entries}---\n{others}"
    )
}

#[test]
fn stuck_installs_get_a_skip_of_the_head() {
    let entries = "\
- name: p.v1.0.0
- name: p.v1.1.0
  skips: [p.v1.0.0]
- name: p.v1.2.0
  skips: [p.v1.1.0]
- name: 'p.v1.3.0'  # the head
  replaces: p.v1.2.0  # kept
";
    let changed = fixed("stuck-yaml", "catalog.yaml", &yaml(entries));
    assert_eq!(changed, ["+  skips:", "+  - 'p.v1.0.0'"]);
    let entries = r#"[
    {"name": "p.v1.0.0"},
    {"name": "p.v1.1.0", "skips": ["p.v1.0.0"]},
    {"name": "p.v1.2.0", "skips": ["p.v1.1.0"]},
    {"name": "p.v1.3.0", "replaces": "p.v1.2.0"}
  ]"#;
    let changed = fixed("stuck-json", "catalog.json", &json(entries));
    assert_eq!(
        changed,
        [
            r#"-    {"name": "p.v1.3.0", "replaces": "p.v1.2.0"}"#,
            r#"+    {"name": "p.v1.3.0", "replaces": "p.v1.2.0", "skips": ["p.v1.0.0"]}"#,
        ]
    );
}

#[test]
fn what_is_replaced_and_skipped_is_skipped_no_more() {
    let entries = "\
- name: p.v1.0.0
- name: p.v1.1.0
  skips:
  - p.v1.0.0
- name: p.v1.2.0
  replaces: p.v1.1.0
  skips:
  - p.v1.1.0
- name: p.v1.3.0
  replaces: p.v1.2.0
";
    let folder = Scratch::with("stranded", &[("catalog.yaml", &yaml(entries))]);
    exitpath(&["check", ".", "--fix"], &folder);
    let simulated = exitpath(&["simulate", "."], &folder);
    assert!(words(&simulated).contains("no stuck installs"), "{}", words(&simulated));
}

#[test]
fn two_heads_become_one() {
    let two = "- name: p.v1.0.0\n- name: p.v1.1.0\n";
    assert_eq!(fixed("heads-yaml", "catalog.yaml", &yaml(two)), ["+  replaces: p.v1.0.0"]);
    let two = "[\n    {\n      \"name\": \"p.v1.0.0\"\n    },\n    {\n      \"name\": \"p.v1.1.0\"\n    }\n  ]";
    assert_eq!(
        fixed("heads-json", "catalog.json", &json(two)),
        [
            "-      \"name\": \"p.v1.1.0\"",
            "+      \"name\": \"p.v1.1.0\",",
            "+      \"replaces\": \"p.v1.0.0\"",
        ]
    );
    let misspelled = "- name: p.v1.0.0\n- name: p.v1.1.0\n  replaces: p.v1.0.0.\n";
    assert_eq!(
        fixed("heads-typo", "catalog.yaml", &yaml(misspelled)),
        ["-  replaces: p.v1.0.0.", "+  replaces: p.v1.0.0"]
    );
    let three = "- name: p.v1.0.0\n- name: p.v1.1.0\n- name: p.v1.2.0\n";
    assert!(
        fixed("heads-three", "catalog.yaml", &yaml(three)).is_empty(),
        "nobody knows what is meant"
    );
}

#[test]
fn a_range_ends_before_its_own_entry() {
    let entries = "- name: p.v1.0.0\n- name: p.v1.1.0\n  replaces: p.v1.0.0\n  skipRange: \">=0.5.0\"  # all\n";
    assert_eq!(
        fixed("range-yaml", "catalog.yaml", &yaml(entries)),
        ["-  skipRange: \">=0.5.0\"  # all", "+  skipRange: \">=0.5.0 <1.1.0\"  # all"]
    );
    let entries =
        r#"[{"name":"p.v1.0.0"},{"name":"p.v1.1.0","replaces":"p.v1.0.0","skipRange":">=0.5.0"}]"#;
    let changed = fixed("range-json", "catalog.json", &json(entries));
    assert!(changed[1].contains(r#""skipRange":">=0.5.0 <1.1.0"}]"#), "{changed:?}");
}

#[test]
fn misspelled_keys_get_their_names_unless_these_are_there() {
    let entries =
        "- name: p.v1.0.0\n- name: p.v1.1.0\n  replaces: p.v1.0.0\n  skipranges: '<1.1.0'\n";
    let low = entries.replace("'<1.1.0'", "'>=0.1.0 <1.1.0'");
    assert_eq!(
        fixed("key-yaml", "catalog.yaml", &yaml(&low)),
        ["-  skipranges: '>=0.1.0 <1.1.0'", "+  skipRange: '>=0.1.0 <1.1.0'"]
    );
    let both = format!("{low}  skipRange: '>=0.2.0 <1.1.0'\n");
    assert!(fixed("key-both", "catalog.yaml", &yaml(&both)).is_empty());
    let no_list = "- name: p.v1.0.0\n- name: p.v1.1.0\n  replaces: p.v1.0.0\n  skip: p.v0.9.0\n";
    assert!(fixed("key-no-list", "catalog.yaml", &yaml(no_list)).is_empty());
    let entries = r#"[{"name": "p.v1.0.0"}, {"name": "p.v1.1.0", "replace": "p.v1.0.0", "skips": ["p.v1.0.0"]}]"#;
    let changed = fixed("key-json", "catalog.json", &json(entries));
    assert!(changed[1].contains(r#""replaces": "p.v1.0.0""#), "{changed:?}");
    // What the right key reveals is fixed with it.
    let open = low.replace(" <1.1.0", "");
    assert_eq!(
        fixed("key-reveals", "catalog.yaml", &yaml(&open)),
        ["-  skipranges: '>=0.1.0'", "+  skipRange: '>=0.1.0 <1.1.0'"]
    );
}

#[test]
fn a_misspelled_name_is_replaced() {
    let entries = "- name: p.v1.0.0\n- name: p.v1.1.0\n  replaces: 1.0.0\n  skips:\n  - p.v1.0.1\n";
    let text = yaml(entries).replace("name: stable", "name: stable # kept");
    assert_eq!(
        fixed("name", "catalog.yaml", &text),
        ["-  replaces: 1.0.0", "+  replaces: p.v1.0.0"]
    );
}

#[test]
fn findings_that_are_allowed_stay() {
    let entries = "\
- name: p.v1.0.0
- name: p.v1.1.0
  replaces: p.v1.0.0
  # exitpath: allow(range-contains-itself): our users want that
  skipRange: '>=0.5.0'
";
    assert!(fixed("allowed", "catalog.yaml", &yaml(entries)).is_empty());
}

#[test]
fn templates_are_edited_where_they_have_entries() {
    let basic = "\
schema: olm.template.basic
entries:
- schema: olm.package
  name: p
  defaultChannel: stable
- schema: olm.channel
  package: p
  name: stable
  entries:
  - name: p.v1.0.0
  - name: p.v1.1.0
    skips: [p.v1.0.0]
  - name: p.v1.2.0
    skips: [p.v1.1.0]
  - name: p.v1.3.0
    replaces: p.v1.2.0
- schema: olm.bundle
  image: example.com/p:1.0.0
- schema: olm.bundle
  image: example.com/p:1.1.0
- schema: olm.bundle
  image: example.com/p:1.2.0
- schema: olm.bundle
  image: example.com/p:1.3.0
";
    let skips = ["+    skips:", "+    - p.v1.0.0"];
    assert_eq!(fixed("basic", "template.yaml", basic), skips);
    let substitutes = basic.replace("template.basic", "template.substitutes");
    assert_eq!(fixed("substitutes", "template.yaml", &substitutes), skips);
    // The channels of a semver template are made of versions.
    let semver = "\
schema: olm.semver
generateMajorChannels: true
stable:
  bundles:
  - image: example.com/p:1.0.0
  - image: example.com/p:1.0.1
  - image: example.com/p:1.1.0
  - image: example.com/p:1.2.0
";
    assert!(fixed("semver", "template.yaml", semver).is_empty());
}

#[test]
fn long_base64_stays() {
    let entries = "- name: p.v1.0.0\n- name: p.v1.1.0\n";
    let icon = format!("icon: {{base64data: {}, mediatype: image/png}}", "QUJD".repeat(5_000));
    let package = format!("---\nschema: olm.package\nname: p\ndefaultChannel: stable\n{icon}\n");
    let rest = yaml(entries).replace(
        "{\"schema\": \"olm.package\", \"name\": \"p\", \"defaultChannel\": \"stable\"}\n---\n",
        "",
    );
    let changed = fixed("bulk", "catalog.yaml", &(package + &rest));
    assert_eq!(changed, ["+  replaces: p.v1.0.0"]);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let here = Path::new(".");
    let stream = exitpath(&["check", "-", "--fix"], here);
    assert_eq!(stream.status.code(), Some(2));
    assert!(words(&stream).contains("standard input cannot be fixed"), "{}", words(&stream));
    for other in [["--rev", "HEAD"], ["--write-baseline", "--info"], ["--opm-verdict", "--info"]] {
        let run = exitpath(&[&["check", "fixtures", "--fix"], &other[..]].concat(), here);
        assert_eq!(run.status.code(), Some(2), "{}", words(&run));
        assert!(words(&run).contains("cannot be used with"), "{}", words(&run));
    }
    // A file that opm cannot read stays as it is, and the fix says why.
    let text = yaml("- name: p.v1.0.0\n- name: p.v1.1.0\n") + "---\nschema: [olm.package]\n";
    let folder = Scratch::with("faulty", &[("catalog.yaml", &text)]);
    let run = exitpath(&["check", ".", "--fix", "--diff"], &folder);
    assert!(run.stdout.is_empty(), "{}", words(&run));
    assert!(
        words(&run).contains("is not fixed: opm cannot read all of its file"),
        "{}",
        words(&run)
    );
}

#[test]
fn an_edit_that_changes_another_place_is_refused() {
    let entries =
        "- name: p.v1.0.0\n- name: p.v1.1.0\n  skipRange: &range '>=0.5.0'\n  replaces: p.v1.0.0\n";
    let text = yaml(entries);
    let alias = "---\nschema: olm.channel\npackage: p\nname: other\nentries:\n- name: p.v1.1.0\n";
    // An alias in the same document means the same text.
    let text = text.replace("- name: p.v1.0.0\n", "- name: p.v1.0.0\n  skipRange: *range\n");
    let swapped =
        text.replace("&range '>=0.5.0'", "*range").replacen("*range", "&range '>=0.5.0'", 1);
    let folder = Scratch::with("alias", &[("catalog.yaml", &(swapped.clone() + alias))]);
    exitpath(&["check", ".", "--fix"], &folder);
    let new = fs::read_to_string(folder.join("catalog.yaml")).unwrap();
    assert_eq!(new, swapped + alias);
}

#[test]
fn programs_get_the_places_of_fixes() {
    let entries =
        "- name: p.v1.0.0\n- name: p.v1.1.0\n  replaces: p.v1.0.0\n  skipRange: '>=0.5.0'\n";
    let text = yaml(entries);
    let folder = Scratch::with("formats", &[("catalog.yaml", &text)]);
    let report = |format| -> Json {
        let run = exitpath(&["check", ".", "--format", format], &folder);
        serde_json::from_slice(&run.stdout).unwrap()
    };
    let edit = &report("json")["findings"][0]["fix"]["edits"][0];
    let place = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
    assert_eq!(&text[place("start")..place("end")], "'>=0.5.0'");
    assert_eq!(edit["text"], "'>=0.5.0 <1.1.0'");
    let fix = &report("sarif")["runs"][0]["results"][0]["fixes"][0];
    let change = &fix["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "catalog.yaml");
    let replacement = &change["replacements"][0];
    assert_eq!(replacement["insertedContent"]["text"], "'>=0.5.0 <1.1.0'");
    assert_eq!(replacement["deletedRegion"]["byteOffset"], edit["start"]);
}

/// The rules of the findings of a catalog that matter, sorted.
fn rules(catalog: &str, folder: &Path) -> Vec<String> {
    let run = exitpath(&["check", catalog, "--format", "json"], folder);
    let report: Json = serde_json::from_slice(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let matters = findings.filter(|finding| finding["severity"] != "info");
    let name = |finding: &Json| format!("{} {}", finding["rule"], finding["message"]);
    let mut rules: Vec<String> = matters.map(name).collect();
    rules.sort();
    rules
}

fn stuck(catalog: &str, folder: &Path) -> Vec<String> {
    let run = exitpath(&["simulate", catalog, "--format", "json"], folder);
    let report: Json = serde_json::from_slice(&run.stdout).unwrap();
    let mut names = Vec::new();
    for package in report["packages"].as_array().unwrap() {
        for channel in package["channels"].as_array().unwrap() {
            let stuck = channel["stuck"].as_array().unwrap().iter();
            let place = format!("{} {}", package["package"], channel["channel"]);
            names.extend(stuck.map(|one| format!("{place} {}", one["name"])));
        }
    }
    names
}

/// After the fixes of real catalogs, no finding is new, and `catalog simulate` agrees that the
/// installs of dead ends are not stuck.
#[test]
fn fixes_of_real_catalogs_do_no_harm() {
    let Some(archives) = real_data("catalogs") else { return };
    let folder = Scratch::new("fix-real");
    for archive in fs::read_dir(archives).unwrap() {
        let archive = archive.unwrap().path();
        let unpacked = Command::new("tar").arg("xf").arg(archive).current_dir(&folder).status();
        assert!(unpacked.unwrap().success(), "tar unpacks the catalogs");
    }
    let (mut fixed, mut unblocked) = (0, 0);
    for catalog in fs::read_dir(&folder).unwrap() {
        let name = catalog.unwrap().file_name().into_string().unwrap();
        let (before, stuck_before) = (rules(&name, &folder), stuck(&name, &folder));
        exitpath(&["check", &name, "--fix"], &folder);
        let (after, stuck_after) = (rules(&name, &folder), stuck(&name, &folder));
        let new: Vec<&String> = after.iter().filter(|one| !before.contains(one)).collect();
        assert!(new.is_empty(), "{name}: {new:#?}");
        assert!(stuck_after.iter().all(|one| stuck_before.contains(one)), "{name}");
        let is_dead_end = |rule: &&String| rule.starts_with("\"dead-end\"");
        let dead_ends = after.iter().filter(is_dead_end).count();
        assert_eq!(dead_ends == 0, stuck_after.is_empty(), "{name}: {stuck_after:?}");
        fixed += before.len() - after.len();
        unblocked += stuck_before.len() - stuck_after.len();
    }
    assert!(
        fixed > 0 && unblocked > 0,
        "real catalogs have something to fix: {fixed}, {unblocked}"
    );
}
