//! One test for each rule, by its name: `cargo test double_slash_url`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests fail by panicking"
)]
#![allow(clippy::print_stderr, reason = "a test that fails shows how")]

#[path = "../shared/mod.rs"]
mod shared;

mod allowed;
mod declarations;
mod examples;
mod fixes;
mod formats;

use std::process::ExitCode;

use exitpath::testing::rules::{RULES, Rule};
use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let test = |rule: &'static Rule| {
        Trial::test(rule.name.replace('-', "_"), move || {
            judge(rule);
            Ok(())
        })
    };
    let tests = RULES.iter().copied().map(test).collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// Everything that must be true of each rule.
fn judge(rule: &Rule) {
    examples::judge(rule);
    formats::judge(rule);
    fixes::judge(rule);
    allowed::judge(rule);
    declarations::judge(rule);
    for name in rule.properties.explained_by {
        assert!(Rule::find(name).is_some(), "there is no rule `{name}` that could explain it");
    }
}
