//! Releases that a change leaves without an exit path.

use crate::change::{Effect, RiskStatus};
use crate::domain::HashSet;
use crate::rules::{Change, Check, Family, Finding, Properties, Rule, Severity, Stranding};

pub(super) static RULE: Rule = Rule {
    code: "EP805",
    name: "newly-stranded",
    properties: Properties { is_about_exits: true, ..Properties::USUAL },
    family: Family::Change,
    severity: Severity::Error,
    summary: "a supported release that the change leaves without an exit path",
    explanation: "\
Before the change, clusters on the release could reach a goal with unconditional updates:
any other release, the newest patch of their minor, or the channel's minor. After the
change they cannot. There is one finding for each cause.

The finding is an error in two cases: the change blocks or removes all exit paths, or it
adds a release to a channel in which the release has no updates. It is a warning if a block
removes only the newest patch. Where risks strand the releases, people do that on purpose: it
is an info, unless a release without the risk waits in an earlier channel. Then it is a warning,
and the help names the release to promote. The severity is info if a release joins a channel in
which it has only conditional updates.

If the change is meant to do this, put `# exitpath: allow(newly-stranded): REASON` at the
top of the file, or state it: `Exitpath-Expect: strands 4.18.9 in stable-4.18` in the
commit message.

`check --base` and `diff` run this rule.",
    bad: "\
before:  4.14.1 -> 4.14.2
after:   4.14.1 -(risks: ExampleRisk)-> 4.14.2, and 4.14.2 is the newest",
    good: "\
after:   4.14.1 -(risks: ExampleRisk)-> 4.14.2, and 4.14.1 -> 4.14.3",
    check: Check::UpdatesChange(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let Some(graphs) = change.graphs else { return };
    let is_declared = |risk: &&crate::change::RiskChange| risk.status != RiskStatus::Gone;
    let declared = graphs.comparison.risks.iter().filter(is_declared);
    let declared: HashSet<&str> = declared.filter_map(|risk| risk.name.as_deref()).collect();
    let is_new = |name: &str| declared.contains(name);
    let exits = &graphs.exits;
    for entries in [&exits.stranded, &exits.conditional_only] {
        for stranding in Stranding::of_change(&exits.after, entries, &is_new) {
            findings.push(finding(change, &stranding));
        }
    }
}

fn finding(change: &Change<'_>, stranding: &Stranding<'_>) -> Finding {
    let place = stranding.place(change.after, |file| change.is_changed(file));
    let message = format!("with this change, {}", stranding.sentence());
    let about = stranding.about();
    let finding = Finding::on(&RULE, place, message).severity(stranding.severity).about(about);
    let meant = "if this is intended, put `# exitpath: allow(newly-stranded): REASON` at the top of this file";
    let help = match (stranding.effect, stranding.help()) {
        (Some(Effect::ConditionalOnly), _) => return finding,
        (_, None) if stranding.severity == Severity::Info => return finding,
        (Some(Effect::DeadEnd), _) => {
            format!("first promote a release that it can update to; {meant}")
        }
        (_, Some(help)) => format!("{help}; {meant}"),
        (_, None) => meant.to_owned(),
    };
    finding.help(help)
}
