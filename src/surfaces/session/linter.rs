//! Runs the rules on a repository, or on a change to it.

use crate::change::GraphChange;
use crate::graph_data::GraphData;
use crate::lint::{Outcome, Request, lint, lint_change, path_of};
use crate::rules::{Change, Finding, Outlook};

use super::{Base, ChangeView, Repository, UpdateSources};

/// Everything that determines the findings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linter<'l> {
    pub repository: &'l Repository,
    pub request: &'l Request,
    /// The state before the change. None without a change.
    pub base: Option<&'l Base>,
    /// None if no selected rule needs updates.
    pub sources: Option<&'l UpdateSources>,
}

/// The graphs that rules can use.
#[derive(Debug)]
pub(crate) enum RuleGraphs {
    /// No selected rule needs a graph.
    Nothing,
    Alone(Box<Outlook>),
    Change(Box<ChangeView>),
}

impl Linter<'_> {
    pub(crate) fn graphs(&self, data: &GraphData) -> RuleGraphs {
        let policy = &self.request.config.supported;
        match (self.base, self.sources) {
            (_, None) => RuleGraphs::Nothing,
            (None, Some(sources)) => RuleGraphs::Alone(Box::new(sources.outlook(data, policy))),
            (Some(base), Some(sources)) => RuleGraphs::Change(Box::new(ChangeView::of(
                sources,
                (&base.data, data),
                policy,
                None,
            ))),
        }
    }

    /// The graphs after an edit. Of those before it, all stays that the edit does not change.
    pub(crate) fn graphs_after(&self, data: &GraphData, before: &RuleGraphs) -> RuleGraphs {
        match (self.graphs(data), before) {
            (RuleGraphs::Alone(outlook), RuleGraphs::Alone(before)) => {
                RuleGraphs::Alone(Box::new(outlook.after(before)))
            }
            (graphs, _) => graphs,
        }
    }

    pub(crate) fn change<'v>(
        &'v self,
        data: &'v GraphData,
        graphs: &'v RuleGraphs,
    ) -> Option<GraphChange<'v>> {
        match graphs {
            RuleGraphs::Change(change) => Some(change.change(&self.base?.data, data, &[])),
            RuleGraphs::Nothing | RuleGraphs::Alone(_) => None,
        }
    }

    /// The findings, restricted to the paths that the user named.
    pub(crate) fn lint(
        &self,
        data: &GraphData,
        graphs: &RuleGraphs,
        change: Option<&GraphChange<'_>>,
    ) -> Outcome {
        let mut outcome = match self.base {
            None => lint(data, graphs.after(), self.request),
            Some(base) => {
                let change = Change {
                    before: &base.data,
                    after: data,
                    graphs: change,
                    expectations: &base.expectations,
                    renames: &base.renames,
                    outlook: graphs.after(),
                    former_risks: &base.former_risks,
                };
                lint_change(&change, graphs.before(), graphs.after(), self.request)
            }
        };
        outcome.findings.retain(|finding| self.is_asked_about(data, finding));
        outcome
    }

    /// Builds the graphs and returns the findings.
    pub(crate) fn lint_alone(&self, data: &GraphData) -> Outcome {
        let graphs = self.graphs(data);
        self.lint(data, &graphs, self.change(data, &graphs).as_ref())
    }

    fn is_asked_about(&self, data: &GraphData, finding: &Finding) -> bool {
        let mut places = finding.related.iter().map(|r| &r.place).chain([&finding.place]);
        places.any(|place| self.repository.is_asked_about(path_of(&data.sources, place)))
    }
}

impl RuleGraphs {
    pub(crate) fn of_change(&self) -> Option<&ChangeView> {
        match self {
            Self::Change(change) => Some(change),
            Self::Nothing | Self::Alone(_) => None,
        }
    }

    pub(crate) fn after(&self) -> Option<&Outlook> {
        match self {
            Self::Nothing => None,
            Self::Alone(outlook) => Some(outlook),
            Self::Change(change) => Some(&change.after),
        }
    }

    fn before(&self) -> Option<&Outlook> {
        Some(&self.of_change()?.before)
    }
}
