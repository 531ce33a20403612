//! What OLM did, in words.

use std::collections::BTreeSet;

use crate::domain::Named;
use crate::olm::{
    Act, ManualStep, NEXT, NamespaceChange, NoVerdict, OlmReaction, Phase, PlanPhase, Problem,
    ProblemKind, ResolverAnswer, Snapshot, State, Step, SyncOutcome, Wait,
};
use crate::text::words::{counted, listed};

/// Everything that OLM did. Consecutive moves of a CSV share a line.
pub(super) fn changes(changes: &[NamespaceChange]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last = None;
    for one in changes {
        match (one, lines.last_mut()) {
            (NamespaceChange::CsvMoved { name, to, .. }, Some(line)) if last == Some(name) => {
                line.push_str(" → ");
                line.push_str(to.name());
            }
            _ => lines.push(change(one)),
        }
        last = match one {
            NamespaceChange::CsvMoved { name, .. } => Some(name),
            _ => None,
        };
    }
    lines
}

/// One thing that OLM did.
pub(super) fn change(change: &NamespaceChange) -> String {
    match change {
        NamespaceChange::CsvMoved { name, from, to } => match from.name() {
            "" => format!("CSV {name}: new → {}", to.name()),
            from => format!("CSV {name}: {from} → {}", to.name()),
        },
        NamespaceChange::CsvDeleted { name } => format!("CSV {name}: deleted by OLM"),
        NamespaceChange::PlanMade { name, csvs, is_manual } => {
            let csv = |(csv, replaces): &(String, Option<String>)| match replaces {
                Some(replaces) => format!("{csv}, which replaces {replaces}"),
                None => csv.clone(),
            };
            let csvs: Vec<String> = csvs.iter().map(csv).collect();
            let approval = if *is_manual { "; it waits for approval" } else { "" };
            format!("OLM makes the InstallPlan {name} for {}{approval}", listed(&csvs, "and"))
        }
        NamespaceChange::SubscriptionMoved { name, from, to } => match from.name() {
            "" => format!("Subscription {name}: {}", state(*to)),
            from => format!("Subscription {name}: {from} → {}", state(*to)),
        },
        NamespaceChange::Claimed { subscription, csv } => {
            format!("Subscription {subscription}: installed is now {csv}")
        }
    }
}

fn state(state: State) -> &'static str {
    match state {
        State::None => "no state",
        state => state.name(),
    }
}

/// The result of the last run of the catalog operator.
pub(super) fn look(step: &Step) -> String {
    match &step.look {
        SyncOutcome::NoSubscriptions => "not asked: there is no Subscription".to_owned(),
        SyncOutcome::OperatorGroups(error) => format!("not asked: {error}"),
        SyncOutcome::SubscriptionsChanged => {
            "not asked yet: a Subscription just changed".to_owned()
        }
        SyncOutcome::Frozen => frozen(step),
        SyncOutcome::NoSnapshot(error) => format!("fails: {error}"),
        SyncOutcome::Resolved { told, answer } => {
            format!("{}; {}", given(told), self::answer(answer))
        }
    }
}

/// Why OLM waits for InstallPlans.
fn frozen(step: &Step) -> String {
    let (mut failed, mut gone, mut waiting) = (Vec::new(), Vec::new(), BTreeSet::new());
    for name in step.subscriptions.iter().filter_map(|(_, sub)| sub.plan.as_deref()) {
        match step.plans.iter().find(|(known, _)| known == name) {
            None => gone.push(name),
            Some((_, plan)) if plan.phase == PlanPhase::Failed => failed.push(name),
            Some((_, plan)) if plan.phase == PlanPhase::RequiresApproval => {
                waiting.insert(name);
            }
            Some(_) => {}
        }
    }
    let waiting: Vec<&str> = waiting.into_iter().collect();
    match (failed.is_empty(), gone.is_empty()) {
        (true, true) if !waiting.is_empty() => {
            let wait = if waiting.len() == 1 { "waits" } else { "wait" };
            format!("not asked: the InstallPlan {} {wait} for approval", listed(&waiting, "and"))
        }
        (true, true) => "not asked while the InstallPlan is not done".to_owned(),
        (_, false) => format!(
            "not asked: OLM waits for the InstallPlan {}, which is gone",
            listed(&gone, "and")
        ),
        (false, true) => format!(
            "not asked: OLM waits for the InstallPlan {}, although it has failed",
            listed(&failed, "and")
        ),
    }
}

/// What the resolver was told about the CSVs.
fn given(told: &Snapshot) -> String {
    let mut parts = Vec::new();
    if !told.claimed.is_empty() {
        parts.push(format!("{} (may be updated)", listed(&told.claimed, "and")));
    }
    if !told.required.is_empty() {
        parts.push(format!("{} (must stay)", listed(&told.required, "and")));
    }
    let mut words = if parts.is_empty() {
        "given no CSV".to_owned()
    } else {
        format!("given {}", listed(&parts, "and"))
    };
    if !told.omitted.is_empty() {
        words.push_str(", not ");
        words.push_str(&listed(&told.omitted, "or"));
    }
    words
}

fn answer(answer: &ResolverAnswer) -> String {
    match answer {
        ResolverAnswer::NothingNew { again } if again.is_empty() => "finds nothing new".to_owned(),
        ResolverAnswer::NothingNew { again } => {
            format!("chooses {} again: no new InstallPlan", listed(again, "and"))
        }
        ResolverAnswer::NewPlan(plan) => format!("leads to the InstallPlan {plan}"),
        ResolverAnswer::Unsatisfiable { .. } => "finds no solution".to_owned(),
        ResolverAnswer::Error(error) => format!("fails: {error}"),
        ResolverAnswer::Unknown(why) => format!("only OLM can tell: {why}"),
    }
}

/// Why there is no solution: the words for people, and OLM's message.
pub(super) fn why_no_solution(step: &Step) -> Vec<String> {
    let SyncOutcome::Resolved { told, answer: ResolverAnswer::Unsatisfiable { message, .. } } =
        &step.look
    else {
        return Vec::new();
    };
    let mut words = Vec::new();
    if !told.required.is_empty() {
        words.push(format!(
            "no Subscription has {} installed, so OLM keeps what is there; but a namespace can have \
             only one CSV of a package, and only one with the same API",
            listed(&told.required, "or")
        ));
    }
    let is_new = |phase: &Phase| {
        matches!(phase, Phase::None | Phase::Pending | Phase::InstallReady | Phase::Installing)
    };
    let new = step.csvs.iter().filter(|(name, phase)| told.claimed.contains(name) && is_new(phase));
    let new: Vec<&str> = new.map(|(name, _)| name.as_str()).collect();
    if new.is_empty() {
        words.push(format!("in the words of OLM: {message}"));
    } else {
        let has = if new.len() == 1 { "has" } else { "have" };
        words.push(format!("this is usual until {} {has} succeeded", listed(&new, "and")));
    }
    words
}

/// The command for a manual step.
pub(super) fn command(act: &Act, namespace: &str) -> String {
    let within = shell_word(namespace);
    let all = |csvs: &[String]| {
        let words: Vec<String> = csvs.iter().map(|csv| shell_word(csv)).collect();
        format!("oc delete csv -n {within} -- {}", words.join(" "))
    };
    match act {
        Act::ApprovePlan(plan) => format!(
            "oc patch installplan -n {within} --type merge -p '{{\"spec\":{{\"approved\":true}}}}' -- {}",
            shell_word(plan)
        ),
        Act::DeletePlan(plan) => {
            format!("oc delete installplan -n {within} -- {}", shell_word(plan))
        }
        Act::DeleteCsvs(csvs) => all(csvs),
        Act::Reinstall { subscription, csvs } => {
            let (name, file) = (shell_word(subscription), saved(subscription));
            let first = format!(
                "oc get subscription -n {within} -o yaml -- {name} > {file} && oc delete \
                 subscription -n {within} -- {name}"
            );
            if csvs.is_empty() { first } else { format!("{first} && {}", all(csvs)) }
        }
        Act::OneOperatorGroup(_) => format!("oc get operatorgroups -n {within}"),
    }
}

/// The name of a file that saves a Subscription.
fn saved(subscription: &str) -> String {
    let name = if is_plain(subscription) { subscription } else { "subscription" };
    format!("{name}.yaml")
}

/// Whether a shell reads a name literally. Names of real objects need no quotes.
fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && name.chars().all(is_plain)
}

/// A name, quoted for a shell if necessary.
fn shell_word(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

/// A manual step, and what OLM does after it.
pub(super) fn manual_step(step: &ManualStep, namespace: &str) -> String {
    let command = command(&step.act, namespace);
    let what = match &step.act {
        Act::ApprovePlan(_) => format!("approve the InstallPlan: `{command}`"),
        Act::DeletePlan(_) => format!("delete the failed InstallPlan: `{command}`"),
        Act::DeleteCsvs(csvs) => {
            let csvs_in_words = if csvs.len() == 1 { "CSV" } else { "CSVs" };
            format!("delete the {csvs_in_words}: `{command}`")
        }
        Act::Reinstall { subscription, .. } => format!(
            "install the operator again: `{command}`, then create the Subscription again as in {}, \
             without what the cluster added",
            saved(subscription)
        ),
        Act::OneOperatorGroup(0) => format!("create an OperatorGroup: `{command}` finds none"),
        Act::OneOperatorGroup(_) => format!("keep only one OperatorGroup: `{command}`"),
    };
    let name = |csv: &String| if csv.starts_with(NEXT) { "it".to_owned() } else { csv.clone() };
    match &step.then {
        OlmReaction::Waits => what,
        OlmReaction::Starts(csv) => format!(
            "{what}; OLM then makes an InstallPlan for {}, and its CSV waits for the next step",
            name(csv)
        ),
        OlmReaction::Keeps(csv) => format!("{what}; {} then stays", name(csv)),
        OlmReaction::Succeeds(csv) => format!("{what}; OLM then goes to {}", name(csv)),
    }
}

/// What a Subscription waits for.
pub(super) fn wait(wait: &Wait, namespace: &str) -> String {
    let Wait { subscription, from, over, then } = wait;
    let needed = match (from, over) {
        (None, Some(over)) => format!("an entry that OLM prefers over {over}"),
        (None, None) => "an entry that it can install".to_owned(),
        (Some(from), Some(over)) => {
            format!("an entry that updates {from} and that OLM prefers over {over}")
        }
        (Some(from), None) => format!("an entry that updates {from}"),
    };
    let start = format!(
        "Subscription {subscription} waits until the catalog has {needed} (`replaces`, `skips`, \
         or `skipRange`)"
    );
    if then.is_empty() {
        return start;
    }
    let steps: Vec<String> = then.iter().map(|one| manual_step(one, namespace)).collect();
    format!("{start}; even then, somebody must: {}", steps.join("; then "))
}

/// A warning about an InstallPlan.
pub(super) fn keep(plan: &str, subscription: &str) -> String {
    format!(
        "do not delete the InstallPlan {plan}: that would freeze Subscription {subscription}, even \
         once the catalog has a newer entry"
    )
}

/// Why there is no verdict.
pub(super) fn no_verdict(why: &NoVerdict) -> String {
    match why {
        NoVerdict::NoSubscription => {
            "there is no Subscription in the file, so OLM updates nothing".to_owned()
        }
        NoVerdict::TooLarge { csvs, subscriptions } => format!(
            "exitpath does not look for help in a namespace with {} and {}",
            counted(*csvs, "CSV"),
            counted(*subscriptions, "Subscription")
        ),
        NoVerdict::Endless => {
            "exitpath cannot tell how this ends: OLM is still at work after many steps".to_owned()
        }
        NoVerdict::Resolver(why) => format!("only OLM can tell how this ends: {why}"),
    }
}

/// Why OLM does nothing for a Subscription, and what to do.
pub(super) fn problem(problem: &Problem) -> String {
    let Problem { subscription, kind } = problem;
    let help = "Correct or delete the Subscription";
    match kind {
        ProblemKind::NoPackage(package) => format!(
            "Subscription {subscription}: the catalog has no package {package}. OLM updates \
             nothing in the namespace. {help}"
        ),
        ProblemKind::NoChannel { package, channel } => format!(
            "Subscription {subscription}: the package {package} has no channel {channel}. OLM \
             updates nothing in the namespace. {help}"
        ),
        ProblemKind::Error(error) => format!(
            "Subscription {subscription}: OLM updates nothing in the namespace because of an \
             error. Somebody must remove its cause: {error}"
        ),
        ProblemKind::BlockedBy(others) => format!(
            "Subscription {subscription} gets no updates until Subscription {} can be updated: OLM \
             decides about all of a namespace together",
            listed(others, "and")
        ),
        ProblemKind::NoSolution(message) if message.is_empty() => {
            format!("Subscription {subscription}: exitpath finds nothing that helps. {help}")
        }
        ProblemKind::NoSolution(message) => format!(
            "Subscription {subscription}: exitpath finds nothing that helps. {help}, or delete the \
             CSV that blocks it. In the words of OLM: {message}"
        ),
    }
}
