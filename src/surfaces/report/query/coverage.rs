//! What a query answers on every cluster, the clusters on which it goes wrong, and which clusters
//! are affected.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value as Json, json};
use textwrap::core::display_width;

use crate::coverage::{Coverage, Examples, ProofVerdict, SmallCluster, Witness};
use crate::graph_data::{Queries, Reading};
use crate::report::workflow_commands::without_command;
use crate::report::{Style, write_line};
use crate::text::printable;

use super::excerpt::{Mark, write_excerpt};

/// What is known about a query.
pub(crate) struct CheckedQuery<'a> {
    pub(crate) text: &'a str,
    pub(crate) coverage: Coverage,
    /// A cluster to which its risk applies, and one to which it does not.
    pub(crate) examples: Examples,
}

impl<'a> CheckedQuery<'a> {
    /// None if the query is invalid.
    pub(crate) fn of(reading: &'a Reading, queries: &Queries) -> Option<Self> {
        let (query, _) = reading.query.as_ref().as_ref().ok()?;
        let (text, dictionary) = (&reading.text, queries.dictionary_of(reading));
        let coverage = queries.coverage(reading)?.clone();
        Some(Self {
            text,
            coverage: coverage.tried(query, text, dictionary),
            examples: Examples::of(query, dictionary),
        })
    }

    /// The result as JSON, with the same keys for every command.
    pub(crate) fn json(&self) -> Json {
        let coverage = &self.coverage;
        json!({
            "verdict": coverage.verdict.name(),
            "witnesses": coverage.witnesses.iter().map(witness_json).collect::<Vec<_>>(),
            "note": coverage.note,
            "undecided": coverage.undecided.as_ref().map(|part| json!({"start": part.start, "end": part.end})),
            "hosted": self.hosted_json(),
            "applies": self.examples.applies.as_ref().map(small_cluster_json),
            "does_not_apply": self.examples.not_applies.as_ref().map(small_cluster_json),
        })
    }

    fn hosted_json(&self) -> Json {
        self.coverage.hosted.as_ref().map_or(
            Json::Null,
            |hosted| json!({"verdict": hosted.verdict.name(), "note": hosted.note}),
        )
    }

    /// The verdict, the series of each witness, and which clusters are affected.
    pub(crate) fn write(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let coverage = &self.coverage;
        match &coverage.undecided {
            Some(part) => self.write_undecided(part, style, out)?,
            None if coverage.witnesses.is_empty() => {
                write_verdict(coverage.verdict, &coverage.note, style, out)?;
            }
            None => writeln!(out, "{}", style.bold(in_words(coverage.verdict)))?,
        }
        for witness in &coverage.witnesses {
            let (sentence, how_often) = (witness.sentence(), witness.rarity.in_words());
            write_line(style, &format!("  {} ({how_often})", printable(&sentence)), 2, out)?;
            write_series(&witness.series, out)?;
        }
        if let Some(hosted) = &coverage.hosted {
            let line = format!("  with a hosted control plane: {}", printable(&hosted.note));
            write_line(style, &line, 2, out)?;
        }
        self.write_examples(style, out)
    }

    /// Writes the query, with a note under the part that is not decided.
    fn write_undecided(
        &self,
        part: &Range<usize>,
        style: Style,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let Coverage { verdict, note, .. } = &self.coverage;
        let written = self.text.get(part.clone()).unwrap_or_default();
        let first_line = written.lines().next().unwrap_or_default();
        let is_narrow = |line: &str| display_width(line) + 2 <= style.columns();
        if !self.text.lines().all(is_narrow) {
            let ends = if first_line.len() < written.len() { "…" } else { "" };
            let note = format!("{note}: `{}{ends}`", first_line.trim_end());
            return write_verdict(*verdict, &note, style, out);
        }
        writeln!(out, "{}", style.bold(in_words(*verdict)))?;
        let word = part.start..part.start + first_line.len();
        let mark = Mark { range: part.clone(), word, label: note.clone(), is_bold: true };
        write_excerpt(self.text, &[mark], style, out)
    }

    /// Writes a cluster to which the risk applies, and one to which it does not.
    pub(super) fn write_examples(&self, style: Style, out: &mut dyn Write) -> io::Result<()> {
        let Coverage { is_complete, zero, one, .. } = self.coverage;
        let examples =
            [("applies", &self.examples.applies), ("does not apply", &self.examples.not_applies)];
        if is_complete && zero != one {
            let whom = match (one, self.coverage.verdict) {
                (false, _) => "no cluster",
                (true, ProofVerdict::Proved) => "every cluster",
                (true, _) => "every cluster that gets an answer",
            };
            return writeln!(out, "  applies to {whom}");
        }
        for (what, cluster) in examples {
            let Some(cluster) = cluster else { continue };
            let line = format!("  {what}, for example, to a cluster {}", printable(&cluster.words));
            write_line(style, &line, 2, out)?;
        }
        Ok(())
    }
}

fn write_series(series: &[String], out: &mut dyn Write) -> io::Result<()> {
    for line in series {
        writeln!(out, "{}", without_command(&format!("    {}", printable(line))))?;
    }
    Ok(())
}

fn small_cluster_json(cluster: &SmallCluster) -> Json {
    json!({"words": cluster.words, "series": cluster.series})
}

fn witness_json(witness: &Witness) -> Json {
    json!({
        "outcome": witness.outcome.name(),
        "rarity": witness.rarity.name(),
        "words": witness.sentence(),
        "series": witness.series,
        "blame": {"start": witness.blame.start, "end": witness.blame.end},
    })
}

/// Writes a verdict, and a sentence about it.
pub(super) fn write_verdict(
    verdict: ProofVerdict,
    note: &str,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", style.bold(in_words(verdict)))?;
    write_line(style, &format!("  {}", printable(note)), 2, out)
}

fn in_words(verdict: ProofVerdict) -> &'static str {
    match verdict {
        ProofVerdict::Proved => "Proved",
        ProofVerdict::CanGoWrong => "Can go wrong",
        ProofVerdict::NotDecided => "Not decided",
    }
}
