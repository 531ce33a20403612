//! Rules about channels that look at when releases were promoted.

use serde_json::Value;

use crate::data::lineage::GrowingRepository;
use crate::exitpath;

const DAY: i64 = 24;

/// A repository in which `fast-4.2` gets its releases from `fast` without a delay.
fn with_feeder(name: &str) -> GrowingRepository {
    let repository = GrowingRepository::new(name);
    repository.scratch.write("exitpath.toml", "[supported]\ndays = 90\n");
    repository.scratch.write(
        "channels/fast-4.2.yaml",
        "feeder:\n  delay: PT0H\n  filter: 4[.][12][.][0-9]+\n  name: fast\nname: fast-4.2\nversions:\n",
    );
    repository
}

/// The findings of a rule on a day, each as severity and message.
fn findings(repository: &GrowingRepository, rule: &str, options: &[&str]) -> Vec<(String, String)> {
    let root = repository.path().to_str().unwrap();
    let arguments = ["check", root, "--no-cache", "--select", rule, "--format", "json"];
    let run = exitpath([&arguments, options].concat());
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|finding| (text(finding, "severity"), text(finding, "message"))).collect()
}

fn on_day(repository: &GrowingRepository, day: i64, rule: &str) -> Vec<(String, String)> {
    repository.commit(day * DAY);
    findings(repository, rule, &[])
}

#[test]
fn a_release_that_was_passed_over_is_reported_after_a_week() {
    let repository = with_feeder("overdue");
    repository
        .enable(1, "4.2.0", &["candidate", "fast", "fast-4.2"])
        .enable(DAY, "4.2.1", &["candidate", "fast"])
        .enable(2 * DAY, "4.2.2", &["candidate", "fast", "fast-4.2"]);
    assert_eq!(on_day(&repository, 8, "passed-over"), []);
    let words = |days: &str| {
        format!(
            "`fast-4.2` does not have 4.2.1, but its feeder `fast` has it. The bot could have promoted it {days} ago"
        )
    };
    let warning = |days: &str| vec![("warning".to_owned(), words(days))];
    assert_eq!(on_day(&repository, 12, "passed-over"), warning("10 days"));
    assert_eq!(on_day(&repository, 80, "passed-over"), warning("78 days"));
    let info = vec![("info".to_owned(), words("98 days"))];
    assert_eq!(on_day(&repository, 100, "passed-over"), info, "nobody will add it any more");
    let root = repository.path().to_str().unwrap();
    let clone = repository.scratch.path().join("shallow");
    let url = format!("file://{root}");
    crate::git(repository.path(), &["clone", "-q", "--depth", "1", &url, clone.to_str().unwrap()]);
    let run = exitpath(["check", clone.to_str().unwrap(), "--select", "passed-over", "--info"]);
    assert!(run.out.contains("☞ `fast-4.2` does not have 4.2.1"), "{}", run.out);
}

#[test]
fn a_release_waits_until_it_can_be_updated_to_the_minor_of_the_channel() {
    let repository = with_feeder("waiting");
    repository
        .enable(1, "4.1.0", &["candidate", "fast", "fast-4.2"])
        .enable(5 * DAY, "4.2.0", &["candidate", "fast", "fast-4.2"])
        .enable(10 * DAY, "4.1.1", &["candidate", "fast"]);
    assert_eq!(
        on_day(&repository, 30, "passed-over"),
        [],
        "no release of 4.2 has an update from it"
    );
    repository.enable(31 * DAY, "4.2.1", &["candidate", "fast", "fast-4.2"]);
    let missing = "`fast-4.2` does not have 4.1.1, but its feeder `fast` has it";
    let now = ("info".to_owned(), format!("{missing}, and the bot can promote it now"));
    assert_eq!(on_day(&repository, 32, "passed-over"), [now]);
    let late = format!("{missing}. The bot could have promoted it 9 days ago");
    assert_eq!(on_day(&repository, 40, "passed-over"), [("warning".to_owned(), late)]);
}

#[test]
fn a_mistake_of_long_ago_is_an_info_unless_a_change_makes_it() {
    let repository = with_feeder("long-ago");
    repository.enable(1, "4.2.0", &["candidate", "fast", "fast-4.2"]);
    repository.enable(2, "4.2.1", &["candidate", "fast-4.2"]);
    let words = "4.2.1 is in `fast-4.2` but not in its feeder `fast`".to_owned();
    let found = |severity: &str| vec![(severity.to_owned(), words.clone())];
    assert_eq!(on_day(&repository, 80, "ahead-of-feeder"), found("warning"));
    assert_eq!(on_day(&repository, 100, "ahead-of-feeder"), found("info"));
    repository.enable(101 * DAY, "4.2.1", &["fast"]);
    assert_eq!(findings(&repository, "ahead-of-feeder", &[]), []);
    let fast = "name: fast\nversions:\n- 4.2.0\n";
    repository.scratch.write("internal-channels/fast.yaml", fast);
    let change = findings(&repository, "ahead-of-feeder", &["--base", "HEAD"]);
    assert_eq!(change, found("warning"));
}

#[test]
fn a_risk_on_the_last_prerelease_is_reported_for_as_long_as_somebody_may_end_it() {
    let repository = GrowingRepository::new("prerelease-risk");
    repository.scratch.write(
        "blocked-edges/4.2.0-rc.1-ExampleRisk.yaml",
        "to: 4.2.0-rc.1\nfrom: .*\nurl: https://issues.example.com/browse/BUG-1\n\
         name: ExampleRisk\nmessage: It breaks.\nmatchingRules:\n- type: Always\n",
    );
    repository.enable(1, "4.2.0-rc.1", &["candidate", "candidate-4.2"]);
    let rule = "prerelease-risk-without-fix";
    assert_eq!(on_day(&repository, 20, rule), []);
    repository.enable(21 * DAY, "4.2.0", &["candidate", "candidate-4.2"]);
    let severity = |day| on_day(&repository, day, rule).pop().unwrap().0;
    assert_eq!((severity(80), severity(120)), ("warning".to_owned(), "info".to_owned()));
}
