//! Release versions, and how each reader of the data parses them.

pub(crate) type Version = semver::Version;

/// Reads a version as strictly as clusters do (no `v`, three numbers, no leading zeros).
pub(crate) fn parse(text: &str) -> Option<Version> {
    Version::parse(text).ok()
}

/// Whether [`parse`] reads a text.
pub(crate) fn is_valid(text: &str) -> bool {
    are_small_numbers(text) || parse(text).is_some()
}

/// Whether a text is three numbers with dots between. Every reader accepts such a version.
fn are_small_numbers(text: &str) -> bool {
    let mut numbers = 1;
    let (mut digits, mut begins_with_zero) = (0, false);
    for byte in text.bytes() {
        match byte {
            b'.' if digits > 0 => (numbers, digits, begins_with_zero) = (numbers + 1, 0, false),
            b'0'..=b'9' if digits < 9 && !begins_with_zero => {
                begins_with_zero = digits == 0 && byte == b'0';
                digits += 1;
            }
            _ => return false,
        }
    }
    numbers == 3 && digits > 0
}

/// A version as text, faster than its formatter.
pub(crate) fn text_of(version: &Version) -> String {
    let mut text = String::with_capacity(NUMBERS + version.pre.len() + version.build.len());
    write_text(version, &mut text);
    text
}

/// Like [`text_of`], for many versions one after the other.
pub(crate) fn write_text(version: &Version, text: &mut String) {
    let Version { major, minor, patch, pre, build } = version;
    push_number(*major, text);
    for number in [minor, patch] {
        text.push('.');
        push_number(*number, text);
    }
    for (mark, part) in [('-', pre.as_str()), ('+', build.as_str())] {
        if !part.is_empty() {
            text.push(mark);
            text.push_str(part);
        }
    }
}

/// Room for the three numbers of real versions, and the marks between the parts.
const NUMBERS: usize = 12;

fn push_number(number: u64, text: &mut String) {
    if number > 9 {
        push_number(number / 10, text);
    }
    text.push(char::from(b"0123456789"[usize::try_from(number % 10).unwrap_or_default()]));
}

/// The text before the `+`.
pub(crate) fn strip_build(text: &str) -> &str {
    text.split_once('+').map_or(text, |(core, _)| core)
}

pub(crate) fn without_build(version: &Version) -> Version {
    Version { build: semver::BuildMetadata::EMPTY, ..version.clone() }
}

/// Sets the text after the `+`, which names an architecture.
pub(crate) fn with_build(version: &Version, build: &str) -> Version {
    let build = semver::BuildMetadata::new(build).unwrap_or_default();
    Version { build, ..version.clone() }
}

/// Whether the parser of the update service accepts `text`.
///
/// It differs from SemVer: it ignores white space around the version, a numeric pre-release
/// identifier can begin with zeros, and each `-` must separate letters or digits (it refuses
/// `1.0.0-a-`).
pub(crate) fn service_accepts(text: &str) -> bool {
    if are_small_numbers(text) {
        return true;
    }
    let text = text.trim_ascii();
    let (rest, build) = split_at_first(text, '+');
    let (core, pre) = split_at_first(rest, '-');
    let mut numbers = core.split('.');
    let mut has_number = || numbers.next().is_some_and(is_number);
    has_number()
        && has_number()
        && has_number()
        && numbers.next().is_none()
        && pre.is_none_or(are_identifiers)
        && build.is_none_or(are_identifiers)
}

fn split_at_first(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
        && text.parse::<u64>().is_ok()
}

fn are_identifiers(text: &str) -> bool {
    text.split(['.', '-'])
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// What is wrong with `text` as a version. None for a valid one.
pub(crate) fn fault(text: &str) -> Option<String> {
    if parse(text).is_some() {
        return None;
    }
    let trimmed = text.trim();
    let core = trimmed.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<&str> = core.split('.').collect();
    let strange = trimmed.chars().find(|c| !c.is_ascii_alphanumeric() && !".-+_".contains(*c));
    Some(if trimmed.is_empty() {
        "it is empty".to_owned()
    } else if trimmed != text {
        "it has white space before or after it".to_owned()
    } else if trimmed.contains(char::is_whitespace) {
        "it contains white space, which a version cannot have".to_owned()
    } else if let Some(c) = strange.filter(char::is_ascii_graphic) {
        format!("it contains `{c}`, which a version cannot have")
    } else if let Some(c) = strange {
        format!("it contains U+{:04X}, which a version cannot have", u32::from(c))
    } else if trimmed.starts_with(['v', 'V']) {
        format!("it begins with `{}`", &trimmed[..1])
    } else if numbers.iter().any(|n| n.is_empty()) {
        "a number is missing next to a `.`".to_owned()
    } else if let Some(part) = numbers.iter().find(|n| !n.bytes().all(|b| b.is_ascii_digit())) {
        format!("`{}` is not a number", start_of(part))
    } else if numbers.len() != 3 {
        format!("it has {}, but a version has three", count(numbers.len(), "number"))
    } else if let Some(number) = numbers.iter().find(|n| n.len() > 1 && n.starts_with('0')) {
        format!("`{}` begins with a zero", start_of(number))
    } else if let Some(part) = numbers.iter().find(|n| n.parse::<u64>().is_err()) {
        format!("`{}` is too large", start_of(part))
    } else {
        match Version::parse(trimmed) {
            Err(why) => why.to_string(),
            Ok(_) => return None,
        }
    })
}

/// The first characters, enough to recognize the part.
fn start_of(part: &str) -> &str {
    &part[..part.floor_char_boundary(20)]
}

fn count(n: usize, noun: &str) -> String {
    match n {
        1 => format!("one {noun}"),
        2 => format!("two {noun}s"),
        n => format!("{n} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::{fault, parse, service_accepts, text_of};
    use proptest::prelude::*;

    #[test]
    fn the_fault_is_named_in_words() {
        let said = |text| fault(text).unwrap_or_default();
        assert_eq!(fault("4.14.3-rc.0+amd64"), None);
        assert_eq!(said("4.10"), "it has two numbers, but a version has three");
        assert_eq!(said("v4.10.1"), "it begins with `v`");
        assert_eq!(said("4.01.1"), "`01` begins with a zero");
        assert_eq!(said(" 4.1.1"), "it has white space before or after it");
        assert_eq!(said("4.x.1"), "`x` is not a number");
        assert_eq!(said("4.1.1, 4.1.2"), "it contains white space, which a version cannot have");
        assert_eq!(said("4.1.1\u{2013}rc.0"), "it contains U+2013, which a version cannot have");
        assert_eq!(said("4..1"), "a number is missing next to a `.`");
        assert_eq!(said("4.1.1-rc_1"), "unexpected character '_' after pre-release identifier");
    }

    #[test]
    fn the_text_of_a_version_is_that_of_its_formatter() {
        let largest = u64::MAX;
        for text in ["4.14.3", "0.0.0", "10.109.9-rc.0", "4.2.14+amd64", "4.1.0-0.a-b+x.y"]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("{largest}.{largest}.{largest}-{largest}")])
        {
            let version = parse(&text).unwrap_or_else(|| unreachable!());
            assert_eq!(text_of(&version), version.to_string());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

        #[test]
        fn service_accepts_agrees_with_the_library_of_the_service(
            text in "[ v]{0,1}[0-9]{1,2}\\.[0-9]{1,21}(\\.[0-9]{0,2}){0,2}([-+][0-9a-z.é+_-]{0,6}){0,2}[ \n]{0,1}"
        ) {
            let theirs = semver_of_the_service::Version::parse(&text).is_ok();
            prop_assert_eq!(service_accepts(&text), theirs, "{:?}", text);
            prop_assert_eq!(parse(&text).is_none(), fault(&text).is_some());
        }
    }
}
