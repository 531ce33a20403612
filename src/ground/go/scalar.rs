//! How Go's YAML parser reads a plain scalar.

/// A plain scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scalar {
    Null,
    Boolean(bool),
    Integer(i128),
    Float(f64),
    Text,
}

/// The value of a scalar without quotes and tags. A time counts as text.
pub(crate) fn resolved(text: &str) -> Scalar {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => {
            Scalar::Boolean(true)
        }
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => {
            Scalar::Boolean(false)
        }
        ".nan" | ".NaN" | ".NAN" => Scalar::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Scalar::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Scalar::Float(f64::NEG_INFINITY),
        text => number(text).unwrap_or(Scalar::Text),
    }
}

fn number(text: &str) -> Option<Scalar> {
    let first = text.bytes().next()?;
    if first == b'.' {
        return is_float(text).then(|| float(text)).flatten();
    }
    if !matches!(first, b'+' | b'-' | b'0'..=b'9') {
        return None;
    }
    let plain = text.replace('_', "");
    integer(&plain).map(Scalar::Integer).or_else(|| is_float(&plain).then(|| float(&plain))?)
}

/// Parses an integer with Go's prefixes. A single leading zero means octal.
fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, digits) = match lower.get(..2) {
        Some("0x") => (16, &lower[2..]),
        Some("0o") => (8, &lower[2..]),
        Some("0b") => (2, &lower[2..]),
        _ if lower.len() > 1 && lower.starts_with('0') => (8, &lower[1..]),
        _ => (10, lower.as_str()),
    };
    let is_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let value = i128::from(is_digits.then(|| u64::from_str_radix(digits, radix).ok())??);
    let value = sign * value;
    (value >= i128::from(i64::MIN)).then_some(value)
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let are_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent)),
        None => (unsigned, None),
    };
    let is_exponent = |exponent: &str| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !digits.is_empty() && are_digits(digits)
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    are_digits(whole)
        && are_digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(is_exponent)
}

fn float(text: &str) -> Option<Scalar> {
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(Scalar::Float)
}

#[cfg(test)]
mod tests {
    use super::{Scalar, resolved};

    #[test]
    fn what_looks_like_text_to_people_can_be_a_number_or_a_boolean() {
        assert_eq!(resolved("4.10"), Scalar::Float(4.1));
        assert_eq!(resolved("010"), Scalar::Integer(8));
        assert_eq!(resolved("1_000"), Scalar::Integer(1000));
        assert_eq!(resolved("1e3"), Scalar::Float(1000.0));
        assert_eq!(resolved("0x1F"), Scalar::Integer(31));
        assert_eq!(resolved("-3"), Scalar::Integer(-3));
        assert_eq!(resolved("on"), Scalar::Boolean(true));
        assert_eq!(resolved("n"), Scalar::Boolean(false));
        assert_eq!(resolved("~"), Scalar::Null);
    }

    #[test]
    fn versions_and_times_are_text() {
        for text in ["1.0.0", "v1", "2024-01-01", "stable", "1.x", "-", "0x", "1e", "._1", "09a"] {
            assert_eq!(resolved(text), Scalar::Text, "{text}");
        }
    }
}
