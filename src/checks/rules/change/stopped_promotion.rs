//! A channel to which less is promoted than before.

use std::collections::BTreeMap;

use crate::change::PromotionChange;
use crate::domain::{Minor, Version};
use crate::graph_data::Channel;
use crate::rules::{Change, Check, Family, Finding, Place, Properties, Rule, Severity, shortened};
use crate::text::SourceId;
use crate::text::words::{list_all, listed};

pub(super) static RULE: Rule = Rule {
    code: "EP808",
    name: "stopped-promotion",
    properties: Properties::USUAL,
    family: Family::Change,
    severity: Severity::Warning,
    summary: "a channel that the change cuts off from releases of a supported minor",
    explanation: "\
Without its feeder, or with a narrower filter, a channel gets no new releases of a minor, and
nobody notices for months: clusters in it are offered no newer patches, or do not find their
own version. If the minor is not supported any more, the change is not reported. If all channels
of a phase lose the minor at once, its life ends, and the severity is info.

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
    let mut stops: BTreeMap<Minor, Vec<&Channel>> = BTreeMap::new();
    for one in PromotionChange::all(change.before, change.after) {
        for version in &one.stops {
            if is_supported(change, one.before.name(), version) {
                stops.entry(Minor::of(version)).or_default().push(one.after);
            }
        }
    }
    // Groups the minors that the same channels lose.
    let mut alike: Vec<(Vec<Minor>, Vec<&Channel>)> = Vec::new();
    for (minor, channels) in stops {
        let files = |channels: &[&Channel]| -> Vec<SourceId> {
            channels.iter().map(|channel| channel.file).collect()
        };
        match alike.iter_mut().find(|(_, known)| files(known) == files(&channels)) {
            Some((minors, _)) => minors.push(minor),
            None => alike.push((vec![minor], channels)),
        }
    }
    for (minors, channels) in alike {
        let is_left = |minor: &Minor| {
            let still = PromotionChange::channels_with(change.after, *minor);
            still.iter().any(|one| channels.iter().any(|channel| phase(one) == phase(channel)))
        };
        // When a minor ends, all channels of the phase lose it at once.
        let is_end = channels.len() > 1 && !minors.iter().any(is_left);
        let severity = if is_end { Severity::Info } else { RULE.severity };
        findings.extend(finding(&minors, &channels).map(|finding| finding.severity(severity)));
    }
}

fn phase(channel: &Channel) -> Option<&str> {
    channel.parts().map(|parts| parts.phase)
}

fn is_supported(change: &Change<'_>, channel: &str, version: &Version) -> bool {
    let outlook = change.outlook.filter(|outlook| outlook.unchecked().is_none());
    outlook.is_none_or(|outlook| outlook.supported.holds(channel, version))
}

fn finding(minors: &[Minor], channels: &[&Channel]) -> Option<Finding> {
    let (now, others) = channels.split_first()?;
    let minors: Vec<String> = minors.iter().map(Minor::to_string).collect();
    let names: Vec<String> =
        channels.iter().map(|channel| format!("`{}`", shortened(channel.name()))).collect();
    let (names, minors_listed) = (listed(&names, "and"), list_all(&minors, "and"));
    let why = match (channels.len(), &now.feeder) {
        (1, None) => ": it has no feeder any more",
        (1, Some(_)) => ": the new filter does not allow them",
        _ => "",
    };
    let message = format!("the bot stops promoting {minors_listed} releases to {names}{why}");
    let finding = Finding::on(&RULE, place(now), message).about(minors.join(" ")).help(format!(
        "if {minors_listed} should still reach {names}, restore the feeder and its filter"
    ));
    Some(others.iter().fold(finding, |finding, channel| {
        finding.related(place(channel), "neither to this channel")
    }))
}

fn place(now: &Channel) -> Place {
    let span = match &now.feeder {
        None => now.name.as_ref().map(|name| name.span),
        Some(feeder) => Some(feeder.filter.as_ref().map_or(feeder.key, |filter| filter.span)),
    };
    span.map_or(Place::File(now.file), Place::Text)
}
