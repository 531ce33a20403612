//! The condition `Applies` of a risk, as the operator writes it.

use super::object::Condition;
use super::{Exposure, Level, RiskText, Status};
use crate::domain::Named;

/// The condition `Applies` of a risk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applies {
    /// Whether the risk applies to the cluster.
    pub status: Status,
    /// The reason, which is one word.
    pub reason: String,
    /// The text for administrators.
    pub message: String,
}

impl Applies {
    /// The condition for a risk with this text.
    pub fn of(risk: RiskText<'_>, exposure: &Exposure, level: Level) -> Self {
        let (status, reason, message) = match exposure {
            Exposure::Exposed => (Status::True, "Match", String::new()),
            Exposure::NotExposed => (Status::False, "NotMatch", String::new()),
            Exposure::Unknown(why) => {
                (Status::Unknown, "EvaluationFailed", failure(risk, why, level))
            }
        };
        Self { status, reason: reason.into(), message }
    }

    /// The condition as it is in an object.
    pub fn condition(&self) -> Condition {
        Condition::new("Applies", self.status.name(), &self.reason, &self.message)
    }
}

fn failure(risk: RiskText<'_>, why: &str, level: Level) -> String {
    let RiskText { name, message, url } = risk;
    if level.has_long_failures() {
        format!(
            "Could not evaluate exposure to update risk {name} ({why})\n  \
             {name} description: {message}\n  {name} URL: {url}"
        )
    } else {
        format!(
            "Exposure to {name} is unknown due to an evaluation failure: {why}\n{message} {url}"
        )
    }
}
