//! Where series come from: notations, files, and sample clusters.

#![allow(clippy::float_cmp, reason = "the values are exact")]

use std::fs;
use std::path::{Path, PathBuf};

use exitpath::testing::domain::Named;
use exitpath::testing::metrics::{
    FIXED_TIME, FaultyPart, SampleCluster, Series, SeriesFile, SeriesText, parse_time,
};
use promql::{Dialect, Settings, Store, Value, evaluate, in_json, parse, read};

use crate::shared::skipped;

const NOW: i64 = 1_755_896_700_000;

/// The samples of a store, one series a line: `a{x="1"} 1@-60 2@0`, with seconds from `NOW`.
fn written(store: &Store) -> Vec<String> {
    let series = store.iter().map(|(labels, points)| {
        let points = points.iter().map(|point| {
            let at = (point.time - NOW) / 1000;
            if point.is_stale() {
                format!(" stale@{at}")
            } else {
                format!(" {}@{at}", in_json(point.value))
            }
        });
        format!("{labels}{}", points.collect::<String>())
    });
    series.collect()
}

/// The samples of a notation, or the place and the words of its fault.
fn values(notation: &str) -> String {
    let mut series = Series::at(NOW);
    match series.add("a", notation) {
        Ok(()) => {
            written(&series.store)[0].trim_start_matches(r#"{__name__="a"}"#).trim().to_owned()
        }
        Err(fault) => format!("{}: {fault}", fault.at),
    }
}

#[test]
fn the_last_value_is_at_the_time_of_the_query() {
    for (notation, samples) in [
        ("0 1", "0@-60 1@0"),
        ("0 1 _", "0@-120 1@-60"),
        (" 1  stale _x2 ", "1@-180 stale@-120"),
        ("5x2", "5@-120 5@-60 5@0"),
        ("0+10x2", "0@-120 10@-60 20@0"),
        ("-1-0.5x1 1e3x0", "-1@-120 -1.5@-60 1000@0"),
        ("1.5e+2x1", "150@-60 150@0"),
        (".5 +2", "0.5@-60 2@0"),
        ("NaN Inf -Inf +Infx1", "NaN@-240 +Inf@-180 -Inf@-120 +Inf@-60 +Inf@0"),
        ("stale", "stale@0"),
        ("_", ""),
    ] {
        assert_eq!(values(notation), samples, "{notation}");
    }
}

#[test]
fn a_lone_number_is_the_value_of_the_last_two_hours() {
    let mut series = Series::at(NOW);
    series.add("a", "7").unwrap();
    let (_, points) = series.store.iter().next().unwrap();
    assert_eq!(points.len(), 121);
    assert_eq!(points[0].time, NOW - 2 * 3_600_000);
    assert_eq!(points[120].time, NOW);
    assert!(points.iter().all(|point| point.value == 7.0));
}

#[test]
fn what_is_no_notation_is_reported_at_its_place() {
    for (notation, fault) in [
        ("", "0: expected a value"),
        ("  ", "2: expected a value"),
        ("1 one", "2: expected a number, `_`, or `stale`"),
        ("1 stalex3", "2: expected a number, `_`, or `stale`"),
        ("0x10 0xff", "7: expected a whole number"),
        ("1x", "2: expected a whole number"),
        ("1x-3", "2: expected a whole number"),
        ("_5", "1: expected `x` and a number"),
        ("1+2", "3: expected `x` and a number"),
        ("1+x5", "1: expected a space, `+`, `-`, or `x`"),
        ("1,2", "1: expected a space, `+`, `-`, or `x`"),
        ("1é", "1: expected a space, `+`, `-`, or `x`"),
        ("é", "0: expected a number, `_`, or `stale`"),
        ("{{schema:0 sum:1}}", "0: expected a number, `_`, or `stale`"),
        ("1x999999999", "0: expected at most 100,000 values"),
        ("0 _x99999999999999999999999", "2: expected at most 100,000 values"),
    ] {
        assert_eq!(values(notation), fault, "{notation}");
    }
    assert_eq!(values("1x99999").split(' ').count(), 100_000);
}

#[test]
fn a_series_replaces_the_one_with_its_labels() {
    let mut series = Series::at(NOW);
    series.add(r#"up{job="a",x="1"}"#, "1 1").unwrap();
    series.add(r"{x='1', __name__='up', job=`a`}", "0 stale").unwrap();
    series.add(r#"up{job="it's"}"#, "2 _").unwrap();
    assert_eq!(
        written(&series.store),
        [
            r#"{__name__="up", job="a", x="1"} 0@-60 stale@0"#,
            r#"{__name__="up", job="it's"} 2@-60"#,
        ]
    );
    for (labels, at, expected) in [
        ("", 0, "the name of a metric"),
        ("up{job}", 6, "`=`"),
        ("up{job=a}", 7, "a text in quotes"),
        ("up{job='a}", 7, "a text that ends with a `'`"),
        ("up{job='a'} 1", 12, "the end of the series"),
        ("up{a='1',a='2'}", 9, "another label, because this one is there already"),
    ] {
        let fault = series.add(labels, "1").unwrap_err();
        assert_eq!(
            (fault.part, fault.at, fault.expected.as_str()),
            (FaultyPart::Series, at, expected)
        );
    }
    let fault = series.add("up", "1 x").unwrap_err();
    assert_eq!((fault.part, fault.at), (FaultyPart::Values, 2));
}

#[test]
fn a_selector_removes_series() {
    let mut series = Series::at(NOW);
    for labels in ["up{job='api'}", "up{job='app'}", "up{job='web'}", "down{job='api'}"] {
        series.add(labels, "1 1").unwrap();
    }
    assert_eq!(series.remove(r#"up{job=~"ap."}"#).unwrap(), 2);
    assert_eq!(series.remove(r#"up{job=~"ap."}"#).unwrap(), 0);
    assert_eq!(series.store.len(), 2);
    assert_eq!(series.remove(r#"{job!=""}"#).unwrap(), 2);
    for (selector, words) in [
        ("up offset 5m", "this is not a selector, such as `up{job=\"a\"}`"),
        ("up[5m]", "this is not a selector, such as `up{job=\"a\"}`"),
        ("(up)", "this is not a selector, such as `up{job=\"a\"}`"),
        ("sum(up)", "this is not a selector, such as `up{job=\"a\"}`"),
    ] {
        assert_eq!(series.remove(selector).unwrap_err().message, words, "{selector}");
    }
    assert!(series.remove("up{").is_err());
}

#[test]
fn a_series_file_has_a_title_and_an_id() {
    let text = "\
# A small cluster
# cluster-id: 0a1b
up{job=\"a\"}  1 0

up{job=\"a\"} 1
up 1 ~
up{job=\"b\" 1
# The end
down 3x1\n";
    let read = SeriesText::read(text, Some(NOW));
    assert_eq!(read.series.cluster_id.as_deref(), Some("0a1b"));
    assert_eq!(
        written(&read.series.store),
        [r#"{__name__="down"} 3@-60 3@0"#, r#"{__name__="up", job="a"} 1@-60 0@0"#]
    );
    let malformed = read.malformed.first.iter();
    let malformed: Vec<_> = malformed.map(|m| (m.line, m.column, m.expected.as_str())).collect();
    assert_eq!(
        malformed,
        [
            (5, 1, "another series, because this one is there already"),
            (6, 6, "a number, `_`, or `stale`"),
            (7, 12, "`,` or `}`"),
        ]
    );
    assert_eq!(SeriesText::read(text, None).series.time, FIXED_TIME);
}

#[test]
fn sample_clusters_have_titles_and_no_malformed_lines() {
    assert!(SampleCluster::ALL.is_sorted_by_key(|sample| sample.name()));
    let files = crate::files_below(Path::new("clusters"));
    let files = files.iter().filter(|file| file.extension().is_some_and(|e| e == "series"));
    let mut names: Vec<&str> =
        files.map(|file| file.file_stem().unwrap().to_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(SampleCluster::names().collect::<Vec<_>>(), names, "each file is a sample cluster");
    for sample in SampleCluster::ALL {
        let read = SeriesText::read(sample.text, None);
        assert_eq!(read.malformed.first, [], "clusters/{}.series", sample.name());
        assert!(!sample.title().is_empty(), "clusters/{}.series has no title", sample.name());
        let query = parse("group(cluster_version{type=\"current\"})").unwrap();
        let settings = Settings::at(FIXED_TIME, Dialect::Three);
        let answer = evaluate(&query, &sample.series(None).store, &settings).unwrap();
        assert!(matches!(answer, Value::Vector(samples) if samples.len() == 1));
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("metrics").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let file = folder(name).join(name);
    fs::write(&file, text).unwrap();
    file
}

/// What is wrong with a file, and what to do, without the file's folder.
fn error(path: &Path) -> (String, Option<String>) {
    let failure = SeriesFile::read(path, None).unwrap_err();
    let (what, hint) = failure.words();
    let folder = format!("{}/", path.parent().unwrap().display());
    (what.replace(&folder, ""), hint.map(str::to_owned))
}

#[test]
fn the_time_is_that_of_the_newest_sample() {
    let timed = file("timed.txt", "a 1 1755896700000\nb 2 1755896640000\n");
    assert_eq!(SeriesFile::read(&timed, None).unwrap().series.time, NOW);
    assert_eq!(SeriesFile::read(&timed, Some(7)).unwrap().series.time, 7);
    let seconds = file("seconds.om", "a 1 1755896700\nb 2 1755896640\n# EOF\n");
    assert_eq!(SeriesFile::read(&seconds, None).unwrap().series.time, NOW);
    // One sample without a time is from now.
    let mixed = file("mixed.txt", "a 1 1755896700000\nb 2\n");
    assert!(SeriesFile::read(&mixed, None).unwrap().series.time > NOW);
    let read = SeriesFile::read(&mixed, Some(NOW)).unwrap();
    assert_eq!(written(&read.series.store), [r#"{__name__="a"} 1@0"#, r#"{__name__="b"} 2@0"#]);
    let read = SeriesFile::read(&file("own.series", "# Own\na 1 2\n"), None).unwrap();
    assert_eq!(read.series.time, FIXED_TIME);
}

/// The notes about a file without series. Its folder is omitted.
fn notes_of_none(path: &Path) -> Vec<String> {
    let read = SeriesFile::read(path, None).unwrap();
    assert!(read.series.store.is_empty());
    let folder = format!("{}/", path.parent().unwrap().display());
    read.notes.iter().map(|note| note.replace(&folder, "")).collect()
}

#[test]
fn a_file_without_series_has_a_note() {
    let note = |name: &str| vec![format!("there are no series in {name}, so queries find none")];
    assert_eq!(notes_of_none(&file("empty.txt", "")), note("empty.txt"));
    assert_eq!(notes_of_none(&file("comment.series", "# none\n")), note("comment.series"));
    let empty = r#"{"status":"success","data":{"resultType":"vector","result":[]}}"#;
    assert_eq!(notes_of_none(&file("none.json", empty)).last(), note("none.json").last());
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    assert_eq!(
        error(&file("words.txt", "# all\nno series here\n")),
        (
            "there are no series in words.txt".into(),
            Some("line 2, column 4: expected a number".into())
        )
    );
    assert_eq!(
        error(&file("latin.series", b"# a\nb{c=\"\xe9\"} 1\n")),
        ("latin.series is not UTF-8: see line 2".into(), None)
    );
    let (what, hint) = error(&folder("some-folder"));
    assert_eq!(what, "some-folder is a folder");
    assert_eq!(hint.as_deref(), Some("name a file with series"));
    let (what, _) = error(&folder("missing").join("missing.txt"));
    assert_eq!(what, "cannot read missing.txt: no such file or directory");
}

#[test]
#[cfg(unix)]
fn a_named_pipe_is_not_waited_for() {
    let pipe = folder("pipe").join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|made| made.success()) {
        skipped("there is no mkfifo");
        return;
    }
    let (what, hint) = error(&pipe);
    assert_eq!(what, "pipe is a named pipe");
    assert_eq!(hint.as_deref(), Some("name a file, or use standard input: `--metrics -`"));
}

#[test]
fn answers_of_the_api_have_series() {
    let vector = r#"{"status":"success","data":{"resultType":"vector","result":[
        {"metric":{"__name__":"up","job":"a"},"value":[1755896700,"1"]},
        {"metric":{"__name__":"up","job":"b"},"value":[1755896700,"NaN"]},
        {"metric":{},"value":[1755896700.0,"+Inf"]}]}}"#;
    let read = SeriesFile::read(&file("vector.json", vector), None).unwrap();
    assert_eq!(read.series.time, NOW);
    assert_eq!(read.notes, [""; 0]);
    assert_eq!(
        written(&read.series.store),
        ["{} +Inf@0", r#"{__name__="up", job="a"} 1@0"#, r#"{__name__="up", job="b"} NaN@0"#]
    );

    // Only the data, in another order.
    let matrix = r#"
        {"result":[{"values":[[1755896640,"1e3"],[1755896700,"0.5"]],"metric":{"__name__":"a"}}],
        "resultType":"matrix"}"#;
    let read = SeriesFile::read(&file("matrix.json", matrix), None).unwrap();
    assert_eq!(written(&read.series.store), [r#"{__name__="a"} 1000@-60 0.5@0"#]);

    let series = r#"{"status":"success","data":[{"__name__":"a","x":"1"},{"__name__":"b"}]}"#;
    let path = file("series.json", series);
    let read = SeriesFile::read(&path, Some(NOW)).unwrap();
    assert_eq!(
        written(&read.series.store),
        [r#"{__name__="a", x="1"} 1@0"#, r#"{__name__="b"} 1@0"#]
    );
    let note = format!("{}: these series have no values, so each counts as 1", path.display());
    assert_eq!(read.notes, [note]);
}

#[test]
fn other_json_is_an_error() {
    for (text, why) in [
        (
            r#"{"status":"error","errorType":"execution","error":"too many"}"#,
            "it is an error: execution: too many",
        ),
        (r#"{"nodes":[],"edges":[]}"#, "it has neither `data` nor an error"),
        (
            r#"{"status":"success","data":{"resultType":"scalar","result":[1755896700,"1"]}}"#,
            "it has no series",
        ),
        (r#"{"resultType":"streams","result":[]}"#, "its `resultType` is not known"),
        (
            r#"{"resultType":"vector","result":[{"metric":{},"value":[1,"one"]}]}"#,
            "a value is not a number",
        ),
        (
            r#"{"resultType":"vector","result":[{"metric":{},"histogram":[1,{"count":"5"}]}]}"#,
            "it has native histograms, which exitpath does not read",
        ),
        (
            r#"{"resultType":"vector","result":[{"metric":{},"value":[1,"1"]},{"metric":{},"value":[1,"2"]}]}"#,
            "the series {} has two values at one time",
        ),
        (
            r#"{"status":"success","data":{"resultType":"vector","result":[]},"warnings":["no store\n"]}"#,
            r#"it may be only a part, because the server warned "no store\n""#,
        ),
        ("{", "EOF while parsing an object at line 1 column 1"),
    ] {
        let (what, _) = error(&file("other.json", text));
        assert_eq!(what, format!("other.json is not an answer of Prometheus with series: {why}"));
    }
}

#[test]
fn many_malformed_lines_are_counted() {
    let text = "a{ 1\n".repeat(250) + "b 2\n" + &"x".repeat(2 << 20) + "\nc 3\n";
    let read = read(&text, NOW).unwrap();
    assert_eq!(read.malformed.first.len(), 100);
    assert_eq!(read.malformed.more, 151);
    assert_eq!(written(&read.store), [r#"{__name__="b"} 2@0"#, r#"{__name__="c"} 3@0"#]);
}

#[test]
fn malformed_lines_do_not_hide_the_others() {
    let bytes = b"\xEF\xBB\xBFa 1\r\nb{x=\"\xe9\"} 1\nc{x=\"\xc3\xa9\"} y\nd 1 never\ne{a=\"1\",a=\"1\"} 2\n a 1\na 2\nf 1";
    let path = file("mixed.prom", bytes);
    let read = SeriesFile::read(&path, Some(NOW)).unwrap();
    assert_eq!(written(&read.series.store), [r#"{__name__="a"} 1@0"#, r#"{__name__="f"} 1@0"#]);
    let malformed = read.malformed.first.iter();
    let malformed: Vec<_> = malformed.map(|m| (m.line, m.column, m.expected.as_str())).collect();
    assert_eq!(
        malformed,
        [
            (2, 6, "valid UTF-8"),
            (3, 10, "a number"),
            (4, 5, "a time in milliseconds"),
            (5, 9, "another label, because this one is there already"),
            (7, 1, "another time, because this series has another value then"),
        ]
    );
}

#[test]
fn times_are_seconds_or_dates() {
    for (text, milliseconds) in [
        ("0", Some(0)),
        ("1755896700", Some(NOW)),
        ("1755896700.1235", Some(NOW + 124)),
        ("-1.5", Some(-1500)),
        ("2025-08-22T21:05:00Z", Some(NOW)),
        ("2025-08-22T23:05:00.25+02:00", Some(NOW + 250)),
        ("2025-08-22t15:35:00-05:30", Some(NOW)),
        ("1969-12-31T23:59:59Z", Some(-1000)),
        ("2000-02-29T00:00:00Z", Some(951_782_400_000)),
        ("2100-02-29T00:00:00Z", None),
        ("2025-13-01T00:00:00Z", None),
        ("2025-08-22T24:00:00Z", None),
        ("2025-08-22T21:05:00", None),
        ("2025-08-22", None),
        ("now", None),
        ("1e300", None),
        ("inf", None),
        ("99999999999999", None),
        ("", None),
    ] {
        assert_eq!(parse_time(text), milliseconds, "{text}");
    }
}
