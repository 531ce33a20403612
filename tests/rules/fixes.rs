//! Fixes are compared file by file with `fixed/`. A second run finds nothing more to fix.

use std::fs;
use std::path::Path;

use exitpath::testing::rules::Rule;

use crate::shared::golden::golden;
use crate::shared::rule_examples::{FIXTURES, findings, findings_of, is_about_catalogs};
use crate::shared::run::exitpath;
use crate::shared::scratch::{Scratch, files_below};

pub(crate) fn judge(rule: &Rule) {
    let folder = Path::new(FIXTURES).join(rule.name);
    let before = findings(rule, "bad");
    let fixed = folder.join("fixed");
    if !before.iter().any(|finding| finding["fix"].is_object()) {
        assert!(!fixed.exists(), "the rule has no fix, and {} exists", fixed.display());
        return;
    }
    let scratch = Scratch::copy_of(rule.name, &folder.join("bad"));
    let repository = scratch.path().to_str().unwrap();
    let command = if is_about_catalogs(rule) { &["catalog", "check"][..] } else { &["check"] };
    exitpath([command, &[repository, "--fix"]].concat());
    for path in files_below(scratch.path()) {
        let relative = path.strip_prefix(scratch.path()).unwrap();
        golden(fixed.join(relative), &fs::read_to_string(&path).unwrap());
    }
    let left = findings_of(&exitpath([command, &[repository, "--format", "json"]].concat()));
    assert!(left.iter().all(|finding| finding["fix"].is_null()), "more to fix: {left:#?}");
    assert!(left.len() < before.len(), "--fix fixed nothing");
}
