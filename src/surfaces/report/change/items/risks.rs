//! Changed declarations.

use std::collections::BTreeSet;

use crate::change::{Awaited, Clusters, QueryChange};
use crate::change::{Comparison, PatternChange, RiskChange, RiskStatus, TextChange, VersionId};
use crate::domain::HashMap;
use crate::domain::version::strip_build;
use crate::text::words::{listed, quoted, releases};

use super::ChangeItem;

pub(in crate::surfaces::report::change) fn risks(comparison: &Comparison) -> Vec<ChangeItem> {
    comparison.risks.iter().map(|change| risk(comparison, change)).collect()
}

pub(super) fn risk(comparison: &Comparison, change: &RiskChange) -> ChangeItem {
    let targets = |targets: &[String]| in_ranges(comparison, targets);
    let name = change.name.as_deref();
    let summary = match (change.status, name) {
        (RiskStatus::New, Some(name)) => {
            format!("{name} is a new risk for updates to {}", targets(&change.added))
        }
        (RiskStatus::New, None) => format!("updates to {} are blocked", targets(&change.added)),
        (RiskStatus::Gone, Some(name)) => {
            format!("{name} was removed; it covered updates to {}", targets(&change.dropped))
        }
        (RiskStatus::Gone, None) => {
            format!("blocks were removed for updates to {}", targets(&change.dropped))
        }
        (RiskStatus::Changed, name) => {
            let subject = name.map_or("blocks are".to_owned(), |name| format!("{name} is"));
            match (change.added.as_slice(), change.dropped.as_slice()) {
                ([], []) => name.map_or_else(
                    || "declarations of blocks changed".to_owned(),
                    |name| format!("the declaration of {name} changed"),
                ),
                (added, []) => format!("{subject} also declared for updates to {}", targets(added)),
                ([], dropped) => {
                    format!("{subject} no longer declared for updates to {}", targets(dropped))
                }
                (added, dropped) => format!(
                    "{subject} declared for updates to {}, and no longer for {}",
                    targets(added),
                    targets(dropped)
                ),
            }
        }
    };
    let sign = match change.status {
        RiskStatus::New => '+',
        RiskStatus::Gone => '-',
        RiskStatus::Changed => '~',
    };
    let mut details: Vec<String> = Vec::new();
    let places: HashMap<&str, VersionId> =
        comparison.versions.entries().map(|(id, version)| (version.as_str(), id)).collect();
    let is_unserved = |target: &&str| {
        let core = strip_build(target);
        places.get(core).is_none_or(|at| !comparison.served[*at])
    };
    let unserved: Vec<&str> = change.added.iter().map(String::as_str).filter(is_unserved).collect();
    let is_awaited =
        |target: &&&str| change.awaited.iter().flat_map(|one| &one.targets).any(|t| t == **target);
    let unknown: Vec<&str> = unserved.iter().filter(|t| !is_awaited(t)).copied().collect();
    if !unknown.is_empty() {
        details.push(format!("no channel has {}", releases(&unknown)));
    }
    details.extend(change.awaited.iter().map(|one| awaited(comparison, change, one)));
    details.extend(change.patterns.iter().flat_map(|one| pattern(comparison, one)));
    details.extend(change.texts.iter().map(|one| text(comparison, one)));
    details.extend(change.queries.iter().flat_map(query));
    ChangeItem { sign, summary, details }
}

/// What a declaration will do to releases that no channel has yet.
pub(super) fn awaited(comparison: &Comparison, change: &RiskChange, one: &Awaited) -> String {
    let targets = in_ranges(comparison, &one.targets);
    let (is, them) = if one.targets.len() == 1 { ("is", "it") } else { ("are", "them") };
    let applies = match (&change.name, &one.applies) {
        (Some(name), None) => format!("`{name}` will apply to no updates to {them}"),
        (None, None) => format!("no updates to {them} will be blocked"),
        (Some(name), Some(from)) => format!("`{name}` will apply to updates from {from}"),
        (None, Some(from)) => format!("updates to {them} from {from} will be blocked"),
    };
    let others = match &one.others {
        None => String::new(),
        Some(others) => format!(", not from {others}"),
    };
    format!("when {targets} {is} promoted, {applies} (predicted){others}")
}

/// Versions in words, with neighbors joined as ranges. Versions that no channel has come last.
fn in_ranges(comparison: &Comparison, targets: &[String]) -> String {
    let places: HashMap<&str, VersionId> =
        comparison.versions.entries().map(|(id, version)| (version.as_str(), id)).collect();
    let known: BTreeSet<VersionId> =
        targets.iter().filter_map(|target| places.get(target.as_str()).copied()).collect();
    let others: Vec<&str> =
        targets.iter().map(String::as_str).filter(|target| !places.contains_key(*target)).collect();
    match (known.is_empty(), others.as_slice()) {
        (true, others) => releases(others),
        (false, []) => comparison.in_ranges(&known),
        (false, others) => format!("{}, {}", comparison.in_ranges(&known), releases(others)),
    }
}

fn text(comparison: &Comparison, change: &TextChange) -> String {
    /// The longest text that is shown.
    const SHORT: usize = 80;
    let key = change.key;
    let targets = in_ranges(comparison, &change.targets);
    if key == "matchingRules" {
        return match (change.was_for_all, change.is_for_all) {
            _ if !change.is_understood => format!(
                "now has no rule that clusters know, so all clusters drop the updates, for {targets}"
            ),
            (false, true) => format!("now affects all clusters, not only some, for {targets}"),
            (true, false) => format!("now affects some clusters, not all, for {targets}"),
            _ => format!("has other `matchingRules` for {targets}"),
        };
    }
    let values = [&change.before, &change.after];
    if values.into_iter().flatten().any(|value| value.len() > SHORT) {
        return format!("has another `{key}` for {targets}");
    }
    match values {
        [Some(before), Some(after)] => {
            format!("`{key}` was {before} and is now {after} for {targets}")
        }
        [Some(before), None] => format!("`{key}` was {before} and was removed for {targets}"),
        [None, after] => {
            format!("`{key}` is now {} for {targets}", after.as_deref().unwrap_or_default())
        }
    }
}

/// Which clusters a changed query newly affects, and which it no longer affects.
fn query(change: &QueryChange) -> Vec<String> {
    let side = |what: &str, clusters: &Clusters| -> Vec<String> {
        let noun = if clusters.samples.len() == 1 { "cluster" } else { "clusters" };
        let samples = listed(&quoted(&clusters.samples), "and");
        let samples =
            (!samples.is_empty()).then(|| format!("the query {what} the sample {noun} {samples}"));
        let example = clusters.example.as_ref().map(|words| format!("it {what} a cluster {words}"));
        samples.into_iter().chain(example).collect()
    };
    let mut lines = side("now catches", &change.caught);
    lines.extend(side("no longer catches", &change.missed));
    match (lines.is_empty(), change.is_complete) {
        (true, true) => lines.push("the query catches the same clusters as before".into()),
        (true, false) => {
            lines.push("no cluster is known for which the new query makes a difference".into());
        }
        (false, _) => {}
    }
    lines
}

fn pattern(comparison: &Comparison, change: &PatternChange) -> Vec<String> {
    let all = |list: &[String]| in_ranges(comparison, list);
    let mut lines = vec![format!(
        "`from` was `{}` and is now `{}` for {}",
        change.before,
        change.after,
        all(&change.targets)
    )];
    let (includes, excludes) = (all(&change.includes), all(&change.excludes));
    match (includes.as_str(), excludes.as_str()) {
        ("", "") if change.is_all => lines.push("both match the same releases".to_owned()),
        ("", "") => {}
        (_, "") => lines.push(format!("wider: now includes {includes}")),
        ("", _) => lines.push(format!("narrower: no longer includes {excludes}")),
        _ => {
            lines.push(format!("now includes {includes}"));
            lines.push(format!("no longer includes {excludes}"));
        }
    }
    lines
}
