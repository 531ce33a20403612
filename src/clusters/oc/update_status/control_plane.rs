//! The first section: the progress of the control plane.

use serde_json::Value as Json;

use super::estimate::Pace;
use super::health::{Impact, Issue, IssueLevel, Resource};
use super::objects::{condition, name};
use super::operators::Operators;
use super::time::{Duration, Time};
use super::update::History;
use crate::go::tabwriter::{Layout, laid_out};

/// With more lines than any operator writes, messages are not aligned, because alignment makes each
/// line as wide as the widest reason.
const MOST_LINES: usize = 10_000;
const DEGRADED_PAGE: &str = "https://github.com/openshift/runbooks/blob/master/alerts/\
    cluster-monitoring-operator/ClusterOperatorDegraded.md";

/// The section. With `shows_operators`, it has a line for each operator that is being updated.
pub(super) fn section(
    history: &History<'_>,
    operators: &Operators<'_>,
    now: Time,
    shows_operators: bool,
) -> String {
    let title = "= Control Plane =\n";
    let target = history.target();
    let ended = history.current().filter(|entry| entry.is_completed());
    let started = history.current().map(|entry| entry.started);
    let until = ended.map_or(now, |entry| entry.completed);
    let so_far = started.map_or(Duration::ZERO, |started| until.since(started));
    let is_long = so_far > Duration::minutes(10);
    let unit = if is_long { Duration::MINUTE } else { Duration::SECOND };
    let duration = so_far.rounded(unit).short();
    if operators.are_updated() {
        let until = if started.is_some() { until } else { Time::ZERO };
        return format!(
            "{title}Update to {target} successfully completed at {until} (duration: {duration})\n"
        );
    }
    let last_progress = operators.last_progress();
    let to_last_progress = started.map_or(Duration::ZERO, |started| {
        let end = if last_progress > started { last_progress } else { now };
        end.since(started)
    });
    let share = operators.share_updated();
    let usual = history.usual_duration();
    let remaining = Pace { usual, to_last_progress, so_far, share }.remaining();
    let assessment = if remaining < Duration::minutes(-10) {
        "Stalled"
    } else if remaining < Duration::ZERO {
        "Progressing - Slow"
    } else {
        "Progressing"
    };
    let estimate = match remaining {
        Duration::ZERO => String::new(),
        _ => format!(" (Est. Time Remaining: {})", rest(remaining, so_far, history)),
    };
    let names = operators.names_of_updating();
    let updating = if names.is_empty() { names } else { format!("Updating:        {names}\n") };
    let Operators { updated, waiting, .. } = operators;
    let count = operators.updating.len();
    let text = format!(
        "{title}Assessment:      {assessment}\nTarget Version:  {}\n{updating}\
         Completion:      {:.0}% ({updated} operators updated, {count} updating, {waiting} waiting)\n\
         Duration:        {duration}{estimate}\nOperator Health: {}\n",
        history.described(),
        share * 100.0,
        operators.health(),
    );
    if shows_operators { text + &table(operators, now) } else { text }
}

/// The estimate of the remaining time, in words.
fn rest(remaining: Duration, so_far: Duration, history: &History<'_>) -> String {
    let ten_minutes = Duration::minutes(10);
    if history.is_multi_arch_migration() {
        "N/A for Multi-Architecture Migration".to_owned()
    } else if remaining < Duration::minutes(-10) {
        let total = so_far.plus(remaining).truncated(Duration::MINUTE);
        format!("N/A; estimate duration was {}", total.short())
    } else if remaining < ten_minutes {
        format!("<{}", ten_minutes.short())
    } else {
        remaining.short()
    }
}

/// The operators that are being updated.
fn table(operators: &Operators<'_>, now: Time) -> String {
    if operators.updating.is_empty() {
        return String::new();
    }
    let messages = operators.updating.iter().map(|one| one.progressing.message);
    let lines: usize = messages.map(|message| message.matches('\n').count()).sum();
    let line_end = if lines > MOST_LINES { "\n" } else { "\n\t\t\t" };
    let rows = operators.updating.iter().map(|one| {
        let condition = one.progressing;
        let reason = if condition.reason.is_empty() { "-" } else { condition.reason };
        let since = now.since(condition.changed).short();
        let message = condition.message.replace('\n', line_end);
        format!("{}\t{since}\t{reason}\t{message}\n", one.name)
    });
    let text = format!("NAME\tSINCE\tREASON\tMESSAGE\n{}", rows.collect::<String>());
    format!("\nUpdating Cluster Operators\n{}", laid_out(&text, Layout::WIDE))
}

/// The issue that the cluster-version operator fails, or does not report whether it fails.
pub(super) fn failing(cluster_version: &Json, now: Time) -> Option<Issue> {
    let name = name(cluster_version);
    let (since, summary, description) = match condition(cluster_version, "Failing") {
        Some(failing) if failing.status == "False" => return None,
        Some(failing) => {
            let reason = failing.reason;
            let summary =
                format!("Cluster Version {name} is failing to proceed with the update ({reason})");
            (failing.changed, summary, failing.message)
        }
        None => {
            let description = "Current status of Cluster Version reconciliation is unclear.  See \
                               'oc -n openshift-cluster-version logs -l \
                               k8s-app=cluster-version-operator --tail -1' to debug.";
            (now, format!("Cluster Version {name} has no Failing condition"), description)
        }
    };
    Some(Issue {
        since,
        level: IssueLevel::Warning,
        impact: Impact::UpdateStalled,
        summary,
        description: description.to_owned(),
        reference: DEGRADED_PAGE.to_owned(),
        resource: Resource::ClusterVersion(name.to_owned()),
    })
}
