//! Every key and value has its exact line and column.

use std::fmt::Write;

use exitpath::testing::text::Source;
use exitpath::testing::yaml::{self, Style};
use proptest::prelude::*;

/// A value, and the notation to write it in.
#[derive(Clone, Debug)]
struct Written {
    lines: Vec<String>,
    style: Style,
    indent: usize,
    chomp: &'static str,
}

fn word() -> impl Strategy<Value = String> {
    // Visible characters of one to four bytes, and the ones that notations treat specially.
    proptest::string::string_regex("[a-zé✓𝛼(){}=~,.\"'\\\\]{1,6}").unwrap()
}

fn line() -> impl Strategy<Value = String> {
    proptest::collection::vec(word(), 1..5).prop_map(|words| words.join(" "))
}

fn written() -> impl Strategy<Value = Written> {
    let style = prop_oneof![
        Just(Style::Plain),
        Just(Style::SingleQuoted),
        Just(Style::DoubleQuoted),
        Just(Style::Literal),
        Just(Style::Folded),
    ];
    let chomp = prop_oneof![Just(""), Just("-"), Just("+")];
    let lines = proptest::collection::vec(prop_oneof![4 => line(), 1 => Just(String::new())], 1..5);
    (lines, style, 1..5_usize, chomp).prop_map(|(mut lines, style, indent, chomp)| {
        if style == Style::Plain {
            // A plain scalar cannot contain what would end it.
            for line in &mut lines {
                *line = line.replace(['"', '\'', '{', '}', ',', '\\', '~', '='], "x");
            }
        }
        lines.insert(0, "first(".into());
        lines.push("last".into());
        Written { lines, style, indent, chomp }
    })
}

/// The text in its notation, after `key:`, and the position of each visible character, computed
/// without the reader: the line after the key's (from 0) and the column (from 1).
fn notation(value: &Written) -> (String, Vec<(char, usize, usize)>) {
    let pad = " ".repeat(value.indent);
    let mut text = String::new();
    let mut places = Vec::new();
    let (open, block) = match value.style {
        Style::Plain => ("", false),
        Style::SingleQuoted => ("'", false),
        Style::DoubleQuoted => ("\"", false),
        Style::Literal => ("|", true),
        Style::Folded => (">", true),
    };
    let mut column = "key: ".len() + 1;
    let mut row = 0;
    if block {
        let _ = write!(text, " {open}{}\n{pad}", value.chomp);
        (row, column) = (1, value.indent + 1);
    } else {
        let _ = write!(text, " {open}");
        column += open.len();
    }
    for (i, line) in value.lines.iter().enumerate() {
        if i > 0 {
            // An empty line of a plain or quoted scalar folds like any other.
            text.push('\n');
            row += 1;
            if !line.is_empty() {
                text.push_str(&pad);
            }
            column = value.indent + 1;
        }
        for c in line.chars() {
            let escaped = match (value.style, c) {
                (Style::SingleQuoted, '\'') => "''".to_owned(),
                (Style::DoubleQuoted, '"') => "\\\"".to_owned(),
                (Style::DoubleQuoted, '\\') => "\\\\".to_owned(),
                (Style::DoubleQuoted, 'é') => "\\xe9".to_owned(),
                (Style::DoubleQuoted, '✓') => "\\u2713".to_owned(),
                (_, c) => c.to_string(),
            };
            if c != ' ' {
                places.push((c, row, column));
            }
            column += escaped.chars().count();
            text.push_str(&escaped);
        }
    }
    text.push_str(if block { "" } else { open });
    (text, places)
}

proptest! {
    #![proptest_config(crate::cases(2_000))]

    #[test]
    fn each_character_of_a_value_has_its_position(
        value in written(),
        crlf in any::<bool>(),
        before in proptest::collection::vec(prop_oneof![Just("# ünï"), Just(""), Just("other: ✓ x # c")], 0..3),
        ends in any::<bool>(),
    ) {
        let mut before = before;
        before.dedup();
        let keys = before.iter().filter(|line| line.contains(':')).count();
        prop_assume!(keys < 2);
        let (notation, places) = notation(&value);
        let mut text = String::new();
        for line in &before {
            text.push_str(line);
            text.push('\n');
        }
        let _ = write!(text, "key:{notation}");
        text.push_str(if ends { "\n" } else { "" });
        let text = if crlf { text.replace('\n', "\r\n") } else { text };

        let document = yaml::parse(&text).map_err(|e| TestCaseError::fail(format!("{e:?} in {text:?}")))?;
        let source = Source::new(String::new(), text.clone());
        let entry = document.entry(document.root(), "key").unwrap();
        let key = source.position(document.node(entry.key).range().start);
        prop_assert_eq!((key.line, key.column), (before.len() + 1, 1));

        let content = document.text(entry.value).unwrap();
        let segments = yaml::segments(&text, &document, entry.value);
        let visible = content.char_indices().filter(|(_, c)| !c.is_whitespace());
        let mut count = 0;
        for ((offset, found), (expected, row, column)) in visible.zip(&places) {
            let position = source.position(segments.source_offset(offset));
            prop_assert_eq!(found, *expected);
            prop_assert_eq!(
                (position.line, position.column), (key.line + row, *column),
                "{:?} at {} of {:?} in {:?}", found, offset, content, text
            );
            count += 1;
        }
        prop_assert_eq!(count, places.len());
    }

    /// A block of line breaks has more of them in its value than in the file.
    #[test]
    fn a_value_of_white_space_stays_in_its_file(text in "[>|][-+]?( ?[\r\n\t ]){0,8}") {
        if let Ok(document) = yaml::parse(&text) {
            let segments = yaml::segments(&text, &document, document.root());
            for offset in 0..=document.text(document.root()).map_or(0, str::len) {
                prop_assert!(segments.source_offset(offset) <= text.len());
            }
        }
    }

    /// Any text: no panic, and no span outside of it.
    #[test]
    fn spans_are_in_the_text_on_character_boundaries(text in "([a-z:#&*!|>'\"{}\\[\\], \\-?%\n\r\té✓]|: |- |\n  ){0,60}") {
        if let Ok(document) = yaml::parse(&text) {
            for (id, node) in document.nodes() {
                prop_assert!(text.get(node.range()).is_some(), "{:?} of {:?}", node, text);
                let segments = yaml::segments(&text, &document, id);
                for offset in 0..=document.text(id).map_or(0, str::len) {
                    prop_assert!(segments.source_offset(offset) <= text.len());
                }
            }
            let _ = document.to_json();
        }
    }
}

/// The most important case: an error in a query, in a block scalar, in a list.
#[test]
fn an_error_in_a_query_has_its_position_in_the_file() {
    let text = "matchingRules:\n- type: PromQL\n  promql:\n    promql: |\n      group(up)\n      or\n      0 * group(é up\n";
    let document = yaml::parse(text).unwrap();
    let node = document.at_pointer("/matchingRules/0/promql/promql");
    let query = document.text(node).unwrap();
    assert_eq!(query, "group(up)\nor\n0 * group(é up\n");
    let segments = yaml::segments(text, &document, node);
    let place = |part: &str| {
        let source = Source::new(String::new(), text.to_owned());
        let position = source.position(segments.source_offset(query.find(part).unwrap()));
        (position.line, position.column)
    };
    assert_eq!(place("group(up)"), (5, 7));
    assert_eq!(place("or"), (6, 7));
    assert_eq!(place("é"), (7, 17));
    assert_eq!(place("up\n"), (7, 19), "two bytes, one column");
}

#[test]
fn tags_and_blank_lines_do_not_shift_positions() {
    let text = "to: !!str 4.1\nnote: |\n\n\n  first\n  second\n";
    let document = yaml::parse(text).unwrap();
    assert_eq!(document.kind(document.top("to").unwrap()), yaml::ValueKind::Text);
    let note = document.top("note").unwrap();
    let value = document.text(note).unwrap();
    assert_eq!(value, "\n\nfirst\nsecond\n");
    let segments = yaml::segments(text, &document, note);
    for word in ["first", "second"] {
        assert_eq!(segments.source_offset(value.find(word).unwrap()), text.find(word).unwrap());
    }
}
