//! The columns of a table of clusters, and the keys of lines of JSON.

use crate::domain::{Arch, Named, version};
use crate::metrics::SeriesText;
use crate::text::words::{listed, quoted};
use crate::text::{Failure, closest};

use super::class::{ClusterClass, ClusterRow, Facts, MinorRefusal};
use super::platform::Platform;

/// The values for clusters that name none.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    pub channel: Option<String>,
    pub arch: Arch,
}

/// The names of the columns, for messages.
const NAMES: &[&str] = &[
    "version",
    "channel",
    "arch",
    "name",
    "count",
    "platform",
    "series",
    "risk:NAME",
    "available_updates",
    "upgradeable",
];

const RISK: &str = "risk:";

/// A column, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Version,
    Channel,
    Arch,
    Name,
    Count,
    Platform,
    Series,
    Risk(String),
    AvailableUpdates,
    Upgradeable,
}

impl Column {
    pub(super) fn named(name: &str) -> Result<Self, Failure> {
        Ok(match name {
            "version" => Self::Version,
            "channel" => Self::Channel,
            "arch" => Self::Arch,
            "name" => Self::Name,
            "count" => Self::Count,
            "platform" => Self::Platform,
            "series" => Self::Series,
            "available_updates" => Self::AvailableUpdates,
            "upgradeable" => Self::Upgradeable,
            other => {
                let risk = other.strip_prefix(RISK).filter(|risk| !risk.is_empty());
                let unknown = || {
                    let failure = Failure::unknown("column", other, NAMES.iter().copied());
                    let known = listed(&quoted(NAMES), "and");
                    failure.or_hint(format!("columns are {known}"))
                };
                Self::Risk(risk.ok_or_else(unknown)?.to_owned())
            }
        })
    }
}

/// A cluster while its cells are read.
#[derive(Debug, Default)]
pub(super) struct Draft {
    version: Option<String>,
    channel: Option<String>,
    arch: Option<Arch>,
    name: Option<String>,
    count: Option<u64>,
    available: Option<u64>,
    pub(super) refusal: Option<MinorRefusal>,
    facts: Facts,
}

impl Draft {
    /// Takes a cell. An empty one says nothing. The error says what is wrong with the text.
    pub(super) fn take(&mut self, column: &Column, text: &str) -> Result<(), Failure> {
        if text.is_empty() {
            return Ok(());
        }
        if text.contains(['\n', '\r']) && *column != Column::Series {
            let failure = Failure::new("it has several lines");
            return Err(failure.hint("is a quote not closed?"));
        }
        match column {
            Column::Version => {
                if let Some(fault) = version::fault(text) {
                    return Err(Failure::new(format!("`{text}` is not a version: {fault}")));
                }
                self.version = Some(text.to_owned());
            }
            Column::Channel => self.channel = Some(text.to_owned()),
            Column::Name => self.name = Some(text.to_owned()),
            Column::Arch => self.arch = Some(named("an architecture", text)?),
            Column::Count => self.count = Some(number(text)?),
            Column::AvailableUpdates => self.available = Some(number(text)?),
            Column::Upgradeable => match text {
                "yes" => {}
                "no" => self.refusal = Some(MinorRefusal { why: None }),
                _ => return Err(Failure::new(format!("`{text}` is neither `yes` nor `no`"))),
            },
            Column::Platform => {
                let known = Platform::named(text);
                let unknown = || unknown("a platform", text, &Platform::names());
                self.facts.platform = Some(known.ok_or_else(unknown)?);
            }
            Column::Series => {
                let read = SeriesText::read(text, None);
                if let Some(fault) = read.malformed.first.first() {
                    let what = format!("line {}: expected {}", fault.line, fault.expected);
                    return Err(Failure::new(what));
                }
                text.clone_into(&mut self.facts.series);
            }
            Column::Risk(risk) => {
                let answer = named("an answer", text)?;
                self.facts.answers.insert(risk.clone(), answer);
            }
        }
        Ok(())
    }

    /// The cluster. The error says which column is missing.
    pub(super) fn row(self, defaults: &Defaults) -> Result<ClusterRow, Failure> {
        let version = self.version.ok_or("the version is missing")?;
        let channel = self.channel.or_else(|| defaults.channel.clone());
        let channel = channel.ok_or_else(|| {
            Failure::new("the channel is missing").hint("`--channel` names one for all")
        })?;
        Ok(ClusterRow {
            name: self.name,
            count: self.count.unwrap_or(1),
            available: self.available,
            refusal: self.refusal,
            class: ClusterClass {
                version,
                channel,
                arch: self.arch.unwrap_or(defaults.arch),
                facts: self.facts,
            },
        })
    }
}

fn number(text: &str) -> Result<u64, Failure> {
    let what = || format!("`{text}` is not a number of clusters or updates");
    text.parse().map_err(|_| Failure::new(what()))
}

fn named<T: Named>(what: &str, text: &str) -> Result<T, Failure> {
    let names: Vec<&str> = T::names().collect();
    T::named(text).ok_or_else(|| unknown(what, text, &names))
}

fn unknown(what: &str, text: &str, known: &[&str]) -> Failure {
    let suggested = closest(text, known.iter().copied());
    let hint = suggested
        .map_or_else(|| listed(&quoted(known), "or"), |name| format!("did you mean `{name}`?"));
    Failure::new(format!("`{text}` is not {what}")).hint(hint)
}
