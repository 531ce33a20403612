//! Reads the objects of Kubernetes that the command needs.

use serde_json::Value as Json;

use crate::objects::text_at;

use super::time::Time;

/// A condition of an object, and when its status changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition<'a> {
    pub(super) kind: &'a str,
    pub(super) status: &'a str,
    pub(super) reason: &'a str,
    pub(super) message: &'a str,
    pub(super) changed: Time,
}

/// The name of an object.
pub(super) fn name(object: &Json) -> &str {
    text_at(object, "/metadata/name")
}

/// The objects of this kind.
pub(super) fn of_kind<'a>(objects: &'a [Json], kind: &str) -> impl Iterator<Item = &'a Json> {
    objects.iter().filter(move |object| object["kind"] == *kind)
}

/// The items of a list at a place such as `/status/history`.
pub(super) fn list<'a>(object: &'a Json, pointer: &str) -> &'a [Json] {
    object.pointer(pointer).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// The conditions of an object, in its order.
pub(super) fn conditions(object: &Json) -> impl Iterator<Item = Condition<'_>> {
    list(object, "/status/conditions").iter().map(|one| Condition {
        kind: text_at(one, "/type"),
        status: text_at(one, "/status"),
        reason: text_at(one, "/reason"),
        message: text_at(one, "/message"),
        changed: Time::of(text_at(one, "/lastTransitionTime")),
    })
}

/// The condition of this type.
pub(super) fn condition<'a>(object: &'a Json, kind: &str) -> Option<Condition<'a>> {
    conditions(object).find(|condition| condition.kind == kind)
}

/// An annotation of an object.
pub(super) fn annotation<'a>(object: &'a Json, key: &str) -> Option<&'a str> {
    object["metadata"]["annotations"][key].as_str()
}

/// An annotation that the machine-config operator or its daemon writes. Empty if it is missing.
pub(super) fn of_daemon<'a>(object: &'a Json, key: &str) -> &'a str {
    let key = format!("machineconfiguration.openshift.io/{key}");
    annotation(object, &key).unwrap_or_default()
}
