//! Laws that the values of all queries keep, whatever Prometheus says.

use promql::{Dialect, Labels, Point, Settings, Store, evaluate, parse};
use serde_json::Value as Json;

use crate::data::values::answer;
use crate::data::values_queries::Queries;
use crate::data::values_series::{NOW, Random, series};

/// Random queries whose value is a vector, and that value.
fn vectors(count: usize, settings: &Settings, store: &Store) -> Vec<(String, Json)> {
    let mut queries = Queries::new(11);
    let asked = std::iter::repeat_with(|| queries.vector(3)).take(count);
    let answered = asked.map(|query| {
        let answer = answer(&query, store, settings);
        (query, answer)
    });
    answered.filter(|(_, answer)| answer["type"] == "vector").collect()
}

/// The series of an answer, in the order of their labels.
fn sorted(answer: &Json) -> Vec<String> {
    let series = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let mut series: Vec<String> = series.iter().map(ToString::to_string).collect();
    series.sort();
    series
}

fn in_both(check: impl Fn(&str, &Json, &dyn Fn(&str) -> Json)) {
    let store = series();
    for dialect in [Dialect::Two, Dialect::Three] {
        let settings = Settings::at(NOW, dialect);
        let found = vectors(400, &settings, &store);
        assert!(found.len() > 250, "only {} queries have a vector", found.len());
        for (query, value) in &found {
            check(query, value, &|query| answer(query, &store, &settings));
        }
    }
}

#[test]
fn a_vector_or_itself_is_that_vector() {
    in_both(|query, value, ask| {
        for op in ["or", "and"] {
            let both = ask(&format!("({query}) {op} ({query})"));
            assert_eq!(both, *value, "{query}");
        }
        assert_eq!(ask(&format!("({query}) unless ({query})"))["result"], Json::Array(vec![]));
    });
}

#[test]
fn a_group_is_what_has_a_count() {
    in_both(|query, _, ask| {
        for by in ["", " by (job)", " without (node, x)"] {
            let group = ask(&format!("group{by} ({query})"));
            assert_eq!(group, ask(&format!("count{by} ({query}) > bool 0")), "{query}");
        }
    });
}

#[test]
fn two_signs_are_none() {
    in_both(|query, _, ask| {
        let unsigned = ask(&format!("({query}) * 1"));
        let signed = ask(&format!("-(-({query}))"));
        // Two metrics with the same labels collide either way.
        assert_eq!(signed, unsigned, "{query}");
    });
}

#[test]
fn a_matcher_and_its_opposite_are_everything() {
    let (store, mut random) = (series(), Random::new(3));
    for dialect in [Dialect::Two, Dialect::Three] {
        let settings = Settings::at(NOW, dialect);
        for metric in ["temperature", "requests_total", "odd", "latency_bucket"] {
            let label = random.one(&["node", "job", "x", "le"]);
            for pattern in ["n1", "n[12]", "", "a.*", "[13]", ".+"] {
                let ask = |query: &str| answer(query, &store, &settings);
                let parts = format!(
                    "{metric}{{{label}=~\"{pattern}\"}} or {metric}{{{label}!~\"{pattern}\"}}"
                );
                assert_eq!(sorted(&ask(&parts)), sorted(&ask(metric)), "{parts}");
            }
        }
    }
}

/// What several matchers of one selector select, the selectors select together.
#[test]
fn matchers_can_be_split() {
    let (store, mut selected) = (series(), 0);
    for dialect in [Dialect::Two, Dialect::Three] {
        let settings = Settings::at(NOW, dialect);
        let ask = |query: &str| answer(query, &store, &settings);
        for (one, other) in [
            (r#"version=~"4[.].*""#, r#"type!="current""#),
            (r#"job="api""#, r#"instance=~"i[12]""#),
            (r#"__name__=~".*_total""#, r#"job!~"w.b""#),
            (r#"__name__="odd""#, r#"x!="1""#),
            (r#"x=~"1|2|3""#, r#"y="""#),
        ] {
            let whole = ask(&format!("{{{one},{other},__name__!=\"\"}}"));
            let split = ask(&format!(
                "{{{one},__name__!=\"\"}} and ignoring () {{{other},__name__!=\"\"}}"
            ));
            assert_eq!(sorted(&split), sorted(&whole), "{one}, {other}");
            selected += sorted(&whole).len();
        }
    }
    assert!(selected > 3, "only {selected} series");
}

/// Labels that sort before the name of the metric do not hide a series.
#[test]
fn a_metric_is_found_whatever_its_labels_are() {
    let mut store = series();
    for label in ["A", "0", "_", "__name_", "__name__0", "zone"] {
        let labels = Labels::new([(label, "1"), ("__name__", "temperature")]);
        store.insert(labels, Point { time: NOW, value: 1.0 });
    }
    let settings = Settings::at(NOW, Dialect::Three);
    let ask = |query: &str| answer(query, &store, &settings);
    let by_pattern = ask(r#"{__name__=~"temperature"}"#);
    assert!(by_pattern["result"].as_array().unwrap().len() > 6, "{by_pattern}");
    assert_eq!(ask("temperature"), by_pattern);
    assert_eq!(ask(r#"{__name__="temperature"}"#), by_pattern);
    let nameless = ask(r#"{__name__="",zone="b"}"#);
    assert_eq!(nameless["result"], Json::Array(vec![]));
}

/// Names of labels mean nothing, if they sort alike.
#[test]
fn renamed_labels_are_renamed_in_the_answer() {
    let renamed = |text: &str| {
        let mut text = text.to_owned();
        for (from, to) in
            [("node", "nodf"), ("zone", "zonf"), ("job", "jox"), ("instance", "instancf")]
        {
            text = text.replace(from, to);
        }
        text
    };
    let store = series();
    let mut other = Store::default();
    for (labels, points) in store.iter() {
        let pairs = labels.iter().map(|(name, value)| (renamed(name), renamed(value)));
        let labels = Labels::new(pairs);
        for point in points {
            other.insert(labels.clone(), *point);
        }
    }
    let settings = Settings::at(NOW, Dialect::Three);
    for (query, value) in vectors(600, &settings, &store) {
        let expected = renamed(&value.to_string());
        let found = answer(&renamed(&query), &other, &settings);
        let expected: Json = serde_json::from_str(&expected).unwrap();
        assert_eq!(sorted(&found), sorted(&expected), "{query}");
    }
}

/// The order in which samples arrive does not matter.
#[test]
fn samples_can_arrive_in_any_order() {
    let query = parse("a").unwrap();
    let mut store = Store::default();
    for seconds in [3, 1, 2] {
        let labels = Labels::new([("__name__", "a")]);
        store.insert(labels, Point { time: NOW - seconds * 1000, value: 0.0 });
    }
    let times = store.iter().next().unwrap().1.iter().map(|point| (NOW - point.time) / 1000);
    assert_eq!(times.collect::<Vec<_>>(), [3, 2, 1]);
    assert!(evaluate(&query, &store, &Settings::at(NOW, Dialect::Two)).is_ok());
}
