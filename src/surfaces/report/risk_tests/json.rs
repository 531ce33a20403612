//! Writes the report as JSON. The format is versioned, and fields are only added;
//! `schemas/test-report.json` describes it.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use crate::domain::Named;
use crate::report::json::write_json;
use crate::risks::{Disagreement, TestFault, TestOutcome, TestResult, Unshown};
use crate::text::Span;

use super::TestReport;

pub(super) fn write(report: &TestReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let files = report.tested.files.iter().map(|file| match &file.results {
        Ok(results) => {
            let tests: Vec<Json> = results.iter().map(|result| test(report, result)).collect();
            json!({"path": file.path, "tests": tests, "faults": []})
        }
        Err(faults) => {
            let faults: Vec<Json> = faults.iter().map(|found| fault(report, found)).collect();
            json!({"path": file.path, "tests": [], "faults": faults})
        }
    });
    let document = json!({
        "version": 1,
        "summary": {
            "tests": report.count(),
            "failed": report.failed(),
            "not_decided": report.not_decided(),
        },
        "warnings": report.tested.unshown.iter().map(|one| warning(report, one)).collect::<Vec<_>>(),
        "files": files.collect::<Vec<_>>(),
    });
    write_json(&document, out)
}

fn test(report: &TestReport<'_>, result: &TestResult) -> Json {
    let mut test = json!({
        "risk": result.risk,
        "name": result.name,
        "start": position(report, &result.place),
    });
    match &result.outcome {
        TestOutcome::Passed => test["outcome"] = "passed".into(),
        TestOutcome::Failed { expected, found, recommendation, .. } => {
            test["outcome"] = "failed".into();
            test["expected"] = expected.name().into();
            test["found"] = found.name().into();
            test["recommended"] = json!({
                "status": recommendation.status.name(),
                "reason": recommendation.reason,
                "message": recommendation.message,
            });
        }
        TestOutcome::Differs { disagreements, .. } => {
            test["outcome"] = "failed".into();
            test["clusters"] = disagreements.iter().map(cluster).collect();
        }
        TestOutcome::NotDecided(why) => {
            test["outcome"] = "not-decided".into();
            test["reason"] = why.as_str().into();
        }
        TestOutcome::Invalid(found) => {
            test["outcome"] = "invalid".into();
            test["fault"] = fault(report, found);
        }
    }
    test
}

fn cluster(shown: &Disagreement) -> Json {
    json!({
        "mistake": shown.mistake.name(),
        "words": shown.words,
        "series": shown.series,
        "answer": shown.answer.name(),
    })
}

fn warning(report: &TestReport<'_>, unshown: &Unshown) -> Json {
    json!({
        "risk": unshown.risk,
        "path": report.sources.path(unshown.place.source),
        "start": position(report, &unshown.place),
        "message": unshown.message(),
    })
}

fn fault(report: &TestReport<'_>, fault: &TestFault) -> Json {
    let start = fault.place.as_ref().map(|place| position(report, place));
    json!({"message": fault.message, "start": start})
}

fn position(report: &TestReport<'_>, place: &Span) -> Json {
    let position = report.position(place);
    json!({"line": position.line, "column": position.column, "offset": position.offset})
}
