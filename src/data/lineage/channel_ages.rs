//! How long channels have had their releases.

use std::sync::Arc;

use crate::history::History;

use super::Past;
use super::enabled::DAY;

/// How long channels have had their releases, according to a whole history.
#[derive(Clone, Debug, Default)]
pub struct ChannelAges {
    /// The history, and the current day in seconds since 1970.
    known: Option<(Arc<History>, i64)>,
}

impl ChannelAges {
    pub fn of(past: &Past) -> Self {
        let history = past.history.as_ref().filter(|history| history.is_whole);
        let known = history.map(|history| (Arc::clone(history), past.today(history)));
        Self { known }
    }

    /// When a channel got a release, and the current day, in seconds since 1970.
    pub fn joined(&self, path: &str, version: &str) -> Option<(i64, i64)> {
        let (history, today) = self.known.as_ref()?;
        Some((history.joined(path.strip_suffix(".yaml")?, version)?.time, *today))
    }

    /// For how many days a channel has had a release. `path` is the path of the channel's file, and
    /// `version` is as written there. None if the history does not tell.
    pub fn days(&self, path: &str, version: &str) -> Option<i64> {
        let (history, today) = self.known.as_ref()?;
        // A change that is not committed is newer than the history.
        let joined = history.joined(path.strip_suffix(".yaml")?, version);
        Some(joined.map_or(0, |moment| today.saturating_sub(moment.time).div_euclid(DAY)))
    }
}
