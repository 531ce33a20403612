//! Queries that are laid out anew keep their meaning, and their lines are short.

use std::fs;

use promql::{laid_out, parse};
use serde_json::Value as Json;

/// A query in one line, without the choices of its author.
fn in_one_line(text: &str) -> String {
    laid_out(text, &parse(text).unwrap(), usize::MAX)
}

fn valid_queries() -> Vec<String> {
    let table = fs::read_to_string("tests/tables/promql.jsonl").unwrap();
    let rows = table.lines().map(|row| serde_json::from_str::<Json>(row).unwrap());
    let queries = rows.map(|row| row["query"].as_str().unwrap().to_owned());
    queries.filter(|query| parse(query).is_ok()).collect()
}

#[test]
fn every_query_keeps_its_meaning_at_every_width() {
    let queries = valid_queries();
    assert!(queries.len() > 100, "the table has only {} valid queries", queries.len());
    for query in queries {
        let expected = in_one_line(&query);
        for width in [0, 20, 40, 100] {
            let text = laid_out(&query, &parse(&query).unwrap(), width);
            assert!(parse(&text).is_ok(), "{query}\nbecame\n{text}");
            assert_eq!(in_one_line(&text), expected, "{query}\nbecame\n{text}");
        }
    }
}

#[test]
fn long_queries_are_broken_at_their_operators_and_arguments() {
    let query = r#"topk(1, label_replace(group(cluster_version{_id="",type="initial",version=~"4[.][0-9][.].*"}), "born", "yes", "", "") or 0 * group by (type) (cluster_infrastructure_provider{_id=""} offset 1h)) * on (_id) group_left (type) max_over_time(up{job="a"}[1h:5m] @ end())"#;
    let expected = r#"topk(
  1,
  label_replace(
    group(
      cluster_version{
        _id="",
        type="initial",
        version=~"4[.][0-9][.].*",
      }
    ),
    "born",
    "yes",
    "",
    ""
  )
  or
  0 * group by (type) (
    cluster_infrastructure_provider{
      _id="",
    } offset 1h
  )
)
* on (_id) group_left (type)
max_over_time(
  up{job="a"}[1h:5m] @ end()
)"#;
    assert_eq!(laid_out(query, &parse(query).unwrap(), 36), expected);
}

#[test]
fn a_long_chain_is_laid_out_without_recursion() {
    let query = vec!["a"; 3000].join(" or ");
    let lines = laid_out(&query, &parse(&query).unwrap(), 80);
    assert_eq!(lines.lines().count(), 5999);
}
