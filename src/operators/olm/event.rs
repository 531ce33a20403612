//! Events of a script, as people write them: `v2's plan fails`.

use crate::domain::Named;
use crate::text::Failure;

use super::phase::{Phase, Strategy};

/// An event of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Something happens to the InstallPlan for a CSV.
    Plan {
        csv: String,
        what: PlanEvent,
    },
    Csv {
        csv: String,
        what: CsvEvent,
    },
    CatalogGains(String),
    CatalogLoses(String),
    /// The catalog of this folder replaces the catalog.
    CatalogBecomes(String),
    StrategyBecomes(Strategy),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanEvent {
    Fails,
    Completes,
    IsApproved,
    IsDeleted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvEvent {
    Fails,
    Succeeds,
    IsDeleted,
    Is(Phase),
}

/// The forms of events, for help.
pub(crate) const FORMS: &[&str] = &[
    "NAME's plan fails (or completes, is approved, is deleted)",
    "NAME's CSV fails (or succeeds, is deleted, is PHASE)",
    "catalog gains NAME (or loses NAME, becomes DIR)",
    "strategy becomes TechPreviewUnsafeFailForward (or Default)",
];

const WORDS: &[&str] = &["plan", "installplan", "csv", "catalog", "strategy"];

impl Event {
    /// Reads one line. An error is a sentence without a period.
    pub fn parse(line: &str) -> Result<Self, Failure> {
        let line = line.trim().trim_end_matches('.').replace('\u{2019}', "'");
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [word, rest @ ..] if is(word, "catalog") => Self::of_catalog(rest),
            [word, "becomes" | "is", name] if is(word, "strategy") => {
                let strategy = Strategy::named(name).ok_or_else(|| {
                    let names: Vec<_> = Strategy::names().collect();
                    let failure = Failure::new(format!("`{name}` is no strategy"));
                    failure.hint(format!("it is {}", names.join(" or ")))
                })?;
                Ok(Self::StrategyBecomes(strategy))
            }
            [owner, kind, rest @ ..] if owner.ends_with("'s") => {
                Self::of_object(kind, owner.trim_end_matches("'s"), rest)
            }
            [kind, "of", name, rest @ ..] | [kind, name, rest @ ..]
                if WORDS.iter().any(|word| is(kind, word)) =>
            {
                Self::of_object(kind, name, rest)
            }
            _ => Err(not_an_event(&line, &words)),
        }
    }

    fn of_catalog(words: &[&str]) -> Result<Self, Failure> {
        match words {
            ["gains", name] => Ok(Self::CatalogGains((*name).to_owned())),
            ["loses", name] => Ok(Self::CatalogLoses((*name).to_owned())),
            ["becomes", name] => Ok(Self::CatalogBecomes((*name).to_owned())),
            _ => Err(unknown_event("the catalog", "`gains NAME`, `loses NAME`, or `becomes DIR`")),
        }
    }

    fn of_object(kind: &str, name: &str, words: &[&str]) -> Result<Self, Failure> {
        let csv = name.to_owned();
        if is(kind, "csv") {
            let what = match words {
                ["fails" | "failed"] => CsvEvent::Fails,
                ["succeeds" | "succeeded"] => CsvEvent::Succeeds,
                ["is" | "gets", "deleted"] => CsvEvent::IsDeleted,
                ["is", phase] if Phase::named(phase).is_some_and(|phase| phase != Phase::None) => {
                    CsvEvent::Is(Phase::named(phase).unwrap_or(Phase::None))
                }
                _ => {
                    let known = "`fails`, `succeeds`, `is deleted`, or `is PHASE`";
                    return Err(unknown_event("a CSV", known));
                }
            };
            return Ok(Self::Csv { csv, what });
        }
        if is(kind, "plan") || is(kind, "installplan") {
            let what = match words {
                ["fails" | "failed"] => PlanEvent::Fails,
                ["completes" | "completed" | "succeeds"] => PlanEvent::Completes,
                ["is", "approved"] => PlanEvent::IsApproved,
                ["is" | "gets", "deleted"] => PlanEvent::IsDeleted,
                _ => {
                    let known = "`fails`, `completes`, `is approved`, or `is deleted`";
                    return Err(unknown_event("an InstallPlan", known));
                }
            };
            return Ok(Self::Plan { csv, what });
        }
        let failure = Failure::new(format!("`{kind}` has no events"));
        Err(failure.hint("only plans, CSVs, the catalog, and the strategy do"))
    }
}

fn is(word: &str, other: &str) -> bool {
    word.eq_ignore_ascii_case(other)
}

fn unknown_event(of: &str, known: &str) -> Failure {
    Failure::new(format!("{of} has no such event")).hint(format!("{of} {known}"))
}

fn not_an_event(line: &str, words: &[&str]) -> Failure {
    let first = words.first().copied().unwrap_or_default().to_lowercase();
    let failure = Failure::new(format!("`{line}` is not an event"));
    if WORDS.contains(&first.as_str()) {
        failure
    } else {
        failure.did_you_mean(&first, WORDS.iter().copied())
    }
}

/// The events of a script, one on each line. `#` begins a comment.
pub(crate) fn script(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(at, line)| {
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        (at + 1, line.trim())
    });
    lines.filter(|(_, line)| !line.is_empty())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn events_read_like_sentences() {
        let csv = || "v2".to_owned();
        let fails = Event::Plan { csv: csv(), what: PlanEvent::Fails };
        for text in ["v2's plan fails", "plan of v2 fails", "v2’s InstallPlan fails."] {
            assert_eq!(Event::parse(text), Ok(fails.clone()), "{text}");
        }
        let pending = CsvEvent::Is(Phase::Pending);
        assert_eq!(Event::parse("csv v2 is Pending"), Ok(Event::Csv { csv: csv(), what: pending }));
        assert_eq!(Event::parse("catalog gains v3"), Ok(Event::CatalogGains("v3".to_owned())));
    }

    #[test]
    fn what_is_not_an_event_says_what_is() {
        let error = |text| Event::parse(text).unwrap_err().to_string();
        assert!(error("v2's plan explodes").contains("`fails`"));
        assert!(error("catalg gains v3").contains("did you mean `catalog`"));
        assert!(error("strategy becomes Hope").contains("TechPreviewUnsafeFailForward"));
    }
}
