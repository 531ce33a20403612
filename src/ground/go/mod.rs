//! How programs in Go read and print: texts, numbers, versions, addresses, pull specs, JSON, YAML,
//! and names of fields in any case.

pub(crate) mod csv;
mod error;
pub(crate) mod image;
pub(crate) mod json;
mod print;
mod scalar;
pub(crate) mod semver;
pub(crate) mod strconv;
pub(crate) mod tabwriter;
pub(crate) mod url;
mod yaml_words;

pub use error::Error;
pub(crate) use print::{json_number, marshaled, over_lines, shown, shown_as_boolean};
pub(crate) use promql::quoting::{in_single_quotes, quoted};
pub(crate) use scalar::{Scalar, resolved};
pub(crate) use yaml_words::yaml_words;

/// A key with the case folding of Go's JSON decoder: ASCII, and the two other letters that have an
/// ASCII letter as a case variant.
fn folded(key: &str) -> String {
    let fold = |c: char| match c {
        'ſ' => 's',
        '\u{212A}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    key.chars().map(fold).collect()
}

/// A key with the full case folding of Unicode, as opm compares the keys of documents.
pub(crate) fn case_folded(key: &str) -> String {
    let fold = |c: char| {
        // The dotless i is not folded, although it has an upper case.
        let upper: Vec<char> = if c == 'ı' { vec![c] } else { c.to_uppercase().collect() };
        upper.into_iter().flat_map(char::to_lowercase)
    };
    key.chars().flat_map(fold).collect()
}

/// Whether a key names a field. Field names are ASCII.
pub(crate) fn names_field(key: &str, field: &str) -> bool {
    key.eq_ignore_ascii_case(field) || !key.is_ascii() && folded(key) == folded(field)
}

#[cfg(test)]
mod tests {
    use super::{case_folded, names_field};

    #[test]
    fn keys_fold_as_in_unicode() {
        assert_eq!(case_folded("Straße"), case_folded("STRASSE"));
        assert_eq!(case_folded("ÉTAGES"), case_folded("étageſ"));
        assert_ne!(case_folded("ı"), case_folded("i"));
    }

    #[test]
    fn fields_are_named_in_any_case() {
        assert!(names_field("SKIPrange", "skipRange"));
        assert!(names_field("ſkipRange", "skipRange"));
        assert!(!names_field("skip-range", "skipRange"));
    }
}
