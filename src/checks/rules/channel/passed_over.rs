//! A release that was not promoted with its neighbors.

use std::collections::BTreeMap;

use super::shared::{info_if_long_ago, source_in_words};
use crate::domain::{HashMap, Minor};
use crate::graph_data::{Channel, Filter, GraphData, ListedVersion, ReleaseId, tombstones};
use crate::rules::shared::channels::{is_loaded, loaded_channels};

use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, Updates, shortened};
use crate::text::words::{counted, listed};

pub(super) static RULE: Rule = Rule {
    code: "EP313",
    name: "passed-over",
    properties: Properties::USUAL,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a release that a channel skips, although its feeder has it and its filter allows it",
    explanation: "\
The bot promotes releases in order. A release is missing if newer ones of its minor were
promoted, or if it can be updated to the channel's minor. It was lost in a conflict, or
when the channel was filled by hand. Clusters on it that change to this channel get no
updates (`VersionNotFound`). An eus channel is also compared with the stable channel of
its minor. A release that is held back on purpose is a tombstone.

The bot promotes to channels with a feeder, usually within days. There, the rule ignores
releases that have been in the feeder for less than 8 days more than the delay. The
severity is info if the bot could not promote the release until less than 8 days ago,
because no update led from it to the channel's minor. It is also info without the whole
git history, after 90 days, or if the minor is not supported any more.",
    bad: "\
internal-channels/stable.yaml     4.14.6, 4.14.7, 4.14.8
channels/eus-4.14.yaml            4.14.6, 4.14.8",
    good: "\
internal-channels/stable.yaml     4.14.6, 4.14.7, 4.14.8
channels/eus-4.14.yaml            4.14.6, 4.14.7, 4.14.8",
    check: Check::Promotions(check),
};

/// The days after the feeder's delay in which the bot usually promotes a release.
const USUAL_WAIT: i64 = 7;

/// A channel from which another channel gets releases, and which of them.
struct ReleaseSource<'a> {
    channel: &'a Channel,
    filter: &'a Filter,
    minor: Option<Minor>,
    /// How many days a release waits in the source. None if it waits until its erratum is public.
    delay: Option<i64>,
}

/// A release that a channel should have but does not have.
#[derive(Clone, Copy)]
struct Due {
    /// How many days it has been due, if the history tells.
    days: Option<i64>,
}

/// A release that a channel lacks.
struct Missing<'a> {
    member: &'a ListedVersion,
    /// How many days it has been possible to promote it, if the history tells.
    days: Option<i64>,
}

fn check(updates: &Updates<'_>, findings: &mut Vec<Finding>) {
    let data = updates.data;
    let channels = loaded_channels(data);
    let withdrawn = tombstones(data);
    for channel in data.channels.iter().filter(|channel| is_loaded(data, channel)) {
        let ahead = fast_channel(channel, &channels);
        for source in sources(channel, &channels) {
            let mut due: HashMap<ReleaseId, Due> = HashMap::default();
            for minor in minors(data, channel) {
                let there = data.releases.within(&source.channel.releases, minor);
                let lacking = channel.lacking(there);
                for release in lacking.filter(|release| !withdrawn.contains(release)) {
                    let found = is_due(updates, channel, &source, ahead, release);
                    due.extend(found.map(|due| (release, due)));
                }
            }
            if due.is_empty() {
                continue;
            }
            let lost = |member| lost(updates, channel, &source, member, &due);
            let lost: Vec<Missing<'_>> = source.channel.versions.iter().filter_map(lost).collect();
            findings.extend(finding(updates, channel, source.channel, &lost));
        }
    }
}

/// A release of a source that is due and has waited in the source for longer than usual.
fn lost<'a>(
    updates: &Updates<'_>,
    channel: &Channel,
    source: &ReleaseSource<'_>,
    member: &'a ListedVersion,
    due: &HashMap<ReleaseId, Due>,
) -> Option<Missing<'a>> {
    let due = due.get(&member.release?)?;
    let waited = updates.days_in(source.channel, &member.text.value);
    let waited = waited.map(|days| days.saturating_sub(source.delay.unwrap_or_default()));
    let days = due.days.zip(waited).map(|(due, waited)| due.min(waited));
    waited.is_none_or(|days| is_late(channel, days)).then_some(Missing { member, days })
}

fn minors(data: &GraphData, channel: &Channel) -> Vec<Minor> {
    let minor = |id: &ReleaseId| Minor::of(&data.releases.get(*id).version);
    let mut minors: Vec<Minor> = channel.releases.iter().map(minor).collect();
    minors.dedup();
    minors
}

/// Whether a channel has lacked a release for so long that somebody must act. Without a feeder, no
/// bot promotes to the channel, so every day is too long.
fn is_late(channel: &Channel, days: i64) -> bool {
    channel.feeder.is_none() || days > USUAL_WAIT
}

/// Whether a channel should have a release that it lacks.
fn is_due(
    updates: &Updates<'_>,
    channel: &Channel,
    source: &ReleaseSource<'_>,
    ahead: Option<&Channel>,
    release: ReleaseId,
) -> Option<Due> {
    let releases = &updates.data.releases;
    let version = &releases.get(release).version;
    let minor = Minor::of(version);
    let here = releases.within(&channel.releases, minor);
    if here.first().is_none_or(|oldest| *oldest > release)
        || source.minor.is_some_and(|of| of != minor)
        || !source.filter.allows(&version.to_string())
    {
        return None;
    }
    let days = |channel: &Channel, id: ReleaseId| updates.days_in(channel, &releases.get(id).text);
    let newer = |ids: &[ReleaseId]| ids[ids.partition_point(|id| *id <= release)..].to_vec();
    let mut reasons: Vec<Option<i64>> =
        newer(here).into_iter().map(|newer| days(channel, newer)).collect();
    if source.delay == Some(0) {
        let there = newer(releases.within(&source.channel.releases, minor));
        let there = there.into_iter().map(|newer| days(source.channel, newer));
        // A release of an earlier minor stays out until it can be updated to the channel's minor.
        if channel.parts().is_none_or(|parts| parts.minor <= minor) {
            reasons.extend(there);
        } else {
            let ahead = ahead.filter(|ahead| ahead.holds(release));
            reasons.extend(ahead.map(|ahead| days(ahead, release)));
            let targets = targets_in(updates, channel, release);
            reasons.extend(targets.into_iter().map(|target| days(channel, target)));
        }
    }
    reasons.into_iter().max().map(|days| Due { days })
}

/// The releases of the channel's minor to which a release certainly has an update.
fn targets_in(updates: &Updates<'_>, channel: &Channel, release: ReleaseId) -> Vec<ReleaseId> {
    let Some((outlook, parts)) = updates.outlook.zip(channel.parts()) else { return Vec::new() };
    let releases = &updates.data.releases;
    let targets = outlook.targets_of(&releases.get(release).version);
    let of_minor = targets.filter(|target| Minor::of(target) == parts.minor);
    of_minor.filter_map(|target| releases.find(target)).filter(|id| channel.holds(*id)).collect()
}

/// The fast channel of the minor of a stable or eus channel. A release of an earlier minor joins
/// these channels only when it can be updated to the minor. If the fast channel has it, it can.
fn fast_channel<'a>(
    channel: &Channel,
    channels: &BTreeMap<&str, &'a Channel>,
) -> Option<&'a Channel> {
    let parts = channel.parts().filter(|parts| matches!(parts.phase, "stable" | "eus"))?;
    channels.get(format!("fast-{}", parts.minor).as_str()).copied()
}

fn sources<'a>(
    channel: &'a Channel,
    channels: &BTreeMap<&str, &'a Channel>,
) -> impl Iterator<Item = ReleaseSource<'a>> {
    let of = |name: &str| channels.get(name).copied().filter(|from| from.file != channel.file);
    let feeder = channel.feeder.as_ref().and_then(|feeder| {
        Some(ReleaseSource {
            channel: of(&feeder.name.as_ref()?.value)?,
            filter: feeder.filter(),
            minor: None,
            delay: feeder.delay.as_ref().and_then(|delay| days(&delay.value)),
        })
    });
    let stable = channel.parts().filter(|parts| parts.phase == "eus").and_then(|parts| {
        let stable = of(&format!("stable-{}", parts.minor))?;
        // If the feeder is the stable channel, it is already a source.
        let is_fed = feeder.as_ref().is_some_and(|feeder| feeder.channel.file == stable.file);
        (!is_fed).then_some(ReleaseSource {
            channel: stable,
            filter: &Filter::Everything,
            minor: Some(parts.minor),
            delay: Some(0),
        })
    });
    feeder.into_iter().chain(stable)
}

/// The days in a delay such as `P1W` or `P1DT2H`.
fn days(delay: &str) -> Option<i64> {
    let mut days: i64 = 0;
    let mut number = String::new();
    for c in delay.strip_prefix('P')?.chars().filter(|c| *c != 'T') {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        let count: i64 = std::mem::take(&mut number).parse().ok()?;
        let more = match c {
            'W' => count.checked_mul(7)?,
            'D' => count,
            'H' => count.checked_add(23)? / 24,
            _ => return None,
        };
        days = days.checked_add(more)?;
    }
    Some(days)
}

/// Whether a channel for production has any of these releases. A tombstone for it would be too
/// late.
fn is_released(updates: &Updates<'_>, members: &[&ListedVersion]) -> bool {
    let mut channels = updates.data.channels.iter().filter(|channel| {
        channel.public && channel.parts().is_some_and(|parts| parts.phase != "candidate")
    });
    channels.any(|channel| {
        members.iter().filter_map(|member| member.release).any(|id| channel.holds(id))
    })
}

fn finding(
    updates: &Updates<'_>,
    channel: &Channel,
    source: &Channel,
    lost: &[Missing<'_>],
) -> Option<Finding> {
    let members: Vec<&ListedVersion> = lost.iter().map(|missing| missing.member).collect();
    let first = members.first()?;
    let names: Vec<String> = members.iter().map(|member| shortened(&member.text.value)).collect();
    let (it, tombstones) = match names.len() {
        1 => ("it", "a tombstone"),
        _ => ("them", "tombstones"),
    };
    let days: Option<Vec<i64>> = lost.iter().map(|missing| missing.days).collect();
    let days = days.and_then(|days| days.into_iter().max());
    let late = days.filter(|days| is_late(channel, *days));
    let since = match (days, late) {
        _ if channel.feeder.is_none() => String::new(),
        (None, _) => String::new(),
        (_, Some(days)) => {
            let some = if names.len() == 1 { it } else { "some of them" };
            let days = counted(usize::try_from(days).unwrap_or_default(), "day");
            format!(". The bot could have promoted {some} {days} ago")
        }
        _ => format!(", and the bot can promote {it} now"),
    };
    let message = format!(
        "`{}` does not have {}, but {} has {it}{since}",
        shortened(channel.name()),
        listed(&names, "and"),
        source_in_words(channel, source),
    );
    let place = channel.feeder.as_ref().map(|feeder| feeder.key);
    let place = place.or(channel.name.as_ref().map(|name| name.span));
    let place = place.map_or(Place::File(channel.file), Place::Text);
    let finding = Finding::on(&RULE, place, message)
        .about(names.join(" "))
        .related(first.text.span, "it is listed here")
        .help(if is_released(updates, &members) {
            format!("add {it}: clusters already run {it}")
        } else {
            format!(
                "add {it}, or, to hold {it} back on purpose, make {it} {tombstones} in the feeder"
            )
        });
    let finding = members[1..].iter().fold(finding, |finding, member| {
        finding.related(member.text.span, "this one is also missing")
    });
    Some(match late {
        Some(_) => info_if_long_ago(finding, updates, source, &members),
        None => finding.severity(Severity::Info),
    })
}
