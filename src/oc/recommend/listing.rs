//! The targets of one minor version: a table, or the newest two.

use std::fmt::Write as _;

use super::super::texts::indented;
use super::targets::{Minor, objection};
use crate::cluster::object::{Condition, ConditionalUpdate, newest_first};
use crate::go::tabwriter;

const HEADER: &str = "  VERSION\tISSUES\n";
const NO_ISSUES: &str = "no known issues relevant to this cluster";

/// How many targets are shown if the outdated ones are not.
const SHOWN: usize = 2;

pub(super) fn of_minor(
    (major, minor): Minor,
    targets: &[ConditionalUpdate],
    shows_outdated: bool,
) -> String {
    let mut targets: Vec<&ConditionalUpdate> = targets.iter().collect();
    targets.sort_by(|a, b| newest_first(&a.release.version, &b.release.version));
    let listed = if shows_outdated { all(&targets) } else { newest(&targets, (major, minor)) };
    format!("\nUpdates to {major}.{minor}:\n{listed}")
}

fn all(targets: &[&ConditionalUpdate]) -> String {
    let mut rows = HEADER.to_owned();
    for target in targets {
        let issue = objection(target).map_or(NO_ISSUES.into(), |objection| objection.reason);
        let _ = writeln!(rows, "  {}\t{issue}", target.release.version);
    }
    tabwriter::aligned(&rows)
}

/// Each row is a table of its own: only the first has the header, and a long version widens no other
/// row. After a target with issues, there is a header again.
fn newest(targets: &[&ConditionalUpdate], (major, minor): Minor) -> String {
    let mut text = String::new();
    let (mut needs_header, mut follows_block) = (true, false);
    for (at, target) in targets.iter().take(SHOWN + 1).enumerate() {
        let objection = objection(target);
        if follows_block || objection.is_some() {
            text.push('\n');
            needs_header = true;
        }
        // The target that is not shown any more decides too whether there is a blank line.
        if at == SHOWN {
            let count = targets.len() - SHOWN;
            let _ = writeln!(
                text,
                "And {count} older {major}.{minor} updates you can see with \
                 '--show-outdated-releases' or '--version VERSION'."
            );
            break;
        }
        follows_block = objection.is_some();
        if let Some(objection) = objection {
            text.push_str(&block(target, &objection));
            continue;
        }
        let header = if needs_header { HEADER } else { "" };
        let row = format!("{header}  {}\t{NO_ISSUES}\n", target.release.version);
        text.push_str(&tabwriter::aligned(&row));
        needs_header = false;
    }
    text
}

fn block(target: &ConditionalUpdate, objection: &Condition) -> String {
    format!(
        "  Version: {}\n  Image: {}\n  Reason: {}\n  Message: {}\n",
        target.release.version,
        target.release.image,
        objection.reason,
        indented(objection.message.trim())
    )
}
