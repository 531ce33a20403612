//! OperatorGroups, which set the upgrade strategy of the namespace.

use crate::domain::Named;
use crate::objects::Object;
use crate::olm::phase::Strategy;
use crate::text::printable;
use crate::yaml::ValueKind;

use super::ReadNamespace;
use super::finding::ObjectFinding;

const KEY: &str = "upgradeStrategy";
/// A key that does not exist, although documentation mentions it.
const WRONG_KEY: &str = "upgradesStrategy";

pub(super) fn read(object: &Object<'_>, name: &str, read: &mut ReadNamespace) {
    read.namespace.operator_groups += 1;
    let Some(spec) = object.get("spec") else { return };
    if let Some(at) = spec.key_at(WRONG_KEY) {
        read.findings.push(ObjectFinding::error(
            at,
            format!(
                "OperatorGroup {name}: there is no field `{WRONG_KEY}`. The cluster drops it, so \
                 OLM behaves as with `Default`."
            ),
            format!("Rename it to `{KEY}`."),
        ));
    }
    let Some(value) = spec.get(KEY) else { return };
    match (value.value_kind(), value.as_text()) {
        (ValueKind::Null, _) | (_, Some("")) => {}
        (_, Some(text)) => match Strategy::named(text) {
            Some(strategy) => read.namespace.strategy = strategy,
            None => read.findings.push(unknown(&value, name, text)),
        },
        (ValueKind::Mapping, None) => read.findings.push(nested(&value, name)),
        _ => read.findings.push(ObjectFinding::error(
            value.at(),
            format!("OperatorGroup {name}: `{KEY}` must be text. The cluster refuses the object."),
            help(Strategy::FailForward.name()),
        )),
    }
}

fn nested(value: &Object<'_>, name: &str) -> ObjectFinding {
    let inner = value.text("name").filter(|text| Strategy::named(text).is_some());
    ObjectFinding::error(
        value.at(),
        format!(
            "OperatorGroup {name}: `{KEY}` is a mapping, and must be text. The cluster refuses the \
             object. Documentation that nests a `name:` in it is wrong."
        ),
        help(inner.unwrap_or(Strategy::FailForward.name())),
    )
}

fn unknown(value: &Object<'_>, name: &str, text: &str) -> ObjectFinding {
    let names: Vec<&str> = Strategy::names().collect();
    let is_meant = text.to_lowercase().replace(['-', ' '], "").contains("failforward");
    let meant = if is_meant { Strategy::FailForward } else { Strategy::Default };
    ObjectFinding::error(
        value.at(),
        format!(
            "OperatorGroup {name}: `{}` is not a strategy: it is {}. The cluster refuses the \
             object, and OLM takes anything unknown for `Default`.",
            printable(text),
            names.join(" or ")
        ),
        help(meant.name()),
    )
}

fn help(strategy: &str) -> String {
    format!("Write `{KEY}: {strategy}`.")
}
