//! Why updates are as they are: risks, blocks, and the files that declare them.

use serde::Serialize;

use crate::analysis::RiskNames;
use crate::domain::HashMap;
use crate::graph::{Reason, ReasonId, Risk, State, UpdateGraph};
use crate::graph_data::GraphData;
use crate::text::{printable, printable_lines};

use super::pool::Pool;

#[derive(Debug, Default)]
pub(super) struct Causes {
    risks: Pool<Risk>,
    files: Pool<String>,
    list: Pool<CauseJson>,
}

/// The causes, and what they name by number.
pub(super) struct CauseLists {
    pub(super) risks: Vec<Risk>,
    pub(super) files: Vec<String>,
    pub(super) causes: Vec<CauseJson>,
}

/// A reason for the state of updates.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(super) struct CauseJson {
    #[serde(rename = "s")]
    state: u8,
    /// The numbers of its risks.
    #[serde(rename = "r", skip_serializing_if = "Vec::is_empty")]
    risks: Vec<usize>,
    /// The numbers of the files that declare it.
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    files: Vec<usize>,
    /// Whether the updates are blocked once their risks are removed.
    #[serde(rename = "b", skip_serializing_if = "std::ops::Not::not")]
    hides_block: bool,
    /// The metadata key that removes the updates.
    #[serde(rename = "k", skip_serializing_if = "Option::is_none")]
    metadata_key: Option<&'static str>,
}

const OPEN: u8 = 0;
const CONDITIONAL: u8 = 1;
const BLOCKED: u8 = 2;
/// Offered, but no cluster takes it.
const DROPPED: u8 = 3;
/// An update that OLM could choose, but never does.
const NEVER_CHOSEN: u8 = 4;

impl CauseJson {
    /// Those of a catalog: first of updates that OLM chooses, then of those that it never does.
    pub(super) fn of_catalog() -> Vec<Self> {
        let cause = |state| Self {
            state,
            risks: Vec::new(),
            files: Vec::new(),
            hides_block: false,
            metadata_key: None,
        };
        vec![cause(OPEN), cause(NEVER_CHOSEN)]
    }
}

/// A risk of clusters.
#[derive(Debug, Serialize)]
pub(super) struct RiskJson {
    name: String,
    url: String,
    message: String,
    /// The type and the query of each rule.
    rules: Vec<(String, Option<String>)>,
    /// Whether it affects all clusters.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    always: bool,
}

/// The causes of the updates of one graph.
#[derive(Debug)]
pub(super) struct GraphCauses<'c> {
    all: &'c mut Causes,
    graph: &'c UpdateGraph,
    /// The repository. None for a graph without one.
    data: Option<&'c GraphData>,
    names: &'c RiskNames,
    known: HashMap<(ReasonId, bool), usize>,
}

impl<'c> GraphCauses<'c> {
    pub(super) fn new(
        all: &'c mut Causes,
        graph: &'c UpdateGraph,
        data: Option<&'c GraphData>,
        names: &'c RiskNames,
    ) -> Self {
        Self { all, graph, data, names, known: HashMap::default() }
    }

    /// The number of the cause of an update. `is_taken` says whether some cluster may take it.
    pub(super) fn number(&mut self, id: ReasonId, is_taken: bool) -> usize {
        if let Some(number) = self.known.get(&(id, is_taken)) {
            return *number;
        }
        let graph = self.graph;
        let reason = &graph.reasons[id];
        let (state, risks) = match &reason.state {
            State::Blocked => (BLOCKED, &[][..]),
            State::Open => (if is_taken { OPEN } else { DROPPED }, &[][..]),
            State::Conditional(risks) => {
                (if is_taken { CONDITIONAL } else { DROPPED }, risks.as_slice())
            }
        };
        let risks = risks.iter().map(|risk| self.all.risks.number(graph.risk(*risk).clone()));
        let cause = CauseJson {
            state,
            risks: risks.collect(),
            files: self.files(reason),
            hides_block: self.names.hides_block(id),
            metadata_key: reason.metadata_key,
        };
        let number = self.all.list.number(cause);
        self.known.insert((id, is_taken), number);
        number
    }

    fn files(&mut self, reason: &Reason) -> Vec<usize> {
        let Some(data) = self.data else { return Vec::new() };
        let declarations = reason.declarations.iter().map(|id| &self.graph.declarations[*id]);
        let paths = declarations.map(|one| printable(data.path(one.to.source)).into_owned());
        let mut files: Vec<usize> = paths.map(|path| self.all.files.number(path)).collect();
        files.dedup();
        files
    }
}

impl Causes {
    pub(super) fn into_lists(self) -> CauseLists {
        CauseLists {
            risks: self.risks.into_list(),
            files: self.files.into_list(),
            causes: self.list.into_list(),
        }
    }
}

impl From<&Risk> for RiskJson {
    fn from(risk: &Risk) -> Self {
        let text = |text: &str| printable(text).into_owned();
        let rules = risk.matching_rules.iter();
        Self {
            name: text(&risk.name),
            url: text(&risk.url),
            message: text(&risk.message),
            rules: rules
                .map(|rule| (text(&rule.kind), rule.promql.as_deref().map(query)))
                .collect(),
            always: risk.is_always(),
        }
    }
}

/// A query keeps its lines.
fn query(text: &str) -> String {
    printable_lines(text).into_owned()
}
