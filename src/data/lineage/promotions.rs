//! Learns updates from one minor to the next from promotions.
//!
//! Since 2023, a release joins `fast-4.18`, `stable-4.18`, or `eus-4.18` only when it can be
//! updated to a member of 4.18: the promotion bot checks this. So it has an update to the newest
//! such member on the day it joins, and no update to a member that was there while it waited.

use crate::domain::{Arena, Minor};
use crate::graph_data::{GraphData, ReleaseId};
use crate::history::{History, Moment};

use super::enabled::{DAY, Enabled};

/// What promotions show about updates to one minor.
#[derive(Debug)]
pub(super) struct Promotions {
    /// Learned from promotions that the bot checked.
    checked: Learned,
    /// Learned from earlier promotions. At that time, releases also joined without an update.
    unchecked: Learned,
}

/// For some releases, what is known about their updates to one later minor. If a release has an
/// update to a target, so has every older release of its minor, and it also has updates to all
/// newer targets.
#[derive(Clone, Debug)]
struct Learned {
    /// The oldest target to which it certainly has an update.
    leads_to: Arena<ReleaseId, Option<ReleaseId>>,
    /// The newest target to which it certainly has no update.
    misses: Arena<ReleaseId, Option<ReleaseId>>,
}

/// 2023-01-01. Since then the promotion bot checks whether a release can be updated to a member.
/// Before, releases joined without that: in 2022, 61 of 312 joined beside members that had been
/// enabled five days or more before them, and could not list them. Since then, 3 of 1,550 did.
const CHECKED_SINCE: i64 = 1_672_531_200;
/// An origin that is enabled this much later than the target did not exist when the target was
/// built. Promotions do not change that.
const NOT_YET_BUILT: i64 = 8 * DAY;
/// An origin that is enabled this much earlier than the target existed when the target was built.
const SURELY_EXISTS: i64 = 14 * DAY;
/// The bot runs every hour: a release that waits this long cannot join yet.
const WAITED: i64 = DAY / 5;
/// A release that may join does so within this time.
const JOINS_WITHIN: i64 = 3 * DAY / 2;

/// A release that joins a channel.
#[derive(Clone, Copy)]
struct JoinedRelease {
    release: ReleaseId,
    moment: Moment,
}

impl Promotions {
    /// Learns from the promotions to a minor's channels.
    pub(super) fn of(data: &GraphData, history: &History, enabled: &Enabled, minor: Minor) -> Self {
        let nothing = || Arena::filled(data.releases.len(), None);
        let mut checked = Learned { leads_to: nothing(), misses: nothing() };
        let mut unchecked = checked.clone();
        for phase in ["fast", "stable", "eus"] {
            let name = format!("channels/{phase}-{minor}");
            let Some(joined) = history.joined.get(&name) else { continue };
            let joined = joined.iter().filter_map(|(version, order)| {
                let release = data.releases.named(version)?;
                Some(JoinedRelease { release, moment: history.moment(*order) })
            });
            let joined = joined.filter(|one| data.releases.get(one.release).is_general());
            let of_minor = data.releases.range_of(minor);
            let (targets, origins): (Vec<_>, Vec<_>) =
                joined.partition(|one| of_minor.contains(&one.release));
            let newest = newest_over_time(targets);
            for origin in origins {
                let is_checked = origin.moment.time >= CHECKED_SINCE;
                let learned = if is_checked { &mut checked } else { &mut unchecked };
                learned.learn_from(data, history, enabled, &newest, origin, phase);
            }
        }
        checked.spread(data);
        unchecked.spread(data);
        Self { checked, unchecked }
    }

    /// Whether there is an update from one release to another. None if that is unknown.
    pub(super) fn leads(&self, enabled: &Enabled, from: ReleaseId, to: ReleaseId) -> Option<bool> {
        self.checked.leads(enabled, from, to)
    }

    /// Whether a promotion that the bot did not check hints at an update.
    pub(super) fn hints_at(&self, enabled: &Enabled, from: ReleaseId, to: ReleaseId) -> bool {
        self.unchecked.leads(enabled, from, to) == Some(true)
    }
}

impl Learned {
    /// Whether there is an update from one release to another. None if that is unknown.
    fn leads(&self, enabled: &Enabled, from: ReleaseId, to: ReleaseId) -> Option<bool> {
        let lead = enabled.built_by(to) - enabled.built_by(from);
        let leads_to = self.leads_to[from];
        let leads = leads_to.is_some_and(|oldest| oldest <= to) && lead >= -NOT_YET_BUILT;
        let misses = self.misses[from].is_some_and(|newest| to <= newest);
        match (leads, misses && lead <= SURELY_EXISTS) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    fn learn_from(
        &mut self,
        data: &GraphData,
        history: &History,
        enabled: &Enabled,
        newest: &[JoinedRelease],
        promotion: JoinedRelease,
        phase: &str,
    ) {
        let JoinedRelease { release: origin, moment } = promotion;
        let there = newest.partition_point(|one| one.moment.order <= moment.order);
        let Some(last) = there.checked_sub(1).map(|at| newest[at]) else { return };
        let JoinedRelease { release: target, moment: since } = last;
        if enabled.built_by(target) - enabled.built_by(origin) >= -NOT_YET_BUILT {
            let known = &mut self.leads_to[origin];
            *known = Some(known.map_or(target, |known| known.min(target)));
        }
        let Some(before) = there.checked_sub(2).map(|at| newest[at]) else { return };
        // The feeder is the channel of its own minor in the same phase. The feeder of eus is
        // stable.
        let release = data.releases.get(origin);
        let feeder = if phase == "eus" { "stable" } else { phase };
        let feeder = format!("channels/{feeder}-{}", Minor::of(&release.version));
        let Some(ready) = history.joined(&feeder, &release.text) else { return };
        let waited = since.time - ready.time.max(before.moment.time);
        if waited > WAITED && moment.time - since.time < JOINS_WITHIN {
            let known = &mut self.misses[origin];
            *known = (*known).max(Some(before.release));
        }
    }

    /// Applies what is known about a release to other releases of its minor.
    fn spread(&mut self, data: &GraphData) {
        let Self { leads_to, misses } = self;
        // An update that one channel proves overrides a wait in another channel.
        for (missed, leads_to) in misses.iter_mut().zip(leads_to.iter()) {
            let is_proved = |newest| leads_to.is_some_and(|oldest| oldest <= newest);
            *missed = missed.filter(|newest| !is_proved(*newest));
        }
        for minor in data.releases.minors() {
            let mut ids = data.releases.of_minor(minor);
            if !ids.any(|id| leads_to[id].is_some() || misses[id].is_some()) {
                continue;
            }
            let general =
                || data.releases.of_minor(minor).filter(|id| data.releases.get(*id).is_general());
            let mut newest: Option<ReleaseId> = None;
            for id in general() {
                newest = newest.max(misses[id]);
                misses[id] = newest;
            }
            let mut oldest: Option<ReleaseId> = None;
            for id in general().rev() {
                oldest = oldest.into_iter().chain(leads_to[id]).min();
                leads_to[id] = oldest;
            }
        }
    }
}

/// The newest member at each time: the members that are newer than all members that joined before,
/// in order of joining.
fn newest_over_time(mut members: Vec<JoinedRelease>) -> Vec<JoinedRelease> {
    members.sort_unstable_by_key(|one| (one.moment.order, one.release));
    let mut newest: Vec<JoinedRelease> = Vec::new();
    for one in members {
        match newest.last_mut() {
            Some(last) if last.release >= one.release => {}
            // Of members that join at the same time, keep the newest.
            Some(last) if last.moment.order == one.moment.order => last.release = one.release,
            _ => newest.push(one),
        }
    }
    newest
}
