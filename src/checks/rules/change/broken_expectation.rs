//! An expectation of the change's author that does not hold.

use crate::change::broken;
use crate::rules::{Change, Check, Family, Finding, Place, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP806",
    name: "broken-expectation",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::Change,
    severity: Severity::Error,
    summary: "an `Exitpath-Expect:` line of a commit message that does not hold for the change",
    explanation: "\
A commit message may state what its author intends, one `Exitpath-Expect:` line for each
statement. `diff --expect` takes the same statements.

- `strands nobody`, or `strands 4.18.9 in stable-4.18`
- `blocks nothing`, or `blocks 4.18.1 -> 4.18.2`: updates that all clusters lose
- `conditional nothing`, or `conditional 4.20.29..4.20.30`: updates that become conditional, or get one more risk
- `only stable-4.18`: no other channel changes

`A -> B` names an update, and `A..B` a range of releases. A range by itself means all
updates to these releases. A statement is only about its own kind of change. All statements
of one kind together must name every change of that kind. A statement that exitpath cannot
read is also an error.

`check --base` and `diff` check the statements.",
    bad: "\
channels/stable-4.14: Promote 4.14.2

Exitpath-Expect: strands nobody

(and the change leaves 4.14.1 without an exit path)",
    good: "\
channels/stable-4.14: Promote 4.14.2

Exitpath-Expect: strands 4.14.1 in stable-4.14",
    check: Check::UpdatesChange(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let Some(graphs) = change.graphs else { return };
    for one in broken(change.expectations, graphs) {
        let stated = one.stated;
        let commit = stated.commit.as_deref().map_or("", |commit| &commit[..commit.len().min(10)]);
        let text = shortened(&stated.text);
        let message = match &stated.statement {
            Ok(_) => {
                format!("the expectation `{text}` of commit {commit} does not hold: {}", one.why)
            }
            Err(_) => {
                format!("the expectation `{text}` of commit {commit} cannot be read: {}", one.why)
            }
        };
        let help = match &stated.statement {
            Ok(_) => "change the files, or the statement in the commit message",
            Err(_) => "`exitpath explain broken-expectation` lists what can be stated",
        };
        let finding = Finding::on(&RULE, place(change, commit), message);
        findings.push(finding.about(format!("{commit} {}", stated.text)).help(help));
    }
}

/// The first file that the change touches. A commit message has no place of its own.
fn place(change: &Change<'_>, commit: &str) -> Place {
    let mut files = change.after.files_by_path();
    let touched = files.find(|file| change.is_changed(file.id));
    touched.map_or_else(|| Place::Absent(format!("commit {commit}")), |file| Place::File(file.id))
}
