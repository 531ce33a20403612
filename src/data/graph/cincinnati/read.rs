//! Reads Cincinnati JSON. What cannot be understood becomes a [`GraphFault`] with its place, and
//! the rest is still read.
//!
//! `schemas/graph.json` describes the same structure. It is not used here, because a graph may have
//! a hundred megabytes, and its values need positions. The test `graph_files` compares the two.

mod draft;

use std::ops::Range;

use crate::domain::Arena;
use crate::text::{SourceId, Span, Spanned};

use super::raw::{Object, Raw, for_each, is_null};
use super::{
    ConditionalGroup, GraphFault, GraphFile, GraphNode, GraphNodeId, GroupForm, Metadata, Pair,
    PlacedRisk, PlacedRule,
};

impl GraphFile {
    /// Reads a file's text.
    pub fn read(source: SourceId, text: &str) -> Self {
        let mut reader = Reader { source, text, faults: Vec::new(), more_faults: 0, parts: 0 };
        let graph = reader.graph();
        Self { faults: reader.faults, more_faults: reader.more_faults, ..graph }
    }
}

struct Reader<'a> {
    source: SourceId,
    text: &'a str,
    faults: Vec<GraphFault>,
    more_faults: usize,
    /// How many parts of the graph have been read so far. Edges do not count, because the size of
    /// the file limits them.
    parts: usize,
}

/// The most parts to read. A file of a hundred megabytes, written as `{},{},{}`, could take fifty
/// times its size in memory. The service's whole graph has less than a million parts.
const MOST_PARTS: usize = 4_000_000;

/// The keys of a graph. Clusters ignore other keys. The policy engine rejects them.
const KEYS: [&str; 4] = ["version", "nodes", "edges", "conditionalEdges"];

impl<'a> Reader<'a> {
    fn graph(&mut self) -> GraphFile {
        let text = self.text.strip_prefix('\u{FEFF}').unwrap_or(self.text);
        if text.len() < self.text.len() {
            let mark = 0..'\u{FEFF}'.len_utf8();
            self.note(mark, "an invisible byte order mark precedes the JSON");
        }
        let graph: Object<'a> = match serde_json::from_str(text) {
            Ok(graph) => graph,
            Err(error) => {
                self.not_a_graph(text, &error);
                return GraphFile::default();
            }
        };
        self.check_keys(text, &graph);
        let mut nodes = Arena::default();
        self.parts(graph.get("nodes"), "nodes", |reader, raw| {
            nodes.push(reader.node(raw));
        });
        let mut edges = Vec::new();
        self.list(graph.get("edges"), "edges", |reader, raw| edges.extend(reader.edge(raw)));
        let conditional = graph.get("conditionalEdges").map(|raw| {
            let mut groups = Vec::new();
            let list = Some(raw);
            self.parts(list, "conditionalEdges", |reader, raw| groups.extend(reader.group(raw)));
            groups
        });
        let version = graph.get("version").map(|raw| {
            if raw.get() != "1" {
                self.fault(raw, "`version` is not 1, the only version of the format");
            }
            self.spanned(raw, raw.get().to_owned())
        });
        GraphFile { version, nodes, edges, conditional, ..GraphFile::default() }
    }

    fn check_keys(&mut self, text: &str, graph: &Object<'a>) {
        for key in ["nodes", "edges"] {
            if graph.get(key).is_none() {
                let start = self.text.len() - text.trim_start().len();
                self.remark(start..start + 1, &format!("the graph has no `{key}`"));
            }
        }
        for (key, value) in graph.entries() {
            if !KEYS.contains(&&**key) {
                let key = key.chars().take(40).collect::<String>();
                self.remark(self.span(value).range(), &format!("`{key}` is not a key of a graph"));
            }
        }
        self.check_repeated(graph, "the graph");
    }

    fn check_repeated(&mut self, object: &Object<'a>, what: &str) {
        if let Some(again) = object.repeated() {
            let why = format!("{what} has this key twice, and readers use only the last one");
            self.remark(self.span(again).range(), &why);
        }
    }

    fn not_a_graph(&mut self, text: &str, error: &serde_json::Error) {
        let before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let start: usize = self.text.len() - text.len() + before.map(str::len).sum::<usize>();
        let at = self.text.floor_char_boundary(start + error.column().saturating_sub(1));
        let words = words(error);
        let why = if error.is_data() {
            format!("it is not a graph: {words}")
        } else if error.is_eof() {
            format!("it is incomplete: {words}")
        } else {
            format!("it is not JSON: {words}")
        };
        let end = self.text.ceil_char_boundary((at + 1).min(self.text.len()));
        self.faults.push(GraphFault {
            span: Span::new(self.source, at..end),
            why,
            is_fatal: true,
            clusters_accept: false,
        });
    }

    fn node(&mut self, raw: Raw<'a>) -> Option<GraphNode> {
        let node = self.object(raw, "a node")?;
        let payload = node.optional("payload").and_then(|raw| self.string(raw, "payload"));
        let metadata = node.optional("metadata").and_then(|raw| self.metadata(raw));
        let version = self.required(raw, &node, "a node", "version")?;
        Some(GraphNode { version, payload, metadata: metadata.unwrap_or_default() })
    }

    fn metadata(&mut self, raw: Raw<'a>) -> Option<Metadata> {
        let object = self.object(raw, "`metadata`")?;
        let values = object.entries().iter().filter_map(|(key, value)| {
            if !self.affords(value) {
                return None;
            }
            let value = self.string(value, "a value of `metadata`")?;
            Some((key.clone().into_owned(), value))
        });
        Some(values.collect())
    }

    fn edge(&mut self, raw: Raw<'a>) -> Option<Pair<GraphNodeId>> {
        let Some((from, to)) = ends(raw.get()) else {
            self.fault(raw, "an edge must be two indexes into the list of nodes, such as `[0, 1]`");
            return None;
        };
        Some(Pair { span: self.span(raw), from, to })
    }

    fn group(&mut self, raw: Raw<'a>) -> Option<ConditionalGroup> {
        let group = self.object(raw, "a group of conditional edges")?;
        let names = |key| group.get(key).is_some();
        if !names("edges") && (names("from") || names("to")) {
            return self.draft(raw, &group);
        }
        for key in ["edges", "risks"] {
            if !names(key) {
                self.fault(raw, &format!("a group of conditional edges has no `{key}`"));
            }
        }
        let mut edges = Vec::new();
        self.parts(group.get("edges"), "edges", |reader, raw| edges.extend(reader.pair(raw)));
        let mut risks = Vec::new();
        self.parts(group.get("risks"), "risks", |reader, raw| risks.extend(reader.risk(raw)));
        Some(ConditionalGroup {
            span: self.span(raw),
            form: GroupForm::EdgesAndRisks,
            edges,
            risks,
        })
    }

    fn pair(&mut self, raw: Raw<'a>) -> Option<Pair<Spanned<String>>> {
        let pair = self.object(raw, "a conditional edge")?;
        self.ends(raw, &pair)
    }

    fn ends(&mut self, raw: Raw<'a>, pair: &Object<'a>) -> Option<Pair<Spanned<String>>> {
        let from = self.required(raw, pair, "a conditional edge", "from");
        let to = self.required(raw, pair, "a conditional edge", "to");
        Some(Pair { span: self.span(raw), from: from?, to: to? })
    }

    fn risk(&mut self, raw: Raw<'a>) -> Option<PlacedRisk> {
        let risk = self.object(raw, "a risk")?;
        let mut text = |key| risk.optional(key).and_then(|raw| self.string(raw, key));
        let (url, name, message) = (text("url"), text("name"), text("message"));
        let mut rules = Vec::new();
        let list = risk.get("matchingRules");
        self.parts(list, "matchingRules", |reader, raw| rules.extend(reader.rule(raw)));
        Some(PlacedRisk { span: self.span(raw), url, name, message, rules })
    }

    fn rule(&mut self, raw: Raw<'a>) -> Option<PlacedRule> {
        let rule = self.object(raw, "a matching rule")?;
        let promql = rule.optional("promql");
        let query = promql.and_then(|raw| {
            let query = self.object(raw, "`promql`")?.optional("promql")?;
            self.string(query, "promql")
        });
        let kind = rule.optional("type").and_then(|raw| self.string(raw, "type"));
        Some(PlacedRule { kind, promql: promql.map(|raw| self.span(raw)), query })
    }

    fn object(&mut self, raw: Raw<'a>, what: &str) -> Option<Object<'a>> {
        if !raw.get().starts_with('{') {
            self.fault(raw, &format!("{what} is not an object"));
            return None;
        }
        match serde_json::from_str::<Object<'a>>(raw.get()) {
            Ok(object) => {
                self.check_repeated(&object, what);
                Some(object)
            }
            Err(error) => {
                self.fault(raw, &format!("{what} cannot be read: {}", words(&error)));
                None
            }
        }
    }

    /// Reads each item of a list, up to the limit for the whole graph.
    fn parts(
        &mut self,
        raw: Option<Raw<'a>>,
        what: &str,
        mut read: impl FnMut(&mut Self, Raw<'a>),
    ) {
        self.list(raw, what, |reader, item| {
            if reader.affords(item) {
                read(reader, item);
            }
        });
    }

    /// Counts a part, and returns whether to read it.
    fn affords(&mut self, part: Raw<'a>) -> bool {
        self.parts += 1;
        if self.parts == MOST_PARTS + 1 {
            let why = format!("it has more than {MOST_PARTS} parts");
            self.faults.push(GraphFault {
                span: self.span(part),
                why,
                is_fatal: true,
                clusters_accept: false,
            });
        }
        self.parts <= MOST_PARTS
    }

    /// Reads each item of a list. `null` is an empty list.
    fn list(&mut self, raw: Option<Raw<'a>>, what: &str, mut read: impl FnMut(&mut Self, Raw<'a>)) {
        let Some(raw) = raw.filter(|raw| !is_null(raw)) else { return };
        if !raw.get().starts_with('[') || for_each(raw, &mut |item| read(self, item)).is_err() {
            self.fault(raw, &format!("`{what}` is not a list"));
        }
    }

    fn required(
        &mut self,
        whole: Raw<'a>,
        object: &Object<'a>,
        what: &str,
        key: &str,
    ) -> Option<Spanned<String>> {
        let Some(raw) = object.optional(key) else {
            self.fault(whole, &format!("{what} has no `{key}`"));
            return None;
        };
        self.string(raw, key)
    }

    fn string(&mut self, raw: Raw<'a>, what: &str) -> Option<Spanned<String>> {
        if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
            return Some(self.spanned(raw, text));
        }
        let what = if what.contains('`') { what.to_owned() } else { format!("`{what}`") };
        // Invalid text that begins with a quote has half of a surrogate pair.
        let is_half = raw.get().starts_with('"');
        let why = if is_half { "has an invalid escape" } else { "is not text" };
        self.fault(raw, &format!("{what} {why}"));
        None
    }

    fn spanned(&self, raw: Raw<'a>, value: String) -> Spanned<String> {
        Spanned { value, span: self.span(raw) }
    }

    fn fault(&mut self, raw: Raw<'a>, why: &str) {
        self.note(self.span(raw).range(), why);
    }

    fn note(&mut self, at: Range<usize>, why: &str) {
        self.add(at, why, false);
    }

    /// Notes a fault that clusters accept.
    fn remark(&mut self, at: Range<usize>, why: &str) {
        self.add(at, why, true);
    }

    fn add(&mut self, at: Range<usize>, why: &str, clusters_accept: bool) {
        const MOST: usize = 1000;
        if self.faults.len() < MOST {
            let span = Span::new(self.source, at);
            let why = why.to_owned();
            self.faults.push(GraphFault { span, why, is_fatal: false, clusters_accept });
        } else {
            self.more_faults += 1;
        }
    }

    /// The place of a value, which is a slice of the text.
    fn span(&self, raw: Raw<'a>) -> Span {
        let start = (raw.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let range: Range<usize> = start..start + raw.get().len();
        Span::new(self.source, range)
    }
}

/// The two ends of an edge. Parsed by hand for speed: a graph has millions.
fn ends(edge: &str) -> Option<(GraphNodeId, GraphNodeId)> {
    let (from, to) = edge.strip_prefix('[')?.strip_suffix(']')?.split_once(',')?;
    Some((end(from)?, end(to)?))
}

fn end(text: &str) -> Option<GraphNodeId> {
    let digits = text.trim_ascii();
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    // A number that is too large for an id is out of range in any case.
    is_number.then(|| GraphNodeId::at(digits.parse().unwrap_or(usize::MAX)))
}

/// The error message of serde, without the names of our types.
fn words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    words.split(", expected ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{GraphFile, GraphNodeId, GroupForm};
    use crate::text::SourceId;

    fn read(text: &str) -> GraphFile {
        GraphFile::read(SourceId::at(0), text)
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
        let node = graph.nodes.first().unwrap().as_ref().unwrap();
        assert_eq!(&text[node.version.span.range()], r#""4.1.0""#);
        assert_eq!(node.metadata["url"].value, "https://example.com");
        assert_eq!(
            (graph.edges[0].from, graph.edges[0].to),
            (GraphNodeId::at(0), GraphNodeId::at(7))
        );
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
                "a node has no `version`",
                "an edge must be two indexes into the list of nodes, such as `[0, 1]`",
            ]
        );
        assert_eq!(
            graph.nodes[GraphNodeId::at(2)].as_ref().unwrap().version.value,
            "4.1.0",
            "nodes keep their places"
        );
        assert_eq!(graph.edges.len(), 1);
    }

    #[test]
    fn a_file_that_is_cut_or_no_graph_has_one_fault() {
        for (text, why) in [
            (r#"{"nodes": [{"version": "4."#, "it is incomplete: EOF while parsing a string"),
            ("nodes:", "it is not JSON: expected ident"),
            ("[]", "it is not a graph: invalid type: sequence"),
            ("", "it is incomplete: EOF while parsing a value"),
            ("7", "it is not a graph: invalid type: integer `7`"),
        ] {
            let graph = read(text);
            assert_eq!(graph.faults[0].why, why, "{text}");
        }
    }

    #[test]
    fn a_repeated_key_is_a_fault_and_only_the_last_counts() {
        let graph = read(r#"{"nodes": [], "edges": [], "nodes": [{"version": "4.1.0"}]}"#);
        assert_eq!(graph.nodes.len(), 1);
        assert_eq!(
            graph.faults[0].why,
            "the graph has this key twice, and readers use only the last one"
        );
    }

    #[test]
    fn null_is_an_empty_list_and_a_text_that_is_not_there() {
        let graph = read(
            r#"{"nodes": [{"version": "4.1.0", "payload": null, "metadata": null}], "edges": null,
                "conditionalEdges": [{"edges": null, "risks": [{"url": null, "matchingRules": null}]}]}"#,
        );
        assert_eq!(graph.faults, []);
        assert!(graph.groups()[0].risks[0].url.is_none());
    }

    #[test]
    fn a_byte_order_mark_hides_nothing_and_moves_nothing() {
        let text = "\u{FEFF}{\"nodes\": [{\"version\": \"4.1.0\"}], \"edges\": [[0, 0]]}";
        let graph = read(text);
        assert_eq!(graph.faults.len(), 1);
        assert_eq!(&text[graph.edges[0].span.range()], "[0, 0]");
        let cut = read("\u{FEFF}{\"nodes\": ");
        assert!(cut.faults.last().unwrap().is_fatal);
    }

    #[test]
    fn an_index_that_no_machine_can_count_is_out_of_range() {
        let graph =
            read(r#"{"nodes": [], "edges": [[0, 99999999999999999999], [-1, 0], [1.0, 0]]}"#);
        assert_eq!((graph.edges.len(), graph.has(graph.edges[0].to)), (1, false));
        assert_eq!(graph.faults.len(), 2);
    }

    #[test]
    fn the_first_draft_is_understood() {
        let graph = read(
            r#"{"nodes": [], "edges": [], "conditionalEdges": [{"from": "4.1.0", "to": "4.1.1",
                "qualifiers": [{"url": "u", "clusters": {"promql": {"promql": "q"}}}]}]}"#,
        );
        let group = &graph.groups()[0];
        assert_eq!(group.form, GroupForm::Qualifiers);
        let risk = &group.risks[0];
        assert_eq!(risk.rules[0].query.as_ref().unwrap().value, "q");
        assert_eq!(risk.name.as_ref().unwrap().value, "u");
    }
}
