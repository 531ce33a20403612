//! Numbers and booleans as Go's package `strconv` parses them, with its errors.

use std::num::IntErrorKind;
use std::str::FromStr;

use promql::quoting::quoted;

use super::Error;

/// Parses digits. The caller must have excluded other characters.
pub(crate) fn unsigned(digits: &str) -> Result<u64, Error> {
    read("ParseUint", digits)
}

/// Reads a number with an optional sign.
pub(crate) fn integer(text: &str) -> Result<i64, Error> {
    read("Atoi", text)
}

pub(crate) fn boolean(text: &str) -> Result<bool, Error> {
    match text {
        "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(true),
        "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(false),
        _ => Err(fault("ParseBool", text, "invalid syntax")),
    }
}

fn read<T: FromStr<Err = std::num::ParseIntError>>(function: &str, text: &str) -> Result<T, Error> {
    text.parse().map_err(|error: std::num::ParseIntError| {
        let why = match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "value out of range",
            _ => "invalid syntax",
        };
        fault(function, text, why)
    })
}

fn fault(function: &str, text: &str, why: &str) -> Error {
    format!("strconv.{function}: parsing {}: {why}", quoted(text)).into()
}

#[cfg(test)]
mod tests {
    use super::{Error, boolean, integer, unsigned};

    fn words<T>(error: &str) -> Result<T, Error> {
        Err(format!("strconv.{error}").into())
    }

    #[test]
    fn numbers_have_64_bits() {
        assert_eq!(unsigned("18446744073709551615"), Ok(u64::MAX));
        let digits = "18446744073709551616";
        assert_eq!(
            unsigned(digits),
            words(&format!("ParseUint: parsing \"{digits}\": value out of range"))
        );
        assert_eq!(integer("-9"), Ok(-9));
        assert_eq!(integer("9x"), words("Atoi: parsing \"9x\": invalid syntax"));
    }

    #[test]
    fn truth_has_few_words() {
        assert_eq!([boolean("T"), boolean("0")], [Ok(true), Ok(false)]);
        assert_eq!(boolean("yes"), words("ParseBool: parsing \"yes\": invalid syntax"));
    }
}
