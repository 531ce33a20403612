//! Several errors as one.

/// Several errors as one, as the operator's library writes it: each text once.
pub(super) fn in_words(errors: &[String]) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for error in errors {
        if !distinct.contains(&error.as_str()) {
            distinct.push(error);
        }
    }
    match distinct[..] {
        [only] => only.to_owned(),
        _ => format!("[{}]", distinct.join(", ")),
    }
}
