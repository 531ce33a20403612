//! Any text as series: what exporters write, what people write, and answers of the API. No panic,
//! no place outside of the text, and what is read can be asked.

#![no_main]

use exitpath::testing::metrics::{Series, SeriesText, parse_time, series_of_answer};
use libfuzzer_sys::fuzz_target;
use promql::{Dialect, Settings, Store, evaluate, parse, read};

const NOW: i64 = 1_755_896_700_000;

fuzz_target!(|text: &str| {
    if let Ok(exposition) = read(text, NOW) {
        for fault in &exposition.malformed.first {
            let line = text.split('\n').nth(fault.line - 1).unwrap();
            assert!(fault.column <= line.chars().count() + 1);
        }
        ask(&exposition.store);
    }
    let read = SeriesText::read(text, Some(NOW));
    for fault in &read.malformed.first {
        let line = text.lines().nth(fault.line - 1).unwrap();
        assert!(fault.column <= line.chars().count() + 1);
    }
    ask(&read.series.store);
    if let Ok((series, _)) = series_of_answer(text, None, NOW) {
        ask(&series.store);
    }
    let mut series = Series::at(NOW);
    for (labels, values) in [("a", text), (text, "1"), text.split_once('}').unwrap_or_default()] {
        if let Err(fault) = series.add(labels, values) {
            assert!(fault.at <= text.len());
        }
    }
    ask(&series.store);
    let _ = series.remove(text);
    let _ = parse_time(text);
});

/// The samples of each series are in the order of time.
fn ask(store: &Store) {
    assert!(store.iter().all(|(_, points)| points.is_sorted_by_key(|point| point.time)));
    let query = parse("count({__name__=~\".*a.*\"}) + count_over_time(a[2h])").unwrap();
    let _ = evaluate(&query, store, &Settings::at(NOW, Dialect::Three));
}
