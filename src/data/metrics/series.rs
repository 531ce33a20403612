//! The series of a cluster at the time of a query.

use crate::promql::{self, Labels, LineFault, Point, Store};

use crate::text::words::grouped;

use super::fault::{FaultyPart, SeriesFault};
use super::notation;

/// The series of a cluster.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// The series with their samples.
    pub store: Store,
    /// The time of the query, in milliseconds since 1970.
    pub time: i64,
    /// The id of the cluster, if it is a hosted one. It replaces `_id=""` in queries.
    pub cluster_id: Option<String>,
    /// How many samples were added.
    added: usize,
}

/// The most samples to add. With more, a file of some megabytes would need gigabytes of memory.
const MOST: usize = 8_000_000;

impl Series {
    /// No series, at a time in milliseconds since 1970.
    pub fn at(time: i64) -> Self {
        Self { time, ..Self::default() }
    }

    pub(super) fn of(store: Store, time: i64) -> Self {
        Self { store, ..Self::at(time) }
    }

    /// A query as the cluster asks it. A hosted cluster puts its id into each `_id=""`, wherever
    /// this text occurs.
    pub fn as_asked(&self, query: &str) -> String {
        match &self.cluster_id {
            Some(id) => query.replace(r#"_id="""#, &format!("_id=\"{id}\"")),
            None => query.to_owned(),
        }
    }

    /// Adds a series as promtool's unit tests write it: `up{job="a"}`, and `0 1 1x60`. It replaces
    /// the series with the same labels.
    pub fn add(&mut self, series: &str, values: &str) -> Result<(), SeriesFault> {
        let (labels, points) = self.read(series, values)?;
        self.replace(labels, points)
    }

    /// Adds a series that is not there yet.
    pub(super) fn add_new(&mut self, series: &str, values: &str) -> Result<(), SeriesFault> {
        let (labels, points) = self.read(series, values)?;
        if self.store.contains(&labels) {
            let expected = "another series, because this one is there already".into();
            return Err(SeriesFault { part: FaultyPart::Series, at: 0, expected });
        }
        self.replace(labels, points)
    }

    fn replace(&mut self, labels: Labels, points: Vec<Point>) -> Result<(), SeriesFault> {
        self.added += points.len();
        if self.added > MOST {
            let expected = format!("at most {} samples in all series", grouped(MOST));
            return Err(SeriesFault { part: FaultyPart::Values, at: 0, expected });
        }
        self.store.replace(labels, points);
        Ok(())
    }

    fn read(&self, series: &str, values: &str) -> Result<(Labels, Vec<Point>), SeriesFault> {
        let fault =
            |part| move |LineFault { at, expected }: LineFault| SeriesFault { part, at, expected };
        let (labels, end) = promql::series_labels(series).map_err(fault(FaultyPart::Series))?;
        let rest = &series[end..];
        if !rest.trim().is_empty() {
            let at = end + rest.len() - rest.trim_start().len();
            let expected = "the end of the series".into();
            return Err(SeriesFault { part: FaultyPart::Series, at, expected });
        }
        let points = notation::points(values, self.time).map_err(fault(FaultyPart::Values))?;
        Ok((labels, points))
    }

    /// Removes the series that a selector selects, such as `up{job=~"a.*"}`, and returns how many
    /// there were.
    pub fn remove(&mut self, selector: &str) -> Result<usize, promql::Error> {
        let query = promql::parse(selector)?;
        let wrong =
            |message: String| promql::Error { range: 0..selector.len(), message, opened: None };
        match promql::remove_selected(&mut self.store, &query) {
            Ok(Some(count)) => Ok(count),
            Ok(None) => Err(wrong("this is not a selector, such as `up{job=\"a\"}`".into())),
            Err(error) => Err(wrong(error.to_string())),
        }
    }
}
