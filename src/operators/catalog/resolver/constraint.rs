//! The property `olm.constraint`. Its fields are checked as strictly as OLM does.

use serde_json::{Map, Value};

use super::step::{Step, package};
use crate::catalog::package::Gvk;
use crate::go::{self, quoted};

/// The longest constraint that OLM reads.
const LONGEST: usize = 2 << 16;

const EMPTY: &str = "constraint is empty";

/// Makes a step that combines this many answers.
type Combine = fn(usize) -> Step;

/// What is left to do: read a constraint, or combine those that were read.
enum Task<'a> {
    Read(&'a Value),
    Combine(Step),
}

/// The steps that test a constraint. The error is OLM's message.
pub(super) fn steps(constraint: &Value) -> Result<Vec<Step>, go::Error> {
    if constraint.to_string().len() > LONGEST {
        return Err(format!(
            "parse olm.constraint: olm.constraint value is greater than max constraint size \
             {LONGEST} bytes"
        )
        .into());
    }
    check(constraint).map_err(|error| format!("parse olm.constraint: json: {error}"))?;
    convert(constraint)
        .map_err(|error| format!("convert olm.constraint to resolver predicate: {error}").into())
}

/// Why OLM cannot read a constraint, in its words.
pub(crate) fn constraint_fault(constraint: &Value) -> Option<String> {
    let error = steps(constraint).err()?;
    let words = error.words();
    let why = words.rsplit_once("json: ").map(|(_, why)| why);
    let why = why.or_else(|| words.split_once(": ").map(|(_, why)| why));
    Some(why.unwrap_or(words).to_owned())
}

/// Checks that all fields of all parts are known and have the right type.
fn check(constraint: &Value) -> Result<(), go::Error> {
    let mut left = vec![constraint];
    while let Some(constraint) = left.pop() {
        for (name, value) in fields(constraint, "constraints.Constraint")? {
            match name.to_lowercase().as_str() {
                "failuremessage" => check_text(value, "Constraint.failureMessage")?,
                "cel" => check_texts(value, "Cel", &["rule"])?,
                "package" => {
                    check_texts(value, "PackageConstraint", &["packageName", "versionRange"])?;
                }
                "gvk" => check_texts(value, "GVKConstraint", &["group", "kind", "version"])?,
                "all" | "any" | "not" | "none" => left.extend(parts(value)?.iter().rev()),
                _ => return Err(format!("unknown field {}", quoted(name)).into()),
            }
        }
    }
    Ok(())
}

fn convert(constraint: &Value) -> Result<Vec<Step>, go::Error> {
    let mut steps = Vec::new();
    let mut tasks = vec![Task::Read(constraint)];
    while let Some(task) = tasks.pop() {
        let constraint = match task {
            Task::Combine(step) => {
                steps.push(step);
                continue;
            }
            Task::Read(constraint) => constraint,
        };
        if let Some(gvk) = field(constraint, "gvk") {
            let [group, version, kind] = ["group", "version", "kind"].map(|name| text(gvk, name));
            steps.push(Step::Gvk(Gvk { group, version, kind }));
        } else if let Some(wanted) = field(constraint, "package") {
            steps.extend(package(&text(wanted, "packageName"), &text(wanted, "versionRange"))?);
        } else if let Some((value, combine)) = compound(constraint) {
            let parts = parts(value)?;
            tasks.push(Task::Combine(combine(parts.len())));
            tasks.extend(parts.iter().rev().map(Task::Read));
        } else if let Some(cel) = field(constraint, "cel") {
            let message = text(constraint, "failureMessage");
            steps.push(Step::Cel { rule: text(cel, "rule"), message });
        } else {
            return Err(EMPTY.to_owned().into());
        }
    }
    Ok(steps)
}

/// The part of a compound constraint that is combined, and how.
fn compound(constraint: &Value) -> Option<(&Value, Combine)> {
    if let Some(all) = field(constraint, "all") {
        return Some((all, Step::All));
    }
    if let Some(any) = field(constraint, "any") {
        return Some((any, Step::Any));
    }
    Some((field(constraint, "not")?, Step::Not))
}

/// A field that is not null. Go ignores case in the names of fields.
fn field<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let fields = object.as_object()?;
    let found = fields.get(name).or_else(|| {
        fields.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    });
    found.filter(|value| !value.is_null())
}

fn text(object: &Value, name: &str) -> String {
    field(object, name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The constraints that a compound combines.
fn parts(compound: &Value) -> Result<&[Value], go::Error> {
    for (name, value) in fields(compound, "constraints.CompoundConstraint")? {
        if !name.eq_ignore_ascii_case("constraints") {
            return Err(format!("unknown field {}", quoted(name)).into());
        }
        if !value.is_array() && !value.is_null() {
            return Err(wrong_type(
                value,
                "CompoundConstraint.constraints",
                "[]constraints.Constraint",
            )
            .into());
        }
    }
    Ok(field(compound, "constraints").and_then(Value::as_array).map_or(&[], Vec::as_slice))
}

fn fields<'a>(
    value: &'a Value,
    kind: &str,
) -> Result<impl Iterator<Item = (&'a String, &'a Value)>, go::Error> {
    match value {
        Value::Object(_) | Value::Null => {
            Ok(value.as_object().map(Map::iter).into_iter().flatten())
        }
        _ => {
            Err(format!("cannot unmarshal {} into Go value of type {kind}", type_of(value)).into())
        }
    }
}

fn check_texts(object: &Value, kind: &str, known: &[&str]) -> Result<(), go::Error> {
    for (name, value) in fields(object, &format!("constraints.{kind}"))? {
        let Some(known) = known.iter().find(|known| known.eq_ignore_ascii_case(name)) else {
            return Err(format!("unknown field {}", quoted(name)).into());
        };
        check_text(value, &format!("{kind}.{known}"))?;
    }
    Ok(())
}

fn check_text(value: &Value, place: &str) -> Result<(), go::Error> {
    if value.is_string() || value.is_null() {
        Ok(())
    } else {
        Err(wrong_type(value, place, "string").into())
    }
}

fn wrong_type(value: &Value, place: &str, kind: &str) -> String {
    format!("cannot unmarshal {} into Go struct field {place} of type {kind}", type_of(value))
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn error(constraint: &str) -> String {
        let value: Value = serde_json::from_str(constraint).unwrap();
        steps(&value).err().map_or_else(String::new, String::from)
    }

    #[test]
    fn unknown_fields_and_empty_constraints_are_errors() {
        assert_eq!(error(r#"{"lamp":1}"#), r#"parse olm.constraint: json: unknown field "lamp""#);
        assert!(
            error(r#"{"all":{"constraints":[{"lamp":1}]}}"#).ends_with(r#"unknown field "lamp""#)
        );
        let empty = "convert olm.constraint to resolver predicate: constraint is empty";
        assert_eq!(error("{}"), empty);
        assert_eq!(error(r#"{"none":{"constraints":[]}}"#), empty);
        assert_eq!(error(r#"{"all":{"constraints":[]}}"#), "");
    }
}
