//! The condition `Recommended` of an update, as the operator writes it.

use crate::domain::Named;

use super::Exposure;

/// The condition `Recommended` of an update with one risk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recommendation {
    /// Whether the update is recommended.
    pub status: Status,
    /// One word.
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

/// What a risk says to administrators.
#[derive(Clone, Copy, Debug)]
pub struct RiskText<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it causes.
    pub message: &'a str,
    /// A page about it.
    pub url: &'a str,
}

impl Recommendation {
    /// Of an update with only this risk.
    #[must_use]
    pub fn of(risk: RiskText<'_>, exposure: &Exposure) -> Self {
        let RiskText { name, message, url } = risk;
        match exposure {
            Exposure::NotExposed => Self {
                status: Status::True,
                reason: "NotExposedToRisks".into(),
                message: "The update is recommended, because none of the conditional update risks \
                          apply to this cluster."
                    .into(),
            },
            Exposure::Exposed => {
                let reason = if is_reason(name) { name } else { "ExposedToRisks" };
                let message = format!("{message} {url}");
                Self { status: Status::False, reason: reason.into(), message }
            }
            Exposure::Unknown(why) => Self {
                status: Status::Unknown,
                reason: "EvaluationFailed".into(),
                message: format!(
                    "Could not evaluate exposure to update risk {name} ({why})\n  \
                     {name} description: {message}\n  {name} URL: {url}"
                ),
            },
        }
    }
}

/// Whether Kubernetes accepts it as the reason of a condition:
/// `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`.
fn is_reason(name: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "_,:".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(is_inner)
        && !name.ends_with([',', ':'])
}
