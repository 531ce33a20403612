//! A pre-release of a kind that is not published.

use crate::domain::Product;
use crate::graph_data::GraphData;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "EP304",
    name: "unusual-prerelease",
    properties: Properties::OF_ONE_CHANNEL,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a channel member whose pre-release is not `ec`, `fc`, `rc`, or `0.hotfix`",
    explanation: "\
Published pre-releases are engineering, feature, and release candidates (`-ec.N`,
`-fc.N`, `-rc.N`) and hotfixes (`-0.hotfix-…`). Very old releases name their
architecture (`-s390x`). Nightlies and assemblies are test builds. No cluster should be
offered them.",
    bad: "- 4.14.0-assembly.art3091",
    good: "- 4.14.0-rc.1",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for channel in &data.channels {
        for member in &channel.versions {
            let Some(version) = &member.version else { continue };
            if Product::of(version) == Product::OpenShift && !is_usual(version.pre.as_str()) {
                findings.push(
                    Finding::at(&RULE, member.text.span, format!("`{}` is not a published kind of pre-release", version.pre))
                        .help("is this a test build? Published pre-releases are `-ec.N`, `-fc.N`, `-rc.N`, and `-0.hotfix-…`"),
                );
            }
        }
    }
}

fn is_usual(pre: &str) -> bool {
    let numbered = |kind| {
        let number = pre.strip_prefix(kind);
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    pre.is_empty()
        || numbered("ec.")
        || numbered("fc.")
        || numbered("rc.")
        || pre.starts_with("0.hotfix")
        || pre == "s390x"
}
