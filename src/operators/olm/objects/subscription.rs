//! Subscriptions.

use crate::domain::Named;
use crate::objects::Object;
use crate::olm::namespace::{AboutPlan, Condition, State, Subscription};

use super::ReadNamespace;
use super::finding::ObjectFinding;

pub(super) fn read(object: &Object<'_>, name: &str, read: &mut ReadNamespace) {
    let mut sub = Subscription::default();
    match object.get("spec") {
        Some(spec) => {
            sub.package = spec.owned("name");
            sub.channel = spec.owned("channel");
            sub.starting = spec.owned("startingCSV");
            sub.is_manual = spec.text("installPlanApproval") == Some("Manual");
            let (source, of) = (spec.owned("source"), spec.owned("sourceNamespace"));
            read.sources.insert(format!("{of}/{source}"));
        }
        None => read.findings.push(ObjectFinding::error(
            object.at(),
            format!("Subscription {name} has no `spec`."),
            "Write objects with `oc get -o yaml`.".to_owned(),
        )),
    }
    if let Some(status) = object.get("status") {
        sub.installed = status.owned("installedCSV");
        sub.current = status.owned("currentCSV");
        sub.state = state(&status, name, read);
        sub.plan = ["installPlanRef", "installplan"].iter().find_map(|key| {
            let plan = status.get(key)?.text("name").filter(|name| !name.is_empty())?;
            Some(plan.to_owned())
        });
        sub.generation = number(&status, "installPlanGeneration");
        read_conditions(&status, &mut sub);
    }
    read.namespace.subscriptions.insert(name.to_owned(), sub);
}

fn state(status: &Object<'_>, name: &str, read: &mut ReadNamespace) -> State {
    let text = status.text("state").unwrap_or_default();
    State::named(text).unwrap_or_else(|| {
        let at = status.get("state").map_or(status.at(), |value| value.at());
        read.findings.push(ObjectFinding::warning(
            at,
            format!("Subscription {name}: OLM knows no such `state`, so it counts as none."),
            "Write objects with `oc get -o yaml`.".to_owned(),
        ));
        State::None
    })
}

fn read_conditions(status: &Object<'_>, sub: &mut Subscription) {
    for condition in status.list("conditions") {
        if condition.text("status") != Some("True") {
            continue;
        }
        let why =
            Condition { reason: condition.owned("reason"), message: condition.owned("message") };
        match condition.text("type").unwrap_or_default() {
            "ResolutionFailed" => sub.failure = Some(why),
            kind => {
                if let Some(about) = AboutPlan::named(kind) {
                    sub.about_plan.insert(about, why);
                }
            }
        }
    }
}

pub(super) fn number(object: &Object<'_>, key: &str) -> u64 {
    object.text(key).and_then(|text| text.parse().ok()).unwrap_or_default()
}
