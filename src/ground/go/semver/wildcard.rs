//! The parts of a range, and the meaning of `x` in them: `1.2.x`.
//!
//! blang/semver takes each part with the letter `x` as a wildcard, even `=1.0.0-next`. The expanded
//! part may then have no version, and the parser reports that.

use promql::quoting::{is_digit, quoted};

use super::super::Error;

/// Expands a part of a range into one or two parts.
pub(super) fn expand(part: String) -> Result<Vec<String>, Error> {
    if !part.contains('x') {
        return Ok(vec![part]);
    }
    let (operator, version) = split_operator(&part)?;
    let flat = flatten(version);
    let next = || incremented(version, &flat);
    Ok(match operator {
        ">" => vec![format!(">={}", next())],
        ">=" | "<" => vec![format!("{operator}{flat}")],
        "<=" => vec![format!("<{}", next())],
        "" | "=" | "==" => vec![format!(">={flat}"), format!("<{}", next())],
        "!" | "!=" => vec![format!("<{flat}"), format!(">={}", next())],
        // The library drops operators that it does not know: `~1.x` is `1.0.0`.
        _ => vec![flat],
    })
}

/// Replaces wildcards by zeros. `1.x.x` is `1.0.0`, and so is `1.x`.
fn flatten(version: &str) -> String {
    let flat = version.replacen(".x.x", ".x", 1).replacen(".x", ".0", 1);
    if flat.matches('.').count() == 1 { flat + ".0" } else { flat }
}

/// The first version after those that match. Empty if the last number is not the wildcard.
fn incremented(version: &str, flat: &str) -> String {
    let mut written = version.rsplit('.');
    let at = match (written.next(), written.count()) {
        (Some("x"), 2) => 1,
        (Some("x"), 1) => 0,
        _ => return String::new(),
    };
    let mut numbers: Vec<String> = flat.split('.').map(str::to_owned).collect();
    let Some(number) = numbers.get_mut(at) else { return String::new() };
    let Ok(value) = number.parse::<i64>() else { return String::new() };
    *number = value.wrapping_add(1).to_string();
    numbers.join(".")
}

/// Splits before the first digit, which follows the operator.
pub(super) fn split_operator(text: &str) -> Result<(&str, &str), Error> {
    text.find(is_digit)
        .and_then(|at| text.split_at_checked(at))
        .map(|(operator, version)| (operator.trim(), version))
        .ok_or_else(|| format!("Could not get version from string: {}", quoted(text)).into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::expand;

    fn expanded(part: &str) -> String {
        expand(part.to_owned()).unwrap().join(" ")
    }

    #[test]
    fn wildcards_become_bounds() {
        assert_eq!(expanded("4.16.x"), ">=4.16.0 <4.17.0");
        assert_eq!(expanded("!=4.x"), "<4.0.0 >=5.0.0");
        assert_eq!(expanded("<=4.16.x"), "<4.17.0");
        assert_eq!(expanded(">=4.16.1"), ">=4.16.1");
    }

    #[test]
    fn wildcards_in_odd_places() {
        assert_eq!(expanded("4.x.x"), ">=4.0.0 <4.1.0");
        assert_eq!(expanded("^4.x"), "4.0.0");
        assert_eq!(expanded("<=4.16.0-next"), "<");
        assert_eq!(expanded(">9223372036854775807.x"), ">=-9223372036854775808.0.0");
        assert!(expand("x.x".to_owned()).is_err());
    }
}
