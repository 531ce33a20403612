//! Pull specs of images, as opm checks them with the library of Podman.

use crate::go;
use crate::go::image::{Digest, INVALID, NOT_LOWERCASE, Reference};

/// Checks a pull spec. The error is the end of opm's message. opm does not check an empty one.
pub(super) fn check(spec: &str) -> Result<(), go::Error> {
    if spec.len() == 64 && spec.bytes().all(is_hexadecimal) {
        return Err(format!(
            "invalid repository name ({spec}), cannot specify 64-byte hexadecimal strings"
        )
        .into());
    }
    let (domain, rest) = split_domain(spec);
    let path = rest.split_once(':').map_or(rest.as_str(), |(path, _)| path);
    if path.to_lowercase() != path {
        return Err(format!("{INVALID}: {NOT_LOWERCASE}").into());
    }
    let whole = format!("{domain}/{rest}");
    let reference = Reference::read(&whole)?;
    reference.digest.map_or(Ok(()), check_digest)
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

/// Unlike `oc`, opm refuses capitals.
fn check_digest(digest: Digest<'_>) -> Result<(), go::Error> {
    const CAPITALS: &str = "invalid checksum digest format";
    let (algorithm, digits) = digest.parts();
    if algorithm.bytes().any(|b| b.is_ascii_uppercase()) {
        return Err(CAPITALS.to_owned().into());
    }
    digest.check()?;
    if digits.bytes().all(is_hexadecimal) { Ok(()) } else { Err(CAPITALS.to_owned().into()) }
}

fn is_hexadecimal(b: u8) -> bool {
    b.is_ascii_digit() || (b'a'..=b'f').contains(&b)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::check;

    fn error(spec: &str) -> String {
        check(spec).unwrap_err().to_string()
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
