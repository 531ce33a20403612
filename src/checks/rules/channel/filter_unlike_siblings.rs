//! A filter that allows less than the filter of a similar channel.

use crate::domain::Minor;
use crate::graph_data::{Channel, GraphData};

use crate::rules::shared::channels::channels_by_name;
use crate::rules::{Check, Family, Finding, Properties, Rule, Severity, shortened};

pub(super) static RULE: Rule = Rule {
    code: "EP315",
    name: "filter-unlike-siblings",
    properties: Properties::OF_CHANNELS,
    family: Family::Channel,
    severity: Severity::Warning,
    summary: "a candidate filter without the minor two below, which the filter of two minors ago allows",
    explanation: "\
Clusters on an extended-update minor skip the next minor. Channels of even minors also
have the releases of the minor two below, so that such a cluster finds its own version
in them. If the filter of a candidate channel excludes these releases, but the filter
two minors earlier allows them, the filter was usually copied from an odd minor.",
    bad: "\
channels/candidate-4.16.yaml     filter: 4[.](14|15|16)[.][0-9].*
channels/candidate-4.18.yaml     filter: 4[.](17|18)[.][0-9].*",
    good: "\
channels/candidate-4.16.yaml     filter: 4[.](14|15|16)[.][0-9].*
channels/candidate-4.18.yaml     filter: 4[.](16|17|18)[.][0-9].*",
    check: Check::Repository(check),
};

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let channels = channels_by_name(data);
    for channel in &data.channels {
        // Other channels have only their own minor until updates to it are enabled.
        let parts = channel.parts().filter(|parts| parts.phase == "candidate");
        let Some(parts) = parts.filter(|parts| parts.minor.minor >= 4) else { continue };
        let Some(false) = allows_two_below(channel) else { continue };
        let two_below = parts.minor.minor - 2;
        let name = format!("{}-{}.{two_below}", parts.phase, parts.minor.major);
        let sibling = channels.get(name.as_str());
        let Some(sibling) = sibling.filter(|sibling| allows_two_below(sibling) == Some(true))
        else {
            continue;
        };
        let filter = |channel: &Channel| channel.feeder.as_ref()?.filter.clone();
        let (Some(here), Some(there)) = (filter(channel), filter(sibling)) else { continue };
        // Skip a channel that has releases of that minor already: late in a minor, the filter
        // allows less than the channel has.
        let has_members = channel.versions.iter().filter_map(|member| member.version.as_ref());
        let two_below = Minor { minor: two_below, ..parts.minor };
        if has_members.into_iter().any(|version| Minor::of(version) == two_below) {
            continue;
        }
        let message = format!(
            "the filter does not allow {two_below} releases, which are two minors below this channel. The filter of `{}` allows the releases two minors below it",
            shortened(sibling.name())
        );
        findings.push(
            Finding::at(&RULE, here.span, message)
                .related(there.span, "the other channel's filter")
                .help(format!("also allow {two_below} releases: clusters that skip a minor need their own version in this channel")),
        );
    }
}

/// Whether the filter allows releases of the minor two below the channel's.
fn allows_two_below(channel: &Channel) -> Option<bool> {
    let minor = channel.parts()?.minor;
    let filter = channel.feeder.as_ref().filter(|feeder| feeder.filter.is_some())?.filter();
    let two_below = minor.minor.checked_sub(2)?;
    let allows = |n: u64| filter.allows(&format!("{}.{n}.1", minor.major));
    // If the filter also allows the minor before that, its lower end is not about this minor.
    Some(allows(two_below) && !two_below.checked_sub(1).is_some_and(allows))
}
