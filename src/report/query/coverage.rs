//! What a query answers on every cluster, and the clusters on which it goes wrong.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::coverage::{Coverage, Verdict, Witness};
use crate::report::Style;
use crate::text::printable;

/// The same keys for every command.
pub(crate) fn coverage_json(coverage: &Coverage) -> Json {
    json!({
        "verdict": coverage.verdict.name(),
        "witnesses": coverage.witnesses.iter().map(witness_json).collect::<Vec<_>>(),
        "note": coverage.note,
    })
}

pub(super) fn witness_json(witness: &Witness) -> Json {
    json!({
        "outcome": witness.outcome.name(),
        "rarity": witness.rarity.name(),
        "words": witness.sentence(),
        "series": witness.series,
        "blame": {"start": witness.blame.start, "end": witness.blame.end},
    })
}

/// The verdict, and the series of each witness.
pub(crate) fn write_coverage(
    coverage: &Coverage,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let verdict = match coverage.verdict {
        Verdict::Proved => "Proved",
        Verdict::CanGoWrong => "Can go wrong",
        Verdict::NotDecided => "Not decided",
    };
    if coverage.witnesses.is_empty() {
        return writeln!(
            out,
            "{} {}.",
            style.bold(&format!("{verdict}:")),
            printable(&coverage.note)
        );
    }
    for witness in &coverage.witnesses {
        let what = witness.outcome.in_words();
        let how_often = witness.rarity.in_words();
        let heading = style.bold(&format!("{verdict}:"));
        writeln!(out, "{heading} the query {} on this cluster ({how_often}):", printable(&what))?;
        for line in &witness.series {
            writeln!(out, "  {}", printable(line))?;
        }
        if witness.series.is_empty() {
            writeln!(out, "  (no series that the query selects)")?;
        }
    }
    Ok(())
}
