//! Templates whose entries are documents of a catalog. A bundle can be only an image. If so, its
//! name comes from the entries of channels.

use std::fmt::Write;

use crate::domain::HashSet;
use crate::go::names_field;
use crate::text::words::counted;
use crate::text::{Span, Spanned};

use super::super::super::declared::{
    BundleBlob, Declared, Inferred, LoadCause, LoadFault, Property, PropertyValue, Substitution,
    Text,
};
use super::super::super::rendered::Rendered;
use super::super::blob;
use super::super::decode::{Decoder, FieldPlace, Struct, noun};
use super::super::value::{JsonKind, PlacedValue};
use super::{fault, tag};

const BASIC: Struct =
    Struct { go: "basic.BasicTemplate", noun: "template", fields: &["schema", "entries"] };
const SUBSTITUTES: Struct = Struct {
    go: "substitutes.SubstitutesTemplateData",
    noun: "template",
    fields: &["schema", "entries", "substitutions"],
};
const SUBSTITUTION: Struct =
    Struct { go: "substitutes.Substitute", noun: "substitution", fields: &["name", "base"] };

pub(super) fn read_basic(
    root: PlacedValue<'_>,
    rendered: &Rendered,
    decoder: &mut Decoder,
    declared: &mut Declared,
) {
    read(root, &BASIC, rendered, decoder, declared);
}

pub(super) fn read_substitutes(
    root: PlacedValue<'_>,
    rendered: &Rendered,
    decoder: &mut Decoder,
    declared: &mut Declared,
) {
    read(root, &SUBSTITUTES, rendered, decoder, declared);
}

fn read(
    root: PlacedValue<'_>,
    of: &Struct,
    rendered: &Rendered,
    decoder: &mut Decoder,
    declared: &mut Declared,
) {
    let (mut images, mut start) = (Vec::new(), decoder.absent(root).span);
    for (key, value) in decoder.fields(root, of) {
        let place = FieldPlace { owner: of, keys: key };
        match key {
            "schema" => start = decoder.text(value, place).span,
            "entries" => {
                for item in decoder.list(value, place, "[]*declcfg.Meta") {
                    images.extend(entry(item, of, decoder, declared));
                }
            }
            _ => {
                let items = decoder.list(value, place, "[]substitutes.Substitute");
                let items = items.into_iter().map(|item| substitution(item, decoder));
                declared.substitutions.extend(items);
            }
        }
    }
    let (known, unknown): (Vec<_>, Vec<_>) =
        images.iter().map(|image| rendered.bundle(image)).partition(Option::is_some);
    declared.bundles.extend(known.into_iter().flatten().cloned());
    infer(unknown.len(), start, declared);
}

/// Reads an entry. If it is a bundle that is only an image, returns the image.
fn entry(
    item: PlacedValue<'_>,
    of: &Struct,
    decoder: &mut Decoder,
    declared: &mut Declared,
) -> Option<String> {
    let span = decoder.span(&item.range());
    if !matches!(item.kind(), JsonKind::Mapping) {
        let cause = LoadCause::NotAnObject(noun(item));
        let words = "unmarshalling template: an entry is not a mapping".to_owned();
        decoder.faults.push(LoadFault { span, cause, words });
        return None;
    }
    let schema = item.fields().into_iter().find(|field| names_field(&field.key, "schema"));
    let schema = match schema.as_ref().map(|field| field.value.kind()) {
        Some(JsonKind::Text(schema)) if !schema.is_empty() => schema,
        _ => {
            let words = "an entry is missing root schema field".to_owned();
            decoder.faults.push(LoadFault { span, cause: LoadCause::NoSchema, words });
            return None;
        }
    };
    blob::typed(item, schema, decoder, declared);
    let bundle = declared.bundles.last().filter(|_| schema == "olm.bundle")?;
    let has_more = !bundle.package.value.is_empty()
        || !bundle.properties.is_empty()
        || !bundle.related_images.is_empty();
    if !has_more && !bundle.image.value.is_empty() {
        return declared.bundles.pop().map(|bundle| bundle.image.value);
    }
    if of.fields.len() == BASIC.fields.len() {
        let why = "a bundle of a basic template has only `schema` and `image`".to_owned();
        let words = "unexpected fields present in basic template bundle".to_owned();
        decoder.faults.push(fault(span, why, words));
    }
    None
}

fn substitution(item: PlacedValue<'_>, decoder: &mut Decoder) -> Substitution {
    let absent = decoder.absent(item);
    let (mut image, mut base) = (absent.clone(), absent.clone());
    let place = FieldPlace { owner: &SUBSTITUTES, keys: "substitutions" };
    for (key, value) in decoder.object(item, place, &SUBSTITUTION) {
        let keys = format!("substitutions.{key}");
        let text = decoder.text(value, FieldPlace { owner: &SUBSTITUTION, keys: &keys });
        match key {
            "name" => image = text,
            _ => base = text,
        }
    }
    Substitution { span: absent.span, image, base }
}

/// If some bundles are only images, adds a bundle for each entry that has none.
fn infer(images: usize, start: Span, declared: &mut Declared) {
    if images == 0 {
        return;
    }
    let bundles = declared.bundles.iter();
    let mut known: HashSet<(String, String)> =
        bundles.map(|blob| (blob.package.value.clone(), blob.name.value.clone())).collect();
    let mut inferred = Vec::new();
    for channel in &declared.channels {
        for entry in channel.entries.iter().filter(|entry| !entry.name.value.is_empty()) {
            let key = (channel.package.value.clone(), entry.name.value.clone());
            if known.insert(key) {
                inferred.push(bundle(&channel.package, &entry.name));
            }
        }
    }
    let (entries, unversioned) = (inferred.len(), |blob: &&BundleBlob| blob.properties.is_empty());
    let without = inferred.iter().filter(unversioned).count();
    let mut words = format!(
        "this is a template, and images are not pulled: the versions of {} are those in their names",
        counted(entries, "bundle")
    );
    if without > 0 {
        let _ = write!(words, ", and {without} of them have none");
    }
    if images != entries {
        let images = counted(images, "image");
        let _ = write!(
            words,
            "; the template has {images} for them, so opm may refuse what it renders to"
        );
    }
    declared.inferred.push(Inferred { span: start, words });
    declared.bundles.append(&mut inferred);
}

pub(super) fn bundle(package: &Text, name: &Text) -> BundleBlob {
    let at = |text: String| Spanned { value: text, span: name.span };
    let version = tag::version_of_name(&name.value);
    let properties = version.map(|version| Property {
        span: name.span,
        kind: at("olm.package".to_owned()),
        value: PropertyValue::Package {
            name: package.clone(),
            version: at(version.to_string()),
            release: at(String::new()),
        },
        fault: None,
    });
    BundleBlob {
        span: name.span,
        package: package.clone(),
        name: name.clone(),
        image: at(String::new()),
        related_images: Vec::new(),
        properties: properties.into_iter().collect(),
        is_inferred: true,
    }
}
