//! The product life cycle: until which day each minor is supported.

mod read;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use crate::domain::Minor;
use crate::text::Failure;
use crate::text::words::listed;

/// The phases of all minors that a table knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    /// The table in words: `the life cycle of 2026-03-01`.
    pub name: String,
    minors: BTreeMap<Minor, Phases>,
}

/// The phases of a minor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Phases {
    /// The day on which the minor became generally available: `2025-10-21`. None if it is unknown.
    available: Option<String>,
    /// The phases of support, the first one first.
    support: Vec<Phase>,
}

/// A phase of support.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Phase {
    /// Such as `Maintenance support`.
    name: String,
    end: PhaseEnd,
}

/// When a phase ends.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PhaseEnd {
    /// The last day: `2027-04-21`.
    Day(String),
    /// An event that has no date yet, in the words of the table: `GA of 4.22 + 3 months`.
    Event(String),
}

/// What the life cycle says of a minor on some day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SupportStage<'l> {
    /// The table does not have the minor.
    Unknown,
    /// It becomes generally available on this day.
    Announced(&'l str),
    /// A phase of support, and its end.
    Supported { phase: &'l str, until: &'l str },
    /// Its support ended on this day.
    Ended(&'l str),
}

/// The table that is built in.
const BUILT_IN: &str = include_str!("built_in.json");
/// The day on which it was last compared with the published life cycle.
const COMPARED: &str = "2026-03-01";

impl Lifecycle {
    /// The published life cycle of OpenShift, as it was on the day in its name.
    pub fn built_in() -> Arc<Self> {
        static TABLE: LazyLock<Arc<Lifecycle>> = LazyLock::new(|| {
            let minors = read::minors(BUILT_IN).unwrap_or_default();
            Arc::new(Lifecycle { name: format!("the life cycle of {COMPARED}"), minors })
        });
        Arc::clone(&TABLE)
    }

    /// Reads a table in the form in which Red Hat publishes the life cycles of its products. `file`
    /// is its name in messages.
    pub fn read(text: &str, file: &str) -> Result<Self, Failure> {
        let minors = read::minors(text).map_err(|failure| failure.cannot_use(file))?;
        Ok(Self { name: format!("the life cycle in {file}"), minors })
    }

    /// The built-in table, with the last days of support that exitpath.toml gives for some minors.
    pub fn with_ends(ends: &BTreeMap<String, String>) -> Result<Self, Failure> {
        let neither = |text| {
            let failure = Failure::new(format!("`{text}` is neither a minor nor a day"));
            failure.hint("for example `\"4.22\" = \"2027-12-09\"`")
        };
        let mut table = Self::clone(&Self::built_in());
        for (minor, last) in ends {
            let minor = Minor::parse(minor).ok_or_else(|| neither(minor))?;
            let end =
                read::end(last).filter(|end| matches!(end, PhaseEnd::Day(day) if day == last));
            let end = end.ok_or_else(|| neither(last))?;
            let support = vec![Phase { name: "exitpath.toml".to_owned(), end }];
            table.minors.entry(minor).or_default().support = support;
        }
        Ok(table)
    }

    /// Those of some minors that are newer than the table, in words. None if there are none.
    pub(super) fn not_known_yet(&self, minors: &BTreeSet<Minor>) -> Option<String> {
        let newest = self.minors.keys().next_back();
        let newer = minors.iter().filter(|minor| Some(*minor) > newest);
        let newer: Vec<String> = newer.map(Minor::to_string).collect();
        (!newer.is_empty()).then(|| listed(&newer, "and"))
    }

    /// What it says of a minor on a day: `2026-08-21`.
    pub(super) fn stage(&self, minor: Minor, day: &str) -> SupportStage<'_> {
        let Some(phases) = self.minors.get(&minor) else { return SupportStage::Unknown };
        if let Some(available) = phases.available.as_deref().filter(|available| day < *available) {
            return SupportStage::Announced(available);
        }
        let has_ended = |phase: &Phase| matches!(&phase.end, PhaseEnd::Day(last) if **last < *day);
        let ended = phases.support.iter().rposition(has_ended);
        let next = ended.map_or(0, |ended| ended + 1);
        match (phases.support.get(next), phases.support.last()) {
            (Some(Phase { name, end: PhaseEnd::Day(until) | PhaseEnd::Event(until) }), _) => {
                SupportStage::Supported { phase: name, until }
            }
            (None, Some(Phase { end: PhaseEnd::Day(last), .. })) => SupportStage::Ended(last),
            (None, _) => SupportStage::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Lifecycle, SupportStage};
    use crate::domain::Minor;

    fn stage<'l>(table: &'l Lifecycle, minor: &str, day: &str) -> SupportStage<'l> {
        table.stage(Minor::parse(minor).unwrap_or_else(|| unreachable!("a minor")), day)
    }

    #[test]
    fn the_built_in_table_knows_the_phases_of_each_minor() {
        let table = Lifecycle::built_in();
        let supported = |phase, until| SupportStage::Supported { phase, until };
        let cases = [
            ("4.18", "2025-02-24", SupportStage::Announced("2025-02-25")),
            ("4.18", "2025-02-25", supported("Full support", "2025-09-17")),
            ("4.18", "2025-09-17", supported("Full support", "2025-09-17")),
            ("4.18", "2025-09-18", supported("Maintenance support", "2026-08-25")),
            ("4.18", "2026-08-26", supported("Extended update support", "2027-02-25")),
            ("4.18", "2028-02-26", SupportStage::Ended("2028-02-25")),
            ("4.17", "2026-04-02", SupportStage::Ended("2026-04-01")),
            ("4.21", "2026-08-01", supported("Full support", "GA of 4.22 + 3 months")),
            ("4.21", "2027-08-04", SupportStage::Ended("2027-08-03")),
            ("5.7", "2026-08-01", SupportStage::Unknown),
        ];
        for (minor, day, expected) in cases {
            assert_eq!(stage(&table, minor, day), expected, "{minor} on {day}");
        }
        let minors = ["4.20", "4.21", "4.22", "5.0"].into_iter().filter_map(Minor::parse);
        assert_eq!(table.not_known_yet(&minors.collect()).as_deref(), Some("4.22 and 5.0"));
        assert!(table.minors.values().all(|phases| phases.available.is_some()));
    }

    #[test]
    fn the_published_form_is_read() {
        let text = r#"{"data": [
            {"name": "Red Hat OpenShift Service Mesh", "versions": [{"name": "3.0", "phases": []}]},
            {"uuid": "1", "name": "OpenShift Container Platform 4", "versions": [
                {"name": "4.30", "type": "Full Support", "phases": [
                    {"name": "General availability", "start_date": "N/A",
                     "end_date": "2030-01-02T00:00:00.000Z", "end_date_format": "date"},
                    {"name": "Full support", "start_date": "2030-01-02T00:00:00.000Z",
                     "end_date": "2030-07-02T00:00:00.000Z"},
                    {"name": "Maintenance support", "date": "2031-07-02T00:00:00.000Z"},
                    {"name": "Extended update support", "end_date": "N/A"},
                    {"name": "Extended life phase", "end_date": "2040-01-01T00:00:00.000Z"}]},
                {"name": "4.29 EUS", "phases": [{"name": "Full support", "date": "2029-02-03"}]}]}]}"#;
        let table = Lifecycle::read(text, "a.json").unwrap_or_else(|_| unreachable!("valid"));
        let until = |until| SupportStage::Supported { phase: "Maintenance support", until };
        assert_eq!(stage(&table, "4.30", "2031-07-02"), until("2031-07-02"));
        assert_eq!(stage(&table, "4.30", "2031-07-03"), SupportStage::Ended("2031-07-02"));
        assert_eq!(stage(&table, "4.29", "2029-02-04"), SupportStage::Ended("2029-02-03"));
        assert_eq!(stage(&table, "3.0", "2029-02-04"), SupportStage::Unknown);
    }

    #[test]
    fn a_table_that_says_nothing_of_openshift_is_an_error() {
        let cases = [
            ("", "it is not JSON"),
            ("{}", "it has no `data`"),
            (r#"{"data": []}"#, "no phase of a minor version of OpenShift"),
            (r#"{"data": [{"name": "Quay", "versions": []}]}"#, "no phase of a minor version"),
        ];
        for (text, expected) in cases {
            let error = Lifecycle::read(text, "a.json").err();
            let words = error.map(|failure| failure.words().0.to_owned()).unwrap_or_default();
            assert!(words.contains(expected), "{text}: {words}");
        }
    }
}
