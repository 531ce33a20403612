//! A ClusterServiceVersion: the name, the version, and the edges of a bundle.

use crate::go;
use crate::text::Spanned;
use crate::yaml;

use super::super::super::declared::{
    CsvMetadata, LoadCause, LoadFault, Property, PropertyValue, Text,
};
use super::super::super::package::Gvk;
use super::super::decode::{Decoder, Struct};
use super::super::stream::Syntax;
use super::super::value::{JsonKind, PlacedValue};
use super::Csv;
use super::extras;
use super::lookup::Node;

pub(super) const KIND: &str = "ClusterServiceVersion";

const CSV: Struct =
    Struct { go: "v1alpha1.ClusterServiceVersion", noun: "ClusterServiceVersion", fields: &[] };

/// Reads a document that is a ClusterServiceVersion. None if it is not one.
pub(super) fn read(root: PlacedValue<'_>, decoder: &mut Decoder) -> Option<Csv> {
    if !matches!(root.kind(), JsonKind::Mapping) {
        return None;
    }
    let root = Node::new(root, &CSV);
    if !matches!(root.get("kind")?.kind(), JsonKind::Text(KIND)) {
        return None;
    }
    let whole = root.whole(decoder);
    let metadata = root.below("metadata", decoder);
    let name = match metadata {
        Some(metadata) => metadata.text("metadata.name", &whole, decoder),
        None => whole,
    };
    let mut csv = Csv {
        version: at(&name, ""),
        release: at(&name, ""),
        replaces: at(&name, ""),
        skip_range: at(&name, ""),
        skips: Vec::new(),
        substitutes_for: None,
        related_images: Vec::new(),
        properties: Vec::new(),
        name,
    };
    let annotations = metadata.and_then(|metadata| metadata.below("metadata.annotations", decoder));
    if let Some(annotations) = annotations {
        read_annotations(annotations, &mut csv, decoder);
    }
    if let Some(spec) = root.below("spec", decoder) {
        read_spec(spec, &mut csv, decoder);
    }
    csv.properties.push(object(&csv));
    Some(csv)
}

fn at(place: &Text, text: &str) -> Text {
    Spanned { value: text.to_owned(), span: place.span }
}

fn read_annotations(annotations: Node<'_>, csv: &mut Csv, decoder: &mut Decoder) {
    if let Some(range) = annotations.annotation("olm.skipRange", decoder) {
        csv.skip_range = range;
    }
    let base = annotations.annotation("olm.substitutesFor", decoder);
    csv.substitutes_for = base.filter(|base| !base.value.is_empty());
    let Some(text) = annotations.annotation("olm.properties", decoder) else { return };
    let checked = go::json::check(&text.value).ok();
    if let Some(document) = checked.and_then(|()| yaml::parse_json(&text.value).ok()) {
        let root = PlacedValue::root(&document, Syntax::Json);
        let properties = extras::of_annotation(root, text.span, &mut decoder.faults);
        csv.properties.extend(properties);
    } else {
        let why = "the annotation `olm.properties` is not JSON".to_owned();
        let cause = LoadCause::Input(why.clone());
        decoder.faults.push(LoadFault { span: text.span, cause, words: why });
    }
}

fn read_spec(spec: Node<'_>, csv: &mut Csv, decoder: &mut Decoder) {
    csv.version = spec.text("spec.version", &csv.name, decoder);
    csv.release = spec.text("spec.release", &csv.name, decoder);
    csv.replaces = spec.text("spec.replaces", &csv.name, decoder);
    csv.skips = spec.texts("spec.skips", decoder);
    for image in spec.each("spec.relatedImages", decoder) {
        let image = image.text("spec.relatedImages.image", &csv.name, decoder);
        csv.related_images.push(image);
    }
    let crds = spec.below("spec.customresourcedefinitions", decoder);
    for (key, kind) in [("owned", "olm.gvk"), ("required", "olm.gvk.required")] {
        let path = format!("spec.customresourcedefinitions.{key}");
        for crd in crds.map(|crds| crds.each(&path, decoder)).unwrap_or_default() {
            let name = text_of(crd, &path, "name", csv, decoder);
            let group = name.value.split_once('.').map(|(_, group)| group).unwrap_or_default();
            let group = at(&name, group);
            csv.properties.push(api(crd, group, &path, kind, csv, decoder));
        }
    }
    let services = spec.below("spec.apiservicedefinitions", decoder);
    for (key, kind) in [("owned", "olm.gvk"), ("required", "olm.gvk.required")] {
        let path = format!("spec.apiservicedefinitions.{key}");
        for service in services.map(|all| all.each(&path, decoder)).unwrap_or_default() {
            let group = text_of(service, &path, "group", csv, decoder);
            csv.properties.push(api(service, group, &path, kind, csv, decoder));
        }
    }
}

fn text_of(node: Node<'_>, path: &str, key: &str, csv: &Csv, decoder: &mut Decoder) -> Text {
    node.text(&format!("{path}.{key}"), &csv.name, decoder)
}

/// An API that the operator provides or requires, as a property of its bundle.
fn api(
    node: Node<'_>,
    group: Text,
    path: &str,
    property: &'static str,
    csv: &Csv,
    decoder: &mut Decoder,
) -> Property {
    let version = text_of(node, path, "version", csv, decoder);
    let kind = text_of(node, path, "kind", csv, decoder);
    let span = group.span;
    let gvk = Gvk { group: group.value, version: version.value, kind: kind.value };
    let value = match property {
        "olm.gvk" => PropertyValue::Provides(gvk),
        _ => PropertyValue::RequiresGvk(gvk),
    };
    let kind = Spanned { value: property.to_owned(), span };
    Property { span, kind, value, fault: None }
}

/// The ClusterServiceVersion as a bundle object. opm adds a property for each manifest.
fn object(csv: &Csv) -> Property {
    let metadata = CsvMetadata { substitutes_for: csv.substitutes_for.clone(), skip_range: None };
    let value = PropertyValue::BundleObject(metadata);
    let kind = at(&csv.name, "olm.bundle.object");
    Property { span: csv.name.span, kind, value, fault: None }
}
