//! Writes updates in the maintainers' notation, one per line:
//!
//! ```text
//! 4.17.9 -> 4.17.10
//! 4.17.9 -(risks: RiskA, RiskB)-> 4.17.11
//! 4.17.9 -(SILENT-BLOCK)-> 4.17.12
//! ```

use std::borrow::Cow;
use std::io::{self, Write};

use petgraph::visit::EdgeRef;

use crate::text::printable;

use super::{Edge, Knowledge, Reason, Served, State, UpdateGraph};

/// Writes all updates of a part or of the whole graph, including blocked ones, sorted by the texts
/// of origin and target.
pub(crate) fn write(
    whole: &UpdateGraph,
    part: Option<&Served<'_>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut lines: Vec<(Cow<'_, str>, Cow<'_, str>, &Edge, &Reason)> = match part {
        Some(served) => served
            .updates()
            .map(|update| {
                let ends = (served.version(update.from), served.version(update.to));
                (ends.0, ends.1, update.edge, update.reason)
            })
            .collect(),
        None => whole
            .graph
            .edge_references()
            .map(|edge| {
                let text = |node| Cow::Borrowed(&*whole.release(node).text);
                let reason = whole.reason(edge.id());
                (text(edge.source()), text(edge.target()), edge.weight(), reason)
            })
            .collect(),
    };
    lines.sort_unstable_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    for (from, to, edge, reason) in lines {
        let doubt = if edge.knowledge == Knowledge::Uncertain { "  # uncertain" } else { "" };
        let arrow = arrow(whole, reason);
        writeln!(out, "{} {} {}{doubt}", printable(&from), printable(&arrow), printable(&to))?;
    }
    Ok(())
}

fn arrow<'g>(whole: &'g UpdateGraph, reason: &Reason) -> Cow<'g, str> {
    match &reason.state {
        State::Open => Cow::Borrowed("->"),
        State::Blocked => Cow::Borrowed("-(SILENT-BLOCK)->"),
        state @ State::Conditional(_) => {
            let mut names = whole.risk_names(state);
            if reason.declarations.iter().any(|id| whole.declarations[*id].is_block()) {
                names.push("SILENT-BLOCK (ignored by the service, OTA-1043)");
            }
            Cow::Owned(format!("-(risks: {})->", names.join(", ")))
        }
    }
}
