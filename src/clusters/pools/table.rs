//! The table that `oc get mcp` prints.

use std::fmt::Write;

use super::age::age;
use super::status::Status;
use crate::text::printable;

const HEADER: [&str; 10] = [
    "NAME",
    "CONFIG",
    "UPDATED",
    "UPDATING",
    "DEGRADED",
    "MACHINECOUNT",
    "READYMACHINECOUNT",
    "UPDATEDMACHINECOUNT",
    "DEGRADEDMACHINECOUNT",
    "AGE",
];

/// A row of the table: one pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub status: Status,
    /// The age of the pool, in seconds.
    pub age: u64,
}

/// The table, with a row for each pool.
pub fn table(rows: &[Row]) -> String {
    let header = HEADER.map(str::to_owned);
    let lines: Vec<[String; 10]> = std::iter::once(header).chain(rows.iter().map(cells)).collect();
    let mut widths = [0; 10];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut table = String::new();
    for line in &lines {
        let mut text = String::new();
        for (cell, width) in line.iter().zip(widths) {
            let _ = write!(text, "{cell:width$}   ");
        }
        table.push_str(text.trim_end());
        table.push('\n');
    }
    table
}

fn cells(row: &Row) -> [String; 10] {
    let Status { counts, completed, conditions } = &row.status;
    let is = |kind: &str| {
        let condition = conditions.iter().find(|condition| condition.kind == kind);
        condition.map(|condition| condition.status.clone()).unwrap_or_default()
    };
    [
        row.name.clone(),
        completed.clone(),
        is("Updated"),
        is("Updating"),
        is("Degraded"),
        counts.machines.to_string(),
        counts.ready.to_string(),
        counts.updated.to_string(),
        counts.degraded.to_string(),
        age(row.age),
    ]
    .map(|cell| printable(&cell).into_owned())
}
