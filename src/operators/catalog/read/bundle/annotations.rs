//! `metadata/annotations.yaml`: the package and the channels of a bundle.

use crate::text::Spanned;

use super::super::super::declared::Text;
use super::super::decode::{Decoder, Struct};
use super::super::value::{JsonKind, PlacedValue};
use super::Annotations;
use super::lookup::Node;

const FILE: Struct =
    Struct { go: "bundle.AnnotationMetadata", noun: "file", fields: &["annotations"] };

const PACKAGE: &str = "operators.operatorframework.io.bundle.package.v1";
const CHANNELS: &str = "operators.operatorframework.io.bundle.channels.v1";
const DEFAULT_CHANNEL: &str = "operators.operatorframework.io.bundle.channel.default.v1";

pub(super) fn read(root: PlacedValue<'_>, known: &mut Annotations, decoder: &mut Decoder) {
    match root.kind() {
        JsonKind::Mapping => {}
        JsonKind::Null => return,
        _ => {
            let place = Node::new(root, &FILE).place("");
            return decoder.wrong(root, place, FILE.go, "a mapping");
        }
    }
    let Some(annotations) = Node::new(root, &FILE).below("annotations", decoder) else { return };
    let mut filled = |name: &str| {
        let text = annotations.annotation(name, decoder)?;
        (!text.value.trim().is_empty()).then_some(text)
    };
    known.package = filled(PACKAGE).or(known.package.take());
    known.default_channel = filled(DEFAULT_CHANNEL).or(known.default_channel.take());
    known.channels = filled(CHANNELS).map(|text| split(&text)).or(known.channels.take());
}

/// The channels in a text that lists them, each once.
fn split(text: &Text) -> Vec<Text> {
    let mut names: Vec<&str> = text.value.split(',').map(str::trim).collect();
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    let names = names.into_iter();
    names.map(|name| Spanned { value: name.to_owned(), span: text.span }).collect()
}
