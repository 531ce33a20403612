//! Three judges of one file must agree: exitpath's findings, the schema, and the service's parser.
//!
//! Good files get thousands of small changes. The other two judges are written here from the
//! libraries up, and share no code with exitpath.

use std::collections::BTreeSet;

use exitpath::testing::domain::Severity;
use exitpath::testing::edit;
use exitpath::testing::graph_data::{GraphData, LoadVerdict};
use exitpath::testing::lint::{Request, lint, path_of};
use exitpath::testing::rules::{Check, Family, Finding, RULES, Rule, Subject};
use exitpath::testing::schema;
use exitpath::testing::tree::Blob;
use proptest::prelude::*;
use serde::Deserialize;

/// The part of the service's reader that decides what loads.
mod service {
    use super::*;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Block {
        #[serde(rename = "to")]
        _to: semver_of_the_service::Version,
        from: String,
    }

    #[derive(Deserialize)]
    #[allow(non_snake_case, dead_code)]
    struct Risk {
        to: semver_of_the_service::Version,
        from: String,
        url: String,
        name: String,
        message: String,
        matchingRules: Vec<Rule>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Rule {
        #[serde(default, rename = "type")]
        kind: String,
        #[serde(default)]
        promql: Option<Query>,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Query {
        #[serde(default)]
        promql: String,
    }

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Channel {
        name: String,
        versions: Vec<semver_of_the_service::Version>,
    }

    pub(super) fn loads(path: &str, text: &str) -> bool {
        if path.starts_with("channels/") {
            return serde_yaml::from_str::<Channel>(text).is_ok();
        }
        let block = serde_yaml::from_str::<Block>(text).map(|block| block.from);
        let from = block.or_else(|_| serde_yaml::from_str::<Risk>(text).map(|risk| risk.from));
        from.is_ok_and(|from| regex::Regex::new(&from).is_ok())
    }
}

/// The schema's verdict, with another reader of YAML. `None` if that cannot make JSON of the text.
fn schema_accepts(path: &str, text: &str) -> Option<bool> {
    let schema =
        if path.starts_with("channels/") { &schema::CHANNEL } else { &schema::BLOCKED_EDGES_1_1 };
    // That reader turns tagged values into mappings.
    let is_tagged = ["!x", "!!", "! "].iter().any(|tag| text.contains(tag));
    let value = serde_yaml::from_str::<serde_yaml::Value>(text).ok().filter(|_| !is_tagged)?;
    let json = serde_json::to_value(value).ok()?;
    Some(schema.validator().is_valid(&json))
}

/// The feeder of the good channel.
const FAST: &str = "name: fast\nversions:\n- 4.13.9\n- 4.14.0-rc.1\n- 4.14.2+amd64\n";

fn repository(path: &str, text: &str) -> GraphData {
    let blob = |path: &str, text: &str| Blob::new(path.to_owned(), Ok(text.as_bytes().to_vec()));
    // A channel needs its feeder. A block is judged without channels, so that no rule looks at what
    // it matches.
    let feeder = path.starts_with("channels/").then(|| blob("internal-channels/fast.yaml", FAST));
    let rest = [blob("raw/metadata.json", "{}"), blob("version", "1.1.0\n")];
    GraphData::from_blobs([blob(path, text)].into_iter().chain(feeder).chain(rest).collect())
}

const MISSING: &str = "missing-part";

fn findings(data: &GraphData, path: &str) -> Vec<Finding> {
    let outcome = lint(data, None, &Request::default());
    outcome
        .findings
        .into_iter()
        .filter(|f| path_of(&data.sources, &f.place) == path && f.rule.name != MISSING)
        .collect()
}

/// What the three judges must agree on, for any text.
fn judges_agree(path: &str, text: &str) -> Result<(), TestCaseError> {
    let data = repository(path, text);
    let found = findings(&data, path);
    let names: BTreeSet<&str> = found.iter().map(|f| f.rule.name).collect();
    let has_error = found.iter().any(|f| f.severity == Severity::Error);
    let loads = service::loads(path, text);
    let file = data.files.iter().find(|file| data.path(file.id) == path).unwrap();

    // Skips texts that readers may read differently: other line breaks, `{?url: x}`, where `?` is
    // an indicator in YAML 1.1 and a letter in YAML 1.2, and a byte order mark inside the text.
    let is_guess = names.contains("unusual-line-break") || text.contains(['?', '\u{feff}']);

    // exitpath's own call of the service's parser agrees with it.
    prop_assert!(
        is_guess || (file.verdict == LoadVerdict::Loads) == loads,
        "{:?}: {:?}",
        file.verdict,
        text
    );

    // What production drops is an error. There is one deliberate exception.
    let is_draft = names.contains("draft-clusters");
    prop_assert!(loads || has_error || is_draft, "dropped, and we say {:?}: {:?}", names, text);

    // Exactly one rule reports each fault that the schema finds.
    let subject = Subject { data: &data, file };
    for fault in &file.faults {
        let claims: Vec<&str> = RULES
            .iter()
            .filter(|rule| matches!(rule.check, Check::Fault(check) if check(&subject, fault).is_some()))
            .map(|rule| rule.name)
            .collect();
        prop_assert_eq!(claims.len(), 1, "{:?} is claimed by {:?} in {:?}", fault, claims, text);
    }

    // What the schema or production refuses has a finding.
    let accepted = schema_accepts(path, text);
    prop_assert!(
        accepted != Some(false) || !found.is_empty(),
        "the schema refuses this, we do not: {:?}",
        text
    );

    // What both accept has no finding of rules that stand for one of them. Other rules know more:
    // both accept some duplicate keys, for example.
    let speaks_for_them = |rule: &Rule| {
        // The repository's presubmit refuses what these two report.
        matches!(rule.check, Check::Fault(_))
            && !["unknown-key", "unquoted-text"].contains(&rule.name)
            || ["invalid-from", "production-rejects"].contains(&rule.name)
    };
    let broken = found.iter().find(|f| {
        f.severity == Severity::Error
            && matches!(f.rule.family, Family::File | Family::Structure | Family::Block)
            && speaks_for_them(f.rule)
    });
    if let Some(finding) = broken.filter(|_| accepted == Some(true) && loads && !is_guess) {
        return Err(TestCaseError::fail(format!("{} on good {text:?}", finding.rule.name)));
    }
    Ok(())
}

pub(crate) const GOOD: &[(&str, &str)] = &[
    ("blocked-edges/4.14.3.yaml", "to: 4.14.3\nfrom: ^4[.]13[.].*$\n"),
    (
        "blocked-edges/4.14.3-A.yaml",
        "to: 4.14.3\nfrom: ^4[.]13[.].*$\nfixedIn: 4.14.5\nurl: https://x.example.com/a\nname: A\nmessage: |-\n  It\n  breaks.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      group(up{_id=\"\",job=\"a\"}) or 0 * group(up{_id=\"\"})\n- type: Always\n",
    ),
    (
        "blocked-edges/4.14.3-D.yaml",
        "to: 4.14.3 # why\nfrom: ^4[.]13[.].*$\nurl:  https://x.example.com/d\nname: 'D'\nmessage: \"It breaks.\"\nautoExtend: https://x.example.com/e\nmatchingRules:\n- type: PromQL\n  promql:\n    promql:\n      group(up{_id=\"\",job=\"a\"})\n      or\n      0 * group(up{_id=\"\"})\n",
    ),
    (
        "blocked-edges/4.14.4-B.yaml",
        "{\"to\": \"4.14.4\", 'from': '.*', url: \"https://x.example.com/b\", name: B, message: b, matchingRules: [{type: Always}]}\n",
    ),
    (
        "blocked-edges/4.7.4-C.yaml",
        "to: 4.7.4\nfrom: .*\nurl: https://x.example.com/c\nname: C\nmessage: c\nclusters:\n  platform: AWS\n",
    ),
    (
        "channels/stable-4.14.yaml",
        "feeder:\n  delay: P1W\n  errata: public\n  filter: 4[.]14[.].*\n  name: fast\nname: stable-4.14\ntombstones:\n# why\n- 4.14.1\nversions:\n- 4.13.9\n- 4.14.0-rc.1\n- 4.14.2+amd64\n",
    ),
];

const PIECES: &[&str] = &[
    "",
    " ",
    "  ",
    "\n",
    "\t",
    ":",
    ": ",
    "- ",
    "#",
    " #",
    "'",
    "\"",
    "|",
    ">",
    "&a ",
    "*a",
    "!x ",
    "!!str ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "~",
    "null",
    "true",
    "1",
    "1.5",
    "4.14",
    "v",
    "é",
    "\u{85}",
    "\u{feff}",
    "\u{7}",
    "\r",
    "---\n",
    "...\n",
    "to: 4.14.3\n",
    "from: x\n",
    "extra: y\n",
    "name: Z\n",
    "promql",
    "PromQL",
    "clusters: {}\n",
    "\\",
    "(",
    "?",
    "%",
    "@",
    "<<: {a: b}\n",
    "- \n",
    "[]",
    "{}",
    "\n\n",
    "0",
    "-01",
    "https://",
    "type: Always\n",
    "matchingRules:\n",
    "=",
];

/// Removes some text, inserts some, or moves a line.
pub(crate) fn small_change() -> impl Strategy<Value = (usize, usize, usize, usize)> {
    (0..6_usize, any::<usize>(), 0..14_usize, 0..PIECES.len())
}

pub(crate) fn damaged(
    text: &str,
    (kind, at, length, piece): (usize, usize, usize, usize),
) -> String {
    let at = text.floor_char_boundary(at % (text.len() + 1));
    let end = text.ceil_char_boundary((at + length).min(text.len()));
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let line = at % lines.len().max(1);
    let piece = PIECES[piece];
    match kind {
        0 => format!("{}{piece}{}", &text[..at], &text[at..]),
        1 => format!("{}{piece}{}", &text[..at], &text[end..]),
        2 if !lines.is_empty() => {
            lines.remove(line);
            lines.concat()
        }
        3 if !lines.is_empty() => {
            lines.insert(line, lines[(line + length) % lines.len()]);
            lines.concat()
        }
        4 if !lines.is_empty() => {
            // Replaces a value.
            let changed = lines[line].split_once(':').map(|(key, _)| format!("{key}: {piece}\n"));
            lines
                .iter()
                .enumerate()
                .map(|(i, l)| if i == line { changed.as_deref().unwrap_or(l) } else { l })
                .collect()
        }
        _ => text.replacen(text.get(at..end).unwrap_or_default(), piece, 1),
    }
}

proptest! {
    #![proptest_config(crate::cases(20_000))]

    #[test]
    fn judges_agree_on_random_small_changes(
        file in 0..GOOD.len(),
        damages in proptest::collection::vec(small_change(), 1..3),
    ) {
        let (path, good) = GOOD[file];
        let text = damages.into_iter().fold(good.to_owned(), |text, damage| damaged(&text, damage));
        judges_agree(path, &text)?;
        fixes_do_no_harm(path, &text)?;
    }
}

/// A fix changes something, and breaks nothing: the file still parses, still loads if it did, and
/// has no new duplicate key. (A renamed key may show a fault of its value. The command counts
/// errors before it writes anything.)
fn fixes_do_no_harm(path: &str, text: &str) -> Result<(), TestCaseError> {
    const BROKEN: [&str; 2] = ["yaml-syntax", "duplicate-key"];
    let broken = |found: &[Finding]| found.iter().filter(|f| BROKEN.contains(&f.rule.name)).count();
    let data = repository(path, text);
    let found = findings(&data, path);
    for finding in &found {
        let Some(fix) = &finding.fix else { continue };
        let (texts, taken) = edit::apply(&data.sources, [fix]);
        let name = finding.rule.name;
        prop_assert_eq!(taken.len(), 1, "{} offers to change nothing: {:?}", name, text);
        let mended = texts.values().next().unwrap();
        let after = findings(&repository(path, mended), path);
        let harm = broken(&after) > broken(&found);
        prop_assert!(!harm, "{name} does harm: {text:?} → {mended:?}");
        let is_rename = name == "unknown-key";
        let loads = is_rename || service::loads(path, mended) || !service::loads(path, text);
        prop_assert!(loads, "{name} makes the service drop it: {text:?} → {mended:?}");
    }
    Ok(())
}

#[test]
fn good_files_have_no_findings_and_load() {
    for (path, text) in GOOD {
        judges_agree(path, text).unwrap();
        let is_draft = text.contains("clusters");
        assert_eq!(service::loads(path, text), !is_draft, "{path}");
        assert_eq!(schema_accepts(path, text), Some(true), "{path}");
        let found = findings(&repository(path, text), path);
        assert_eq!(found.len(), usize::from(is_draft), "{path}: {found:#?}");
    }
}

#[test]
fn judges_agree_on_every_value_replaced() {
    for (path, text) in GOOD {
        for (i, line) in text.lines().enumerate() {
            let Some((key, _)) = line.split_once(": ") else { continue };
            for value in [
                "", "~", "null", "[]", "{}", "[x]", "{x: y}", "1", "1.5", "true", "yes", "''",
                "' '", "\"é\"", "|\n    x",
            ] {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines[i] = format!("{key}: {value}");
                let damaged = lines.join("\n") + "\n";
                judges_agree(path, &damaged).unwrap_or_else(|e| panic!("{e}"));
                fixes_do_no_harm(path, &damaged).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

#[test]
fn no_fix_changes_an_alias() {
    let path = "blocked-edges/4.14.3.yaml";
    for text in ["to: &a v4.14.3\nfrom: *a\n", "{to: &a !!str v4.14.3, from: *a}\n"] {
        let found = findings(&repository(path, text), path);
        assert!(found.iter().any(|finding| finding.rule.name == "invalid-version"), "{found:#?}");
        assert!(found.iter().all(|finding| finding.fix.is_none()), "{found:#?}");
    }
}
