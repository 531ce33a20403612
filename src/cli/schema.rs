//! `exitpath schema`: the published schemas.

use std::io::Write;

use crate::schema;

use super::args::Schema;
use super::{Failure, Status};

pub(super) fn run(args: &Schema, out: &mut dyn Write) -> Result<Status, Failure> {
    let Some(name) = &args.name else {
        for schema in schema::ALL {
            let title = schema.json()["title"].as_str().unwrap_or_default();
            writeln!(out, "{:<20}  {title}", schema.name)?;
        }
        return Ok(Status::Clean);
    };
    let names = schema::ALL.map(|schema| schema.name);
    let Some(schema) = schema::ALL.iter().find(|schema| schema.name == name) else {
        let failure = Failure::new(format!("there is no schema `{name}`"));
        return Err(match schema::closest(name, names) {
            Some(meant) => failure.hint(format!("did you mean `{meant}`?")),
            None => failure.hint(format!("there are: {}", names.join(", "))),
        });
    };
    out.write_all(schema.text.as_bytes())?;
    Ok(Status::Clean)
}
