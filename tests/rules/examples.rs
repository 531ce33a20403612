//! A rule fires on its bad example, with the expected words, and no rule fires on the good one.

use exitpath::testing::rules::Rule;

use crate::shared::golden::golden;
use crate::shared::rule_examples::{FIXTURES, check_example, findings, is_about_changes};

pub(crate) fn judge(rule: &Rule) {
    let bad = findings(rule, "bad");
    assert!(bad.iter().any(|f| f["rule"] == rule.name), "the rule is silent on bad/: {bad:#?}");
    if is_about_changes(rule) {
        assert!(bad.iter().all(|f| f["rule"] == rule.name), "other rules fire on bad/: {bad:#?}");
    }
    let good = findings(rule, "good");
    assert!(good.is_empty(), "good/ has findings: {good:#?}");
    let shown = check_example(rule, "bad", &["--info"]).out;
    golden(format!("{FIXTURES}/{}/bad.txt", rule.name), &shown);
}
