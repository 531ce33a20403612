//! What is said of a pattern in one risk does not depend on other risks with the same pattern.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::{Scratch, exitpath};

const PATTERNS: [&str; 8] = [
    // The prefix of another patch, any digits, the middle of a version, and a dot for any
    // character.
    "4[.]1[345][.]2",
    "4[.]1[345][.]2.*",
    "1[345][.]2[+]",
    "4[.]1[345].2[01][+].*",
    // A part of the patches of a minor.
    "^4[.]1[345][.](0|1|5|20)[+].*$",
    // Alternatives with typos, for the minors of different targets.
    "^4[.](13[.]2|15[.]0-rc[0-2])[+].*$",
    "^4[.](13[.]2[+].*|15[.]20$)",
    "^4[.]15[.]20$",
];

fn repository(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("version", "1.1.0\n");
    for minor in [14, 15, 16] {
        let mut channel = format!("name: candidate-4.{minor}\nversions:\n");
        for one in [minor - 1, minor] {
            for patch in ["0-rc.0", "0-rc.1", "0", "1", "2", "5", "20", "21"] {
                writeln!(channel, "- 4.{one}.{patch}").unwrap();
            }
        }
        scratch.write(&format!("channels/candidate-4.{minor}.yaml"), channel);
    }
    scratch
}

fn declare(scratch: &Scratch, risk: &str, target: &str, pattern: &str) {
    let text = format!(
        "to: {target}\nfrom: {pattern}\nname: {risk}\nurl: https://example.com/x\n\
         message: Some nodes lose their names.\nmatchingRules:\n- type: Always\n"
    );
    scratch.write(&format!("blocked-edges/{target}-{risk}.yaml"), text);
}

/// The findings in the file of a risk.
fn found(scratch: &Scratch, risk: &str) -> Vec<Json> {
    let run = exitpath(["check", "--format", "json", scratch.path().to_str().unwrap()]);
    let report: Json = serde_json::from_str(&run.out).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .filter(|one| one["path"].as_str().is_some_and(|path| path.contains(risk)))
        .cloned()
        .collect()
}

#[test]
fn findings_about_a_pattern_are_about_the_targets_of_its_risk() {
    let mut rules = BTreeSet::new();
    for pattern in PATTERNS {
        let alone = repository("alone");
        declare(&alone, "RiskOfEarly", "4.14.5", pattern);
        let expected = found(&alone, "RiskOfEarly");
        let together = repository("together");
        declare(&together, "RiskOfEarly", "4.14.5", pattern);
        declare(&together, "RiskOfLate", "4.16.5", pattern);
        assert_eq!(found(&together, "RiskOfEarly"), expected, "{pattern}");
        rules.extend(expected.iter().map(|one| one["rule"].as_str().unwrap().to_owned()));
    }
    assert!(rules.len() > 3, "{rules:?}");
}

#[test]
fn a_pattern_is_not_said_to_match_what_cannot_be_updated_to_the_target() {
    let scratch = repository("origins");
    declare(&scratch, "RiskOfEarly", "4.14.5", PATTERNS[0]);
    declare(&scratch, "RiskOfLate", "4.16.5", PATTERNS[0]);
    let message = |risk| {
        let found = found(&scratch, risk);
        let finding = found.iter().find(|one| one["rule"] == "from-inside-version");
        finding.unwrap()["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        [message("RiskOfEarly"), message("RiskOfLate")],
        ["4.13.20 and 4.13.21", "4.15.20 and 4.15.21"].map(|releases| format!(
            "`from` also matches {releases} because the pattern is unanchored"
        ))
    );
}
