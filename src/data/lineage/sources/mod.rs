//! Reads the sources of updates that the user names.

mod documents;
mod gathered;

use std::path::Path;

use crate::graph::cincinnati::{GraphFault, GraphFile, MAX_GRAPH};
use crate::text::{Failure, SourceId};
use crate::tree;

use documents::Documents;

/// A source of updates.
#[derive(Debug)]
pub enum ReleaseSource {
    /// A Cincinnati graph.
    Graph(GraphFile),
    /// The documents in a folder of release metadata.
    Documents(Documents),
}

impl ReleaseSource {
    /// Reads a graph from a file, or release metadata from a folder.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        if path.is_dir() {
            return Documents::read(path).map(Self::Documents);
        }
        let file = read_graph(path)?;
        refuse(path, file.faults.first())?;
        Ok(Self::Graph(file.graph))
    }
}

/// A file of Cincinnati JSON, and its faults with their lines.
struct GraphText {
    graph: GraphFile,
    faults: Vec<(usize, GraphFault)>,
}

/// Reads an answer of the service as clusters do: faults that clusters accept are only notes.
pub(crate) fn read_answer(path: &Path) -> Result<(GraphFile, Vec<String>), Failure> {
    let file = read_graph(path)?;
    refuse(path, file.faults.iter().find(|(_, fault)| !fault.clusters_accept))?;
    let name = path.display();
    let note = |(line, fault): &(usize, GraphFault)| {
        format!("{name}:{line}: {}; clusters accept this", fault.why)
    };
    Ok((file.graph, file.faults.iter().map(note).collect()))
}

fn read_graph(path: &Path) -> Result<GraphText, Failure> {
    let name = path.display();
    let text = tree::read_text_up_to(path, MAX_GRAPH)
        .map_err(|why| why.at(format!("cannot read {name}")))?
        .ok_or_else(|| {
            Failure::new(format!("there is no file or folder {name}")).hint(
                "`--releases` takes a Cincinnati graph, a folder of release metadata, or `history`",
            )
        })?;
    let graph = GraphFile::read(SourceId::at(0), &text);
    let line = |fault: &GraphFault| text[..fault.span.start].matches('\n').count() + 1;
    let faults = graph.faults.iter().map(|fault| (line(fault), fault.clone())).collect();
    Ok(GraphText { graph, faults })
}

fn refuse(path: &Path, fault: Option<&(usize, GraphFault)>) -> Result<(), Failure> {
    let Some((line, fault)) = fault else { return Ok(()) };
    let name = path.display();
    let what = format!("{name}:{line} cannot be used as a graph: {}", fault.why);
    Err(Failure::new(what).hint(format!("`exitpath check {name}` lists all errors")))
}
