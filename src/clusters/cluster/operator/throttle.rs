//! Limits how often the operator asks Prometheus: one query each second (before 4.14, in ten
//! minutes), and each query once an hour.

use super::super::Exposure;
use super::Settings;
use crate::domain::HashMap;
use crate::domain::time::time_of_day;
use crate::metrics::QueryError;

/// The least time until the same query is asked again.
const FRESH: i64 = 3_600_000;
/// The time after which an answer is forgotten.
const STALE: i64 = 24 * FRESH;

/// The message of operators before 4.14.
const QUEUED: &str = "this cached cluster condition request has been queued for later execution";

/// The operator's cache of answers.
#[derive(Debug, Default)]
pub(super) struct Throttle {
    entries: HashMap<String, Entry>,
    last_question: Option<i64>,
    /// The number of requests so far, which orders requests at the same time.
    requests: u64,
}

#[derive(Debug)]
struct Entry {
    answer: Option<KnownAnswer>,
    /// The time and the number of the last request.
    requested: (i64, u64),
}

#[derive(Debug)]
struct KnownAnswer {
    exposure: Exposure,
    at: (i64, u64),
}

impl Throttle {
    /// The exposure that a query gives now. The cache decides whether a query is asked, and which
    /// one.
    pub(super) fn exposure(
        &mut self,
        query: &str,
        now: i64,
        settings: &Settings,
        mut ask: impl FnMut(&str) -> Result<Exposure, QueryError>,
    ) -> Result<Exposure, QueryError> {
        self.entries.retain(|_, entry| {
            now - entry.answer.as_ref().map_or(entry.requested.0, |answer| answer.at.0) <= STALE
        });
        let (level, between) = (settings.level, settings.between_queries);
        self.requests += 1;
        let moment = (now, self.requests);
        let most_stale = self.most_stale();
        let entry = self
            .entries
            .entry(query.to_owned())
            .or_insert(Entry { answer: None, requested: moment });
        entry.requested = moment;
        let cached = entry.answer.as_ref().map(|answer| answer.exposure.clone());
        if let Some(last) = self.last_question.filter(|last| now - last <= between) {
            return Ok(cached.unwrap_or_else(|| Exposure::Unknown(too_soon(last, now, settings))));
        }
        let chosen = match most_stale {
            Some((_, at)) if at.is_some_and(|at| now - at < FRESH) => match cached {
                Some(cached) => return Ok(cached),
                None => query.to_owned(),
            },
            Some((other, _)) => other,
            None => query.to_owned(),
        };
        let exposure = ask(&chosen)?;
        self.last_question = Some(now);
        if let Some(entry) = self.entries.get_mut(&chosen) {
            entry.answer = Some(KnownAnswer { exposure: exposure.clone(), at: moment });
        }
        if chosen == query {
            return Ok(exposure);
        }
        let queued = if level.has_long_failures() {
            "evaluation is throttled".to_owned()
        } else {
            format!("client-side throttling: {QUEUED}")
        };
        Ok(cached.unwrap_or(Exposure::Unknown(queued)))
    }

    /// The query that has waited longest of those that were requested after their last answer, and
    /// the time of that answer.
    fn most_stale(&self) -> Option<(String, Option<i64>)> {
        let waiting = self.entries.iter().filter(|(_, entry)| {
            entry.answer.as_ref().is_none_or(|answer| entry.requested > answer.at)
        });
        let order = |entry: &Entry| {
            let answered = entry.answer.as_ref().map(|answer| answer.at);
            (answered, entry.requested)
        };
        let chosen = waiting.min_by_key(|(_, entry)| order(entry));
        chosen.map(|(query, entry)| (query.clone(), entry.answer.as_ref().map(|one| one.at.0)))
    }
}

fn too_soon(last: i64, now: i64, settings: &Settings) -> String {
    if settings.level.has_long_failures() {
        return format!(
            "evaluation is throttled until {}",
            time_of_day(last + settings.between_queries)
        );
    }
    let elapsed = match now - last {
        0 => "0s".to_owned(),
        1_000 => "1s".to_owned(),
        milliseconds => format!("{milliseconds}ms"),
    };
    format!(
        "client-side throttling: only {elapsed} has elapsed since the last match call completed \
         for this cluster condition backend; {QUEUED}"
    )
}
