//! The targets of one minor version: a table of all, or only the newest two.

use std::fmt::Write as _;

use super::super::texts::indented;
use super::targets::objection;
use crate::cluster::object::{Condition, ConditionalUpdate, newest_first};
use crate::domain::Minor;
use crate::go::tabwriter;

const HEADER: &str = "  VERSION\tISSUES\n";
const NO_ISSUES: &str = "no known issues relevant to this cluster";

/// The number of targets that are shown without the outdated ones.
const SHOWN: usize = 2;

pub(super) fn of_minor(
    minor: Minor,
    targets: &[ConditionalUpdate],
    shows_outdated: bool,
) -> String {
    let mut targets: Vec<&ConditionalUpdate> = targets.iter().collect();
    targets.sort_by(|a, b| newest_first(&a.release.version, &b.release.version));
    let listed = if shows_outdated { all(&targets) } else { newest(&targets, minor) };
    format!("\nUpdates to {minor}:\n{listed}")
}

fn all(targets: &[&ConditionalUpdate]) -> String {
    let mut rows = HEADER.to_owned();
    for target in targets {
        let issue = objection(target).map_or(NO_ISSUES.into(), |objection| objection.reason);
        let _ = writeln!(rows, "  {}\t{issue}", target.release.version);
    }
    tabwriter::aligned(&rows)
}

/// Lists the newest targets. Each row is a table of its own, so a long version widens no other row.
/// Only the first row has the header, and the first one after a target with issues.
fn newest(targets: &[&ConditionalUpdate], minor: Minor) -> String {
    let mut text = String::new();
    let (mut needs_header, mut follows_block) = (true, false);
    for (at, target) in targets.iter().take(SHOWN + 1).enumerate() {
        let objection = objection(target);
        if follows_block || objection.is_some() {
            text.push('\n');
            needs_header = true;
        }
        // There is also a blank line if the first target that is not shown has issues.
        if at == SHOWN {
            let count = targets.len() - SHOWN;
            let _ = writeln!(
                text,
                "And {count} older {minor} updates you can see with \
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
