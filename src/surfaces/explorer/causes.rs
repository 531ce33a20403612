//! Why updates are as they are: risks, blocks, and the files that declare them.

use serde::Serialize;

use crate::analysis::RiskNames;
use crate::domain::Arena;
use crate::graph::{Reason, ReasonId, Risk, State, UpdateGraph};
use crate::text::{Sources, printable};

use super::ExploredState;
use super::pool::Pool;

#[derive(Debug, Default)]
pub(super) struct Causes {
    risks: Pool<Risk>,
    files: Pool<String>,
    list: Pool<CauseJson>,
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
/// Conditional, but no cluster takes it.
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

impl Causes {
    /// The numbers of a state's reasons.
    pub(super) fn of_state(
        &mut self,
        state: &ExploredState<'_>,
        names: &RiskNames,
    ) -> Arena<ReasonId, usize> {
        let ExploredState { graph, data, .. } = state;
        let sources = data.map(|data| &data.sources);
        let reasons = graph.reasons.entries();
        reasons.map(|(id, reason)| self.number(graph, reason, sources, (names, id))).collect()
    }

    fn number(
        &mut self,
        graph: &UpdateGraph,
        reason: &Reason,
        sources: Option<&Sources>,
        (names, id): (&RiskNames, ReasonId),
    ) -> usize {
        let risks = match &reason.state {
            State::Conditional(risks) => risks.as_slice(),
            State::Open | State::Blocked => &[],
        };
        let cause = CauseJson {
            state: match &reason.state {
                State::Open => OPEN,
                State::Blocked => BLOCKED,
                state if !graph.is_understood(state) => DROPPED,
                State::Conditional(_) => CONDITIONAL,
            },
            risks: risks.iter().map(|risk| self.risks.number(graph.risk(*risk).clone())).collect(),
            files: self.files(graph, reason, sources),
            hides_block: names.hides_block(id),
            metadata_key: reason.metadata_key,
        };
        self.list.number(cause)
    }

    fn files(
        &mut self,
        graph: &UpdateGraph,
        reason: &Reason,
        sources: Option<&Sources>,
    ) -> Vec<usize> {
        let Some(sources) = sources else { return Vec::new() };
        let paths = reason.declarations.iter().map(|id| &graph.declarations[*id]);
        let paths = paths.map(|one| printable(sources.path(one.to.source)).into_owned());
        let mut files: Vec<usize> = paths.map(|path| self.files.number(path)).collect();
        files.dedup();
        files
    }

    /// The number of the same cause for updates that no cluster takes.
    pub(super) fn not_taken(&mut self, number: usize) -> usize {
        let cause = self.list.get(number);
        if cause.state == BLOCKED {
            return number;
        }
        let dropped = CauseJson { state: DROPPED, ..cause.clone() };
        self.list.number(dropped)
    }

    pub(super) fn into_lists(self) -> (Vec<Risk>, Vec<String>, Vec<CauseJson>) {
        (self.risks.into_list(), self.files.into_list(), self.list.into_list())
    }
}

impl From<&Risk> for RiskJson {
    fn from(risk: &Risk) -> Self {
        let text = |text: &str| printable(text).into_owned();
        let rules = risk.matching_rules.iter();
        Self {
            name: risk.name.to_string(),
            url: text(&risk.url),
            message: text(&risk.message),
            rules: rules
                .map(|rule| (text(&rule.kind), rule.promql.as_deref().map(text_of_query)))
                .collect(),
            always: risk.is_always(),
        }
    }
}

/// A query keeps its lines.
fn text_of_query(query: &str) -> String {
    crate::text::printable_lines(query).into_owned()
}
