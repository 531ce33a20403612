//! Why the operator did not get what it asked for. It is the reason that the condition
//! `RetrievedUpdates` or `RetrievedChannels` is False.

use super::object::Condition;

/// Why the operator did not get what it asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The reason, which is one word.
    pub(crate) reason: &'static str,
    /// The text for administrators.
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn before_asking(reason: &'static str, message: impl Into<String>) -> Self {
        Self { reason, message: message.into() }
    }

    pub(crate) fn while_asking(reason: &'static str, words: impl std::fmt::Display) -> Self {
        Self { reason, message: format!("Unable to retrieve available updates: {words}") }
    }

    pub(crate) fn of_channels(reason: &'static str, words: impl std::fmt::Display) -> Self {
        Self { reason, message: format!("Unable to retrieve channels: {words}") }
    }

    pub(crate) fn invalid(words: impl std::fmt::Display) -> Self {
        Self::while_asking("ResponseInvalid", words)
    }

    pub(crate) fn not_found(version: &str, channel: &str) -> Self {
        let words = format!(
            "currently reconciling cluster version {version} not found in the \"{channel}\" channel"
        );
        Self::while_asking("VersionNotFound", words)
    }

    /// A refusal in place of a crash: the real operator crashes on such an answer.
    pub(crate) fn crash(index: i64, nodes: usize) -> Self {
        Self::invalid(format!(
            "the operator crashes: an update leads to the release with the number {index}, but \
             the answer has {nodes}"
        ))
    }

    /// Whether the operator keeps the updates that it already has.
    pub(crate) fn may_keep(&self) -> bool {
        ["RemoteFailed", "ResponseFailed", "ResponseInvalid"].contains(&self.reason)
    }

    /// The condition of type `kind` that reports it.
    pub(crate) fn condition(&self, kind: &str) -> Condition {
        Condition::new(kind, "False", self.reason, &self.message)
    }
}
