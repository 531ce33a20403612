//! Queries: which ones Prometheus accepts, and where it reports the error in the others.
//!
//! The parser is held to `tests/tables/promql.jsonl`, to another parser, and to Prometheus's
//! own table if there is one (`promql-syntax.jsonl` in the folder `EXITPATH_REAL_DATA`).

use std::fs;

use promql::{self, Answer, DEEPEST, Dialect, LONGEST, ManyCause, Remark, SampleCount, Values};
use proptest::prelude::*;
use serde_json::Value;

use crate::shared::real_data;

fn error(query: &str) -> promql::Error {
    promql::parse(query).err().unwrap_or_else(|| panic!("`{query}` is a query"))
}

/// Whether the query is refused only because clusters do not enable a feature.
fn is_experimental(error: &promql::Error) -> bool {
    error.message.contains("experimental")
}

/// Rows whose error Prometheus puts elsewhere, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    // The row lost its backquotes: without them, it is two backslashes.
    ("\\\\", "the row is damaged"),
    ("(1))", "Prometheus points behind the parenthesis, we at it"),
];

#[test]
fn the_parser_agrees_with_the_table_of_prometheus() {
    let Some(table) = real_data("promql-syntax.jsonl") else { return };
    let table = fs::read_to_string(table).unwrap();
    let (mut rows, mut experimental, mut wrong) = (0, 0, Vec::new());
    for line in table.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let query = row["query"].as_str().unwrap();
        let accepted = row["accepted"] == true;
        rows += 1;
        match promql::parse(query) {
            Err(error) if is_experimental(&error) => experimental += 1,
            Err(error) if accepted => wrong.push(format!("refused: {query}: {error:?}")),
            Err(error) => {
                let start = row["position"][0].as_u64().unwrap();
                let known = ELSEWHERE.iter().any(|(known, _)| *known == query);
                if error.range.start as u64 != start && !known {
                    wrong.push(format!("{start}: {query}: {error:?}, there: {}", row["error"]));
                }
            }
            Ok(_) if accepted => {}
            Ok(_) => wrong.push(format!("accepted: {query}")),
        }
    }
    assert!(wrong.is_empty(), "of {rows} rows:\n{}", wrong.join("\n"));
    assert!(rows > 300 && experimental < 40, "{experimental} of {rows} are set aside");
}

/// `tests/tables/verify` holds the table to Prometheus, and this test holds the parser to the
/// table.
#[test]
fn the_parser_agrees_with_the_table() {
    let (mut rows, mut wrong) = (0, Vec::new());
    for line in include_str!("../../tables/promql.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let query = row["query"].as_str().unwrap();
        rows += 1;
        match (promql::parse(query), row["accepted"].as_bool().unwrap()) {
            (Ok(_), true) => {}
            (Ok(_), false) => wrong.push(format!("accepted: {query:?}")),
            (Err(error), true) => wrong.push(format!("refused: {query:?}: {error:?}")),
            (Err(error), false) => {
                let at = row["at"].as_u64();
                if at.is_some_and(|at| at != error.range.start as u64) {
                    wrong.push(format!("not at {at:?}: {query:?}: {error:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "of {rows} rows:\n{}", wrong.join("\n"));
    assert!(rows >= 150, "the table has {rows} rows");
}

#[test]
fn experimental_functions_are_refused_by_name() {
    for query in [
        "info(x)",
        "limitk(1, x)",
        "limit_ratio by (y) (0.5, x)",
        "sort_by_label(x, \"y\")",
        "mad_over_time(x[5m])",
        "ts_of_max_over_time(x[5m])",
        "x[5m+5m]",
        "x[step()]",
        "x offset (5m)",
        "x offset -step()",
        "rate(x[2m*2])",
    ] {
        assert!(is_experimental(&error(query)), "{query}");
    }
    for query in ["anchored", "smoothed{x=\"y\"}", "sum by (step, anchored) (x)", "x offset 5m - 8"]
    {
        assert!(promql::parse(query).is_ok(), "{query}");
    }
}

/// A query of a risk has to work on clusters with Prometheus 3, too.
#[test]
fn a_function_that_has_another_name_in_one_version_is_refused_in_the_other() {
    let query = "holt_winters(x[5m], 0.5, 0.5)";
    assert!(promql::parse_as(query, Dialect::Two).is_ok());
    let refused = promql::parse(query).unwrap_err();
    assert_eq!(refused.range, 0..12);
    assert_eq!(
        refused.message,
        "there is no function `holt_winters` in Prometheus 3: it became \
         `double_exponential_smoothing`, which is experimental; clusters do not enable it"
    );
    let query = "double_exponential_smoothing(x[5m], 0.5, 0.5)";
    assert!(is_experimental(&promql::parse(query).unwrap_err()));
    let refused = promql::parse_as(query, Dialect::Two).unwrap_err();
    assert_eq!(
        refused.message,
        "there is no function `double_exponential_smoothing` in Prometheus 2, which calls it \
         `holt_winters`"
    );
    let near = |dialect| promql::parse_as("holt_winter(x[5m], 1, 1)", dialect).unwrap_err().message;
    assert!(near(Dialect::Two).ends_with("did you mean `holt_winters`?"));
    assert!(near(Dialect::Three).ends_with("no function `holt_winter`"));
    let wrong = promql::parse_as("holt_winters(x, 0.5, 0.5)", Dialect::Two).unwrap_err();
    assert!(wrong.message.contains("takes a range vector here"), "{}", wrong.message);
}

#[test]
fn errors_have_a_place_and_a_message() {
    for (query, place, words) in [
        ("sum(x", 5..5, "missing `)` for the unclosed `(`"),
        ("x{a=\"b\"", 7..7, "missing `}` for the unclosed `{`"),
        ("gruop(x)", 0..5, "there is no function `gruop`"),
        ("rte(x[5m])", 0..3, "there is no function `rte`; did you mean `rate`?"),
        ("é + x", 0..2, "unexpected `é`"),
        (
            "x{a=“b”}",
            4..7,
            "unexpected `“` between the braces of a selector: quotes are written `\"` or `'`",
        ),
        ("x = 1", 2..3, "unexpected `=`: to compare values, write `==`"),
        ("x{a=~\"b(\"}", 2..9, "invalid regular expression: unclosed `(`"),
        (
            "x{a=~\"(?!b)c\"}",
            2..13,
            "invalid regular expression: Prometheus does not support look-ahead or look-behind",
        ),
        (
            "rate(x)",
            5..6,
            "`rate` takes a range vector here, not an instant vector; add a range, as in `metric[5m]`",
        ),
        (
            "\"\\.\"",
            0..4,
            "`\\.` is not an escape; in double or single quotes, write a backslash as `\\\\`",
        ),
        ("x + on (a) group_left (a) y", 2..25, "`a` is both in `on` and in the group"),
    ] {
        let error = error(query);
        assert_eq!((error.range, error.message.as_str()), (place, words), "{query}");
    }
    assert_eq!(error("x + sum(").opened, Some(7..8));
}

/// Every node, matcher, and label covers exactly its own text.
#[test]
fn every_node_covers_its_text() {
    use promql::Expr;
    let text =
        " topk by (é) (1, a{b=\"c\", d!~'e'}[5m] offset 1h @ start()) ".replace("by (é)", "by (b)");
    let text = text.replace("a{", "max_over_time(a{").replace("start()", "start())");
    let text = text + "* on (x , y) group_left (z) - sum(f) without (g) / 5m # é";
    let query = promql::parse(&text).unwrap();
    let mut seen = Vec::new();
    for (_, node) in query.nodes() {
        seen.push(text[node.range.clone()].to_owned());
        match &node.expr {
            Expr::Selector(s) => {
                seen.extend(s.matchers.iter().map(|m| text[m.range.clone()].to_owned()));
                seen.extend(s.modifiers.offset.iter().map(|o| text[o.range.clone()].to_owned()));
                seen.extend(s.modifiers.at.iter().map(|a| text[a.range.clone()].to_owned()));
            }
            Expr::Aggregation(a) => {
                seen.push(text[a.op.range.clone()].to_owned());
                if let Some(grouping) = &a.grouping {
                    seen.push(text[grouping.range.clone()].to_owned());
                    seen.extend(grouping.labels.iter().map(|l| text[l.range.clone()].to_owned()));
                }
            }
            Expr::Binary(b) => {
                seen.push(text[b.op.range.clone()].to_owned());
                seen.extend(b.matching.iter().map(|m| text[m.range.clone()].to_owned()));
            }
            Expr::Range(_, range) => seen.push(text[range.range.clone()].to_owned()),
            _ => {}
        }
    }
    let expected = [
        "1",
        "a{b=\"c\", d!~'e'}",
        "b=\"c\"",
        "d!~'e'",
        "offset 1h",
        "@ start()",
        "a{b=\"c\", d!~'e'}[5m] offset 1h @ start()",
        "5m",
        "max_over_time(a{b=\"c\", d!~'e'}[5m] offset 1h @ start())",
        "topk by (b) (1, max_over_time(a{b=\"c\", d!~'e'}[5m] offset 1h @ start()))",
        "topk",
        "by (b)",
        "b",
        "f",
        "sum(f) without (g)",
        "sum",
        "without (g)",
        "g",
        "- sum(f) without (g)",
    ];
    assert_eq!(seen[..expected.len()], expected);
    assert!(seen.contains(&"on (x , y) group_left (z)".to_owned()), "{seen:#?}");
}

/// Short remarks on what a query can answer.
fn remarks(query: &str) -> Vec<String> {
    let query = promql::parse(query).unwrap_or_else(|error| panic!("{query}: {error:?}"));
    let answer = Answer::of(&query);
    let cause = |cause: &ManyCause| match cause {
        ManyCause::Or(_, label) => format!("many by or {label}"),
        ManyCause::By(_, label) => format!("many by {label}"),
    };
    let mut said: Vec<String> = answer
        .remarks
        .iter()
        .map(|remark| match remark {
            Remark::Unreachable(_) => "unreachable".to_owned(),
            Remark::ManyToMany(_, why) => format!("join: {}", cause(why)),
            Remark::Dropped(dropped) if dropped.is_copy => format!("copy {}", dropped.label),
            Remark::Dropped(dropped) => format!("dropped {}", dropped.label),
        })
        .collect();
    let Some(shape) = answer.shape else { return said };
    if let SampleCount::Many(why) = &shape.count {
        said.push(cause(why));
    }
    match shape.values {
        Values::Only(list) => said.push(format!("{list:?}")),
        Values::Tally { zero } => said.push(format!("tally {zero}")),
        Values::Any => {}
    }
    said
}

#[test]
fn remarks_on_what_a_query_can_answer() {
    let is = |query: &str, expected: &[&str]| assert_eq!(remarks(query), expected, "{query}");
    // Idioms have no remarks except for their values.
    is("group(a{b=\"c\"}) or 0 * group(a)", &["[0.0, 1.0]"]);
    is("max(a) or 0 * group(b)", &[]);
    is("1 - max(a)", &[]);
    is("group by (b) (a{b=\"c\"}) or 0 * group by (b) (a)", &["[0.0, 1.0]"]);
    is("group by (b) (a{b=\"c\"}) or on () -1 * group(d)", &["[-1.0, 1.0]"]);
    is("topk(1, group by (b) (a) or 0 * group by (c) (d))", &["[0.0, 1.0]"]);
    is("topk by (_id) (1, group by (_id, b) (a) or 0 * group by (_id, c) (d))", &["[0.0, 1.0]"]);
    is(
        "label_replace(group by (v) (a{v=~\"1.*\"}), \"n\", \"yes\", \"\", \"\") or label_replace(0 * group by (v) (a{v!~\"1.*\"}), \"n\", \"no\", \"\", \"\")",
        &["[0.0, 1.0]"],
    );
    is(
        "topk(1, group by (x) (a) or 0 * group by (x) (b)) * on () group_left (y) topk(1, group by (y) (c))",
        &["[0.0, 1.0]"],
    );
    is(
        "(group by (b) (a) or on (_id) 0 * group(c)) and on (_id) group by (d) (e)",
        &["[0.0, 1.0]"],
    );
    // Several samples.
    is("group by (b) (a) or 0 * group(a)", &["many by or b", "[0.0, 1.0]"]);
    is("group by (b) (a{b=\"c\"}) or group by (b) (d{b=\"e\"})", &["many by or b", "[1.0]"]);
    is("a{b=\"c\"} or 0 * a{b=\"\"}", &[]);
    is("group by (name) (csv_succeeded)", &["many by name", "[1.0]"]);
    is("group by (name) (csv_succeeded{name=~\"a[.].*\"})", &["[1.0]"]);
    is("group by (name) (csv_succeeded{name=~\"(a|b)[.].*\"})", &["many by name", "[1.0]"]);
    is("max(group by (name) (csv_succeeded))", &["[1.0]"]);
    is(
        "group(a) * on () group_left (b) (group by (b) (c{b=\"d\"}) or 0 * topk(1, group by (b) (c)))",
        &["join: many by or b", "[0.0, 1.0]"],
    );
    // Dropped labels.
    is("sum by (a) (sum by (b) (c))", &["dropped a"]);
    is("group by (a) (b) * on (a) group(c)", &["dropped a", "[1.0]"]);
    is("group(a) * on () group_left (b) group(c)", &["copy b", "[1.0]"]);
    is("group(a) or on (a) group(b)", &["[1.0]"]);
    // Sides that never answer.
    is("vector(0) or group(a)", &["unreachable", "[0.0, 1.0]"]);
    is("vector(0) or on () a", &["unreachable"]);
    is("vector(0) or a", &[]);
    is("0 * group(a) or group(a{b=\"c\"})", &["unreachable", "[0.0, 1.0]"]);
    is("0 * group(a > 0) or group(a{b=\"c\"})", &["[0.0, 1.0]"]);
    is("0 * group(a offset 1h) or group(a{b=\"c\"})", &["[0.0, 1.0]"]);
    is("0 * group(max_over_time(a[1h])) or group(max_over_time(a[2h]))", &["[0.0, 1.0]"]);
    // Values.
    is("count(a)", &["tally false"]);
    is("sum(group by (b) (a))", &["tally false"]);
    is("count(a) > bool 3", &["[0.0, 1.0]"]);
    is("group(a) + on () group(b)", &["[2.0]"]);
    is("(group(a) or 0 * group(b)) == 1", &["[1.0]"]);
    is("group(a) / 0", &["[inf]"]);
    is("0 * a", &["[0.0]"]);
}

#[test]
fn regular_expressions_follow_go() {
    let refused = [
        "a**",
        "a{1001}",
        "a{3,2}",
        "*a",
        "(?=a)",
        "(?<!a)b",
        "(a",
        "a)",
        "[a",
        "[b-a]",
        "\\1",
        "\\y",
        "\\C",
        "(?x)a",
        "(?P<>a)",
        "a|*",
        "\\",
        "[\\b]",
        "\\x{110000}",
    ];
    for text in refused {
        assert!(promql::regex::anchored(text).is_err(), "{text}");
    }
    for (text, value, matches) in [
        ("a{,2}", "a{,2}", true),
        ("a{2,}", "aaa", true),
        ("a{", "a{", true),
        ("x]}", "x]}", true),
        ("[]a]+", "]a", true),
        ("[^]a]", "b", true),
        ("[a&&b]", "&", true),
        ("[[:alpha:]]+", "ab", true),
        ("[a-c-]", "-", true),
        ("\\d", "\u{661}", false),
        ("\\w+", "a_1", true),
        ("[\\d.]+", "1.2", true),
        ("\\Qa.b\\E.", "a.bc", true),
        ("\\<a\\>", "<a>", true),
        ("\\_\\-\\/", "_-/", true),
        ("(?i:A)b", "ab", true),
        ("(?P<n>a|b)(?<m>c)", "bc", true),
        (".", "\n", true),
        ("a|bc", "abc", false),
        ("a?", "", true),
        ("\\x41\\102\\x{43}", "ABC", true),
        ("é+", "éé", true),
        ("^a$", "a", true),
    ] {
        assert_eq!(promql::regex::matches(text, value), Some(matches), "{text} on {value}");
    }
}

/// For any notation of the query, the finding points to the wrong word.
#[test]
fn findings_have_the_position_in_the_file() {
    for (name, written, line, column) in [
        ("literal", "|\n      max(x{a=\"é\"} +\n        gruop(x) )\n", 11, 9),
        ("folded", ">-\n      max(\n      gruop(x) )\n", 11, 7),
        ("plain", "max(\n      gruop(x) )\n", 10, 7),
        ("single", "'max(x{a=''b''} + gruop(x))'\n", 9, 31),
        ("double", "\"max(x{a=\\\"b\\\"} + gruop(x))\"\n", 9, 31),
    ] {
        let scratch = crate::Scratch::new(&format!("query-{name}"));
        let head = "to: 4.14.3\nfrom: .*\nurl: https://x.example.com/a\nname: ExampleRisk\nmessage: It breaks.\nmatchingRules:\n- type: PromQL\n  promql:\n    promql: ";
        scratch.write("blocked-edges/4.14.3-ExampleRisk.yaml", format!("{head}{written}"));
        let root = scratch.path().to_str().unwrap();
        let run = crate::exitpath(["check", root, "--select", "promql", "--format", "json"]);
        let report: Value = serde_json::from_str(&run.out).unwrap();
        let finding = &report["findings"][0];
        assert_eq!(finding["rule"], "invalid-promql", "{name}: {}", run.out);
        let start = &finding["start"];
        let found = (start["line"].as_u64(), start["column"].as_u64());
        assert_eq!(found, (Some(line), Some(column)), "{name}: {finding:#}");
    }
}

#[test]
fn hostile_queries_get_an_error_or_an_answer() {
    let terms = |term: &str, count: usize| vec![term; count].join("+");
    for query in [
        "(".repeat(LONGEST),
        "(".repeat(100_000),
        "((((".repeat(DEEPEST) + "x",
        "-".repeat(LONGEST - 1) + "x",
        "sum(".repeat(4_000),
        terms("x", 10_000),
        vec!["x"; 8_000].join("^"),
        "x".repeat(1 << 20),
        "[".repeat(LONGEST),
        "{".repeat(LONGEST),
        "\"".repeat(LONGEST),
        "x{a=~\"".to_owned() + &"(".repeat(8_000) + &")".repeat(8_000) + "\"}",
        "x{a=~\"".to_owned() + &"(".repeat(8_000) + "\"}",
    ] {
        let error = error(&query);
        assert!(error.message.len() < 200, "{}", error.message);
    }
    let wide: Vec<String> = (0..900).map(|i| format!("sum by(l{i})(x)")).collect();
    let labels: Vec<String> = (0..1_200).map(|i| format!("l{i}")).collect();
    let labels = labels.join(",");
    for query in [
        wide.join("or "),
        format!("sum by ({labels}) (x){}", "+1".repeat(4_000)),
        terms("x", LONGEST / 2),
        vec!["x"; 3_000].join(" or "),
        "(".repeat(DEEPEST - 1) + "x" + &")".repeat(DEEPEST - 1),
        "-".repeat(DEEPEST - 1) + "x",
        "abs(".repeat(DEEPEST - 1) + "x" + &")".repeat(DEEPEST - 1),
        "x+sum by(a)(".repeat(DEEPEST / 2 - 1) + "x" + &")".repeat(DEEPEST / 2 - 1),
        format!("{{{}x=~\"y\"}}", "a=~\"(\\\\pL{99}){9}|\",".repeat(700)),
        format!("sum by ({}) (x)", "a,".repeat(8_000)),
        "x{".to_owned() + &"a=\"b\",".repeat(2_700) + "}",
    ] {
        match promql::parse(&query) {
            Ok(query) => drop(Answer::of(&query)),
            Err(error) => panic!("{error:?} of {query:.60}"),
        }
    }
}

/// Expressions of all kinds, most of them valid.
fn expression() -> impl Strategy<Value = String> {
    let label =
        || prop_oneof![Just("a"), Just("by"), Just("le"), Just("_id"), Just("sum"), Just("or")];
    let labels = move || proptest::collection::vec(label(), 0..3).prop_map(|l| l.join(", "));
    let matcher = (
        label(),
        prop_oneof![Just("="), Just("!="), Just("=~"), Just("!~")],
        "\"[a-c.|]{0,4}\"|'x*'|`y`",
    )
        .prop_map(|(label, op, value)| format!("{label}{op}{value}"));
    let matchers = proptest::collection::vec(matcher, 0..3).prop_map(|m| m.join(","));
    let name = prop_oneof![4 => Just("foo"), 2 => Just("a:b"), 1 => Just("sum"), 1 => Just("offset"), 1 => Just("start"), 1 => Just("")];
    let selector =
        (name, prop_oneof![Just(None), matchers.prop_map(Some)]).prop_map(|(name, matchers)| {
            matchers.map_or(name.to_owned(), |m| format!("{name}{{{m}}}"))
        });
    let number = prop_oneof![
        Just("1"),
        Just("0.5"),
        Just("1e3"),
        Just("0x1f"),
        Just("5m"),
        Just("1h30m"),
        Just("Inf"),
        Just("NaN"),
        Just("007"),
    ]
    .prop_map(str::to_owned);
    let text = prop_oneof![Just("\"text\""), Just("'\\n'")].prop_map(str::to_owned);
    let leaf = prop_oneof![6 => selector, 2 => number, 1 => text];
    leaf.prop_recursive(5, 24, 4, move |inner| {
        let op = prop_oneof![
            Just("+"), Just("-"), Just("*"), Just("/"), Just("^"), Just("%"), Just("atan2"), Just("=="),
            Just("!="), Just("> bool"), Just("<="), Just("and"), Just("or"), Just("unless"), Just("OR"),
        ];
        let matching = (prop_oneof![Just("on"), Just("ignoring")], labels(), prop_oneof![
            3 => Just(""), 1 => Just("group_left"), 1 => Just("group_right(a)"),
        ]).prop_map(|(join, labels, include)| format!("{join}({labels}) {include}"));
        let matching = prop_oneof![2 => Just(String::new()), 1 => matching];
        let aggregator = prop_oneof![Just("sum"), Just("topk"), Just("group"), Just("count_values"), Just("MAX")];
        let grouping = (prop_oneof![Just("by"), Just("without")], labels()).prop_map(|(by, l)| format!("{by}({l})"));
        let grouping = prop_oneof![Just(String::new()), grouping];
        let function = prop_oneof![
            Just("rate"), Just("abs"), Just("vector"), Just("scalar"), Just("time"), Just("round"),
            Just("label_replace"), Just("label_join"), Just("max_over_time"), Just("hour"),
            Just("absent"), Just("clamp"), Just("quantile_over_time"), Just("none"),
        ];
        let after = prop_oneof![
            3 => Just("[5m]"), 1 => Just("[1h:5m]"), 1 => Just("[1h:]"), 1 => Just(" offset 5m"), 1 => Just(" offset -1h"), 1 => Just(" @ 5"), 1 => Just(" @ end()"),
        ];
        let arguments = proptest::collection::vec(inner.clone(), 0..4).prop_map(|a| a.join(", "));
        prop_oneof![
            3 => (inner.clone(), op, matching, inner.clone()).prop_map(|(l, o, m, r)| format!("{l} {o} {m} {r}")),
            2 => (aggregator, grouping, prop_oneof![Just(""), Just("1, "), Just("\"x\", ")], inner.clone())
                .prop_map(|(a, g, p, x)| format!("{a} {g} ({p}{x})")),
            2 => (function, arguments).prop_map(|(f, a)| format!("{f}({a})")),
            2 => (inner.clone(), after).prop_map(|(x, a)| format!("{x}{a}")),
            1 => inner.clone().prop_map(|x| format!("({x})")),
            1 => inner.prop_map(|x| format!("-{x}")),
        ]
    })
}

/// Replaces or inserts one token.
fn damaged() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        Just("("),
        Just(")"),
        Just("{"),
        Just("}"),
        Just("["),
        Just("]"),
        Just(","),
        Just(" by "),
        Just(" on "),
        Just("="),
        Just("=="),
        Just("\""),
        Just(" 5m "),
        Just(" 1 "),
        Just(" foo "),
        Just(" offset "),
        Just("@"),
        Just("-"),
        Just(":"),
        Just("#"),
        Just("\n"),
        Just(""),
    ];
    (expression(), any::<prop::sample::Index>(), 0..3_usize, token).prop_map(
        |(text, at, length, token)| {
            let at = at.index(text.len() + 1);
            let end = (at + length).min(text.len());
            format!("{}{token}{}", &text[..at], &text[end..])
        },
    )
}

const PANIC: &str = "it panics";

/// The other parser's verdict. It panics on durations that are NaN or infinite.
fn judge(query: &str) -> Result<(), String> {
    let parsed = std::panic::catch_unwind(|| promql_parser::parser::parse(query).map(drop));
    parsed.unwrap_or_else(|_| Err(PANIC.to_owned()))
}

/// Where the other parser is known to be wrong, as rows of the tables say: `start()` and `end()`
/// are possible after `@` only, a number may be written `0m`, a sign needs a number after it even
/// if it is `+`, and a label in a list may contain
/// a `:`. It also panics on `offset NaN`, which Prometheus accepts.
fn is_known_disagreement(
    query: &str,
    ours: &Result<promql::Query, promql::Error>,
    theirs: Option<&String>,
) -> bool {
    let Err(error) = ours else {
        return theirs.is_some_and(|why| {
            why == "duration must be greater than 0"
                || why == PANIC
                || why.ends_with("is not valid label in grouping opts")
        });
    };
    if error.message.starts_with("a sign needs") {
        return true;
    }
    let before = query[..error.range.start].trim_end();
    query[error.range.clone()].starts_with('(')
        && (before.ends_with("start") || before.ends_with("end"))
}

proptest! {
    #![proptest_config(crate::cases(6_000))]

    #[test]
    fn the_parser_agrees_with_another_parser(query in prop_oneof![expression(), damaged()]) {
        let ours = promql::parse(&query);
        let theirs = judge(&query);
        if ours.is_ok() != theirs.is_ok() && !is_known_disagreement(&query, &ours, theirs.as_ref().err()) {
            prop_assert!(false, "{query}\nours: {:?}\ntheirs: {theirs:?}", ours.map(drop));
        } else if let Ok(ours) = ours {
            let _ = Answer::of(&ours);
        }
    }

    #[test]
    fn no_text_causes_a_panic(text in "(sum|by|on|offset|foo|5m|\"|'|`|\\\\|é|[(){}\\[\\]=~!<>@,:#. \n0-9a-f+*/^%-]){0,40}") {
        if let Err(error) = promql::parse(&text) {
            prop_assert!(text.get(error.range.clone()).is_some(), "{error:?}");
        }
    }
}
