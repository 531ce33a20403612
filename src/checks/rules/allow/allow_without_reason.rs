//! A comment that allows a rule without a reason.

use crate::rules::{Allowance, Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP902",
    name: "allow-without-reason",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Allow,
    severity: Severity::Warning,
    summary: "a comment that allows a rule without a reason",
    explanation: "\
The next reader of the file needs to know whether the reason still applies. Write the
reason after a colon: `# exitpath: allow(rule-name): reason`.",
    bad: "\
# exitpath: allow(vague-url)
url: https://status.example.com/",
    good: "\
# exitpath: allow(vague-url): there is no other page
url: https://status.example.com/",
    check: Check::Allow(check),
};

fn check(allow: &Allowance<'_>) -> Option<Finding> {
    if allow.has_reason {
        return None;
    }
    let message = format!("this comment allows `{}` without a reason", shortened(allow.rule));
    Some(
        Finding::at(&RULE, allow.span, message)
            .help("add the reason after a colon: `allow(rule-name): reason`"),
    )
}
