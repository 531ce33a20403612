//! Pull specs of images: `registry/namespace/name:tag@digest`.

use std::sync::LazyLock;

use regex::Regex;

/// The longest name, without tag and digest.
const LONGEST_NAME: usize = 255;

/// What `oc` wants to know of a pull spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PullSpec<'a> {
    /// Whether it says where the image is: a registry or a repository.
    pub(super) is_located: bool,
    /// Whether it has a tag.
    pub(super) is_tagged: bool,
    /// The digest, with its algorithm.
    pub(super) digest: Option<&'a str>,
}

impl<'a> PullSpec<'a> {
    /// Reads a pull spec, or says what is wrong with it.
    pub(super) fn read(text: &'a str) -> Result<Self, &'static str> {
        let Some(parts) = GRAMMAR.captures(text) else {
            return Err(match text {
                "" => "repository name must have at least one component",
                _ if GRAMMAR.is_match(&text.to_lowercase()) => "repository name must be lowercase",
                _ => "invalid reference format",
            });
        };
        let part = |at| parts.get(at).map(|part| part.as_str());
        let (name, digest) = (part(1).unwrap_or_default(), part(3));
        if name.len() > LONGEST_NAME {
            return Err("repository name must not be more than 255 characters");
        }
        if let Some(digest) = digest {
            check_digest(digest)?;
        }
        // A name without a slash that looks like a host is taken for a registry. Then what follows
        // the colon is its port, and not a tag.
        let is_path = name.contains('/');
        let is_registry = !is_path && (name.contains('.') || name.starts_with("localhost"));
        Ok(Self {
            is_located: is_path || is_registry,
            is_tagged: part(2).is_some() && !is_registry,
            digest,
        })
    }
}

fn check_digest(digest: &str) -> Result<(), &'static str> {
    let (algorithm, hex) = digest.split_once(':').unwrap_or((digest, ""));
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return Err("unsupported digest algorithm"),
    };
    if hex.len() == length { Ok(()) } else { Err("invalid checksum digest length") }
}

static GRAMMAR: LazyLock<Regex> = LazyLock::new(|| {
    let label = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    let host = format!(r"{label}(?:\.{label})*(?::[0-9]+)?");
    let component = "[a-z0-9]+(?:(?:[._]|__|-*)[a-z0-9]+)*";
    let name = format!("(?:{host}/)?{component}(?:/{component})*");
    let tag = "[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}";
    let algorithm = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*";
    let digest = format!("{algorithm}:[0-9a-fA-F]{{32,}}");
    let whole = format!("^({name})(?::({tag}))?(?:@({digest}))?$");
    #[allow(clippy::expect_used, reason = "the pattern is a constant, and every test uses it")]
    Regex::new(&whole).expect("the grammar is valid")
});
