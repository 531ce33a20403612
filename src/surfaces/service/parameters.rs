//! The parameters of a request for a graph.

use super::refusal::Refusal;

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameters {
    pub channel: String,
    pub arch: String,
}

const CHANNEL_PATTERN: &str = r"^[0-9a-z\-\.]+$";
const ARCH_PATTERN: &str = "^[0-9a-z]+$";

impl Parameters {
    /// Reads the parameters that matter. The service ignores all others, including `version` and
    /// `id`.
    pub(super) fn read(query: &str) -> Result<Self, Refusal> {
        let channel = last(query, "channel").ok_or(Refusal::MissingParameters("channel"))?;
        let is_lower = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
        let is_in_channels = |c: char| is_lower(c) || c == '-' || c == '.';
        let channel = matching("channel", channel, CHANNEL_PATTERN, is_in_channels)?;
        let arch = last(query, "arch").unwrap_or_else(|| "amd64".to_owned());
        let arch = matching("arch", arch, ARCH_PATTERN, is_lower)?;
        Ok(Self { channel, arch })
    }
}

fn matching(
    name: &'static str,
    value: String,
    pattern: &'static str,
    is_allowed: impl Fn(char) -> bool,
) -> Result<String, Refusal> {
    if !value.is_empty() && value.chars().all(is_allowed) {
        return Ok(value);
    }
    Err(Refusal::InvalidParameter { name, value, pattern })
}

/// The value of a parameter in a query such as `channel=stable-4.18&arch=arm64`. If it is repeated,
/// the last one counts.
pub(super) fn last(query: &str, name: &str) -> Option<String> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let mut from_last = pairs.rev();
    from_last.find(|(key, _)| decoded(key) == name).map(|(_, value)| decoded(value))
}

/// Decodes a part of a query. Invalid escapes stay as they are.
fn decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let mut text = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escape = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%');
        let digits = escape.and_then(|digits| std::str::from_utf8(digits).ok());
        let is_hex = |digits: &&str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let decoded = digits.filter(is_hex).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (byte, decoded) {
            (_, Some(decoded)) => {
                text.push(decoded);
                at += 3;
            }
            (b'+', None) => {
                text.push(b' ');
                at += 1;
            }
            (byte, None) => {
                text.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    #[test]
    fn a_channel_is_required_and_the_architecture_is_amd64() {
        let read = |query: &str| {
            Parameters::read(query).map(|parameters| (parameters.channel, parameters.arch)).ok()
        };
        let pair = |channel: &str, arch: &str| Some((channel.to_owned(), arch.to_owned()));
        for (query, expected) in [
            ("channel=stable-4.18", pair("stable-4.18", "amd64")),
            ("channel=stable-4.18&arch=arm64&id=1&version=4.18.1", pair("stable-4.18", "arm64")),
            ("channel=a&channel=b", pair("b", "amd64")),
            ("channel=stable%2D4.18", pair("stable-4.18", "amd64")),
            ("%63hannel=a", pair("a", "amd64")),
            ("&&channel=a&", pair("a", "amd64")),
            ("", None),
            ("channel", None),
            ("channel=", None),
            ("Channel=a", None),
            ("channel=Stable-4.18", None),
            ("channel=stable 4.18", None),
            ("channel=a+b", None),
            ("channel=a%00", None),
            ("channel=a%zz", None),
            ("channel=a%+1", None),
            ("channel=a%", None),
            ("channel=a&arch=x86_64", None),
            ("channel=a&arch=Multi", None),
            ("channel=a&arch=", None),
        ] {
            assert_eq!(read(query), expected, "{query}");
        }
    }
}
