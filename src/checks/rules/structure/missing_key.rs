//! A required key that is missing.

use crate::schema::{Fault, Problem};
use crate::text::is_typo_of;
use crate::yaml::NodeId;

use crate::rules::shared::words::effect_of_bad_value;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Subject};
use crate::text::words::{list_all, quoted};

pub(super) static RULE: Rule = Rule {
    code: "EP022",
    name: "missing-key",
    properties: Properties::USUAL,
    family: Family::Structure,
    severity: Severity::Error,
    summary: "a required key is missing",
    explanation: "\
The service reads a file in `blocked-edges/` as a block (only `to` and `from`) or as a
risk (`to`, `from`, `url`, `name`, `message`, and `matchingRules`). It drops a file that
is neither, and writes a log line that nobody reads. It then recommends to all clusters the
updates that the file should hold back.

The service does not serve a channel without `name` or `versions`, and does not even log a
line.",
    bad: "\
to: 4.14.3
from: 4[.]13[.].*
name: ExampleRisk
url: https://issues.example.com/browse/BUG-1
matchingRules:
- type: Always",
    good: "\
to: 4.14.3
from: 4[.]13[.].*
name: ExampleRisk
url: https://issues.example.com/browse/BUG-1
message: Nodes may not come back after their first reboot.
matchingRules:
- type: Always",
    check: Check::Fault(check),
};

fn check(subject: &Subject<'_>, fault: &Fault) -> Option<Finding> {
    let Problem::MissingKeys { keys, lookalike } = &fault.problem else { return None };
    if matches!(fault.part.as_str(), "rule" | "promql" | "feeder") {
        return None;
    }
    let effect = effect_of_bad_value(subject.file.kind, &fault.pointer);
    if let Some(written) = lookalike {
        return Some(misspelled(subject, *written, &keys[0], effect));
    }
    let mapping = match fault.pointer.as_str() {
        "" => String::new(),
        pointer => format!(" in `{}`", pointer.trim_start_matches('/').replace('/', ".")),
    };
    // A missing key has no place, so the finding is at the first key of the mapping.
    let entries = subject.document()?.entries(fault.node);
    let place = entries
        .first()
        .map_or(Place::File(subject.file.id), |first| Place::Text(subject.span(first.key)));
    let are = if keys.len() == 1 { "is" } else { "are" };
    let message = format!("{} {are} missing{mapping}, {effect}", list_all(&quoted(keys), "and"));
    let help = keys.iter().map(|key| format!("`{key}: …`")).collect::<Vec<_>>().join(", ");
    Some(Finding::on(&RULE, place, message).about(keys.join(" ")).help(format!("add {help}")))
}

fn misspelled(subject: &Subject<'_>, written: NodeId, key: &str, effect: &str) -> Finding {
    let text = subject.quoted(written);
    let message = format!("`{text}` is not a key, and `{key}` is missing, {effect}");
    let finding = Finding::at(&RULE, subject.span(written), message);
    let finding = finding.about(key).help(format!("did you mean `{key}`?"));
    if is_typo_of(&text, key) { subject.renaming(finding, written, key) } else { finding }
}
