//! Names of packages: labels of RFC 1123, as Kubernetes checks them.

const LONGEST: usize = 63;

/// What is wrong with a label, in the words of Kubernetes. Empty if nothing is.
pub(super) fn faults(name: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if name.len() > LONGEST {
        faults.push(format!("must be no more than {LONGEST} bytes"));
    }
    if is_label(name) {
        return faults;
    }
    if name.split('.').all(is_label) {
        faults.push("must not contain dots".to_owned());
    } else {
        faults.push(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', \
             and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', \
             regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
                .to_owned(),
        );
    }
    faults
}

fn is_label(text: &str) -> bool {
    let is_letter_or_digit = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|b| is_letter_or_digit(*b))
        && bytes.last().is_some_and(|b| is_letter_or_digit(*b))
        && bytes.iter().all(|b| is_letter_or_digit(*b) || *b == b'-')
}

#[cfg(test)]
mod tests {
    use super::faults;

    #[test]
    fn labels_have_no_faults() {
        for name in ["a", "4", "cluster-logging", "3scale--operator"] {
            assert!(faults(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(faults("cluster.logging"), ["must not contain dots"]);
        assert_eq!(faults(&"a".repeat(64)), ["must be no more than 63 bytes"]);
        for name in ["", "Logging", "logging-", "cluster..logging"] {
            let faults = faults(name);
            assert!(faults.len() == 1 && faults[0].starts_with("a lowercase"), "{name}");
        }
    }
}
