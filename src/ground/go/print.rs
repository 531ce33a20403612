//! Values as Go prints them.

use serde_json::Value as Json;

/// A number in JSON.
pub(crate) fn json_number(value: f64) -> String {
    number(value, -6)
}

/// The compact JSON of a value, with its keys sorted.
pub(crate) fn marshaled(value: &Json) -> String {
    indented(value, None)
}

/// The JSON of a value over several lines, with four spaces for each level.
pub(crate) fn over_lines(value: &Json) -> String {
    indented(value, Some(0))
}

/// A value as `%v` prints it.
pub(crate) fn shown(value: &Json) -> String {
    formatted(value, &|leaf| plain(leaf))
}

/// A value as `%t` prints it. `%t` supports only booleans.
pub(crate) fn shown_as_boolean(value: &Json) -> String {
    formatted(value, &|leaf| match leaf {
        Json::Null => "%!t(<nil>)".to_owned(),
        Json::Number(_) => format!("%!t(float64={})", plain(leaf)),
        Json::String(text) => format!("%!t(string={text})"),
        _ => plain(leaf),
    })
}

fn plain(leaf: &Json) -> String {
    match leaf {
        Json::Null => "<nil>".to_owned(),
        Json::String(text) => text.clone(),
        Json::Number(value) => number(value.as_f64().unwrap_or_default(), -4),
        other => other.to_string(),
    }
}

fn formatted(value: &Json, leaf: &dyn Fn(&Json) -> String) -> String {
    match value {
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| formatted(item, leaf)).collect();
            format!("[{}]", items.join(" "))
        }
        Json::Object(fields) => {
            let field =
                |(key, value): (&String, &Json)| format!("{key}:{}", formatted(value, leaf));
            format!("map[{}]", fields.iter().map(field).collect::<Vec<_>>().join(" "))
        }
        other => leaf(other),
    }
}

/// The shortest text of a number. It has an exponent if the exponent is below `smallest`, or 21 or
/// more.
fn number(value: f64, smallest: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if exponent >= 21 {
        format!("{digits}e+{exponent}")
    } else if exponent < smallest {
        // Only `%v` pads the exponent to two digits.
        let width = if smallest == -4 { 2 } else { 1 };
        format!("{digits}e-{:0width$}", -exponent)
    } else {
        format!("{value}")
    }
}

fn indented(value: &Json, level: Option<usize>) -> String {
    let inner = level.map(|level| level + 1);
    let line = |level: Option<usize>| match level {
        Some(level) => format!("\n{}", "    ".repeat(level)),
        None => String::new(),
    };
    let colon = if level.is_some() { ": " } else { ":" };
    let joined = |open: char, items: Vec<String>, close: char| {
        if items.is_empty() {
            return format!("{open}{close}");
        }
        let between = format!(",{}", line(inner));
        format!("{open}{}{}{}{close}", line(inner), items.join(&between), line(level))
    };
    match value {
        Json::Array(items) => {
            joined('[', items.iter().map(|item| indented(item, inner)).collect(), ']')
        }
        Json::Object(fields) => {
            let field = |(key, value): (&String, &Json)| {
                format!("{}{colon}{}", text(key), indented(value, inner))
            };
            joined('{', fields.iter().map(field).collect(), '}')
        }
        Json::Number(value) if value.is_f64() => json_number(value.as_f64().unwrap_or_default()),
        Json::String(value) => text(value),
        other => other.to_string(),
    }
}

/// Go also escapes two line separators of JavaScript.
fn text(value: &str) -> String {
    let quoted = Json::String(value.to_owned()).to_string();
    quoted.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::{json_number, marshaled, over_lines, shown, shown_as_boolean};
    use serde_json::json;

    #[test]
    fn numbers_are_as_short_as_possible() {
        let printed = [4.1, 1000.0, 1e21, 1e-7, 0.000_001].map(json_number);
        assert_eq!(printed, ["4.1", "1000", "1e+21", "1e-7", "0.000001"]);
    }

    #[test]
    fn a_value_has_three_notations() {
        let value = json!({"b": [1, null], "a": "<x>"});
        assert_eq!(marshaled(&value), r#"{"a":"<x>","b":[1,null]}"#);
        assert_eq!(shown(&value), "map[a:<x> b:[1 <nil>]]");
        assert_eq!(
            shown_as_boolean(&value),
            "map[a:%!t(string=<x>) b:[%!t(float64=1) %!t(<nil>)]]"
        );
        assert_eq!(over_lines(&json!([{"a": 1}])), "[\n    {\n        \"a\": 1\n    }\n]");
    }
}
