//! Rules report what opm objects to: each objection once.

use std::collections::{BTreeMap, BTreeSet};

use exitpath::testing::catalog::{LoadCause, ObjectionKind, load_texts, packages};
use exitpath::testing::domain::Severity;
use exitpath::testing::rules::{CatalogSubject, Check, RULES};

use crate::shared::vectors::compare;

const PACKAGE: &str = "schema: olm.package\nname: example\ndefaultChannel: stable\n";

/// What a catalog's objections are, with the codes of the rules that report each.
fn reported(files: &BTreeMap<String, String>) -> Vec<(ObjectionKind, Vec<String>)> {
    let loaded = load_texts(files);
    let packages = packages(&loaded.catalogs[0].declared);
    let subject = CatalogSubject::new(&loaded.catalogs[0], &packages, &[]);
    let meant = subject.objections.iter().filter(|objection| objection.is_meant());
    let codes = |objection| {
        let findings = RULES.iter().filter_map(|rule| match rule.check {
            Check::Objection(check) => check(&subject, objection),
            _ => None,
        });
        let codes = findings.map(|finding| {
            assert_eq!(finding.severity, Severity::Error);
            assert!(finding.help.is_some(), "{}", finding.message);
            finding.rule.code.to_owned()
        });
        codes.collect::<Vec<String>>()
    };
    meant.map(|objection| (objection.kind.clone(), codes(objection))).collect()
}

fn of_text(text: &str) -> Vec<(ObjectionKind, Vec<String>)> {
    reported(&BTreeMap::from([("catalog.yaml".to_owned(), text.to_owned())]))
}

/// The names of the kinds. Of what cannot be loaded, those of the causes.
fn name(kind: &ObjectionKind) -> String {
    let debugged = match kind {
        ObjectionKind::Load(cause) => format!("{cause:?}"),
        kind => format!("{kind:?}"),
    };
    debugged.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

fn channel(entries: &str) -> String {
    format!("schema: olm.channel\npackage: example\nname: stable\nentries:\n{entries}")
}

fn entry(version: &str, rest: &str) -> String {
    format!("- {{name: example.v{version}, {rest}}}\n")
}

fn bundle(version: &str) -> String {
    let image = format!("registry.example.com/example:v{version}");
    bundle_with(version, &format!("image: {image}\n"), &format!("version: {version}"))
}

fn bundle_with(version: &str, image: &str, property: &str) -> String {
    format!(
        "schema: olm.bundle\npackage: example\nname: example.v{version}\n{image}properties:\n\
         - type: olm.package\n  value: {{packageName: example, {property}}}\n"
    )
}

fn catalog(documents: &[&str]) -> String {
    documents.join("---\n")
}

/// A package with one entry, one bundle, and more documents.
fn with(more: &str) -> String {
    catalog(&[PACKAGE, &channel(&entry("1.0.0", "")), &bundle("1.0.0"), more])
}

fn with_entries(entries: &[(&str, &str)]) -> String {
    let lines: String = entries.iter().map(|(version, rest)| entry(version, rest)).collect();
    let versions: BTreeSet<&str> = entries.iter().map(|(version, _)| *version).collect();
    let bundles: Vec<String> = versions.into_iter().map(bundle).collect();
    catalog(&[PACKAGE, &channel(&lines), &bundles.join("---\n")])
}

fn with_bundle(bundle: &str) -> String {
    catalog(&[PACKAGE, &channel(&entry("1.0.0", "")), bundle])
}

fn with_deprecation(entry: &str) -> String {
    with(&format!("schema: olm.deprecations\npackage: example\nentries:\n- {entry}\n"))
}

/// Each of these catalogs has one mistake.
#[allow(clippy::too_many_lines, reason = "it is a list")]
fn mistakes() -> Vec<(&'static str, String)> {
    let image = "image: registry.example.com/example\n";
    let whole = with("schema: example.other\n");
    let without = |part: &str| whole.replacen(part, "", 1);
    let changed = |from: &str, to: &str| whole.replacen(from, to, 1);
    vec![
        ("Syntax", changed("name: example", "name: [")),
        ("NotAnObject", with("- example\n")),
        ("NoSchema", without("schema: olm.package\n")),
        ("RepeatedKey", changed("name: example", "name: example\nName: example")),
        ("WrongType", changed("name: stable", "name: 4.10")),
        ("WrongType", with_entries(&[("1.0.0", "skips: example.v0.9.0")])),
        ("WrongType", with_entries(&[("1.0.0", ""), ("1.1.0", "replaces: 1.0")])),
        ("WrongType", catalog(&[PACKAGE, &channel("  name: example.v1.0.0\n"), &bundle("1.0.0")])),
        (
            "BundleObject",
            with_bundle(&format!(
                "{}- type: olm.bundle.object\n  value: {{data: '!'}}\n",
                bundle("1.0.0")
            )),
        ),
        ("Nameless", without("name: example\n")),
        ("Nameless", without("name: stable\n")),
        (
            "Unlisted",
            with(
                "schema: olm.bundle\npackage: example\nproperties: [{type: olm.package, value: {packageName: example, version: 2.0.0}}]\n",
            ),
        ),
        (
            "NamelessEntry",
            catalog(&[
                PACKAGE,
                &channel(&format!("{}- replaces: example.v1.0.0\n", entry("1.0.0", ""))),
                &bundle("1.0.0"),
            ]),
        ),
        ("WithoutPackage", without("package: example\n")),
        ("WithoutPackage", with("schema: olm.deprecations\n")),
        ("Duplicate", with(PACKAGE)),
        ("Duplicate", with(&channel(&entry("1.0.0", "")))),
        ("Duplicate", with(&bundle("1.0.0"))),
        ("Duplicate", with_entries(&[("1.0.0", ""), ("1.0.0", "skips: [example.v0.9.0]")])),
        (
            "Duplicate",
            with(
                "schema: olm.deprecations\npackage: example\n---\nschema: olm.deprecations\npackage: example\n",
            ),
        ),
        (
            "Duplicate",
            with_deprecation(
                "reference: {schema: olm.package}\n  message: End.\n- reference: {schema: olm.package}\n  message: End.",
            ),
        ),
        (
            "PackageName",
            whole
                .replace(": example\n", ": Example\n")
                .replace("packageName: example,", "packageName: Example,"),
        ),
        ("UnknownPackage", changed("name: example\n", "name: exmaple\n")),
        ("UnknownPackage", changed("package: example\n", "package: exmaple\n")),
        (
            "UnknownPackage",
            with_bundle(&bundle("1.0.0").replacen("package: example", "package: exmaple", 1)),
        ),
        ("UnknownPackage", with("schema: olm.deprecations\npackage: exmaple\n")),
        ("PropertyValue", with_bundle(&bundle_with("1.0.0", image, "version: 1.0"))),
        (
            "PropertyValue",
            with_bundle(
                "schema: olm.bundle\npackage: example\nname: example.v1.0.0\nimage: example\nproperties: [{type: olm.package}]\n",
            ),
        ),
        (
            "PackageProperties",
            with_bundle(
                "schema: olm.bundle\npackage: example\nname: example.v1.0.0\nimage: example\n",
            ),
        ),
        (
            "PackageProperties",
            with_bundle(&format!(
                "{}- type: olm.package\n  value: {{packageName: example, version: 1.0.0}}\n",
                bundle("1.0.0")
            )),
        ),
        ("OtherPackage", changed("packageName: example", "packageName: other")),
        (
            "Image",
            with_bundle(&bundle_with("1.0.0", "image: https://example.com/a\n", "version: 1.0.0")),
        ),
        ("NoImage", with_bundle(&bundle_with("1.0.0", "", "version: 1.0.0"))),
        ("Version", with_bundle(&bundle_with("1.0.0", image, "version: v1.0.0"))),
        ("Version", with_bundle(&bundle_with("1.0.0", image, "release: r1"))),
        ("Release", with_bundle(&bundle_with("1.0.0", image, "version: 1.0.0, release: a..b"))),
        (
            "BuildAndRelease",
            with_bundle(&bundle_with("1.0.0", image, "version: 1.0.0+1, release: r1")),
        ),
        ("Name", with_bundle(&bundle_with("1.0.0", image, "version: 1.0.0, release: r1"))),
        ("Unlisted", with(&bundle("1.1.0"))),
        ("NoBundle", catalog(&[PACKAGE, &channel(&entry("1.0.0", ""))])),
        // A misspelled entry, which also breaks the chain.
        (
            "NoBundle",
            catalog(&[
                PACKAGE,
                &channel(&format!(
                    "{}{}",
                    entry("1.0.O", ""),
                    entry("1.1.0", "replaces: example.v1.0.0")
                )),
                &bundle("1.0.0"),
                &bundle("1.1.0"),
            ]),
        ),
        (
            "NoBundle",
            format!(
                "{}---\n{}",
                catalog(&[PACKAGE, &channel(&entry("1.0.0", ""))]),
                channel(&entry("1.0.0", "")).replace("stable", "fast")
            ),
        ),
        ("UnknownDefaultChannel", changed("defaultChannel: stable", "defaultChannel: stabel")),
        ("UnknownDefaultChannel", catalog(&[PACKAGE, &bundle("1.0.0")])),
        ("NoDefaultChannel", without("defaultChannel: stable\n")),
        ("NoChannels", "schema: olm.package\nname: example\n".to_owned()),
        (
            "EmptyChannel",
            catalog(&[
                PACKAGE,
                &channel("[]\n").replace("entries:\n", "entries: "),
                &bundle("1.0.0"),
            ]),
        ),
        (
            "DuplicateVersion",
            with_entries(&[("1.0.0", ""), ("1.1.0", "replaces: example.v1.0.0")])
                .replace("version: 1.1.0", "version: 1.0.0"),
        ),
        ("NoHead", with_entries(&[("1.0.0", "replaces: example.v1.0.0")])),
        ("Heads", with_entries(&[("1.0.0", ""), ("1.1.0", "")])),
        (
            "Cycle",
            with_entries(&[
                ("1.0.0", "replaces: example.v1.1.0"),
                ("1.1.0", "replaces: example.v1.0.0"),
                ("1.2.0", "replaces: example.v1.1.0"),
            ]),
        ),
        (
            "Stranded",
            with_entries(&[
                ("1.0.0", ""),
                ("1.1.0", "replaces: example.v1.0.0"),
                ("1.2.0", "skips: [example.v1.1.0]"),
            ]),
        ),
        ("EmptySkip", with_entries(&[("1.0.0", "skips: ['']")])),
        ("SkipRange", with_entries(&[("1.0.0", "skipRange: <v1.0.0")])),
        ("DeprecationSchema", with_deprecation("message: End.")),
        (
            "UnknownDeprecationSchema",
            with_deprecation("reference: {schema: olm.bundles}\n  message: End."),
        ),
        (
            "UnknownDeprecated",
            with_deprecation("reference: {schema: olm.bundle, name: other}\n  message: End."),
        ),
        (
            "UnknownDeprecated",
            with_deprecation("reference: {schema: olm.channel}\n  message: End."),
        ),
        (
            "DeprecatedPackageName",
            with_deprecation("reference: {schema: olm.package, name: example}\n  message: End."),
        ),
        ("DeprecationMessage", with_deprecation("reference: {schema: olm.package}")),
    ]
}

/// The kinds of objections. A new kind does not compile until it is in this list.
fn kinds() -> BTreeSet<&'static str> {
    #[allow(clippy::no_effect_underscore_binding, reason = "it only has to compile")]
    let _is_complete = |kind: ObjectionKind| match kind {
        ObjectionKind::Load(
            LoadCause::Syntax(_)
            | LoadCause::NotAnObject(_)
            | LoadCause::NoSchema
            | LoadCause::RepeatedKey(_)
            | LoadCause::WrongType { .. }
            | LoadCause::BundleObject
            | LoadCause::Input(_)
            | LoadCause::Unreadable(_),
        )
        | ObjectionKind::Nameless(_)
        | ObjectionKind::NamelessEntry
        | ObjectionKind::Duplicate { .. }
        | ObjectionKind::PackageName(_)
        | ObjectionKind::WithoutPackage(_)
        | ObjectionKind::UnknownPackage { .. }
        | ObjectionKind::PropertyValue { .. }
        | ObjectionKind::PackageProperties(_)
        | ObjectionKind::OtherPackage { .. }
        | ObjectionKind::Image { .. }
        | ObjectionKind::NoImage
        | ObjectionKind::Version { .. }
        | ObjectionKind::Release { .. }
        | ObjectionKind::BuildAndRelease
        | ObjectionKind::Name { .. }
        | ObjectionKind::Unlisted(_)
        | ObjectionKind::NoBundle(_)
        | ObjectionKind::UnknownDefaultChannel { .. }
        | ObjectionKind::NoDefaultChannel
        | ObjectionKind::NoChannels
        | ObjectionKind::EmptyChannel(_)
        | ObjectionKind::DuplicateVersion { .. }
        | ObjectionKind::NoHead(_)
        | ObjectionKind::Heads { .. }
        | ObjectionKind::Cycle { .. }
        | ObjectionKind::Stranded { .. }
        | ObjectionKind::EmptySkip
        | ObjectionKind::SkipRange { .. }
        | ObjectionKind::DeprecationSchema
        | ObjectionKind::UnknownDeprecationSchema(_)
        | ObjectionKind::UnknownDeprecated { .. }
        | ObjectionKind::DeprecatedPackageName(_)
        | ObjectionKind::DeprecationMessage => {}
    };
    // Texts in memory are always readable.
    "Syntax NotAnObject NoSchema RepeatedKey WrongType BundleObject Nameless NamelessEntry \
     Duplicate PackageName WithoutPackage UnknownPackage PropertyValue PackageProperties \
     OtherPackage Image NoImage Version Release BuildAndRelease Name Unlisted NoBundle \
     UnknownDefaultChannel NoDefaultChannel NoChannels EmptyChannel DuplicateVersion NoHead Heads \
     Cycle Stranded EmptySkip SkipRange DeprecationSchema UnknownDeprecationSchema \
     UnknownDeprecated DeprecatedPackageName DeprecationMessage"
        .split_whitespace()
        .collect()
}

#[test]
fn exactly_one_rule_takes_each_objection() {
    let mut provoked = BTreeSet::new();
    for (_, text) in mistakes() {
        for (kind, codes) in of_text(&text) {
            provoked.insert(name(&kind));
            assert_eq!(codes.len(), 1, "{kind:?} is reported by {codes:?}");
        }
    }
    let provoked: BTreeSet<&str> = provoked.iter().map(String::as_str).collect();
    assert_eq!(provoked, kinds());
}

#[test]
fn one_mistake_is_one_objection() {
    let mut wrong = Vec::new();
    for (expected, text) in mistakes() {
        let found: Vec<String> = of_text(&text).iter().map(|(kind, _)| name(kind)).collect();
        if found != [expected] {
            wrong.push(format!("{expected}: {found:?} in\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_catalog_without_mistakes_has_no_objection() {
    assert_eq!(of_text(&with("schema: example.other\n")), []);
}

#[test]
fn olm_vectors_reported() {
    compare("olm_vectors_reported", "olm-vectors/opm-validate.jsonl", |case, _| {
        let files = case["input"]["files"].as_object().into_iter().flatten();
        let files: BTreeMap<String, String> =
            files.map(|(path, text)| (path.clone(), text.as_str().unwrap().to_owned())).collect();
        let found = reported(&files);
        let is_valid = case["expected"].get("error").is_none();
        let once = found.iter().all(|(_, codes)| codes.len() == 1);
        let is_right = once && found.is_empty() == is_valid;
        (!is_right).then(|| format!("valid for opm: {is_valid}, found: {found:?}"))
    });
}
