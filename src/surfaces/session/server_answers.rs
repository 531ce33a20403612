//! What a server says of the queries of a repository.

use crate::domain::HashSet;
use crate::graph_data::{GraphData, Reading};
use crate::metrics::{Server, ServerRequest, Source};
use crate::online::{Asked, QuestionLimits, ask};
use crate::text::Failure;
use crate::text::words::counted;

use super::{Base, Note, Repository};

/// Asks a server about the queries of a repository, or of a change to it.
pub(super) fn server_answers(
    server: &ServerRequest<'_>,
    data: &GraphData,
    base: Option<&Base>,
    repository: &Repository,
    notes: &mut Vec<Note>,
) -> Result<Asked, Failure> {
    let (server, on_server) = Server::open(server)?;
    notes.extend(on_server.iter().map(|text| Note::new(text, true)));
    let readings = readings(data, base, repository);
    let queries = readings.iter().filter_map(|reading| {
        let (query, _) = reading.query.as_ref().as_ref().ok()?;
        Some((reading.text.as_str(), query))
    });
    let asked = ask(&Source::Server(server), queries, QuestionLimits::default())?;
    if asked.is_strange() {
        let text = "the server has no metric of any query: does it monitor a cluster, and is its \
                    clock right?";
        notes.push(Note::new(text, true));
    }
    let (queries, questions) = (counted(readings.len(), "query"), asked.questions);
    let questions = counted(questions, "question");
    notes.push(Note::new(&format!("asked the server {questions} about {queries}"), false));
    Ok(asked)
}

/// The queries to ask about: those in the files that the user named. With a base, what is not new
/// would be hidden, so only queries that the change adds or removes count.
fn readings<'d>(
    data: &'d GraphData,
    base: Option<&'d Base>,
    repository: &Repository,
) -> Vec<&'d Reading> {
    let is_asked_about = |reading: &&Reading| {
        let mut files = reading.places.iter().map(|(file, _)| data.path(*file));
        files.any(|path| repository.is_asked_about(path))
    };
    let now = data.queries.all().filter(is_asked_about);
    let Some(base) = base else { return now.collect() };
    let texts = |data: &'d GraphData| -> HashSet<&str> {
        data.queries.all().map(|reading| reading.text.as_str()).collect()
    };
    let (before, after) = (texts(&base.data), texts(data));
    let added = now.filter(|reading| !before.contains(reading.text.as_str()));
    let removed = base.data.queries.all().filter(|one| !after.contains(one.text.as_str()));
    added.chain(removed).collect()
}
