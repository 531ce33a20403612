//! Decodes the properties of bundles.

use serde_json::Value as Json;

use crate::text::Spanned;

use super::super::declared::{CsvMetadata, LoadCause, LoadFault, Property, PropertyValue, Text};
use super::super::package::Gvk;
use super::base64;
use super::decode::{Decoder, FieldPlace, Struct};
use super::value::{JsonKind, PlacedValue};

const PROPERTY: Struct =
    Struct { go: "property.Property", noun: "property", fields: &["type", "value"] };
const PACKAGE: Struct = Struct {
    go: "property.Package",
    noun: "property",
    fields: &["packageName", "version", "release"],
};
const GVK: Struct =
    Struct { go: "property.GVK", noun: "property", fields: &["group", "version", "kind"] };
const GVK_REQUIRED: Struct = Struct { go: "property.GVKRequired", ..GVK };
const PACKAGE_REQUIRED: Struct = Struct {
    go: "property.PackageRequired",
    noun: "property",
    fields: &["packageName", "versionRange"],
};
const CHANNEL: Struct =
    Struct { go: "property.Channel", noun: "property", fields: &["channelName", "priority"] };
const BUNDLE_OBJECT: Struct =
    Struct { go: "property.BundleObject", noun: "property", fields: &["data", "ref"] };
const CSV_METADATA: Struct = Struct {
    go: "property.CSVMetadata",
    noun: "property",
    fields: &[
        "annotations",
        "apiServiceDefinitions",
        "crdDescriptions",
        "description",
        "displayName",
        "installModes",
        "keywords",
        "labels",
        "links",
        "maintainers",
        "maturity",
        "minKubeVersion",
        "nativeAPIs",
        "provider",
    ],
};
const INSTALL_MODE: Struct =
    Struct { go: "v1alpha1.InstallMode", noun: "install mode", fields: &["type", "supported"] };
const LINK: Struct = Struct { go: "v1alpha1.AppLink", noun: "link", fields: &["name", "url"] };
const MAINTAINER: Struct =
    Struct { go: "v1alpha1.Maintainer", noun: "maintainer", fields: &["name", "email"] };
const NATIVE_API: Struct =
    Struct { go: "v1.GroupVersionKind", noun: "native API", fields: &["group", "version", "kind"] };
const API_SERVICES: Struct = Struct {
    go: "v1alpha1.APIServiceDefinitions",
    noun: "list of APIs",
    fields: &["owned", "required"],
};
const CRDS: Struct = Struct {
    go: "v1alpha1.CustomResourceDefinitions",
    noun: "list of APIs",
    fields: &["owned", "required"],
};
const LABEL: Struct = Struct { go: "property.Label", noun: "property", fields: &["label"] };

impl Decoder {
    pub(super) fn property(&mut self, value: PlacedValue<'_>, place: FieldPlace<'_>) -> Property {
        let span = self.span(&value.range());
        let mut kind = self.absent(value);
        let mut content = None;
        for (field, inner) in self.object(value, place, &PROPERTY) {
            match field {
                "type" => kind = self.text(inner, FieldPlace { owner: &PROPERTY, keys: "type" }),
                _ => content = Some(inner),
            }
        }
        let Some(content) = content else {
            let words = "unexpected end of JSON input".to_owned();
            let cause =
                LoadCause::WrongType { key: "value".into(), expected: "a value", found: "nothing" };
            let fault = Some(LoadFault { span, cause, words });
            return Property { span, kind, value: PropertyValue::Other, fault };
        };
        // opm checks the types in values only after it has read all files, so these faults are kept
        // apart.
        let (faults, oddities) = (self.faults.len(), self.oddities.len());
        let value = self.property_value(&kind.value, content);
        let mut found = self.faults.split_off(faults).into_iter();
        self.oddities.truncate(oddities);
        Property { span, kind, value, fault: found.next() }
    }

    fn property_value(&mut self, kind: &str, value: PlacedValue<'_>) -> PropertyValue {
        match kind {
            "olm.package" => {
                let [name, version, release] = self.texts_of(value, &PACKAGE);
                PropertyValue::Package { name, version, release }
            }
            "olm.gvk" => PropertyValue::Provides(gvk(self.texts_of(value, &GVK))),
            "olm.gvk.required" => {
                PropertyValue::RequiresGvk(gvk(self.texts_of(value, &GVK_REQUIRED)))
            }
            "olm.package.required" => {
                let [name, range] = self.texts_of(value, &PACKAGE_REQUIRED);
                PropertyValue::RequiresPackage { name, range }
            }
            "olm.label" => PropertyValue::Label(self.label(value)),
            "olm.label.required" => PropertyValue::RequiresLabel(self.label(value)),
            "olm.channel" => {
                self.object(value, FieldPlace { owner: &CHANNEL, keys: "" }, &CHANNEL);
                PropertyValue::Other
            }
            "olm.constraint" => PropertyValue::Constraint(value.to_json().unwrap_or(Json::Null)),
            "olm.maxOpenShiftVersion" => PropertyValue::MaxOpenShift(Spanned {
                value: value.to_json().unwrap_or(Json::Null),
                span: self.span(&value.range()),
            }),
            "olm.csv.metadata" => self.csv_metadata(value),
            "olm.bundle.object" => self.bundle_object(value),
            "olm.deprecated" => PropertyValue::Deprecated,
            _ => PropertyValue::Other,
        }
    }

    /// Reads a label without reporting faults: opm does not know the types of these properties, and
    /// so accepts any content.
    fn label(&mut self, value: PlacedValue<'_>) -> String {
        let faults = self.faults.len();
        let fields = self.object(value, FieldPlace { owner: &LABEL, keys: "" }, &LABEL);
        self.faults.truncate(faults);
        let label = fields.first().and_then(|(_, label)| label.to_json());
        label.and_then(|label| label.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// The texts of all fields of a struct.
    fn texts_of<const N: usize>(&mut self, value: PlacedValue<'_>, of: &Struct) -> [Text; N] {
        let mut texts = std::array::from_fn(|_| self.absent(value));
        for (field, inner) in self.object(value, FieldPlace { owner: of, keys: "" }, of) {
            let at = of.fields.iter().position(|known| *known == field);
            if let Some(slot) = at.and_then(|at| texts.get_mut(at)) {
                *slot = self.text(inner, FieldPlace { owner: of, keys: field });
            }
        }
        texts
    }

    fn csv_metadata(&mut self, value: PlacedValue<'_>) -> PropertyValue {
        let mut metadata = CsvMetadata::default();
        let place = |keys| FieldPlace { owner: &CSV_METADATA, keys };
        for (field, inner) in self.object(value, place(""), &CSV_METADATA) {
            match field {
                "annotations" | "labels" => {
                    if !matches!(inner.kind(), JsonKind::Mapping | JsonKind::Null) {
                        self.wrong(inner, place(field), "map[string]string", "a mapping");
                    }
                    for annotation in inner.fields() {
                        let text = self.text(annotation.value, place(field));
                        match annotation.key.as_str() {
                            SUBSTITUTES_FOR if field == "annotations" => {
                                metadata.substitutes_for = Some(text);
                            }
                            SKIP_RANGE if field == "annotations" => {
                                metadata.skip_range = Some(text);
                            }
                            _ => {}
                        }
                    }
                }
                "description" | "displayName" | "maturity" | "minKubeVersion" => {
                    self.text(inner, place(field));
                }
                "keywords" => {
                    self.texts(inner, place(field));
                }
                _ => self.part_of_csv(field, inner),
            }
        }
        PropertyValue::CsvMetadata(metadata)
    }

    /// Checks lists and mappings that no resolver needs, because opm refuses wrong types in them.
    fn part_of_csv(&mut self, field: &str, value: PlacedValue<'_>) {
        let place = FieldPlace { owner: &CSV_METADATA, keys: field };
        let (of, is_list) = match field {
            "installModes" => (&INSTALL_MODE, true),
            "links" => (&LINK, true),
            "maintainers" => (&MAINTAINER, true),
            "nativeAPIs" => (&NATIVE_API, true),
            "provider" => (&LINK, false),
            "apiServiceDefinitions" => (&API_SERVICES, false),
            "crdDescriptions" => (&CRDS, false),
            _ => return,
        };
        let items =
            if is_list { self.list(value, place, &format!("[]{}", of.go)) } else { vec![value] };
        for item in items {
            for (key, inner) in self.object(item, place, of) {
                let keys = format!("{field}.{key}");
                let place = FieldPlace { owner: of, keys: &keys };
                match (key, inner.kind()) {
                    ("supported", JsonKind::Boolean | JsonKind::Null) => {}
                    ("supported", _) => self.wrong(inner, place, "bool", "a boolean"),
                    ("owned" | "required", _) => {
                        self.list(inner, place, "[]v1alpha1.CRDDescription");
                    }
                    _ => drop(self.text(inner, place)),
                }
            }
        }
    }

    fn bundle_object(&mut self, value: PlacedValue<'_>) -> PropertyValue {
        let place = |keys| FieldPlace { owner: &BUNDLE_OBJECT, keys };
        let mut metadata = CsvMetadata::default();
        for (field, inner) in self.object(value, place(""), &BUNDLE_OBJECT) {
            match (field, inner.kind()) {
                ("data", JsonKind::Text(text)) => {
                    if let Some(words) = base64::fault(text) {
                        let (span, cause) = (self.span(&inner.range()), LoadCause::BundleObject);
                        self.faults.push(LoadFault { span, cause, words });
                    }
                    let object = base64::decoded(text);
                    let base = object.as_deref().and_then(substituted);
                    let span = self.span(&inner.range());
                    metadata.substitutes_for = base.map(|value| Spanned { value, span });
                }
                ("data", JsonKind::Null) => {}
                ("data", _) => self.wrong(inner, place("data"), "[]uint8", "text"),
                _ => {
                    self.text(inner, place("ref"));
                }
            }
        }
        PropertyValue::BundleObject(metadata)
    }
}

const SUBSTITUTES_FOR: &str = "olm.substitutesFor";
const SKIP_RANGE: &str = "olm.skipRange";

fn gvk([group, version, kind]: [Text; 3]) -> Gvk {
    Gvk { group: group.value, version: version.value, kind: kind.value }
}

/// The name of the bundle that the ClusterServiceVersion in a bundle object substitutes for.
fn substituted(object: &[u8]) -> Option<String> {
    let json: Json = serde_json::from_slice(object).ok()?;
    let is_csv = json["kind"] == "ClusterServiceVersion";
    let annotation = json["metadata"]["annotations"][SUBSTITUTES_FOR].as_str();
    annotation.filter(|_| is_csv).map(str::to_owned)
}
