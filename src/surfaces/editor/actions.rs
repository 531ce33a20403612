//! What the editor can do at a place, if the user asks for it.

use crate::authoring::{self, Extension, Fixing, NewValues, Plan, RiskState, risk_states};
use crate::domain::version::text_of;
use crate::domain::{Minor, Version};
use crate::edit::scalar;
use crate::graph_data::{BlockedEdge, GraphData, Matcher, ReleaseId, Text};
use crate::lint::path_of;
use crate::origins::{KnownReleases, Spec, reached_on_all, rewritten};
use crate::rules::{Finding, Place};
use crate::text::words::list_all;
use crate::text::{Edit, Failure, Span};
use crate::workspace::Workspace;

use super::allow::{allowing, is_flow};
use super::cursor::edge_of;

/// Something that the editor can do.
#[derive(Debug)]
pub(crate) struct Action<'w> {
    pub title: String,
    pub kind: ActionKind,
    /// The finding that the action fixes or allows.
    pub finding: Option<&'w Finding>,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionKind {
    /// It fixes a finding.
    Fix,
    /// It adds a comment that allows a finding.
    Allow,
    /// It extends a risk to the next releases, or declares its fix.
    Continue,
    /// It writes a pattern in the usual form, with the same matches.
    Rewrite,
}

#[derive(Debug)]
pub(crate) enum Does {
    Edits(Vec<Edit>),
    Plan(Plan),
}

/// The most releases for which there is an action that declares them as the fix.
const MOST_FIXES: usize = 3;

/// The actions for a part of a file.
pub(crate) fn actions<'w>(workspace: &'w Workspace<'_>, path: &str, at: Span) -> Vec<Action<'w>> {
    let data = workspace.data();
    let findings = workspace.findings();
    let mut actions = Vec::new();
    for finding in findings.iter().filter(|finding| is_here(&finding.place, data, path, at)) {
        actions.extend(fix(finding));
        actions.extend(allow(data, finding));
    }
    if let Some(edge) = edge_of(data, at.source) {
        actions.extend(continuations(data, edge));
        actions.extend(pattern(data, edge, at));
    }
    actions
}

/// Whether a finding is at a place, or is about the whole file.
fn is_here(place: &Place, data: &GraphData, path: &str, at: Span) -> bool {
    match place {
        Place::Text(span) => {
            span.source == at.source && span.start <= at.end && at.start <= span.end
        }
        Place::File(_) | Place::Absent(_) => path_of(&data.sources, place) == path,
    }
}

fn fix(finding: &Finding) -> Option<Action<'_>> {
    let fix = finding.fix.as_ref()?;
    Some(Action {
        title: fix.message.clone(),
        kind: ActionKind::Fix,
        finding: Some(finding),
        does: Does::Edits(fix.edits.clone()),
    })
}

/// A comment that allows a finding.
fn allow<'w>(data: &GraphData, finding: &'w Finding) -> Option<Action<'w>> {
    let edit = allowing(data, finding)?;
    Some(Action {
        title: format!("Allow {} with a reason", finding.rule.name),
        kind: ActionKind::Allow,
        finding: Some(finding),
        does: Does::Edits(vec![edit]),
    })
}

/// What can be done with a risk that waits in the minor version of a file.
fn continuations<'w>(data: &GraphData, edge: &BlockedEdge) -> Vec<Action<'w>> {
    let Some((name, waits)) = waiting(data, edge) else { return Vec::new() };
    let versions: Vec<&Version> = waits.iter().map(|id| &data.releases.get(*id).version).collect();
    let texts: Vec<String> = versions.iter().map(|version| text_of(version)).collect();
    let action = |title: String, plan: Result<Plan, Failure>| {
        let does = Does::Plan(plan.ok()?);
        Some(Action { title, kind: ActionKind::Continue, finding: None, does })
    };
    let all = action(
        format!("Extend {name} to {}", list_all(&texts, "and")),
        extended(data, name, &waits),
    );
    let fixes = versions.iter().zip(&texts).take(MOST_FIXES).enumerate();
    let fixes = fixes.filter_map(|(at, (version, text))| {
        let plan = fixed(data, name, &waits[..at], version);
        let before = match at {
            0 => String::new(),
            at => format!(", and extend it to {}", list_all(&texts[..at], "and")),
        };
        action(format!("Declare that {name} is fixed in {text}{before}"), plan)
    });
    all.into_iter().chain(fixes).collect()
}

/// The plan that declares a fix, and extends the risk to the releases before it that wait.
fn fixed(
    data: &GraphData,
    name: &str,
    before: &[ReleaseId],
    fix: &Version,
) -> Result<Plan, Failure> {
    if before.is_empty() {
        return authoring::fix(
            data,
            name,
            &Fixing { fixes: std::slice::from_ref(fix), targets: &[] },
        );
    }
    extended_until(data, name, before, std::slice::from_ref(fix))
}

/// The risk of a file, and the releases of its minor version that wait for it.
pub(super) fn waiting<'d>(
    data: &'d GraphData,
    edge: &'d BlockedEdge,
) -> Option<(&'d str, Vec<ReleaseId>)> {
    let (name, target) = (edge.name.as_ref()?, edge.target.as_ref()?);
    let (name, minors) = risk_states(data).into_iter().find(|(known, _)| *known == &*name.value)?;
    let own = minors.into_iter().find(|own| own.minor == Minor::of(target))?;
    match own.state {
        RiskState::Waits(releases) if !own.is_long_past => Some((name, releases)),
        _ => None,
    }
}

/// The plan that extends a risk to some releases.
pub(crate) fn extended(
    data: &GraphData,
    name: &str,
    releases: &[ReleaseId],
) -> Result<Plan, Failure> {
    extended_until(data, name, releases, &[])
}

fn extended_until(
    data: &GraphData,
    name: &str,
    releases: &[ReleaseId],
    fixed_in: &[Version],
) -> Result<Plan, Failure> {
    let specs = releases.iter().map(|id| data.releases.get(*id).text.parse::<Spec>());
    let targets: Vec<Spec> = specs.collect::<Result<_, _>>()?;
    let extension = Extension {
        targets: &targets,
        pre_releases: true,
        like: None,
        values: NewValues::default(),
        fixed_in,
        reopens: false,
    };
    authoring::extend(data, name, &extension)
}

/// The pattern that a careful person would write.
fn pattern<'w>(data: &GraphData, edge: &BlockedEdge, at: Span) -> Option<Action<'w>> {
    let from = edge.from.as_ref()?;
    if !(from.span.start <= at.end && at.start <= from.span.end) {
        return None;
    }
    let known = KnownReleases::of(&data.releases);
    let matcher = Matcher::of(&from.value);
    let origins = reached_on_all(&known, &|version| matcher.is_match(version))?;
    let written = rewritten(&from.value, &origins, &known, None).filter(|_| !origins.is_empty())?;
    if *from.value == *written {
        return None;
    }
    Some(Action {
        title: format!("Write the pattern as {written}"),
        kind: ActionKind::Rewrite,
        finding: None,
        does: Does::Edits(vec![Edit { span: from.span, text: in_place_of(data, from, &written) }]),
    })
}

/// A text in the notation of the scalar that it replaces.
fn in_place_of(data: &GraphData, old: &Text, text: &str) -> String {
    let source = data.sources.get(old.span.source).text();
    let document = data.file(old.span.source).document();
    let is_in_flow = document.is_some_and(|one| is_flow(one, source, one.root()));
    let quote = data.sources.slice(old.span).chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) if !text.contains([quote, '\\']) => format!("{quote}{text}{quote}"),
        _ if is_in_flow => format!("'{}'", text.replace('\'', "''")),
        _ => scalar(text),
    }
}
