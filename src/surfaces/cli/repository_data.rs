//! The data of a repository, for commands that need no graph.

use std::io::Write;

use crate::graph_data::{Consumer, GraphData, not_loaded};
use crate::session::{ReadRequest, Session};

use super::common_args::CommonArgs;
use super::{Stop, print};

/// Reads a repository, and prints what the service does not load.
pub(super) fn repository_data(
    session: &Session,
    revision: Option<&str>,
    common: &CommonArgs,
    err: &mut dyn Write,
) -> Result<GraphData, Stop> {
    let read = session.read(&ReadRequest { revision, ..ReadRequest::default() })?;
    print::not_loaded(&not_loaded(&read.data, Consumer::Schema1_1), err)?;
    print::notes(&read.notes, common, err)?;
    Ok(read.data)
}
