//! Any text as a query: no panic, and no position outside of it.

#![no_main]

use exitpath::testing::domain::Named;
use exitpath::testing::metrics::SampleCluster;
use libfuzzer_sys::fuzz_target;
use promql::{self, Answer, Dialect, Limits, Query, Settings, evaluate, laid_out, parse};

fuzz_target!(|text: &str| {
    match promql::parse(text) {
        Ok(query) => {
            for (_, node) in query.nodes() {
                assert!(text.get(node.range.clone()).is_some());
            }
            let _ = Answer::of(&query);
            is_laid_out(text, &query);
            is_evaluated(&query);
        }
        Err(error) => {
            assert!(text.get(error.range).is_some());
            assert!(error.opened.is_none_or(|opened| text.get(opened).is_some()));
        }
    }
});

/// A query keeps its meaning in other lines.
fn is_laid_out(text: &str, query: &Query) {
    let whole = laid_out(text, query, usize::MAX);
    let narrow = laid_out(text, query, 30);
    // With more spaces, it can be longer than a query may be.
    if narrow.len() <= promql::LONGEST {
        let again = parse(&narrow).unwrap();
        assert_eq!(laid_out(&narrow, &again, usize::MAX), whole);
    }
}

/// A query has a value, or an error, within its budget.
fn is_evaluated(query: &Query) {
    let series = SampleCluster::ALL[0].series(None);
    let limits = Limits { samples: 100_000, bytes: 1 << 20 };
    for dialect in [Dialect::Two, Dialect::Three] {
        let settings = Settings { limits, ..Settings::at(series.time, dialect) };
        let _ = evaluate(query, &series.store, &settings);
    }
}
