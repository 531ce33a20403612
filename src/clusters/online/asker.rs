//! Asks a server, within limits. Never asks a question twice.

use std::time::{Duration, Instant};

use crate::domain::HashMap;
use crate::metrics::{QueryError, Source};
use crate::promql::{Labels, Value};
use crate::text::Failure;
use crate::text::words::grouped;

use super::Presence;

/// The limits for questions to a server.
#[derive(Clone, Copy, Debug)]
pub struct QuestionLimits {
    /// The most questions.
    pub questions: usize,
    /// The time limit for all answers together.
    pub time: Duration,
}

impl Default for QuestionLimits {
    /// The default is ten times what all risks of a large repository need.
    fn default() -> Self {
        Self { questions: 20_000, time: Duration::from_mins(15) }
    }
}

pub(super) struct Asker<'s> {
    source: &'s Source,
    limits: QuestionLimits,
    started: Instant,
    pub(super) questions: usize,
    counts: HashMap<String, usize>,
}

impl<'s> Asker<'s> {
    pub(super) fn new(source: &'s Source, limits: QuestionLimits) -> Self {
        let counts = HashMap::default();
        Self { source, limits, started: Instant::now(), questions: 0, counts }
    }

    /// The time of the questions.
    pub(super) fn time(&self) -> i64 {
        self.source.time()
    }

    /// Checks whether the server answers queries at all. This also opens the connection.
    pub(super) fn greet(&mut self) -> Result<(), Failure> {
        match self.ask("vector(1)")? {
            Ok(Value::Vector(samples)) if matches!(samples.as_slice(), [(_, 1.0)]) => Ok(()),
            Ok(_) => Err(Failure::new("the server does not answer 1 to the query `vector(1)`")),
            Err(error) => {
                Err(Failure::new(format!("the server refuses the query `vector(1)`: {error}")))
            }
        }
    }

    /// The answer to a query, which may be an error of the server. The outer error means that the
    /// server does not answer.
    pub(super) fn ask(&mut self, query: &str) -> Result<Result<Value, QueryError>, Failure> {
        if self.questions >= self.limits.questions {
            let most = grouped(self.limits.questions);
            return Err(too_much(format!("the queries need more than {most} questions")));
        }
        if self.started.elapsed() > self.limits.time {
            let seconds = grouped(usize::try_from(self.limits.time.as_secs()).unwrap_or_default());
            let what = format!("the server is too slow: all queries take more than {seconds} s");
            return Err(too_much(what));
        }
        self.questions += 1;
        match self.source.ask(query) {
            // The first question is our own, so an error says nothing about the repository.
            Err(QueryError::NoAnswer(why)) if self.questions == 1 => Err(Failure::new(why)),
            Err(QueryError::NoAnswer(why)) => {
                Err(Failure::new(why).hint(format!("the question was `{}`", beginning(query))))
            }
            answer => Ok(answer),
        }
    }

    /// Whether there are series for a selector, now or in the last day.
    pub(super) fn presence(&mut self, selector: &str) -> Result<Presence, Failure> {
        let now = self.count(&format!("count({selector})"))?;
        if now > 0 {
            return Ok(Presence::Now(now));
        }
        let in_last_day = self.count(&format!("count(present_over_time({selector}[1d]))"))?;
        Ok(if in_last_day > 0 { Presence::Earlier } else { Presence::Never })
    }

    /// How many series a selector selects now.
    pub(super) fn series(&mut self, selector: &str) -> Result<usize, Failure> {
        self.count(&format!("count({selector})"))
    }

    /// The labels of the samples that a query answers.
    pub(super) fn labels(&mut self, query: &str) -> Result<Vec<Labels>, Failure> {
        match self.ask(query)? {
            Ok(Value::Vector(samples)) => {
                Ok(samples.into_iter().map(|(labels, _)| labels).collect())
            }
            other => Err(odd(query, &other)),
        }
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a count")]
    fn count(&mut self, query: &str) -> Result<usize, Failure> {
        if let Some(known) = self.counts.get(query) {
            return Ok(*known);
        }
        let count = match self.ask(query)? {
            Ok(Value::Vector(samples)) => match samples.as_slice() {
                [] => 0,
                [(_, count)] if *count >= 0.0 => *count as usize,
                _ => return Err(odd(query, &Ok(Value::Vector(samples)))),
            },
            other => return Err(odd(query, &other)),
        };
        self.counts.insert(query.to_owned(), count);
        Ok(count)
    }
}

/// The error if the server answers a question of our own in a way that Prometheus would not.
fn odd(query: &str, answer: &Result<Value, QueryError>) -> Failure {
    Failure::new(match answer {
        Err(error) => format!("the server refuses to count series (`{query}`): {error}"),
        Ok(_) => format!("the server does not answer a number of series to `{query}`"),
    })
}

/// The beginning of a query, long enough to find it in the repository.
fn beginning(query: &str) -> String {
    const ENOUGH: usize = 100;
    let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(ENOUGH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn too_much(what: String) -> Failure {
    let hint = "name the files to check, or use `--base` to ask about new queries only";
    Failure::new(what).hint(hint)
}
