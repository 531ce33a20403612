//! When each release was enabled: when a channel first listed it.

use std::collections::BTreeMap;

use crate::domain::version::strip_build;
use crate::domain::{Arena, HashMap, Minor};
use crate::graph_data::{Channel, GraphData, ReleaseId};
use crate::history::{History, Moment};

pub(super) const DAY: i64 = 24 * 60 * 60;

/// When each release was enabled.
#[derive(Debug)]
pub(super) struct Enabled {
    first: Arena<ReleaseId, Moment>,
    proposed: Arena<ReleaseId, i64>,
    built_by: Arena<ReleaseId, i64>,
    /// Whether the times are dates. Without a history, they are only an order.
    are_dates: bool,
}

/// When a channel first listed each release, by version, as an order of moments.
#[derive(Debug)]
pub(super) struct FirstListed(HashMap<String, u32>);

/// Pull requests that enable a release are merged within this time: the slowest ones in eight years
/// took eleven days. An older commit has a wrong clock.
const LONGEST_PROPOSAL: i64 = 14 * DAY;

impl Enabled {
    /// Reads the history. Releases that are not in it count as enabled now. Without a history, uses
    /// the order of `internal-channels/candidate.yaml`.
    pub(super) fn of(data: &GraphData, history: Option<&History>) -> Self {
        Self::with(data, history, &FirstListed::of(history))
    }

    /// Like [`of`](Self::of), if it is known what the history says.
    pub(super) fn with(data: &GraphData, history: Option<&History>, listed: &FirstListed) -> Self {
        let by_order = || in_order_of_appending(data);
        let first = match history {
            None => by_order(),
            Some(history) if history.is_whole => listed.moments(data, history),
            // In a shallow clone, releases in its first commit were enabled earlier, in their usual
            // order.
            Some(history) => {
                let (known, by_order) = (listed.moments(data, history), by_order());
                let begin = history.moment(0);
                let last = by_order.iter().zip(&known).filter(|(_, known)| known.order == 0);
                let last = last.map(|(at, _)| at.time).max().unwrap_or_default();
                let moments = known.iter().zip(&by_order).map(|(known, at)| match known.order {
                    0 => Moment { order: 0, time: begin.time - (last - at.time) },
                    _ => *known,
                });
                moments.collect()
            }
        };
        let proposed = proposed(data, history, &first);
        let built_by = built_by(data, &proposed);
        Self { first, proposed, built_by, are_dates: history.is_some() }
    }

    /// Whether the repository has the list of releases in the order of enabling.
    pub(super) fn has_order(data: &GraphData) -> bool {
        data.channels.iter().any(|channel| is_order(channel) && !channel.versions.is_empty())
    }

    /// When the newest release of each minor was enabled, in seconds since 1970.
    pub(super) fn newest(&self, data: &GraphData) -> BTreeMap<Minor, i64> {
        let mut newest: BTreeMap<Minor, i64> = BTreeMap::new();
        for (id, release) in data.releases.iter() {
            let at = newest.entry(Minor::of(&release.version)).or_insert(i64::MIN);
            *at = (*at).max(self.at(id).time);
        }
        newest
    }

    pub(super) fn at(&self, release: ReleaseId) -> Moment {
        self.first[release]
    }

    /// Whether the release was certainly enabled before a date, in seconds since 1970.
    pub(super) fn is_before(&self, release: ReleaseId, date: i64) -> bool {
        self.are_dates && self.at(release).time < date
    }

    /// When somebody proposed to enable the release, in seconds since 1970. It existed then.
    pub(super) fn proposed(&self, release: ReleaseId) -> i64 {
        self.proposed[release]
    }

    /// A time, in seconds since 1970, at which the release certainly existed. Releases of a minor
    /// are built in order of version, so a release exists when a later one is proposed, even if
    /// it is proposed later.
    pub(super) fn built_by(&self, release: ReleaseId) -> i64 {
        self.built_by[release]
    }
}

impl FirstListed {
    pub(super) fn of(history: Option<&History>) -> Self {
        let mut first: HashMap<String, u32> = HashMap::default();
        let joined = history.iter().flat_map(|history| history.joined.values());
        for (version, order) in joined.flatten() {
            let version = strip_build(version);
            match first.get_mut(version) {
                Some(known) => *known = (*known).min(*order),
                None => _ = first.insert(version.to_owned(), *order),
            }
        }
        Self(first)
    }

    fn moments(&self, data: &GraphData, history: &History) -> Arena<ReleaseId, Moment> {
        let now = history.now();
        let moment = |text: &str| self.0.get(text).map_or(now, |order| history.moment(*order));
        data.releases.iter().map(|(_, release)| moment(&release.text)).collect()
    }
}

/// When each release was first listed, in or beside the mainline.
fn proposed(
    data: &GraphData,
    history: Option<&History>,
    first: &Arena<ReleaseId, Moment>,
) -> Arena<ReleaseId, i64> {
    let mut proposed: Arena<ReleaseId, i64> = first.iter().map(|moment| moment.time).collect();
    for (version, time) in history.iter().flat_map(|history| &history.proposed) {
        let Some(id) = data.releases.named(version) else { continue };
        if *time >= first[id].time.saturating_sub(LONGEST_PROPOSAL) {
            proposed[id] = proposed[id].min(*time);
        }
    }
    proposed
}

/// Estimates times from the internal candidate channel, which lists releases in the order of
/// enabling. Each place is one tick of a clock.
fn in_order_of_appending(data: &GraphData) -> Arena<ReleaseId, Moment> {
    // There are about three releases in two thirds of a week.
    const TICK: i64 = 3 * DAY / 2;
    let list = data.channels.iter().find(|channel| is_order(channel));
    let members = list.map_or(&[][..], |list| &list.versions);
    let mut place: HashMap<ReleaseId, usize> = HashMap::default();
    for (at, member) in members.iter().enumerate() {
        if let Some(release) = member.release {
            place.entry(release).or_insert(at);
        }
    }
    // Releases that it does not list are older. Sort them by version.
    let moment = |(at, (id, _)): (usize, (ReleaseId, _))| {
        let tick = match place.get(&id) {
            Some(place) => i64::try_from(*place).unwrap_or_default(),
            None => i64::try_from(at).unwrap_or_default() - LONG_AGO,
        };
        Moment { order: 0, time: tick * TICK }
    };
    data.releases.iter().enumerate().map(moment).collect()
}

/// Whether a channel is the internal one that lists releases in the order of enabling.
fn is_order(channel: &Channel) -> bool {
    !channel.public && channel.stem == "candidate"
}

const LONG_AGO: i64 = 1_000_000;

fn built_by(data: &GraphData, proposed: &Arena<ReleaseId, i64>) -> Arena<ReleaseId, i64> {
    let mut built = proposed.clone();
    let mut later: Option<ReleaseId> = None;
    for (id, _) in data.releases.iter().rev().filter(|(_, release)| release.is_general()) {
        if let Some(later) = later.filter(|later| data.releases.are_of_one_minor(id, *later)) {
            built[id] = built[id].min(built[later]);
        }
        later = Some(id);
    }
    built
}
