//! Which minors still get releases.

use std::collections::BTreeMap;

use crate::graph_data::{GraphData, Minor};

use super::Past;
use super::enabled::{DAY, Enabled};

/// When each minor got its newest release.
#[derive(Debug)]
pub struct Supported {
    newest: BTreeMap<Minor, i64>,
    today: i64,
    days: u32,
}

impl Supported {
    /// The minors whose newest release was enabled in the days before the repository's own date;
    /// none where no history tells.
    #[must_use]
    pub fn of(data: &GraphData, past: &Past, days: u32) -> Option<Self> {
        let history = past.history.as_ref()?;
        let enabled = Enabled::of(data, Some(history));
        let mut newest: BTreeMap<Minor, i64> = BTreeMap::new();
        for (id, release) in data.releases.iter() {
            let at = newest.entry(Minor::of(&release.version)).or_insert(i64::MIN);
            *at = (*at).max(enabled.at(id).time);
        }
        let today = past.date.unwrap_or(history.now().time);
        Some(Self { newest, today, days })
    }

    /// No minor at all.
    #[must_use]
    pub fn nobody() -> Self {
        Self { newest: BTreeMap::new(), today: 0, days: 0 }
    }

    /// Whether a minor still gets releases.
    #[must_use]
    pub fn holds(&self, minor: Minor) -> bool {
        let since = self.today - i64::from(self.days) * DAY;
        self.newest.get(&minor).is_some_and(|newest| *newest >= since)
    }

    /// How many days before the repository's own date a minor got its newest release.
    #[must_use]
    pub fn days_ago(&self, minor: Minor) -> Option<i64> {
        self.newest.get(&minor).map(|newest| (self.today - newest).div_euclid(DAY))
    }
}
