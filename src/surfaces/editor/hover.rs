//! What is known about the thing at a place, as Markdown.

use std::io;

use crate::cluster::Exposure;
use crate::domain::version::text_of;
use crate::domain::{Minor, Named, Version};
use crate::graph_data::{FileKind, GraphData, Matcher, Reading};
use crate::metrics::{SampleCluster, Source};
use crate::origins::{KnownReleases, reached};
use crate::promql::{self, Dialect, Expr, Limits, NodeId, Query};
use crate::report::{CheckedQuery, OriginsReport, Printed, Style, answer_in_words};
use crate::schema::{self, Schema};
use crate::text::words::{counted, list_all};
use crate::text::{Span, printable};
use crate::workspace::Workspace;

use super::cursor::{Cursor, Subject};
use super::risks::files_of;

/// Reports for a popup, which wraps lines itself.
const PLAIN: Style = Style { color: false, width: Some(80), quiet: false, terminal: false };

/// A text about a place.
#[derive(Debug)]
pub(crate) struct Hover {
    pub markdown: String,
    pub span: Span,
}

pub(crate) fn hover(workspace: &Workspace<'_>, path: &str, offset: usize) -> Option<Hover> {
    let data = workspace.data();
    let cursor = Cursor::at(data, path, offset)?;
    let mut span = cursor.span();
    let markdown = match cursor.subject() {
        Subject::Key => about_key(&cursor)?,
        Subject::Pattern(edge) => about_pattern(data, &edge.from.as_ref()?.value)?,
        Subject::Query(reading, at) => {
            let (markdown, part) = about_query(data, reading, at)?;
            span = data.span_within(cursor.file.id, cursor.node, part);
            markdown
        }
        Subject::RiskName(name) => about_risk(data, name)?,
        Subject::Release(version) => about_release(workspace, &version)?,
        Subject::Other => return None,
    };
    Some(Hover { markdown, span })
}

/// The schema of a kind of file.
pub(super) fn schema_of(kind: FileKind) -> Option<&'static Schema> {
    match kind {
        FileKind::BlockedEdge => Some(&schema::BLOCKED_EDGES_1_1),
        FileKind::Channel | FileKind::InternalChannel => Some(&schema::CHANNEL),
        FileKind::BuildSuggestions => Some(&schema::BUILD_SUGGESTIONS),
        FileKind::RawMetadata => Some(&schema::RAW_METADATA),
        FileKind::RiskTest => Some(&schema::RISK_TEST),
        FileKind::SchemaVersion | FileKind::Query | FileKind::Stray => None,
    }
}

fn about_key(cursor: &Cursor<'_>) -> Option<String> {
    let (own, around) = cursor.keys.split_last()?;
    let keys = schema_of(cursor.file.kind)?.keys(around);
    let key = keys.into_iter().find(|key| key.name == *own)?;
    Some(format!("**{}**: {}", key.name, key.about))
}

fn about_pattern(data: &GraphData, pattern: &str) -> Option<String> {
    let known = KnownReleases::of(&data.releases);
    let matcher = Matcher::of(pattern);
    let is_match = |version: &str| matcher.is_match(version);
    let origins = reached(&known, crate::domain::Arch::default(), &is_match);
    let exact = origins.written(&known, None).filter(|exact| exact != pattern);
    let report = OriginsReport {
        pattern,
        exact: exact.as_deref().filter(|_| !origins.is_empty()),
        origins: &origins,
        known: &known,
    };
    printed(&report).ok()
}

/// A report for people, as a block of text.
fn printed<R: Printed>(report: &R) -> io::Result<String> {
    let writer = R::writer(crate::domain::Format::Human);
    let mut text = Vec::new();
    if let Some(writer) = writer {
        writer(report, PLAIN, &mut text)?;
    }
    Ok(block(&String::from_utf8_lossy(&text)))
}

fn block(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end().replace("```", "` ` `"))
}

/// What the query answers, and the part of it at a byte; the bytes of that part.
fn about_query(
    data: &GraphData,
    reading: &Reading,
    at: usize,
) -> Option<(String, std::ops::Range<usize>)> {
    let (query, _) = reading.query.as_ref().as_ref().ok()?;
    let part = part_at(query, at);
    let range = query.node(part).range.clone();
    let mut markdown = String::new();
    let word = reading.text.get(super::lines::word_around(&reading.text, at));
    let dictionary = data.queries.dictionary_of(reading);
    if let Some((word, metric)) = word.and_then(|word| Some((word, dictionary.metric(word)?))) {
        markdown.push_str(&format!("**{word}**: {}\n\n", metric.about()));
        let facts = metric.facts().into_iter();
        facts.for_each(|(what, text)| markdown.push_str(&format!("- {what}: {text}\n")));
        markdown.push('\n');
    } else if let Some(call) = word.and_then(signature) {
        markdown.push_str(&format!("`{call}`\n\n"));
    }
    if part == query.root() {
        let checked = CheckedQuery::of(reading, &data.queries)?;
        let mut text = Vec::new();
        checked.write(PLAIN, &mut text).ok()?;
        markdown.push_str(&block(&String::from_utf8_lossy(&text)));
        markdown.push_str("\n\n");
    }
    let text = reading.text.get(range.clone())?;
    markdown.push_str(&samples(text, part == query.root()));
    Some((markdown, range))
}

/// The smallest part of a query that has samples and holds a byte.
fn part_at(query: &Query, at: usize) -> NodeId {
    let holds = |(_, range): &(NodeId, &std::ops::Range<usize>)| range.contains(&at);
    let parts = query.nodes().filter(|(_, node)| {
        node.kind == promql::Type::Vector && !matches!(node.expr, Expr::Paren(_))
    });
    let parts = parts.map(|(id, node)| (id, &node.range)).filter(holds);
    parts.min_by_key(|(_, range)| range.len()).map_or(query.root(), |(id, _)| id)
}

fn signature(word: &str) -> Option<String> {
    let mut callable = promql::callable();
    callable.find(|(name, _)| *name == word).map(|(name, rest)| format!("{name}{rest}"))
}

/// What a part of a query answers on each sample cluster.
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
        let words = answer_in_words(&answer).replace('|', "\\|");
        table.push_str(&format!("| {} | {words}{verdict} |\n", cluster.name()));
    }
    table
}

fn about_risk(data: &GraphData, name: &str) -> Option<String> {
    let files = files_of(data, name);
    let first = files.first()?;
    let mut targets: Vec<&Version> = files.iter().filter_map(|edge| edge.target.as_ref()).collect();
    targets.sort_by(|a, b| a.cmp_precedence(b));
    let targets: Vec<String> = targets.into_iter().map(text_of).collect();
    let mut markdown = format!("**{}**", printable(name));
    if let Some(message) = &first.message {
        markdown.push_str(&format!("\n\n{}", printable(&message.value)));
    }
    if let Some(url) = &first.url {
        markdown.push_str(&format!("\n\n{}", printable(&url.value)));
    }
    let count = counted(files.len(), "file");
    markdown.push_str(&format!("\n\n{count}: {}", list_all(&targets, "and")));
    Some(markdown)
}

fn about_release(workspace: &Workspace<'_>, version: &Version) -> Option<String> {
    let data = workspace.data();
    let mut lines = vec![format!("**{version}**")];
    let is_member = |channel: &&crate::graph_data::Channel| {
        channel.public
            && channel.versions.iter().any(|member| {
                member.version.as_ref().is_some_and(|known| known.cmp_precedence(version).is_eq())
            })
    };
    let members: Vec<&crate::graph_data::Channel> =
        data.channels.iter().filter(is_member).collect();
    let channels: Vec<String> = members.iter().map(|channel| channel.stem.clone()).collect();
    if channels.is_empty() {
        lines.push("in no public channel".to_owned());
    } else {
        lines.push(format!("channels: {}", list_all(&channels, "and")));
    }
    let outlook = workspace.checked().and_then(|checked| checked.graphs.after());
    if let Some(outlook) = outlook {
        let days = members
            .iter()
            .filter_map(|channel| outlook.ages.days(data.path(channel.file), &text_of(version)));
        if let Some(days) = days.max() {
            lines.push(format!(
                "first promoted {} ago",
                counted(usize::try_from(days).unwrap_or(0), "day")
            ));
        }
        let to: Vec<&Version> = outlook.targets_of(version).collect();
        let own = Minor::of(version);
        let next = to.iter().filter(|to| Minor::of(to) != own).count();
        lines.push(format!(
            "updates to {}, {next} of them of another minor",
            counted(to.len(), "release")
        ));
    }
    let release = data.releases.find(version);
    let risks =
        data.blocked_edges.iter().filter(|edge| release.is_some() && edge.release == release);
    let names: Vec<String> = risks
        .map(|edge| edge.name.as_ref().map_or("a block", |name| &name.value).to_owned())
        .collect();
    if !names.is_empty() {
        lines.push(format!("updates to it have risks: {}", list_all(&names, "and")));
    }
    Some(lines.join("\n\n"))
}
