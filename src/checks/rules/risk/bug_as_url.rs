//! A `url` that leads to the bug instead of its impact statement.

use crate::graph_data::{GraphData, Text};

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP231",
    name: "bug-as-url",
    properties: Properties::OF_TEXTS,
    family: Family::Risk,
    severity: Severity::Info,
    summary: "a `url` that leads to the bug instead of its impact statement",
    explanation: "\
Administrators open the `url` to find out who is affected, how bad it is, and what to do.
The impact statement answers that; it is an issue of its own, a comment on the bug, or a
knowledge-base article. The bug itself is a long discussion, and often not public.",
    bad: "url: https://issues.redhat.com/browse/OCPBUGS-1",
    good: "url: https://issues.redhat.com/browse/MCO-1",
    check: Check::Declarations(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for (name, files) in data.declarations_by_risk() {
        let is_bug = |url: &&Text| is_bug(&url.value);
        let mut urls = files.iter().filter_map(|edge| edge.url.as_ref()).filter(is_bug);
        let Some(first) = urls.next() else { continue };
        let message = format!(
            "the `url` of the risk `{}` leads to the bug, not to its impact statement",
            shortened(name)
        );
        let finding = Finding::at(&RULE, first.span, message)
            .grouped(format!("{name}: {}", first.value))
            .help("link to the impact statement, to the comment that has it, or to an article");
        findings.push(urls.fold(finding, |finding, url| finding.copy(url.span, "the same risk")));
    }
}

/// Whether a URL leads to a bug as a whole, not to one of its comments.
fn is_bug(url: &str) -> bool {
    const JIRA: &str = "/browse/OCPBUGS-";
    const BUGZILLA: &str = "bugzilla.redhat.com/show_bug.cgi?id=";
    let url = url.trim_end_matches('/');
    let page = url.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_only = |marker| page.strip_suffix(marker).is_some_and(|before| !before.contains(marker));
    let has_number = page.len() < url.len();
    has_number && (is_only(JIRA) || is_only(BUGZILLA) && !page.contains(JIRA))
}

#[cfg(test)]
mod tests {
    use super::is_bug;

    #[test]
    fn a_bug_is_not_its_comment() {
        let jira = "https://issues.redhat.com/browse/OCPBUGS-1";
        let bugzilla = "https://bugzilla.redhat.com/show_bug.cgi?id=20";
        for bug in [jira, bugzilla] {
            assert!(is_bug(bug) && is_bug(&format!("{bug}/")), "{bug}");
            for more in ["?focusedId=3", "#c3", "-x", "x"] {
                assert!(!is_bug(&format!("{bug}{more}")), "{bug}{more}");
            }
            assert!(!is_bug(&format!("{bug}?next={bug}")));
        }
        assert!(!is_bug("https://issues.redhat.com/browse/OCPBUGS-"));
        assert!(!is_bug("https://issues.redhat.com/browse/MCO-1"));
        assert!(is_bug(&format!("{bugzilla}?next={jira}")));
        assert!(!is_bug(&format!("{jira}?next={bugzilla}")));
    }
}
