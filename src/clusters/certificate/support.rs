//! The supported releases, and why they are. Minors without any are listed, too, so that nobody can
//! omit one.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Simulation;
use crate::domain::{Minor, Version, is_general, version};
use crate::lineage::Supported;

/// The releases of a minor that are supported for one reason, or none, and why.
#[derive(Clone, Debug)]
pub(crate) struct SupportedMinor {
    pub minor: Minor,
    pub why: String,
    /// The releases, oldest first.
    pub releases: Vec<String>,
    /// Whether these are all generally available releases of the minor.
    pub is_whole: bool,
}

/// The releases that are supported in some channel.
pub(super) fn minors(simulation: &Simulation<'_>, supported: &Supported) -> Vec<SupportedMinor> {
    let mut versions: BTreeMap<Version, (&str, bool, String)> = BTreeMap::new();
    for channel in &simulation.channels {
        let name = simulation.name(channel.channel);
        for (at, member) in channel.graph.members.entries() {
            let Some(version) = version::parse(&member.version) else { continue };
            let is_supported = channel.is_checked[at];
            let known = versions.entry(version);
            let known = known.or_insert_with_key(|version| {
                (member.version.as_str(), false, supported.why(name, version))
            });
            if is_supported && !known.1 {
                let version = version::parse(&member.version);
                let why = version.map(|version| supported.why(name, &version));
                *known = (member.version.as_str(), true, why.unwrap_or_default());
            }
        }
    }
    let general = versions.iter().filter(|(version, _)| is_general(version));
    let omitted = general.clone().filter(|(_, (_, is_supported, _))| !is_supported);
    let omitted: BTreeSet<Minor> = omitted.map(|(version, _)| Minor::of(version)).collect();
    let mut minors: Vec<SupportedMinor> = Vec::new();
    for (version, (text, _, why)) in versions.iter().filter(|(_, (_, supported, _))| *supported) {
        let minor = Minor::of(version);
        match minors.iter_mut().find(|known| known.minor == minor && known.why == *why) {
            Some(known) => known.releases.push((*text).to_owned()),
            None => minors.push(SupportedMinor {
                minor,
                why: why.clone(),
                releases: vec![(*text).to_owned()],
                is_whole: !omitted.contains(&minor),
            }),
        }
    }
    for (version, (_, _, why)) in general {
        let minor = Minor::of(version);
        if minors.iter().all(|known| known.minor != minor) {
            let why = why.clone();
            minors.push(SupportedMinor { minor, why, releases: Vec::new(), is_whole: false });
        }
    }
    minors.sort_by_key(|one| one.minor);
    minors
}
