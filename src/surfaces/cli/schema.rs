//! `exitpath schema`: prints the published schemas.

use std::io::Write;

use crate::schema;
use crate::text::Failure;

use super::schema_args::SchemaArgs;
use super::{Status, Stop};

pub(super) fn run(args: &SchemaArgs, out: &mut dyn Write) -> Result<Status, Stop> {
    let Some(name) = &args.name else {
        for schema in schema::ALL {
            let title = schema.json()["title"].as_str().unwrap_or_default();
            writeln!(out, "{:<20}  {title}", schema.name)?;
        }
        return Ok(Status::Clean);
    };
    let names: Vec<&str> = schema::ALL.iter().map(|schema| schema.name).collect();
    let Some(schema) = schema::ALL.iter().find(|schema| schema.name == name) else {
        let failure = Failure::unknown("schema", name, names.iter().copied());
        return Err(failure.or_hint(format!("the schemas are {}", names.join(", "))).into());
    };
    out.write_all(schema.text.as_bytes())?;
    Ok(Status::Clean)
}
