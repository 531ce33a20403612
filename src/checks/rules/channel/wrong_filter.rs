//! A filter that does not allow the releases that its channel is for, or allows others.

use crate::domain::{HashMap, Minor};
use crate::graph_data::{Channel, GraphData};

use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};
use crate::text::words::list_all;

pub(super) static RULE: Rule = Rule {
    code: "EP323",
    name: "wrong-filter",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a filter that does not allow the next release of its minor, or allows a distant minor",
    explanation: "\
The bot promotes a release if the filter matches its whole version. A filter for 4.15 allows
4.15 and the minors from which clusters update to it: 4.14 and, for clusters that skip a minor,
4.13. Without `.*` at the end, `4[.]15[.][0-9]` allows no release after 4.15.9. A filter that
allows 4.13 and 4.15, but not 4.14, or that allows a minor further below, usually has a typo.

If a filter allows five minors or more, it is not about the channel's minor, and the rule does
not look at it.",
    bad: "\
name: fast-4.15
feeder:
  filter: 4[.](14|51)[.][0-9].*",
    good: "\
name: fast-4.15
feeder:
  filter: 4[.](14|15)[.][0-9].*",
    check: Check::Repository(check),
};

/// A filter that allows at least this many minors is not meant for a single one.
const MANY: usize = 5;

/// What a filter for a minor allows.
struct Expected {
    minor: Minor,
    first: String,
    /// The release after its newest one.
    next: String,
}

impl Expected {
    fn of(minor: Minor, data: &GraphData) -> Self {
        let newest = data.releases.of_minor(minor).next_back();
        let patch = newest.map_or(0, |id| data.releases.get(id).version.patch + 1);
        Self { minor, first: format!("{minor}.0"), next: format!("{minor}.{patch}") }
    }
}

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let minors = data.releases.minors().into_iter();
    let minors: Vec<Expected> = minors.map(|minor| Expected::of(minor, data)).collect();
    // Many channels have the same filter.
    let mut allowed: HashMap<&str, Vec<Minor>> = HashMap::default();
    for channel in data.channels.iter().filter(|channel| channel.public) {
        findings.extend(finding(data, &minors, &mut allowed, channel));
    }
}

fn finding<'d>(
    data: &GraphData,
    minors: &[Expected],
    allowed: &mut HashMap<&'d str, Vec<Minor>>,
    channel: &'d Channel,
) -> Option<Finding> {
    let own = channel.parts()?.minor;
    // `useless-feeder` reports a filter that does not compile.
    let feeder = channel.feeder.as_ref().filter(|feeder| feeder.is_usable())?;
    let (written, filter) = (feeder.filter.as_ref()?, feeder.filter());
    let (Ok(at) | Err(at)) = minors.binary_search_by_key(&own, |one| one.minor);
    let unserved =
        minors.get(at).is_none_or(|one| one.minor != own).then(|| Expected::of(own, data));
    let next = unserved.as_ref().map_or_else(|| &minors[at].next, |own| &own.next);
    let is_allowed = |one: &&Expected| filter.allows(&one.next) || filter.allows(&one.first);
    let known = allowed
        .entry(&written.value)
        .or_insert_with(|| minors.iter().filter(is_allowed).map(|one| one.minor).collect());
    let unserved = unserved.iter().filter(is_allowed).map(|one| one.minor);
    let allowed: Vec<Minor> = known.iter().copied().chain(unserved).collect();
    if allowed.len() >= MANY {
        return None;
    }
    let name = shortened(channel.name());
    let before: Vec<Minor> = minors[..at].iter().rev().take(2).map(|one| one.minor).collect();
    let is_distant = |minor: &&Minor| **minor != own && !before.contains(minor);
    let distant: Vec<String> = allowed.iter().filter(is_distant).map(Minor::to_string).collect();
    let (message, help) = if !filter.allows(next) {
        let message = if allowed.contains(&own) {
            format!(
                "the filter does not allow {next}, the next release of `{name}`: it is not promoted"
            )
        } else {
            format!("the filter allows no {own} release, so none is promoted to `{name}`")
        };
        (message, format!("allow {own} releases: `4[.](14|15)[.][0-9].*` allows all of two minors"))
    } else if !distant.is_empty() {
        let distant = list_all(&distant, "and");
        (
            format!("the filter allows {distant} releases, which cannot be updated to {own}"),
            "correct the number".to_owned(),
        )
    } else if let [one, two] = before.as_slice()
        && allowed.contains(two)
        && !data.releases.of_minor(*one).any(|id| filter.allows(&data.releases.get(id).text))
    {
        (
            format!("the filter allows {two} releases, but no {one} release"),
            format!("also allow {one} releases, or remove {two}"),
        )
    } else {
        return None;
    };
    Some(Finding::at(&RULE, written.span, message).help(help))
}
