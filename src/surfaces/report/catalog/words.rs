//! Phrases about catalogs.

use crate::catalog::simulation::{Resolver, Why};
use crate::text::words::{grouped, listed};

/// The program whose behavior is simulated.
pub(crate) fn resolver_in_words(resolver: Resolver) -> &'static str {
    match resolver {
        Resolver::V0 => "OLM v0",
        Resolver::V1 => "OLM v1",
        Resolver::All => "all edges",
    }
}

/// If a channel has more heads, they are not named.
const FEW_HEADS: usize = 10;

/// Why an install is stuck, to follow its name.
pub(crate) fn why_in_words(why: &Why<'_>) -> String {
    match why {
        Why::NoEdge => "no entry replaces or skips it, and no skipRange contains it".to_owned(),
        Why::Skipped { target, by } => {
            let skip = if by.len() == 1 { "skips" } else { "skip" };
            format!(
                "it could only go to {target}, and {} {skip} that: OLM installs no skipped entry",
                listed(by, "and")
            )
        }
        Why::OffChain { target } => format!(
            "it could only go to {target}, which the head does not reach by `replaces`: OLM \
             installs no such entry"
        ),
        Why::NoOrder(error) => match error.heads() {
            Some(heads) if heads > FEW_HEADS => {
                format!("OLM cannot order the channel: it has {} heads", grouped(heads))
            }
            _ => format!("OLM cannot order the channel: {error}"),
        },
        Why::Lower { target } => {
            format!("the highest version that it could go to is {target}, which is lower")
        }
    }
}
