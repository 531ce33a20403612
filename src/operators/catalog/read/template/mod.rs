//! Templates, the input of `opm alpha render-template`, and what they render to, as far as that is
//! known without their images.

mod basic;
mod channels;
mod semver;
mod tag;

#[cfg(feature = "lsp")]
pub(crate) use semver::KEYS as SEMVER_TEMPLATE_KEYS;

use crate::text::{SourceId, Span, Spanned};

use super::super::declared::{BundleBlob, Declared, LoadCause, LoadFault, Substitution};
use super::super::rendered::Rendered;
use super::decode::Decoder;
use super::value::PlacedValue;

/// Reads a template of one kind.
type Reader = fn(PlacedValue<'_>, &Rendered, &mut Decoder, &mut Declared);

/// The reader of templates with this schema. None if it is not the schema of a template.
pub(super) fn reader(schema: &str) -> Option<Reader> {
    match schema {
        "olm.template.basic" => Some(basic::read_basic),
        "olm.template.substitutes" => Some(basic::read_substitutes),
        "olm.semver" => Some(semver::read),
        _ => None,
    }
}

/// What a template renders to. The document begins at `offset` in the file.
pub(super) fn read(
    root: PlacedValue<'_>,
    source: SourceId,
    offset: usize,
    reader: Reader,
    rendered: &Rendered,
) -> Declared {
    let mut decoder = Decoder { source, offset, faults: Vec::new(), oddities: Vec::new() };
    let mut declared = Declared::default();
    reader(root, rendered, &mut decoder, &mut declared);
    declared.faults.append(&mut decoder.faults);
    declared.oddities.append(&mut decoder.oddities);
    declared
}

/// The bundle of a substitution whose image was not rendered, as far as the image's tag tells.
/// `base` is the bundle that it substitutes for.
pub(crate) fn guessed_bundle(
    substitution: &Substitution,
    base: Option<&BundleBlob>,
) -> Option<BundleBlob> {
    let tagged = tag::of_image(&substitution.image.value)?;
    let at = |value: String| Spanned { value, span: substitution.image.span };
    let (package, name) = match base {
        Some(base) => {
            let package = base.package.value.clone();
            (package.clone(), format!("{package}.v{}", tagged.version))
        }
        None => (tagged.package, tagged.name),
    };
    let mut bundle = basic::bundle(&at(package), &at(name));
    bundle.image = substitution.image.clone();
    Some(bundle)
}

/// A fault of a template, in plain words (`why`) and in opm's.
fn fault(span: Span, why: String, words: String) -> LoadFault {
    LoadFault { span, cause: LoadCause::Input(why), words }
}
