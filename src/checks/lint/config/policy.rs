//! Parses `[supported]` of `exitpath.toml`: which releases are supported.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::lineage::{Lifecycle, Policy, Support};
use crate::text::Failure;

use super::glob::glob;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenPolicy {
    days: Option<u32>,
    range: Option<String>,
    /// The last days of support of some minors.
    until: Option<BTreeMap<String, String>>,
    #[serde(default)]
    channels: BTreeMap<String, WrittenSupport>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSupport {
    days: Option<u32>,
    range: Option<String>,
}

impl WrittenPolicy {
    pub(super) fn read(self) -> Result<Policy, Failure> {
        let usual = support("supported", self.days, self.range.as_deref())?;
        let usual = match (usual, self.until) {
            (usual, None) => usual.unwrap_or_default(),
            (None, Some(ends)) => by_ends(&ends)?,
            (Some(_), Some(_)) => {
                let what =
                    "`[supported]` has `until` beside `days` or `range`: use only one of them";
                return Err(Failure::new(what));
            }
        };
        // An exact name overrides a pattern, and a longer pattern overrides a shorter, less
        // specific one.
        let (mut patterns, names): (Vec<_>, Vec<_>) =
            self.channels.into_iter().partition(|(name, _)| name.contains(['*', '?']));
        patterns.sort_by_key(|(pattern, _)| Reverse(pattern.chars().count()));
        let channels = names.into_iter().chain(patterns).map(|(name, written)| {
            let place = format!("supported.channels.\"{name}\"");
            let own = support(&place, written.days, written.range.as_deref())?;
            let own =
                own.ok_or_else(|| Failure::new(format!("`[{place}]` needs `days` or `range`")));
            let pattern = glob(&name)
                .ok_or_else(|| Failure::new(format!("`{name}` is too long for a name pattern")));
            Ok::<_, Failure>((pattern?, own?))
        });
        let channels = channels.collect::<Result<_, _>>()?;
        Ok(Policy { usual, channels })
    }
}

fn by_ends(ends: &BTreeMap<String, String>) -> Result<Support, Failure> {
    let table = Lifecycle::with_ends(ends).map_err(|why| why.at("`[supported.until]`"))?;
    Ok(Support::Lifecycle(Arc::new(table)))
}

fn support(
    place: &str,
    days: Option<u32>,
    range: Option<&str>,
) -> Result<Option<Support>, Failure> {
    match (days, range) {
        (None, None) => Ok(None),
        (Some(days), None) => Ok(Some(Support::Days(days))),
        (None, Some(range)) => Support::range(range).map(Some).map_err(|error| {
            Failure::new(format!("`[{place}]`: `{range}` is not a range of versions: {error}"))
        }),
        (Some(_), Some(_)) => Err(Failure::new(format!(
            "`[{place}]` has both `days` and `range`: use only one of them"
        ))),
    }
}
