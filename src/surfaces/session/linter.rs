//! Runs the rules on a repository, or on a change to it.

use crate::change::GraphChange;
use crate::graph_data::GraphData;
use crate::lint::{KeptFindings, Outcome, Request, lint_after_edit, lint_change, path_of};
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

/// The findings of a state of a repository, and the graphs that they are about.
#[cfg(feature = "lsp")]
#[derive(Debug)]
pub(crate) struct LintedState {
    pub outcome: Outcome,
    pub graphs: RuleGraphs,
    kept: KeptFindings,
}

impl Linter<'_> {
    pub(crate) fn graphs(&self, data: &GraphData) -> RuleGraphs {
        let policy = &self.request.config.supported;
        match (self.base, self.sources) {
            (_, None) => RuleGraphs::Nothing,
            (None, Some(sources)) => RuleGraphs::Alone(Box::new(sources.outlook(data, policy))),
            (Some(base), Some(sources)) => RuleGraphs::Change(Box::new(ChangeView::of(
                sources, &base.data, data, policy, None,
            ))),
        }
    }

    /// The findings after an edit, and what they are about. What the edit does not change stays.
    #[cfg(feature = "lsp")]
    pub(crate) fn check_after_edit(
        &self,
        data: &GraphData,
        earlier: Option<(GraphData, LintedState)>,
    ) -> LintedState {
        let (before, outlook) = match earlier {
            Some((before, LintedState { graphs, kept, .. })) => {
                (Some((before, kept)), graphs.alone())
            }
            None => (None, None),
        };
        let graphs = match (self.sources, &before, outlook) {
            (Some(sources), Some((before, _)), Some(outlook)) => {
                let policy = &self.request.config.supported;
                let outlook = sources.outlook_after(data, policy, before, outlook);
                RuleGraphs::Alone(Box::new(outlook))
            }
            _ => self.graphs(data),
        };
        let change = self.change(data, &graphs);
        let known = before.as_ref().map(|(data, kept)| (data, kept));
        let (outcome, kept) = self.lint_and_keep(data, &graphs, change.as_ref(), known);
        drop(change);
        LintedState { outcome, graphs, kept }
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
        self.lint_and_keep(data, graphs, change, None).0
    }

    fn lint_and_keep(
        &self,
        data: &GraphData,
        graphs: &RuleGraphs,
        change: Option<&GraphChange<'_>>,
        earlier: Option<(&GraphData, &KeptFindings)>,
    ) -> (Outcome, KeptFindings) {
        let (mut outcome, kept) = match self.base {
            None => lint_after_edit(data, graphs.after(), self.request, earlier),
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
                let (before, after) = (graphs.before(), graphs.after());
                (lint_change(&change, before, after, self.request), KeptFindings::default())
            }
        };
        outcome.findings.retain(|finding| self.is_asked_about(data, finding));
        (outcome, kept)
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

    #[cfg(feature = "lsp")]
    fn alone(self) -> Option<Outlook> {
        match self {
            Self::Alone(outlook) => Some(*outlook),
            Self::Nothing | Self::Change(_) => None,
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
