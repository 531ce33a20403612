//! Writes channels as Kubernetes objects in YAML: what the operator of a cluster would store of the
//! list.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::channel_list::ChannelList;
use crate::cluster::object::Condition;
use crate::objects::json;
use crate::text::{Failure, is_printable, printable_lines};

const API_VERSION: &str = "config.openshift.io/v1";
/// The annotation of a description that is derived from the channel's name.
const IS_DEFAULT: &str = "exitpath/default-description";

/// The definition that Kubernetes needs before it stores channels. The status is not a subresource,
/// so `oc apply` stores all of it.
const DEFINITION: &str = "\
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: channels.config.openshift.io
spec:
  group: config.openshift.io
  names:
    kind: Channel
    listKind: ChannelList
    plural: channels
    singular: channel
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        description: Channel represents an OpenShift update service channel.
        type: object
        required:
        - spec
        properties:
          apiVersion:
            type: string
          kind:
            type: string
          metadata:
            type: object
          spec:
            description: It has no properties. Channels are described outside the cluster.
            type: object
          status:
            description: What is known about the channel.
            type: object
            properties:
              description:
                description: A paragraph about what the channel is for.
                type: string
";

/// Writes the definition of the objects.
pub(crate) fn write_channel_definition(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(DEFINITION.as_bytes())
}

/// Writes one object for each channel whose name Kubernetes allows.
pub(crate) fn write_channel_objects(list: &ChannelList, out: &mut dyn Write) -> io::Result<()> {
    for (name, description) in list.channels.iter().filter(|(name, _)| is_object_name(name)) {
        writeln!(out, "---\napiVersion: {API_VERSION}\nkind: Channel\nmetadata:")?;
        if description.as_ref().is_some_and(|description| description.is_default) {
            writeln!(out, "  annotations:\n    {IS_DEFAULT}: \"true\"")?;
        }
        writeln!(out, "  name: {}\nspec: {{}}", quoted(name))?;
        match description {
            Some(description) => {
                writeln!(out, "status:\n  description: {}", quoted(&description.text))?;
            }
            None => writeln!(out, "status: {{}}")?,
        }
    }
    Ok(())
}

/// Writes a part of the object ClusterVersion with this condition.
pub(crate) fn write_condition(condition: &Condition, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "---\napiVersion: {API_VERSION}\nkind: ClusterVersion\nmetadata:")?;
    writeln!(out, "  name: version\nstatus:\n  conditions:")?;
    writeln!(out, "  - type: {}\n    status: {}", condition.kind, quoted(&condition.status))?;
    for (key, text) in [("reason", &condition.reason), ("message", &condition.message)] {
        if !text.is_empty() {
            writeln!(out, "    {key}: {}", quoted(text))?;
        }
    }
    Ok(())
}

/// The documents of `Channel` objects in a YAML stream, unchanged. The error says why the stream is
/// invalid.
pub(crate) fn known_objects(stream: &str) -> Result<String, Failure> {
    let mut known = String::new();
    for document in documents(stream) {
        let object = json(&document)?;
        let (kind, api) = (object["kind"].as_str(), object["apiVersion"].as_str());
        match (kind, api) {
            (Some("Channel"), Some(API_VERSION)) => {
                let _ = write!(known, "---\n{}", printable_lines(&document));
            }
            // These are from an earlier run: its condition and its definition.
            (Some("ClusterVersion" | "CustomResourceDefinition"), Some(_)) => {}
            (Some(kind), Some(_)) => {
                let advice = "known channels are objects `Channel`, each in a document of its own";
                return Err(Failure::new(format!("it has an object `{kind}`; {advice}")));
            }
            _ if object.is_null() => {}
            _ => return Err(Failure::new("it has a document that is not an object of Kubernetes")),
        }
    }
    Ok(known)
}

/// The documents of a stream, each with a line break at its end.
fn documents(stream: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for line in stream.lines() {
        match (line.strip_prefix("---"), documents.last_mut()) {
            (Some(rest), _) if rest.trim().is_empty() => documents.push(String::new()),
            (_, Some(document)) => {
                document.push_str(line);
                document.push('\n');
            }
            (_, None) => {}
        }
    }
    documents
}

/// Whether Kubernetes allows an object of this name.
pub(crate) fn is_object_name(name: &str) -> bool {
    const LONGEST: usize = 253;
    name.len() <= LONGEST && name.split('.').all(is_label)
}

/// Whether a text can be between the dots of a name.
fn is_label(text: &str) -> bool {
    let is_alphanumeric = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|first| is_alphanumeric(*first))
        && bytes.last().is_some_and(|last| is_alphanumeric(*last))
        && bytes.iter().all(|byte| is_alphanumeric(*byte) || *byte == b'-')
}

/// A text in double quotes. Unprintable characters are escaped in the notation of YAML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match (character, u32::from(character)) {
            ('"', _) => quoted.push_str("\\\""),
            ('\\', _) => quoted.push_str("\\\\"),
            ('\n', _) => quoted.push_str("\\n"),
            // GitHub runs a line that contains `##[` and the name of a command.
            ('[', code) if quoted.ends_with("##") => {
                let _ = write!(quoted, "\\x{code:02x}");
            }
            (character, _) if is_printable(character) => quoted.push(character),
            (_, code @ ..=0xff) => {
                let _ = write!(quoted, "\\x{code:02x}");
            }
            (_, code @ ..=0xffff) => {
                let _ = write!(quoted, "\\u{code:04x}");
            }
            (_, code) => {
                let _ = write!(quoted, "\\U{code:08x}");
            }
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::{is_object_name, quoted};

    #[test]
    fn a_quoted_text_is_read_as_it_was() {
        for text in ["a\nb", "\u{1b}[31m\"\\", "\u{202e}", "\u{e0041}🦀 ##[group]", "é: #"] {
            let yaml = quoted(text);
            assert_eq!(serde_yaml::from_str::<String>(&yaml).ok().as_deref(), Some(text), "{yaml}");
            assert!(!yaml.contains(['\n', '\u{1b}', '\u{202e}']), "{yaml:?}");
            assert!(!yaml.contains("##["), "{yaml}");
        }
    }

    #[test]
    fn kubernetes_allows_some_names() {
        assert!(is_object_name("stable-4.18"));
        for name in ["", "-a", "a-", ".a", "a..b", "A", "a b", &"a".repeat(254)] {
            assert!(!is_object_name(name), "{name}");
        }
    }
}
