//! Rollouts that cannot be simulated, and why.

use std::fmt;

use crate::go;

use super::max_unavailable::{MaxUnavailable, percentage};

/// Why a rollout cannot be simulated. Names are not escaped, so the caller must escape them before
/// printing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    NoNodes {
        pool: String,
    },
    Unreadable(go::Error),
    TooManyPercent {
        text: String,
    },
    /// The limit lets so many control-plane nodes be unavailable that etcd stops. The real operator
    /// accepts it.
    Quorum {
        max: usize,
        nodes: usize,
    },
    SameName {
        node: String,
    },
    UnknownNode {
        node: String,
        waits_for: String,
    },
    /// The drain of each node waits for the next node, and the last one waits for the first.
    Circle {
        nodes: Vec<String>,
    },
    Backwards {
        node: String,
        least: u64,
        most: u64,
    },
    NoRuns,
}

/// How many nodes of a circle the message names.
const NAMED: usize = 8;

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNodes { pool } => {
                write!(f, "the pool {pool} has no nodes, so there is nothing to update")
            }
            Self::Unreadable(error) => error.fmt(f),
            Self::TooManyPercent { text } => {
                write!(f, "maxUnavailable {text} is more than all nodes: use 100% or less")
            }
            Self::Quorum { max, nodes } => write!(
                f,
                "maxUnavailable lets {max} of {nodes} control-plane nodes be away at once, and \
                 etcd loses its quorum with fewer than {}: use {} or less",
                nodes / 2 + 1,
                safe(*nodes)
            ),
            Self::SameName { node } => write!(f, "two nodes have the name {node}"),
            Self::UnknownNode { node, waits_for } => {
                write!(f, "the drain of {node} waits for {waits_for}, which is not in the pool")
            }
            Self::Circle { nodes } => write_circle(f, nodes),
            Self::Backwards { node, least, most } => write!(
                f,
                "a time of {node} is from {least} to {most} seconds: put the smaller number first"
            ),
            Self::NoRuns => f.write_str("percentiles need at least one run"),
        }
    }
}

impl std::error::Error for Refusal {}

fn write_circle(f: &mut fmt::Formatter<'_>, nodes: &[String]) -> fmt::Result {
    f.write_str("no drain of these nodes can end, because they wait in a circle: ")?;
    let Some(first) = nodes.first() else { return Ok(()) };
    write!(f, "{first}")?;
    for node in nodes.iter().skip(1).take(NAMED - 1) {
        write!(f, " waits for {node}, which")?;
    }
    if let Some(more) = nodes.len().checked_sub(NAMED).filter(|more| *more > 0) {
        write!(f, " waits for {more} more, the last of which")?;
    }
    if nodes.len() == 1 {
        f.write_str(" waits for itself")
    } else {
        write!(f, " waits for {first}")
    }
}

/// How many control-plane nodes can be unavailable at once. At least one can, because otherwise a
/// single node could not update.
fn safe(nodes: usize) -> usize {
    (nodes.saturating_sub(1) / 2).max(1)
}

/// Refuses limits that the real operator accepts, although they are surely mistakes.
pub(super) fn check_max(
    pool: &str,
    written: Option<&MaxUnavailable>,
    max: i64,
    nodes: usize,
) -> Result<(), Refusal> {
    if let Some(MaxUnavailable::Text(text)) = written
        && percentage(text).is_ok_and(|percent| percent > 100)
    {
        return Err(Refusal::TooManyPercent { text: text.clone() });
    }
    if endangers_etcd(pool, max, nodes) {
        return Err(Refusal::Quorum { max: away(max, nodes), nodes });
    }
    Ok(())
}

/// Whether etcd can lose its quorum while this many nodes are unavailable.
pub(crate) fn endangers_etcd(pool: &str, max: i64, nodes: usize) -> bool {
    pool == "master" && away(max, nodes) > safe(nodes)
}

fn away(max: i64, nodes: usize) -> usize {
    usize::try_from(max).unwrap_or(0).min(nodes)
}
