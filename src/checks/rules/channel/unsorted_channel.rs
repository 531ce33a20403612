//! A list of versions that is out of order.

use crate::domain::Version;
use crate::graph_data::{Channel, GraphData, ListedVersion};
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::{Edit, Span};

pub(super) static RULE: Rule = Rule {
    code: "EP314",
    name: "unsorted-channel",
    properties: Properties::OF_ONE_CHANNEL,
    family: Family::Channel,
    severity: Severity::Info,
    summary: "a version out of place in a channel that is otherwise in order",
    explanation: "\
The service treats the list as a set, but people and the bot rely on its order: major,
minor, and patch as numbers, then the suffix as text, a release before its pre-releases
(`4.14.0`, `4.14.0-ec.0`, …, `4.14.0-rc.10`, `4.14.0-rc.2`). A line out of place is
promoted twice, or overlooked in a review. This rule ignores files that
list releases in the order in which they were added.",
    bad: "\
versions:
- 4.14.1
- 4.14.3
- 4.14.2",
    good: "\
versions:
- 4.14.1
- 4.14.2
- 4.14.3",
    check: Check::Repository(check),
};

/// If more than one line in this many is misplaced, the list has another order on purpose.
const ONE_IN: usize = 10;

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    for channel in &data.channels {
        let members: Option<Vec<(&ListedVersion, &Version)>> =
            channel.versions.iter().map(|m| Some((m, m.version.as_ref()?))).collect();
        let Some(members) = members else { continue };
        if members.is_sorted_by(|a, b| order(a.1) <= order(b.1)) {
            continue;
        }
        let misplaced = misplaced(&members);
        if misplaced.len() * ONE_IN > members.len().max(3 * ONE_IN) {
            continue;
        }
        findings.extend(finding(data, channel, &members, &misplaced));
    }
}

/// The sort key of a version. The order ignores build metadata.
fn order(version: &Version) -> (u64, u64, u64, &str) {
    (version.major, version.minor, version.patch, version.pre.as_str())
}

/// The smallest set of lines to move.
fn misplaced(members: &[(&ListedVersion, &Version)]) -> Vec<usize> {
    // Patience sorting finds the longest sequence that is in order. For each length, `piles` has
    // the last line of the best sequence of that length, and `before` has each line's predecessor.
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; members.len()];
    for (i, (_, version)) in members.iter().enumerate() {
        let at = piles.partition_point(|j| order(members[*j].1) <= order(version));
        before[i] = at.checked_sub(1).map(|at| piles[at]);
        if at == piles.len() { piles.push(i) } else { piles[at] = i }
    }
    let mut stays = vec![false; members.len()];
    let mut line = piles.last().copied();
    while let Some(i) = line {
        stays[i] = true;
        line = before[i];
    }
    (0..members.len()).filter(|i| !stays[*i]).collect()
}

fn finding(
    data: &GraphData,
    channel: &Channel,
    members: &[(&ListedVersion, &Version)],
    misplaced: &[usize],
) -> Option<Finding> {
    let (first, version) = members[*misplaced.first()?];
    // The last line that belongs before the misplaced one.
    let neighbor = members
        .iter()
        .enumerate()
        .filter(|(i, (_, other))| {
            misplaced.binary_search(i).is_err() && order(other) <= order(version)
        })
        .map(|(_, (member, _))| shortened(&member.text.value))
        .next_back();
    let place = match neighbor {
        Some(neighbor) => format!("it belongs after {neighbor}"),
        None => "it belongs first".to_owned(),
    };
    let others = match misplaced.len() - 1 {
        0 => String::new(),
        1 => ", and 1 more line is out of place".to_owned(),
        n => format!(", and {n} more lines are out of place"),
    };
    let message = format!("{} is out of order: {place}{others}", shortened(&first.text.value));
    let mut finding = Finding::at(&RULE, first.text.span, message)
        .about(
            misplaced
                .iter()
                .map(|i| members[*i].0.text.value.as_str())
                .collect::<Vec<_>>()
                .join(" "),
        )
        .help("sort by the numbers, then by the suffix as text, with a release before its pre-releases");
    for i in misplaced[1..].iter().take(20) {
        finding = finding.related(members[*i].0.text.span, "also out of order");
    }
    Some(match sorted(data, channel, members) {
        Some(edit) => finding.fix_all("sort the versions", vec![edit]),
        None => finding,
    })
}

/// An edit that sorts the lines, if each has one version and nothing is between them.
fn sorted(
    data: &GraphData,
    channel: &Channel,
    members: &[(&ListedVersion, &Version)],
) -> Option<Edit> {
    let source = data.sources.get(channel.file);
    let text = source.text();
    let line_of = |member: &ListedVersion| {
        let span = member.text.span;
        let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
        start..end
    };
    let lines: Vec<_> = members.iter().map(|(member, _)| line_of(member)).collect();
    let are_neighbors = lines.windows(2).all(|pair| pair[0].end + 1 == pair[1].start);
    let is_alone =
        |line: &std::ops::Range<usize>| text[line.clone()].trim_start().starts_with("- ");
    if !are_neighbors || !lines.iter().all(is_alone) {
        return None;
    }
    let mut order_of: Vec<usize> = (0..members.len()).collect();
    order_of.sort_by_key(|i| order(members[*i].1));
    let whole = lines.first()?.start..lines.last()?.end;
    let new: Vec<&str> = order_of.iter().map(|i| &text[lines[*i].clone()]).collect();
    Some(Edit { span: Span::new(channel.file, whole), text: new.join("\n") })
}
