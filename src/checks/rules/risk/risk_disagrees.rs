//! One risk whose files differ.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::domain::{HashSet, RuleKind};
use crate::graph_data::{Affected, BlockedEdge, GraphData};

use crate::rules::{Check, Family, Finding, Place, Properties, Rule, Severity, shortened};
use crate::text::SourceId;
use crate::text::words::listed;
use crate::yaml::{Document, MappingEntry, NodeId};

pub(super) static RULE: Rule = Rule {
    code: "EP214",
    name: "risk-disagrees",
    properties: Properties::OF_TEXTS_OF_ONE_RISK,
    family: Family::Risk,
    severity: Severity::Error,
    summary: "files of one risk that differ in more than `to`, `from`, and `fixedIn`",
    explanation: "\
A risk is declared once for each target, and its name means one thing. Clusters from
4.22 on evaluate each name once, with the rules of the newest target: with different
`matchingRules`, they ignore the older ones. If `url` or `message` differ, one of them is out
of date. Where only some files have `autoExtend`, the risk is not extended in every minor. The
repository's presubmit refuses every difference but those of `to`, `from`, and `fixedIn`.",
    bad: "\
blocked-edges/4.14.1-ExampleRisk.yaml   message: Nodes may not start. See BUG-1.
blocked-edges/4.14.2-ExampleRisk.yaml   message: Nodes may not start.",
    good: "\
blocked-edges/4.14.1-ExampleRisk.yaml   message: Nodes may not start. See BUG-1.
blocked-edges/4.14.2-ExampleRisk.yaml   message: Nodes may not start. See BUG-1.",
    check: Check::Declarations(check),
};

/// The keys that must be equal in all files. `unknown-key` reports unknown keys. If one of the
/// first three is missing, `missing-key` or `neither-block-nor-risk` reports it.
const KEYS: [&str; 4] = ["url", "message", "matchingRules", "autoExtend"];

fn check(data: &GraphData, findings: &mut Vec<Finding>) {
    let broken = files_with_broken_rules(data);
    for (name, files) in data.declarations_by_risk() {
        for key in KEYS {
            let is_compared =
                |edge: &&&BlockedEdge| key != "matchingRules" || !broken.contains(&edge.file);
            let values = files.iter().filter(is_compared).filter_map(|edge| value(data, edge, key));
            let values: Vec<DeclaredValue<'_>> =
                values.filter(|value| value.node.is_some() || key == "autoExtend").collect();
            if values.windows(2).any(|pair| !pair[0].is_copy(&pair[1])) {
                let said: Vec<Said<'_>> = values.iter().map(said).collect();
                findings.extend(disagreement(data, name, key, &said));
            }
        }
    }
}

/// The files with an invalid or missing query or an unknown rule type. Other rules report these
/// causes of differences.
fn files_with_broken_rules(data: &GraphData) -> HashSet<SourceId> {
    let invalid = data.queries.all().filter(|reading| reading.query.is_err());
    let with_query = invalid.flat_map(|reading| reading.places.iter().map(|(file, _)| *file));
    let with_rule = data.blocked_edges.iter().filter(|edge| has_broken_rule(edge));
    with_query.chain(with_rule.map(|edge| edge.file)).collect()
}

fn has_broken_rule(edge: &BlockedEdge) -> bool {
    let Affected::MatchingRules(rules) = &edge.affected else { return false };
    rules.iter().any(|rule| match rule.known_kind() {
        None => rule.kind.is_some(),
        Some(RuleKind::PromQl) => rule.query.is_none(),
        Some(RuleKind::Always) => rule.query.is_some(),
    })
}

/// The value of a key in one file.
#[derive(Clone, Copy)]
struct DeclaredValue<'a> {
    edge: &'a BlockedEdge,
    document: &'a Document,
    /// None if the file does not have the key.
    node: Option<NodeId>,
}

impl DeclaredValue<'_> {
    fn is_copy(&self, other: &Self) -> bool {
        match (self.node, other.node) {
            (Some(one), Some(two)) => is_copy((self.document, one), (other.document, two)),
            (one, two) => one.is_none() && two.is_none(),
        }
    }
}

fn value<'a>(data: &'a GraphData, edge: &'a BlockedEdge, key: &str) -> Option<DeclaredValue<'a>> {
    let document = data.file(edge.file).document()?;
    Some(DeclaredValue { edge, document, node: document.top(key) })
}

/// Whether two values have the same texts in the same order. This is a fast test that nearly all
/// files of a risk pass.
fn is_copy(one: (&Document, NodeId), other: (&Document, NodeId)) -> bool {
    let ((document, node), (other_document, other_node)) = (one, other);
    if let (Some(text), Some(other)) = (document.text(node), other_document.text(other_node)) {
        return text == other;
    }
    let is_same = |a: NodeId, b: NodeId| is_copy((document, a), (other_document, b));
    let (items, other_items) = (document.items(node), other_document.items(other_node));
    let (entries, other_entries) = (document.entries(node), other_document.entries(other_node));
    document.kind(node) == other_document.kind(other_node)
        && items.len() == other_items.len()
        && entries.len() == other_entries.len()
        && items.iter().zip(other_items).all(|(a, b)| is_same(*a, *b))
        && entries
            .iter()
            .zip(other_entries)
            .all(|(a, b)| is_same(a.key, b.key) && is_same(a.value, b.value))
}

/// The text of a key in one file.
struct Said<'a> {
    edge: &'a BlockedEdge,
    node: Option<NodeId>,
    text: Option<Cow<'a, str>>,
}

fn said<'a>(value: &DeclaredValue<'a>) -> Said<'a> {
    let DeclaredValue { edge, document, node } = *value;
    Said { edge, node, text: node.map(|node| plain(document, node)) }
}

/// The value without its notation, as text. Readers cannot distinguish values with equal texts.
fn plain(document: &Document, node: NodeId) -> Cow<'_, str> {
    if let Some(text) = document.text(node) {
        return text.into();
    }
    let items = document.items(node).iter().map(|item| plain(document, *item));
    let entry = |entry: &MappingEntry| {
        [plain(document, entry.key), plain(document, entry.value)].join(": ").into()
    };
    let mut entries: Vec<Cow<'_, str>> = document.entries(node).iter().map(entry).collect();
    entries.sort_unstable();
    items.chain(entries).collect::<Vec<_>>().join("\n").into()
}

/// One finding for all files that differ from most files of the risk.
fn disagreement(data: &GraphData, name: &str, key: &str, said: &[Said<'_>]) -> Option<Finding> {
    if said.windows(2).all(|pair| pair[0].text == pair[1].text) {
        return None;
    }
    let mut by_text: BTreeMap<Option<&str>, Vec<&Said<'_>>> = BTreeMap::new();
    for one in said {
        by_text.entry(one.text.as_deref()).or_default().push(one);
    }
    let texts = by_text.keys().map(|text| text.unwrap_or_default());
    let about = format!("{name} {key}: {}", texts.collect::<Vec<_>>().join("\n"));
    let mut by_text: Vec<_> = by_text.into_iter().collect();
    // Most files are probably right. If two texts have equally many files, the one with the newest
    // target wins, because clusters use it.
    let newest = |same: &[&Said<'_>]| same.iter().filter_map(|s| s.edge.target.clone()).max();
    by_text.sort_by_cached_key(|(_, same)| std::cmp::Reverse((same.len(), newest(same))));
    let ((usual, most), odd) = by_text.split_first()?;
    let one = odd.first()?.1.first()?;
    let others: Vec<&&Said<'_>> = odd.iter().flat_map(|(_, same)| same).collect();
    let targets = others.iter().filter_map(|said| said.edge.to.as_ref());
    let targets =
        listed(&targets.map(|to| format!("`{}`", shortened(&to.value))).collect::<Vec<_>>(), "and");
    let name = shortened(name);
    let message = match (one.text.as_deref(), *usual) {
        (None, _) => {
            format!(
                "`{key}` of the risk `{name}` is missing for {targets}, but its other files have it"
            )
        }
        (_, None) => {
            format!("`{key}` of the risk `{name}` is set for {targets}, but not in its other files")
        }
        (Some(text), Some(usual)) => format!(
            "`{key}` of the risk `{name}` differs for {targets} from its other files: {}",
            difference(text, usual),
        ),
    };
    let place = |said: &Said<'_>| -> Place {
        let node = said.node.map(|node| data.file(said.edge.file).span(node));
        let span = node.or_else(|| said.edge.name.as_ref().map(|name| name.span));
        span.map_or(Place::File(said.edge.file), Place::Text)
    };
    let finding = Finding::on(&RULE, place(one), message).grouped(about).help(
        "make all files of the risk the same; if it is a different risk, give it another name",
    );
    let finding = others[1..].iter().fold(finding, |finding, other| {
        let words = match (other.text.as_deref(), *usual) {
            (Some(text), Some(usual)) => format!("this file: {}", difference(text, usual)),
            (None, _) => "this file does not have it".to_owned(),
            (_, None) => "this file has it, too".to_owned(),
        };
        finding.copy(place(other), words)
    });
    Some(
        most.iter()
            .fold(finding, |finding, same| finding.copy(place(same), "another file is like this")),
    )
}

/// The first difference between two texts, in words.
fn difference(here: &str, there: &str) -> String {
    if here.split_whitespace().eq(there.split_whitespace()) {
        return "they differ only in whitespace".to_owned();
    }
    let common = here.chars().zip(there.chars()).take_while(|(a, b)| a == b).count();
    let tail = |text: &str| -> String {
        let before: Vec<char> = text.chars().take(common).collect();
        // The text starts at the word with the first difference. If the word is long, it starts 12
        // characters before the difference.
        let word = before.iter().rposition(|c| c.is_whitespace()).map_or(0, |at| at + 1);
        let from = if common - word > 24 { common - 12 } else { word };
        let more = if from > word { "…" } else { "" };
        format!("{more}{}", shortened(&text.chars().skip(from).collect::<String>()))
    };
    match (tail(here), tail(there)) {
        (here, there) if here.is_empty() => format!("it ends before `{there}`"),
        (here, there) if there.is_empty() => format!("it continues with `{here}`"),
        (here, there) => format!("`{here}` here, `{there}` there"),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_copy, plain};
    use crate::yaml;

    #[test]
    fn a_copy_reads_the_same() {
        let texts = [
            "[a, b]",
            "- a\n- 'b'\n",
            "[b, a]",
            "[a]",
            "[[a, b]]",
            "{a: b, c: [d]}",
            "c: [d]\na: b\n",
            "{a: b, c: d}",
            "{? [a] : b}",
            "{? [b] : b}",
            "[&x a, *x]",
            "[a, a]",
            "a",
            "'a'",
            "",
            "[]",
            "{}",
        ];
        let documents: Vec<_> =
            texts.iter().map(|text| yaml::parse(text).unwrap_or_else(|_| unreachable!())).collect();
        let mut copies = 0;
        for (one, text) in documents.iter().zip(texts) {
            for (other, other_text) in documents.iter().zip(texts) {
                let is_copy = is_copy((one, one.root()), (other, other.root()));
                let reads_the_same = plain(one, one.root()) == plain(other, other.root());
                assert!(!is_copy || reads_the_same, "{text} and {other_text}");
                assert!(is_copy || text != other_text, "{text}");
                copies += usize::from(is_copy);
            }
        }
        // Each text is a copy of itself, and three pairs are copies of each other.
        assert_eq!(copies, texts.len() + 6);
    }
}
