//! `metadata/dependencies.yaml`, `metadata/properties.yaml`, and the annotation `olm.properties`.

use serde_json::Value as Json;

use crate::text::{Span, Spanned};

use super::super::super::declared::{LoadCause, LoadFault, Property, PropertyValue, Text};
use super::super::super::package::Gvk;
use super::super::decode::{Decoder, FieldPlace, Struct};
use super::super::value::{JsonKind, PlacedValue};
use super::lookup::Node;

const DEPENDENCIES: Struct =
    Struct { go: "registry.DependenciesFile", noun: "file", fields: &["dependencies"] };
const PROPERTIES: Struct =
    Struct { go: "registry.PropertiesFile", noun: "file", fields: &["properties"] };

/// The requirements of a bundle, as properties.
pub(super) fn dependencies(root: PlacedValue<'_>, decoder: &mut Decoder) -> Vec<Property> {
    let Some(file) = file(root, &DEPENDENCIES, decoder) else { return Vec::new() };
    let items = file.each("dependencies", decoder);
    items.into_iter().map(|item| dependency(item, decoder)).collect()
}

fn dependency(item: Node<'_>, decoder: &mut Decoder) -> Property {
    let whole = item.whole(decoder);
    let mut kind = item.text("dependencies.type", &whole, decoder);
    let constraint = item.get("value").and_then(PlacedValue::to_json).unwrap_or(Json::Null);
    let value = if kind.value == "olm.constraint" {
        PropertyValue::Constraint(constraint)
    } else {
        match item.below("dependencies.value", decoder) {
            Some(value) => of_kind(&kind.value, value, decoder),
            None => PropertyValue::Other,
        }
    };
    if matches!(kind.value.as_str(), "olm.package" | "olm.gvk" | "olm.label") {
        kind.value.push_str(".required");
    }
    Property { span: whole.span, kind, value, fault: None }
}

fn of_kind(kind: &str, value: Node<'_>, decoder: &mut Decoder) -> PropertyValue {
    let whole = value.whole(decoder);
    let mut text = |key: &str| value.text(&format!("dependencies.value.{key}"), &whole, decoder);
    match kind {
        "olm.package" => {
            PropertyValue::RequiresPackage { name: text("packageName"), range: text("version") }
        }
        "olm.gvk" => PropertyValue::RequiresGvk(Gvk {
            group: text("group").value,
            version: text("version").value,
            kind: text("kind").value,
        }),
        "olm.label" => PropertyValue::RequiresLabel(text("label").value),
        _ => {
            let why = format!("`{kind}` is not a type of dependency");
            let cause = LoadCause::Input(why.clone());
            decoder.faults.push(LoadFault { span: whole.span, cause, words: why });
            PropertyValue::Other
        }
    }
}

/// The additional properties of a bundle.
pub(super) fn properties(root: PlacedValue<'_>, decoder: &mut Decoder) -> Vec<Property> {
    let Some(file) = file(root, &PROPERTIES, decoder) else { return Vec::new() };
    let place = FieldPlace { owner: &PROPERTIES, keys: "properties" };
    let items = file.each("properties", decoder);
    items.into_iter().map(|item| decoder.property(item.value(), place)).collect()
}

fn file<'d>(root: PlacedValue<'d>, of: &'static Struct, decoder: &mut Decoder) -> Option<Node<'d>> {
    match root.kind() {
        JsonKind::Mapping => Some(Node::new(root, of)),
        JsonKind::Null => None,
        _ => {
            decoder.wrong(root, FieldPlace { owner: of, keys: "" }, of.go, "a mapping");
            None
        }
    }
}

/// The properties in the annotation `olm.properties`. All of them get the place of the annotation.
pub(super) fn of_annotation(
    root: PlacedValue<'_>,
    span: Span,
    faults: &mut Vec<LoadFault>,
) -> Vec<Property> {
    let (source, place) = (span.source, FieldPlace { owner: &PROPERTIES, keys: "properties" });
    let mut decoder = Decoder { source, offset: 0, faults: Vec::new(), oddities: Vec::new() };
    let items = decoder.list(root, place, "[]property.Property");
    let properties = items.into_iter().map(|item| decoder.property(item, place));
    let properties = properties.map(|property| moved(property, span)).collect();
    faults.extend(decoder.faults.into_iter().map(|fault| LoadFault { span, ..fault }));
    properties
}

fn moved(property: Property, span: Span) -> Property {
    let at = |text: Text| Spanned { value: text.value, span };
    let value = match property.value {
        PropertyValue::Package { name, version, release } => {
            PropertyValue::Package { name: at(name), version: at(version), release: at(release) }
        }
        PropertyValue::RequiresPackage { name, range } => {
            PropertyValue::RequiresPackage { name: at(name), range: at(range) }
        }
        PropertyValue::MaxOpenShift(version) => {
            PropertyValue::MaxOpenShift(Spanned { value: version.value, span })
        }
        other => other,
    };
    let fault = property.fault.map(|fault| LoadFault { span, ..fault });
    Property { span, kind: at(property.kind), value, fault }
}
