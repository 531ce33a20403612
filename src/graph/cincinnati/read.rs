//! Reading Cincinnati JSON, whatever it holds. What cannot be understood becomes a
//! [`Fault`] with its place, and the rest is read all the same.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::text::{SourceId, Span, Spanned};

/// The largest graph that is read. The whole graph of the service takes about 30 MiB.
pub const MAX_GRAPH: u64 = 128 << 20;

/// What a file of Cincinnati JSON says.
#[derive(Debug, Default)]
pub struct GraphFile {
    /// `version`, which only an answer to clusters has.
    pub version: Option<Spanned<String>>,
    /// The releases; of one that cannot be understood, nothing, to keep the places of the others.
    pub nodes: Vec<Option<Node>>,
    /// The unconditional updates.
    pub edges: Vec<Pair<usize>>,
    /// The conditional ones; none where the file does not speak of such.
    pub conditional: Option<Vec<Group>>,
    /// What could not be understood.
    pub faults: Vec<Fault>,
}

/// Something that cannot be understood, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it stands.
    pub span: Span,
    /// What is wrong with it, as the end of a sentence.
    pub why: String,
    /// Whether nothing behind it could be read.
    pub is_fatal: bool,
}

/// A release.
#[derive(Clone, Debug)]
pub struct Node {
    /// The place of all of it.
    pub span: Span,
    /// Its version.
    pub version: Spanned<String>,
    /// Its image; absent of a release that others name and nobody has seen.
    pub payload: Option<Spanned<String>>,
    /// What else is said of it.
    pub metadata: Metadata,
}

/// Metadata: keys, and values with their places.
pub type Metadata = BTreeMap<String, Spanned<String>>;

/// An update, its ends given by index or by version.
#[derive(Clone, Debug)]
pub struct Pair<End> {
    /// The place of all of it.
    pub span: Span,
    /// The end that it leads from.
    pub from: End,
    /// The end that it leads to.
    pub to: End,
}

/// Updates that share their risks.
#[derive(Clone, Debug)]
pub struct Group {
    /// The place of all of it.
    pub span: Span,
    /// How it is written.
    pub form: Form,
    /// The updates.
    pub edges: Vec<Pair<Spanned<String>>>,
    /// The risks, in the order written.
    pub risks: Vec<PlacedRisk>,
}

/// How conditional updates are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `edges` and `risks`, as clusters know it.
    EdgesAndRisks,
    /// `from`, `to` and `qualifiers`: the enhancement's first draft, which no cluster knows.
    Qualifiers,
}

/// A risk in a file.
#[derive(Clone, Debug)]
pub struct PlacedRisk {
    /// The place of all of it.
    pub span: Span,
    /// Where to read about it.
    pub url: Option<Spanned<String>>,
    /// Its name.
    pub name: Option<Spanned<String>>,
    /// What an administrator is told.
    pub message: Option<Spanned<String>>,
    /// Which clusters are affected.
    pub rules: Vec<Rule>,
}

/// One way to tell whether a cluster is affected.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The place of all of it.
    pub span: Span,
    /// `Always`, `PromQL`, or what else was written.
    pub kind: Option<Spanned<String>>,
    /// The place of the property `promql`, whatever it holds.
    pub promql: Option<Span>,
    /// The query.
    pub query: Option<Spanned<String>>,
}

#[derive(Deserialize)]
struct RawGraph<'a> {
    #[serde(borrow)]
    version: Option<&'a RawValue>,
    #[serde(borrow)]
    nodes: Option<&'a RawValue>,
    #[serde(borrow)]
    edges: Option<&'a RawValue>,
    #[serde(borrow, rename = "conditionalEdges")]
    conditional: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawNode<'a> {
    #[serde(borrow)]
    version: Option<&'a RawValue>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
    #[serde(borrow)]
    metadata: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawGroup<'a> {
    #[serde(borrow)]
    edges: Option<&'a RawValue>,
    #[serde(borrow)]
    risks: Option<&'a RawValue>,
    #[serde(borrow)]
    from: Option<&'a RawValue>,
    #[serde(borrow)]
    to: Option<&'a RawValue>,
    #[serde(borrow)]
    qualifiers: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawPair<'a> {
    #[serde(borrow)]
    from: Option<&'a RawValue>,
    #[serde(borrow)]
    to: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawRisk<'a> {
    #[serde(borrow)]
    url: Option<&'a RawValue>,
    #[serde(borrow)]
    name: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<&'a RawValue>,
    #[serde(borrow, rename = "matchingRules")]
    rules: Option<&'a RawValue>,
    #[serde(borrow)]
    clusters: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawRule<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    promql: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawQuery<'a> {
    #[serde(borrow)]
    promql: Option<&'a RawValue>,
}

impl GraphFile {
    /// Reads a file's text.
    #[must_use]
    pub fn read(source: SourceId, text: &str) -> Self {
        let mut reader = Reader { source, text, faults: Vec::new() };
        let graph = reader.graph();
        Self { faults: reader.faults, ..graph }
    }

    /// The node that an end of an edge names.
    #[must_use]
    pub fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)?.as_ref()
    }

    /// The groups of conditional updates.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        self.conditional.as_deref().unwrap_or_default()
    }
}

struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    faults: Vec<Fault>,
}

type Raw<'a> = &'a RawValue;

impl<'a> Reader<'a> {
    fn graph(&mut self) -> GraphFile {
        let text = self.text.strip_prefix('\u{FEFF}').unwrap_or(self.text);
        let raw: RawGraph<'a> = match serde_json::from_str(text) {
            Ok(raw) => raw,
            Err(error) => {
                self.not_a_graph(text, &error);
                return GraphFile::default();
            }
        };
        for (key, value) in [("nodes", raw.nodes), ("edges", raw.edges)] {
            if value.is_none() {
                let start = self.text.len() - text.trim_start().len();
                let span = Span::new(self.source, start..start + 1);
                let why = format!("it has no `{key}`");
                self.faults.push(Fault { span, why, is_fatal: false });
            }
        }
        let nodes = self.list(raw.nodes, "nodes").into_iter().map(|raw| self.node(raw)).collect();
        let edges = self.list(raw.edges, "edges");
        let edges = edges.into_iter().filter_map(|raw| self.edge(raw)).collect();
        let conditional = raw.conditional.map(|raw| {
            let groups = self.list(Some(raw), "conditionalEdges");
            groups.into_iter().filter_map(|raw| self.group(raw)).collect()
        });
        let version = raw.version.map(|raw| self.spanned(raw, raw.get().to_owned()));
        GraphFile { version, nodes, edges, conditional, faults: Vec::new() }
    }

    fn not_a_graph(&mut self, text: &str, error: &serde_json::Error) {
        let before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let start: usize = self.text.len() - text.len() + before.map(str::len).sum::<usize>();
        let at = self.text.floor_char_boundary(start + error.column().saturating_sub(1));
        let words = words(error);
        let why = if error.is_data() {
            format!("it is no graph: {words}")
        } else if error.is_eof() {
            format!("it ends in the middle: {words}")
        } else {
            format!("it is no JSON: {words}")
        };
        let end = self.text.ceil_char_boundary((at + 1).min(self.text.len()));
        self.faults.push(Fault { span: Span::new(self.source, at..end), why, is_fatal: true });
    }

    fn node(&mut self, raw: Raw<'a>) -> Option<Node> {
        let node: RawNode<'a> = self.object(raw, "a node")?;
        let version = self.required(raw, node.version, "a node", "version")?;
        let payload = node.payload.and_then(|raw| self.string(raw, "payload"));
        let metadata = node.metadata.and_then(|raw| self.metadata(raw)).unwrap_or_default();
        Some(Node { span: self.span(raw), version, payload, metadata })
    }

    fn metadata(&mut self, raw: Raw<'a>) -> Option<Metadata> {
        let map: BTreeMap<Cow<'a, str>, Raw<'a>> = self.object(raw, "`metadata`")?;
        let values = map.into_iter().filter_map(|(key, value)| {
            let value = self.string(value, &format!("metadata's `{key}`"))?;
            Some((key.into_owned(), value))
        });
        Some(values.collect())
    }

    fn edge(&mut self, raw: Raw<'a>) -> Option<Pair<usize>> {
        match serde_json::from_str::<(usize, usize)>(raw.get()) {
            Ok((from, to)) => Some(Pair { span: self.span(raw), from, to }),
            Err(_) => {
                self.fault(raw, "an edge is two places in the list of nodes, `[0, 1]`");
                None
            }
        }
    }

    fn group(&mut self, raw: Raw<'a>) -> Option<Group> {
        let group: RawGroup<'a> = self.object(raw, "a group of conditional edges")?;
        let span = self.span(raw);
        if group.edges.is_none() && (group.from.is_some() || group.to.is_some()) {
            let from = self.required(raw, group.from, "a conditional edge", "from")?;
            let to = self.required(raw, group.to, "a conditional edge", "to")?;
            let qualifiers = match group.qualifiers {
                Some(list) => self.list(Some(list), "qualifiers"),
                None => Vec::new(),
            };
            let risks = qualifiers.into_iter().filter_map(|raw| self.qualifier(raw)).collect();
            let edges = vec![Pair { span, from, to }];
            return Some(Group { span, form: Form::Qualifiers, edges, risks });
        }
        for (key, value) in [("edges", group.edges), ("risks", group.risks)] {
            if value.is_none() {
                self.fault(raw, &format!("this group of conditional edges has no `{key}`"));
            }
        }
        let edges = self.list(group.edges, "edges");
        let edges = edges.into_iter().filter_map(|raw| self.pair(raw)).collect();
        let risks = self.list(group.risks, "risks");
        let risks = risks.into_iter().filter_map(|raw| self.risk(raw)).collect();
        Some(Group { span, form: Form::EdgesAndRisks, edges, risks })
    }

    fn pair(&mut self, raw: Raw<'a>) -> Option<Pair<Spanned<String>>> {
        let pair: RawPair<'a> = self.object(raw, "a conditional edge")?;
        let from = self.required(raw, pair.from, "a conditional edge", "from")?;
        let to = self.required(raw, pair.to, "a conditional edge", "to")?;
        Some(Pair { span: self.span(raw), from, to })
    }

    fn risk(&mut self, raw: Raw<'a>) -> Option<PlacedRisk> {
        let risk: RawRisk<'a> = self.object(raw, "a risk")?;
        let rules = self.list(risk.rules, "matchingRules");
        let rules = rules.into_iter().filter_map(|raw| self.rule(raw)).collect();
        Some(PlacedRisk {
            span: self.span(raw),
            url: risk.url.and_then(|raw| self.string(raw, "url")),
            name: risk.name.and_then(|raw| self.string(raw, "name")),
            message: risk.message.and_then(|raw| self.string(raw, "message")),
            rules,
        })
    }

    fn rule(&mut self, raw: Raw<'a>) -> Option<Rule> {
        let rule: RawRule<'a> = self.object(raw, "a matching rule")?;
        let query = rule.promql.filter(|raw| raw.get() != "null").and_then(|raw| {
            let query: RawQuery<'a> = self.object(raw, "`promql`")?;
            query.promql.and_then(|raw| self.string(raw, "promql"))
        });
        let kind = rule.kind.and_then(|raw| self.string(raw, "type"));
        let promql = rule.promql.map(|raw| self.span(raw));
        Some(Rule { span: self.span(raw), kind, promql, query })
    }

    /// A qualifier of the first draft: a url, and the clusters that it is about.
    fn qualifier(&mut self, raw: Raw<'a>) -> Option<PlacedRisk> {
        let risk: RawRisk<'a> = self.object(raw, "a qualifier")?;
        let clusters: Option<RawQuery<'a>> =
            risk.clusters.and_then(|raw| self.object(raw, "`clusters`"));
        let query = clusters.and_then(|clusters| clusters.promql).and_then(|raw| {
            let nested = serde_json::from_str::<RawQuery<'a>>(raw.get()).ok();
            self.string(nested.and_then(|nested| nested.promql).unwrap_or(raw), "promql")
        });
        let span = self.span(raw);
        let promql = query.as_ref().map(|query| query.span);
        Some(PlacedRisk {
            span,
            url: risk.url.and_then(|raw| self.string(raw, "url")),
            name: None,
            message: None,
            rules: vec![Rule { span, kind: None, promql, query }],
        })
    }

    fn object<T: Deserialize<'a>>(&mut self, raw: Raw<'a>, what: &str) -> Option<T> {
        // serde takes a list for an object with its keys left out.
        if !raw.get().starts_with('{') {
            self.fault(raw, &format!("{what} is not an object"));
            return None;
        }
        match serde_json::from_str(raw.get()) {
            Ok(object) => Some(object),
            Err(error) => {
                self.fault(raw, &format!("{what} cannot be read: {}", words(&error)));
                None
            }
        }
    }

    fn list(&mut self, raw: Option<Raw<'a>>, what: &str) -> Vec<Raw<'a>> {
        let Some(raw) = raw else { return Vec::new() };
        // What Go writes for an empty list.
        if raw.get() == "null" {
            return Vec::new();
        }
        serde_json::from_str(raw.get()).unwrap_or_else(|_| {
            self.fault(raw, &format!("`{what}` is not a list"));
            Vec::new()
        })
    }

    fn required(
        &mut self,
        whole: Raw<'a>,
        raw: Option<Raw<'a>>,
        what: &str,
        key: &str,
    ) -> Option<Spanned<String>> {
        let Some(raw) = raw else {
            self.fault(whole, &format!("{what} without `{key}`"));
            return None;
        };
        self.string(raw, key)
    }

    fn string(&mut self, raw: Raw<'a>, key: &str) -> Option<Spanned<String>> {
        match serde_json::from_str::<String>(raw.get()) {
            Ok(text) => Some(self.spanned(raw, text)),
            Err(_) => {
                self.fault(raw, &format!("`{}` is not text", key.trim_matches('`')));
                None
            }
        }
    }

    fn spanned(&self, raw: Raw<'a>, value: String) -> Spanned<String> {
        Spanned { value, span: self.span(raw) }
    }

    fn fault(&mut self, raw: Raw<'a>, why: &str) {
        // A file that is wrong throughout is told of a thousand times, not a million.
        const MOST: usize = 1000;
        if self.faults.len() < MOST {
            let fault = Fault { span: self.span(raw), why: why.to_owned(), is_fatal: false };
            self.faults.push(fault);
        }
    }

    /// Where a value stands: it is a part of the very text that was read.
    fn span(&self, raw: Raw<'a>) -> Span {
        let start = (raw.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let range: Range<usize> = start..start + raw.get().len();
        Span::new(self.source, range)
    }
}

/// serde's words for what it found, without the names of our types.
fn words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    words.split(", expected ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Form, GraphFile};
    use crate::text::SourceId;

    fn read(text: &str) -> GraphFile {
        GraphFile::read(SourceId(0), text)
    }

    #[test]
    fn every_value_knows_its_place() {
        let text = r#"{"version": 1, "nodes": [{"version": "4.1.0", "payload": "x",
            "metadata": {"url": "https://\u0065xample.com"}}], "edges": [[0, 7]],
            "conditionalEdges": [{"edges": [{"from": "4.1.0", "to": "4.1.1"}], "risks": [
                {"url": "u", "name": "N", "message": "m", "matchingRules": [
                    {"type": "PromQL", "promql": {"promql": "vector(1)"}}]}]}]}"#;
        let graph = read(text);
        assert_eq!(graph.faults, []);
        let node = graph.node(0).unwrap();
        assert_eq!(&text[node.version.span.range()], r#""4.1.0""#);
        assert_eq!(node.metadata["url"].value, "https://example.com");
        assert_eq!((graph.edges[0].from, graph.edges[0].to), (0, 7));
        assert_eq!(&text[graph.edges[0].span.range()], "[0, 7]");
        let group = &graph.groups()[0];
        assert_eq!(&text[group.edges[0].to.span.range()], r#""4.1.1""#);
        let query = group.risks[0].rules[0].query.as_ref().unwrap();
        assert_eq!(&text[query.span.range()], r#""vector(1)""#);
    }

    #[test]
    fn what_cannot_be_understood_does_not_hide_the_rest() {
        let graph = read(
            r#"{"nodes": [7, {"payload": "x"}, {"version": "4.1.0"}], "edges": [[0], [2, 2]]}"#,
        );
        let whys: Vec<&str> = graph.faults.iter().map(|fault| fault.why.as_str()).collect();
        assert_eq!(
            whys,
            [
                "a node is not an object",
                "a node without `version`",
                "an edge is two places in the list of nodes, `[0, 1]`",
            ]
        );
        assert_eq!(graph.node(2).unwrap().version.value, "4.1.0", "nodes keep their places");
        assert_eq!(graph.edges.len(), 1);
    }

    #[test]
    fn a_file_that_is_cut_or_no_graph_has_one_fault() {
        for (text, why) in [
            (r#"{"nodes": [{"version": "4."#, "it ends in the middle: EOF while parsing a string"),
            ("nodes:", "it is no JSON: expected ident"),
            ("[]", "it is no graph: invalid length 0"),
            ("", "it ends in the middle: EOF while parsing a value"),
            (r#"{"nodes": [], "nodes": []}"#, "it is no graph: duplicate field `nodes`"),
            ("7", "it is no graph: invalid type: integer `7`"),
        ] {
            let graph = read(text);
            assert_eq!(graph.faults[0].why, why, "{text}");
        }
    }

    #[test]
    fn the_first_draft_is_understood() {
        let graph = read(
            r#"{"nodes": [], "edges": [], "conditionalEdges": [{"from": "4.1.0", "to": "4.1.1",
                "qualifiers": [{"url": "u", "clusters": {"promql": {"promql": "q"}}}]}]}"#,
        );
        let group = &graph.groups()[0];
        assert_eq!(group.form, Form::Qualifiers);
        assert_eq!(group.risks[0].rules[0].query.as_ref().unwrap().value, "q");
    }
}
