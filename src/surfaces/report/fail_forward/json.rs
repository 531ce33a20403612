//! Writes the report as JSON; `exitpath schema catalog-fail-forward` describes it.

use std::io::{self, Write};

use serde::Serialize;

use crate::domain::Named;
use crate::olm::{ResolverAnswer, Run, Step, Subscription, SyncOutcome};
use crate::report::json::write_json;

use super::{FailForwardReport, PlacedFinding, words};

#[derive(Serialize)]
struct ReportJson<'a> {
    version: u32,
    namespace: &'a str,
    #[serde(flatten)]
    run: Option<RunJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other_strategy: Option<RunJson<'a>>,
    findings: Vec<FindingJson<'a>>,
}

#[derive(Serialize)]
struct RunJson<'a> {
    strategy: &'a str,
    steps: Vec<StepJson<'a>>,
    manual_steps: Vec<String>,
    commands: Vec<String>,
    waits_for_catalog: Vec<String>,
    do_not: Vec<String>,
    problems: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_checked: Option<String>,
}

#[derive(Serialize)]
struct StepJson<'a> {
    event: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cannot_happen: Option<&'a str>,
    changes: Vec<String>,
    strategy: &'a str,
    csvs: Vec<CsvJson<'a>>,
    install_plan: Option<PlanJson<'a>>,
    install_plans: Vec<PlanJson<'a>>,
    subscription: Option<SubscriptionJson<'a>>,
    subscriptions: Vec<SubscriptionJson<'a>>,
    resolver: String,
    resolution: ResolutionJson<'a>,
}

#[derive(Serialize)]
struct CsvJson<'a> {
    name: &'a str,
    phase: &'a str,
}

#[derive(Clone, Serialize)]
struct PlanJson<'a> {
    name: &'a str,
    phase: &'a str,
    approval: &'a str,
    csv_names: &'a [String],
    csv_replaces: &'a std::collections::BTreeMap<String, String>,
}

#[derive(Clone, Serialize)]
struct SubscriptionJson<'a> {
    name: &'a str,
    installed_csv: &'a str,
    current_csv: &'a str,
    state: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    install_plan: Option<&'a str>,
    conditions: Vec<ConditionJson<'a>>,
}

#[derive(Clone, Serialize)]
struct ConditionJson<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    reason: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct ResolutionJson<'a> {
    outcome: &'a str,
    claimed: &'a [String],
    required: &'a [String],
    hidden: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

#[derive(Serialize)]
struct FindingJson<'a> {
    severity: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    message: &'a str,
    help: &'a str,
}

pub(super) fn write(report: &FailForwardReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut runs = report.runs.iter().map(|run| written(run, report.namespace));
    let json = ReportJson {
        version: 1,
        namespace: report.namespace,
        run: runs.next(),
        other_strategy: runs.next(),
        findings: report.findings.iter().map(finding).collect(),
    };
    write_json(&json, out)
}

fn written<'a>(run: &'a Run, namespace: &str) -> RunJson<'a> {
    let advice = &run.advice;
    RunJson {
        strategy: run.strategy.name(),
        steps: run.steps.iter().map(step).collect(),
        manual_steps: advice
            .manual_steps
            .iter()
            .map(|step| words::manual_step(step, namespace))
            .collect(),
        commands: advice
            .manual_steps
            .iter()
            .map(|step| words::command(&step.act, namespace))
            .collect(),
        waits_for_catalog: advice.waits.iter().map(|wait| words::wait(wait, namespace)).collect(),
        do_not: advice.keeps.iter().map(|(plan, sub)| words::keep(plan, sub)).collect(),
        problems: advice.problems.iter().map(words::problem).collect(),
        not_checked: advice.no_verdict.as_ref().map(words::no_verdict),
    }
}

fn step(step: &Step) -> StepJson<'_> {
    let subscriptions: Vec<SubscriptionJson<'_>> =
        step.subscriptions.iter().map(|(name, sub)| subscription(name, sub)).collect();
    let install_plans: Vec<PlanJson<'_>> = step
        .plans
        .iter()
        .map(|(name, plan)| PlanJson {
            name,
            phase: plan.phase.name(),
            approval: if plan.is_manual { "Manual" } else { "Automatic" },
            csv_names: &plan.csvs,
            csv_replaces: &plan.replaces,
        })
        .collect();
    let newest = step.plans.iter().zip(&install_plans);
    let newest = newest.max_by_key(|((_, plan), _)| plan.generation);
    StepJson {
        event: step.event.as_deref().unwrap_or_default(),
        cannot_happen: step.cannot.as_deref(),
        changes: words::changes(&step.changes),
        strategy: step.strategy.name(),
        csvs: step.csvs.iter().map(|(name, phase)| CsvJson { name, phase: phase.name() }).collect(),
        install_plan: newest.map(|(_, written)| written.clone()),
        subscription: subscriptions.first().cloned(),
        install_plans,
        subscriptions,
        resolver: words::look(step),
        resolution: resolution(&step.look),
    }
}

fn subscription<'a>(name: &'a str, sub: &'a Subscription) -> SubscriptionJson<'a> {
    let plan = sub.about_plan.iter().map(|(about, why)| (about.name(), why));
    let failure = sub.failure.iter().map(|why| ("ResolutionFailed", why));
    let conditions = plan.chain(failure).map(|(kind, why)| ConditionJson {
        kind,
        reason: &why.reason,
        message: &why.message,
    });
    SubscriptionJson {
        name,
        installed_csv: &sub.installed,
        current_csv: &sub.current,
        state: sub.state.name(),
        install_plan: sub.plan.as_deref(),
        conditions: conditions.collect(),
    }
}

fn resolution(look: &SyncOutcome) -> ResolutionJson<'_> {
    let (told, outcome, message) = match look {
        SyncOutcome::Resolved { told, answer } => {
            let (outcome, message) = match answer {
                ResolverAnswer::NothingNew { .. } => ("nothing-new", None),
                ResolverAnswer::NewPlan(_) => ("new-plan", None),
                ResolverAnswer::Unsatisfiable { message, .. } => {
                    ("unsatisfiable", Some(message.as_str()))
                }
                ResolverAnswer::Error(error) => ("error", Some(error.as_str())),
                ResolverAnswer::Unknown(why) => ("unknown", Some(why.as_str())),
            };
            (Some(told), outcome, message)
        }
        SyncOutcome::NoSnapshot(error) => (None, "error", Some(error.as_str())),
        SyncOutcome::OperatorGroups(error) => (None, "not-asked", Some(error.as_str())),
        SyncOutcome::NoSubscriptions | SyncOutcome::SubscriptionsChanged | SyncOutcome::Frozen => {
            (None, "not-asked", None)
        }
    };
    ResolutionJson {
        outcome,
        claimed: told.map_or(&[], |told| &told.claimed),
        required: told.map_or(&[], |told| &told.required),
        hidden: told.map_or(&[], |told| &told.omitted),
        message,
    }
}

fn finding(finding: &PlacedFinding) -> FindingJson<'_> {
    FindingJson {
        severity: finding.severity.name(),
        path: &finding.path,
        line: finding.line,
        column: finding.column,
        message: &finding.message,
        help: &finding.help,
    }
}
