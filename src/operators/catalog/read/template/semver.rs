//! Templates that list images. Their versions, which come from the images' tags, define the
//! channels.

use serde_json::Value as Json;

use crate::domain::{HashMap, HashSet};
use crate::go::quoted;
use crate::text::words::{counted, quoted as named};
use crate::text::{Span, Spanned};

use super::super::super::declared::{
    BundleBlob, Declared, Inferred, LoadCause, LoadFault, OddityKind, PackageBlob, Property,
    PropertyValue, Text,
};
use super::super::super::rendered::Rendered;
use super::super::decode::{Decoder, FieldPlace, Struct};
use super::super::value::{JsonKind, PlacedValue};
use super::channels::{Archetype, ChannelKind, Generator, TemplateBundle};
use super::fault;
use super::tag::{self, Tagged};
use crate::go::semver::Version;

const TEMPLATE: Struct =
    Struct { go: "semver.SemverTemplateData", noun: "template", fields: &KEYS };
/// The keys of a template.
pub(crate) const KEYS: [&str; 7] = [
    "schema",
    "generateMajorChannels",
    "generateMinorChannels",
    "defaultChannelTypePreference",
    "candidate",
    "fast",
    "stable",
];
const STREAM: Struct =
    Struct { go: "semver.channelBundles", noun: "list of bundles", fields: &["bundles"] };
const BUNDLE: Struct = Struct { go: "semver.bundleEntry", noun: "bundle", fields: &["image"] };

/// The kinds of channels, from the least to the most stable.
const ARCHETYPES: [&str; 3] = ["candidate", "fast", "stable"];
const UNREAD: &str = "render: unable to read file";

/// The content of a template.
struct Template {
    start: Span,
    major: bool,
    minor: bool,
    preference: Option<Text>,
    /// The images of each archetype.
    images: [Vec<Text>; 3],
}

pub(super) fn read(
    root: PlacedValue<'_>,
    rendered: &Rendered,
    decoder: &mut Decoder,
    declared: &mut Declared,
) {
    let known = decoder.oddities.len();
    let template = template(root, decoder);
    refuse_oddities(root, known, decoder);
    let (kinds, preferred) = kinds(&template, decoder);
    let mut unknown: Vec<&Text> = Vec::new();
    let mut told: HashMap<&str, Tagged> = HashMap::default();
    for image in template.images.iter().flatten() {
        if !told.contains_key(image.value.as_str()) {
            match of_rendered(image, rendered).or_else(|| tag::of_image(&image.value)) {
                Some(tagged) => drop(told.insert(&image.value, tagged)),
                None => unknown.push(image),
            }
        }
    }
    decoder.faults.extend(unknown_versions(&unknown));
    let first = template.images.iter().flatten().find_map(|image| {
        told.get(image.value.as_str()).map(|tagged| (tagged.package.clone(), image.span))
    });
    let Some((package, span)) = first else {
        if unknown.is_empty() {
            let why = "the template has no images of bundles".to_owned();
            let words = "render: no bundles specified or no bundles could be rendered".to_owned();
            decoder.faults.push(fault(template.start, why, words));
        }
        return;
    };
    let package = Spanned { value: package, span };
    let mut generator = Generator::new(package.clone(), kinds, preferred);
    for (rank, images) in template.images.iter().enumerate() {
        let members = members(images, &told, decoder);
        add_bundles(&members, images, &package, rendered, declared);
        generator.add(Archetype { rank, name: ARCHETYPES[rank] }, &members);
    }
    let guessed = told.keys().filter(|image| rendered.bundle(image).is_none()).count();
    finish(generator, template.start, guessed, decoder, declared);
}

fn template(root: PlacedValue<'_>, decoder: &mut Decoder) -> Template {
    let mut template = Template {
        start: decoder.absent(root).span,
        major: false,
        minor: false,
        preference: None,
        images: Default::default(),
    };
    for (key, value) in decoder.fields(root, &TEMPLATE) {
        let place = FieldPlace { owner: &TEMPLATE, keys: key };
        match key {
            "schema" => template.start = decoder.span(&value.range()),
            "generateMajorChannels" => template.major = flag(value, place, decoder),
            "generateMinorChannels" => template.minor = flag(value, place, decoder),
            "defaultChannelTypePreference" => {
                let text = decoder.text(value, place);
                template.preference = (!text.value.is_empty()).then_some(text);
            }
            _ => {
                let at = ARCHETYPES.iter().position(|archetype| *archetype == key);
                if let Some(images) = at.and_then(|at| template.images.get_mut(at)) {
                    *images = stream(value, place, decoder);
                }
            }
        }
    }
    template
}

fn flag(value: PlacedValue<'_>, place: FieldPlace<'_>, decoder: &mut Decoder) -> bool {
    match value.kind() {
        JsonKind::Boolean => value.to_json() == Some(Json::Bool(true)),
        JsonKind::Null => false,
        _ => {
            decoder.wrong(value, place, "bool", "a boolean");
            false
        }
    }
}

/// Reads the images of an archetype.
fn stream(value: PlacedValue<'_>, place: FieldPlace<'_>, decoder: &mut Decoder) -> Vec<Text> {
    let mut images = Vec::new();
    for (key, list) in decoder.object(value, place, &STREAM) {
        let keys = format!("{}.{key}", place.keys);
        let place = FieldPlace { owner: &STREAM, keys: &keys };
        for item in decoder.list(list, place, "[]semver.bundleEntry") {
            let mut image = decoder.absent(item);
            for (key, value) in decoder.object(item, place, &BUNDLE) {
                let keys = format!("{}.{key}", place.keys);
                image = decoder.text(value, FieldPlace { owner: &BUNDLE, keys: &keys });
            }
            images.push(image);
        }
    }
    images
}

/// Turns oddities into faults. opm reads these templates strictly: it refuses unknown and repeated
/// keys.
fn refuse_oddities(root: PlacedValue<'_>, known: usize, decoder: &mut Decoder) {
    for oddity in decoder.oddities.split_off(known) {
        let OddityKind::UnknownKey { key, .. } = oddity.kind else { continue };
        let words = format!(
            "{UNREAD}: error unmarshaling JSON: while decoding JSON: json: unknown field {}",
            quoted(&key)
        );
        let why = format!("`{key}` is not a key of a semver template");
        decoder.faults.push(fault(oddity.span, why, words));
    }
    for range in root.repeated_keys() {
        let span = decoder.span(&range);
        let cause = LoadCause::RepeatedKey(String::new());
        let words = format!("{UNREAD}: a key is already set in map");
        decoder.faults.push(LoadFault { span, cause, words });
    }
}

/// The kinds of channels to make, and the kind of the default channel.
fn kinds(template: &Template, decoder: &mut Decoder) -> (Vec<ChannelKind>, ChannelKind) {
    let is_minor = template.minor || !template.major;
    let mut kinds = Vec::new();
    kinds.extend(template.major.then_some(ChannelKind::Major));
    kinds.extend(is_minor.then_some(ChannelKind::Minor));
    let usual = if is_minor { ChannelKind::Minor } else { ChannelKind::Major };
    let Some(preference) = &template.preference else { return (kinds, usual) };
    let wanted = match preference.value.as_str() {
        "major" => ChannelKind::Major,
        "minor" => ChannelKind::Minor,
        other => {
            let why = format!("`{other}` is not a kind of channel: use `major` or `minor`");
            let words = format!(
                "{UNREAD}: unknown DefaultChannelTypePreference: {}\nValid values are 'major' or 'minor'",
                quoted(other)
            );
            decoder.faults.push(fault(preference.span, why, words));
            return (kinds, usual);
        }
    };
    if !kinds.contains(&wanted) {
        let word = &preference.value;
        let why = format!("the default channel is a {word} one, but the template makes none");
        let words = format!(
            "{UNREAD}: schema attribute mismatch: DefaultChannelTypePreference set to '{word}' \
             doesn't make sense if not generating {word}-version channels"
        );
        decoder.faults.push(fault(preference.span, why, words));
        return (kinds, usual);
    }
    (kinds, wanted)
}

fn unknown_versions(images: &[&Text]) -> Option<LoadFault> {
    let first = images.first()?;
    let why = match images {
        [one] => format!(
            "the version of the image `{}` is unknown: its tag has none, and images are not pulled; \
             `--rendered FILE` adds what `opm render` prints",
            one.value
        ),
        several => format!(
            "the versions of {}, such as {}, are unknown: their tags have none, and images are not \
             pulled; `--rendered FILE` adds what `opm render` prints",
            counted(several.len(), "image"),
            named(&[first.value.as_str()]).join("")
        ),
    };
    Some(fault(first.span, why.clone(), why))
}

/// The bundles of an archetype, sorted by version. opm refuses equal versions.
fn members(
    images: &[Text],
    told: &HashMap<&str, Tagged>,
    decoder: &mut Decoder,
) -> Vec<TemplateBundle> {
    let (mut names, mut versions) = (HashSet::default(), HashSet::default());
    let mut members = Vec::new();
    for image in images {
        let Some(Tagged { name, version, .. }) = told.get(image.value.as_str()) else { continue };
        let words = "render: unable to post-process bundle info";
        if !names.insert(name) {
            let why = format!("the bundle `{name}` is listed twice");
            let words = format!("{words}: duplicate bundle name {}", quoted(name));
            decoder.faults.push(fault(image.span, why, words));
        } else if !versions.insert(version.without_build().to_string()) {
            let why = format!("another bundle has the version {version}, except for the build");
            let words = format!(
                "{words}: encountered bundle versions which differ only by build metadata, which \
                 cannot be ordered: bundle version \"{version}\" cannot be compared to \"{}\"",
                version.without_build()
            );
            decoder.faults.push(fault(image.span, why, words));
        } else {
            let (name, version) = (name.clone(), version.clone());
            members.push(TemplateBundle { name, version, span: image.span });
        }
    }
    members.sort_by(|a, b| a.version.precedence(&b.version));
    members
}

/// What is known about an image that was rendered.
fn of_rendered(image: &Text, rendered: &Rendered) -> Option<Tagged> {
    let bundle = rendered.bundle(&image.value)?;
    let version = bundle.properties.iter().find_map(|property| match &property.value {
        PropertyValue::Package { version, .. } => Version::parse(&version.value).ok(),
        _ => None,
    })?;
    let (package, name) = (bundle.package.value.clone(), bundle.name.value.clone());
    Some(Tagged { package, name, version })
}

fn add_bundles(
    members: &[TemplateBundle],
    images: &[Text],
    package: &Text,
    rendered: &Rendered,
    declared: &mut Declared,
) {
    let known: HashSet<String> =
        declared.bundles.iter().map(|blob| blob.name.value.clone()).collect();
    let images: HashMap<Span, &Text> = images.iter().map(|image| (image.span, image)).collect();
    for member in members.iter().filter(|member| !known.contains(&member.name)) {
        let at = |text: String| Spanned { value: text, span: member.span };
        let image = images.get(&member.span).map(|image| image.value.clone());
        if let Some(bundle) = image.as_deref().and_then(|image| rendered.bundle(image)) {
            declared.bundles.push(bundle.clone());
            continue;
        }
        declared.bundles.push(BundleBlob {
            span: member.span,
            package: package.clone(),
            name: at(member.name.clone()),
            image: at(image.unwrap_or_default()),
            related_images: Vec::new(),
            properties: vec![Property {
                span: member.span,
                kind: at("olm.package".to_owned()),
                value: PropertyValue::Package {
                    name: package.clone(),
                    version: at(member.version.to_string()),
                    release: at(String::new()),
                },
                fault: None,
            }],
            is_inferred: true,
        });
    }
}

fn finish(
    generator: Generator,
    start: Span,
    images: usize,
    decoder: &mut Decoder,
    declared: &mut Declared,
) {
    if generator.is_too_large {
        let why = "the channels of this template have too many skips".to_owned();
        decoder.faults.push(fault(start, why.clone(), why));
    }
    let default_channel = generator.default_channel().unwrap_or_default().to_owned();
    let name = generator.package;
    if images > 0 {
        let words = format!(
            "this is a template, and images are not pulled: the versions of {} are those of the tags, \
             and so is the package `{}`",
            counted(images, "bundle"),
            name.value
        );
        declared.inferred.push(Inferred { span: start, words });
    }
    let default_channel = Spanned { value: default_channel, span: start };
    declared.packages.push(PackageBlob { span: start, name, default_channel });
    declared.channels.extend(generator.channels.into_values());
}
