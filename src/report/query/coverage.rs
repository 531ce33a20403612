//! What a query answers on every cluster, and the clusters on which it goes wrong.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::coverage::{Coverage, Verdict, Witness};
use crate::report::workflow_commands::without_command;
use crate::report::{Style, write_line};
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
    if coverage.witnesses.is_empty() {
        return write_verdict(coverage.verdict, &coverage.note, style, out);
    }
    writeln!(out, "{}", style.bold(in_words(coverage.verdict)))?;
    for witness in &coverage.witnesses {
        let (sentence, how_often) = (witness.sentence(), witness.rarity.in_words());
        let line = format!("  {} ({how_often})", printable(&sentence));
        write_line(style, &line, 2, out)?;
        for series in &witness.series {
            writeln!(out, "{}", without_command(&format!("    {}", printable(series))))?;
        }
    }
    Ok(())
}

/// A verdict, and a sentence about it.
pub(super) fn write_verdict(
    verdict: Verdict,
    note: &str,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", style.bold(in_words(verdict)))?;
    write_line(style, &format!("  {}", printable(note)), 2, out)
}

fn in_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "Proved",
        Verdict::CanGoWrong => "Can go wrong",
        Verdict::NotDecided => "Not decided",
    }
}
