//! The values of numbers, durations, and strings.

use super::messages::{not_a_literal, shortened};

pub(super) fn number(text: &str) -> Result<f64, String> {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "inf" => return Ok(f64::INFINITY),
        "nan" => return Ok(f64::NAN),
        _ => {}
    }
    let digits = lower.replace('_', "");
    // As in Go, `0x` starts a hexadecimal number, and `0` an octal number.
    let whole = match (digits.strip_prefix("0x"), digits.strip_prefix('0')) {
        (Some(hex), _) => return whole(hex, 16).ok_or_else(|| not_a_literal(text)),
        (_, Some(octal)) if octal.bytes().all(|b| matches!(b, b'0'..=b'7')) => whole(octal, 8),
        _ => None,
    };
    let Some(value) = whole.or_else(|| digits.parse().ok()) else {
        return Err(not_a_literal(text));
    };
    if value.is_infinite() {
        return Err(format!("the number `{}` is out of range", shortened(text)));
    }
    Ok(value)
}

#[allow(clippy::cast_precision_loss, reason = "Prometheus makes a float of it, too")]
fn whole(digits: &str, radix: u32) -> Option<f64> {
    i64::from_str_radix(digits, radix).ok().map(|value| value as f64)
}

/// The units of a duration, in the order that Prometheus requires, with their milliseconds.
const UNITS: [(&str, u64); 7] = [
    ("y", 365 * 24 * 60 * 60 * 1000),
    ("w", 7 * 24 * 60 * 60 * 1000),
    ("d", 24 * 60 * 60 * 1000),
    ("h", 60 * 60 * 1000),
    ("m", 60 * 1000),
    ("s", 1000),
    ("ms", 1),
];

/// The seconds of a duration such as `1h30m`.
pub(super) fn duration(text: &str) -> Result<f64, String> {
    let mut rest = text;
    let mut milliseconds: u64 = 0;
    let mut largest = 0;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count, after) = rest.split_at(digits);
        let letters = after.len() - after.trim_start_matches(|c: char| c.is_alphabetic()).len();
        let (unit, after) = after.split_at(letters);
        let found = UNITS.iter().enumerate().find(|(_, (name, _))| *name == unit);
        let Some((place, (_, each))) = found else {
            return Err(match unit {
                "" => not_a_literal(text),
                _ => format!("`{unit}` is not a unit of time: use y, w, d, h, m, s, or ms"),
            });
        };
        if place < largest {
            return Err(format!(
                "`{}` is not a duration: write each unit once, and larger units first",
                shortened(text)
            ));
        }
        largest = place + 1;
        let count: Option<u64> = count.parse().ok();
        let sum = count.and_then(|c| milliseconds.checked_add(c.checked_mul(*each)?));
        let longest = i64::MAX.unsigned_abs() / 1_000_000;
        milliseconds = sum
            .filter(|sum| *sum <= longest)
            .ok_or_else(|| format!("the duration `{}` is out of range", shortened(text)))?;
        rest = after;
    }
    #[allow(clippy::cast_precision_loss, reason = "durations stay far below 2^53 ms")]
    Ok(milliseconds as f64 / 1000.0)
}

/// The value of a string with the quotes around it.
pub(super) fn string(written: &str) -> Result<String, String> {
    let quote = written.chars().next().unwrap_or_default();
    let inner = written.strip_prefix(quote).unwrap_or(written);
    let inner = inner.strip_suffix(quote).unwrap_or(inner);
    if quote == '`' {
        return Ok(inner.replace('\r', ""));
    }
    let mut value = Vec::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let mut utf8 = [0; 4];
        if c != '\\' {
            value.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
            continue;
        }
        match escape(&mut chars, quote)? {
            Escaped::Byte(byte) => value.push(byte),
            Escaped::Char(c) => value.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes()),
        }
    }
    Ok(String::from_utf8_lossy(&value).into_owned())
}

enum Escaped {
    Byte(u8),
    Char(char),
}

fn escape(chars: &mut std::str::Chars<'_>, quote: char) -> Result<Escaped, String> {
    let Some(c) = chars.next() else { return Err("the text ends in `\\`".into()) };
    let control = match c {
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' => 10,
        'r' => 13,
        't' => 9,
        'v' => 11,
        '\\' => b'\\',
        _ if c == quote => return Ok(Escaped::Char(quote)),
        'x' => return numeric_escape(chars, 'x', 0, 2, 16),
        'u' => return numeric_escape(chars, 'u', 0, 4, 16),
        'U' => return numeric_escape(chars, 'U', 0, 8, 16),
        '0'..='7' => return numeric_escape(chars, c, c.to_digit(8).unwrap_or_default(), 2, 8),
        _ => {
            return Err(format!(
                "`\\{c}` is not an escape; in double or single quotes, write a backslash as `\\\\`"
            ));
        }
    };
    Ok(Escaped::Byte(control))
}

/// The byte or character of an escape with digits.
fn numeric_escape(
    chars: &mut std::str::Chars<'_>,
    kind: char,
    start: u32,
    digits: usize,
    radix: u32,
) -> Result<Escaped, String> {
    let mut value = start;
    for _ in 0..digits {
        let digit = chars.next().and_then(|c| c.to_digit(radix));
        let Some(digit) = digit else {
            return Err(format!("the escape `\\{kind}` needs {digits} digits of base {radix}"));
        };
        value = value.wrapping_mul(radix).wrapping_add(digit);
    }
    let none = || format!("the escape `\\{kind}` is not a valid character");
    if matches!(kind, 'u' | 'U') {
        return char::from_u32(value).map(Escaped::Char).ok_or_else(none);
    }
    u8::try_from(value).map(Escaped::Byte).map_err(|_| none())
}
