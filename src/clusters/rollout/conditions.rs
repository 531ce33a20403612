//! The conditions of the object `ClusterVersion` after a pass.

use super::update_error::{Effect, MULTIPLE, UpdateError};
use crate::cluster::object::Condition;
use crate::payload::Mode;

/// After how many minutes the operator reports that a ClusterOperator is slow.
const SLOW: u64 = 30;
const SLOW_MACHINE_CONFIG: u64 = 90;
const DEGRADED: u64 = 40;

const MINUTE: u64 = 60;

const MACHINE_CONFIG: &str = "machine-config";

/// What the operator knows when it writes the conditions.
pub struct Situation<'a> {
    pub mode: Mode,
    /// The version that is being applied.
    pub version: &'a str,
    /// The last version that was completed.
    pub completed: Option<&'a str>,
    /// How many manifests are applied.
    pub done: usize,
    pub total: usize,
    /// The failures of the pass.
    pub failures: &'a [UpdateError],
    pub is_complete: bool,
    /// How many seconds the update has waited for a ClusterOperator.
    pub waited: &'a dyn Fn(&str) -> u64,
}

/// How a failure affects the conditions of an update.
struct Progress {
    /// What the update waits for, if the failure does not count as failing yet.
    patience: Option<String>,
    /// Whether the wait takes longer than expected.
    is_slow: bool,
    /// The words to use instead of a summary.
    words: Option<String>,
}

impl Situation<'_> {
    /// The conditions Available, Failing, and Progressing.
    pub fn conditions(&self) -> [Condition; 3] {
        let failure = UpdateError::of_all(self.failures.to_vec());
        let progress = failure.as_ref().map(|failure| self.progress(failure));
        let failing = self.failing(failure.as_ref(), progress.as_ref());
        [
            self.available(failure.as_ref()),
            failing.clone(),
            self.progressing(failure.as_ref(), progress.as_ref(), failing.status == "True"),
        ]
    }

    fn available(&self, failure: Option<&UpdateError>) -> Condition {
        let done =
            if failure.is_none() && self.is_complete { Some(self.version) } else { self.completed };
        match done {
            Some(version) => {
                Condition::new("Available", "True", "", &format!("Done applying {version}"))
            }
            None => Condition::new("Available", "False", "", ""),
        }
    }

    fn progress(&self, failure: &UpdateError) -> Progress {
        let impatient = Progress { patience: None, is_slow: false, words: None };
        let is_updating = self.mode == Mode::Updating;
        match failure.effect {
            Effect::None if is_updating => {
                let (words, is_slow) = self.waiting(&failure.names);
                Progress { patience: Some(words), is_slow, words: None }
            }
            Effect::FailAfterInterval if is_updating => {
                let exceeded = self.longer_than(DEGRADED, &failure.names);
                if exceeded.is_empty() {
                    let words =
                        format!("waiting up to {DEGRADED} minutes on {}", failure.names.join(", "));
                    return Progress { patience: Some(words), ..impatient };
                }
                let names = exceeded.join(", ");
                let words =
                    format!("wait has exceeded {DEGRADED} minutes for these operators: {names}");
                Progress { words: Some(words), ..impatient }
            }
            Effect::Report => Progress { words: Some(failure.message.clone()), ..impatient },
            _ => impatient,
        }
    }

    /// What an update waits for, in words, and whether it takes longer than expected.
    fn waiting(&self, names: &[String]) -> (String, bool) {
        let others: Vec<String> =
            names.iter().filter(|name| *name != MACHINE_CONFIG).cloned().collect();
        let slow = self.longer_than(SLOW, &others).join(", ");
        let machine_config = names.iter().any(|name| name == MACHINE_CONFIG)
            && (self.waited)(MACHINE_CONFIG) > SLOW_MACHINE_CONFIG * MINUTE;
        let machine_config =
            machine_config.then(|| format!("{MACHINE_CONFIG} over {SLOW_MACHINE_CONFIG} minutes"));
        let slow = (!slow.is_empty()).then(|| format!("{slow} over {SLOW} minutes"));
        let all: Vec<String> = slow.into_iter().chain(machine_config).collect();
        if all.is_empty() {
            (format!("waiting on {}", names.join(", ")), false)
        } else {
            (format!("waiting on {} which is longer than expected", all.join(" and ")), true)
        }
    }

    fn longer_than(&self, minutes: u64, names: &[String]) -> Vec<String> {
        names.iter().filter(|name| (self.waited)(name) > minutes * MINUTE).cloned().collect()
    }

    fn failing(&self, failure: Option<&UpdateError>, progress: Option<&Progress>) -> Condition {
        let fine = Condition::new("Failing", "False", "", "");
        let (Some(failure), Some(progress)) = (failure, progress) else { return fine };
        match &progress.patience {
            Some(words) if progress.is_slow => {
                Condition::new("Failing", "Unknown", "SlowClusterOperator", words)
            }
            Some(_) => fine,
            None => {
                let (reason, message) = self.said_of(failure);
                Condition::new("Failing", "True", &reason, &message)
            }
        }
    }

    /// The reason and the message. Of several errors of an update, those that do not fail it are
    /// omitted.
    fn said_of(&self, failure: &UpdateError) -> (String, String) {
        if failure.reason != MULTIPLE || self.mode != Mode::Updating {
            return (failure.reason.clone(), failure.message.clone());
        }
        let real = self.failures.iter().filter(|one| one.effect != Effect::None).cloned();
        let Some(real) = UpdateError::of_all(real.collect()) else {
            return (failure.reason.clone(), failure.message.clone());
        };
        (real.reason, real.message)
    }

    fn progressing(
        &self,
        failure: Option<&UpdateError>,
        progress: Option<&Progress>,
        is_failing: bool,
    ) -> Condition {
        let version = self.version;
        let reason = failure.map_or("", |failure| failure.reason.as_str());
        let (status, message) = match (failure, progress) {
            (Some(failure), Some(progress)) if is_failing => {
                let why = progress.words.clone().unwrap_or_else(|| summary(failure));
                match self.mode {
                    Mode::Reconciling => {
                        ("False", format!("Error while reconciling {version}: {why}"))
                    }
                    Mode::Initializing | Mode::Updating => {
                        ("True", format!("Unable to apply {version}: {why}"))
                    }
                }
            }
            (None, _) if self.is_complete => ("False", format!("Cluster version is {version}")),
            _ => {
                let patience = progress.and_then(|progress| progress.patience.as_ref());
                ("True", self.working(patience.map(String::as_str)))
            }
        };
        Condition::new("Progressing", status, reason, &message)
    }

    fn working(&self, patience: Option<&str>) -> String {
        let (version, done, total) = (self.version, self.done, self.total);
        match patience {
            _ if done > 0 => {
                let percent = percent(done, total);
                let waiting = patience.map(|words| format!(", {words}")).unwrap_or_default();
                format!(
                    "Working towards {version}: {done} of {total} done ({percent}% \
                     complete){waiting}"
                )
            }
            Some(words) => format!("Working towards {version}: {words}"),
            None => format!("Working towards {version}"),
        }
    }
}

/// The percentage, rounded down. It is as inexact as the operator's, which uses 32-bit floats.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "as the operator does"
)]
fn percent(done: usize, total: usize) -> u32 {
    (done as f32 / total as f32 * 100.0).trunc() as u32
}

/// The text for administrators about the reason of a failure.
fn summary(failure: &UpdateError) -> String {
    let names = failure.names.join(", ");
    match failure.reason.as_str() {
        "UpdatePayloadResourceNotFound" | "UpdatePayloadResourceConflict" => {
            "some resources could not be updated".into()
        }
        "UpdatePayloadResourceForbidden" => "the server is rejecting updates".into(),
        "UpdatePayloadClusterDown" => "the control plane is down or not responding".into(),
        "UpdatePayloadClusterError" => "the control plane is reporting an internal error".into(),
        "UpdatePayloadClusterOverloaded" => {
            "the control plane is overloaded and is not accepting updates".into()
        }
        "UpdatePayloadClusterUnauthorized" => "could not authenticate to the server".into(),
        "UpdatePayloadResourceTypeMissing" => {
            "a required extension is not available to update".into()
        }
        "UpdatePayloadResourceInvalid" => "some cluster configuration is invalid".into(),
        "ClusterOperatorDegraded" => format!("the cluster operator {names} is degraded"),
        "ClusterOperatorNotAvailable" => format!("the cluster operator {names} is not available"),
        "ClusterOperatorsNotAvailable" => "some cluster operators are not available".into(),
        "ClusterOperatorNoVersions" => {
            format!("the cluster operator {names} does not declare expected versions")
        }
        "WorkloadNotAvailable" => {
            format!("the workload {names} has not yet successfully rolled out")
        }
        "WorkloadNotProgressing" => format!("the workload {names} cannot roll out"),
        reason if reason.starts_with("UpdatePayload") => "the update could not be applied".into(),
        reason if names.is_empty() => format!("an unknown error has occurred: {reason}"),
        reason => format!("{names} has an unknown error: {reason}"),
    }
}
