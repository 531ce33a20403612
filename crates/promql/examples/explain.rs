//! Says where a query is wrong or what it can answer, and what it answers over the series in a
//! file.
//!
//!     cargo run -p exitpath-promql --example explain -- 'max(up) > 0' series.txt

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is what an example is for")]

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use promql::{Answer, Dialect, Query, Settings, Value, evaluate, laid_out, parse, read};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(text) = arguments.next() else {
        eprintln!("usage: explain QUERY [FILE]");
        return ExitCode::from(2);
    };
    let query = match parse(&text) {
        Ok(query) => query,
        Err(error) => {
            let before = text[..error.range.start].chars().count();
            eprintln!("{text}\n{:before$}^ {}", "", error.message);
            return ExitCode::FAILURE;
        }
    };
    println!("{}", laid_out(&text, &query, 80));
    if let Some(shape) = Answer::of(&query).shape {
        println!("samples: {:?}\nvalues: {:?}", shape.count, shape.values);
    }
    match arguments.next().map(|path| print_answer(&query, &path)) {
        Some(Err(error)) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
        Some(Ok(())) | None => ExitCode::SUCCESS,
    }
}

fn print_answer(query: &Query, path: &str) -> Result<(), Box<dyn Error>> {
    let exposition = read(fs::read(path)?, 0)?;
    let settings = Settings::at(exposition.newest.unwrap_or(0), Dialect::Three);
    match evaluate(query, &exposition.store, &settings)? {
        Value::Vector(samples) => {
            for (labels, value) in samples {
                println!("{labels} {value}");
            }
        }
        other => println!("{other:?}"),
    }
    Ok(())
}
