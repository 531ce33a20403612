//! What `opm alpha render-template substitutes` renders.

use std::collections::BTreeMap;

use crate::domain::HashSet;
use crate::go::{self, quoted};

use super::super::assemble::version_of;
use super::super::declared::{BundleBlob, Declared, EntryBlob, Substitution, Text};
use super::super::opm::{objections, verdict};
use crate::text::Spanned;

/// Renders a template as opm does: one substitution after the other. `images` maps images to their
/// bundles. The error is opm's message.
pub fn like_opm(
    mut declared: Declared,
    mut images: BTreeMap<String, BundleBlob>,
) -> Result<Declared, go::Error> {
    let substitutions = std::mem::take(&mut declared.substitutions);
    refuse_repeated(&substitutions)?;
    if let Some(fault) = declared.faults.first() {
        return Err(format!(
            "render: unable to create declarative config from entries: {}",
            fault.words
        )
        .into());
    }
    if let Some(words) = verdict(&objections(&declared)) {
        return Err(format!("render: entries are not valid FBC: {words}").into());
    }
    for substitution in &substitutions {
        apply(&mut declared, substitution, &mut images).map_err(|words| {
            format!(
                "render: error processing substitution {} -> {}: {words}",
                quoted(&substitution.base.value),
                quoted(&substitution.image.value)
            )
        })?;
    }
    Ok(declared)
}

/// opm's message if a file is not a template of substitutions. `schema` is the schema of its first
/// document, and None if the file has no document.
pub fn template_fault(schema: Option<&str>) -> Option<String> {
    const SCHEMA: &str = "olm.template.substitutes";
    let why = match schema {
        Some(SCHEMA) => return None,
        Some(other) => {
            format!("template has unknown schema ({}), should be {}", quoted(other), quoted(SCHEMA))
        }
        None => "decoding template schema: EOF".to_owned(),
    };
    Some(format!("render: unable to parse template: {why}"))
}

fn refuse_repeated(substitutions: &[Substitution]) -> Result<(), go::Error> {
    let (mut images, mut bases) = (HashSet::default(), HashSet::default());
    for Substitution { image, base, .. } in substitutions {
        for (what, name, known) in [("base", base, &mut bases), ("name", image, &mut images)] {
            if !known.insert(&name.value) {
                let name = quoted(&name.value);
                return Err(
                    format!("render: cannot reuse the same substitution {what} {name}").into()
                );
            }
        }
    }
    Ok(())
}

fn apply(
    declared: &mut Declared,
    substitution: &Substitution,
    images: &mut BTreeMap<String, BundleBlob>,
) -> Result<(), go::Error> {
    let substitute = checked(declared, substitution, images)?;
    let name = Spanned { value: substitute.name.value.clone(), span: substitution.span };
    for channel in &mut declared.channels {
        rewrite(&mut channel.entries, &substitution.base, &name);
    }
    declared.bundles.push(substitute);
    match verdict(&objections(declared)) {
        Some(words) => Err(format!("resulting config is not valid FBC: {words}").into()),
        None => Ok(()),
    }
}

/// The bundle of a substitution, if opm accepts it.
fn checked(
    declared: &Declared,
    substitution: &Substitution,
    images: &mut BTreeMap<String, BundleBlob>,
) -> Result<BundleBlob, go::Error> {
    let (image, base) = (&substitution.image.value, &substitution.base.value);
    if image.is_empty() {
        return Err("substitution name cannot be empty".to_owned().into());
    }
    if base.is_empty() {
        return Err("substitution base cannot be empty".to_owned().into());
    }
    if image == base {
        return Err("substitution name and base cannot be the same".to_owned().into());
    }
    let Some(bundle) = images.remove(image) else {
        let image = quoted(image);
        return Err(format!("rendered bundle image reference {image} contains no bundles").into());
    };
    let known = declared.bundles.iter().find(|bundle| bundle.name.value == *base);
    let Some(known) = known else {
        return Err(format!("base bundle {} does not exist in catalog", quoted(base)).into());
    };
    let versions = version_of(known).zip(version_of(&bundle));
    if versions.is_some_and(|(old, new)| old.compare(&new).is_ge()) {
        let (base, image) = (quoted(base), quoted(image));
        return Err(format!("base bundle {base} is not less than substitute bundle {image}").into());
    }
    Ok(bundle)
}

/// Moves the edges of the base to a new entry, and points the other entries to that.
fn rewrite(entries: &mut Vec<EntryBlob>, base: &Text, name: &Text) {
    let absent = Spanned { value: String::new(), span: name.span };
    let mut added = Vec::new();
    for entry in entries.iter_mut().filter(|entry| entry.name.value == base.value) {
        let mut new = entry.clone();
        new.name = name.clone();
        new.skips.push(base.clone());
        added.push(new);
        entry.replaces = absent.clone();
        entry.skips.clear();
        entry.skip_range = absent.clone();
    }
    for entry in entries.iter_mut() {
        if entry.replaces.value == base.value {
            entry.replaces = name.clone();
            entry.skips.push(base.clone());
        } else if entry.skips.iter().any(|skip| skip.value == base.value) {
            entry.skips.push(name.clone());
            entry.skips.retain(|skip| skip.value != base.value);
        }
    }
    added.reverse();
    entries.append(&mut added);
}
