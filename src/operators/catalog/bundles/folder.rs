//! One bundle: the files of its folder, and whether they are complete.

use crate::text::{SourceId, Span, Spanned};

use super::super::declared::{
    BundleBlob, Declared, LoadCause, LoadFault, Property, PropertyValue, Text,
};
use super::super::read::{Annotations, BundlePart, Content, Csv};
use super::channels::{ChannelBundle, Channels};

/// The annotation that makes a folder a bundle.
pub(super) const PACKAGE: &str = "operators.operatorframework.io.bundle.package.v1";
const CHANNELS: &str = "operators.operatorframework.io.bundle.channels.v1";

#[derive(Debug, Default)]
pub(super) struct Folder {
    /// The first file, for faults that have no better place.
    first: Option<SourceId>,
    annotations: Option<(SourceId, Annotations)>,
    csvs: Vec<Csv>,
    properties: Vec<Property>,
}

impl Folder {
    pub(super) fn add(&mut self, id: SourceId, part: BundlePart) {
        self.first.get_or_insert(id);
        match part.content {
            Content::Annotations(annotations) => self.annotations = Some((id, annotations)),
            Content::Csvs(mut csvs) => self.csvs.append(&mut csvs),
            Content::Properties(mut properties) => self.properties.append(&mut properties),
        }
    }

    /// Adds the bundle and its entries, or a fault that says what is missing.
    pub(super) fn declare(self, channels: &mut Channels, declared: &mut Declared) {
        // A folder `manifests` without either is not a bundle.
        if self.annotations.is_none() && self.csvs.is_empty() {
            return;
        }
        match self.complete() {
            Ok(CompleteBundle { csv, package, annotations, properties }) => {
                let member = ChannelBundle {
                    entry: super::channels::entry(&csv),
                    version: csv.version.value.clone(),
                    channels: annotations.channels.unwrap_or_default(),
                    default_channel: annotations.default_channel,
                };
                match channels.add(&package, member) {
                    Ok(()) => declared.bundles.push(bundle(csv, package, properties)),
                    Err(fault) => declared.faults.push(fault),
                }
            }
            Err(fault) => declared.faults.push(fault),
        }
    }

    fn complete(self) -> Result<CompleteBundle, LoadFault> {
        let start = |id: SourceId| Span::new(id, 0..0);
        let mut csvs = self.csvs.into_iter();
        let first = csvs.next();
        let Some((file, mut annotations)) = self.annotations else {
            let span = first.map(|csv| csv.name.span).or(self.first.map(start));
            let why = "the bundle has no file `metadata/annotations.yaml`";
            return Err(fault(span.unwrap_or_else(|| start(SourceId::at(0))), why));
        };
        let Some(package) = annotations.package.take() else {
            return Err(missing(start(file), PACKAGE));
        };
        if annotations.channels.as_ref().is_none_or(Vec::is_empty) {
            return Err(missing(package.span, CHANNELS));
        }
        let Some(csv) = first else {
            let why = "the bundle has no ClusterServiceVersion in `manifests`";
            return Err(fault(package.span, why));
        };
        if let Some(second) = csvs.next() {
            let why = "the bundle has more than one ClusterServiceVersion";
            return Err(fault(second.name.span, why));
        }
        if csv.name.value.is_empty() {
            return Err(fault(csv.name.span, "the ClusterServiceVersion has no name"));
        }
        Ok(CompleteBundle { csv, package, annotations, properties: self.properties })
    }
}

/// A bundle that lacks nothing.
struct CompleteBundle {
    csv: Csv,
    package: Text,
    annotations: Annotations,
    properties: Vec<Property>,
}

fn missing(span: Span, annotation: &str) -> LoadFault {
    fault(span, &format!("the bundle has no annotation `{annotation}`"))
}

fn fault(span: Span, why: &str) -> LoadFault {
    LoadFault { span, cause: LoadCause::Input(why.to_owned()), words: why.to_owned() }
}

fn bundle(csv: Csv, package: Text, mut others: Vec<Property>) -> BundleBlob {
    let Csv { name, version, release, related_images, properties: mut of_csv, .. } = csv;
    let span = version.span;
    let kind = Spanned { value: "olm.package".to_owned(), span };
    let value = PropertyValue::Package { name: package.clone(), version, release };
    let mut properties = vec![Property { span, kind, value, fault: None }];
    properties.append(&mut of_csv);
    properties.append(&mut others);
    let (span, image) = (name.span, Spanned { value: String::new(), span: name.span });
    BundleBlob { span, package, name, image, related_images, properties, is_inferred: false }
}
