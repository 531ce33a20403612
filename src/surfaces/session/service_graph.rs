//! Gets the update graph from a running service.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::domain::Arch;
use crate::graph::UpdateGraph;
use crate::graph::cincinnati::{GraphFile, MAX_GRAPH};
use crate::http::{Client, ClientRequest, GetError, ServerKind, api_url};
use crate::lineage::{ChannelAges, Policy, Provenance, Support, Supported};
use crate::text::words::listed;
use crate::text::{Failure, SourceId};

use super::{KnownGraph, Note};

/// The request to a running service.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ServiceGraph<'a> {
    pub url: &'a str,
    pub channels: &'a [String],
    pub arch: Arch,
    pub token_file: Option<&'a Path>,
    pub ca: Option<&'a Path>,
    pub limit: Duration,
}

impl ServiceGraph<'_> {
    pub(crate) fn read(&self) -> Result<KnownGraph, Failure> {
        if self.channels.is_empty() {
            let failure = Failure::new("a service is asked for one channel at a time");
            return Err(failure.hint("name the channels: `--channel stable-4.18,stable-4.19`"));
        }
        let request = ClientRequest {
            url: self.url,
            kind: ServerKind::UPDATE_SERVICE,
            token_file: self.token_file,
            ca: self.ca,
            limit: self.limit,
            most: MAX_GRAPH,
        };
        let (client, notes) = Client::open(&request)?;
        let texts = self.channels.iter().map(|channel| self.answer(&client, channel));
        let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
        let (graph, channel) = match (texts.as_slice(), self.channels) {
            ([text], [name]) => {
                let mut graph = adopted(text, self.arch)?;
                let id = graph.channel(name).unwrap_or_else(|| graph.put_all_into(name));
                (graph, Some(id))
            }
            _ => (adopted(&self.merged(&texts)?, self.arch)?, None),
        };
        // An answer does not say how old its releases are, so all are checked.
        let every = Policy::everywhere(Support::General);
        let source = format!("the service at {}", self.url);
        Ok(KnownGraph {
            graph,
            provenance: Provenance { source, ..Provenance::default() },
            supported: Supported::without_past(every),
            channel,
            ages: ChannelAges::default(),
            data: None,
            uncertain: 0,
            notes: notes.into_iter().map(|text| Note { text, is_important: true }).collect(),
            not_loaded: Vec::new(),
        })
    }

    fn answer(&self, client: &Client, channel: &str) -> Result<String, Failure> {
        let base = api_url(client.url(), "/v1/graph");
        let url = format!("{base}?arch={}&channel={channel}", self.arch);
        let answer = client.get(&url, Some("application/json"));
        let answer = answer.map_err(|error| match error {
            GetError::NoAnswer(why) | GetError::TooLarge(why) => Failure::new(why),
        })?;
        match answer.status {
            200 => String::from_utf8(answer.body)
                .map_err(|_| Failure::new(format!("the answer for {channel} is not UTF-8"))),
            status => {
                let what = format!("the service answers with status {status} for {channel}");
                let failure = Failure::new(what);
                let lacks_token = matches!(status, 401 | 403) && self.token_file.is_none();
                Err(if lacks_token {
                    failure.hint("send a token: `--token-file FILE`")
                } else {
                    failure
                })
            }
        }
    }

    /// Merges several answers into one graph. Releases and updates that are in several answers
    /// occur only once.
    fn merged(&self, texts: &[String]) -> Result<String, Failure> {
        let mut merged = Merged::default();
        for (text, channel) in texts.iter().zip(self.channels) {
            let fail = |why: String| {
                Failure::new(format!("the answer for {channel} is not a graph: {why}"))
            };
            let json: Value =
                serde_json::from_str(text).map_err(|error| fail(error.to_string()))?;
            merged.add(&json).ok_or_else(|| fail("a list is missing, or a number wrong".into()))?;
        }
        if merged.nodes.is_empty() {
            let channels = listed(self.channels, "and");
            return Err(Failure::new(format!("the service has no release in {channels}")));
        }
        Ok(merged.json().to_string())
    }
}

fn adopted(text: &str, arch: Arch) -> Result<UpdateGraph, Failure> {
    let file = GraphFile::read(SourceId::at(0), text);
    if let Some(fault) = file.faults.iter().find(|fault| !fault.clusters_accept) {
        return Err(Failure::new(format!("the answer is not a graph: {}", fault.why)));
    }
    Ok(UpdateGraph::adopt(&file, arch))
}

#[derive(Default)]
struct Merged {
    nodes: Map<String, Value>,
    edges: BTreeSet<(String, String)>,
    conditional: Vec<Value>,
    is_known: BTreeSet<(String, String)>,
}

impl Merged {
    fn add(&mut self, answer: &Value) -> Option<()> {
        let nodes = answer["nodes"].as_array()?;
        let versions: Vec<&str> =
            nodes.iter().map(|node| node["version"].as_str()).collect::<Option<_>>()?;
        for (version, node) in versions.iter().zip(nodes) {
            if !self.nodes.contains_key(*version) {
                self.nodes.insert((*version).to_owned(), node.clone());
            }
        }
        for edge in answer["edges"].as_array().into_iter().flatten() {
            let end = |at: usize| {
                let place = usize::try_from(edge[at].as_u64()?).ok()?;
                versions.get(place).map(|version| (*version).to_owned())
            };
            self.edges.insert((end(0)?, end(1)?));
        }
        for group in answer["conditionalEdges"].as_array().into_iter().flatten() {
            let mut group = group.clone();
            let edges = group["edges"].as_array_mut()?;
            edges.retain(|edge| {
                let end = |key: &str| edge[key].as_str().unwrap_or_default().to_owned();
                self.is_known.insert((end("from"), end("to")))
            });
            if !edges.is_empty() {
                self.conditional.push(group);
            }
        }
        Some(())
    }

    fn json(self) -> Value {
        let places: std::collections::BTreeMap<&str, usize> =
            self.nodes.keys().enumerate().map(|(at, version)| (version.as_str(), at)).collect();
        let edges: Vec<Value> = self
            .edges
            .iter()
            .filter_map(|(from, to)| {
                Some(json!([places.get(from.as_str())?, places.get(to.as_str())?]))
            })
            .collect();
        json!({
            "version": 1,
            "nodes": self.nodes.values().collect::<Vec<_>>(),
            "edges": edges,
            "conditionalEdges": self.conditional,
        })
    }
}
