//! The resolver's input, a namespace, and its output.

use std::collections::BTreeSet;
use std::fmt;

use crate::catalog::package::Bundle;

use super::order::OrderError;

/// The installed bundles and the subscriptions of a namespace. OLM decides about all of them
/// together.
#[derive(Clone, Debug)]
pub struct ResolverNamespace<'a> {
    pub name: &'a str,
    /// The order of preference, which is random on a cluster.
    pub subscriptions: Vec<ResolverSubscription<'a>>,
    pub installed: Vec<Installed<'a>>,
}

/// A request to install a package and keep it up to date.
#[derive(Clone, Copy, Debug)]
pub struct ResolverSubscription<'a> {
    pub name: &'a str,
    pub package: &'a str,
    /// If it is empty, all channels of the package count, the default channel first.
    pub channel: &'a str,
    /// `startingCSV`: what to install first. Can be empty.
    pub starting: &'a str,
    /// `status.installedCSV`. Can be empty.
    pub installed: &'a str,
}

/// A CSV in the namespace.
#[derive(Clone, Copy, Debug)]
pub struct Installed<'a> {
    /// The package in its properties. None if it has none.
    pub package: Option<&'a str>,
    /// Its name, its version (none means 0.0.0), and its properties.
    pub bundle: &'a Bundle,
}

/// What OLM decides to install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution<'a> {
    /// For each subscription: what it moves to. None if it stays.
    pub next: Vec<Option<Install<'a>>>,
    /// The bundles that are installed as dependencies, sorted by name.
    pub dependencies: Vec<Install<'a>>,
}

/// A bundle to install.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Install<'a> {
    pub name: &'a str,
    pub package: &'a str,
    pub channel: &'a str,
    /// What the new CSV gets as `spec.replaces`. Empty if nothing.
    pub replaces: &'a str,
}

/// Why OLM installs and updates nothing in the namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoResolution {
    /// OLM cannot read the catalog.
    Faults(Vec<ResolverFault>),
    /// No choice of bundles fulfills all rules. The reasons are rules in OLM's words: without any
    /// one of them, there would be a choice. OLM reports one of several such lists at random. Empty
    /// if finding a list is too much work.
    Unsatisfiable(Vec<String>),
    /// The answer depends on this rule in the language CEL, which only OLM can evaluate.
    OnlyOlmCanTell { bundle: String, rule: String },
    /// There are too many choices to try all of them.
    TooManyChoices,
}

/// What OLM cannot read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolverFault {
    Order(OrderError),
    /// A requirement of a bundle, with the message of OLM.
    Requirement {
        bundle: String,
        message: String,
    },
}

impl fmt::Display for ResolverFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(error) => error.fmt(f),
            Self::Requirement { message, .. } => f.write_str(message),
        }
    }
}

impl fmt::Display for NoResolution {
    /// Uses OLM's words where OLM itself fails.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faults(faults) => {
                let mut seen = BTreeSet::new();
                let mut texts: Vec<_> = faults.iter().map(ResolverFault::to_string).collect();
                texts.retain(|text| seen.insert(text.clone()));
                match texts.as_slice() {
                    [text] => f.write_str(text),
                    _ => write!(f, "[{}]", texts.join(", ")),
                }
            }
            Self::Unsatisfiable(reasons) if reasons.is_empty() => {
                f.write_str("constraints not satisfiable")
            }
            Self::Unsatisfiable(reasons) => {
                write!(f, "constraints not satisfiable: {}", reasons.join(", "))
            }
            Self::OnlyOlmCanTell { bundle, rule } => {
                write!(f, "the answer depends on the CEL rule {rule:?} of {bundle}")
            }
            Self::TooManyChoices => f.write_str("there are too many choices to try"),
        }
    }
}
