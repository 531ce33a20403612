//! What is wrong with objects.

use crate::domain::Severity;
use crate::objects::Object;
use crate::text::words::{counted, listed};

/// Something wrong with one object, or with all objects together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectFinding {
    pub severity: Severity,
    /// The byte offset of the object. None if the finding has no place.
    pub at: Option<usize>,
    pub message: String,
    pub help: String,
}

impl ObjectFinding {
    pub(super) fn error(at: usize, message: String, help: String) -> Self {
        Self { severity: Severity::Error, at: Some(at), message, help }
    }

    pub(super) fn warning(at: usize, message: String, help: String) -> Self {
        Self { severity: Severity::Warning, ..Self::error(at, message, help) }
    }

    pub(super) fn nameless(object: &Object<'_>) -> Self {
        Self::error(
            object.at(),
            format!("This {} has no `metadata.name`, so it is omitted.", object.kind()),
            "Write objects with `oc get -o yaml`.".to_owned(),
        )
    }

    pub(super) fn elsewhere(object: &Object<'_>, name: &str, other: &str, wanted: &str) -> Self {
        Self::warning(
            object.at(),
            format!(
                "{} {name} is in the namespace {other}, not in {wanted}. It is omitted: OLM \
                 decides about each namespace alone.",
                object.kind()
            ),
            format!("To look at the other namespace, use `--in {other}`."),
        )
    }

    pub(super) fn repeated(object: &Object<'_>, name: &str) -> Self {
        Self::error(
            object.at(),
            format!(
                "{} {name} is here twice. A namespace can have it only once, so this one is left \
                 out.",
                object.kind()
            ),
            "Remove the older one.".to_owned(),
        )
    }

    pub(super) fn no_operator_group(namespace: &str) -> Self {
        Self {
            severity: Severity::Error,
            at: None,
            message: format!(
                "Namespace {namespace} has no OperatorGroup. OLM installs and updates nothing \
                 without one."
            ),
            help: "Add the OperatorGroup: `oc get operatorgroups -o yaml`. If the cluster has \
                   none, create one."
                .to_owned(),
        }
    }

    pub(super) fn operator_groups(count: usize, namespace: &str) -> Self {
        Self {
            severity: Severity::Error,
            at: None,
            message: format!(
                "Namespace {namespace} has {}. OLM works with exactly one, and updates nothing \
                 until then.",
                counted(count, "OperatorGroup")
            ),
            help: "Delete all but one of them.".to_owned(),
        }
    }

    pub(super) fn disputed(name: &str, replacers: &[&str]) -> Self {
        Self {
            severity: Severity::Warning,
            at: None,
            message: format!(
                "{} all replace {name}. OLM takes any of them, at random; exitpath takes the \
                 first by name.",
                listed(replacers, "and")
            ),
            help: "Only one CSV should replace another.".to_owned(),
        }
    }
}
