//! What is wrong with a repository, or with what a change does to it.

use crate::change::GraphChange;
use crate::graph_data::GraphData;
use crate::lint::{Changed, Outcome, Request, lint, lint_change, path_of};
use crate::rules::{Finding, Outlook};

use super::{Base, ChangeView, Repository, UpdateSources};

/// Everything that decides what is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judge<'j> {
    /// The repository, and which part of it is asked about.
    pub repository: &'j Repository,
    /// Which rules run, and what is hidden.
    pub request: &'j Request,
    /// Where the change began, if a change is asked about.
    pub base: Option<&'j Base>,
    /// The sources of updates; none where no rule asks about updates.
    pub sources: Option<&'j UpdateSources>,
}

/// The graphs that rules look at.
#[derive(Debug)]
pub(crate) enum View {
    /// None: no rule asks.
    Nothing,
    /// That of the repository.
    Alone(Box<Outlook>),
    /// Those before and after a change.
    Change(Box<ChangeView>),
}

impl Judge<'_> {
    /// The graphs of a state of the repository.
    #[must_use]
    pub(crate) fn view(&self, data: &GraphData) -> View {
        let policy = &self.request.config.supported;
        match (self.base, self.sources) {
            (_, None) => View::Nothing,
            (None, Some(sources)) => View::Alone(Box::new(sources.outlook(data, policy))),
            (Some(base), Some(sources)) => {
                View::Change(Box::new(ChangeView::of(sources, (&base.data, data), policy, None)))
            }
        }
    }

    /// What a change does to clusters.
    #[must_use]
    pub(crate) fn change<'v>(
        &'v self,
        data: &'v GraphData,
        view: &'v View,
    ) -> Option<GraphChange<'v>> {
        match view {
            View::Change(change) => Some(change.change(&self.base?.data, data, &[])),
            View::Nothing | View::Alone(_) => None,
        }
    }

    /// What is wrong in the part of a repository that is asked about.
    #[must_use]
    pub(crate) fn judge(
        &self,
        data: &GraphData,
        view: &View,
        graphs: Option<&GraphChange<'_>>,
    ) -> Outcome {
        let mut outcome = match self.base {
            None => lint(data, view.after(), self.request),
            Some(base) => {
                let changed = Changed {
                    before: &base.data,
                    outlook_before: view.before(),
                    after: data,
                    outlook_after: view.after(),
                    graphs,
                    expectations: &base.expectations,
                    renames: &base.renames,
                };
                lint_change(&changed, self.request)
            }
        };
        outcome.findings.retain(|finding| self.is_asked_about(data, finding));
        outcome
    }

    /// What is wrong, with the graphs made for this one judgment.
    #[must_use]
    pub(crate) fn judge_alone(&self, data: &GraphData) -> Outcome {
        let view = self.view(data);
        self.judge(data, &view, self.change(data, &view).as_ref())
    }

    fn is_asked_about(&self, data: &GraphData, finding: &Finding) -> bool {
        let mut places = finding.related.iter().map(|r| &r.place).chain([&finding.place]);
        places.any(|place| self.repository.asks_about(path_of(&data.sources, place)))
    }
}

impl View {
    /// The graphs of a change, if one is asked about.
    #[must_use]
    pub(crate) fn of_change(&self) -> Option<&ChangeView> {
        match self {
            Self::Change(change) => Some(change),
            Self::Nothing | Self::Alone(_) => None,
        }
    }

    fn after(&self) -> Option<&Outlook> {
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
