//! Reads the files of one bundle as its authors write them: a ClusterServiceVersion, annotations,
//! dependencies, and properties.

mod annotations;
mod csv;
mod extras;
mod lookup;

use crate::go::names_field;
use crate::text::{Source, SourceId};
use crate::yaml;

use super::super::declared::{LoadFault, Property, Text};
use super::decode::Decoder;
use super::stream::{self, Syntax};
use super::value::{JsonKind, PlacedValue};
use super::{Commented, ParsedPiece, commented, fault_of_stream, parsed, syntax_fault};

/// The role of a file in its bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A file of `manifests/`. Any of them can hold the ClusterServiceVersion.
    Manifest,
    /// `metadata/annotations.yaml`
    Annotations,
    /// `metadata/dependencies.yaml`
    Dependencies,
    /// `metadata/properties.yaml`
    Properties,
}

/// The part of a bundle that one file describes.
#[derive(Debug)]
pub(crate) struct BundlePart {
    pub content: Content,
    pub faults: Vec<LoadFault>,
    pub commented: Vec<Commented>,
}

#[derive(Debug)]
pub(crate) enum Content {
    Annotations(Annotations),
    /// The ClusterServiceVersions of a file. Most files have none.
    Csvs(Vec<Csv>),
    Properties(Vec<Property>),
}

/// The package and the channels of a bundle.
#[derive(Debug, Default)]
pub(crate) struct Annotations {
    pub package: Option<Text>,
    /// All channels have the place of the annotation.
    pub channels: Option<Vec<Text>>,
    pub default_channel: Option<Text>,
}

/// The parts of a ClusterServiceVersion that the update graph needs.
#[derive(Debug)]
pub(crate) struct Csv {
    pub name: Text,
    pub version: Text,
    pub release: Text,
    pub replaces: Text,
    pub skips: Vec<Text>,
    pub skip_range: Text,
    pub substitutes_for: Option<Text>,
    pub related_images: Vec<Text>,
    /// The APIs that it provides and requires, and its other properties.
    pub properties: Vec<Property>,
}

/// The folder of the bundle that a file belongs to, and the role of the file. None for all other
/// files.
pub(crate) fn role(path: &str) -> Option<(&str, Role)> {
    let (rest, file) = path.rsplit_once('/')?;
    let (folder, below) = rest.rsplit_once('/').unwrap_or(("", rest));
    let stem = || file.strip_suffix(".yaml").or_else(|| file.strip_suffix(".yml"));
    let role = match below {
        "manifests" => Role::Manifest,
        "metadata" => match stem()? {
            "annotations" => Role::Annotations,
            "dependencies" => Role::Dependencies,
            "properties" => Role::Properties,
            _ => return None,
        },
        _ => return None,
    };
    Some((folder, role))
}

/// Reads a file of a bundle. The role says what it is.
pub(crate) fn read_part(source: &Source, id: SourceId, role: Role) -> BundlePart {
    let mut part = BundlePart {
        content: match role {
            Role::Manifest => Content::Csvs(Vec::new()),
            Role::Annotations => Content::Annotations(Annotations::default()),
            Role::Dependencies | Role::Properties => Content::Properties(Vec::new()),
        },
        faults: Vec::new(),
        commented: Vec::new(),
    };
    // Other manifests can be large, and do not matter for updates.
    if role == Role::Manifest && !source.text().contains(csv::KIND) {
        return part;
    }
    let (pieces, faults) = stream::pieces(source.text());
    part.faults.extend(faults.into_iter().map(|fault| fault_of_stream(fault, id)));
    for piece in pieces {
        let ParsedPiece { text, offset, document } = parsed(source, &piece);
        match document {
            Ok(document) => {
                let root = PlacedValue::root(&document, piece.syntax);
                read_document(root, id, offset, role, &mut part);
                part.commented.extend(commented(document, text, id, offset));
            }
            Err(error) => part.faults.push(syntax_fault(text, &error, id, offset)),
        }
    }
    part
}

fn read_document(
    root: PlacedValue<'_>,
    source: SourceId,
    offset: usize,
    role: Role,
    part: &mut BundlePart,
) {
    let mut decoder = Decoder { source, offset, faults: Vec::new(), oddities: Vec::new() };
    match &mut part.content {
        Content::Annotations(known) => annotations::read(root, known, &mut decoder),
        Content::Csvs(csvs) => csvs.extend(csv::read(root, &mut decoder)),
        Content::Properties(properties) if role == Role::Dependencies => {
            properties.append(&mut extras::dependencies(root, &mut decoder));
        }
        Content::Properties(properties) => {
            properties.append(&mut extras::properties(root, &mut decoder));
        }
    }
    part.faults.append(&mut decoder.faults);
}

/// Whether a text contains a document of a catalog or of a template.
pub(crate) fn is_of_catalog(text: &str) -> bool {
    may_be_of_catalog(text) && stream::pieces(text).0.iter().any(|piece| has_schema(text, piece))
}

/// Whether a text, which may be broken, seems to contain a document of a catalog or of a template.
pub(crate) fn may_be_of_catalog(text: &str) -> bool {
    schemas(text).any(|schema| schema.starts_with("olm."))
}

/// Whether a text, which may be broken, seems to be a template: the first schema is that of one.
#[cfg(feature = "lsp")]
pub(crate) fn is_template(text: &str) -> bool {
    schemas(text).next().is_some_and(|schema| super::template::reader(schema).is_some())
}

/// What seems to be the schemas of the documents of a text.
fn schemas(text: &str) -> impl Iterator<Item = &str> {
    let is_around = |c: char| matches!(c, '"' | '\'' | ' ' | '\t');
    text.match_indices("chema").filter_map(move |(at, key)| {
        let value = text[at + key.len()..].trim_start_matches(is_around).strip_prefix(':')?;
        let value = value.trim_start_matches(is_around);
        value.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-')).next()
    })
}

fn has_schema(text: &str, piece: &stream::Piece) -> bool {
    let text = text[piece.range.clone()].trim_start_matches('\u{FEFF}');
    let document = match piece.syntax {
        Syntax::Json => yaml::parse_json(text),
        Syntax::Yaml => yaml::parse_first(text),
    };
    let Ok(document) = document else { return false };
    let fields = PlacedValue::root(&document, piece.syntax).fields();
    fields.iter().any(|field| {
        let is_olm =
            matches!(field.value.kind(), JsonKind::Text(schema) if schema.starts_with("olm."));
        is_olm && names_field(&field.key, "schema")
    })
}

#[cfg(test)]
mod tests {
    use super::{Role, is_of_catalog, role};

    #[test]
    fn a_path_tells_the_role_of_a_file() {
        assert_eq!(role("manifests/a.yaml"), Some(("", Role::Manifest)));
        assert_eq!(role("a/1.0.0/metadata/annotations.yaml"), Some(("a/1.0.0", Role::Annotations)));
        assert_eq!(role("a/metadata/properties.yml"), Some(("a", Role::Properties)));
        assert_eq!(role("a/metadata/readme.md"), None);
        assert_eq!(role("a/tests/scorecard/config.yaml"), None);
        assert_eq!(role("annotations.yaml"), None);
    }

    #[test]
    fn documents_of_catalogs_are_known_by_their_schema() {
        assert!(is_of_catalog("kind: a\n---\nschema: olm.channel\n"));
        assert!(is_of_catalog("{\"Schema\": \"olm.semver\"}"));
        assert!(!is_of_catalog("spec:\n  schema: olm.channel\n"));
        assert!(!is_of_catalog("schema: other\n"));
    }
}
