//! A file that cannot be read.

use crate::graph_data::NoDocument;
use crate::rules::shared::files::why_unreadable;
use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Subject};
use crate::tree::MAX_FILE;

pub(super) static RULE: Rule = Rule {
    code: "EP001",
    name: "unreadable-file",
    properties: Properties { is_allowed_by_comments: false, ..Properties::USUAL },
    family: Family::File,
    severity: Severity::Error,
    summary: "a data file that cannot be read, or is not UTF-8 text",
    explanation: "\
The service reads every data file from a checkout of the repository. It ignores a file
that it cannot read, and with it the block or the channel in that file. Some problems (a
folder named `x.yaml`) make it keep serving an old graph.

exitpath follows a symbolic link only if it ends at another data file in the repository.
It never opens anything outside the repository.",
    bad: "channels/stable-4.14.yaml -> ../../elsewhere/stable-4.14.yaml",
    good: "channels/stable-4.14.yaml    (a regular file, UTF-8, under 4 MiB)",
    check: Check::File(check),
};

fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    // A stray file does no harm. A folder that cannot be listed may hold data files.
    let is_folder = !subject.path().contains('/');
    if !subject.file.kind.is_data() && !is_folder {
        return;
    }
    let (message, help) = match &subject.file.document {
        Err(NoDocument::Unreadable(why)) => why_unreadable(
            why,
            MAX_FILE,
            "the largest real data file has 30 KiB, so this is not a data file",
        ),
        Err(NoDocument::NotUtf8(line, byte)) => (
            format!(
                "this file is not UTF-8 text: byte {byte} of line {line} does not start a character"
            ),
            "save it as UTF-8",
        ),
        _ => return,
    };
    findings.push(Finding::on(&RULE, Place::File(subject.file.id), message).help(help));
}
