//! InstallPlans.

use std::collections::BTreeMap;

use crate::domain::Named;
use crate::objects::Object;
use crate::olm::namespace::{Condition, Plan};
use crate::olm::phase::PlanPhase;

use super::ReadNamespace;
use super::finding::ObjectFinding;
use super::subscription::number;

pub(super) fn read(object: &Object<'_>, name: &str, read: &mut ReadNamespace) {
    let spec = object.get("spec");
    let status = object.get("status");
    let csvs = spec.iter().flat_map(|spec| spec.list("clusterServiceVersionNames"));
    let text = status.and_then(|status| status.text("phase")).unwrap_or_default();
    let phase = PlanPhase::named(text).unwrap_or_else(|| {
        read.findings.push(ObjectFinding::warning(
            object.at(),
            format!("InstallPlan {name}: OLM knows no such `phase`, so it counts as none."),
            "Write objects with `oc get -o yaml`.".to_owned(),
        ));
        PlanPhase::None
    });
    let lookups = status.iter().flat_map(|status| status.list("bundleLookups"));
    let replaces = lookups.filter_map(|lookup| {
        let replaced = lookup.text("replaces").filter(|name| !name.is_empty())?;
        Some((lookup.text("identifier")?.to_owned(), replaced.to_owned()))
    });
    let replaces: BTreeMap<String, String> = replaces.collect();
    let conditions = status.iter().flat_map(|status| status.list("conditions"));
    let installed: Vec<Object<'_>> =
        conditions.filter(|condition| condition.text("type") == Some("Installed")).collect();
    let is_false = |condition: &&Object<'_>| condition.text("status") == Some("False");
    let why = |condition: &Object<'_>| Condition {
        reason: condition.owned("reason"),
        message: condition.owned("message"),
    };
    let plan = Plan {
        phase,
        is_manual: spec.and_then(|spec| spec.text("approval")) == Some("Manual"),
        generation: spec.map_or(0, |spec| number(&spec, "generation")),
        csvs: csvs.filter_map(|csv| csv.as_text()).map(str::to_owned).collect(),
        replaces,
        dependencies: Vec::new(),
        failure: installed.iter().find(is_false).map(why),
        message: installed.first().map(|one| one.owned("message")).unwrap_or_default(),
    };
    read.namespace.plans.insert(name.to_owned(), plan);
}
