//! Reads what a document declares.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::go::{self, quoted};
use crate::text::{SourceId, Spanned, closest};

use super::super::declared::{
    BundleBlob, ChannelBlob, Declared, DeprecationBlob, DeprecationsBlob, EntryBlob, LoadCause,
    LoadFault, Oddity, OddityKind, PackageBlob, PropertyValue, Text,
};
use super::decode::{Decoder, FieldPlace, Struct, noun};
use super::stream::Syntax;
use super::value::{JsonKind, PlacedValue};

const PACKAGE: Struct = Struct {
    go: "declcfg.Package",
    noun: "package",
    fields: &["schema", "name", "defaultChannel", "icon", "description", "properties"],
};
const ICON: Struct =
    Struct { go: "declcfg.Icon", noun: "icon", fields: &["base64data", "mediatype"] };
const CHANNEL: Struct = Struct {
    go: "declcfg.Channel",
    noun: "channel",
    fields: &["schema", "package", "name", "entries", "properties"],
};
const ENTRY: Struct = Struct {
    go: "declcfg.ChannelEntry",
    noun: "entry",
    fields: &["name", "replaces", "skips", "skipRange"],
};
const BUNDLE: Struct = Struct {
    go: "declcfg.Bundle",
    noun: "bundle",
    fields: &["schema", "package", "name", "image", "properties", "relatedImages"],
};
const RELATED_IMAGE: Struct =
    Struct { go: "declcfg.RelatedImage", noun: "related image", fields: &["name", "image"] };
const DEPRECATION: Struct = Struct {
    go: "declcfg.Deprecation",
    noun: "deprecation",
    fields: &["schema", "package", "name", "entries"],
};
const DEPRECATION_ENTRY: Struct = Struct {
    go: "declcfg.DeprecationEntry",
    noun: "deprecation entry",
    fields: &["reference", "message"],
};
const REFERENCE: Struct =
    Struct { go: "declcfg.PackageScopedReference", noun: "reference", fields: &["schema", "name"] };

const SCHEMAS: [&str; 4] = ["olm.package", "olm.channel", "olm.bundle", "olm.deprecations"];

/// Reads one document, which begins at `offset` in the file, and returns its schema.
pub(super) fn read(
    root: PlacedValue<'_>,
    syntax: Syntax,
    source: SourceId,
    offset: usize,
    declared: &mut Declared,
) -> Option<String> {
    let mut decoder = Decoder { source, offset, faults: Vec::new(), oddities: Vec::new() };
    for range in root.repeated_keys() {
        let span = decoder.span(&range);
        decoder.oddities.push(Oddity { span, kind: OddityKind::RepeatedKey });
    }
    let schema = match schema(root, syntax, &decoder) {
        Ok(schema) => {
            typed(root, &schema, &mut decoder, declared);
            Some(schema)
        }
        Err(fault) => {
            decoder.faults.push(fault);
            None
        }
    };
    declared.faults.append(&mut decoder.faults);
    declared.oddities.append(&mut decoder.oddities);
    schema
}

/// The schema of a document, or a fault if opm cannot read it.
fn schema(root: PlacedValue<'_>, syntax: Syntax, decoder: &Decoder) -> Result<String, LoadFault> {
    // opm decodes YAML documents one more time, which adds words to the error.
    let wrapped = |words: String| match syntax {
        Syntax::Json => words,
        Syntax::Yaml => format!("error unmarshaling JSON: while decoding JSON: {words}"),
    };
    let fault = |at: PlacedValue<'_>, cause: LoadCause, words: String| LoadFault {
        span: decoder.span(&at.beginning()),
        cause,
        words,
    };
    if let Some(key) = root.first_complex_key() {
        let shown = go_syntax(&key.to_json().unwrap_or(Json::Null));
        let words = format!("error converting YAML to JSON: yaml: invalid map key: {shown}");
        let why = format!("{} is a key, and keys must be text", noun(key));
        return Err(fault(key, LoadCause::Syntax(why), words));
    }
    if root.is_too_large() {
        let words = "error converting YAML to JSON: yaml: document contains excessive aliasing";
        let why = "its aliases make it too large".to_owned();
        return Err(fault(root, LoadCause::Syntax(why), words.to_owned()));
    }
    let json = || root.to_json().unwrap_or(Json::Null);
    match root.kind() {
        JsonKind::Mapping => {}
        JsonKind::Null => {
            let blob = if syntax == Syntax::Json { "null\n" } else { "" };
            let words = format!("object '{blob}' is missing root schema field");
            return Err(fault(root, LoadCause::NoSchema, words));
        }
        _ => {
            let cause = LoadCause::NotAnObject(noun(root));
            return Err(fault(root, cause, wrapped(not_an_object(root, &json()))));
        }
    }
    if let Some(repeated) = repeated_key(root) {
        let cause = LoadCause::RepeatedKey(repeated.key);
        return Err(fault(repeated.value, cause, wrapped(repeated.words)));
    }
    let mut schema = String::new();
    for name in ["schema", "package", "name"] {
        let fields = root.fields();
        let Some(field) = fields.iter().find(|field| go::names_field(&field.key, name)) else {
            continue;
        };
        match field.value.kind() {
            JsonKind::Text(text) if name == "schema" => text.clone_into(&mut schema),
            JsonKind::Text(_) => {}
            _ => {
                let value = field.value.to_json().unwrap_or(Json::Null);
                let (as_boolean, shown) = (go::shown_as_boolean(&value), go::shown(&value));
                let words = format!(
                    "expected value for key {q_name} to be a string, got {as_boolean}: {shown}",
                    q_name = quoted(name)
                );
                let found = noun(field.value);
                let cause = LoadCause::WrongType { key: name.into(), expected: "text", found };
                return Err(fault(field.value, cause, wrapped(words)));
            }
        }
    }
    if schema.is_empty() {
        let blob = go::marshaled(&json());
        let words = format!("object '{blob}\n' is missing root schema field");
        return Err(fault(root, LoadCause::NoSchema, words));
    }
    Ok(schema)
}

/// A key that differs from another one only by case.
struct RepeatedKey<'d> {
    key: String,
    value: PlacedValue<'d>,
    /// opm's words.
    words: String,
}

fn repeated_key(root: PlacedValue<'_>) -> Option<RepeatedKey<'_>> {
    let mut by_folded: BTreeMap<String, Vec<(String, PlacedValue<'_>)>> = BTreeMap::new();
    for field in root.fields() {
        let same = by_folded.entry(go::case_folded(&field.key)).or_default();
        if same.iter().all(|(key, _)| *key != field.key) {
            same.push((field.key, field.value));
        }
    }
    let (folded, mut same) = by_folded.into_iter().find(|(_, same)| same.len() > 1)?;
    same.sort_by(|a, b| a.0.cmp(&b.0));
    let keys: Vec<&str> = same.iter().map(|(key, _)| key.as_str()).collect();
    let words = format!(
        "duplicate keys for key {q_folded}: [{}]",
        keys.join(" "),
        q_folded = quoted(&folded)
    );
    let (key, value) = same.into_iter().last()?;
    Some(RepeatedKey { key, value, words })
}

fn not_an_object(root: PlacedValue<'_>, json: &Json) -> String {
    let found = root.word();
    let compact = go::marshaled(json);
    // Go stops at the opening bracket, or behind a value that is not a list.
    let offset = if matches!(root.kind(), JsonKind::List) { 1 } else { compact.len() };
    let pretty = go::over_lines(json);
    let marked = match root.kind() {
        JsonKind::List => format!("[ <== {}", &pretty[1..]),
        _ => format!("{pretty} <=="),
    };
    format!(
        "json: cannot unmarshal {found} into Go value of type map[string]interface {{}} at offset \
         {offset} (indicated by <==)\n{marked}"
    )
}

/// A value as `%#v` prints it.
fn go_syntax(value: &Json) -> String {
    match value {
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(go_syntax).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Json::Object(fields) => {
            let field =
                |(key, value): (&String, &Json)| format!("{}:{}", quoted(key), go_syntax(value));
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("map[interface {{}}]interface {{}}{{{}}}", fields.join(", "))
        }
        Json::String(text) => quoted(text),
        other => other.to_string(),
    }
}

/// Reads a document, or a document inside a template, by its schema.
pub(super) fn typed(
    root: PlacedValue<'_>,
    schema: &str,
    decoder: &mut Decoder,
    declared: &mut Declared,
) {
    let before = decoder.faults.len();
    let kind = match schema {
        "olm.package" => {
            declared.packages.push(package(root, decoder));
            "package"
        }
        "olm.channel" => {
            declared.channels.push(channel(root, decoder));
            "channel"
        }
        "olm.bundle" => {
            declared.bundles.push(bundle(root, decoder));
            "bundle"
        }
        "olm.deprecations" => {
            declared.deprecations.push(deprecations(root, decoder));
            "deprecation"
        }
        _ => {
            declared.others += 1;
            unknown_schema(root, schema, decoder);
            return;
        }
    };
    for fault in decoder.faults.iter_mut().skip(before) {
        if fault.cause != LoadCause::BundleObject {
            fault.words = format!("parse {kind}: {}", fault.words);
        }
    }
}

fn unknown_schema(root: PlacedValue<'_>, schema: &str, decoder: &mut Decoder) {
    let lower = schema.to_lowercase();
    let is_close = SCHEMAS.contains(&lower.as_str()) || closest(&lower, SCHEMAS).is_some();
    if schema.starts_with("olm.template") || !is_close {
        return;
    }
    let field = root.fields().into_iter().find(|field| go::names_field(&field.key, "schema"));
    let span = decoder.span(&field.map_or_else(|| root.range(), |field| field.value.range()));
    let kind = OddityKind::UnknownSchema { schema: schema.to_owned() };
    decoder.oddities.push(Oddity { span, kind });
}

fn package(root: PlacedValue<'_>, decoder: &mut Decoder) -> PackageBlob {
    let (span, absent) = (decoder.span(&root.range()), decoder.absent(root));
    let mut blob = PackageBlob { span, name: absent.clone(), default_channel: absent };
    for (key, value) in decoder.fields(root, &PACKAGE) {
        let place = FieldPlace { owner: &PACKAGE, keys: key };
        match key {
            "name" => blob.name = decoder.text(value, place),
            "defaultChannel" => blob.default_channel = decoder.text(value, place),
            "description" => {
                decoder.text(value, place);
            }
            "icon" => {
                for (key, value) in decoder.object(value, place, &ICON) {
                    let keys = format!("icon.{key}");
                    let place = FieldPlace { owner: &ICON, keys: &keys };
                    match key {
                        "base64data" => drop(decoder.bytes(value, place)),
                        _ => drop(decoder.text(value, place)),
                    }
                }
            }
            "properties" => {
                decoder.list(value, place, "[]property.Property");
            }
            _ => {}
        }
    }
    blob
}

fn channel(root: PlacedValue<'_>, decoder: &mut Decoder) -> ChannelBlob {
    let (span, absent) = (decoder.span(&root.range()), decoder.absent(root));
    let mut blob = ChannelBlob {
        span,
        package: absent.clone(),
        name: absent,
        entries: Vec::new(),
        is_inferred: false,
    };
    for (key, value) in decoder.fields(root, &CHANNEL) {
        let place = FieldPlace { owner: &CHANNEL, keys: key };
        match key {
            "package" => blob.package = decoder.text(value, place),
            "name" => blob.name = decoder.text(value, place),
            "entries" => {
                let items = decoder.list(value, place, "[]declcfg.ChannelEntry");
                blob.entries = items.into_iter().map(|item| entry(item, decoder)).collect();
            }
            "properties" => {
                decoder.list(value, place, "[]property.Property");
            }
            _ => {}
        }
    }
    blob
}

fn entry(value: PlacedValue<'_>, decoder: &mut Decoder) -> EntryBlob {
    let absent = decoder.absent(value);
    let mut blob = EntryBlob {
        span: decoder.span(&value.range()),
        name: absent.clone(),
        replaces: absent.clone(),
        skips: Vec::new(),
        skips_at: None,
        skip_range: absent,
    };
    let place = FieldPlace { owner: &CHANNEL, keys: "entries" };
    for (key, value) in decoder.object(value, place, &ENTRY) {
        let keys = format!("entries.{key}");
        let place = FieldPlace { owner: &ENTRY, keys: &keys };
        match key {
            "name" => blob.name = decoder.text(value, place),
            "replaces" => blob.replaces = decoder.text(value, place),
            "skips" => {
                blob.skips = decoder.texts(value, place);
                blob.skips_at = Some(decoder.span(&value.range()));
            }
            _ => blob.skip_range = decoder.text(value, place),
        }
    }
    blob
}

fn bundle(root: PlacedValue<'_>, decoder: &mut Decoder) -> BundleBlob {
    let absent = decoder.absent(root);
    let mut blob = BundleBlob {
        span: decoder.span(&root.range()),
        package: absent.clone(),
        name: absent.clone(),
        image: absent,
        related_images: Vec::new(),
        properties: Vec::new(),
        is_inferred: false,
    };
    for (key, value) in decoder.fields(root, &BUNDLE) {
        let place = FieldPlace { owner: &BUNDLE, keys: key };
        match key {
            "package" => blob.package = decoder.text(value, place),
            "name" => blob.name = decoder.text(value, place),
            "image" => blob.image = decoder.text(value, place),
            "properties" => {
                let items = decoder.list(value, place, "[]property.Property");
                blob.properties =
                    items.into_iter().map(|item| decoder.property(item, place)).collect();
            }
            "relatedImages" => {
                let items = decoder.list(value, place, "[]declcfg.RelatedImage");
                blob.related_images =
                    items.into_iter().map(|item| related_image(item, decoder)).collect();
            }
            _ => {}
        }
    }
    refuse_broken_objects(&blob, decoder);
    blob
}

/// Refuses bundle objects that are not base64. opm decodes only these while it loads a file, and
/// all other properties later.
fn refuse_broken_objects(blob: &BundleBlob, decoder: &mut Decoder) {
    for (at, property) in blob.properties.iter().enumerate() {
        let Some(fault) = &property.fault else { continue };
        if matches!(property.value, PropertyValue::BundleObject(_)) {
            let words = format!(
                "read bundle objects: package {}, bundle {}: parse property at index {at} as \
                 bundle object: {}",
                quoted(&blob.package.value),
                quoted(&blob.name.value),
                fault.words
            );
            decoder.faults.push(LoadFault {
                span: fault.span,
                cause: LoadCause::BundleObject,
                words,
            });
        }
    }
}

fn related_image(value: PlacedValue<'_>, decoder: &mut Decoder) -> Text {
    let mut image = decoder.absent(value);
    let place = FieldPlace { owner: &BUNDLE, keys: "relatedImages" };
    for (key, value) in decoder.object(value, place, &RELATED_IMAGE) {
        let keys = format!("relatedImages.{key}");
        let text = decoder.text(value, FieldPlace { owner: &RELATED_IMAGE, keys: &keys });
        if key == "image" {
            image = text;
        }
    }
    image
}

fn deprecations(root: PlacedValue<'_>, decoder: &mut Decoder) -> DeprecationsBlob {
    let (span, absent) = (decoder.span(&root.range()), decoder.absent(root));
    let mut blob = DeprecationsBlob { span, package: absent, entries: Vec::new() };
    for (key, value) in decoder.fields(root, &DEPRECATION) {
        let place = FieldPlace { owner: &DEPRECATION, keys: key };
        match key {
            "package" => blob.package = decoder.text(value, place),
            "entries" => {
                let items = decoder.list(value, place, "[]declcfg.DeprecationEntry");
                blob.entries = items.into_iter().map(|item| deprecation(item, decoder)).collect();
            }
            _ => {}
        }
    }
    blob
}

fn deprecation(value: PlacedValue<'_>, decoder: &mut Decoder) -> DeprecationBlob {
    let absent: Spanned<String> = decoder.absent(value);
    let mut blob =
        DeprecationBlob { schema: absent.clone(), name: absent.clone(), message: absent };
    let place = FieldPlace { owner: &DEPRECATION, keys: "entries" };
    for (key, value) in decoder.object(value, place, &DEPRECATION_ENTRY) {
        let keys = format!("entries.{key}");
        let place = FieldPlace { owner: &DEPRECATION_ENTRY, keys: &keys };
        if key == "message" {
            blob.message = decoder.text(value, place);
            continue;
        }
        for (key, value) in decoder.object(value, place, &REFERENCE) {
            let keys = format!("entries.reference.{key}");
            let text = decoder.text(value, FieldPlace { owner: &REFERENCE, keys: &keys });
            match key {
                "schema" => blob.schema = text,
                _ => blob.name = text,
            }
        }
    }
    blob
}
