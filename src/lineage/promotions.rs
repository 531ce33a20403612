//! What the promotions tell of updates from one minor to the next.
//!
//! A release joins `fast-4.18`, `stable-4.18` or `eus-4.18` only when it can be updated to a
//! member of 4.18: the promotion bot sees to that. So the newest such member on the day it
//! joined is one that it leads to, and one that it waited beside in vain is none.

use crate::domain::Minor;
use crate::graph_data::{GraphData, ReleaseId};
use crate::history::{History, Moment};

use super::enabled::{DAY, Enabled};

/// For each release, what is known of its updates to one later minor. Where an update leads
/// to a target, one leads from every older origin and to every newer target.
#[derive(Debug)]
pub(super) struct Promotions {
    /// The oldest target that it surely leads to.
    leads_to: Vec<Option<ReleaseId>>,
    /// The newest target that it surely does not lead to.
    misses: Vec<Option<ReleaseId>>,
}

/// A release that was enabled so much later than another was not there when that was built,
/// whatever the promotions say.
const LATER: i64 = 8 * DAY;
/// So long before, it was there.
const LONG_BEFORE: i64 = 14 * DAY;
/// The bot looks every hour: who waited so long was not let in.
const WAITED: i64 = DAY / 5;
/// And joins so soon when the way is open.
const SOON: i64 = 3 * DAY / 2;

impl Promotions {
    /// What the promotions to a minor's channels tell.
    pub(super) fn of(data: &GraphData, history: &History, enabled: &Enabled, minor: Minor) -> Self {
        let nothing = vec![None; data.releases.len()];
        let mut promotions = Self { leads_to: nothing.clone(), misses: nothing };
        for phase in ["fast", "stable", "eus"] {
            let name = format!("channels/{phase}-{minor}");
            let Some(joined) = history.joined.get(&name) else { continue };
            let joined = joined.iter().filter_map(|(version, order)| {
                Some((data.releases.named(version)?, history.moment(*order)))
            });
            let joined: Vec<(ReleaseId, Moment)> =
                joined.filter(|(id, _)| data.releases.get(*id).is_general()).collect();
            let of_minor = data.releases.range_of(minor);
            let (targets, origins): (Vec<_>, Vec<_>) =
                joined.into_iter().partition(|(id, _)| of_minor.contains(id));
            let newest = newest_over_time(targets);
            for (origin, moment) in origins {
                promotions.learn(data, history, enabled, &newest, (origin, moment), phase);
            }
        }
        promotions.spread(data);
        promotions
    }

    /// Whether an update leads from one release to another: yes, no, or not known.
    pub(super) fn leads(&self, enabled: &Enabled, from: ReleaseId, to: ReleaseId) -> Option<bool> {
        let lead = enabled.built_by(to) - enabled.built_by(from);
        let leads =
            self.leads_to[from.index()].is_some_and(|oldest| oldest <= to) && lead >= -LATER;
        let misses = self.misses[from.index()].is_some_and(|newest| to <= newest);
        match (leads, misses && lead <= LONG_BEFORE) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    fn learn(
        &mut self,
        data: &GraphData,
        history: &History,
        enabled: &Enabled,
        newest: &[(ReleaseId, Moment)],
        (origin, moment): (ReleaseId, Moment),
        phase: &str,
    ) {
        let there = newest.partition_point(|(_, since)| since.order <= moment.order);
        let Some((target, since)) = there.checked_sub(1).map(|at| newest[at]) else { return };
        if enabled.built_by(target) - enabled.built_by(origin) >= -LATER {
            let known = &mut self.leads_to[origin.index()];
            *known = Some(known.map_or(target, |known| known.min(target)));
        }
        let Some((before, before_since)) = there.checked_sub(2).map(|at| newest[at]) else {
            return;
        };
        // The channel of its own minor in the same phase feeds this one; eus is fed by stable.
        let release = data.releases.get(origin);
        let feeder = if phase == "eus" { "stable" } else { phase };
        let feeder = format!("channels/{feeder}-{}", Minor::of(&release.version));
        let Some(ready) = history.joined(&feeder, &release.text) else { return };
        let waited = since.time - ready.time.max(before_since.time);
        if waited > WAITED && moment.time - since.time < SOON {
            let known = &mut self.misses[origin.index()];
            *known = (*known).max(Some(before));
        }
    }

    /// What is known of one release tells of its neighbours in its minor.
    fn spread(&mut self, data: &GraphData) {
        for (misses, leads_to) in self.misses.iter_mut().zip(&self.leads_to) {
            // What it leads to on one channel, it did not wait for in vain on another.
            if leads_to.is_some() && *misses >= *leads_to {
                *misses = None;
            }
        }
        let general = || data.releases.iter().filter(|(_, release)| release.is_general());
        let mut last: Option<(ReleaseId, ReleaseId)> = None;
        for (id, _) in general() {
            let before = last.filter(|(last, _)| data.releases.are_of_one_minor(*last, id));
            let known = self.misses[id.index()].max(before.map(|(_, known)| known));
            self.misses[id.index()] = known;
            last = known.map(|known| (id, known));
        }
        let mut last: Option<(ReleaseId, ReleaseId)> = None;
        for (id, _) in general().rev() {
            let after = last.filter(|(last, _)| data.releases.are_of_one_minor(*last, id));
            let own = self.leads_to[id.index()];
            let known = own.into_iter().chain(after.map(|(_, known)| known)).min();
            self.leads_to[id.index()] = known;
            last = known.map(|known| (id, known));
        }
    }
}

/// The newest member at each time: those that are newer than all who joined before, in the
/// order of joining.
fn newest_over_time(mut members: Vec<(ReleaseId, Moment)>) -> Vec<(ReleaseId, Moment)> {
    members.sort_unstable_by_key(|(id, moment)| (moment.order, *id));
    let mut newest: Vec<(ReleaseId, Moment)> = Vec::new();
    for (id, moment) in members {
        match newest.last_mut() {
            Some((last, _)) if *last >= id => {}
            // Of those that join together, the newest counts.
            Some(last) if last.1.order == moment.order => last.0 = id,
            _ => newest.push((id, moment)),
        }
    }
    newest
}
