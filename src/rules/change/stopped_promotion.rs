//! A channel to which less is promoted than before.

use std::collections::BTreeSet;

use crate::domain::{Minor, Version};
use crate::graph_data::{Channel, Feeder, GraphData};
use crate::rules::shared::channels::{Filter, channels_by_name};
use crate::rules::{Change, Check, Family, Finding, Place, Rule, Severity, shortened};
use crate::text::words::list_all;

pub(super) static RULE: Rule = Rule {
    code: "EP808",
    name: "stopped-promotion",
    aliases: &[],
    family: Family::Change,
    severity: Severity::Warning,
    summary: "a channel that the change cuts off from releases of a supported minor",
    explanation: "\
Without its feeder, or with a narrower filter, a channel gets no more releases of a minor, and
nobody notices for months: clusters in it are offered no newer patches, or do not find their
own version. If the minor is not supported any more, the change is not reported.

Other rules report a feeder that the bot cannot use.

This rule runs only with `--base`.",
    bad: "\
before:  channels/fast-4.15.yaml     filter: 4[.](14|15)[.][0-9].*
after:   channels/fast-4.15.yaml     filter: 4[.]15[.][0-9].*",
    good: "\
after:   channels/fast-4.15.yaml     filter: 4[.](14|15)[.][0-9].*",
    check: Check::Change(check),
};

fn check(change: &Change<'_>, findings: &mut Vec<Finding>) {
    let after = channels_by_name(change.after);
    let sources = channels_by_name(change.before);
    for before in &change.before.channels {
        let Some(now) = after.get(before.name()).filter(|now| now.public == before.public) else {
            continue;
        };
        let Some((feeder, source)) = before.feeder.as_ref().and_then(|feeder| {
            let source = sources.get(feeder.name.as_ref()?.value.as_str())?;
            Some((feeder, *source))
        }) else {
            continue;
        };
        if now.feeder.as_ref().is_some_and(|now| !is_usable(now)) {
            continue;
        }
        let (then, still) = (filter(feeder), now.feeder.as_ref().map(filter));
        let stops = |version: &Version| {
            let text = version.to_string();
            let allows = |filter: &Option<Filter>| {
                filter.as_ref().is_none_or(|filter| filter.allows(&text))
            };
            allows(&then)
                && !still.as_ref().is_some_and(allows)
                && is_supported(change, before.name(), version)
        };
        let stopped: BTreeSet<Minor> = next_releases(change.before, source)
            .into_iter()
            .filter(stops)
            .map(|version| Minor::of(&version))
            .collect();
        findings.extend(finding(now, &stopped));
    }
}

/// The next release of each minor of a channel.
fn next_releases(data: &GraphData, channel: &Channel) -> Vec<Version> {
    let versions = channel.releases.iter().map(|id| &data.releases.get(*id).version);
    let minors: BTreeSet<Minor> = versions.map(Minor::of).collect();
    let next = |minor: Minor| {
        let newest = data.releases.of_minor(minor).next_back()?;
        let patch = data.releases.get(newest).version.patch + 1;
        Some(Version::new(minor.major, minor.minor, patch))
    };
    minors.into_iter().filter_map(next).collect()
}

/// Whether the filter of a feeder compiles. Another rule reports one that does not.
fn is_usable(feeder: &Feeder) -> bool {
    let filter = feeder.filter.as_ref();
    filter.is_none_or(|filter| regex_syntax::parse(&filter.value).is_ok())
}

/// What a feeder allows. None: everything.
fn filter(feeder: &Feeder) -> Option<Filter> {
    feeder.filter.as_ref().map(|filter| Filter::of(&filter.value))
}

fn is_supported(change: &Change<'_>, channel: &str, version: &Version) -> bool {
    change.outlook.is_none_or(|outlook| outlook.supported.holds(channel, version))
}

fn finding(now: &Channel, stopped: &BTreeSet<Minor>) -> Option<Finding> {
    let minors: Vec<String> = stopped.iter().map(Minor::to_string).collect();
    minors.first()?;
    let (name, listed) = (shortened(now.name()), list_all(&minors, "and"));
    let (place, why) = match now.feeder.as_ref() {
        None => (now.name.as_ref().map(|name| name.span), "it has no feeder any more"),
        Some(feeder) => (
            Some(feeder.filter.as_ref().map_or(feeder.key, |filter| filter.span)),
            "the new filter does not allow them",
        ),
    };
    let message =
        format!("no more {listed} releases are promoted to `{name}`: {why}");
    let place = place.map_or(Place::File(now.file), Place::Text);
    Some(Finding::on(&RULE, place, message).about(minors.join(" ")).help(format!(
        "if {listed} should still reach `{name}`, restore the feeder and its filter"
    )))
}
