//! URLs as Go's package `net/url` parses them.

use promql::quoting::quoted;

use super::Error;

/// Checks whether Go can parse a URL. The error is Go's.
pub(crate) fn check(text: &str) -> Result<(), Error> {
    parts(text).map(|_| ()).map_err(|words| format!("parse {}: {words}", quoted(text)).into())
}

/// The scheme and the host of a URL. Empty if Go cannot parse it.
pub(crate) fn scheme_and_host(text: &str) -> (String, &str) {
    parts(text).unwrap_or_default()
}

fn parts(text: &str) -> Result<(String, &str), Error> {
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return Err("net/url: invalid control character in URL".into());
    }
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    escapes(fragment)?;
    let (scheme, rest) = scheme(text)?;
    let rest = rest.split_once('?').map_or(rest, |(rest, _)| rest);
    if !rest.starts_with('/') {
        if !scheme.is_empty() {
            return Ok((scheme, ""));
        }
        if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
            return Err("first path segment in URL cannot contain colon".into());
        }
    }
    let has_authority = rest.starts_with("//") && (!scheme.is_empty() || !rest.starts_with("///"));
    let (authority, path) = match rest.strip_prefix("//").filter(|_| has_authority) {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let is_of_user = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
    if !user.chars().all(is_of_user) {
        return Err("net/url: invalid userinfo".into());
    }
    escapes(user)?;
    self::host(host)?;
    escapes(path)?;
    Ok((scheme, host))
}

fn scheme(text: &str) -> Result<(String, &str), Error> {
    for (at, c) in text.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at == 0 => return Err("missing protocol scheme".into()),
            ':' => return Ok((text[..at].to_ascii_lowercase(), &text[at + 1..])),
            _ => break,
        }
    }
    Ok((String::new(), text))
}

fn host(host: &str) -> Result<(), Error> {
    let port = if host.starts_with('[') {
        let end = host.rfind(']').ok_or("missing ']' in host")?;
        &host[end + 1..]
    } else {
        host.rfind(':').map_or("", |colon| &host[colon..])
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return Err(format!("invalid port {} after host", quoted(port)).into());
    }
    escapes(host)?;
    let is_of_host = |c: char| {
        !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:[]<>\"%".contains(c)
    };
    match host.chars().find(|c| !is_of_host(*c)) {
        Some(wrong) => {
            Err(format!("invalid character {} in host name", quoted(&wrong.to_string())).into())
        }
        None => Ok(()),
    }
}

fn escapes(text: &str) -> Result<(), Error> {
    for (at, _) in text.match_indices('%') {
        let digits = text.as_bytes().get(at + 1..at + 3);
        if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
            let end = text.char_indices().map(|(at, _)| at).find(|end| *end >= at + 3);
            let escape = &text[at..end.unwrap_or(text.len())];
            return Err(format!("invalid URL escape {}", quoted(escape)).into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn common_addresses_are_valid() {
        for text in
            ["", "errata with space", "https://example.com:8443/a?b=%zz", "//host/x", "a/b:c"]
        {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn the_words_say_what_is_wrong() {
        let cases = [
            ("http://[::1", "missing ']' in host"),
            ("https://example.com/%zz", "invalid URL escape \"%zz\""),
            ("https://example.com/%z\u{e9}", "invalid URL escape \"%z\u{e9}\""),
            (":x", "missing protocol scheme"),
            ("1:2", "first path segment in URL cannot contain colon"),
            ("http://a b/", "invalid character \" \" in host name"),
            ("http://a:b/", "invalid port \":b\" after host"),
            ("a\nb", "net/url: invalid control character in URL"),
        ];
        for (text, words) in cases {
            let quoted = crate::go::quoted(text);
            assert_eq!(check(text), Err(format!("parse {quoted}: {words}").into()));
        }
    }
}
