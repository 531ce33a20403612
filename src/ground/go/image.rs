//! Pull specs of images, as the Go libraries for containers read them:
//! `registry/namespace/name:tag@digest`.

use std::sync::LazyLock;

use regex::Regex;

pub(crate) const INVALID: &str = "invalid reference format";
pub(crate) const NOT_LOWERCASE: &str = "repository name must be lowercase";

/// The longest name, without tag and digest.
const LONGEST_NAME: usize = 255;

/// The parts of a pull spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    pub(crate) name: &'a str,
    pub(crate) tag: Option<&'a str>,
    pub(crate) digest: Option<Digest<'a>>,
}

/// The digest of an image, as it is written: `sha256:0123…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digest<'a>(pub(crate) &'a str);

impl<'a> Reference<'a> {
    /// Reads a pull spec, or says what is wrong with it. The digest is not checked.
    pub(crate) fn read(text: &'a str) -> Result<Self, &'static str> {
        let Some(parts) = GRAMMAR.captures(text) else {
            return Err(match text {
                "" => "repository name must have at least one component",
                _ if GRAMMAR.is_match(&text.to_lowercase()) => NOT_LOWERCASE,
                _ => INVALID,
            });
        };
        let part = |at| parts.get(at).map(|part| part.as_str());
        let name = part(1).unwrap_or_default();
        if name.len() > LONGEST_NAME {
            return Err("repository name must not be more than 255 characters");
        }
        Ok(Self { name, tag: part(2), digest: part(3).map(Digest) })
    }
}

impl Digest<'_> {
    /// The algorithm and the hexadecimal digits.
    pub(crate) fn parts(&self) -> (&str, &str) {
        self.0.split_once(':').unwrap_or((self.0, ""))
    }

    /// What is wrong with the algorithm, or with the number of digits.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let (algorithm, digits) = self.parts();
        let length = match algorithm {
            "sha256" => 64,
            "sha384" => 96,
            "sha512" => 128,
            _ => return Err("unsupported digest algorithm"),
        };
        if digits.len() == length { Ok(()) } else { Err("invalid checksum digest length") }
    }
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
