//! What a query answers, and the part of it at a place.

use std::fmt::Write;
use std::ops::Range;

use crate::cluster::Exposure;
use crate::domain::Named;
use crate::graph_data::{GraphData, Reading};
use crate::metrics::{SampleCluster, Source};
use crate::promql::{self, Dialect, Expr, Limits, NodeId, Query, Type};
use crate::report::{CheckedQuery, answer_in_words, in_markdown};

use super::super::lines::word_around;
use super::{PLAIN, block};

/// The text about the part at a byte of a query, and the bytes of that part.
pub(super) fn about(
    data: &GraphData,
    reading: &Reading,
    at: usize,
) -> Option<(String, Range<usize>)> {
    let (query, _) = reading.query.as_ref().as_ref().ok()?;
    let part = part_at(query, at);
    let is_whole = part == query.root();
    let range = query.node(part).range.clone();
    let mut markdown = about_word(data, reading, at).unwrap_or_default();
    if is_whole {
        let checked = CheckedQuery::of(reading, &data.queries)?;
        let mut text = Vec::new();
        checked.write(PLAIN, &mut text).ok()?;
        markdown.push_str(&block(&String::from_utf8_lossy(&text)));
        markdown.push_str("\n\n");
    }
    markdown.push_str(&samples(reading.text.get(range.clone())?, is_whole));
    Some((markdown, range))
}

/// What is known about a metric or a function.
fn about_word(data: &GraphData, reading: &Reading, at: usize) -> Option<String> {
    let word = reading.text.get(word_around(&reading.text, at))?;
    let Some(metric) = data.queries.dictionary_of(reading).metric(word) else {
        let (name, signature) = promql::callable().find(|(name, _)| *name == word)?;
        return Some(format!("`{name}{signature}`\n\n"));
    };
    let mut about = format!("**{word}**: {}\n\n", metric.about());
    for (what, text) in metric.facts() {
        let _ = writeln!(about, "- {what}: {text}");
    }
    about.push('\n');
    Some(about)
}

/// The smallest part of a query that has samples and holds a byte.
fn part_at(query: &Query, at: usize) -> NodeId {
    let vectors = query
        .nodes()
        .filter(|(_, node)| node.kind == Type::Vector && !matches!(node.expr, Expr::Paren(_)));
    let around = vectors.filter(|(_, node)| node.range.contains(&at));
    let smallest = around.min_by_key(|(_, node)| node.range.len());
    smallest.map_or(query.root(), |(id, _)| id)
}

/// What a part of a query answers on each sample cluster, as a table.
fn samples(text: &str, is_whole: bool) -> String {
    let mut table = "| sample cluster | answer |\n| --- | --- |\n".to_owned();
    for cluster in SampleCluster::ALL {
        let source = Source::Series(cluster.series(None), Dialect::Three);
        let answer = source.ask_within(text, Limits::shared_by(SampleCluster::ALL.len()));
        let verdict = match Exposure::of_answer(answer.clone(), source.time()) {
            Ok(Exposure::Exposed) if is_whole => ": **the risk applies**",
            Ok(Exposure::NotExposed) if is_whole => ": it does not apply",
            Ok(Exposure::Unknown(_)) if is_whole => ": the cluster cannot tell",
            _ => "",
        };
        // Labels can have any text.
        let words = in_markdown(&answer_in_words(&answer)).replace('|', "\\|");
        let _ = writeln!(table, "| {} | {words}{verdict} |", cluster.name());
    }
    table
}
