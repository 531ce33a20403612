//! A comment that hides nothing.

use crate::domain::Named;
use crate::rules::{
    Allowance, Check, Family, Finding, Properties, RULES, Retired, Rule, Severity, shortened,
};
use crate::text::closest;

pub(super) static RULE: Rule = Rule {
    code: "EP901",
    name: "unused-allow",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Allow,
    severity: Severity::Warning,
    summary: "a comment that allows a rule that finds nothing there",
    explanation: "\
`# exitpath: allow(rule-name): reason` allows a rule for the next key or item, or for
the whole file if it comes before the first one. If the rule finds nothing there, or if
there is no such rule, the comment has no effect now, but it can hide a new problem
later.",
    bad: "\
# exitpath: allow(vague-url): the tracker is down
url: https://issues.example.com/browse/BUG-1",
    good: "url: https://issues.example.com/browse/BUG-1",
    check: Check::Allow(check),
};

fn check(allow: &Allowance<'_>) -> Option<Finding> {
    if allow.used {
        return None;
    }
    let name = shortened(allow.rule);
    if Family::ALL.iter().any(|family| family.name() == allow.rule) {
        let message = format!("this comment allows the family `{name}`, which finds nothing here");
        return Some(Finding::at(&RULE, allow.span, message).help("delete the comment"));
    }
    if name.contains([' ', '(']) {
        let message = format!("`{name}` is not a valid rule name, so this comment hides nothing");
        let finding = Finding::at(&RULE, allow.span, message);
        return Some(finding.help("write `# exitpath: allow(rule-name): reason`"));
    }
    if let Some(removed) = Retired::removed(allow.rule) {
        let finding = Finding::at(&RULE, allow.span, removed.note()).severity(Severity::Info);
        return Some(finding.help("remove the rule from the comment, or delete the comment"));
    }
    let Some(rule) = Rule::find(allow.rule) else {
        let finding = Finding::at(&RULE, allow.span, format!("there is no rule `{name}` to allow"));
        return Some(match closest(allow.rule, RULES.iter().map(|rule| rule.name)) {
            Some(meant) => finding.help(format!("did you mean `{meant}`?")),
            None => finding.help("`exitpath rules` lists the rules"),
        });
    };
    // Rules about changes find nothing once the change is merged, and servers differ. Their
    // comments stay as a record.
    if rule.family == Family::Change || rule.needs_server() {
        return None;
    }
    let message = format!("this comment allows `{}`, which finds nothing here", rule.name);
    Some(
        Finding::at(&RULE, allow.span, message)
            .help("remove the rule from the comment, or delete the comment"),
    )
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::rules::{Allowance, Severity};
    use crate::text::{SourceId, Span};

    #[test]
    fn a_comment_for_a_removed_rule_is_only_an_info() {
        let span = Span::new(SourceId::at(0), 0..0);
        let found = |rule: &str| check(&Allowance { span, rule, has_reason: true, used: false });
        let severity = |rule: &str| found(rule).map(|finding| finding.severity);
        assert_eq!(severity("removed-example"), Some(Severity::Info));
        assert_eq!(severity("never-existed"), Some(Severity::Warning));
        let message = found("EP000").map(|finding| finding.message).unwrap_or_default();
        assert!(message.contains("use `vague-url` instead"), "{message}");
    }
}
