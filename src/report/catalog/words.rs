//! What reports about catalogs say.

use crate::catalog::simulation::{ChannelEdit, Resolver, Why};
use crate::text::words::{listed, quoted};

/// The program whose rules apply.
#[must_use]
pub(crate) fn resolver_in_words(resolver: Resolver) -> &'static str {
    match resolver {
        Resolver::V0 => "OLM v0",
        Resolver::V1 => "OLM v1",
        Resolver::All => "all edges",
    }
}

/// Why an install is stuck, to follow its name.
#[must_use]
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
        Why::NoOrder(error) => format!("OLM cannot order the channel: {error}"),
        Why::Lower { target } => {
            format!("the highest version that it could go to is {target}, which is lower")
        }
    }
}

/// An edit, as a request.
#[must_use]
pub(crate) fn edit_in_words(edit: &ChannelEdit) -> String {
    match edit {
        ChannelEdit::AddSkips { entry, names } => {
            format!("add {} to the `skips` of `{entry}`", listed(&quoted(names), "and"))
        }
        ChannelEdit::SetSkipRange { entry, range } => {
            format!("give `{entry}` the `skipRange: '{range}'`")
        }
        ChannelEdit::RemoveSkip { entry, name } => {
            format!("remove `{name}` from the `skips` of `{entry}`")
        }
    }
}
