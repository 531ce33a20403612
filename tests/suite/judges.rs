//! Three judges of one file, held against each other: our findings, the
//! schema's verdict, and what the service's own parser loads.
//!
//! Good files are damaged in thousands of small ways. The other two judges are
//! written here once more, from the libraries up, and share no code with ours.

use std::collections::BTreeSet;

use exitpath::testing::domain::Severity;
use exitpath::testing::edit;
use exitpath::testing::graph_data::{GraphData, Verdict};
use exitpath::testing::lint::{Request, lint, path_of};
use exitpath::testing::rules::{Check, Family, Finding, RULES, Rule, Subject};
use exitpath::testing::schema;
use exitpath::testing::tree::Blob;
use proptest::prelude::*;
use serde::Deserialize;

/// The service's reader, as far as it decides what loads.
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

/// The schema's verdict, by way of another reader of YAML; none where that has no JSON to offer.
fn schema_accepts(path: &str, text: &str) -> Option<bool> {
    let schema =
        if path.starts_with("channels/") { &schema::CHANNEL } else { &schema::BLOCKED_EDGES_1_1 };
    // That reader makes mappings of tagged values.
    let is_tagged = ["!x", "!!", "! "].iter().any(|tag| text.contains(tag));
    let value = serde_yaml::from_str::<serde_yaml::Value>(text).ok().filter(|_| !is_tagged)?;
    let json = serde_json::to_value(value).ok()?;
    Some(schema.validator().is_valid(&json))
}

/// What feeds the good channel.
const FAST: &str = "name: fast\nversions:\n- 4.13.9\n- 4.14.0-rc.1\n- 4.14.2+amd64\n";

fn repository(path: &str, text: &str) -> GraphData {
    let blob = |path: &str, text: &str| Blob {
        path: path.to_owned(),
        content: Ok(text.as_bytes().to_vec()),
    };
    // A channel is judged beside its feeder; a block without channels, which would say what it
    // matches.
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

/// What the three judges must agree on, for any text whatever.
fn hold_against_each_other(path: &str, text: &str) -> Result<(), TestCaseError> {
    let data = repository(path, text);
    let found = findings(&data, path);
    let names: BTreeSet<&str> = found.iter().map(|f| f.rule.name).collect();
    let has_error = found.iter().any(|f| f.severity == Severity::Error);
    let loads = service::loads(path, text);
    let file = data.files.iter().find(|file| data.path(file.id) == path).unwrap();

    // Where readers end lines in different places, what follows is anyone's guess.
    // So it is with `{?url: x}`, where YAML 1.1 sees a mark and YAML 1.2 a letter,
    // and with a byte order mark inside a text.
    let is_guess = names.contains("unusual-line-break") || text.contains(['?', '\u{feff}']);

    // Our own question to the service's parser has the answer of the service's parser.
    prop_assert!(
        is_guess || (file.verdict == Verdict::Loads) == loads,
        "{:?}: {:?}",
        file.verdict,
        text
    );

    // What production drops is an error of ours. The one exception is asked for.
    let is_draft = names.contains("draft-clusters");
    prop_assert!(loads || has_error || is_draft, "dropped, and we say {:?}: {:?}", names, text);

    // Each objection of the schema is told by exactly one rule.
    let subject = Subject { data: &data, file };
    for fault in &file.faults {
        let claims: Vec<&str> = RULES
            .iter()
            .filter(|rule| matches!(rule.check, Check::Fault(check) if check(&subject, fault).is_some()))
            .map(|rule| rule.name)
            .collect();
        prop_assert_eq!(claims.len(), 1, "{:?} is claimed by {:?} in {:?}", fault, claims, text);
    }

    // What either the schema or production refuses does not pass in silence.
    let accepted = schema_accepts(path, text);
    prop_assert!(
        accepted != Some(false) || !found.is_empty(),
        "the schema refuses this, we do not: {:?}",
        text
    );

    // What both accept is not called broken by rules that speak for one of them. Other rules know
    // more: duplicate keys, for example, pass both where no reader looks.
    let speaks_for_them = |rule: &Rule| {
        matches!(rule.check, Check::Fault(_))
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

const GOOD: &[(&str, &str)] = &[
    ("blocked-edges/4.14.3.yaml", "to: 4.14.3\nfrom: ^4[.]13[.].*$\n"),
    (
        "blocked-edges/4.14.3-A.yaml",
        "to: 4.14.3\nfrom: ^4[.]13[.].*$\nfixedIn: 4.14.5\nurl: https://x.example.com/a\nname: A\nmessage: |-\n  It\n  breaks.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      group(up{_id=\"\",job=\"a\"}) or 0 * group(up{_id=\"\"})\n- type: Always\n",
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

/// A small damage: some text goes, some comes, or a line moves.
fn damage() -> impl Strategy<Value = (usize, usize, usize, usize)> {
    (0..6_usize, any::<usize>(), 0..14_usize, 0..PIECES.len())
}

fn damaged(text: &str, (kind, at, length, piece): (usize, usize, usize, usize)) -> String {
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
            // A value goes, and something else stands in its place.
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
    fn thousands_of_small_damages(
        file in 0..GOOD.len(),
        damages in proptest::collection::vec(damage(), 1..3),
    ) {
        let (path, good) = GOOD[file];
        let text = damages.into_iter().fold(good.to_owned(), |text, damage| damaged(&text, damage));
        hold_against_each_other(path, &text)?;
        mend(path, &text)?;
    }
}

/// A fix changes something, and never breaks what was whole: the file still parses, still
/// loads if it did, and has no key twice that it had once. (A value may show a fault of its
/// own under its right name; the command counts errors before it writes anything.)
fn mend(path: &str, text: &str) -> Result<(), TestCaseError> {
    const BROKEN: [&str; 2] = ["yaml-syntax", "duplicate-key"];
    let broken = |found: &[Finding]| found.iter().filter(|f| BROKEN.contains(&f.rule.name)).count();
    let data = repository(path, text);
    let found = findings(&data, path);
    for finding in &found {
        let Some(fix) = &finding.fix else { continue };
        let (texts, taken) = edit::apply(&data.sources, [fix]);
        let name = finding.rule.name;
        prop_assert_eq!(taken, 1, "{} offers to change nothing: {:?}", name, text);
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
fn good_files_are_good_to_all_three() {
    for (path, text) in GOOD {
        hold_against_each_other(path, text).unwrap();
        let is_draft = text.contains("clusters");
        assert_eq!(service::loads(path, text), !is_draft, "{path}");
        assert_eq!(schema_accepts(path, text), Some(true), "{path}");
        let found = findings(&repository(path, text), path);
        assert_eq!(found.len(), usize::from(is_draft), "{path}: {found:#?}");
    }
}

/// Every scalar of every good file, in turn, as something else.
#[test]
fn every_value_as_something_else() {
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
                hold_against_each_other(path, &damaged).unwrap_or_else(|e| panic!("{e}"));
                mend(path, &damaged).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}
