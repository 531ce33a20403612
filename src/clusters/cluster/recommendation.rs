//! The condition `Recommended` of an update, as the operator writes it.

use super::object::Condition;
use super::{Applies, Exposure, Level};
use crate::domain::Named;

/// The condition `Recommended` of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Whether the update is recommended.
    pub status: Status,
    /// The reason, which is one word.
    pub reason: String,
    /// The text for administrators.
    pub message: String,
}

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Yes.
    True,
    /// No.
    False,
    /// The cluster cannot tell.
    Unknown,
}

impl Named for Status {
    const ALL: &'static [Self] = &[Self::True, Self::False, Self::Unknown];

    fn name(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// `True, NotExposedToRisks: The update is …`
impl std::fmt::Display for Recommendation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, {}: {}", self.status.name(), self.reason, self.message)
    }
}

/// The text of a risk for administrators.
#[derive(Clone, Copy, Debug)]
pub struct RiskText<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it causes.
    pub message: &'a str,
    /// A page about it.
    pub url: &'a str,
}

/// A risk of an update, and whether it applies to the cluster.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatedRisk<'a> {
    /// Its text.
    pub text: RiskText<'a>,
    /// Whether it applies.
    pub applies: &'a Applies,
    /// Whether the administrator accepts it.
    pub is_accepted: bool,
}

const NOT_EXPOSED: &str = "NotExposedToRisks";
const ACCEPTED: &str = "AllExposedRisksAccepted";
const FAILED: &str = "EvaluationFailed";
const EXPOSED: &str = "ExposedToRisks";
const SEVERAL: &str = "MultipleReasons";

impl Recommendation {
    /// The condition for an update with only this risk.
    pub fn of(risk: RiskText<'_>, exposure: &Exposure) -> Self {
        let applies = Applies::of(risk, exposure, Level::NEWEST);
        let evaluated = EvaluatedRisk { text: risk, applies: &applies, is_accepted: false };
        Self::of_all(&[evaluated], Level::NEWEST)
    }

    /// The condition for an update with these risks. The reason depends on their order.
    pub fn of_all(risks: &[EvaluatedRisk<'_>], level: Level) -> Self {
        let mut status = Status::True;
        let mut reason = NOT_EXPOSED;
        let mut message = "The update is recommended, because none of the conditional update risks apply to \
             this cluster.";
        let mut texts: Vec<String> = Vec::new();
        for risk in risks {
            let RiskText { name, message: effect, url } = risk.text;
            let wanted = match risk.applies.status {
                Status::False => continue,
                Status::Unknown => {
                    texts.push(risk.applies.message.clone());
                    if status == Status::True {
                        status = Status::Unknown;
                    }
                    FAILED
                }
                Status::True if risk.is_accepted => {
                    message = "The update is recommended, because either risk does not apply to \
                               this cluster or it is accepted by cluster admins.";
                    ACCEPTED
                }
                Status::True => {
                    texts.push(format!("{effect} {url}"));
                    status = Status::False;
                    if is_reason(name) || !level.merges_reasons() { name } else { EXPOSED }
                }
            };
            reason = if level.merges_reasons() {
                merged(reason, wanted)
            } else {
                merged_before_4_16(reason, wanted)
            };
        }
        if reason == NOT_EXPOSED && !level.merges_reasons() {
            reason = "AsExpected";
        }
        let message = if texts.is_empty() { message.to_owned() } else { texts.join("\n\n") };
        Self { status, reason: reason.to_owned(), message }
    }

    /// The condition as it is in an object.
    pub fn condition(&self) -> Condition {
        Condition::new("Recommended", self.status.name(), &self.reason, &self.message)
    }
}

/// The reason for several risks.
fn merged<'a>(now: &'a str, wanted: &'a str) -> &'a str {
    match (now, wanted) {
        (NOT_EXPOSED, _) | (FAILED, EXPOSED) => wanted,
        (ACCEPTED, _) if wanted != NOT_EXPOSED => wanted,
        _ if now == wanted => wanted,
        (_, NOT_EXPOSED) | (FAILED, ACCEPTED) | (EXPOSED, ACCEPTED | FAILED) => now,
        _ => SEVERAL,
    }
}

fn merged_before_4_16<'a>(now: &'a str, wanted: &'a str) -> &'a str {
    match (now, wanted) {
        (NOT_EXPOSED, _) | (FAILED, FAILED) => wanted,
        _ => SEVERAL,
    }
}

/// Whether Kubernetes accepts a text as the reason of a condition:
/// `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`.
pub(super) fn is_reason(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "_,:".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(is_inner)
        && !name.ends_with([',', ':'])
}
