//! Pull specs of images, as opm checks them with the library of Podman.

use std::sync::LazyLock;

use regex::Regex;

const LONGEST_NAME: usize = 255;
const INVALID: &str = "invalid reference format";

static GRAMMAR: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let label = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    let host = format!(r"{label}(?:\.{label})*(?::[0-9]+)?");
    let component = "[a-z0-9]+(?:(?:[._]|__|-*)[a-z0-9]+)*";
    let name = format!("(?:{host}/)?{component}(?:/{component})*");
    let tag = "[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}";
    let algorithm = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*";
    let digest = format!("{algorithm}:[0-9a-fA-F]{{32,}}");
    Regex::new(&format!("^(?<name>{name})(?::{tag})?(?:@(?<digest>{digest}))?$")).ok()
});

/// Checks a pull spec. The error is the end of opm's message. opm does not check an empty one.
pub(super) fn check(spec: &str) -> Result<(), String> {
    if spec.len() == 64 && spec.bytes().all(is_hexadecimal) {
        return Err(format!(
            "invalid repository name ({spec}), cannot specify 64-byte hexadecimal strings"
        ));
    }
    let (domain, rest) = split_domain(spec);
    let path = rest.split_once(':').map_or(rest.as_str(), |(path, _)| path);
    if path.to_lowercase() != path {
        return Err(format!("{INVALID}: repository name must be lowercase"));
    }
    let whole = format!("{domain}/{rest}");
    let Some(captures) = GRAMMAR.as_ref().and_then(|grammar| grammar.captures(&whole)) else {
        let grammar = GRAMMAR.as_ref();
        return Err(if grammar.is_some_and(|grammar| grammar.is_match(&whole.to_lowercase())) {
            "repository name must be lowercase".to_owned()
        } else {
            INVALID.to_owned()
        });
    };
    if captures.name("name").is_some_and(|name| name.len() > LONGEST_NAME) {
        return Err(format!("repository name must not be more than {LONGEST_NAME} characters"));
    }
    captures.name("digest").map_or(Ok(()), |digest| check_digest(digest.as_str()))
}

/// Splits off the registry. Images without one are on Docker Hub.
fn split_domain(spec: &str) -> (&str, String) {
    let (domain, rest) = match spec.split_once('/') {
        Some((domain, rest)) if domain.contains(['.', ':']) || domain == "localhost" => {
            (domain, rest)
        }
        _ => ("docker.io", spec),
    };
    let domain = if domain == "index.docker.io" { "docker.io" } else { domain };
    if domain == "docker.io" && !rest.contains('/') {
        return (domain, format!("library/{rest}"));
    }
    (domain, rest.to_owned())
}

fn check_digest(digest: &str) -> Result<(), String> {
    let (algorithm, hexadecimal) = digest.split_once(':').unwrap_or((digest, ""));
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return Err(unknown_algorithm(algorithm).to_owned()),
    };
    if hexadecimal.len() != length {
        Err("invalid checksum digest length".to_owned())
    } else if hexadecimal.bytes().all(is_hexadecimal) {
        Ok(())
    } else {
        Err("invalid checksum digest format".to_owned())
    }
}

fn unknown_algorithm(algorithm: &str) -> &'static str {
    if algorithm.bytes().any(|b| b.is_ascii_uppercase()) {
        "invalid checksum digest format"
    } else {
        "unsupported digest algorithm"
    }
}

fn is_hexadecimal(b: u8) -> bool {
    b.is_ascii_digit() || (b'a'..=b'f').contains(&b)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::check;

    fn error(spec: &str) -> String {
        check(spec).unwrap_err()
    }

    #[test]
    fn pull_specs() {
        let digest = "0123456789abcdef".repeat(4);
        for spec in [
            "busybox",
            "localhost/logging",
            "registry.example.com:5000/openshift/logging__operator:v4.16",
            &format!("Registry.Example.com/openshift/logging@sha256:{digest}"),
            &format!("openshift/logging:v4.16@sha256:{digest}"),
        ] {
            assert_eq!(check(spec), Ok(()), "{spec}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let lowercase = "invalid reference format: repository name must be lowercase";
        assert_eq!(error("quay.io/OpenShift/logging"), lowercase);
        assert_eq!(error("OpenShift/logging"), lowercase);
        assert_eq!(error("quay.io/logging:"), "invalid reference format");
        assert_eq!(error("quay.io/logging/"), "invalid reference format");
        assert_eq!(error("https://quay.io/logging"), "invalid reference format");
        assert_eq!(
            error(&format!("quay.io/{}", "a".repeat(248))),
            "repository name must not be more than 255 characters"
        );
        assert!(error(&"0123456789abcdef".repeat(4)).ends_with("64-byte hexadecimal strings"));
    }

    #[test]
    fn digests_need_a_known_algorithm_and_its_length() {
        let error = |digest: &str| error(&format!("quay.io/logging@{digest}"));
        let hexadecimal = "0123456789abcdef".repeat(4);
        assert_eq!(error(&format!("md5:{hexadecimal}")), "unsupported digest algorithm");
        assert_eq!(error(&format!("sha512:{hexadecimal}")), "invalid checksum digest length");
        let capitals = hexadecimal.to_uppercase();
        assert_eq!(error(&format!("sha256:{capitals}")), "invalid checksum digest format");
        assert_eq!(error("sha256:abc"), "invalid reference format");
    }
}
